"""A metric that counts words, and does odd things with some; in a module, because other processes find it by its name."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from errata.corpus.corpus import Sentence
from errata.corpus.texts import Tokens
from errata.metrics.base import Metric
from errata.metrics.ratios import Row
from errata.metrics.strategies import SingleRow

CALLER = "ERRATA_TEST_CALLER"
"""The environment variable with the process that must not be killed."""


@dataclass(frozen=True)
class Counting(Metric):
    """The number of words; those that begin with an exclamation mark are commands."""

    name: ClassVar[str] = "counting"
    summary: ClassVar[str] = "the number of words"
    columns: ClassVar[tuple[str, ...]] = ("words",)
    strategy: ClassVar[SingleRow] = SingleRow()

    def count(self, sentence: Sentence, hypothesis: Tokens) -> Sequence[Row]:
        del sentence
        for word in hypothesis:
            match word:
                case "!fail":
                    raise ValueError("a word fails")
                case "!odd":
                    return [(1, 2)]
                case "!die" if str(os.getpid()) != os.environ[CALLER]:
                    os.kill(os.getpid(), signal.SIGKILL)
        return [(len(hypothesis),)]

    def value(self, counts: Row) -> float:
        return float(counts[0])
