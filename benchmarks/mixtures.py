"""How long MaxMatch takes with all mixtures of annotators, and how that grows with their number."""

from __future__ import annotations

import sys
from pathlib import Path

from errata import Corpus, System
from errata.metrics.maxmatch import MaxMatch

from measuring import best_of, show

_COUNTS = (2, 4, 6, 8, 10)


def growth_with_annotators(data: Path, systems: list[System]) -> None:
    """Score a few systems with golds of more and more annotators; the first is the ratio to single annotators."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
    from ten_annotators import make_ten_annotators

    chosen = [system for system in systems if system.name in {"AMU", "REF-F", "Riken-Tohoku"}]
    rows = []
    for annotators in _COUNTS:
        gold = make_ten_annotators(data, annotators=annotators)
        for system in chosen:
            single = best_of(1, lambda gold=gold, system=system: _count(MaxMatch(), gold, system))  # type: ignore[misc]
            mixed = best_of(1, lambda gold=gold, system=system: _count(MaxMatch(references="mix"), gold, system))  # type: ignore[misc]
            certified = sum(own[0][3] for own in _count(MaxMatch(references="mix"), gold, system))
            rows.append((annotators, system.name, f"{mixed:.2f} s", f"{mixed / single:.1f}", f"{100 * certified / len(gold):.2f} %"))
    show("MaxMatch with mixtures (target: 2 s with ten annotators)", ["Annotators", "System", "Time", "× single", "Certified"], rows)  # type: ignore[arg-type]


def _count(metric: MaxMatch, gold: Corpus, system: System) -> list[tuple[tuple[int, ...], ...]]:
    return list(metric.scorer(gold).prepare(system.sentences).rows(0, len(gold)))
