"""Tables of scores: a leaderboard, several metrics side by side, flat rows for programs, every sentence, and every error type."""

from __future__ import annotations

from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from errata.errors import UsageError, suggest
from errata.language.types import MEMBERS
from errata.metrics.registry import write_names
from errata.report.table import HEADINGS, Cell, Column, Table, is_undefined
from errata.scoring.scores import best_first, make_signature, score_documents
from errata.stats.bootstrap import format_level

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from errata.corpus.corpus import Corpus
    from errata.language.tagging import Tagger
    from errata.metrics.base import Metric
    from errata.metrics.views import JudgedEdit
    from errata.scoring.by_type import TypeCounts, TypeIntervals
    from errata.scoring.scores import Result, Score
    from errata.settings import Detail, PivotMeasure
    from errata.stats.bootstrap import Bootstrap
    from errata.stats.comparison import Letters
    from errata.stats.intervals import Interval
    from errata.studies.coverage.perfect import PerfectScore


_ALL_PARTS = "all"
"""The name for all parts."""
_OTHER_COLUMNS = {
    *("system", "metric", "sentence", "annotator", "value", "letters", "interval", "low", "high", "intervals", "relative", "signature")
}
"""Columns beside parts; a part with such a name is called ``parts.NAME``."""


_MEASURES = frozenset({"precision", "recall", "f", "wacc", "accuracy", "i", *(f"precision_{order}" for order in range(1, 101))})
_OF_THE_SOURCE = "baseline"


def _is_measure(part: str) -> bool:
    """Whether more of a part of a score is better: a measure of the system, not a count, and not a measure of the source.

    >>> [_is_measure(part) for part in ("recall", "correction.wacc", "proposed", "baseline.correction.wacc")]
    [True, True, False, False]
    """
    group, _, name = part.rpartition(".")
    return name in _MEASURES and not group.startswith(_OF_THE_SOURCE)


def _flatten_parts(parts: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Cell]]:
    """Yield the parts of a score by their names, those of groups with a dot.

    >>> dict(_flatten_parts({"correction": {"tp": 3, "wacc": 0.5}, "certified": 7}))
    {'correction.tp': 3, 'correction.wacc': 0.5, 'certified': 7}
    """
    for name, part in parts.items():
        if isinstance(part, dict):
            yield from _flatten_parts(part, f"{before}{name}.")
        else:
            yield f"{before}{name}", part


class PartColumns:
    """Columns for the parts of some scores.

    ``wanted`` are names of parts or of groups of parts, or ``all``; if it is None, the columns are those that metrics show.
    A part that no score has is an error.  A part of a group that is the score itself is left out ``beside_value``.
    """

    def __init__(self, scores: Sequence[Score], wanted: Sequence[str] | None = None, *, beside_value: bool = False) -> None:
        self._scores, self._wanted = scores, wanted
        self._values = {name: value for score in scores for name, value in self._of(score).items()}
        self.names = list(self._values) if wanted is None else _expand(wanted, list(self._values), scores)
        if beside_value and wanted:
            self.names = [name for name in self.names if name in wanted or not self._is_value(name)]

    @property
    def known(self) -> list[str]:
        """The names of all parts that the scores have."""
        return list(self._values)

    def _of(self, result: Result) -> Mapping[str, Cell]:
        return result.shown if self._wanted is None else dict(_flatten_parts(result.parts))

    def _is_value(self, name: str) -> bool:
        heading = self._heading(name.rpartition(".")[2])
        return all(score.metric.label == heading and self._of(score).get(name) == score.value for score in self._scores)

    def cells(self, result: Result) -> list[Cell]:
        """List the parts of a score; None for those that it does not have."""
        parts = self._of(result)
        return [parts.get(name) for name in self.names]

    def columns(self, digits: int = 2, *, contests: bool = False) -> list[Column]:
        """List the columns; headings are the last parts of names, or whole names if these would be equal.

        In a table of ``contests`` the best value of each measure can be bold.
        """
        plain = [self._heading(name.rpartition(".")[2]) for name in self.names]
        headings = [*plain, *(score.metric.label for score in self._scores[:1])]
        result = []
        for name, heading in zip(self.names, plain, strict=True):
            group = name.rpartition(".")[0].replace(".", " ").capitalize()
            shown = f"{group} {heading}" if group and headings.count(heading) > 1 else heading
            key = f"parts.{name}" if name in _OTHER_COLUMNS else name
            is_share = isinstance(self._values[name], float)
            result.append(Column(shown, "percent" if is_share else "count", key, digits, contests and is_share and _is_measure(name)))
        return result

    def _heading(self, name: str) -> str:
        return HEADINGS.get(name, self._heading_of_f() if name == "f" else name.replace("_", " ").capitalize())

    def _heading_of_f(self) -> str:
        """Give the heading of F, with beta if all scores with an F have the same."""
        betas = {score.metric.beta for score in self._scores if any(name.rpartition(".")[2] == "f" for name in self._of(score))}
        (beta,) = betas if len(betas) == 1 else (None,)
        return f"F{beta:g}" if beta is not None else "F"


def _find_parts(wanted: str, known: Sequence[str]) -> list[str]:
    """List the parts that a name, the name of a group or ``all`` stands for.

    >>> _find_parts("correction", ["detection.tp", "correction.tp", "correction.fp"])
    ['correction.tp', 'correction.fp']
    """
    return [name for name in known if wanted in {name, _ALL_PARTS} or name.startswith(f"{wanted}.")]


def _expand(wanted: Sequence[str], known: Sequence[str], scores: Sequence[Score]) -> list[str]:
    """List the names of wanted parts, groups replaced by their parts."""
    names: dict[str, None] = {}
    for text in wanted:
        own = _find_parts(text, known)
        if not own:
            metrics = ", ".join(dict.fromkeys(score.metric.name for score in scores))
            groups = dict.fromkeys(name.partition(".")[0] for name in known)
            listed = f"{', '.join(groups)} or {_ALL_PARTS}"
            raise UsageError(f"{metrics} has no part {text[:40]!r}; choose from {listed}{suggest(text, [*known, *groups])}")
        names |= dict.fromkeys(own)
    return list(names)


def shown_interval(interval: Interval, digits: int = 2) -> str:
    """Format an interval for people, times 100."""
    if is_undefined(interval.low):
        return "–"
    ends = (Column("", "percent", digits=digits).shown(end) for end in (interval.low, interval.high))
    return f"[{', '.join(ends)}]"


def leaderboards(
    metrics: int,
    scores: list[Score],
    digits: int = 2,
    intervals: Sequence[Interval] = (),
    perfect: Sequence[PerfectScore] = (),
    parts: Sequence[str] | None = None,
    letters: Letters | None = None,
) -> list[Table]:
    """Make a table for each of so many metrics, with the parts that it has."""
    PartColumns(scores, parts)  # raises if no metric has one of them
    size = len(scores) // metrics
    tables = []
    for first in range(0, len(scores), size):
        own = scores[first : first + size]
        known = PartColumns(own, ()).known
        having = None if parts is None else [name for name in parts if _find_parts(name, known)]
        lettered = letters._replace(letters=letters.letters[first : first + size]) if letters is not None else None
        tables.append(_leaderboard(own, digits, intervals[first : first + size], perfect[first : first + size], having, lettered))
    return tables


def _leaderboard(
    scores: list[Score],
    digits: int = 2,
    intervals: Sequence[Interval] = (),
    perfect: Sequence[PerfectScore] = (),
    parts: Sequence[str] | None = None,
    letters: Letters | None = None,
) -> Table:
    """Make a table of systems with their counts and measures, or other parts of their scores, the best first.

    ``perfect`` adds scores relative to a perfect corrector.
    """
    chosen = PartColumns(scores, parts, beside_value=True)
    columns = [Column("System", key="system"), *chosen.columns(digits, contests=True)]
    columns += [Column(scores[0].metric.label, "percent", "value", digits, is_contest=True), *_letter_columns(letters, "value")]
    if intervals:
        columns.append(_interval_column(intervals[0]))
    columns += _relative_columns(perfect, digits)
    ranked = sorted(range(len(scores)), key=lambda index: best_first(scores[index]))
    rows: list[tuple[Cell, ...]] = []
    for index in ranked:
        score = scores[index]
        interval = [shown_interval(intervals[index], digits)] if intervals else []
        value = (score.value, *_letter_cells(letters, index), *interval, *_relative_cells(score, perfect, index))
        rows.append((score.system_name, *chosen.cells(score), *value))
    explained = scores[0].metric.columns_explained
    notes = (
        *dict.fromkeys(score.signature for score in scores),
        *_relative_notes(perfect),
        scores[0].metric.explanation,
        "" if parts is None else f"Parts: {', '.join(parts)}." if parts else "The metric has none of the parts.",
        explained if parts is None or explained.partition(":")[0] in {column.name for column in columns} else "",
        str(intervals[0].bootstrap) if intervals else "",
        letters.note if letters is not None else "",
    )
    return Table(tuple(columns), tuple(rows), notes=tuple(note for note in notes if note))


def _letter_columns(letters: Letters | None, value: str, key: str = "letters") -> list[Column]:
    return [Column("Letters", "letters", key, belongs_to=value)] if letters is not None else []


def _letter_cells(letters: Letters | None, index: int) -> list[Cell]:
    return [letters.letters[index]] if letters is not None else []


def _interval_column(interval: Interval, key: str = "interval") -> Column:
    return Column(f"{format_level(interval.bootstrap.level)} interval", "count", key)


def _relative_columns(perfect: Sequence[PerfectScore], digits: int, key: str = "relative") -> list[Column]:
    return [Column("Relative", "percent", key, digits, is_contest=True)] if perfect else []


def _relative_cells(score: Score, perfect: Sequence[PerfectScore], index: int) -> list[Cell]:
    return [perfect[index].relate(score.value)] if perfect else []


def _relative_notes(perfect: Sequence[PerfectScore]) -> list[str]:
    """Say what scores were divided by, for each metric."""
    own = {item.metric: item for item in perfect}
    several = len(own) > 1
    notes = [f"Relative{f' {item.metric.label}' if several else ''}: {item}." for item in own.values()]
    return [*notes, *(item.signature for item in own.values())]


def side_by_side(
    metrics: list[Metric],
    scores: list[Score],
    digits: int = 2,
    intervals: Sequence[Interval] = (),
    perfect: Sequence[PerfectScore] = (),
    letters: Letters | None = None,
) -> Table:
    """Make a table of systems and the values of several metrics, the best by the first metric first."""
    count = len(scores) // len(metrics)
    columns = [Column("System", key="system")]
    for metric, written in zip(metrics, write_names(metrics), strict=True):
        name = str(metric)
        columns += [Column(name, "percent", name, digits, is_contest=True, written=written)]
        columns += _letter_columns(letters, name, f"{name}.letters")
        columns += [_interval_column(intervals[0], f"{name}.interval")] if intervals else []
        columns += _relative_columns(perfect, digits, f"{name}.relative")
    order = sorted(range(count), key=lambda index: best_first(scores[index]))
    rows: list[tuple[Cell, ...]] = []
    for index in order:
        cells: list[Cell] = [scores[index].system_name]
        for other in range(index, len(scores), count):
            cells += [scores[other].value, *_letter_cells(letters, other)]
            cells += [shown_interval(intervals[other], digits)] if intervals else []
            cells += _relative_cells(scores[other], perfect, other)
        rows.append(tuple(cells))
    notes = list(dict.fromkeys(f"{score.metric.label}: {score.signature}" for score in scores))
    notes += _relative_notes(perfect)
    notes += dict.fromkeys(metric.explanation for metric in metrics if metric.explanation)
    notes += [str(intervals[0].bootstrap)] if intervals else []
    notes += [letters.note] if letters is not None else []
    return Table(tuple(columns), tuple(rows), notes=tuple(notes))


def flat_scores_table(
    scores: list[Score],
    intervals: Sequence[Interval] = (),
    perfect: Sequence[PerfectScore] = (),
    parts: Sequence[str] | None = None,
    letters: Letters | None = None,
) -> Table:
    """Make a table for programs: one row for each system and metric, in the given order, with all values."""
    chosen = PartColumns(scores, parts)
    columns = (
        Column("System", key="system"),
        Column("Metric", key="metric"),
        *chosen.columns(),
        Column("Value", "percent", "value"),
        *([*_letter_columns(letters, "value"), Column("Letters by", key="letters_by")] if letters is not None else []),
        *([Column("Low", "percent", "low"), Column("High", "percent", "high"), Column("Intervals", key="intervals")] if intervals else []),
        Column("Signature", key="signature"),
        *([Column("Relative", "percent", "relative"), Column("Perfect", "percent", "perfect")] if perfect else []),
        *([Column("Perfect signature", key="perfect_signature")] if perfect else []),
    )
    rows: list[tuple[Cell, ...]] = []
    for index, score in enumerate(scores):
        interval: list[Cell] = [intervals[index].low, intervals[index].high, str(intervals[index].bootstrap)] if intervals else []
        relative = [*_relative_cells(score, perfect, index), perfect[index].value, perfect[index].signature] if perfect else []
        lettered = [*_letter_cells(letters, index), letters.how] if letters is not None else []
        value = (*chosen.cells(score), score.value, *lettered, *interval, score.signature, *relative)
        rows.append((score.system_name, str(score.metric), *value))
    return Table(columns, tuple(rows))


def unit_table(scores: list[Score], unit: Literal["sentence", "document"], digits: int = 2, parts: Sequence[str] | None = None) -> Table:
    """Make a table of all sentences, or documents, of all systems and metrics.

    Sentences have the chosen annotator; after its documents each system has a row for the whole corpus.
    """
    chosen = PartColumns(scores, parts)
    of_unit = {
        "sentence": (Column("Sentence", "count", "sentence"), Column("Annotator", key="annotator")),
        "document": (Column("Document", key="document"), Column("Sentences", "count", "sentences")),
    }
    value = Column("Value", "percent", "value", digits)
    columns = (Column("System", key="system"), Column("Metric", key="metric"), *of_unit[unit], *chosen.columns(digits), value)
    rows: list[tuple[Cell, ...]] = []
    for score in scores:
        named = (score.system_name, str(score.metric))
        if unit == "sentence":
            rows += ((*named, item.sentence, item.reference, *chosen.cells(item), item.value) for item in score.sentences)
        else:
            rows += ((*named, item.document, item.sentences, *chosen.cells(item), item.value) for item in score_documents(score))
            rows.append((*named, "(all)", score.evidence.size, *chosen.cells(score), score.value))
    return Table(columns, tuple(rows), notes=tuple(dict.fromkeys(score.signature for score in scores)))


_PLACES: dict[PivotMeasure, int] = {"precision": 0, "recall": 1, "f": 2}
_NAMES = {"precision": "Precision", "recall": "Recall"}


def pivot_tables(typed: Sequence[TypedScore], measure: PivotMeasure | None, digits: int = 2, *, flat: bool = False) -> list[Table]:
    """Make a table for each metric, with the best system first; a flat one is for programs, with systems as given.

    Without a ``measure`` it is F, or recall if some types have no F.  The best system of each type can be bold.
    """
    groups = [list(group) for _, group in groupby(typed, key=lambda item: item.score.metric)]
    return [_make_table(group, measure, digits, flat=flat, several=len(groups) > 1) for group in groups]


def _make_table(typed: Sequence[TypedScore], wanted: PivotMeasure | None, digits: int, *, flat: bool, several: bool) -> Table:
    ordered = typed if flat else sorted(typed, key=lambda item: best_first(item.score))
    systems = [{counts.type: item.measure(counts) for counts in item.counts} for item in ordered]
    types = sorted({name for own in systems for name in own}, key=_place)
    measure = _choose(ordered) if wanted is None else wanted
    values = {name: [own[name][_PLACES[measure]] if name in own else None for own in systems] for name in types}
    shown = [name for name in types if any(value is not None for value in values[name])]
    columns = [Column("Type", key="type")]
    columns += [
        Column(item.score.system_name, "percent", item.score.system_name, digits, is_contest=True, is_data=True) for item in ordered
    ]
    rows: list[tuple[Cell, ...]] = [(name, *values[name]) for name in shown]
    heading = _NAMES.get(measure, f"F{ordered[0].beta:g}")
    only = " (not every type has F, because some wrong edits have no type)" if wanted is None and measure != "f" else ""
    left_out = [name for name in types if name not in shown]
    notes = [
        f"{heading} of each type, times 100{only}.",
        *dict.fromkeys(item.signature for item in ordered),
        *(["–: the system's edits of this type are unknown, or gold has no edit of it."] if any(None in row for row in rows) else []),
        *([f"Without a value, so left out: {', '.join(left_out)}."] if left_out else []),
        *dict.fromkeys(item.note for item in ordered if item.note),
    ]
    title = f"{heading} by error type{f', {ordered[0].score.metric}' if several else ''}"
    return Table(tuple(columns), tuple(rows), title, tuple(notes), best_of="row")


def _choose(typed: Sequence[TypedScore]) -> PivotMeasure:
    """Choose F, if every type of gold has it."""
    with_gold = {counts.type for item in typed for counts in item.counts if counts.gold}
    with_f = {counts.type for item in typed for counts in item.counts if counts.proposed is not None}
    return "f" if with_gold <= with_f else "recall"


def _place(name: str) -> tuple[int, str]:
    """Sort types by their names, then those of several together, then what is no type."""
    return (3 if name == _ALL_PARTS else 2 if name == _NO_TYPE else 1 if name in MEMBERS else 0), name


_NO_TYPE = "(no type)"
"""The edits without a type."""


class TypedScore(NamedTuple):
    """A score with its counts by error type."""

    score: Score
    counts: list[TypeCounts]
    tagger: str
    detail: Detail = "full"
    """What is kept of ERRANT's types."""
    intervals: Sequence[TypeIntervals] = ()
    """Intervals of each type, if they were requested."""
    bootstrap: Bootstrap | None = None
    """The settings of the intervals."""
    given: Corpus | None = None
    """The gold as it was given, if its edits were given other types."""
    typed_by_system: str = ""
    """The system that gave all edits their types, if that was asked for."""
    meanings: Mapping[str, str] = MappingProxyType({})
    """What its types mean."""
    note: str = ""
    """What should be known about the types."""

    @property
    def beta(self) -> float:
        """The weight in F."""
        return 1.0 if self.score.metric.beta is None else self.score.metric.beta

    def measure(self, counts: TypeCounts) -> tuple[float | None, float | None, float | None]:
        """Compute precision, recall and F of a type, as they are shown: None if unknown, or if gold has no edit of the type."""
        if counts.type == _NO_TYPE:
            return None, None, None
        precision, recall, f = counts.measures(self.beta)
        return (precision, recall, f) if _is_wanted(counts) else (precision, None, None)

    @property
    def signature(self) -> str:
        """The signature with what decides the types of edits."""
        if self.given is None:
            return f"{self.score.signature} | {self.typed_by}"
        return f"{make_signature(self.score.metric, self.given, self.score.system)} | {self.typed_by}"

    @property
    def typed_by(self) -> str:
        """What decides the types of edits: the metric, or the tagger for wrong ones."""
        metric = self.score.metric
        if metric.types_wrong_edits:
            by = f"types {metric.types_data(self.score.system, self.score.evidence.corpus)}"
        else:
            by = f"types {self.typed_by_system}" if self.typed_by_system else f"tagger {self.tagger}"
        return by if self.detail == "full" else f"{by}, {self.detail} only"


def type_table(typed: Sequence[TypedScore], digits: int = 2, title: str = "", *, flat: bool = False) -> Table:
    """Make a table with a row for each system and type; a flat one is for programs, with the bounds of intervals in separate columns."""
    several = len({str(item.score.metric) for item in typed}) > 1
    bootstrap = typed[0].bootstrap
    level = format_level(bootstrap.level) if bootstrap is not None else ""
    same_beta = len({item.beta for item in typed}) == 1
    measures = (("P", "precision"), ("R", "recall"), (f"F{typed[0].beta:g}" if same_beta else "F", "f"))
    columns = [
        Column("System", key="system"),
        *([Column("Metric", key="metric")] if several else []),
        Column("Type", key="type"),
        *(Column(name, "count", key) for name, key in (("Correct", "matched"), ("Proposed", "proposed"), ("Gold", "gold"))),
    ]
    for name, key in measures:
        columns.append(Column(name, "percent", key, digits))
        if bootstrap is not None and flat:
            columns += [Column(f"{name} {end}", "percent", f"{key}_{end}") for end in ("low", "high")]
        elif bootstrap is not None:
            columns.append(Column(f"{level} interval of {name}", "count", f"{key}_interval"))
    if flat:
        columns += [Column("Intervals", key="intervals")] if bootstrap is not None else []
        columns.append(Column("Signature", key="signature"))
    rows: list[tuple[Cell, ...]] = []
    for item in typed:
        for index, counts in enumerate(item.counts):
            cells = (
                item.score.system_name,
                *([str(item.score.metric)] if several else []),
                *_cells(item, counts, index, digits, flat=flat),
            )
            rows.append((*cells, *([str(bootstrap)] if bootstrap is not None else []), item.signature) if flat else cells)
    explained = "–: wrong edits cannot be assigned to this type, or gold has no edit of it."
    notes = [*dict.fromkeys(item.signature for item in typed), explained, *dict.fromkeys(item.note for item in typed if item.note)]
    if bootstrap is not None:
        notes += [str(bootstrap), "No interval if fewer than two sentences have a value for the type, or all values are equal."]
    return Table(tuple(columns), tuple(rows), title, tuple(notes))


def _is_wanted(counts: TypeCounts) -> bool:
    """Whether gold has edits of the type, or it is all of them."""
    return bool(counts.gold) or counts.type == "all"


def _cells(item: TypedScore, counts: TypeCounts, index: int, digits: int, *, flat: bool) -> list[Cell]:
    wanted = _is_wanted(counts)
    measures = item.measure(counts)
    cells: list[Cell] = [counts.type, counts.matched, counts.proposed, counts.gold if wanted else None]
    for number, measure in enumerate(measures):
        cells.append(measure)
        if item.intervals:
            interval = item.intervals[index][number] if measure is not None else None
            if flat:
                cells += [interval.low, interval.high] if interval is not None else [None, None]
            else:
                cells.append(shown_interval(interval, digits) if interval is not None else None)
    return cells


_NO_RULES = (
    "Wrong edits have no type: gold has types of ERRANT, which the rules for parts of speech do not know.  --types errant gives them one."
)


def type_scores(
    scores: Sequence[Score],
    tagger: Tagger | None,
    order: Sequence[str],
    detail: Detail,
    edits: Sequence[Sequence[Sequence[JudgedEdit]]] | None = None,
    wrong_types: Sequence[list[str] | None] | None = None,
) -> list[TypedScore]:
    """Scores with their counts by type; sources are tagged once for all.

    ``edits`` and ``wrong_types`` are those of each score, if they are known.
    """
    from errata.language.tagging import SourceTagger
    from errata.scoring.by_type import count_types, lacks_rules, takes_tagger, takes_types

    if tagger is not None and scores:
        tagger = SourceTagger(tagger, scores[0].evidence.corpus)
    typed = []
    for index, score in enumerate(scores):
        own = edits[index] if edits is not None else None
        wrong = wrong_types[index] if wrong_types is not None else None
        counts = count_types(score, tagger, order, detail, edits=own, wrong_types=wrong)
        used = tagger is not None and takes_tagger(score)
        note = _NO_RULES if takes_types(score) and lacks_rules(score.evidence.corpus) else ""
        typed.append(TypedScore(score, counts, tagger.name if tagger is not None and used else "none", detail, note=note))
    return typed
