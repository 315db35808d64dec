"""Scoring many systems, with processes on other cores if the work is long enough for them.

Work begins in this process.  Once it is known how long sentences take, processes are started if they save more time than it takes to
start them and to send them the gold.  They count parts of systems; everything else is done here, system by system, so scores,
warnings and errors come in the same order as without them.  What fails in a process is done again here, and fails with the same error.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from errata.engines.cores import count_cores
from errata.errors import ErrataError, UsageError
from errata.scoring.counting import CHUNK, count_rows
from errata.scoring.scores import Score

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from errata.corpus.texts import Tokens
    from errata.metrics.ratios import Row
    from errata.scoring.counting import Progress, SystemCounts
    from errata.scoring.evaluator import Evaluator, Hypotheses


@dataclass(frozen=True)
class Patience:
    """When processes are started, in seconds; measured with all metrics, on gold of 1,312 to 131,200 sentences."""

    before_start: float = 0.5
    """How long sentences are counted here first."""
    start: float = 0.2
    """How long it takes to start a process."""
    per_sentence: float = 0.0002
    """How long it takes to send a sentence of the gold to a process, and to prepare it there."""
    part: float = 0.1
    """How long a part should take that is counted at once: long beside the time to send it, short beside all the work."""
    least_share: float = 0.8
    """The share of a core that this process must have had; with less, the cores are busy with other work."""


PATIENCE = Patience()
_PARTS_PER_JOB = 4
"""Parts that each process gets at least, so that all end at about the same time."""


def evaluate_many(
    evaluate: Evaluator, systems: Sequence[Hypotheses], jobs: int | None = None, progress: Progress | None = None
) -> Generator[Score]:
    """Yield the score of each system, in order, with up to ``jobs`` processes (default: one for each core).

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> systems = [errata.read_system(f"examples/systems/{name}.txt") for name in ("cautious", "eager")]
    >>> [round(score.value, 4) for score in evaluate_many(errata.Evaluator(gold), systems)]
    [0.55, 0.6552]
    """
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs must be a whole number from 1, found {jobs}")
    lasting = [list(system) if isinstance(system, Iterator) else system for system in systems]  # they are read twice
    with closing(_Helpers(evaluate, lasting, jobs or count_cores())) as helpers:
        for number, hypotheses in enumerate(lasting):
            counts = evaluate.begin(hypotheses)
            while counts.left:
                before = counts.done
                helpers.count(number, counts)
                if progress is not None:
                    progress(counts.done - before)
            yield Score.of(counts.make_evidence(), counts.system, counts.output)


class _Place(NamedTuple):
    """Sentences of a system that are counted together, from an index to before another."""

    system: int
    first: int
    last: int


class _Part(NamedTuple):
    place: _Place
    hypotheses: Sequence[Tokens]


class _Helpers:
    """Counts sentences here, or takes what processes have counted."""

    def __init__(self, evaluate: Evaluator, systems: Sequence[Hypotheses], jobs: int) -> None:
        metric = evaluate.metric
        self._evaluate, self._systems, self._jobs = evaluate, systems, jobs
        self._may_start = jobs > 1 and metric.in_parts and not metric.needs
        self._results: Generator[tuple[_Place, list[tuple[Row, ...]]]] | None = None
        self._counted: dict[tuple[int, int], list[tuple[Row, ...]]] = {}
        self._seconds, self._busy, self._sentences = 0.0, 0.0, 0
        self._left = len(evaluate.corpus) * len(systems)

    def close(self) -> None:
        """End the processes."""
        self._may_start = False
        if self._results is not None:
            self._results.close()
            self._results = None

    def count(self, number: int, counts: SystemCounts) -> None:
        """Count the next sentences of a system, or take them from the processes."""
        if self._may_start and self._is_worth_it(len(counts.corpus)):
            self._start(number, counts.done)
        rows = self._take(number, counts.done)
        if rows:
            counts.add(rows)
            return
        before, start, busy = counts.done, time.perf_counter(), time.process_time()
        counts.count()
        self._seconds += time.perf_counter() - start
        self._busy += time.process_time() - busy
        self._sentences += counts.done - before
        self._left -= counts.done - before

    def _is_worth_it(self, gold: int) -> bool:
        if self._seconds < PATIENCE.before_start or self._busy < PATIENCE.least_share * self._seconds:
            return False
        saved = self._left * self._rate * (1 - 1 / self._jobs)
        return saved > PATIENCE.start + PATIENCE.per_sentence * gold

    @property
    def _rate(self) -> float:
        """Seconds for a sentence."""
        return self._seconds / self._sentences if self._sentences else 0.0

    def _start(self, number: int, first: int) -> None:
        """Start processes that count everything from a sentence of a system on."""
        from errata.engines.processes import ProcessEngine

        self._may_start = False
        chunks = min(self._left // (CHUNK * self._jobs * _PARTS_PER_JOB), int(PATIENCE.part / self._rate) // CHUNK if self._rate else 0)
        parts = self._cut(number, first, CHUNK * max(1, chunks))
        self._results = ProcessEngine(self._jobs).run(count_part, self._evaluate, parts)

    def _cut(self, number: int, first: int, size: int) -> Iterator[_Part]:
        """Cut what is left into parts, up to a system that does not fit the gold: its error is raised when its turn comes."""
        for system in range(number, len(self._systems)):
            try:
                sentences = self._evaluate.fit(self._systems[system]).sentences
            except ErrataError:
                return
            for start in range(first if system == number else 0, len(sentences), size):
                place = _Place(system, start, min(start + size, len(sentences)))
                yield _Part(place, sentences[place.first : place.last])

    def _take(self, number: int, first: int) -> list[tuple[Row, ...]]:
        """Take the rows of a part that begins here, and wait for it; none if it is to be counted here."""
        while self._results is not None and (number, first) not in self._counted:
            try:
                place, rows = next(self._results)
            except StopIteration:
                self._results = None
            except Exception:  # noqa: BLE001 - processes cannot be started, or are killed again and again: it is done without them
                self._results = None
            else:
                self._counted[place.system, place.first] = rows
        return self._counted.pop((number, first), [])


def count_part(evaluate: Evaluator, part: _Part) -> tuple[_Place, list[tuple[Row, ...]]]:
    """Count a part in another process; after a sentence that cannot be counted, nothing is."""
    rows: list[tuple[Row, ...]] = []
    _, first, last = part.place
    try:
        output = evaluate.prepare_from(part.hypotheses, first)
        for start in range(first, last, CHUNK):
            rows += count_rows(evaluate.metric, evaluate.corpus, output, start, min(start + CHUNK, last))
    except Exception:  # noqa: BLE001, S110 - it is raised where the sentence is counted again
        pass
    return part.place, rows
