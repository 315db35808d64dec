"""Tables of annotators: systems by the judgment of each, and how far annotators agree."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from errata.report.table import Cell, Column, Table
from errata.report.tables.detection import SHORT_LABELS, label_of, list_undefined, number_of
from errata.studies.detection.measures import NO_NEGATIVES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.studies.detection.measures import AnnotatorEvaluation, AnnotatorEvaluations

_MEASURES = ("prevalence", "bias", "accuracy", "precision", "recall", "f", "kappa")


def by_annotator_table(items: Sequence[AnnotatorEvaluation]) -> Table:
    """Make a table of systems by the judgment of each annotator."""
    names = ("System", "Annotator", "Aspect", "TP", "FP", "FN", "TN")
    notes = ["Errors are those of the annotator alone, in the sentences that this annotator annotated."]
    return _make_table(items, names, "By annotator", notes, [(item.evaluation.system_name, item.annotator) for item in items])


def annotator_agreement_table(items: Sequence[AnnotatorEvaluation]) -> Table:
    """Make a table of pairs of annotators."""
    names = ("Annotator", "Other", "Aspect", "Both", "Only other", "Only annotator", "Neither")
    notes = [
        "Sentences that both annotated.  Prevalence is the share of cases that the annotator marks, bias that of the other.",
        "The annotator is the gold of precision and recall, the other the system; for correction, both must give the same one.",
    ]
    return _make_table(items, names, "Agreement of annotators", notes, [(item.annotator, item.evaluation.system_name) for item in items])


def _make_table(
    items: Sequence[AnnotatorEvaluation], names: Sequence[str], title: str, notes: Sequence[str], who: Sequence[tuple[str, str]]
) -> Table:
    beta = items[0].evaluation.beta
    columns = [*(Column(name) for name in names[:3]), *(Column(name, "count") for name in names[3:])]
    columns += [Column(SHORT_LABELS.get(name, label_of(name, beta)), "number") for name in _MEASURES]
    rows: list[tuple[Cell, ...]] = [
        (
            *own,
            item.evaluation.aspect,
            *(number_of(count) for count in item.evaluation.counts[:4]),
            *(item.evaluation.value(name) for name in _MEASURES),
        )
        for item, own in zip(items, who, strict=True)
    ]
    labels = [f"{' and '.join(own)} ({item.evaluation.aspect})" for item, own in zip(items, who, strict=True)]
    undefined = list_undefined([(label, item.evaluation) for label, item in zip(labels, items, strict=True)], _MEASURES)
    return Table(tuple(columns), tuple(rows), title, (*notes, *undefined))


def add_annotators(table: Table, annotators: AnnotatorEvaluations) -> Table:
    """Add rows by annotator, and rows of pairs of annotators, to a table for programs; a column names the annotator."""
    rows: list[tuple[Cell, ...]] = [(*row, "") for row in table.rows]
    empty: dict[str, Cell] = {column.name: None if column.kind == "percent" else "" for column in table.columns}
    for kind, items in (("", annotators.systems), ("agreement in ", annotators.pairs)):
        for annotator, item in items:
            for name, value in {**item.counts._asdict(), "n": item.counts.n, **item.values}.items():
                known = None if value is None or math.isnan(value) else value
                reason = item.reasons.get(name, "") if name in item.values or known is not None else NO_NEGATIVES
                own = {"system": item.system_name, "aspect": f"{kind}{item.aspect}", "measure": name, "value": known, "undefined": reason}
                rows.append((*{**empty, **own}.values(), annotator))
    return Table((*table.columns, Column("annotator")), tuple(rows))
