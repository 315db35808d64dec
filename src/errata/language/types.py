"""Types of edits: the rules of the CoNLL-2013 task, and systems of types by name."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn, Protocol

from errata.corpus.parses import HASH_DIGITS, INSTALL_ERRANT
from errata.corpus.unicode import warn_of_english
from errata.errors import RequestError, UsageError
from errata.formats.lines import decode_text, display_path, open_bytes
from errata.plugins import Plugins, check_function

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike

    from errata.corpus.corpus import Corpus
    from errata.corpus.parses import Span
    from errata.corpus.texts import Tokens
    from errata.language.tagging import Tagger
    from errata.settings import Detail


# --- The names of ERRANT's types: an operation, a colon and a category (Bryant et al. 2017, section 3).

UNKNOWN_TYPE = "UNK"
"""The type of an edit that changes nothing, or of an error that was marked but not corrected."""
_OPERATIONS = {"M": "missing", "R": "replacement", "U": "unnecessary"}
_ONE_SIDED = {
    "ADJ": "adjective",
    "ADV": "adverb",
    "CONJ": "conjunction",
    "CONTR": "contraction",
    "DET": "determiner",
    "NOUN": "noun",
    "NOUN:POSS": "possessive of a noun",
    "OTHER": "other errors",
    "PART": "particle",
    "PREP": "preposition",
    "PRON": "pronoun",
    "PUNCT": "punctuation",
    "VERB": "verb",
    "VERB:FORM": "verb form",
    "VERB:TENSE": "verb tense",
}
_TWO_SIDED = {
    "ADJ:FORM": "form of an adjective",
    "MORPH": "word form",
    "NOUN:INFL": "inflection of a noun",
    "NOUN:NUM": "number of a noun",
    "ORTH": "capitals or spaces",
    "SPELL": "spelling",
    "VERB:INFL": "inflection of a verb",
    "VERB:SVA": "agreement of subject and verb",
    "WO": "word order",
}
_TYPE_CATEGORIES = {**_ONE_SIDED, **_TWO_SIDED}
"""All categories, with what they mean."""
ERRANT_TYPES = frozenset(
    [*(f"{letter}:{name}" for letter in _OPERATIONS for name in _ONE_SIDED), *(f"R:{name}" for name in _TWO_SIDED), UNKNOWN_TYPE],
)
"""All types."""


def is_errant_type(name: str) -> bool:
    """Whether a type is written as ERRANT writes types."""
    return name == UNKNOWN_TYPE or (name[:1] in _OPERATIONS and name[1:2] == ":" and len(name) > len("M:"))


def explain_errant_type(name: str) -> str:
    """Explain a type, an operation or a category; empty if it is none of them.

    >>> explain_errant_type("M:DET"), explain_errant_type("DET"), explain_errant_type("U"), explain_errant_type("Prep")
    ('determiner (missing)', 'determiner', 'unnecessary', '')
    """
    if name in _OPERATIONS:
        return _OPERATIONS[name]
    operation, _, category = name.partition(":")
    if operation in _OPERATIONS and category in _TYPE_CATEGORIES:
        return f"{_TYPE_CATEGORIES[category]} ({_OPERATIONS[operation]})"
    if name == UNKNOWN_TYPE:
        return "marked as an error, but not corrected"
    return _TYPE_CATEGORIES.get(name, "")


def has_errant_types(corpus: Corpus) -> bool:
    """Whether the types of all edits are ERRANT's."""
    return all(map(is_errant_type, corpus.edit_types))


def shorten_type(name: str, detail: Detail) -> str:
    """Keep a part of a type of ERRANT; other types stay as they are, and so does UNK.

    >>> [shorten_type(name, "category") for name in ("R:VERB:SVA", "UNK", "ArtOrDet")], shorten_type("R:VERB:SVA", "operation")
    (['VERB:SVA', 'UNK', 'ArtOrDet'], 'R')
    """
    if detail == "full" or name == UNKNOWN_TYPE or not is_errant_type(name):
        return name
    return name[0] if detail == "operation" else name[2:]


# --- Types for edits without type: the rules of the CoNLL-2013 task, by parts of speech.
#
# Ng et al. 2013, section 6: an edit that changes a determiner is ArtOrDet; a preposition, Prep; the number of a noun, Nn; a verb,
# Vform or SVA, which cannot be distinguished reliably.  The rules are tried in this order, which is a setting; if no rule applies, the
# edit has no type.

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

_Tagged = tuple[str, str]
"""A word and its part of speech."""


def _classify_edit(old: Sequence[_Tagged], new: Sequence[_Tagged], order: Sequence[str] = ORDER) -> str | None:
    """Classify an edit that replaces words by others.

    >>> _classify_edit([("in", "IN")], [("on", "IN")]), _classify_edit([("dog", "NN")], [("the", "DT"), ("dog", "NN")])
    ('Prep', 'ArtOrDet')
    >>> _classify_edit([("system", "NN")], [("systems", "NNS")]), _classify_edit([("go", "VBP")], [("goes", "VBZ")])
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


def _find_change(old: Sequence[_Tagged], new: Sequence[_Tagged]) -> tuple[list[str], list[str]]:
    """List the tags of the words that occur on one side only, for both sides."""

    def only_in(one: Sequence[_Tagged], other: Sequence[_Tagged]) -> list[str]:
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
        from errata.formats.essays import TYPES

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
            types.append(_classify_edit(removed, added, self.order) or "")
        return types


def make_nucle(what: str) -> ChangeTyper:
    """Make the rules with a tagger, by default TextBlob."""
    from errata.language.tagging import find_tagger

    return ChangeTyper(find_tagger(what or "textblob"))


# Systems of error types: what gives edits their types, for scores by type, annotated texts and the report page.
# Installed packages add systems in the entry point group ``errata.types``, for any language.

_NEEDED = ("name", "language", "meanings", "types")


class GivesTypes(Protocol):
    """Gives edits their types."""

    def types(self, pairs: Sequence[tuple[Tokens, Tokens]], spans: Sequence[Sequence[Span]]) -> Sequence[Sequence[str]]:
        """Give the edits of every pair of source and corrected text their types, in order; an empty one is none."""


class TypeSystem(GivesTypes, Protocol):
    """A system of types, with all that must be known about it."""

    @property
    def name(self) -> str:
        """Its name and version, with all that can change a type; a part of signatures."""

    @property
    def language(self) -> str:
        """The language that it is made for, as in ``uk``; empty for any."""

    @property
    def meanings(self) -> Mapping[str, str]:
        """All its types, with what they mean in a few words."""


TYPE_SYSTEMS: Plugins[Callable[[str], TypeSystem]] = Plugins("type", check_function)
"""All systems by name: functions that take the text after ``NAME:`` and return a system."""


def find_type_system(text: str) -> TypeSystem:
    """Find a system: ``NAME`` or ``NAME:ARGUMENT``, such as ``errant`` or ``nucle:spacy``.

    >>> find_type_system("nucle").meanings["Prep"]
    'preposition'
    """
    name, _, what = text.partition(":")
    make = TYPE_SYSTEMS.find(name)
    made = TYPE_SYSTEMS.run(name, lambda: make(what))
    if lacking := [part for part in _NEEDED if not hasattr(made, part)]:
        raise RequestError(f"the type system {name!r} of {TYPE_SYSTEMS.package(name)} is not a type system: it has no {lacking[0]}")
    return made if TYPE_SYSTEMS.is_own(name) else _CheckedTypes(made, name)


class _CheckedTypes:
    """A system of another package, whose types are checked before they are used."""

    def __init__(self, system: TypeSystem, name: str) -> None:
        self._system, self._plugin = system, name
        self.name, self.language = system.name, system.language
        self.meanings = dict(system.meanings)

    def types(self, pairs: Sequence[tuple[Tokens, Tokens]], spans: Sequence[Sequence[Span]]) -> list[list[str]]:
        """Give edits their types; raise unless every edit gets one that is known, or none."""
        if self.language == "en":
            warn_of_english([source for source, _ in pairs], f"the types of {self.name} are for English")
        found = TYPE_SYSTEMS.run(self._plugin, lambda: [list(own) for own in self._system.types(pairs, spans)])
        if [len(own) for own in found] != [len(own) for own in spans]:
            self._refuse("one type for each edit", f"{sum(map(len, found))} for {sum(map(len, spans))}")
        for name in {name for own in found for name in own if name not in self.meanings and name != ""}:
            self._refuse("types that it explains", repr(name)[:42])
        return found  # type: ignore[no-any-return]

    def _refuse(self, expected: str, found: str) -> NoReturn:
        package = TYPE_SYSTEMS.package(self._plugin)
        raise RequestError(f"the type system {self._plugin!r} of {package} must give {expected}, found {found}")


# The words that ERRANT does not take for spelling errors: a list in the package ``errant``, found without importing it.

_IN_PACKAGE = ("en", "resources", "en_GB-large.txt")


@dataclass(frozen=True)
class WordList:
    """Words, with the beginning of the hash of their file; ``word in words`` asks for a word as it is written."""

    words: frozenset[str] = field(repr=False)
    fingerprint: str

    def __contains__(self, word: object) -> bool:
        return word in self.words

    def __len__(self) -> int:
        return len(self.words)


def read_word_list(path: str | PathLike[str]) -> WordList:
    """Read a list with one word in each line."""
    with open_bytes(str(path)) as file:
        content = file.read()
    words = frozenset(map(str.strip, decode_text(content, display_path(str(path))).split("\n")))
    return WordList(words - {""}, hashlib.sha256(content).hexdigest()[:HASH_DIGITS])


@cache
def find_word_list() -> WordList:
    """Find the list of the installed package ``errant``; it is read once."""
    from importlib.util import find_spec

    spec = find_spec("errant")
    if spec is None or spec.origin is None:  # a mere folder of this name has no origin
        raise RequestError(f"error types need the word list of the package errant: {INSTALL_ERRANT}")
    path = Path(spec.origin).parent.joinpath(*_IN_PACKAGE)
    if not path.is_file():
        raise RequestError(f"error types need the word list of the package errant 3, but there is no {path}: {INSTALL_ERRANT}")
    return read_word_list(path)
