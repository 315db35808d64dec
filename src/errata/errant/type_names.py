"""The names of ERRANT's types: an operation, a colon and a category (Bryant et al. 2017, section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from errata.corpus import Corpus

UNKNOWN_TYPE = "UNK"
"""The type of an edit that changes nothing, or of an error that was marked but not corrected."""
OPERATIONS = {"M": "missing", "R": "replacement", "U": "unnecessary"}
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
TYPE_CATEGORIES = {**_ONE_SIDED, **_TWO_SIDED}
"""All categories, with what they mean."""
ERRANT_TYPES = frozenset(
    [*(f"{letter}:{name}" for letter in OPERATIONS for name in _ONE_SIDED), *(f"R:{name}" for name in _TWO_SIDED), UNKNOWN_TYPE],
)
"""All types."""

Detail = Literal["operation", "category", "full"]
DETAILS: tuple[Detail, ...] = ("operation", "category", "full")
"""How much of a type is shown: ``M``, ``DET`` or ``M:DET``."""


_KEPT = "kept_has_errant_types"


def is_errant_type(name: str) -> bool:
    """Whether a type is written as ERRANT writes types."""
    return name == UNKNOWN_TYPE or (name[:1] in OPERATIONS and name[1:2] == ":" and len(name) > len("M:"))


def list_types() -> list[str]:
    """List all types, in order.

    >>> list_types()[:2], len(list_types())
    (['M:ADJ', 'M:ADV'], 55)
    """
    return sorted(ERRANT_TYPES)


def explain_errant_type(name: str) -> str:
    """Explain a type, an operation or a category; empty if it is none of them.

    >>> explain_errant_type("M:DET"), explain_errant_type("DET"), explain_errant_type("U"), explain_errant_type("Prep")
    ('determiner (missing)', 'determiner', 'unnecessary', '')
    """
    if name in OPERATIONS:
        return OPERATIONS[name]
    operation, _, category = name.partition(":")
    if operation in OPERATIONS and category in TYPE_CATEGORIES:
        return f"{TYPE_CATEGORIES[category]} ({OPERATIONS[operation]})"
    if name == UNKNOWN_TYPE:
        return "marked as an error, but not corrected"
    return TYPE_CATEGORIES.get(name, "")


def has_errant_types(corpus: Corpus) -> bool:
    """Whether the types of all edits are ERRANT's; it is found out once."""
    kept: bool | None = vars(corpus).get(_KEPT)
    if kept is None:
        types = {edit.type for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits}
        kept = vars(corpus)[_KEPT] = all(map(is_errant_type, types))
    return kept


def shorten_type(name: str, detail: Detail) -> str:
    """Keep a part of a type of ERRANT; other types stay as they are, and so does UNK.

    >>> [shorten_type(name, "category") for name in ("R:VERB:SVA", "UNK", "ArtOrDet")], shorten_type("R:VERB:SVA", "operation")
    (['VERB:SVA', 'UNK', 'ArtOrDet'], 'R')
    """
    if detail == "full" or name == UNKNOWN_TYPE or not is_errant_type(name):
        return name
    return name[0] if detail == "operation" else name[2:]
