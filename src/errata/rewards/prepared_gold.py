"""A source with its references, prepared once for all samples, and kept for the next calls: training loops repeat their prompts."""

from __future__ import annotations

from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from errata.corpus.corpus import Annotation, Sentence, extract_edits

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.corpus.texts import Tokens

GoldTexts = tuple[str, tuple[str, ...]]
"""A source and its references, as they were given."""
MOST_KEPT = 20_000
"""Sources with their references that are kept; about 100 MB with all that is prepared."""


class PreparedGold:
    """A source and its references: texts whose tokens are separated by white space."""

    def __init__(self, source: str, references: tuple[str, ...]) -> None:
        self.source, self.references = source, references

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens of the source."""
        return tuple(self.source.split())

    @cached_property
    def sentence(self) -> Sentence:
        """The source with the edits of each reference."""
        edits = (extract_edits(self.tokens, text) for text in self.references)
        return Sentence(self.tokens, tuple(Annotation(str(number), own) for number, own in enumerate(edits)))


class GoldCache:
    """Prepared gold by its texts; what was not used for longest is dropped.  Threads may share it; a pickle of it is empty."""

    def __init__(self, prepare: Callable[[GoldTexts], PreparedGold], size: int = MOST_KEPT) -> None:
        self._prepare, self._size = prepare, size
        self._kept: dict[GoldTexts, PreparedGold] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def find_all(self, keys: list[GoldTexts]) -> list[PreparedGold]:
        """Find what belongs to each key; equal keys get the same object."""
        found: dict[GoldTexts, PreparedGold] = {}
        with self._lock:
            for key in keys:
                if key not in found:
                    found[key] = self._kept.pop(key) if key in self._kept else self._prepare(key)
            self._kept |= found
            for key in list(self._kept)[: max(0, len(self._kept) - self._size)]:
                del self._kept[key]
        return [found[key] for key in keys]

    def __reduce__(self) -> tuple[type[GoldCache], tuple[Callable[[GoldTexts], PreparedGold], int]]:
        return type(self), (self._prepare, self._size)
