"""Too little memory: an error with one line, never an abort."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from thoroughness import often

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the address space is limited as on Linux")]

LIMITED = """
import os, resource, sys
import errata
from errata.cli import main

def limit(more):
    pages = int(open("/proc/self/statm").read().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + more,) * 2)
"""
# Each child has a little more memory than the one before; a status of a child that is neither 0 nor 1 is an abort.
CHILDREN = """
edits = [errata.Edit(1, 2, ("x",))], [errata.Edit(3, 4, ("y",))]
gold = errata.Corpus(tuple(errata.Sentence.of(f"a b c d{k} e", *edits) for k in range(1000)))
outputs = [f"a x c d{k} e" for k in range(1000)]
errata.score(errata.Corpus(gold.sentences[:2]), outputs[:2], METRIC)
statuses = set()
for more in range(0, 5_000_000, STEP):
    child = os.fork()
    if child == 0:
        limit(more)
        try:
            errata.score(gold, outputs, METRIC)
        except MemoryError:
            os._exit(1)
        os._exit(0)
    statuses.add(os.waitpid(child, 0)[1])
print(sorted(statuses))
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("metric", ["maxmatch", "imeasure", "imeasure(references=single)", "accuracy", "hoo"])
def test_no_metric_aborts(metric: str) -> None:
    done = run(f"METRIC, STEP = {metric!r}, {often(100_000, 1_000_000)}\n{LIMITED}{CHILDREN}")
    assert done.stdout in {"[0]\n", "[0, 256]\n", "[256]\n"}, done.stderr


@pytest.mark.parametrize("metric", ["maxmatch", "imeasure"])
def test_a_command_says_so(tmp_path: Path, metric: str) -> None:
    """Source and output without a common word: a lattice of 16 million vertices."""
    (tmp_path / "gold.m2").write_text("S " + "a b " * 2000 + "\n\n", encoding="utf-8")
    (tmp_path / "system.txt").write_text("c d " * 2000 + "\n", encoding="utf-8")
    command = ["score", str(tmp_path / "gold.m2"), str(tmp_path / "system.txt"), "-m", metric]
    done = run(f"{LIMITED}limit(60_000_000)\nsys.exit(main({command!r}))")
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("errata: error: not enough memory")


def test_mixed_references_are_counted_before_they_take_memory() -> None:
    """The bounds of all layers of this sentence would take gigabytes; without them its reference is searched."""
    code = """
import random
draw = random.Random(1)
words = tuple(draw.choice("ab") for _ in range(1000))
sites = tuple((k, k + 1, (("a",), ("b", "a"))) for k in range(0, 1000, 2))
limit(700_000_000)
from errata import _core
print(_core.MixedReferences([(words, sites)], 2, 3, True, 4096).blocks(0, [words]))
"""
    assert run(LIMITED + code).stdout == "[[]]\n"
