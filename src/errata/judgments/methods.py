"""The names of ways to rank systems by judgments, and of what is resampled."""

from __future__ import annotations

from typing import Literal, get_args

RankingMethod = Literal["expected-wins", "trueskill", "bradley-terry"]
"""How systems are ranked."""
RANKING_METHODS: tuple[RankingMethod, ...] = get_args(RankingMethod)
"""All values of :data:`RankingMethod`."""
JudgedUnit = Literal["sentence", "item", "judge"]
"""What is resampled: the items of a sentence together, single items, or the items of a judge together."""
JUDGED_UNITS: tuple[JudgedUnit, ...] = get_args(JudgedUnit)
"""All values of :data:`JudgedUnit`."""
DEFAULT_RANKING_REPLICATES = 1_000
DEFAULT_RUNS = 100
"""Runs of TrueSkill."""
