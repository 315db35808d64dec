"""The types of edits: a case for every rule, by hand-made parses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.corpus.parses import Parse, Span
from errata.errors import InputError
from errata.language.errant_types import classify_span

from errant_strategies import parsed_pairs
from thoroughness import often

MISSPELT = {"teh", "xyz", "childs", "goed", "thinged", "thikn", "abcd", "qwertyuiop", "In"}


class KnownWords:
    """Every word but some."""

    def __contains__(self, word: object) -> bool:
        return word not in MISSPELT


def parse_of(text: str) -> Parse:
    """Words as ``form/lemma/tag/dep``, perhaps with a part of speech, perhaps with the number of the head, from 0."""
    rows = [word.split("/") for word in text.split()]
    forms, lemmas, tags, deps = (tuple(row[index] for row in rows) for index in range(4))
    pos = tuple(row[4] if len(row) > 4 else "X" for row in rows)
    heads = tuple(int(row[5]) if len(row) > 5 else index for index, row in enumerate(rows))
    return Parse(forms, lemmas, pos, tags, heads, deps)


def type_of(source: str, target: str, span: Span | None = None) -> str:
    one, other = parse_of(source), parse_of(target)
    return classify_span(one, other, span or Span(0, len(one.forms), 0, len(other.forms)), KnownWords())


FRAME = [
    ("UNK", "", ""),
    ("UNK", "cat/cat/NN/dep", "cat/cat/NNS/dep"),
    ("M:DET", "", "the/the/DT/det"),
    ("U:DET", "the/the/DT/det", ""),
    ("M:DET", "Doctor/doctor/NN/dep", "The/the/DT/det doctor/doctor/NN/dep"),
    ("U:DET", "The/the/DT/det doctor/doctor/NN/dep", "Doctor/doctor/NN/dep"),
    ("R:PREP", "in/in/IN/x Home/home/NN/y", "at/at/IN/x home/home/NN/y"),
    ("R:ORTH", "Cat/cat/NN/dep", "cat/cat/NN/dep"),
]
ONE_SIDED = [
    ("NOUN:POSS", "'s/'s/POS/case"),
    ("CONTR", "'s/be/VBZ/aux"),
    ("CONTR", "N'T/not/RB/neg"),
    ("VERB:FORM", "to/to/TO/aux/PART"),
    ("PART", "to/to/TO/prep/PART"),
    ("PREP", "to/to/IN/mark/ADP"),
    ("VERB:TENSE", "has/have/VBZ/aux"),
    ("VERB:TENSE", "has/have/VBZ/aux been/be/VBN/auxpass"),
    ("VERB:TENSE", "to/to/TO/aux has/have/VBZ/aux"),
    ("NOUN", "cat/cat/NN/dep cats/cat/NNS/pobj"),
    ("CONJ", "and/and/CC/cc"),
    ("PRON", "it/it/PRP/dobj"),
    ("PUNCT", ",/,/,/punct"),
    ("SPACE", "_/_/_SP/dep"),
    ("OTHER", "3/3/CD/nummod"),
    ("OTHER", "oh/oh/UH/intj"),
    ("ADJ", "3/3/CD/amod"),
    ("ADJ", "well/well/RB/acomp good/good/JJ/acomp"),
    ("ADV", "most/most/DT/advmod not/not/RB/advmod"),
    ("OTHER", "well/well/RB/acomp good/good/JJ/amod"),
    ("PREP", "out/out/RP/prep of/of/IN/prep"),
    ("PART", "out/out/UH/prt"),
    ("VERB", "to/to/TO/mark go/go/VB/xcomp"),
    ("OTHER", "a/a/DT/det cat/cat/NN/dobj"),
]
ALL_LENGTHS = [
    ("ORTH", "New/new/JJ/dep york/york/NN/dep", "newyork/newyork/NN/dep"),
    ("WO", "only/only/RB/x can/can/MD/y", "Can/can/MD/y only/only/RB/x"),
    ("WO", "a/a/DT/x b/b/NN/y c/c/NN/z", "b/b/NN/y C/c/NN/z a/a/DT/x"),
]
ONE_WORD = [
    ("1", "NOUN:POSS", "'s/'s/POS/case", "is/be/VBZ/x"),
    ("2", "CONTR", "'ll/will/MD/x", "would/would/MD/x"),
    ("2, another category", "OTHER", "'ll/will/MD/x", "x1/x1/NN/y"),
    ("3", "CONTR", "ca/can/MD/x", "can/can/MD/x"),
    ("3", "CONTR", "shall/shall/MD/x", "sha/sha/NN/x"),
    ("4", "VERB:TENSE", "wo/will/MD/x", "would/would/MD/x"),
    ("5", "VERB:SVA", "Was/be/VBD/x", "were/be/VBD/x"),
    ("6, inflection", "NOUN:INFL", "childs/child/NNS/x", "children/child/NNS/x"),
    ("6, inflection", "VERB:INFL", "goed/go/VBD/x", "went/go/VBD/x"),
    ("6, same lemma", "MORPH", "thinged/thing/VBD/x", "things/thing/NNS/x"),
    ("6, similar", "SPELL", "thikn/thikn/NN/x", "think/think/VB/x"),
    ("6, similar and short", "SPELL", "teh/teh/NN/x", "the/the/DT/x"),
    ("6, similar and short, to a half", "SPELL", "abcd/abcd/NN/x", "abxy/x/DT/x"),
    ("6, not similar enough", "DET", "xyz/xyz/NN/x", "every/every/DT/x"),
    ("6, not similar, rare", "OTHER", "qwertyuiop/q/NN/x", "three/three/CD/x"),
    ("6, known as it is written", "OTHER", "Xyz/xyz/NN/x", "of/of/IN/x"),
    ("6, known in lower case", "PREP", "In/in/IN/x", "at/at/IN/x"),
    ("7, adjectives", "ADJ:FORM", "big/big/JJ/x", "bigger/big/JJR/x"),
    ("7, nouns", "NOUN:NUM", "cat/cat/NN/x", "cats/cat/NNS/x"),
    ("7, VBG or VBN", "VERB:FORM", "eat/eat/VB/x", "eating/eat/VBG/x"),
    ("7, VBD", "VERB:TENSE", "eats/eat/VBZ/x", "ate/eat/VBD/x"),
    ("7, VBZ", "VERB:SVA", "eat/eat/VBP/x", "eats/eat/VBZ/x"),
    ("7, auxiliaries", "VERB:TENSE", "can/can/MD/aux", "could/can/MD/auxpass"),
    ("7, attributes", "ADJ:FORM", "interest/interest/NN/amod", "interesting/interest/JJ/acomp"),
    ("7, adjective to plural", "NOUN:NUM", "human/human/JJ/x", "humans/human/NNS/x"),
    ("7, tag of the correction", "VERB:FORM", "use/use/NN/x", "using/use/VBG/x"),
    ("7, tag of the correction", "VERB:TENSE", "use/use/NN/x", "used/use/VBD/x"),
    ("7, tag of the correction", "VERB:SVA", "use/use/NN/x", "uses/use/VBZ/x"),
    ("7, other", "MORPH", "use/use/NN/x", "use1/use/VB/x"),
    ("7, both verbs and nothing else", "MORPH", "eat/eat/VB/x", "eatt/eat/VBP/x"),
    ("8", "MORPH", "happy/happy/JJ/x", "happily/happily/RB/x"),
    ("9", "VERB:TENSE", "has/have/VBZ/aux", "to/to/TO/aux"),
    ("10", "PREP", "in/in/IN/x", "at/at/IN/y"),
    ("10", "ADJ", "big/big/JJ/x", "large/large/JJ/y"),
    ("10", "NOUN", "cat/cat/NN/x", "dog/dog/NN/y"),
    ("10", "CONJ", "and/and/CC/cc", "or/or/CC/cc"),
    ("10", "PUNCT", ",/,/,/punct", "././:/punct"),
    ("10, rare", "OTHER", "2/2/CD/x", "3/3/CD/y"),
    ("11", "ADV", "well/well/JJ/advmod", "often/often/RB/advmod"),
    ("12, categories", "PART", "to/to/TO/x", "for/for/IN/y"),
    ("12, dependencies", "PART", "up/up/RB/prt", "on/on/NN/prep"),
    ("13, object", "PRON", "this/this/DT/x", "it/it/PRP/dobj"),
    ("13, possessive", "DET", "it/it/PRP/x", "its/its/PRP$/poss"),
    ("13, else", "OTHER", "it/it/PRP/x", "these/this/DT/y"),
    ("14, number", "DET", "one/one/CD/x", "a/a/DT/y"),
    ("14, other", "DET", "other/other/JJ/x", "another/another/DT/y"),
    ("14, yours", "PRON", "your/your/PRP$/x", "yours/yours/NN/y"),
    ("14, no", "OTHER", "no/no/DT/x", "not/not/RB/y"),
    ("15", "OTHER", "a1/a1/NN/x", "ab/ab/IN/y"),
    ("16, one letter", "SPELL", "a/a/DT/x", "as/as/IN/y"),
    ("16, two letters", "SPELL", "is/be/VBZ/x", "its/its/PRP$/y"),
    ("16, two letters, less similar", "OTHER", "is/be/VBZ/x", "the/the/DT/y"),
    ("16, the", "PRON", "the/the/DT/x", "that/that/IN/y"),
    ("16, all", "PRON", "all/all/DT/x", "everything/everything/NN/y"),
    ("16, three letters", "SPELL", "for/for/IN/x", "four/four/CD/y"),
    ("16, that", "PRON", "What/what/WP/x", "that/that/IN/y"),
    ("16, good", "ADV", "good/good/JJ/x", "well/well/RB/y"),
    ("16, four and three letters", "SPELL", "then/then/RB/x", "the/the/DT/y"),
    ("16, four letters", "SPELL", "form/form/NN/x", "from/from/IN/y"),
    ("16, four and five letters", "SPELL", "were/be/VBD/x", "where/where/WRB/y"),
    ("16, four and more letters", "NOUN", "some/some/DT/x", "someone/someone/NN/y"),
    ("16, four and more letters, rare", "OTHER", "some/some/IN/x", "someoo/someoo/CD/y"),
    ("16, after", "ADV", "after/after/IN/x", "later/later/RB/y"),
    ("16, after, rare", "SPELL", "after/after/IN/x", "later/later/CD/y"),
    ("16, five and four letters", "SPELL", "there/there/EX/x", "here/here/RB/y"),
    ("16, five letters", "SPELL", "their/their/PRP$/x", "there/there/RB/y"),
    ("16, five and more letters", "NOUN", "their/their/PRP$/x", "weather/weather/NN/y"),
    ("16, therefor", "SPELL", "therefor/therefor/IN/x", "therefore/therefore/RB/y"),
    ("16, though", "SPELL", "thought/think/VBD/x", "though/though/IN/y"),
    ("16, one begins with the other", "MORPH", "within/within/IN/x", "withinly/withinly/RB/y"),
    ("16, one begins with the other in another case", "OTHER", "Within/within/IN/x", "withinly/withinly/RB/y"),
    ("16, long and similar", "SPELL", "through/through/IN/x", "thorough/thorough/JJ/y"),
    ("16, long and different", "NOUN", "although/although/IN/x", "weather/weather/NN/y"),
    ("16, long and not so different", "OTHER", "without/without/IN/x", "withers/wither/NN/y"),
    ("17", "OTHER", "of/of/IN/x", "however/however/RB/y"),
    ("17, comparison", "OTHER", "more/much/JJR/x", "much/many/DT/y"),
    ("17, comparison", "ADJ:FORM", "most/much/DT/x", "mucher/much/JJR/y"),
]
SEVERAL = [
    ("VERB:TENSE", "has/have/VBZ/aux", "will/will/MD/aux be/be/VB/auxpass"),
    ("VERB:TENSE", "eats/eat/VBZ/x", "was/be/VBD/aux eating/eat/VBG/x"),
    ("VERB", "eats/eat/VBZ/x", "was/be/VBD/aux drinking/drink/VBG/x"),
    ("NOUN", "cat/cat/NN/x", "big/big/NN/x dog/dog/NN/y"),
    ("OTHER", "2/2/CD/x", "2/2/CD/x 3/3/CD/y"),
    ("PREP", "out/out/RP/prep", "out/out/RB/prep of/of/IN/prep"),
    ("VERB:FORM", "eating/eat/VBG/x", "to/to/TO/y eat/eat/VB/x"),
    ("VERB", "eating/eat/VBG/x", "to/to/TO/y drink/drink/VB/x"),
    ("NOUN:POSS", "friends/friend/NNS/x", "friend/friend/NN/x 's/'s/POS/y"),
    ("OTHER", "friends/friend/NNS/x", "cat/cat/NN/x 's/'s/POS/y"),
    ("ADJ:FORM", "bigger/big/JJR/x", "More/more/RBR/y big/big/JJ/x"),
    ("OTHER", "bigger/big/JJR/x", "more/more/RBR/y very/very/RB/z big/big/JJ/x"),
    ("OTHER", "a/a/DT/x cat/cat/NN/y", "the/the/DT/x dogs/dog/NNS/y bark/bark/VB/z"),
]


@pytest.mark.parametrize(("expected", "source", "target"), FRAME)
def test_the_frame(expected: str, source: str, target: str) -> None:
    assert type_of(source, target) == expected


@pytest.mark.parametrize(("expected", "tokens"), ONE_SIDED)
def test_missing_and_unnecessary_words(expected: str, tokens: str) -> None:
    assert (type_of("", tokens), type_of(tokens, "")) == (f"M:{expected}", f"U:{expected}")


@pytest.mark.parametrize(("expected", "source", "target"), ALL_LENGTHS + SEVERAL)
def test_several_words(expected: str, source: str, target: str) -> None:
    assert type_of(source, target) == f"R:{expected}"


@pytest.mark.parametrize(("row", "expected", "source", "target"), ONE_WORD)
def test_each_row_for_one_word(row: str, expected: str, source: str, target: str) -> None:
    assert type_of(source, target) == f"R:{expected}", row


LAST = Span(1, 2, 1, 2)


@pytest.mark.parametrize(
    ("expected", "source", "target"),
    [
        pytest.param(
            "VERB:FORM",
            "did/do/VBD/aux/X/1 ate/eat/VBD/ROOT/X/1",
            "did/do/VBD/aux/X/1 eat/eat/VB/ROOT/X/1",
            id="both have an auxiliary",
        ),
        pytest.param(
            "VERB:TENSE",
            "he/he/PRP/nsubj/X/1 ate/eat/VBD/ROOT/X/1",
            "did/do/VBD/aux/X/1 eat/eat/VB/ROOT/X/1",
            id="one has an auxiliary",
        ),
        pytest.param(
            "VERB:FORM",
            "has/have/VBZ/aux/X/2 be/be/VB/auxpass/X/2 done/do/VBN/ROOT/X/2",
            "had/have/VBD/aux/X/2 is/be/VBZ/aux/X/2 done/do/VBN/ROOT/X/2",
            id="auxiliaries that are not the first",
        ),
        pytest.param(
            "VERB:SVA",
            "he/he/PRP/nsubj/X/2 be/be/VB/auxpass/X/2 done/do/VBN/ROOT/X/2",
            "had/have/VBD/aux/X/2 is/be/VBZ/aux/X/2 done/do/VBN/ROOT/X/2",
            id="one is the first auxiliary",
        ),
        pytest.param(
            "VERB:SVA",
            "he/he/PRP/nsubj/X/1 be/be/VB/aux/X/1",
            "had/have/VBD/aux/X/1 is/be/VBZ/aux/X/1",
            id="an auxiliary without a head",
        ),
    ],
)
def test_preceding_auxiliaries(expected: str, source: str, target: str) -> None:
    assert type_of(source, target, LAST) == f"R:{expected}"


def test_a_tag_of_no_known_set_is_refused() -> None:
    with pytest.raises(InputError, match=r"^the tag of a token must be one of the Penn Treebank, such as NN or VBZ, found 'NE' for 'cat'$"):
        type_of("cat/cat/NE/x", "dog/dog/NN/x")


ONE_SIDED_TYPES = [
    "ADJ",
    "ADV",
    "CONJ",
    "CONTR",
    "DET",
    "NOUN",
    "NOUN:POSS",
    "OTHER",
    "PART",
    "PREP",
    "PRON",
    "PUNCT",
    "VERB",
    "VERB:FORM",
    "VERB:TENSE",
]
TWO_SIDED_TYPES = ["ADJ:FORM", "MORPH", "NOUN:INFL", "NOUN:NUM", "ORTH", "SPELL", "VERB:INFL", "VERB:SVA", "WO"]
ALL_TYPES = {
    "UNK",
    *(f"{letter}:{name}" for letter in "MRU" for name in ONE_SIDED_TYPES),
    *(f"R:{name}" for name in TWO_SIDED_TYPES),
}


def test_the_types_that_occur_are_shown_above() -> None:
    assert len(ALL_TYPES) == 55
    shown = {expected for expected, _, _ in FRAME} | {f"{letter}:{name}" for letter in "MU" for name, _ in ONE_SIDED}
    shown |= {f"R:{case[0]}" for case in ALL_LENGTHS + SEVERAL} | {f"R:{case[1]}" for case in ONE_WORD}
    assert ALL_TYPES - shown == set()


@given(parsed_pairs(), st.lists(st.integers(0, 6), min_size=4, max_size=4))
@settings(max_examples=often(200, 70))
def test_every_edit_has_a_known_type(pair: tuple[Parse, Parse], bounds: list[int]) -> None:
    start, end = sorted(min(bound, len(pair[0].forms)) for bound in bounds[:2])
    target_start, target_end = sorted(min(bound, len(pair[1].forms)) for bound in bounds[2:])
    found = classify_span(*pair, Span(start, end, target_start, target_end), KnownWords())
    assert found in ALL_TYPES
    same = pair[0].forms[start:end] == pair[1].forms[target_start:target_end]
    assert (found == "UNK") == same


def forms_of(text: str) -> str:
    return " ".join(word.split("/")[0] for word in text.split()) or "∅"


def test_the_page_shows_every_category_with_a_case_from_here() -> None:
    rows = re.findall(r"^\| `([A-Z:]+)` \| ([MRU, ]+) \| (.*) → (.*) \|$", Path("docs/errant.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert {f"{letter}:{name}" for name, letters, _, _ in rows for letter in letters.split(", ")} == ALL_TYPES - {"UNK"}
    cases = [(f"R:{case[1]}", *case[2:]) for case in ONE_WORD] + [(f"R:{case[0]}", *case[1:]) for case in ALL_LENGTHS + SEVERAL] + FRAME
    known = {(expected[2:], forms_of(source), forms_of(target)) for expected, source, target in cases}
    assert {(name, source, target) for name, _, source, target in rows} <= known
