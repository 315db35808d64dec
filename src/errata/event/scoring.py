"""Checks and scores the submissions of a phase against one version of its gold.

A score depends on nothing but the content of a submission, the version of the gold and the settings that its signature names.
So it can be computed whenever it is needed, and again.
"""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import System
from errata.formats import Problem, read
from errata.formats.lines import GivenFile, find_compression
from errata.formats.problems import ignore_problem
from errata.language.tagging import find_suited
from errata.task.preparation import PreparedTask, RefusalError, TaskGold

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.corpus.corpus import Corpus
    from errata.event.definition import EventDefinition
    from errata.event.gold_versions import GoldVersion
    from errata.event.phases import Phase
    from errata.scoring import Score
    from errata.task.definition import Task

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


def read_m2_bytes(content: bytes, name: str) -> Corpus:
    """Read an M2 text."""
    return read(GivenFile.of(NamedBytes(content, name)), warn=ignore_problem, format="m2")


def prepare_task(task: Task, m2: bytes, *, is_with_alternatives: bool) -> PreparedTask:
    """Prepare the task of a phase, which names the file of its gold, with the text of that gold."""
    (name,) = task.gold
    corpus = read_m2_bytes(m2, name)
    with task.naming("tagger"):
        tagger = None if task.tagger == "none" else find_suited(task.tagger, corpus)
    return PreparedTask.of(task, [TaskGold(corpus, is_with_alternatives, (name,))], tagger)


class KeptScores:
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

    def __init__(self, definition: EventDefinition, phase: Phase, version: GoldVersion, m2: bytes, kept: KeptScores | None = None) -> None:
        self.version = version
        self.task: Task = definition.task(phase, version.file_name)
        self.prepared = prepare_task(self.task, m2, is_with_alternatives=version.has_alternatives)
        self.gold = self.prepared.golds[0].corpus
        self.settings = definition.settings_hash
        self._check_source = self.prepared.source_only()
        self._key = (definition.sha256, version.id)
        self._kept = KeptScores() if kept is None else kept

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
        self._kept = KeptScores()
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
