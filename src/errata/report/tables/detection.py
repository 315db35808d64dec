"""Tables of detection: the four counts, measures, types, systems, annotators and curves."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.display import printable
from errata.errors import UsageError, pluralise
from errata.formats.writing import write_files
from errata.report.table import Cell, Column, Table
from errata.report.writers import make_csv_lines
from errata.stats.bootstrap import format_level
from errata.studies.detection.measures import MEASURES, NO_NEGATIVES, NO_WRONG_TYPES, UNKNOWN_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from errata.stats.bootstrap import Bootstrap
    from errata.stats.intervals import Interval
    from errata.studies.detection.cases import Cases
    from errata.studies.detection.measures import AnnotatorEvaluation, AnnotatorEvaluations, Curve, Evaluation


_ROUNDED = 1e-6
"""Rounding error allowed in sums of shares."""
_SHORT_LABELS = {"precision": "P", "recall": "R", "tnr": "TNR", "kappa": "Kappa", "mcc": "MCC"}


def _number_of(count: float, *, proportion: bool = False) -> Cell:
    """Round a count; weights of graded judgments keep two decimals, proportions of all cases four.

    >>> _number_of(12.0), _number_of(1 / 3), _number_of(float("nan")), _number_of(0.16, proportion=True)
    (12, '0.33', None, '0.1600')
    """
    if math.isnan(count):
        return None
    if proportion:
        return f"{count:.4f}"
    return round(count) if abs(count - round(count)) < _ROUNDED else f"{count:,.2f}"


class DetectionTables(NamedTuple):
    """Everything that tables of detection show."""

    evaluations: Sequence[Evaluation]
    cases: Mapping[str, Cases]
    """Those of each system."""
    types: Mapping[str, Mapping[str, Evaluation]]
    """The evaluations of each type, for each system; those without types have none."""
    curves: Sequence[Curve]
    measure: str
    """That by which systems are ordered, and the best threshold is chosen."""
    bootstrap: Bootstrap | None
    by: str
    """What is resampled."""
    annotators: AnnotatorEvaluations | None = None

    def tables(self) -> list[Table]:
        """Make tables for people: one system in full, or several side by side."""
        if len(self.cases) > 1:
            tables = [_systems_table(self.evaluations, self.measure, self.cases, self.bootstrap, self.by)]
            tables += [_types_table(types, f"By type: {name}") for name, types in self.types.items() if types]
        else:
            ((name, cases),) = self.cases.items()
            tables = [_contingency_table(self.evaluations[0], cases), _measure_table(self.evaluations, self.bootstrap, self.by)]
            tables += [_types_table(self.types[name])] if self.types.get(name) else []
        if self.annotators is not None and self.annotators.systems:
            tables += [_by_annotator_table(self.annotators.systems), _annotator_agreement_table(self.annotators.pairs)]
        return [*tables, *([_curves_table(self.curves, self.measure, self.evaluations[0].beta)] if self.curves else [])]

    def flat_table(self) -> Table:
        """Make a table for programs: a row for each system, aspect, type and measure; also areas and thresholds."""
        types = [pair for own in self.types.values() for pair in own.items()]
        table = _flat_detection_table(self.evaluations, types, self.cases, self.curves, self.measure, self.bootstrap, self.by)
        return table if self.annotators is None else _add_annotators(table, self.annotators)


def _contingency_table(evaluation: Evaluation, cases: Cases) -> Table:
    """Make the contingency table of annotator and system, from which all measures are computed."""
    tp, fp, fn, tn, _ = evaluation.counts
    columns = (Column(""), *(Column(name, "count") for name in ("Annotator: error", "no error", "all")))
    numbers = (
        ("System: error", (tp, fp, tp + fp)),
        ("no error", (fn, tn, fn + tn)),
        ("all", (tp + fn, fp + tn, evaluation.counts.n)),
    )
    rows = tuple((name, *(_number_of(count, proportion=evaluation.proportions) for count in counts)) for name, counts in numbers)
    return Table(columns, rows, f"Detection: {evaluation.system_name}", tuple(_what(cases, evaluation.rule)))


def _what(cases: Cases, rule: str = "") -> list[str]:
    notes = [f"{pluralise(cases.total, 'case') if cases.total is not None else 'An unknown number of cases'}: {cases.what}."]
    notes += [f"{rule}."] if rule else []
    if cases.graded:
        notes.append("Judgments are graded: each case counts as an error by the share of its annotators who mark one.")
    if not cases.negatives:
        notes.append("Positions without an error are not cases here, so there are no true negatives.")
    notes += [f"Left out: {text}." for text in cases.describe_left_out()]
    return [*notes, *cases.notes]


def _measure_table(evaluations: Sequence[Evaluation], bootstrap: Bootstrap | None, drawn: str) -> Table:
    """Make a table of all measures of one system, with a column for each aspect."""
    columns = [Column("Measure")]
    for item in evaluations:
        columns.append(Column(item.aspect.capitalize(), "number"))
        if bootstrap is not None:
            columns.append(Column(f"{format_level(bootstrap.level)} interval", "count"))
    columns.append(Column("Detection at chance"))
    rows: list[tuple[Cell, ...]] = []
    for heading, index in (("TP", 0), ("FP", 1), ("FN", 2), ("TN", 3)):
        rows.append((heading, *_counted(evaluations, index, wide=bootstrap is not None), ""))
    for name, measure in MEASURES.items():
        cells: list[Cell] = []
        for item in evaluations:
            cells.append(item.value(name))
            if bootstrap is not None:
                cells.append(_interval(item.intervals.get(name)))
        rows.append((measure.label_with(evaluations[0].beta), *cells, measure.chance))
    notes = _list_undefined([(item.aspect, item) for item in evaluations])
    notes += [_corrected_wrongly(_number_of(item.counts.both)) for item in evaluations if item.counts.both]
    if bootstrap is not None:
        notes.append(bootstrap.described(f"{drawn}s"))
    return Table(tuple(columns), tuple(rows), notes=tuple(dict.fromkeys(notes)))


def _corrected_wrongly(count: Cell) -> str:
    errors, each = ("1 error was", "it") if count == 1 else (f"{Column('', 'count').shown(count)} errors were", "each")
    return f"{errors} found but corrected wrongly; {each} counts as a false positive and a false negative of correction."


def _list_undefined(items: Sequence[tuple[str, Evaluation]], measures: Sequence[str] = tuple(MEASURES)) -> list[str]:
    """Write a note for each reason, with the measures that it makes undefined, and for which items if not for all."""
    reasons: dict[str, dict[str, list[str]]] = {}
    for name, item in items:
        for measure, reason in item.reasons.items():
            if measure in measures:
                reasons.setdefault(reason, {}).setdefault(MEASURES[measure].label_with(item.beta), []).append(name)
    notes = []
    for reason, labels in reasons.items():
        groups: dict[tuple[str, ...], list[str]] = {}
        for label, names in labels.items():
            groups.setdefault(tuple(names), []).append(label)
        for owners, own in groups.items():
            which = f" of {', '.join(name or '(no type)' for name in owners)}" if len(owners) < len(items) else ""
            notes.append(f"Undefined because {reason}: {', '.join(own)}{which}.")
    return notes


def _shown(value: float) -> str:
    return Column("", "number").shown(float(value))


def _counted(evaluations: Sequence[Evaluation], index: int, *, wide: bool) -> list[Cell]:
    cells: list[Cell] = []
    for item in evaluations:
        number = _number_of(item.counts[index], proportion=item.proportions)
        cells += [Column("", "count").shown(number), *([""] if wide else [])]
    return cells


_SYSTEM_MEASURES = ("prevalence", "bias", "accuracy", "precision", "recall", "f", "kappa", "mcc")


def _systems_table(
    evaluations: Sequence[Evaluation], measure: str, cases: Mapping[str, Cases], bootstrap: Bootstrap | None, drawn: str
) -> Table:
    """Make a table of several systems, the best by a measure first, with an interval of that measure."""
    names = list(dict.fromkeys((*_SYSTEM_MEASURES, measure)))
    columns = [Column("System"), Column("Aspect")]
    columns += [Column(name, "count") for name in ("TP", "FP", "FN", "TN")]
    columns += [Column(_SHORT_LABELS.get(name, MEASURES[name].label_with(evaluations[0].beta)), "number") for name in names]
    label = "kappa" if measure == "kappa" else _SHORT_LABELS.get(measure, MEASURES[measure].label_with(evaluations[0].beta))
    columns += [Column(f"{format_level(bootstrap.level)} interval of {label}", "count")] if bootstrap is not None else []

    def rank(item: Evaluation) -> tuple[bool, float, str]:
        value = item.value(measure)
        return item.aspect != "detection", -value if value is not None else 2.0, item.system_name

    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            item.system_name,
            item.aspect,
            *(_number_of(count, proportion=item.proportions) for count in item.counts[:4]),
            *(item.value(name) for name in names),
            *([_interval(item.intervals.get(measure))] if bootstrap is not None else []),
        )
        for item in sorted(evaluations, key=rank)
    )
    notes = [f"{name}: {' '.join(_what(own))}" for name, own in cases.items()]
    if len({tuple(_what(own)) for own in cases.values()}) == 1:
        notes = _what(next(iter(cases.values())))
    notes += [f"{item.system_name}: {item.rule}." for item in evaluations if item.rule and item.aspect == "detection"]
    notes += _list_undefined([(f"{item.system_name} ({item.aspect})", item) for item in evaluations], names)
    notes += [bootstrap.described(f"{drawn}s")] if bootstrap is not None else []
    return Table(tuple(columns), rows, notes=tuple(notes))


def _interval(interval: Interval | None) -> str | None:
    return f"[{_shown(interval.low)}, {_shown(interval.high)}]" if interval is not None else None


_COUNTS = ("tp", "fp", "fn", "tn")


def _types_table(types: Mapping[str, Evaluation], title: str = "By type") -> Table:
    """Make a table of the types of cases; if only errors have a type, it has only recall."""
    names = ("prevalence", "bias", "precision", "recall", "f", "kappa")
    beta = next(iter(types.values())).beta
    columns = [Column("Type")]
    columns += [Column(name, "count") for name in ("TP", "FP", "FN", "TN")]
    columns += [Column(_SHORT_LABELS.get(name, MEASURES[name].label_with(beta)), "number") for name in names]
    only_errors = all(math.isnan(item.counts.fp) for name, item in types.items() if name)
    rows: list[tuple[Cell, ...]] = []
    for name, item in sorted(types.items()):
        kept = ("recall",) if only_errors else names
        measures = [item.value(own) if own in kept else None for own in names]
        counts = [_number_of(getattr(item.counts, key), proportion=item.proportions) for key in _COUNTS]
        rows.append((name or "(no type)", *counts, *measures))
    notes = (
        ["Only errors have a type here, so false positives have none, and only recall is given by type."]
        if only_errors
        else _list_undefined(sorted(types.items()), names)
    )
    return Table(tuple(columns), tuple(rows), title, tuple(notes))


def _flat_detection_table(
    evaluations: Sequence[Evaluation],
    types: Sequence[tuple[str, Evaluation]],
    cases: Mapping[str, Cases],
    curves: Sequence[Curve],
    best_by: str,
    bootstrap: Bootstrap | None,
    drawn: str,
) -> Table:
    columns = [Column(name) for name in ("system", "aspect", "type", "measure")]
    columns += [Column("value", "percent"), *([Column("low", "percent"), Column("high", "percent")] if bootstrap is not None else [])]
    columns += [Column("undefined"), Column("cases"), *([Column("intervals")] if bootstrap is not None else [])]
    made: list[Cell] = [bootstrap.described(f"{drawn}s")] if bootstrap is not None else []
    nothing: list[Cell] = [None, None] if bootstrap is not None else []
    rows: list[tuple[Cell, ...]] = []
    for type_, item in [*(("", item) for item in evaluations), *types]:
        what = " ".join(_what(cases[item.system_name], item.rule))
        counts = {**item.counts._asdict(), "n": math.nan if item.proportions else item.counts.n}
        for name, value in {**counts, **item.values}.items():
            interval = item.intervals.get(name)
            ends: list[Cell] = [interval.low, interval.high] if interval is not None else nothing
            known = None if value is None or math.isnan(value) else value
            reason = item.reasons.get(name, "") if name not in counts or known is not None else _explain_count(item, name)
            rows.append((item.system_name, item.aspect, type_, name, known, *ends, reason, what, *made))
    for curve in curves:
        areas, best = curve.areas, curve.best(best_by, evaluations[0].beta)
        areas_by_name = {"auc": areas.auc, "average_precision": areas.average_precision, "auk": areas.auk}
        areas_by_name[f"best_threshold_by_{best_by}"] = best[0] if best is not None else None
        for name, value in areas_by_name.items():
            rows.append((curve.system_name, "detection", "", name, value, *nothing, areas.reason if value is None else "", "", *made))
    return Table(tuple(columns), tuple(rows))


def _explain_count(item: Evaluation, name: str) -> str:
    if item.proportions:
        return UNKNOWN_NUMBER
    return NO_WRONG_TYPES if math.isnan(item.counts.fp) and name != "tn" else NO_NEGATIVES


def _curves_table(curves: Sequence[Curve], measure: str, beta: float) -> Table:
    """Make a table of the areas under curves and of the best threshold by a measure."""
    label = MEASURES[measure].label_with(beta)
    columns = (
        Column("System"),
        *(Column(name, "number") for name in ("AUC", "Average precision", "AUK")),
        Column("Best threshold", "count"),
        Column(label, "number"),
        Column("Thresholds", "count"),
    )
    rows: list[tuple[Cell, ...]] = []
    notes = [
        "AUC: area under the curve of the true-positive rate against the false-positive rate.  AUK: the same for kappa.",
        f"Best threshold: the highest at which {label} is largest; chosen on the same cases, so the value is optimistic.",
    ]
    for curve in curves:
        areas, best = curve.areas, curve.best(measure, beta)
        at: tuple[Cell, Cell] = (
            (repr(best[0]), best[1]) if best is not None else (None, None)
        )  # all digits, because people copy it to --threshold
        rows.append((curve.system_name, areas.auc, areas.average_precision, areas.auk, *at, len(curve.thresholds) - 1))
        if areas.reason:
            notes.append(f"{curve.system_name}: {areas.reason}.")
    return Table(columns, tuple(rows), "Over all thresholds", tuple(notes))


_ANNOTATORS_MEASURES = ("prevalence", "bias", "accuracy", "precision", "recall", "f", "kappa")


def _by_annotator_table(items: Sequence[AnnotatorEvaluation]) -> Table:
    names = ("System", "Annotator", "Aspect", "TP", "FP", "FN", "TN")
    notes = ["Errors are those of the annotator alone, in the sentences that this annotator annotated."]
    return _make_table(items, names, "By annotator", notes, [(item.evaluation.system_name, item.annotator) for item in items])


def _annotator_agreement_table(items: Sequence[AnnotatorEvaluation]) -> Table:
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
    columns += [Column(_SHORT_LABELS.get(name, MEASURES[name].label_with(beta)), "number") for name in _ANNOTATORS_MEASURES]
    rows: list[tuple[Cell, ...]] = [
        (
            *own,
            item.evaluation.aspect,
            *(_number_of(count) for count in item.evaluation.counts[:4]),
            *(item.evaluation.value(name) for name in _ANNOTATORS_MEASURES),
        )
        for item, own in zip(items, who, strict=True)
    ]
    labels = [f"{' and '.join(own)} ({item.evaluation.aspect})" for item, own in zip(items, who, strict=True)]
    undefined = _list_undefined([(label, item.evaluation) for label, item in zip(labels, items, strict=True)], _ANNOTATORS_MEASURES)
    return Table(tuple(columns), tuple(rows), title, (*notes, *undefined))


def _add_annotators(table: Table, annotators: AnnotatorEvaluations) -> Table:
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


_CURVE_FILES_MEASURES = ("precision", "recall", "f", "tnr", "bias", "accuracy", "kappa", "mcc", "informedness", "markedness")


def check_curves_path(path: str) -> str:
    """Check the extension of a file, and return it."""
    ending = path.rpartition(".")[2].lower()
    if ending not in {"csv", "json"}:
        raise UsageError(f"the points of curves need a file with the extension .csv or .json, found {printable(path)!r}")
    return ending


def write_curves(curves: Sequence[Curve], path: str, beta: float = 1.0) -> None:
    """Write all points, in full or not at all; the first threshold of each system flags nothing, so it has no value."""
    ending = check_curves_path(path)
    write_files({path: _csv_lines(curves, beta) if ending == "csv" else _json_lines(curves, beta)})


def _columns(curve: Curve, beta: float) -> dict[str, Any]:
    columns: dict[str, Any] = {"threshold": curve.thresholds}
    columns |= {name: curve.counts[:, index] for index, name in enumerate(_COUNTS)}
    columns["false_positive_rate"] = curve.false_positive_rate
    return columns | {name: curve.values(name, beta) for name in _CURVE_FILES_MEASURES}


def _rows(curve: Curve, beta: float) -> Iterator[tuple[float | None, ...]]:
    columns = [column.tolist() for column in _columns(curve, beta).values()]
    for values in zip(*columns, strict=True):
        yield tuple(None if value - value != 0 else value for value in values)  # infinity and NaN become None


def _csv_lines(curves: Sequence[Curve], beta: float) -> Iterator[str]:
    yield from make_csv_lines([("system", *_columns(curves[0], beta))])
    yield from make_csv_lines((curve.system_name, *row) for curve in curves for row in _rows(curve, beta))


def _json_lines(curves: Sequence[Curve], beta: float) -> Iterator[str]:
    """Yield one object with the points of each system, one per line."""
    yield "{"
    for number, curve in enumerate(curves):
        names = list(_columns(curve, beta))
        yield f" {json.dumps(curve.system_name)}: ["
        last = len(curve.thresholds) - 1
        for index, row in enumerate(_rows(curve, beta)):
            yield f"  {json.dumps(dict(zip(names, row, strict=True)))}{',' if index < last else ''}"
        yield f" ]{',' if number + 1 < len(curves) else ''}"
    yield "}"
