"""The type of an edit by the rules of ERRANT (Bryant et al. 2017): M, R or U (missing, replaced or unnecessary) and a category."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errant.tokens import AUXILIARIES, DEPENDENCY_CATEGORIES, RARE_CATEGORIES, Token, find_only, take_tokens
from errata.errant.word_types import CONTRACTIONS, OTHER_TYPE, find_word_type
from errata.names import UNKNOWN_TYPE

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from errata.corpus.parses import Parse, Span


def classify_span(source: Parse, target: Parse, span: Span, words: Container[str]) -> str:
    """Find the type of an edit; ``words`` are those that are no misspellings.

    >>> from errata.corpus.parses import Parse
    >>> from errata.corpus.parses import Span
    >>> source = Parse(("cat",), ("cat",), ("NOUN",), ("NN",), (0,), ("ROOT",))
    >>> target = Parse(("cats",), ("cat",), ("NOUN",), ("NNS",), (0,), ("ROOT",))
    >>> classify_span(source, target, Span(0, 1, 0, 1), {"cat", "cats"})
    'R:NOUN:NUM'
    """
    start, end, target_start, target_end = span
    if source.forms[start:end] == target.forms[target_start:target_end]:
        return UNKNOWN_TYPE
    # An equal word at the end is no part of what is typed: Doctor -> The doctor is M:DET.
    while max(end - start, target_end - target_start) > 1 and start < end and target_start < target_end:
        if source.lower[end - 1] != target.lower[target_end - 1]:
            break
        end, target_end = end - 1, target_end - 1
    before, after = take_tokens(source, start, end), take_tokens(target, target_start, target_end)
    if not before:
        return f"M:{_find_one_sided_type(after)}"
    if not after:
        return f"U:{_find_one_sided_type(before)}"
    return f"R:{_find_two_sided_type(before, after, words)}"


def _find_one_sided_type(tokens: Sequence[Token]) -> str:
    if len(tokens) == 1:
        (token,) = tokens
        if token.tag == "POS":
            return "NOUN:POSS"
        if token.lower in CONTRACTIONS:
            return "CONTR"
        if token.lower == "to" and token.pos == "PART" and token.dep != "prep":
            return "VERB:FORM"
    if all(token.dep in AUXILIARIES for token in tokens):
        return "VERB:TENSE"
    return _find_common_category(tokens) or ("VERB" if {token.category for token in tokens} == {"PART", "VERB"} else OTHER_TYPE)


def _find_two_sided_type(before: Sequence[Token], after: Sequence[Token], words: Container[str]) -> str:
    lower, other_lower = [token.lower for token in before], [token.lower for token in after]
    if "".join(lower) == "".join(other_lower):
        return "ORTH"
    if sorted(lower) == sorted(other_lower):
        return "WO"
    if len(before) == len(after) == 1 and (found := find_word_type(before[0], after[0], words)):
        return found
    return _find_phrase_type(before, after)


def _find_phrase_type(before: Sequence[Token], after: Sequence[Token]) -> str:
    """Find the type of an edit of several tokens, or of one that no rule about single words fits."""
    tokens = [*before, *after]
    same_last_lemma = before[-1].lemma == after[-1].lemma
    categories = {token.category for token in tokens}
    if all(token.dep in AUXILIARIES for token in tokens) or (categories == {"VERB"} and same_last_lemma):
        return "VERB:TENSE"
    if found := _find_common_category(tokens):
        return found
    if categories == {"PART", "VERB"}:
        return "VERB:FORM" if same_last_lemma else "VERB"
    if before[0].lemma == after[0].lemma and any([token.category for token in side] == ["NOUN", "PART"] for side in (before, after)):
        return "NOUN:POSS"
    compares = not {before[0].lower, after[0].lower}.isdisjoint({"more", "most"})
    return "ADJ:FORM" if compares and same_last_lemma and max(len(before), len(after)) <= 2 else OTHER_TYPE  # noqa: PLR2004


def _find_common_category(tokens: Sequence[Token]) -> str | None:
    """Find the category that all tokens have, or that the dependency of all stands for."""
    category = find_only(token.category for token in tokens)
    if category is not None and category not in RARE_CATEGORIES:
        return category
    return DEPENDENCY_CATEGORIES.get(find_only(token.dep for token in tokens) or "")
