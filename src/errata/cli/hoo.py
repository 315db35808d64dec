"""``errata hoo``: documents of the Helping Our Own tasks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from errata import __version__
from errata.cli.printing import TABLE, print_json, print_tables, print_warning
from errata.cli.vocabulary import OF_HOO_EDITS, add_format, add_option, add_options
from errata.errors import RequestError, pluralise

if TYPE_CHECKING:
    import argparse

    from errata.cli.parser import Parser
    from errata.formats.hoo import HooDocument
    from errata.formats.hoo_edits import HooEdit
    from errata.metrics.hoo import HooCounts, HooScores, Rules
    from errata.report import Cell, Table

_HOO_EXAMPLES = """\
examples:
  errata hoo --gold examples/hoo/gold --system examples/hoo/edits
  errata hoo --gold examples/hoo/gold --system examples/hoo/texts \\
      --source examples/hoo/source --rules 2011
  errata hoo --gold examples/hoo/gold --system examples/hoo/edits --by-type
  errata hoo --gold examples/hoo/gold --system examples/hoo/texts \\
      --source examples/hoo/source --write-edits edits
  errata hoo --gold examples/hoo/gold --system examples/hoo/texts \\
      --source examples/hoo/source --edits maxmatch

Files of gold, system and source belong together if their names begin with the
same number.  A system is given as edits (XML), or as texts, which are compared
with --source as GNU wdiff compares them.
2011: P, R and F are averaged over files, 0/0 is 0, case matters.
2012: counts are added up, 0/0 is 1, case does not matter.
With --edits maxmatch, texts are split into sentences and tokens, and the edits
of the system are those that match gold best.
"""
_MOST_TYPES = 1_000
"""The largest number of types for --by-type; each is compared with all edits of a system without types."""
_AGGREGATES = {"Prep": ("UT", "MT", "RT"), "Det": ("UD", "MD", "RD")}


def _register_hoo(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "hoo",
        help="score documents of the Helping Our Own tasks",
        description="Score detection, recognition and correction of edits in documents.",
        epilog=_HOO_EXAMPLES,
    )
    add_option(parser, "--gold", required=True)
    add_option(parser, "--system", required=True)
    add_option(parser, "--source", OF_HOO_EDITS)
    add_option(parser, "--rules", " (default 2012)", default="2012")
    add_option(parser, "--edits", default="wdiff")
    add_option(parser, "--offsets", default="wdiff")
    add_option(parser, "--by-type", "; recall only, if the system's edits have no types")
    add_options(parser, "--write-edits")
    add_format(parser, TABLE)
    parser.set_defaults(run=_run_hoo)


def _run_hoo(options: argparse.Namespace) -> int:
    from errata.formats.hoo import read_documents

    documents = read_documents(options.gold, options.system, options.source, options.offsets, print_warning)
    if options.write_edits is not None:
        _write_edits(documents, options.write_edits)
    extracted = {"maxmatch": _match_best(options)} if options.edits == "maxmatch" else {}
    extracted["wdiff" if options.source else "given"] = documents
    results = [result for edits, own in extracted.items() for result in _results(own, edits, options.rules, by_type=options.by_type)]
    if options.format == "json":
        from dataclasses import asdict

        entries = [
            {
                "type": result.type,
                "edits": result.edits,
                "counts": result.counts._asdict(),
                "without_bonus": asdict(result.plain),
                "with_bonus": asdict(result.bonus),
                "system_has_types": result.typed,
            }
            for result in results
        ]
        print_json(
            {"errata": __version__, "rules": options.rules, "offsets": options.offsets, "documents": len(documents), "results": entries}
        )
        return 0
    print_tables([_table(results, options, len(documents))], options.format)
    return 0


def _match_best(options: argparse.Namespace) -> list[HooDocument]:
    """Split documents into sentences, and extract the edits of the system by MaxMatch; both have the positions of tokens."""
    from errata.formats.hoo import HooDocument, read_hoo, read_hoo_system
    from errata.formats.hoo_edits import TokenPositions
    from errata.metrics.maxmatch import MaxMatch, MaxMatchScorer

    corpus = read_hoo(options.gold, options.source, warn=print_warning)
    system = read_hoo_system(options.system, options.source, corpus, warn=print_warning)
    documents = {sentence.document: HooDocument(sentence.document, [], []) for sentence in corpus}
    scorer = MaxMatchScorer(MaxMatch(), corpus)
    output = scorer.prepare(system.sentences)
    for index, sentence in enumerate(corpus):
        positions = TokenPositions(sentence.tokens)
        gold = [positions.gold(edit) for edit in scorer.annotations[index][0].edits]
        found = [edit for edit in output.edits(index)[0] if edit.outcome != "missed"]
        own = [positions.system(edit.start, edit.end, edit.corrections[0]) for edit in found]
        # Every sentence is a part, because edits of two sentences do not overlap.
        document = documents[sentence.document]
        document.gold.extend(replace(edit, part=str(index)) for edit in gold)
        document.system.extend(replace(edit, part=str(index)) for edit in own)
    return list(documents.values())


def _write_edits(documents: list[HooDocument], folder: str) -> None:
    from pathlib import Path

    from errata.formats.hoo_edits import format_edits
    from errata.formats.writing import all_or_none, find_same_file, write_files

    if (same := find_same_file(document.name for document in documents)) is not None:
        one, other = (documents[number].name for number in same)
        raise RequestError(f"--write-edits: on some systems {one}.xml and {other}.xml are the same file; rename one of the documents")
    with all_or_none() as files:
        files.make_folder(folder)
        write_files({str(Path(folder) / f"{document.name}.xml"): format_edits(document.system) for document in documents})


def _groups(documents: list[HooDocument], rules: str) -> dict[str, list[HooDocument]]:
    """Group edits: all, by type, and the aggregates of 2012; a system without types keeps all its edits in every group."""
    types = sorted({edit.type for document in documents for edit in (*document.gold, *document.system) if edit.type})
    if len(types) > _MOST_TYPES:
        raise RequestError(f"--by-type: the edits have {len(types):,} types, more than the limit of {_MOST_TYPES:,}; are they types?")
    wanted: dict[str, tuple[str, ...]] = {name: (name,) for name in types}
    aggregates = {name: members for name, members in _AGGREGATES.items() if rules == "2012" and set(members) & set(types)}
    if taken := next((name for name in ("all", *aggregates) if name in wanted), None):
        raise RequestError(f"--by-type: an edit has the type {taken!r}, which is the name of a group of types")
    if nameless := sum(not edit.type for document in documents for edit in document.gold):
        print_warning(f"{pluralise(nameless, 'gold edit')} without a type, counted in 'all' only")
    wanted |= aggregates
    typed = any(edit.type for document in documents for edit in document.system)
    sorted_by_type = [(_by_type(document.gold), _by_type(document.system)) for document in documents]
    return {
        "all": documents,
        **{
            name: [
                document._replace(
                    gold=[edit for member in members for edit in gold.get(member, ())],
                    system=[edit for member in members for edit in system.get(member, ())] if typed else document.system,
                )
                for document, (gold, system) in zip(documents, sorted_by_type, strict=True)
            ]
            for name, members in wanted.items()
        },
    }


def _by_type(edits: list[HooEdit]) -> dict[str, list[HooEdit]]:
    found: dict[str, list[HooEdit]] = {}
    for edit in edits:
        found.setdefault(edit.type, []).append(edit)
    return found


class _Result(NamedTuple):
    type: str
    edits: str
    """How they were extracted; ``given`` if the system has edits, not texts."""
    counts: HooCounts
    plain: HooScores
    bonus: HooScores
    typed: bool
    """Whether precision is defined: the system's edits have types, or all edits are counted."""


def _results(documents: list[HooDocument], edits: str, rules: Rules, *, by_type: bool) -> list[_Result]:
    groups = _groups(documents, rules) if by_type else {"all": documents}
    typed = any(edit.type for document in documents for edit in document.system)
    return [_result(name, edits, group, rules, typed=typed or name == "all") for name, group in groups.items()]


def _result(name: str, edits: str, documents: list[HooDocument], rules: Rules, *, typed: bool) -> _Result:
    from errata.metrics.hoo import HooCounts, HooScores, count_edits
    from errata.metrics.ratios import ZERO_OF_NOTHING

    each = [count_edits(document.gold, document.system, rules) for document in documents]
    total = HooCounts()
    for counts in each:
        total = total.plus(counts)
    if rules == "2011":
        own = [[HooScores.of(counts, bonus=bonus, of_nothing=ZERO_OF_NOTHING) for counts in each] for bonus in (False, True)]
        scores = [HooScores.mean(scores) for scores in own]
    else:
        scores = [HooScores.of(total, bonus=bonus) for bonus in (False, True)]
    return _Result(name, edits, total, scores[0], scores[1], typed)


def _table(results: list[_Result], options: argparse.Namespace, count: int) -> Table:
    from errata.metrics.hoo import SCORES
    from errata.report import Column, Table

    compared = options.edits == "maxmatch"
    columns = (
        *([Column("Edits", key="edits")] if compared else []),
        Column("Type", key="type"),
        Column("Score", key="score"),
        *(Column(name, "count", key) for name, key in _COUNTED),
        *(Column(name, "percent", key) for name, key in (("P", "precision"), ("R", "recall"), ("F", "f"))),
        *(Column(name, "percent", f"{key}_bonus") for name, key in (("P bonus", "precision"), ("R bonus", "recall"), ("F bonus", "f"))),
    )
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        counts = result.counts
        valid = {"detection": counts.detected, "recognition": counts.recognised, "correction": counts.corrected}
        for score in SCORES:
            measures: list[float | None] = []
            for regime in (result.plain, result.bonus):
                own = getattr(regime, score)
                measures += [
                    own.precision if result.typed else None,
                    own.recall,
                    own.f if result.typed else None,
                ]
            shown = (counts.gold, counts.system if result.typed else None, valid[score], counts.spurious if result.typed else None)
            rows.append((*([result.edits] if compared else []), result.type, score, *shown, counts.missed_optional, *measures))
    averaged = "averaged over files" if options.rules == "2011" else "from summed counts"
    offsets = f", offsets {options.offsets}" if options.source else ""
    notes = [f"HOO {options.rules}, {pluralise(count, 'document')}, {averaged}{offsets} | errata {__version__}"]
    if not all(result.typed for result in results):
        notes.append("–: the system's edits have no types.")
    return Table(columns, tuple(rows), notes=tuple(notes))


_COUNTED = (("Gold", "gold"), ("System", "system"), ("Valid", "valid"), ("Spurious", "spurious"), ("Missed optional", "missed_optional"))


COMMANDS = {"hoo": _register_hoo}
