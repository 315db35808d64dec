"""The results of ``errata detect`` as tables, as a record for programs and as a small plot."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.html import printable
from errata.report import Column
from errata.report.charts.detection import plot
from errata.report.tables import detection as detection_tables
from errata.report.tables.comparisons import pairs_table
from errata.report.tables.detection import add_annotators, annotator_agreement_table, by_annotator_table
from errata.studies.detection.measures import evaluate_types, explain_untested, make_detection_signature

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.names import Correction, Test
    from errata.report import Table
    from errata.stats import Bootstrap, Comparison
    from errata.studies.detection import Cases, Curve
    from errata.studies.detection.measures import AnnotatorEvaluations, Evaluation, JudgedSystem, ResampleCasesBy

_PLOTTED = 500
"""Points of a curve; a terminal has fewer columns."""


class Findings(NamedTuple):
    """All results, for every output format."""

    judged: Sequence[JudgedSystem]
    evaluations: Sequence[Evaluation]
    curves: Sequence[Curve]
    compared: Sequence[Comparison]
    bootstrap: Bootstrap | None
    by: ResampleCasesBy
    measure: str
    beta: float
    test: tuple[Test, Correction]
    annotators: AnnotatorEvaluations | None = None
    by_type: bool = False
    threshold: float | None = None

    @property
    def signature(self) -> str:
        """Everything that can change a number; all systems have the same gold and settings."""
        return make_detection_signature(self.judged[0].cases, self.beta, self.threshold)

    @property
    def cases(self) -> dict[str, Cases]:
        """The cases of each system."""
        return {item.answers.name: item.cases for item in self.judged}

    @property
    def untested(self) -> str:
        """Why systems are not tested in pairs, if that was to be expected."""
        return explain_untested(self.judged) if self.bootstrap is not None and len(self.judged) > 1 else ""

    def of(self, item: JudgedSystem) -> list[Evaluation]:
        """The evaluations of a system: detection, and correction if it is known."""
        return [evaluation for evaluation in self.evaluations if evaluation.system_name == item.answers.name]

    def types(self, item: JudgedSystem) -> dict[str, Evaluation]:
        """Evaluate detection for every type, if cases have types."""
        return evaluate_types(item, "detection", self.beta)

    def tables(self) -> list[Table]:
        """Make tables for people: one system in full, or several side by side."""
        tables = []
        if len(self.judged) > 1:
            table = detection_tables.systems_table(self.evaluations, self.measure, self.cases, self.bootstrap, self.by)
            tables.append(replace(table, notes=(*table.notes, f"{self.untested.capitalize()}.")) if self.untested else table)
            by_type = {item.answers.name: self.types(item) for item in self.judged if self.by_type}
            tables += [detection_tables.types_table(types, f"By type: {name}") for name, types in by_type.items() if types]
        else:
            (item,) = self.judged
            own = self.of(item)
            tables.append(detection_tables.contingency_table(own[0], item.cases))
            tables.append(detection_tables.measure_table(own, self.bootstrap, self.by))
            if types := self.types(item):
                tables.append(detection_tables.types_table(types))
        if self.annotators is not None and self.annotators.systems:
            tables.append(by_annotator_table(self.annotators.systems))
            tables.append(annotator_agreement_table(self.annotators.pairs))
        if self.curves:
            tables.append(detection_tables.curves_table(self.curves, self.measure, self.beta))
        if self.compared and self.bootstrap is not None:
            tables.append(pairs_table(self.compared, self.bootstrap, self.test[0], f"{self.by}s", "number"))
        tables[0] = replace(tables[0], notes=(*tables[0].notes, self.signature))
        return tables

    def flat_table(self) -> Table:
        """Make a table for programs: a row for every number, except those of pairs."""
        types = [pair for item in self.judged for pair in self.types(item).items()]
        table = detection_tables.flat_detection_table(
            self.evaluations, types, self.cases, self.curves, self.measure, self.bootstrap, self.by
        )
        if self.annotators is not None:
            table = add_annotators(table, self.annotators)
        signature = self.signature
        rows = tuple((*row, signature) for row in table.rows)
        return replace(table, columns=(*table.columns, Column("signature")), rows=rows)

    def plot(self) -> str:
        """Plot the measures of the first system over the threshold."""
        curve = self.curves[0].thinned(_PLOTTED)
        bias = curve.values("bias").tolist()
        names = (("P", "precision", "precision"), ("R", "recall", "recall"), ("F", f"F{self.beta:g}", "f"), ("K", "kappa", "kappa"))
        series = [(letter, label, list(zip(bias, curve.values(name, self.beta).tolist(), strict=True))) for letter, label, name in names]
        return f"{printable(curve.system_name)}: measures by the share of cases that are flagged\n\n{plot(series, 'bias')}"

    def record(self) -> dict[str, Any]:
        """Make a record of everything, for programs."""
        result: dict[str, Any] = {"beta": self.beta, "systems": [self._system(item) for item in self.judged]}
        if self.bootstrap is not None:
            result["bootstrap"] = {**asdict(self.bootstrap), "by": self.by}
        if self.annotators is not None:
            result["annotators"] = {
                "systems": [
                    {"system": item.evaluation.system_name, "annotator": item.annotator, **self._aspect(item.evaluation)}
                    for item in self.annotators.systems
                ],
                "agreement": [
                    {"annotator": item.annotator, "other": item.evaluation.system_name, **self._aspect(item.evaluation)}
                    for item in self.annotators.pairs
                ],
                "skipped": self.annotators.skipped,
            }
        if self.compared:
            how = {"measure": self.measure, "test": self.test[0], "correction": self.test[1]}
            result["comparison"] = {**how, "pairs": [pair.to_record() for pair in self.compared]}
        if self.untested:
            result["untested"] = self.untested
        return result

    def _system(self, item: JudgedSystem) -> dict[str, Any]:
        record: dict[str, Any] = {
            "system": item.answers.name,
            "cases": item.cases.total,
            "what": item.cases.what,
            "graded": item.cases.graded,
            "left_out": dict(item.cases.left_out),
            "notes": list(item.cases.notes),
            "aspects": [self._aspect(evaluation) for evaluation in self.of(item)],
        }
        if types := self.types(item):
            record["types"] = {name: self._aspect(record) for name, record in types.items()}
        for curve in self.curves:
            if curve.system_name == item.answers.name:
                best = curve.best(self.measure, self.beta)
                record["areas"] = asdict(curve.areas)
                record["best_threshold"] = {"measure": self.measure, "threshold": best[0], "value": best[1]} if best else None
        return record

    def _aspect(self, item: Evaluation) -> dict[str, Any]:
        counts = {name: None if math.isnan(number) else number for name, number in item.counts._asdict().items()}
        record: dict[str, Any] = {"aspect": item.aspect, "counts": counts, "measures": item.values, "undefined": item.reasons}
        if self.bootstrap is not None and item.intervals:
            record["intervals"] = {name: [own.low, own.high] if own is not None else None for name, own in item.intervals.items()}
        return record
