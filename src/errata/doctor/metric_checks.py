"""Recorded counts and values of every metric, computed anew."""

from __future__ import annotations

from typing import Any

from errata.doctor.observations import Observation, Section, expect, run_check
from errata.doctor.recorded import load_example, load_graph_example, load_numbers

_DIGITS = 12
"""Significant digits of values that must be equal; platforms differ in the last ones."""


def check_metrics() -> Section:
    """Compute the recorded numbers anew."""
    try:
        metrics = list(load_numbers()["metrics"])
    except Exception as error:  # noqa: BLE001 - the file may be damaged in any way
        return Section("metrics", "Metrics", (Observation("recorded numbers", str(error), "failed", is_foreign=True),))
    observations = [run_check(name, lambda name=name: _check_metric(name)) for name in metrics]  # type: ignore[misc]
    return Section("metrics", "Metrics", (*observations, run_check("exact interval", _check_interval)))


def _check_interval() -> str:
    """Compute an interval with SciPy; if nothing matches, its upper bound has a formula (Clopper and Pearson 1934)."""
    from errata.stats.intervals import compute_exact_interval

    sentences, outside = len(load_example().gold), 0.025
    _, high = compute_exact_interval(0, sentences)
    expect("upper bound", f"{1 - outside ** (1 / sentences):.9f}", f"{high:.9f}")
    return f"{high:.6g}, as its formula gives"


def _check_metric(name: str) -> str:
    recorded = load_numbers()["metrics"][name]
    found = compute_numbers(name)
    for key in ("signature", "counts", "value"):
        expect({"signature": "default settings"}.get(key, key), recorded[key], found[key])
    return f"{found['value']:.6g}, as recorded"


def compute_numbers(name: str) -> dict[str, Any]:
    """Compute the default settings, the counts and the value of a metric for the example."""
    from errata.metrics.registry import METRICS
    from errata.scoring.evaluator import Evaluator

    metric = METRICS[name]()
    example = load_example()
    if "graphs" in metric.needs:
        example, bank = load_graph_example()
        metric = metric.with_data(graphs=bank)
    score = Evaluator(example.gold, metric, warn=None)(example.system)
    counts = [float(f"{count:.{_DIGITS}g}") if isinstance(count, float) else int(count) for count in score.counts]
    return {"signature": METRICS[name]().signature, "counts": counts, "value": float(f"{score.value:.{_DIGITS}g}")}
