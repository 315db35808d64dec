"""Checks and scores the submissions of a phase; what takes long is made in one thread beside those that answer."""

from __future__ import annotations

import io
import threading
import time
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import System
from errata.errors import RequestError
from errata.formats.lines import GivenFile, find_compression
from errata.formats.problems import Problem, ignore_problem
from errata.formats.reading import read
from errata.language.tagging import find_suited
from errata.task.preparation import PreparedTask, RefusalError, TaskGold

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from datetime import datetime

    from errata.corpus.corpus import Corpus
    from errata.scoring.scores import Score
    from errata.task.definition import Task
    from errata_event.boards import Board
    from errata_event.definition import EventDefinition, Phase
    from errata_event.golds import GoldVersion


# --- Checks and scores the submissions of a phase against one version of its gold.
#
# A score depends on nothing but the content of a submission, the version of the gold and the settings that its signature names.
# So it can be computed whenever it is needed, and again.

_MAGIC = 4
"""Bytes by which a compressed file is recognised."""
_MOST_KEPT = 128
"""Submissions whose scores are kept with their texts, for the next board; 1,312 sentences and two metrics take about 1.2 MB."""


_MOST_BYTES = 1 << 24
"""Of their uploads together; what is kept takes seven to ten times as much memory."""


class Checked(NamedTuple):
    """An upload that was read, and all its problems."""

    system: System
    problems: list[Problem]

    @property
    def errors(self) -> list[Problem]:
        """Why it is refused; nothing if it is not."""
        return [problem for problem in self.problems if problem.severity == "error"]


class NamedBytes(io.BytesIO):
    """A file in memory, with a name for messages."""

    def __init__(self, content: bytes, name: str) -> None:
        super().__init__(content)
        self.name = name


def _read_m2_bytes(content: bytes, name: str) -> Corpus:
    """Read an M2 text."""
    return read(GivenFile.of(NamedBytes(content, name)), warn=ignore_problem, format="m2")


def prepare_task(task: Task, m2: bytes, *, is_with_alternatives: bool) -> PreparedTask:
    """Prepare the task of a phase, which names the file of its gold, with the text of that gold."""
    (name,) = task.gold
    corpus = _read_m2_bytes(m2, name)
    with task.naming("tagger"):
        tagger = None if task.tagger == "none" else find_suited(task.tagger, corpus)
    return PreparedTask.of(task, [TaskGold(corpus, is_with_alternatives, (name,))], tagger)


class _KeptScores:
    """The scores that were needed last, of all phases together, so that memory has a bound."""

    def __init__(self, most: int = _MOST_KEPT, most_bytes: int = _MOST_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._scores: OrderedDict[tuple[str, int, str, str], tuple[list[Score], int]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def find(self, key: tuple[str, int, str, str]) -> list[Score] | None:
        """Find scores by definition, gold, content and name."""
        with self._lock:
            if key in self._scores:
                self._scores.move_to_end(key)
            return self._scores[key][0] if key in self._scores else None

    def keep(self, key: tuple[str, int, str, str], scores: list[Score], size: int) -> None:
        """Keep scores of an upload of so many bytes, and forget those that were not needed for longest."""
        with self._lock:
            _, before = self._scores.pop(key, (scores, 0))
            self._scores[key] = scores, size
            self._bytes += size - before
            while len(self._scores) > self._most or self._bytes > self._most_bytes:
                _, (_, forgotten) = self._scores.popitem(last=False)
                self._bytes -= forgotten


class PhaseScorer:
    """A phase with one version of its gold, prepared once.  Threads may share it."""

    def __init__(self, definition: EventDefinition, phase: Phase, version: GoldVersion, m2: bytes, kept: _KeptScores | None = None) -> None:
        self.version = version
        self.task: Task = definition.task(phase, version.file_name)
        self.prepared = prepare_task(self.task, m2, is_with_alternatives=version.has_alternatives)
        self.gold = self.prepared.golds[0].corpus
        self.settings = definition.settings_hash
        self._check_source = self.prepared.source_only()
        self._key = (definition.sha256, version.id)
        self._kept = _KeptScores() if kept is None else kept

    def check(self, content: bytes, name: str, *, source_only: bool) -> Checked:
        """Read an upload and list its problems; with ``source_only`` nothing depends on the gold but its source texts."""
        if (kind := find_compression(content[:_MAGIC])) is not None:  # before anything is decompressed
            problem = Problem(name, None, "error", f"is compressed with {kind}; send the text itself")
            return Checked(System(name, (), name), [problem])
        given = GivenFile.of(NamedBytes(content, name))
        check = self._check_source if source_only else self.prepared.check
        return Checked(*check(given, name))

    def score(self, content: bytes, sha256: str, name: str, checked: Checked | None = None) -> list[Score]:
        """Score a submission with each metric; raise :class:`RefusalError` if a metric cannot.

        ``checked`` is what :meth:`check` made of it, not by its source only, so that it is not read twice.
        """
        key = (*self._key, sha256, name)
        if (known := self._kept.find(key)) is not None:
            return known
        if checked is None:
            checked = Checked(*self.prepared.check(GivenFile.of(NamedBytes(content, name)), name))
        system, problems = replace(checked.system, name=name), checked.problems
        if error := next((problem for problem in problems if problem.severity == "error"), None):
            raise RefusalError(system, str(error))
        scores = self.prepared.score(system)[0]
        self._kept.keep(key, scores, len(content))
        return scores


class Scorers:
    """The scorers that were used last, prepared when they are first needed."""

    def __init__(self, most: int = 8) -> None:
        self._most = most
        self._kept = _KeptScores()
        self._known: OrderedDict[tuple[str, int], PhaseScorer] = OrderedDict()
        self._lock = threading.Lock()
        self._making: dict[tuple[str, int], threading.Lock] = {}

    def find(self, definition: EventDefinition, version: GoldVersion, read_m2: Callable[[], bytes]) -> PhaseScorer:
        """Find a scorer, or prepare it of the text of its gold."""
        key = (definition.sha256, version.id)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
            making = self._making.setdefault(key, threading.Lock())
        with making:  # others that need the same wait instead of preparing it too
            with self._lock:
                if key in self._known:
                    return self._known[key]
            scorer = PhaseScorer(definition, definition.phase(version.phase), version, read_m2(), self._kept)
            with self._lock:
                self._known[key] = scorer
                self._making.pop(key, None)
                while len(self._known) > self._most:
                    self._known.popitem(last=False)
            return scorer


# --- Which golds with accepted answers are known to be made, so that not every reader of a public page looks at all proposals.

_SETTLED = timedelta(minutes=10)
"""So long after publication what arrived before it may still be stored; a request takes five minutes at most."""
_SECONDS = 2.0


class MadeGolds:
    """Remembers it for each phase, with all that can change after publication.  Threads may share it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: dict[str, tuple[Hashable, float, bool]] = {}

    def know(self, phase: str, state: Hashable, now: datetime, published: datetime) -> None:
        """Note that the golds of a phase were seen to be made at an instant; what is settled stays as it is."""
        self._known[phase] = state, self._clock(), now - published >= _SETTLED

    def are_known(self, phase: str, state: Hashable) -> bool:
        """Whether they are made as far as is known."""
        known, seen, is_settled = self._known.get(phase, (None, 0.0, False))
        return known == state and (is_settled or self._clock() - seen < _SECONDS)


# --- What takes long is made in one thread of its own, beside those that answer: leaderboards, and golds with accepted answers.
#
# Who asks waits for a moment only, and few at a time do: at an instant of publication everybody asks, and if all waited, nobody would be
# left
# to take uploads.  The others are shown what there was before.

_PATIENCE = 2.0
"""Seconds that a reader waits for what is being made."""
_MOST_WAITING = 4
"""Readers that wait at a time, in threads that others need."""
_MOST_UNKEPT = 16
_BoardKey = tuple[int, bool]
"""The number of a gold, and whether teams have their names."""


class InMakingError(RequestError):
    """What was asked for is being made."""

    def __init__(self, what: str = "the leaderboard") -> None:
        super().__init__(f"{what} is being made; try again in a moment")


class _Making:
    """Something that is made, or waits for its turn."""

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make
        self.is_done = threading.Event()
        self.error: Exception | None = None


class BoardMaker:
    """Makes one thing after the other, in a thread that ends when nothing is left.  Threads share it."""

    def __init__(self, patience: float = _PATIENCE, most_waiting: int = _MOST_WAITING) -> None:
        self.patience = patience
        self._lock = threading.Lock()
        self._waiting = threading.BoundedSemaphore(most_waiting)
        self._makings: OrderedDict[Hashable, _Making] = OrderedDict()
        self._is_running = False
        self._locks: dict[_BoardKey, threading.Lock] = {}
        self._unkept: OrderedDict[_BoardKey, Board] = OrderedDict()

    def make(self, key: Hashable, make: Callable[[], object], until: float) -> None:
        """Have something made, unless it is being made; wait for it until an instant of ``time.monotonic``, unless many wait already.

        Raises what making raises, if this ends while somebody waits.
        """
        with self._lock:
            making = self._makings.get(key)
            if making is None:
                making = self._makings[key] = _Making(make)
            if not self._is_running:
                self._is_running = True
                threading.Thread(target=self._run, name="errata-boards", daemon=True).start()
        if self._waiting.acquire(blocking=False):
            try:
                making.is_done.wait(max(0.0, until - time.monotonic()))
            finally:
                self._waiting.release()
        if making.error is not None:
            raise making.error

    def _run(self) -> None:
        while True:
            with self._lock:
                key, making = next(iter(self._makings.items()), (None, None))
                if making is None:
                    self._is_running = False
                    return
            try:
                making.make()
            except Exception as error:  # noqa: BLE001 - those who wait are told, and the next who asks tries again
                making.error = error
            finally:
                with self._lock:
                    del self._makings[key]
                making.is_done.set()

    @property
    def is_busy(self) -> bool:
        """Whether something is being made."""
        with self._lock:
            return self._is_running

    @contextmanager
    def making(self, key: _BoardKey) -> Iterator[None]:
        """Make a board while no other thread makes the same."""
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            yield

    def remember(self, key: _BoardKey, board: Board) -> None:
        """Remember a board that the database could not keep."""
        with self._lock:
            self._unkept[key] = board
            while len(self._unkept) > _MOST_UNKEPT:
                self._unkept.popitem(last=False)

    def recall(self, key: _BoardKey, state: str) -> Board | None:
        """Recall a board of a state that the database could not keep."""
        with self._lock:
            board = self._unkept.get(key)
        return board if board is not None and board.state == state else None
