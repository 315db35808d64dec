"""What ERRANT's rules need to know about the tokens of a sentence."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from errata.errors import InputError, pluralise

if TYPE_CHECKING:
    from errata.texts import Tokens


@dataclass(frozen=True)
class Parse:
    """A parsed sentence; each field has one value for each token.

    >>> parse = Parse(("He", "sings"), ("he", "sing"), ("PRON", "VERB"), ("PRP", "VBZ"), (1, 1), ("nsubj", "ROOT"))
    >>> parse.lower, parse.children[1]
    (('he', 'sings'), (0,))
    """

    forms: Tokens
    lemmas: Tokens
    pos: Tokens = field(repr=False)
    """Universal parts of speech."""
    tags: Tokens = field(repr=False)
    """Tags of the Penn Treebank."""
    heads: tuple[int, ...] = field(repr=False)
    """The index of the head of each token, from 0; a root is its own head."""
    deps: Tokens = field(repr=False)
    """Dependency labels, as in spaCy's English models."""

    def __post_init__(self) -> None:
        size = len(self.forms)
        if not size == len(self.lemmas) == len(self.pos) == len(self.tags) == len(self.heads) == len(self.deps):
            name = next(name for name in ("lemmas", "pos", "tags", "heads", "deps") if len(getattr(self, name)) != size)
            found = len(getattr(self, name))
            raise InputError(f"a parse must have a value for each token: expected {size} {name}, found {found}")
        if size and not 0 <= min(self.heads) <= max(self.heads) < size:
            raise InputError(f"the head of a token must be one of its {pluralise(size, 'token')}")

    @cached_property
    def lower(self) -> Tokens:
        """The forms in lower case."""
        return tuple(map(str.lower, self.forms))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The indices of the dependents of each token, in order."""
        found: list[list[int]] = [[] for _ in self.forms]
        for index, head in enumerate(self.heads):
            if head != index:
                found[head].append(index)
        return tuple(map(tuple, found))
