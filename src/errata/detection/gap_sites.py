"""Sites: the gaps between tokens where something may be missing, chosen by the parts of speech around them.

A pattern names the tags before and after a gap, which is written ``_``: ``_ NN*`` is every gap before a noun, ``IN _ !DT`` every gap
between a preposition and anything but a determiner.  ``*`` stands for any letters, ``|`` separates alternatives, and ``!`` excludes
them.  ``noun-phrases`` is every gap before a noun phrase (Chodorow et al. 2012, section 3.6).
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import UsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

GAP = "_"
NOUN_PHRASES = "noun-phrases"
_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_OPENING = ("DT", "PDT", "PRP$", "WP$")
"""Tags that begin a noun phrase, also directly after another one."""
_INSIDE = (*_OPENING, *_NOUNS, "CD", "JJ", "JJR", "JJS", "POS")
_ALONE = ("PRP", "EX", "WP")
"""Pronouns, which are noun phrases by themselves."""


class _Tag(NamedTuple):
    """One item of a pattern."""

    names: tuple[str, ...]
    excluded: bool

    def matches(self, tags: Sequence[str], position: int) -> bool:
        """Whether a token has one of the tags; where there is no token, only an exclusion matches."""
        if not 0 <= position < len(tags):
            return self.excluded
        return any(fnmatchcase(tags[position], name) for name in self.names) != self.excluded


class GapPattern(NamedTuple):
    """Tags before and after a gap, in order."""

    before: tuple[_Tag, ...]
    after: tuple[_Tag, ...]

    @classmethod
    def parse(cls, text: str) -> GapPattern:
        """Parse a pattern.

        >>> GapPattern.parse("!DT|PRP$ _ NN*").gaps(["DT", "NN", "VBZ", "NN", "."])
        {3}
        """
        items = text.split()
        if items.count(GAP) != 1 or len(items) == 1:
            expected = f"{NOUN_PHRASES}, or tags around a gap, which is written {GAP}, such as '{GAP} NN*'"
            raise UsageError(f"a site must be {expected}, found {text!r}")
        tags = []
        for item in items:
            names = tuple(item.removeprefix("!").split("|"))
            if not all(names):
                raise UsageError(f"a site must have a tag on each side of |, and after !, found {item!r} in {text!r}")
            tags.append(_Tag(names, item.startswith("!")))
        gap = items.index(GAP)
        return cls(tuple(tags[:gap]), tuple(tags[gap + 1 :]))

    def gaps(self, tags: Sequence[str]) -> set[int]:
        """Find the gaps that match, by the number of tokens before them."""
        return {
            gap
            for gap in range(len(tags) + 1)
            if all(tag.matches(tags, gap - len(self.before) + offset) for offset, tag in enumerate(self.before))
            and all(tag.matches(tags, gap + offset) for offset, tag in enumerate(self.after))
        }


class GapSites:
    """The gaps that one of several patterns chooses."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.text = " or ".join(texts)
        self._noun_phrases = NOUN_PHRASES in texts
        self._patterns = [GapPattern.parse(text) for text in texts if text != NOUN_PHRASES]

    def check_tags(self, tags: Iterable[Sequence[str]]) -> None:
        """Raise if a pattern has a tag that no token has, because it is probably misspelt; a tag that is excluded may be missing."""
        known = {tag for own in tags for tag in own}
        for pattern in self._patterns:
            for item in (*pattern.before, *pattern.after):
                names = item.names if not item.excluded else ()
                if names and not any(fnmatchcase(tag, name) for tag in known for name in names):
                    close = suggest(names[0], known)
                    raise UsageError(
                        f"no token has the tag {'|'.join(names)!r} of a site; choose from {', '.join(sorted(known)) or 'none'}{close}"
                    )

    def find(self, tags: Sequence[str]) -> set[int]:
        """Find the gaps of a sentence with these tags, by the number of tokens before them."""
        found = set[int]().union(*(pattern.gaps(tags) for pattern in self._patterns))
        return found | set(find_noun_phrases(tags)) if self._noun_phrases else found


def find_noun_phrases(tags: Sequence[str]) -> Iterator[int]:
    """Yield the start of each noun phrase: a pronoun, or determiners, possessives, numbers, adjectives and nouns that contain a noun.

    A determiner or possessive after a noun begins another phrase, and an adverb belongs to the adjective after it.

    >>> list(find_noun_phrases(["NN", "IN", "PRP$", "NN", "VBD", "TO", "PRP", "."]))
    [0, 2, 6]
    """
    position = 0
    while position < len(tags):
        start = position
        if tags[start] in _ALONE:
            yield start
            position += 1
            continue
        while position < len(tags) and _belongs(tags, position):
            if position > start and tags[position] in _OPENING and tags[position - 1] not in _OPENING:
                break
            position += 1
        if any(tag in _NOUNS for tag in tags[start:position]):
            yield start
        position = max(position, start + 1)


def _belongs(tags: Sequence[str], position: int) -> bool:
    following = tags[position + 1] if position + 1 < len(tags) else ""
    return tags[position] in _INSIDE or (tags[position].startswith("RB") and following.startswith("JJ"))
