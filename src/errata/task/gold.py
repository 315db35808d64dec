"""The gold of a task, without alternative answers and with them, and what identifies it in titles and signatures."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus.references import DIGITS, keep_types
from errata.errors import UsageError
from errata.formats import PROFILES, guess_format, read, read_nucle
from errata.formats.essays import TYPES
from errata.formats.lines import display_path, find_numbers, open_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from errata.corpus.corpus import Corpus
    from errata.formats import Problem
    from errata.task.definition import Task

_DEFAULT_PROFILE = "conll14"
_CHUNK = 1 << 20
_MOST_IN_TITLE = 8
"""The most files that a title names."""


class TaskGold(NamedTuple):
    """A corpus of a task, and the files that it was made from."""

    corpus: Corpus
    alternatives: bool
    """Whether it includes the alternative answers."""
    files: tuple[str, ...]

    @property
    def suffix(self) -> str:
        """The end of the file names of its tables."""
        return "-alternatives" if self.alternatives else ""

    def title(self, task: Task, what: str = "scores") -> str:
        """Name the task, what a table has, the answers, the types if some are left out, and the files."""
        what += f" {'with' if self.alternatives else 'without'} alternative answers"
        more = f" and {len(self.files) - _MOST_IN_TITLE:,} more" if len(self.files) > _MOST_IN_TITLE else ""
        parts = [
            f"{task.title}: {what}" if task.title else what.capitalize(),
            *([f"only {', '.join(task.types)}"] if task.types else []),
            f"gold {', '.join(_name(task, path) for path in self.files[:_MOST_IN_TITLE])}{more}",
        ]
        return "; ".join(parts)

    def signature(self, task: Task) -> str:
        """Add to the signature of a score what made its gold: types, profile, and files if there are several, with their content.

        The gold of one file with all its types has nothing to add: its score has the signature that it has outside a task.
        """
        parts = [f"types {','.join(task.types)}"] if task.types else []
        parts += [f"profile {task.profile}"] if task.profile not in {"", _DEFAULT_PROFILE} else []
        if len(self.files) > 1:
            parts.append("files " + ", ".join(f"{_name(task, path)} sha256 {_hash_content(path)}" for path in self.files))
        return "".join(f" | {part}" for part in parts)


def read_golds(task: Task, warn: Callable[[Problem], None]) -> Iterator[TaskGold]:
    """Read the gold without alternative answers, and with them."""
    if guess_format(task.gold[0]) != "sgml":
        yield from _read_files(task, warn)
        return
    settings: dict[str, Any] = {"profile": task.profile or _DEFAULT_PROFILE, "types": task.types or None, "tokens": task.tokens or None}
    tokens = (task.tokens,) if task.tokens else ()
    for alternatives in ([], task.alternatives) if task.alternatives else ([],):
        with task.naming("types"):
            corpus = read_nucle(task.gold, alternatives=alternatives, warn=warn, **settings)
        yield TaskGold(corpus, bool(alternatives), (*task.gold, *alternatives, *tokens))


def _read_files(task: Task, warn: Callable[[Problem], None]) -> Iterator[TaskGold]:
    for key in ("profile", "tokens"):
        if getattr(task, key):
            raise UsageError(f"{task.path}: {key} needs essays (SGML), but {task.gold[0]} is not SGML")
    if len(task.gold) > 1 or len(task.alternatives) > 1:
        raise UsageError(
            f"{task.path}: several files can be combined only if they are SGML; else name one gold file, and one file with all alternatives"
        )
    for path, alternatives in ((task.gold[0], False), *((path, True) for path in task.alternatives)):
        corpus = read(path, warn=warn)
        with task.naming("types"):
            corpus = keep_types(corpus, task.types, TYPES) if task.types else corpus
        yield TaskGold(corpus, alternatives, (path,))


def take_subset(task: Task, corpus: Corpus) -> Corpus:
    """Keep the sentences that the task names, if it does."""
    if task.sentences is None:
        return corpus
    with task.naming("sentences"):
        return corpus.subset(find_numbers(task.sentences, len(corpus)))


def check_profile(name: str) -> None:
    """Raise if this is not the name of a profile; an empty name is the default."""
    if name and name not in PROFILES:
        raise UsageError(f"unknown profile {name!r}; choose from {', '.join(PROFILES)}")


def _name(task: Task, path: str) -> str:
    """Name a file as the task does: from its folder."""
    return display_path(os.path.relpath(path, os.path.dirname(task.path) or "."))  # noqa: PTH120 - no such function in pathlib


def _hash_content(path: str) -> str:
    digest = hashlib.sha256()
    with open_bytes(path) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()[:DIGITS]
