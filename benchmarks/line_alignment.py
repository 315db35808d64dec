"""Measures the alignment of lines: outputs that were damaged at random, of every system of CoNLL-2014, and the time for 100,000 lines.

``ERRATA_DATA`` names the folder of the public data (default ../shared/data); without it only the time is measured.
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

from errata import align_lines, read

from measuring import Row, show

ROOT = Path(__file__).resolve().parent.parent
RATES = (0.0, 0.01, 0.05, 0.1, 0.3)
SEEDS = 3


def measure_recovery(folder: Path) -> None:
    """The share of lines that are recovered exactly, in percent, by the share of damaged lines."""
    from damaged_lines import damage, list_wrong

    sources = [sentence.text for sentence in read(folder / "gold/official-2014.combined.m2")]
    rows: list[Row] = []
    for path in sorted([*folder.glob("systems/*.txt"), *folder.glob("modern/*.txt")]):
        lines = path.read_text(encoding="utf-8").split("\n")[: len(sources)]
        shares: list[float] = []
        for rate in RATES:
            wrong = 0
            for seed in range(SEEDS):
                damaged, wanted = damage(lines, rate, random.Random(f"{path.stem} {rate} {seed}"))
                wrong += len(list_wrong(align_lines(sources, damaged), wanted))
            shares.append(100 - 100 * wrong / SEEDS / len(sources))
        rows.append((path.stem, *(f"{share:.2f}" for share in shares)))
    show("Lines recovered exactly, %", ["System", *(f"{rate:.0%} damaged" for rate in RATES)], rows)


def measure_time() -> None:
    """Seconds for 100,000 lines, in which one in a hundred or in ten is damaged."""
    from damaged_lines import damage

    draw = random.Random(0)
    words = [f"w{number}" for number in range(20_000)]
    sources = [" ".join(draw.choices(words, k=20)) for _ in range(100_000)]
    lines = [" ".join(word if draw.random() < 0.95 else draw.choice(words) for word in line.split()) for line in sources]
    rows: list[Row] = []
    for rate in (0.0, 0.01, 0.1):
        damaged, _ = damage(lines, rate, random.Random(1))
        started = time.process_time()
        align_lines(sources, damaged)
        rows.append((f"{rate:.0%}", f"{time.process_time() - started:.1f}"))
    show("100,000 lines", ["Damaged", "Seconds"], rows)


def run() -> None:
    """Measure what can be measured here."""
    sys.path.insert(0, str(ROOT / "tests"))
    folder = Path(os.environ.get("ERRATA_DATA", ROOT.parent / "shared" / "data")) / "conll14"
    if folder.is_dir():
        measure_recovery(folder)
    measure_time()


if __name__ == "__main__":
    run()
