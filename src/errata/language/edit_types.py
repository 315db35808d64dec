"""Types for edits without type: the rules of the CoNLL-2013 task, by parts of speech.

Ng et al. 2013, section 6: an edit that changes a determiner is ArtOrDet; a preposition, Prep; the number of a noun, Nn; a verb,
Vform or SVA, which cannot be distinguished reliably.  The rules are tried in this order, which is a setting; if no rule applies, the
edit has no type.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.unicode import warn_of_english
from errata.errors import UsageError
from errata.formats.essays import TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.parses import Span
    from errata.corpus.texts import Tokens
    from errata.language.tagging import Tagger

VERBS = "Vform/SVA"
ORDER = ("ArtOrDet", "Prep", "Nn", VERBS)
"""The rules in the order of the paper."""
MEMBERS = {VERBS: ("Vform", "SVA")}
"""Gold types that a rule cannot distinguish."""

_DETERMINERS = frozenset({"DT", "PDT"})
_PREPOSITIONS = frozenset({"IN", "TO"})
_SINGULAR, _PLURAL = frozenset({"NN", "NNP"}), frozenset({"NNS", "NNPS"})
_NOUNS = _SINGULAR | _PLURAL
_VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"})

Tagged = tuple[str, str]
"""A word and its part of speech."""


def classify_edit(old: Sequence[Tagged], new: Sequence[Tagged], order: Sequence[str] = ORDER) -> str | None:
    """Classify an edit that replaces words by others.

    >>> classify_edit([("in", "IN")], [("on", "IN")]), classify_edit([("dog", "NN")], [("the", "DT"), ("dog", "NN")])
    ('Prep', 'ArtOrDet')
    >>> classify_edit([("system", "NN")], [("systems", "NNS")]), classify_edit([("go", "VBP")], [("goes", "VBZ")])
    ('Nn', 'Vform/SVA')
    """
    removed, added = _find_change(old, new)
    for name in order:
        if _RULES[name](removed, added):
            return name
    return None


def check_order(order: Sequence[str]) -> None:
    """Raise unless an order names known rules, each once."""
    for name in order:
        if name not in ORDER:
            raise UsageError(f"unknown type {name!r} in an order of rules; choose from {', '.join(ORDER)}")
    if len(set(order)) != len(order):
        raise UsageError("a type occurs twice in an order of rules")


def _find_change(old: Sequence[Tagged], new: Sequence[Tagged]) -> tuple[list[str], list[str]]:
    """List the tags of the words that occur on one side only, for both sides."""

    def only_in(one: Sequence[Tagged], other: Sequence[Tagged]) -> list[str]:
        shared = Counter(word for word, _ in other)
        tags = []
        for word, tag in one:
            if shared[word]:
                shared[word] -= 1
            else:
                tags.append(tag)
        return tags

    return only_in(old, new), only_in(new, old)


def _number(removed: list[str], added: list[str]) -> bool:
    def turns(one: frozenset[str], other: frozenset[str]) -> bool:
        return any(tag in one for tag in removed) and any(tag in other for tag in added)

    adjective = frozenset({"JJ"})
    return turns(_SINGULAR, _PLURAL) or turns(_PLURAL, _SINGULAR) or turns(adjective, _NOUNS) or turns(_NOUNS, adjective)


_RULES: dict[str, Callable[[list[str], list[str]], bool]] = {
    "ArtOrDet": lambda removed, added: any(tag in _DETERMINERS for tag in (*removed, *added)),
    "Prep": lambda removed, added: any(tag in _PREPOSITIONS for tag in (*removed, *added)),
    "Nn": _number,
    VERBS: lambda removed, added: any(tag in _VERBS for tag in (*removed, *added)),
}


class ChangedWords(NamedTuple):
    """A change of a sentence: the positions of old tokens in the source, and of new ones in the output."""

    sentence: int
    old: Sequence[int]
    new: Sequence[int]


@dataclass(frozen=True)
class ChangeTyper:
    """The rules of the CoNLL-2013 task as a type system: a tagger and the order of rules that give changes a type."""

    tagger: Tagger
    order: Sequence[str] = ORDER

    @property
    def name(self) -> str:
        """The tagger, and the order if it is not that of the paper."""
        order = "" if tuple(self.order) == ORDER else f", order {','.join(self.order)}"
        return f"nucle by {self.tagger.name}{order}"

    @property
    def language(self) -> str:
        """The rules are about English, and so are the tags of the Penn Treebank."""
        return "en"

    @property
    def meanings(self) -> dict[str, str]:
        """The types of the rules."""
        return {name: "; ".join(TYPES[member] for member in MEMBERS.get(name, (name,))) for name in self.order}

    def types(self, pairs: Sequence[tuple[Tokens, Tokens]], spans: Sequence[Sequence[Span]]) -> list[list[str]]:
        """Give edits their types; one whose new words are not known has none."""
        warn_of_english([source for source, _ in pairs], f"the types of {self.name} are for English")
        changes = [
            ChangedWords(index, range(span.start, span.end), range(span.target_start, span.target_end))
            for index, own in enumerate(spans)
            for span in own
        ]
        found = iter(self.classify(changes, [source for source, _ in pairs], [target for _, target in pairs]))
        return [[next(found) for _ in own] for own in spans]

    def classify(self, changes: Sequence[ChangedWords], sources: Sequence[Tokens], outputs: Sequence[Tokens]) -> list[str]:
        """Classify changes, '' if no rule applies; only the sentences that are changed are tagged."""
        indices = sorted({change.sentence for change in changes})
        before, after = ({index: texts[index] for index in indices} for texts in (sources, outputs))
        old_tags = dict(zip(indices, self.tagger.tag([before[index] for index in indices]), strict=True))
        new_tags = dict(zip(indices, self.tagger.tag([after[index] for index in indices]), strict=True))
        types = []
        for index, old, new in changes:
            removed = [(before[index][position], old_tags[index][position]) for position in old]
            added = [(after[index][position], new_tags[index][position]) for position in new]
            types.append(classify_edit(removed, added, self.order) or "")
        return types


def make_nucle(what: str) -> ChangeTyper:
    """Make the rules with a tagger, by default TextBlob."""
    from errata.language.tagging import find_tagger

    return ChangeTyper(find_tagger(what or "textblob"))
