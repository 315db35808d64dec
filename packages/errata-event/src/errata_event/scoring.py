"""Checks and scores the submissions of a phase against one version of its gold.

A score depends on nothing but the content of a submission, the version of the gold and the settings that its signature names.
So it can be computed whenever it is needed, and again.
"""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import System
from errata.formats.lines import GivenFile, find_compression
from errata.formats.problems import Problem, ignore_problem
from errata.formats.reading import read
from errata.language.tagging import suit
from errata.task.running import PreparedTask, RefusalError, TaskGold
from errata_event.caching import Cache

if TYPE_CHECKING:
    from errata.corpus.corpus import Corpus
    from errata.scoring.scores import Score
    from errata.task.definition import Task
    from errata_event.definition import EventDefinition, Phase
    from errata_event.golds import GoldVersion


_MAGIC = 4
"""Bytes by which a compressed file is recognised."""
ScoreCache = Cache[tuple[str, int, str, str], "list[Score]"]
"""Scores with their texts, for the next board, by definition, gold, content and name."""
SCORES_KEPT = 128, 1 << 24
"""The bounds of that cache: submissions, and the bytes of their uploads together.

1,312 sentences and two metrics take about 1.2 MB; what is kept takes seven to ten times as much memory as the uploads.
"""


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
    return read(GivenFile.of(NamedBytes(content, name)), warn=ignore_problem, format="m2")


def prepare_task(task: Task, m2: bytes, *, is_with_alternatives: bool) -> PreparedTask:
    """Prepare the task of a phase, which names the file of its gold, with the text of that gold."""
    (name,) = task.gold
    corpus = _read_m2_bytes(m2, name)
    with task.naming("tagger"):
        tagger = None if task.tagger == "none" else suit(task.tagger, corpus)
    return PreparedTask.of(task, [TaskGold(corpus, is_with_alternatives, (name,))], tagger)


class PhaseScorer:
    """A phase with one version of its gold, prepared once; ``kept`` has scores that were computed before.  Threads may share it."""

    def __init__(self, definition: EventDefinition, phase: Phase, version: GoldVersion, m2: bytes, kept: ScoreCache | None = None) -> None:
        self.version = version
        self.task: Task = definition.task(phase, version.file_name)
        self.prepared = prepare_task(self.task, m2, is_with_alternatives=version.has_alternatives)
        self.gold = self.prepared.golds[0].corpus
        self.settings = definition.settings_hash
        self._check_source = self.prepared.source_only()
        self._key = (definition.sha256, version.id)
        self._kept: ScoreCache = Cache(0) if kept is None else kept

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
        if (known := self._kept.get(key)) is not None:
            return known
        if checked is None:
            checked = Checked(*self.prepared.check(GivenFile.of(NamedBytes(content, name)), name))
        system, problems = replace(checked.system, name=name), checked.problems
        if error := next((problem for problem in problems if problem.severity == "error"), None):
            raise RefusalError(system, str(error))
        scores = self.prepared.score(system)[0]
        self._kept.put(key, scores, len(content))
        return scores
