"""Tables of scores: a leaderboard, several metrics side by side, flat rows for programs, and every sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.metrics.registry import write_names
from errata.report.table import Cell, Column, Table, is_undefined
from errata.report.tables.parts import PartColumns
from errata.scoring.scores import best_first, score_documents
from errata.stats.bootstrap import format_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.metrics import Metric
    from errata.scoring import Score
    from errata.stats import Interval
    from errata.stats.comparison import Letters
    from errata.studies.coverage.perfect import PerfectScore


def shown_interval(interval: Interval, digits: int = 2) -> str:
    """Format an interval for people, times 100."""
    if is_undefined(interval.low):
        return "–"
    ends = (Column("", "percent", digits=digits).shown(end) for end in (interval.low, interval.high))
    return f"[{', '.join(ends)}]"


def leaderboard(
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
    """List the column of the letters that belong to a column of values."""
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


def per_document_table(scores: list[Score], digits: int = 2, parts: Sequence[str] | None = None) -> Table:
    """Make a table of all documents of all systems and metrics, each system with a last row for the whole corpus."""
    chosen = PartColumns(scores, parts)
    columns = (
        Column("System", key="system"),
        Column("Metric", key="metric"),
        Column("Document", key="document"),
        Column("Sentences", "count", "sentences"),
        *chosen.columns(digits),
        Column("Value", "percent", "value", digits),
    )
    rows: list[tuple[Cell, ...]] = []
    for score in scores:
        named = (score.system_name, str(score.metric))
        rows += ((*named, item.document, item.sentences, *chosen.cells(item), item.value) for item in score_documents(score))
        rows.append((*named, "(all)", score.evidence.size, *chosen.cells(score), score.value))
    return Table(columns, tuple(rows), notes=tuple(dict.fromkeys(score.signature for score in scores)))


def per_sentence_table(scores: list[Score], digits: int = 2, parts: Sequence[str] | None = None) -> Table:
    """Make a table of all sentences of all systems and metrics, with the chosen annotator."""
    chosen = PartColumns(scores, parts)
    columns = (
        Column("System", key="system"),
        Column("Metric", key="metric"),
        Column("Sentence", "count", "sentence"),
        Column("Annotator", key="annotator"),
        *chosen.columns(digits),
        Column("Value", "percent", "value", digits),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (score.system_name, str(score.metric), sentence.sentence, sentence.reference, *chosen.cells(sentence), sentence.value)
        for score in scores
        for sentence in score.sentences
    )
    return Table(columns, rows, notes=tuple(dict.fromkeys(score.signature for score in scores)))
