"""Measures metrics against people: all of a campaign with four metrics and 1,000 replicates, as a whole command."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from measuring import Row, show

_ROOT = Path(__file__).resolve().parent.parent
_DATA = Path(os.environ.get("ERRATA_DATA", _ROOT.parent / "shared" / "data"))
_ERRATA = str(Path(sys.executable).parent / "errata")
_METRICS = ("maxmatch", "imeasure", "gleu", "accuracy")


def _list_inputs() -> list[str]:
    judgments = _DATA / "judgments" / "gjg15.tsv.gz"
    if judgments.is_file():
        systems = sorted((_DATA / "conll14" / "systems").glob("*.txt"))
        return [str(_DATA / "conll14" / "gold" / "official-2014.combined.m2"), *map(str, systems), "--judgments", str(judgments)]
    folder = _ROOT / "examples"
    systems = [*sorted((folder / "systems").glob("*.txt")), folder / "judgments" / "INPUT.txt"]
    return [str(folder / "learner.m2"), *map(str, systems), "--judgments", str(folder / "judgments" / "rankings.tsv")]


def measure() -> None:
    """Print a table: with more and more metrics, and without intervals."""
    inputs, rows = _list_inputs(), list[Row]()
    for count in range(1, len(_METRICS) + 1):
        metrics = [word for name in _METRICS[:count] for word in ("-m", name)]
        seconds = []
        for replicates in ("0", "1000"):
            started = time.perf_counter()
            subprocess.run([_ERRATA, "meta", *inputs, *metrics, "--replicates", replicates, "-q"], check=True, stdout=subprocess.DEVNULL)
            seconds.append(time.perf_counter() - started)
        rows.append((" ".join(_METRICS[:count]), *(f"{own:.1f} s" for own in seconds)))
    show("Metrics against people, whole commands", ["metrics", "without intervals", "1,000 replicates"], rows)


if __name__ == "__main__":
    measure()
