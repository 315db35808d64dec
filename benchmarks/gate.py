"""Measures the gate: false alarms over pairs without a difference, and whether the power that it states is true.

``python benchmarks/gate.py`` tries 1,000 pairs of each kind, in about half an hour of one core; ``make bench`` tries fewer.
"""

from __future__ import annotations

import sys
from pathlib import Path

from errata import Corpus, Evaluator, System, gate

from measuring import Row, show

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from simulated_pairs import exchange_some, find_noticed, replace_some, simulate, without_difference

PAIRS, FEW_PAIRS = 1_000, 50
METRICS = ("maxmatch", "gleu", "imeasure")


def main(corpus: Corpus, systems: list[System], pairs: int = PAIRS) -> None:
    alarms: list[Row] = []
    powers: list[Row] = []
    for metric in METRICS:
        evaluate = Evaluator(corpus, metric)
        ranked = sorted((evaluate(system).evidence for system in systems), key=lambda item: -item.value)
        middle = len(ranked) // 2
        for one, other in dict.fromkeys(((ranked[0], ranked[1]), (ranked[middle - 1], ranked[middle]))):
            drop = 100 * (gate(one, other).metrics[0].noticed_drop or 1.0)
            found = simulate(without_difference(one, other), pairs, drop)
            names = f"{one.system_name}, {other.system_name}"
            alarms.append((metric, names, f"{found.worse:.1%}", f"{drop:.2f}", f"{found.chance:.1%}", f"{found.passed:.1%}"))
        for mix, worst in ((exchange_some, ranked[middle]), (replace_some, ranked[-1])):
            make, stated = find_noticed(ranked[0], worst, mix)
            drop = -100 * stated.comparison.difference
            found = simulate(make, pairs, drop)
            names = f"{ranked[0].system_name}, {worst.system_name}"
            powers.append((metric, names, stated.differing, f"{drop:.2f}", f"{found.worse:.1%}", f"{found.passed:.1%}"))
    show(
        f"The gate over {pairs:,} simulated pairs without a difference (target: at most 5% false alarms)",
        ["Metric", "Outputs of", "False alarms", "Margin (80% power)", "Stated chance to pass", "Passed"],
        alarms,
    )
    show(
        f"The gate over {pairs:,} simulated pairs with the drop that should be noticed with 80% power",
        ["Metric", "Outputs of", "Differing", "True drop", "Noticed", "Passed with this margin"],
        powers,
    )


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    from run import test_set

    main(*test_set()[:2], pairs=int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS)
