"""The view of ``errata inspect --lattice``: the edit lattice of sentences, with the path that matches gold best."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.cli.inputs import subset_record
from errata.cli.inspect_edits import name_reference
from errata.cli.printing import flush_warnings, print_json
from errata.errors import RequestError, UsageError, pluralise
from errata.metrics import ShowsLattice
from errata.report.table import Column, Table
from errata.report.tables.edits import EMPTY_SIGN
from errata.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Literal

    from errata.metrics import EditLattice
    from errata.scoring import Score

_MATRIX = "[n]: vertex of the path, (n): other vertices of the lattice, n: Levenshtein distance of the first tokens."
_ARCS = (
    "*: on the path that is scored.  Cost: kept, inserted, deleted and replaced tokens; of an arc that matches gold, minus the number of "
    "arcs times one more than the unchanged tokens that an edit may contain."
)


class Shown(NamedTuple):
    """A lattice, and whose gold it is matched with."""

    annotator: str
    chosen: bool
    correct: int
    gold: int
    """The numbers of correct and of gold edits."""
    lattice: EditLattice

    @property
    def heading(self) -> str:
        """The annotator and what is matched."""
        sizes = f"{pluralise(len(self.lattice.vertices), 'vertex', 'vertices')}, {pluralise(len(self.lattice.arcs), 'arc')}"
        matched = f"{self.correct:,} of {pluralise(self.gold, 'gold edit')} matched"
        return f"{name_reference(self.annotator)}{' (chosen)' if self.chosen else ''}: {matched}; {sizes}"


def print_lattices(
    score: Score, numbers: Sequence[int], output_format: str, color: Literal["auto", "always", "never"], *, only_chosen: bool
) -> int:
    """Print the lattices of sentences as text or JSON, or draw that of one sentence as SVG."""
    if not isinstance(score.output, ShowsLattice):
        raise RequestError(f"{score.metric.name} has no lattice to show; maxmatch does")
    if output_format == "svg" and len(numbers) != 1:
        raise UsageError(f"a picture shows one sentence, found {len(numbers):,}; choose it with --sentences")
    if output_format == "json":
        head = {"errata": __version__, "gold": score.evidence.corpus.name, "system": score.system_name, "metric": str(score.metric)}
        records = [_record(score, number, _lattices(score, score.output, number, only_chosen=only_chosen)) for number in numbers]
        print_json({**head, **subset_record(score.evidence.corpus), "signature": score.signature, "sentences": records})
    elif output_format == "svg":
        from errata.report.charts.pictures import LatticePanel, lattice_lines

        shown = _lattices(score, score.output, numbers[0], only_chosen=only_chosen)
        flush_warnings()
        title = f"Edit lattice of sentence {numbers[0]:,}, {score.system_name}"
        for line in lattice_lines([LatticePanel(item.heading, item.lattice) for item in shown], title):
            print(line)
    else:
        from errata.report.writers import printer

        flush_warnings()
        for number in numbers:
            _print_text(score, number, _lattices(score, score.output, number, only_chosen=only_chosen), color)
        printer(color)([(f"{len(numbers):,} of {pluralise(len(score.evidence.corpus), 'sentence')} shown", "")])
    return 0


def _lattices(score: Score, output: ShowsLattice, number: int, *, only_chosen: bool) -> list[Shown]:
    index, chosen = score.evidence.index(number), score.evidence.chosen
    names, rows = score.evidence.labels[index], score.evidence.rows[index]
    correct, gold = (score.metric.columns.index(name) for name in ("correct", "gold"))
    shown = [
        Shown(name, chosen is not None and chosen[index] == row, rows[row][correct], rows[row][gold], lattice)
        for row, (name, lattice) in enumerate(zip(names, output.lattice(index), strict=True))
    ]
    return [item for item in shown if item.chosen or not (only_chosen or score.metric.mixes_references)]


def _print_text(score: Score, number: int, shown: Sequence[Shown], color: Literal["auto", "always", "never"]) -> None:
    from errata.report.writers import output_width, printer, table_lines

    show = printer(color)
    lattice = shown[0].lattice
    show([(f"sentence {number:,}", "bold")])
    show([("  source  ", "dim"), (score.evidence.corpus[score.evidence.index(number)].text, "")])
    show([("  system  ", "dim"), (" ".join(lattice.hypothesis) or "(empty)", "")])
    for item in shown:
        show([], [(item.heading, "bold")], [])
        show(*table_lines(_matrix(item.lattice), output_width()))
        show([])
        show(*table_lines(_arcs(item.lattice), output_width()))
    show([])


def _matrix(lattice: EditLattice) -> Table:
    """Make the Levenshtein matrix (Figure 1): rows are the source, columns the hypothesis."""
    on_path, vertices = set(lattice.path), set(lattice.vertices)
    columns = (Column(""), Column(EMPTY_SIGN, "count"), *(Column(token, "count") for token in lattice.hypothesis))

    def cell(i: int, j: int) -> str:
        distance = lattice.distances[i][j]
        return f"[{distance}]" if (i, j) in on_path else f"({distance})" if (i, j) in vertices else f"{distance} "

    rows = tuple(
        (EMPTY_SIGN if i == 0 else lattice.source[i - 1], *(cell(i, j) for j in range(len(lattice.hypothesis) + 1)))
        for i in range(len(lattice.source) + 1)
    )
    return Table(columns, rows, notes=(_MATRIX,))


def _arcs(lattice: EditLattice) -> Table:
    """Make the list of arcs (Figure 2)."""
    columns = (Column(""), Column("From"), Column("To"), Column("Source"), Column("System"), Column("Cost", "count"), Column("Gold"))
    rows = tuple(
        (
            "*" if arc.on_path else "",
            _vertex(arc.start),
            _vertex(arc.end),
            lattice.original(arc) or EMPTY_SIGN,
            lattice.correction(arc) or EMPTY_SIGN,
            lattice.cost(arc),
            "matches" if arc.gold else "",
        )
        for arc in lattice.arcs
    )
    return Table(columns, rows, notes=(_ARCS,))


def _vertex(vertex: tuple[int, int]) -> str:
    return f"({vertex[0]},{vertex[1]})"


def _record(score: Score, number: int, shown: Sequence[Shown]) -> dict[str, Any]:
    return {
        "sentence": number,
        "source": score.evidence.corpus[score.evidence.index(number)].text,
        "system": " ".join(shown[0].lattice.hypothesis),
        "annotators": list(_annotators(shown)),
    }


def _annotators(shown: Sequence[Shown]) -> Iterator[dict[str, Any]]:
    for item in shown:
        lattice = item.lattice
        arcs = [
            {
                "from": arc.start,
                "to": arc.end,
                "source": lattice.original(arc),
                "system": lattice.correction(arc),
                "changes": arc.changes,
                "gold": arc.gold,
                "on_path": arc.on_path,
                "cost": lattice.cost(arc),
            }
            for arc in lattice.arcs
        ]
        yield {
            "annotator": item.annotator,
            "chosen": item.chosen,
            "gold": item.gold,
            "vertices": lattice.vertices,
            "arcs": arcs,
            "path": lattice.path,
            "distances": lattice.distances,
        }
