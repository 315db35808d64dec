"""Interrupts while the core works on one input."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from thoroughness import THOROUGH

pytestmark = pytest.mark.slow

START = """
import random
from errata._core import MaxMatchJudge, MixedReferences, align, compute_edit_distances, count_three_way, find_best_matches, rechoose
from errata._core import NgramCounter, TextGold, align_parses, count_common_characters, list_blocks
draw = random.Random(1)
def words(count):
    return tuple(draw.choice("ab") for _ in range(count))
def sites(count):
    return tuple((k, k + 1, (("a",), ("b",))) for k in range(0, count, 2))
def parsed(words):
    return tuple(words), tuple(words), ("X",) * len(words)
never = 1 << 60
gold = [((k, k + 1, (("a",),)),) for k in range(4000)]
spans = [(0, k, (("a",) * 1000,)) for k in range(1, 4000)]
sets = [tuple(range(3000))] * 3000
pairs = [(k, k) for k in range(3000)]
"""
HOURS = {
    "maxmatch": "MaxMatchJudge([(words(4000), tuple(gold))], 2, most_searched=never).counts(0, [words(4000)])",
    "literal search": "MaxMatchJudge([(words(9000), ((),))], 20, most_arcs=never, most_searched=never).edits(0, words(9000))",
    "gold spans": "MaxMatchJudge([(('a',) * 4000, (tuple(spans),))], 4000, most_work=never).counts(0, [('a',) * 3000])",
    "gold of texts": "TextGold([' '.join(words(4000))] * 1000, [[' '.join(words(4000))] * 1000], 2)",
    "texts": "TextGold(['a b ' * 2000] * 1000, [['a b ' * 1999] * 1000], 2).counts(['b a ' * 2000] * 1000)",
    "three-way alignment": "count_three_way(words(4000), words(4000), (words(4000),), 2, 3, most_aligned=1 << 31, most_work=never)",
    "every reference": "list_blocks(words(300), words(600), sites(24), 2, 3, False, 4096, most_cells=never, most_bounds=0)",
    "completions": "MixedReferences([(words(1000), sites(1000))], 2, 3, True, 4096, most_cells=1 << 33, most_bounds=never)",
    "beginnings": "list_blocks(words(60), words(120)[60:], sites(60), 2, 3, False, never, most_cells=never, most_beginnings=never)",
    "alignment": "[align(words(8000), words(8000)) for _ in range(1000)]",
    "sets of words": "find_best_matches(sets, sets, pairs, True, most_meetings=never)",
    "n-grams": "NgramCounter([(('a',) * 40_000, (('a',) * 40_000,))], 40_000, most_ngrams=never)",
    "edit distance": "compute_edit_distances(['ab' * 2_000_000], ['ba' * 2_000_000], most_steps=never)",
    "linguistic alignment": "align_parses([parsed(words(9000)), parsed(words(9000))], [(1, 0, 1)] * 1000, True, most_cells=never)",
    "transpositions": "align_parses([parsed('a' * 6000 + 'b'), parsed('b' * 6000 + 'a')], [(1, 0, 1)] * 99, True, most_steps=never)",
    "common characters": "count_common_characters('ab' * 2_000_000, 'ba' * 2_000_000, most_steps=never)",
    "resampling": "rechoose(np.ones((100_000, 2), np.int64), np.array([0, 100_000]), np.zeros((1, 10_000_000), np.int32), False)",
}


def interrupt(code: str) -> subprocess.CompletedProcess[str]:
    """Run code that prints a line and then works for long, and interrupt it while it works."""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "working\n"
    time.sleep(1 if THOROUGH else 0.5)  # it has begun, and takes longer
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=120)
    return subprocess.CompletedProcess(code, process.returncode, out, errors)


@pytest.mark.parametrize("work", HOURS)
def test_the_core_stops(work: str) -> None:
    numpy = "import numpy as np\n" if "np." in HOURS[work] else ""
    done = interrupt(f"{START}{numpy}print('working', flush=True)\n{HOURS[work]}")
    assert done.stderr.splitlines()[-1] == "KeyboardInterrupt"


@pytest.mark.parametrize("core", ["native", "python"])
def test_a_command_ends_with_status_130(tmp_path: Path, core: str) -> None:
    words = "a b " * 1000
    edits = "".join(f"A {k} {k + 1}|||X|||{k}|||REQUIRED|||-NONE-|||{k}\n" for k in range(2000))
    (tmp_path / "gold.m2").write_text(f"S {words}\n{edits}\n", encoding="utf-8")
    (tmp_path / "system.txt").write_text(" ".join(map(str, range(2000))) + "\n", encoding="utf-8")
    without_core = "sys.modules['errata._core'] = None" if core == "python" else ""
    command = ["score", str(tmp_path / "gold.m2"), str(tmp_path / "system.txt")]
    done = interrupt(f"import sys\n{without_core}\nfrom errata.cli import main\nprint('working', flush=True)\nsys.exit(main({command!r}))")
    assert (done.returncode, done.stderr, done.stdout) == (130, "errata: interrupted\n", "")
