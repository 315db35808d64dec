"""The names of statistical methods: kinds of intervals, significance tests, and corrections of p-values."""

from __future__ import annotations

from typing import Literal, get_args

Method = Literal["bca", "percentile", "exact"]
"""A kind of interval."""
METHODS: tuple[Method, ...] = get_args(Method)
Test = Literal["randomisation", "bootstrap", "t", "sign"]
"""A paired test of two systems."""
TESTS: tuple[Test, ...] = get_args(Test)
Correction = Literal["holm", "bh", "none"]
"""A correction of p-values for the number of pairs."""
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
FEWEST_REPLICATES, MOST_REPLICATES = 100, 1_000_000
