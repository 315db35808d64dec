"""The bindings: the interpreter's lock, memory, and numbers that are too large."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import _core
from errata.core import python as python_core

from thoroughness import often

CORES = pytest.mark.parametrize("core", [_core, python_core])


LONG_WORK: dict[str, Callable[[], object]] = {
    "three sentences": lambda: _core.align_three_way(("a",) * 800, ("b",) * 400, ("c",) * 200, 2, 3),  # every placement is as good
    "texts": lambda: _core.TextGold(["a b c d"] * 100_000, [["a x c d"] * 100_000], 2),
    "parsed sentences": lambda: _core.align_parses([(words, words, words) for words in (("a",) * 4000, ("b",) * 4000)], [(1, 0, 1)], True),
}


@pytest.mark.parametrize("work", LONG_WORK)
def test_the_lock_is_released_while_sentences_are_aligned(work: str) -> None:
    """Another thread goes on: it never waits for as long as the alignment takes."""
    times: list[float] = []

    def align() -> None:
        started = time.perf_counter()
        LONG_WORK[work]()
        times.extend((started, time.perf_counter()))

    thread = threading.Thread(target=align)
    waited, last, going_on = 0.0, time.perf_counter(), True
    thread.start()
    while going_on:
        going_on = thread.is_alive()
        now = time.perf_counter()
        waited, last = max(waited, now - last), now
    assert waited < (times[1] - times[0]) / 2


SCARCE = """
import re, resource, errata._core as core
used = 1024 * int(re.search(r"VmSize:\\s+(\\d+)", open("/proc/self/status").read()).group(1))
resource.setrlimit(resource.RLIMIT_AS, (used + 200_000_000, resource.RLIM_INFINITY))
for length in (30_000_000, 20_000_000):
    try:
        print(core.compute_edit_distances([], ["a" * length]).shape)
    except MemoryError:
        print("not enough memory")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is limited and read as Linux does")
def test_a_word_that_memory_is_too_small_for_leaves_nothing_behind() -> None:
    """Two copies of four bytes a character: those of the first word do not fit, those of the second do if the first left nothing."""
    done = subprocess.run([sys.executable, "-c", SCARCE], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["not enough memory", "(0, 1)"]


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9)), min_size=1, max_size=3), min_size=1, max_size=5),
    st.sampled_from([1, 2**28 + 1, 2**40 - 1, 2**55]),
    st.booleans(),
    st.integers(0, 1000),
)
@settings(max_examples=often(200, 70))
def test_large_numbers_are_compared_exactly(sentences: list[list[tuple[int, int]]], factor: int, optimal: bool, seed: int) -> None:  # noqa: FBT001
    """Numbers that are nearly the same, with products of up to 120 bits."""
    draw = np.random.default_rng(seed)
    rows = np.array([[factor * one for one in row] for rows in sentences for row in rows], dtype=np.int64)
    rows = np.maximum(rows + draw.integers(-1, 2, size=rows.shape), 0)
    starts = np.cumsum([0, *map(len, sentences)])
    picked = draw.integers(-1, len(sentences), size=(3, len(sentences)), dtype=np.int32)
    native, twin = (core.rechoose(rows, starts, picked, optimal) for core in (_core, python_core))
    assert np.array_equal(native, twin)


@CORES
@pytest.mark.parametrize("optimal", [False, True])
def test_sums_that_do_not_fit_are_refused(core: ModuleType, optimal: bool) -> None:  # noqa: FBT001
    starts, picked = np.array([0, 1]), np.zeros((1, 4), dtype=np.int32)
    assert core.rechoose(np.array([[2**60, -(2**60)]]), starts, picked, optimal).tolist() == [[4]]
    for number in (2**60 + 1, -(2**60) - 1, -(2**63), 2**63 - 1):
        with pytest.raises(OverflowError, match="the numbers of the rows are too large to be added up"):
            core.rechoose(np.array([[0, number]]), starts, picked, optimal)
