"""The type of an edit by the rules of ERRANT (Bryant et al. 2017): M, R or U (missing, replaced or unnecessary) and a category."""

from __future__ import annotations

import operator
import re
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from errata.core import compute_edit_distances
from errata.errors import InputError
from errata.language.types import UNKNOWN_TYPE

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from errata.corpus.parses import Parse, Span


# --- The Lancaster stemmer (Paice 1990), without prefixes: ERRANT's types use it to find words of one family.
#
# A rule is written as in the paper: an ending backwards, ``*`` if it applies to whole words only, the number of characters to remove,
# what to append, and ``>`` to go on or ``.`` to stop.

_STEMMING_RULES = """
    ai*2.    a*1.
    bb1.
    city3s.  ci2>     cn1t>
    dd1.     dei3y>   deec2ss. dee1.    de2>     dooh4>
    e1>
    feil1v.  fi2>
    gni3>    gai3y.   ga2>     gg1.
    ht*2.    hsiug5ct. hsi3>
    i*1.     i1y>
    ji1d.    juf1s.   ju1d.    jo1d.    jeh1r.   jrev1t.  jsim2t.  jn1d.    j1s.
    lbaifi6. lbai4y.  lba3>    lbi3.    lib2l>   lc1.     lufi4y.  luf3>    lu2.     lai3>    lau3>    la2>     ll1.
    mui3.    mu*2.    msi3>    mm1.
    nois4j>  noix4ct. noi3>    nai3>    na2>     nee0.    ne2>     nn1.
    pihs4>   pp1.
    re2>     rae0.    ra2.     ro2>     ru2>     rr1.     rt1>     rei3y>
    sei3y>   sis2.    si2>     ssen4>   ss0.     suo3>    su*2.    s*1>     s0.
    tacilp4y. ta2>    tnem4>   tne3>    tna3>    tpir2b.  tpro2b.  tcud1.   tpmus2.  tpec2iv. tulo2v.  tsis0.   tsi3>    tt1.
    uqi3.    ugo1.
    vis3j>   vie0.    vi2>
    ylb1>    yli3y>   ylp0.    yl2>     ygo1.    yhp1.    ymo1.    ypo1.    yti3>    yte3>    ytl2.    yrtsi5.  yra3>    yro3>
    yfi3.    ycn2t>   yca3>
    zi2>     zy1s.
"""
_VOWELS = frozenset("aeiouy")


class _Rule(NamedTuple):
    ending: str
    whole: bool
    """Whether the word must still be whole."""
    removed: int
    appended: str
    goes_on: bool


def _read_rules() -> dict[str, list[_Rule]]:
    """Read the rules, by the last letter of their endings."""
    rules: dict[str, list[_Rule]] = {}
    for backwards, star, removed, appended, then in re.findall(r"([a-z]+)(\*?)(\d)([a-z]*)([>.])", _STEMMING_RULES):
        rules.setdefault(backwards[0], []).append(_Rule(backwards[::-1], bool(star), int(removed), appended, then == ">"))
    return rules


_BY_LETTER = _read_rules()


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    """Return the stem of a word.

    >>> _stem("maximum"), _stem("presumably"), _stem("multiply"), _stem("owed")
    ('maxim', 'presum', 'multiply', 'ow')
    """
    whole = current = word.lower()
    while rule := _find_rule(current, is_whole=current == whole):
        current = current[: len(current) - rule.removed] + rule.appended
        if not rule.goes_on:
            break
    return current


def _find_rule(word: str, *, is_whole: bool) -> _Rule | None:
    """Find the first rule that applies; rules are listed under the last letter before anything that is no letter."""
    letters = next((index for index, character in enumerate(word) if not character.isalpha()), len(word))
    for rule in _BY_LETTER.get(word[letters - 1], ()) if letters else ():
        if word.endswith(rule.ending) and (is_whole or not rule.whole) and _leaves_a_stem(word, len(word) - rule.removed):
            return rule
    return None


def _leaves_a_stem(word: str, length: int) -> bool:
    """Tell whether enough is left: two characters after a vowel, else three with a vowel among the second and the third."""
    if word[0] in _VOWELS:
        return length >= 2  # noqa: PLR2004 - as the docstring says
    return length >= 3 and not _VOWELS.isdisjoint(word[1:3])  # noqa: PLR2004


_TAGS = {
    "DET": "DT PDT PRP$ WDT WP$",
    "PRON": "EX PRP WP",
    "PREP": "IN",
    "PART": "POS RP TO",
    "VERB": "MD VB VBD VBG VBN VBP VBZ BES HVS",
    "NOUN": "NN NNP NNPS NNS",
    "ADJ": "AFX JJ JJR JJS",
    "ADV": "RB RBR RBS WRB",
    "CONJ": "CC",
    "NUM": "CD",
    "INTJ": "UH",
    "SYM": "# $ SYM",
    "PUNCT": "'' `` \"\" , . : -LRB- -RRB- HYPH",
    "X": "FW LS NIL ADD GW NFP XX",
    "SPACE": "SP _SP",
}
_CATEGORIES = {tag: category for category, tags in _TAGS.items() for tag in tags.split()}
"""The category of each tag of the Penn Treebank."""
_RARE_CATEGORIES = frozenset({"INTJ", "NUM", "SYM", "X"})
"""Categories that say too little to be a type."""
_OPEN_CATEGORIES = frozenset({"ADJ", "ADV", "NOUN", "VERB"})
_DEPENDENCY_CATEGORIES = {"acomp": "ADJ", "amod": "ADJ", "advmod": "ADV", "det": "DET", "prep": "PREP", "prt": "PART", "punct": "PUNCT"}
"""The category that a dependency stands for."""
_AUXILIARIES = frozenset({"aux", "auxpass"})


class _Token(NamedTuple):
    """A token of a parsed sentence."""

    form: str
    lower: str
    lemma: str
    pos: str
    tag: str
    category: str
    dep: str
    parse: Parse
    position: int

    @property
    def is_auxiliary(self) -> bool:
        """Whether it depends on its head as an auxiliary."""
        return self.dep.startswith("aux")

    @property
    def has_auxiliary(self) -> bool:
        """Whether an auxiliary depends on it."""
        return any(self.parse.deps[child] in _AUXILIARIES for child in self.parse.children[self.position])

    @property
    def follows_another_auxiliary(self) -> bool:
        """Whether the first auxiliary of its head is another word."""
        parse = self.parse
        first = next((child for child in parse.children[parse.heads[self.position]] if parse.deps[child].startswith("aux")), None)
        return first is not None and parse.forms[first] != self.form


def _take_tokens(parse: Parse, start: int, end: int) -> list[_Token]:
    return [_take_token(parse, position) for position in range(start, end)]


def _take_token(parse: Parse, position: int) -> _Token:
    tag = parse.tags[position]
    if tag not in _CATEGORIES:
        raise InputError(
            f"the tag of a token must be one of the Penn Treebank, such as NN or VBZ, found {tag!r:.40} for {parse.forms[position]!r:.40}"
        )
    return _Token(
        parse.forms[position],
        parse.lower[position],
        parse.lemmas[position],
        parse.pos[position],
        tag,
        _CATEGORIES[tag],
        parse.deps[position],
        parse,
        position,
    )


def _find_only(values: Iterable[str]) -> str | None:
    """Return the value if all are the same.

    >>> _find_only(["DET", "DET"]), _find_only(["DET", "NOUN"])
    ('DET', None)
    """
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None


# --- The type of an edit that replaces one word by one: a list of rules, of which the first that fits gives the type.

_OTHER_TYPE = "OTHER"
_CONTRACTIONS = frozenset({"'d", "'ll", "'m", "n't", "'re", "'s", "'ve"})
_SHORT_FORMS = {"ca": "can", "sha": "shall", "wo": "will"}  # as in can't, which is two tokens


def _find_word_type(before: _Token, after: _Token, words: Container[str]) -> str | None:
    """Find the type of a replaced word; None if no rule fits."""
    for rule in _TYPE_RULES:
        if found := rule(before, after, words):
            return found
    return None


def _find_possessive_or_contraction(before: _Token, after: _Token, _: Container[str]) -> str | None:
    lower = {before.lower, after.lower}
    if "POS" in {before.tag, after.tag}:
        return "NOUN:POSS"
    if not lower.isdisjoint(_CONTRACTIONS) and before.category == after.category:
        return "CONTR"
    if not lower.isdisjoint(_SHORT_FORMS):
        return "CONTR" if lower in _CONTRACTED else "VERB:TENSE"
    return "VERB:SVA" if lower == {"was", "were"} else None


_CONTRACTED = [set(pair) for pair in _SHORT_FORMS.items()]


def _find_misspelling(before: _Token, after: _Token, words: Container[str]) -> str | None:
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
    return after.category if after.category not in _RARE_CATEGORIES else _OTHER_TYPE


def _find_inflection(before: _Token, after: _Token, _: Container[str]) -> str | None:
    """Find the type of another form of the same word."""
    categories = {before.category, after.category}
    if before.lemma != after.lemma or not categories <= _OPEN_CATEGORIES:
        return None
    if categories == {"NOUN"} or (before.category == "ADJ" and after.tag == "NNS" and not _are_attributes(before, after)):
        return "NOUN:NUM"
    if categories == {"VERB"} and (found := _find_verb_form(before, after)):
        return found
    if categories == {"ADJ"} or _are_attributes(before, after):
        return "ADJ:FORM"
    return _VERB_TAGS.get(after.tag, "MORPH")


def _find_family(before: _Token, after: _Token, _: Container[str]) -> str | None:
    """Find the type of another word of the same family."""
    is_open = {before.category, after.category} <= _OPEN_CATEGORIES
    return "MORPH" if is_open and _stem(before.form) == _stem(after.form) else None


def _are_attributes(before: _Token, after: _Token) -> bool:
    return {before.dep, after.dep} <= {"acomp", "amod"}


_VERB_TAGS = {"VBG": "VERB:FORM", "VBN": "VERB:FORM", "VBD": "VERB:TENSE", "VBZ": "VERB:SVA"}


def _find_verb_form(before: _Token, after: _Token) -> str | None:
    tags = {before.tag, after.tag}
    if _are_preceded_by_auxiliaries(before, after) or not tags.isdisjoint({"VBG", "VBN"}):
        return "VERB:FORM"
    if "VBD" in tags:
        return "VERB:TENSE"
    if "VBZ" in tags:
        return "VERB:SVA"
    return "VERB:TENSE" if before.is_auxiliary and after.is_auxiliary else None


def _are_preceded_by_auxiliaries(before: _Token, after: _Token) -> bool:
    if before.is_auxiliary and after.is_auxiliary:
        return before.follows_another_auxiliary and after.follows_another_auxiliary
    return before.has_auxiliary and after.has_auxiliary


def _find_same_category(before: _Token, after: _Token, _: Container[str]) -> str | None:
    if before.is_auxiliary and after.is_auxiliary:
        return "VERB:TENSE"
    category = _find_only((before.category, after.category))
    if category is not None and category not in _RARE_CATEGORIES:
        return category
    return _DEPENDENCY_CATEGORIES.get(_find_only((before.dep, after.dep)) or "")


_OBJECTS_AND_SUBJECTS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj"})


def _find_function_word(before: _Token, after: _Token, _: Container[str]) -> str | None:
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
    return _OTHER_TYPE if lower == {"no", "not"} else None


def _find_by_characters(before: _Token, after: _Token, _: Container[str]) -> str | None:
    """Find the type of words that have nothing in common but characters."""
    if not (before.form.isalpha() and after.form.isalpha()):
        return _OTHER_TYPE
    is_rare = after.category in _RARE_CATEGORIES
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


def _list_by_characters(before: _Token, after: _Token) -> Iterator[str]:
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


def _compute_similarity(before: _Token, after: _Token) -> float:
    """Compute one minus the edit distance divided by the longer length."""
    one, other = before.lower, after.lower
    return float(1 - compute_edit_distances([one], [other])[0, 0] / max(len(one), len(other)))


_TYPE_RULES: list[Callable[[_Token, _Token, Container[str]], str | None]] = [
    _find_possessive_or_contraction,
    _find_misspelling,
    _find_inflection,
    _find_family,
    _find_same_category,
    _find_function_word,
    _find_by_characters,
]


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
    before, after = _take_tokens(source, start, end), _take_tokens(target, target_start, target_end)
    if not before:
        return f"M:{_find_one_sided_type(after)}"
    if not after:
        return f"U:{_find_one_sided_type(before)}"
    return f"R:{_find_two_sided_type(before, after, words)}"


def _find_one_sided_type(tokens: Sequence[_Token]) -> str:
    if len(tokens) == 1:
        (token,) = tokens
        if token.tag == "POS":
            return "NOUN:POSS"
        if token.lower in _CONTRACTIONS:
            return "CONTR"
        if token.lower == "to" and token.pos == "PART" and token.dep != "prep":
            return "VERB:FORM"
    if all(token.dep in _AUXILIARIES for token in tokens):
        return "VERB:TENSE"
    return _find_common_category(tokens) or ("VERB" if {token.category for token in tokens} == {"PART", "VERB"} else _OTHER_TYPE)


def _find_two_sided_type(before: Sequence[_Token], after: Sequence[_Token], words: Container[str]) -> str:
    lower, other_lower = [token.lower for token in before], [token.lower for token in after]
    if "".join(lower) == "".join(other_lower):
        return "ORTH"
    if sorted(lower) == sorted(other_lower):
        return "WO"
    if len(before) == len(after) == 1 and (found := _find_word_type(before[0], after[0], words)):
        return found
    return _find_phrase_type(before, after)


def _find_phrase_type(before: Sequence[_Token], after: Sequence[_Token]) -> str:
    """Find the type of an edit of several tokens, or of one that no rule about single words fits."""
    tokens = [*before, *after]
    same_last_lemma = before[-1].lemma == after[-1].lemma
    categories = {token.category for token in tokens}
    if all(token.dep in _AUXILIARIES for token in tokens) or (categories == {"VERB"} and same_last_lemma):
        return "VERB:TENSE"
    if found := _find_common_category(tokens):
        return found
    if categories == {"PART", "VERB"}:
        return "VERB:FORM" if same_last_lemma else "VERB"
    if before[0].lemma == after[0].lemma and any([token.category for token in side] == ["NOUN", "PART"] for side in (before, after)):
        return "NOUN:POSS"
    compares = not {before[0].lower, after[0].lower}.isdisjoint({"more", "most"})
    return "ADJ:FORM" if compares and same_last_lemma and max(len(before), len(after)) <= 2 else _OTHER_TYPE  # noqa: PLR2004


def _find_common_category(tokens: Sequence[_Token]) -> str | None:
    """Find the category that all tokens have, or that the dependency of all stands for."""
    category = _find_only(token.category for token in tokens)
    if category is not None and category not in _RARE_CATEGORIES:
        return category
    return _DEPENDENCY_CATEGORIES.get(_find_only(token.dep for token in tokens) or "")
