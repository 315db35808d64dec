"""Tables of compared systems: ranks, differences, pairs, the source as a system, and gates."""

from __future__ import annotations

import math
import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.display import printable
from errata.errors import pluralise
from errata.report.table import Cell, Column, Kind, Table
from errata.report.tables.edits import EMPTY_SIGN, WrittenEdit
from errata.report.tables.scores import shown_interval
from errata.report.writers import render
from errata.scoring.scores import best_first, join_signatures
from errata.stats.bootstrap import format_level
from errata.stats.comparison import FEWEST_NEEDED
from errata.stats.intervals import Interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.corpus import Corpus
    from errata.scoring.edits import ChangedEdit, ChangedEdits, EditChange, EditChanges
    from errata.scoring.scores import Score
    from errata.stats.bootstrap import Bootstrap
    from errata.stats.comparison import Comparison, SourceComparison
    from errata.stats.gating import Gate, GatedMetric


_DIGITS = 4
"""Digits of p-values, the same in all tables."""
_BOUNDS = ("p_is_bound", "corrected_p_is_bound")
_PAIR_COLUMNS: tuple[tuple[str, Kind, str], ...] = (
    ("First", "text", "system"),
    ("Second", "text", "other"),
    ("Diff.", "percent", "difference"),
    ("Low", "percent", "low"),
    ("High", "percent", "high"),
    ("p", "p", "p"),
    ("corrected p", "p", "corrected_p"),
    ("Effect d", "number", "effect"),
    ("Needed", "count", "sentences_needed"),
)


def pairs_table(comparisons: Sequence[Comparison], settings: Bootstrap, test: str, units: str = "", scale: Kind = "percent") -> Table:
    """Make a table of all pairs of systems; ``units`` are the resampled units, by default those of the settings."""
    columns = tuple(Column(name, scale if kind == "percent" else kind, key) for name, kind, key in _PAIR_COLUMNS)
    units = units or f"{settings.by}s"
    counted = "sentences" if units == "documents" else units
    notes = [
        f"Diff.: first score minus second score.  Low, High: {format_level(settings.level)} interval of the difference.",
        f"Effect d: Cohen's d of the {units.removesuffix('s')} scores.",
        f"Needed: {counted} for 80% power, before p-value correction; at least {FEWEST_NEEDED}.",
    ]
    if any((item.effect or 0) * item.difference < 0 for item in comparisons):
        notes.append(f"If d and the difference have opposite signs, the system with the better total has the worse mean over {units}.")
    if any(item.tested * item.difference < 0 for item in comparisons):
        notes.append(f"If the {test} test found the opposite of the difference, the systems count as not significantly different.")
    if any(item.corrected_p_is_bound for item in comparisons):
        notes.append("≤: the smallest p-value possible with this number of replicates (--replicates).")
    return Table(columns, tuple(tuple(_cell(item, key) for _, _, key in _PAIR_COLUMNS) for item in comparisons), notes=tuple(notes))


def _cell(item: Comparison, key: str) -> Cell:
    if key in {"p", "corrected_p"}:
        return shown_p(getattr(item, key), bound=getattr(item, f"{key}_is_bound"))
    return item.to_record()[key]


def shown_p(p: float, digits: int = _DIGITS, *, bound: bool) -> str:
    """Format a p-value; a bound is rounded up, so that it stays a bound.

    >>> shown_p(0.00661, 3, bound=True), shown_p(0.00661, 3, bound=False), shown_p(0.00001, 3, bound=False)
    ('≤0.007', '0.007', '<0.001')
    """
    if bound:
        return f"≤{math.ceil(p * 10**digits - 1e-9) / 10**digits:.{digits}f}"
    return f"{p:.{digits}f}" if p >= 10**-digits else f"<{10**-digits}"


def comparison_tables(
    scores: list[Score],
    ranks: list[int],
    intervals: Sequence[Interval],
    comparisons: Sequence[Comparison],
    settings: Bootstrap,
    test: str,
    how: str,
) -> list[Table]:
    """Make tables of systems with their ranks, of their differences, and of all pairs; ``how`` says how they were compared."""
    return [_ranking_table(scores, ranks, intervals, how), _matrix_table(scores, comparisons), pairs_table(comparisons, settings, test)]


def _ranking_table(scores: list[Score], ranks: list[int], intervals: Sequence[Interval], how: str) -> Table:
    """Make a table of systems with their ranks, the best first."""
    columns = (
        Column("Rank", "count", "rank"),
        Column("System", key="system"),
        Column(scores[0].metric.label, "percent", "value", is_contest=True),
        Column(f"{format_level(intervals[0].bootstrap.level)} interval", "count", "interval"),
    )
    order = sorted(range(len(scores)), key=lambda index: best_first(scores[index]))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (ranks[k], scores[k].system_name, scores[k].value, shown_interval(intervals[k])) for k in order
    )
    shared = "A new rank begins with a system that is significantly different from every system of the previous rank."
    return Table(columns, rows, notes=(join_signatures(scores), how, shared))


def _matrix_table(scores: list[Score], comparisons: Sequence[Comparison]) -> Table:
    """Make a matrix of differences (above the diagonal) and corrected p-values (below); systems are numbered, the best first."""
    pairs = {frozenset((item.first, item.second)): item for item in comparisons}
    ordered = sorted(scores, key=best_first)
    names = [score.system_name for score in ordered]
    rows: list[tuple[Cell, ...]] = []
    for number, name in enumerate(names):
        cells: list[Cell] = [number + 1, name]
        for index, other in enumerate(names):
            item = pairs.get(frozenset((name, other))) if number != index else None
            cells.append("" if item is None else show_difference(item, name) if number < index else _matrix_p(item))
        rows.append(tuple(cells))
    columns = (Column("#", "count"), Column("System"), *(Column(str(number), "count") for number in range(1, len(names) + 1)))
    note = "Above the diagonal: row score minus column score.  Below the diagonal: corrected p-values."
    return Table(columns, tuple(rows), notes=(note,))


def _matrix_p(item: Comparison) -> str:
    return shown_p(item.corrected_p, bound=item.corrected_p_is_bound)


def show_difference(item: Comparison, system: str) -> str:
    """Format the score of a system minus that of the other."""
    shown = f"{100 * (item.difference if item.first == system else -item.difference):+.2f}"
    return "0.00" if shown in {"-0.00", "+0.00"} else shown


def flat_pairs_table(scores: list[Score], comparisons: Sequence[Comparison], how: str, signature: str = "") -> Table:
    """Make a table of all pairs for programs, with all values; the signature is by default that of the scores."""
    signature = signature or join_signatures(scores)
    values = {score.system_name: score.value for score in scores}
    keys = [key for _, _, key in _PAIR_COLUMNS]
    columns = [
        Column(key, "percent" if key not in {"system", "other"} else "text", key) for key in (*keys, "tested", "score", "other_score")
    ]
    columns += [Column(key, "text", key) for key in ("metric", "how", "signature")]
    columns += [Column(key, "count", key) for key in _BOUNDS]
    rows: list[tuple[Cell, ...]] = []
    for item in comparisons:
        own: list[Cell] = [item.to_record()[key] for key in (*keys, "tested")]
        both = (values[item.first], values[item.second])
        rows.append((*own, *both, str(scores[0].metric), how, signature, *(int(getattr(item, key)) for key in _BOUNDS)))
    return Table(tuple(columns), tuple(rows))


_VALUES = ("value", "system_value", "source_value", "difference", "low", "high", "p", "corrected_p", "t_p", "tested", "effect")


class SourceResult(NamedTuple):
    """Systems compared with the source."""

    scores: Sequence[Score]
    comparisons: Sequence[SourceComparison]
    """One for each score."""
    settings: Bootstrap
    test: str
    how: str
    """How they were compared."""

    def records(self) -> list[dict[str, Any]]:
        """Make a record of each comparison, for programs."""
        records = []
        for score, item in zip(self.scores, self.comparisons, strict=True):
            rest = item.comparison.to_record()
            del rest["other"]
            values = {"value": score.value, "system_value": item.value, "source_value": item.source_value}
            records.append({"system": rest.pop("system"), **values, **rest, "t_p": item.t_p})
        return records

    def table(self) -> Table:
        """Make a table of systems, the best first."""
        measure, unit = self.comparisons[0].measure, self.settings.by
        t_too = self.test != "t"
        columns = (
            Column("System"),
            Column(self.scores[0].metric.label, "percent"),
            Column(measure, "percent"),
            Column(f"Source {measure}", "percent"),
            Column("Diff.", "percent"),
            Column("Low", "percent"),
            Column("High", "percent"),
            Column("p", "p"),
            Column("corrected p", "p"),
            *([Column("p (t test)", "p")] if t_too else []),
            Column("Effect d", "number"),
        )
        rows: list[tuple[Cell, ...]] = []
        for score, item in sorted(zip(self.scores, self.comparisons, strict=True), key=lambda pair: best_first(pair[0])):
            own = item.comparison
            ps = [shown_p(own.p, bound=own.p_is_bound), shown_p(own.corrected_p, bound=own.corrected_p_is_bound)]
            ps += [shown_p(item.t_p, bound=False)] if t_too else []
            rows.append((score.system_name, score.value, item.value, item.source_value, own.difference, own.low, own.high, *ps, own.effect))
        explained = f"{'p (t test)' if t_too else 't test'}: two-tailed paired t test of {measure}"
        difference = f"Diff.: {measure} of the system minus {measure} of the source, on the references chosen for the system."
        notes = [
            self.scores[0].signature,
            self.how,
            f"{difference}  Low, High: its {format_level(self.settings.level)} interval.",
            f"{explained} over {unit}s{', not corrected' if t_too else ''}.",
            f"Effect d: Cohen's d of {measure} of {unit}s.",
        ]
        if any(item.comparison.corrected_p_is_bound for item in self.comparisons):
            notes.append("≤: the smallest p-value possible with this number of replicates (--replicates).")
        return Table(columns, tuple(rows), notes=tuple(notes))

    def flat_table(self) -> Table:
        """Make a table for programs, with all values, in the given order."""
        columns = [Column("system"), *(Column(key, "percent", key) for key in _VALUES)]
        columns += [Column("sentences_needed", "count"), *(Column(key, "text", key) for key in ("measure", "metric", "how", "signature"))]
        rows: list[tuple[Cell, ...]] = []
        for score, item, record in zip(self.scores, self.comparisons, self.records(), strict=True):
            values = [record[key] for key in ("system", *_VALUES, "sentences_needed")]
            rows.append((*values, item.measure, str(score.metric), self.how, score.signature))
        return Table(tuple(columns), tuple(rows))


_CHANGE_TITLES: dict[EditChange, str] = {
    "lost": "Right edits lost",
    "won": "Right edits won",
    "added": "Wrong edits added",
    "removed": "Wrong edits removed",
}
_VERDICTS = {"holds": "holds", "is worse": "worse", "not shown": "not shown"}
_LONGEST = 120
"""Characters of an edit, and of its context; JSON has all."""


class GateResult(NamedTuple):
    """A gate with the edits that changed."""

    gate: Gate
    pairs: Sequence[tuple[Score, Score]]
    """Baseline and new output, by each metric."""
    changes: EditChanges | None
    """None if edits are not listed."""
    notes: Sequence[str]
    """What should be known about the edits, as plain sentences."""

    @property
    def signatures(self) -> list[str]:
        """The signature of each metric."""
        return [join_signatures(pair) for pair in self.pairs]

    def tables(self) -> list[Table]:
        """Make tables for people: metrics, and the edits that changed."""
        baseline, new = (score.system_name for score in self.pairs[0])
        title = f"The gate {'holds' if self.gate.holds else 'does not hold'}: {new} (new) against {baseline} (baseline)"
        notes = [item.reason for item in self.gate.metrics] + [item.power for item in self.gate.metrics]
        notes += [*self.signatures, self.gate.how, *(self.notes if self.changes is None else ())]
        changed = [] if self.changes is None else [_edit_changes_table(self.changes, self.notes)]
        return [_gate_table(self.gate, title, notes), *changed]

    def record(self) -> dict[str, Any]:
        """Make a record for programs; all numbers are fractions."""
        baseline, new = (score.system_name for score in self.pairs[0])
        metrics = zip(self.gate.metrics, self.signatures, strict=True)
        return {
            "baseline": baseline,
            "new": new,
            "holds": self.gate.holds,
            "reasons": self.gate.reasons,
            "margin": self.gate.margin,
            "how": self.gate.how,
            "bootstrap": asdict(self.gate.bootstrap),
            "metrics": [{**_describe_metric(item), "signature": signature} for item, signature in metrics],
            "notes": self.notes,
            "edits": None if self.changes is None else _edit_changes_record(self.changes),
        }

    def markdown(self, corpus: Corpus) -> str:
        """Write Markdown for a pull request: the verdict first, then numbers, then edits.

        Everything that comes from files is written as code, so that it is neither markup nor a mention nor a link.
        """
        baseline, new = (_code_span(score.system_name) for score in self.pairs[0])
        blocks = [
            f"### The gate {'holds' if self.gate.holds else 'does not hold'}",
            f"{new} (new) against {baseline} (baseline) on {_code_span(corpus.name)}, {corpus.extent}.",
            "\n".join(f"- {_after_name(item, item.reason)}" for item in self.gate.metrics),
            render(_gate_table(self.gate), "markdown").rstrip("\n"),
            "Power, estimated from this pair of outputs:",
            "\n".join(f"- {_after_name(item, item.power)}" for item in self.gate.metrics),
            *self.notes,
            *([] if self.changes is None else _list_changes(self.changes)),
            f"How: {self.gate.how}.",
            "\n".join(f"- {_code_span(signature)}" for signature in self.signatures),
        ]
        return "\n\n".join(blocks) + "\n"


def _gate_table(gate: Gate, title: str = "", notes: Sequence[str] = ()) -> Table:
    """Make a table of the metrics of a gate; differences are in points."""
    corrected = "corrected p" if len(gate.metrics) > 1 else "p"
    columns = (
        Column("Metric"),
        Column("Baseline", "percent"),
        Column("New", "percent"),
        Column("Diff.", "percent"),
        Column(f"{format_level(gate.bootstrap.level)} interval", "count"),
        Column(corrected, "count"),
        Column("Verdict"),
    )
    return Table(columns, tuple(_row(item, gate) for item in gate.metrics), title, tuple(notes))


def _row(item: GatedMetric, gate: Gate) -> tuple[Cell, ...]:
    found = item.comparison
    interval = shown_interval(Interval(found.low, found.high, gate.bootstrap))
    p = shown_p(found.corrected_p, bound=found.corrected_p_is_bound)
    return (str(item.metric), item.baseline.value, item.new.value, found.difference, interval, p, _VERDICTS[item.verdict])


def _edit_changes_table(changes: EditChanges, notes: Sequence[str] = ()) -> Table:
    """Make a table of edits that changed, the most frequent first."""
    columns = (Column("Change"), Column("Edit"), Column("Type"), Column("Count", "count"), Column("Sentences"), Column("Context"))
    rows: list[tuple[Cell, ...]] = []
    for change, own in changes.changes.items():
        for item in own.edits:
            written = WrittenEdit.of(item.edit)
            rows.append((_NAMES[change], written.change, written.types, item.edit.count, written.sentences, _write_context(item)))
    return Table(columns, tuple(rows), notes=(*_describe_totals(changes), *notes))


_NAMES: dict[EditChange, str] = {"lost": "- right, lost", "won": "+ right, won", "added": "x wrong, added", "removed": "  wrong, removed"}


def _write_context(item: ChangedEdit) -> str:
    """Write what an edit changes, with the words around it in its first sentence."""
    return " ".join(text for text in (item.before, f"[{item.edit.original or EMPTY_SIGN}]", item.after) if text)


def _describe_totals(changes: EditChanges) -> list[str]:
    """Say how many edits changed, and how many of them are not listed."""
    totals = ", ".join(f"{_CHANGE_TITLES[change].lower()} {own.total:,}" for change, own in changes.changes.items())
    left = ", ".join(f"{change} {own.left_out:,}" for change, own in changes.changes.items() if own.left_out)
    return [f"All edits that changed, by {changes.metric}: {totals}.", *([f"Different edits not shown: {left}."] if left else [])]


def _describe_metric(item: GatedMetric) -> dict[str, Any]:
    found = item.comparison
    names = ("difference", "low", "high", "p", "corrected_p", "p_is_bound", "corrected_p_is_bound", "standard_error")
    return {
        "metric": str(item.metric),
        "verdict": item.verdict,
        "reason": item.reason,
        "baseline": item.baseline.value,
        "new": item.new.value,
        **{name: getattr(found, name) for name in names},
        "differing": item.differing,
        "power": item.power,
        "noticed_drop": item.noticed_drop,
        "chance_to_pass": item.chance_to_pass,
        "sentences_needed": item.sentences_needed,
    }


def _edit_changes_record(changes: EditChanges) -> dict[str, Any]:
    return {
        "metric": str(changes.metric),
        "differing_sentences": changes.sentences,
        "rejudged_sentences": list(changes.rejudged),
        **{
            change: {
                "total": own.total,
                "left_out": own.left_out,
                "edits": [{**item.edit.to_record(), "before": item.before, "after": item.after} for item in own.edits],
            }
            for change, own in changes.changes.items()
        },
    }


_TICKS = re.compile("`+")


def _code_span(text: str) -> str:
    """Write a text as code, in one line: more backticks around it than it has inside.

    >>> _code_span("@you → <b>"), _code_span("a `b"), _code_span("``")
    ('`@you → <b>`', '``a `b``', '``` `` ```')
    """
    shown = printable(text)
    fence = "`" * (1 + max((len(run) for run in _TICKS.findall(shown)), default=0))
    edges = shown[:1] + shown[-1:]
    padding = " " if not shown or "`" in edges or edges == "  " else ""
    return f"{fence}{padding}{shown}{padding}{fence}"


def _after_name(item: GatedMetric, sentence: str) -> str:
    name = str(item.metric)
    return f"{_code_span(name)}{sentence.removeprefix(name)}"


def _list_changes(changes: EditChanges) -> Iterator[str]:
    yield f"#### Edits that changed, by {_code_span(str(changes.metric))}"
    for change, own in changes.changes.items():
        yield f"**{_CHANGE_TITLES[change]}: {own.total:,}**"
        if own.edits:
            yield "\n".join(_list_edits(own))


def _list_edits(changed: ChangedEdits) -> Iterator[str]:
    for item in changed.edits:
        yield f"- {_write_edit(item)}"
    if changed.left_out:
        yield f"- and {pluralise(changed.left_out, 'other edit')}, none of them more frequent"


def _write_edit(item: ChangedEdit) -> str:
    edit, written = item.edit, WrittenEdit.of(item.edit)
    types = f" ({_code_span(written.types)})" if written.types else ""
    times = f"{edit.count:,} × " if edit.count > 1 else ""
    noun = "sentence" if len(edit.sentences) == 1 else "sentences"
    place = f"{noun} {written.sentences}: {_code_span(_shorten(_write_context(item)))}"
    return f"{times}{_code_span(_shorten(written.change))}{types}, {place}"


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
