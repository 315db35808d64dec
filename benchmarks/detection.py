"""Measures detection: curves of many cases, against scikit-learn, and how cost grows; reading tables."""

from __future__ import annotations

import resource
import tempfile
from pathlib import Path

import numpy as np
from sklearn import metrics as sklearn

from errata import Bootstrap
from errata.report import Cell
from errata.studies.detection import Answers, Cases, compute_measure_intervals, judge_systems, make_curve, read_cases
from errata.studies.detection.measures import MEASURES

from measuring import best_of, show


def cases_of(size: int) -> Cases:
    draw = np.random.default_rng(0)
    error = (draw.random(size) < 0.13).astype(float)
    confidence = np.clip(draw.normal(0.3 + 0.3 * error, 0.2), 0, 1)
    return Cases(error, (Answers("x", confidence >= 0.5, None, confidence),))


def all_curves(cases: Cases) -> None:
    curve = make_curve(cases, cases.systems[0])
    assert curve.areas.auc is not None
    for measure in ("precision", "recall", "f", "kappa", "bias"):
        curve.best(measure)


def main() -> None:
    rows: list[tuple[Cell, ...]] = []
    for size in (100_000, 1_000_000, 10_000_000):
        cases = cases_of(size)
        seconds = best_of(1, lambda cases=cases: all_curves(cases))  # type: ignore[misc]
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        rows.append((f"{size:,}", f"{seconds:.2f} s", f"{memory:.2f} GB"))
    show(
        "All curves, areas and best thresholds (target: at most 15 s and 2 GB for 10 million cases)",
        ["Cases", "Time", "Most memory so far"],
        rows,
    )
    cases = cases_of(1_000_000)
    gold, sure = cases.error, cases.systems[0].confidence
    ours = best_of(2, lambda: make_curve(cases, cases.systems[0]).areas)
    theirs = best_of(2, lambda: (sklearn.roc_auc_score(gold, sure), sklearn.average_precision_score(gold, sure)))
    print(f"A million cases: AUC, average precision and AUK {ours:.2f} s, AUC and average precision of scikit-learn {theirs:.2f} s\n")
    (judged,) = judge_systems(cases)
    seconds = best_of(1, lambda: compute_measure_intervals(judged, list(MEASURES.values()), "detection", 1.0, Bootstrap(), "case"))
    print(f"Intervals of {len(MEASURES)} measures of a million cases, 10,000 replicates: {seconds:.2f} s\n")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.csv"
        with path.open("w", encoding="utf-8") as file:
            file.write("error,confidence\n")
            file.writelines(f"{int(error)},{value:.6f}\n" for error, value in zip(gold.tolist(), sure.tolist(), strict=True))
        print(f"Reading a million cases from CSV: {best_of(2, lambda: read_cases(path)):.2f} s\n")


if __name__ == "__main__":
    main()
