"""The view of ``errata inspect`` for aligned tokens: source, system, reference and the class of every column."""

from __future__ import annotations

import shutil
from collections import Counter
from typing import TYPE_CHECKING

from errata.cli.inspection import Inspected
from errata.errors import pluralise
from errata.html import printable
from errata.report.tables.edits import EMPTY_SIGN
from errata.report.writers import width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.cli.inspection import Filters
    from errata.corpus.corpus import Sentence, System
    from errata.metrics.views import Alignment, AlignmentColumn, Class, ShowsAlignment
    from errata.report.writers import Marked
    from errata.scoring import Score, SentenceScore

_STYLES: dict[Class, str] = {"TP": "green", "FP": "red", "FN": "yellow", "FPN": "magenta", "TN": "dim"}
_OUTCOMES: dict[Class, tuple[str, ...]] = {"TP": ("right",), "FP": ("wrong",), "FN": ("missed",), "FPN": ("wrong", "missed"), "TN": ()}
_MARGIN = "  reference  "


def inspected_columns(whole: Score, prepared: ShowsAlignment, system: System, numbers: list[int], filters: Filters) -> Iterator[Inspected]:
    """Yield the sentences that pass the filters."""
    evidence, scores = whole.evidence, whole.sentences
    for number in numbers:
        place = evidence.index(number)
        sentence, hypothesis = evidence.corpus[place], system.sentences[place]
        if not filters.pass_text(sentence, hypothesis):
            continue
        alignment = prepared.alignment(place, evidence.chosen[place] if evidence.chosen is not None else None)
        outcomes = Counter(outcome for column in alignment.columns for outcome in _OUTCOMES[column.correction])
        if filters.outcomes and not filters.outcomes & set(outcomes):
            continue
        score = scores[place]
        matching = {name: count for name, count in outcomes.items() if not filters.outcomes or name in filters.outcomes}
        yield Inspected(_record(number, sentence, alignment, score), _described(number, sentence, alignment, score), outcomes, matching)


def _record(number: int, sentence: Sentence, alignment: Alignment, score: SentenceScore) -> dict[str, object]:
    columns = [
        {
            "source": column.source,
            "system": column.hypothesis,
            "reference": column.reference,
            "detection": column.detection,
            "correction": column.correction,
        }
        for column in alignment.columns
    ]
    corrections = [
        {**correction._asdict(), "original": " ".join(sentence.tokens[correction.start : correction.end])}
        for correction in alignment.corrections
    ]
    return {
        "sentence": number,
        "source": sentence.text,
        "system": _joined(column.hypothesis for column in alignment.columns),
        "reference": _joined(column.reference for column in alignment.columns),
        "value": score.value,
        "parts": score.parts,
        "certified": alignment.certified,
        "columns": columns,
        "corrections": corrections,
        "left_alone": alignment.left_alone,
    }


def _joined(tokens: Iterator[str | None]) -> str:
    return " ".join(token for token in tokens if token is not None)


def _described(number: int, sentence: Sentence, alignment: Alignment, score: SentenceScore) -> list[Marked]:
    lines: list[Marked] = [[(f"sentence {number}", "bold"), (f"  {score.metric.in_words(score.counts)}", "")]]
    for index, columns in enumerate(_wrapped(alignment.columns)):
        lines += [*([[]] if index else []), *_rows(columns)]
    certified = "" if alignment.certified else " (the best found; a better one may exist)"
    if alignment.corrections or not alignment.certified:
        lines.append([(f"  corrections in the reference{certified}:", "dim")])
    for correction in alignment.corrections:
        original = " ".join(sentence.tokens[correction.start : correction.end]) or EMPTY_SIGN
        who = f"annotator {', '.join(correction.annotators)}"
        lines.append([(f"    {correction.start:>3}-{correction.end:<3} {original} → {correction.text or EMPTY_SIGN}  ", ""), (who, "dim")])
    if alignment.left_alone:
        lines.append([(f"    {pluralise(alignment.left_alone, 'error')} left uncorrected, as the gold allows", "dim")])
    lines.append([])
    return lines


def _cells(column: AlignmentColumn) -> tuple[str, str, str, str]:
    texts = (EMPTY_SIGN if token is None else printable(token) for token in (column.source, column.hypothesis, column.reference))
    return (*texts, column.correction)  # type: ignore[return-value]  # three and one


def _wrapped(columns: list[AlignmentColumn]) -> Iterator[list[AlignmentColumn]]:
    """Yield groups of columns that fit into one line."""
    space = shutil.get_terminal_size((100, 24)).columns - len(_MARGIN)
    line: list[AlignmentColumn] = []
    used = 0
    for column in columns:
        needed = 2 + max(map(width, _cells(column)))
        if line and used + needed > space:
            yield line
            line, used = [], 0
        line.append(column)
        used += needed
    yield line


def _rows(columns: list[AlignmentColumn]) -> list[Marked]:
    """Write columns as four lines."""
    rows: list[Marked] = [[(f"  {name:<11}", "dim")] for name in ("source", "system", "reference", "")]
    for column in columns:
        cells = _cells(column)
        space = max(map(width, cells))
        style = _STYLES[column.correction]
        for row, cell in zip(rows, cells, strict=True):
            row.append((cell, style if style != "dim" or cell == "TN" else ""))
            row.append((" " * (space - width(cell) + 2), ""))
    return rows
