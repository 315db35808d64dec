"""The type of an edit that replaces one word by one: a list of rules, of which the first that fits gives the type."""

from __future__ import annotations

import operator
import sys
from typing import TYPE_CHECKING, NamedTuple

from errata.core import compute_edit_distances
from errata.errant.stemming import stem
from errata.errant.tokens import DEPENDENCY_CATEGORIES, OPEN_CATEGORIES, RARE_CATEGORIES, Token, find_only

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

OTHER_TYPE = "OTHER"
CONTRACTIONS = frozenset({"'d", "'ll", "'m", "n't", "'re", "'s", "'ve"})
_SHORT_FORMS = {"ca": "can", "sha": "shall", "wo": "will"}  # as in can't, which is two tokens


def find_word_type(before: Token, after: Token, words: Container[str]) -> str | None:
    """Find the type of a replaced word; None if no rule fits."""
    for rule in _RULES:
        if found := rule(before, after, words):
            return found
    return None


def _find_possessive_or_contraction(before: Token, after: Token, _: Container[str]) -> str | None:
    lower = {before.lower, after.lower}
    if "POS" in {before.tag, after.tag}:
        return "NOUN:POSS"
    if not lower.isdisjoint(CONTRACTIONS) and before.category == after.category:
        return "CONTR"
    if not lower.isdisjoint(_SHORT_FORMS):
        return "CONTR" if lower in _CONTRACTED else "VERB:TENSE"
    return "VERB:SVA" if lower == {"was", "were"} else None


_CONTRACTED = [set(pair) for pair in _SHORT_FORMS.items()]


def _find_misspelling(before: Token, after: Token, words: Container[str]) -> str | None:
    """Find the type of a word that is not in the list of words."""
    if not before.form.isalpha() or before.form in words or before.lower in words:
        return None
    if before.lemma == after.lemma:
        if before.category == after.category and before.category in {"NOUN", "VERB"}:
            return f"{before.category}:INFL"
        return "MORPH"
    similarity = _compute_similarity(before, after)
    short = len(before.form) <= 4 and len(after.form) <= 4  # noqa: PLR2004 - as are the numbers of ERRANT below
    if similarity > 0.55 or (short and round(similarity, 3) in {0.5, 0.333}):  # noqa: PLR2004
        return "SPELL"
    return after.category if after.category not in RARE_CATEGORIES else OTHER_TYPE


def _find_inflection(before: Token, after: Token, _: Container[str]) -> str | None:
    """Find the type of another form of the same word."""
    categories = {before.category, after.category}
    if before.lemma != after.lemma or not categories <= OPEN_CATEGORIES:
        return None
    if categories == {"NOUN"} or (before.category == "ADJ" and after.tag == "NNS" and not _are_attributes(before, after)):
        return "NOUN:NUM"
    if categories == {"VERB"} and (found := _find_verb_form(before, after)):
        return found
    if categories == {"ADJ"} or _are_attributes(before, after):
        return "ADJ:FORM"
    return _VERB_TAGS.get(after.tag, "MORPH")


def _find_family(before: Token, after: Token, _: Container[str]) -> str | None:
    """Find the type of another word of the same family."""
    is_open = {before.category, after.category} <= OPEN_CATEGORIES
    return "MORPH" if is_open and stem(before.form) == stem(after.form) else None


def _are_attributes(before: Token, after: Token) -> bool:
    return {before.dep, after.dep} <= {"acomp", "amod"}


_VERB_TAGS = {"VBG": "VERB:FORM", "VBN": "VERB:FORM", "VBD": "VERB:TENSE", "VBZ": "VERB:SVA"}


def _find_verb_form(before: Token, after: Token) -> str | None:
    tags = {before.tag, after.tag}
    if _are_preceded_by_auxiliaries(before, after) or not tags.isdisjoint({"VBG", "VBN"}):
        return "VERB:FORM"
    if "VBD" in tags:
        return "VERB:TENSE"
    if "VBZ" in tags:
        return "VERB:SVA"
    return "VERB:TENSE" if before.is_auxiliary and after.is_auxiliary else None


def _are_preceded_by_auxiliaries(before: Token, after: Token) -> bool:
    if before.is_auxiliary and after.is_auxiliary:
        return before.follows_another_auxiliary and after.follows_another_auxiliary
    return before.has_auxiliary and after.has_auxiliary


def _find_same_category(before: Token, after: Token, _: Container[str]) -> str | None:
    if before.is_auxiliary and after.is_auxiliary:
        return "VERB:TENSE"
    category = find_only((before.category, after.category))
    if category is not None and category not in RARE_CATEGORIES:
        return category
    return DEPENDENCY_CATEGORIES.get(find_only((before.dep, after.dep)) or "")


_OBJECTS_AND_SUBJECTS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj"})


def _find_function_word(before: Token, after: Token, _: Container[str]) -> str | None:
    categories, lower = {before.category, after.category}, {before.lower, after.lower}
    if categories == {"PART", "PREP"} or {before.dep, after.dep} == {"prt", "prep"}:
        return "PART"
    if categories == {"DET", "PRON"}:
        if after.dep in _OBJECTS_AND_SUBJECTS:
            return "PRON"
        if after.dep == "poss":
            return "DET"
    if categories == {"NUM", "DET"} or lower == {"other", "another"}:
        return "DET"
    if (before.lower, after.lower) == ("your", "yours"):
        return "PRON"
    return OTHER_TYPE if lower == {"no", "not"} else None


def _find_by_characters(before: Token, after: Token, _: Container[str]) -> str | None:
    """Find the type of words that have nothing in common but characters."""
    if not (before.form.isalpha() and after.form.isalpha()):
        return OTHER_TYPE
    is_rare = after.category in RARE_CATEGORIES
    for found in _list_by_characters(before, after):
        if found != _CATEGORY:
            return found
        if not is_rare:
            return after.category
    return None


_CATEGORY = "the category of the correction"
_WORD_PAIRS = {
    ("the", "that"): "PRON",
    ("all", "everything"): "PRON",
    ("that", "what"): "PRON",
    ("what", "that"): "PRON",
    ("good", "well"): _CATEGORY,
    ("well", "good"): _CATEGORY,
    ("after", "later"): _CATEGORY,
    ("later", "after"): _CATEGORY,
    ("therefor", "therefore"): "SPELL",
    ("though", "thought"): "SPELL",
    ("thought", "though"): "SPELL",
}


class _Likeness(NamedTuple):
    """A type of words of some lengths whose similarity compares with a number in some way."""

    lengths: range
    other_lengths: range
    compare: Callable[[float, float], bool]
    similarity: float
    type: str


_LONG = range(6, sys.maxsize)
_LIKENESSES = [
    _Likeness(range(1, 2), range(2, 3), operator.eq, 0.5, "SPELL"),
    _Likeness(range(2, 3), range(2, 4), operator.ge, 0.5, "SPELL"),
    _Likeness(range(3, 4), range(2, 5), operator.ge, 0.5, "SPELL"),
    _Likeness(range(4, 5), range(3, 4), operator.gt, 0.5, "SPELL"),
    _Likeness(range(4, 5), range(4, 5), operator.ge, 0.5, "SPELL"),
    _Likeness(range(4, 5), range(5, 6), operator.eq, 0.8, "SPELL"),
    _Likeness(range(4, 5), _LONG, operator.gt, 0.5, _CATEGORY),
    _Likeness(range(5, 6), range(4, 5), operator.eq, 0.8, "SPELL"),
    _Likeness(range(5, 6), range(5, 6), operator.ge, 0.6, "SPELL"),
    _Likeness(range(5, 6), _LONG, operator.ge, 0.0, _CATEGORY),
    _Likeness(_LONG, _LONG, operator.gt, 0.8, "SPELL"),
    _Likeness(_LONG, _LONG, operator.lt, 0.55, _CATEGORY),
]
_SIMILAR_BEGINNINGS = 0.66


def _list_by_characters(before: Token, after: Token) -> Iterator[str]:
    """List the types that the characters of two words speak for, in the order in which they count."""
    one, other = before.lower, after.lower
    if (one, other) in _WORD_PAIRS:
        yield _WORD_PAIRS[one, other]
    similarity = _compute_similarity(before, after)
    if len(one) in _LONG and len(other) in _LONG and similarity >= _SIMILAR_BEGINNINGS and _begin_alike(before.form, after.form):
        yield "MORPH"
    for likeness in _LIKENESSES:
        if len(one) in likeness.lengths and len(other) in likeness.other_lengths and likeness.compare(similarity, likeness.similarity):
            yield likeness.type


def _begin_alike(one: str, other: str) -> bool:
    """Tell whether one word is the beginning of the other, in the same case."""
    return one.startswith(other) or other.startswith(one)


def _compute_similarity(before: Token, after: Token) -> float:
    """Compute one minus the edit distance divided by the longer length."""
    one, other = before.lower, after.lower
    return float(1 - compute_edit_distances([one], [other])[0, 0] / max(len(one), len(other)))


_RULES: list[Callable[[Token, Token, Container[str]], str | None]] = [
    _find_possessive_or_contraction,
    _find_misspelling,
    _find_inflection,
    _find_family,
    _find_same_category,
    _find_function_word,
    _find_by_characters,
]
