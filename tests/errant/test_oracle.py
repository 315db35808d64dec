"""The package errant itself, where it is installed with spaCy: random words with random labels, and random changes of parsed sentences."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

import pytest

from errata import Corpus
from errata.corpus.texts import Tokens
from errata.errors import RequestError
from errata.language import Parse, Span, align_pair, classify_span, find_analyser, merge_operations
from errata.language.errant import AlignmentName, MergeName
from errata.language.errant_types import _CATEGORIES

from errant_recordings import known_words

pytestmark = pytest.mark.slow

ALIGNMENTS: list[AlignmentName] = ["linguistic", "lev"]
STRATEGIES: list[MergeName] = ["rules", "all-split", "all-merge", "all-equal"]
POS = ["ADJ", "ADV", "NOUN", "VERB", "AUX", "PART", "DET", "PUNCT", "PROPN", "PRON", "ADP", "NUM", "SCONJ", "CCONJ", "INTJ", "X"]
LABELS = "aux auxpass acomp amod advmod det prep prt punct nsubj nsubjpass dobj pobj poss ROOT conj mark neg"
TEXT = """
    the that all everything what good well after later therefor therefore though thought other another your yours no not was were ca can
    sha shall wo will 'd 'll 'm n't 're 's 've 'S N'T to To more most More a an The A I i , . - ' () ... cat cats Cat dog dogs run runs
    running ran thikn information informtion abcde abcdf abcdef re-run rerun within without standard standards Standard use used useful
    usefully US us u.s. 3 three İstanbul Straße STRASSE
"""
DEPS, WORDS = LABELS.split(), TEXT.split()
Edits = list[tuple[int, int, int, int, str]]


class Oracle(NamedTuple):
    """What is used of errant, with a pipeline that makes documents only."""

    annotator: Any
    edit: Any
    """The class of edits."""


@pytest.fixture(autouse=True, scope="module")
def _forget_errant() -> Iterator[None]:
    """Other tests show that errata does not import it."""
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "errant"]:
        del sys.modules[name]


@cache
def oracle() -> Oracle:
    for name in ("spacy", "errant"):
        spec = find_spec(name)
        if spec is None or spec.origin is None:  # the folder of these tests is found too
            pytest.skip(f"{name} is not installed: pip install 'errata[errant]'")
    import spacy
    from errant.edit import Edit

    import errant

    return Oracle(errant.load("en", spacy.blank("en")), Edit)


def document(parse: Parse) -> Any:
    from spacy.tokens import Doc

    columns = {"words": parse.forms, "lemmas": parse.lemmas, "pos": parse.pos, "tags": parse.tags, "heads": parse.heads, "deps": parse.deps}
    return Doc(oracle().annotator.nlp.vocab, **{name: list(column) for name, column in columns.items()})


def check(source: Parse, target: Parse, draw: random.Random) -> None:
    """Compare edits in every way to find them, and the types of any spans."""
    documents = document(source), document(target)
    for alignment in ALIGNMENTS:
        operations = align_pair(source, target, alignment)
        for strategy in STRATEGIES:
            found = oracle().annotator.annotate(*documents, alignment == "lev", strategy)
            expected: Edits = [(edit.o_start, edit.o_end, edit.c_start, edit.c_end, edit.type) for edit in found]
            spans = merge_operations(operations, source, target, strategy)
            assert [(*span, classify_span(source, target, span, known_words())) for span in spans] == expected, (alignment, strategy)
    places = [sorted(draw.randint(0, len(parse.forms)) for _ in range(2)) for parse in (source, target)]
    span = Span(*places[0], *places[1])
    assert classify_span(source, target, span, known_words()) == oracle().annotator.classify(oracle().edit(*documents, list(span))).type


def change(word: str, draw: random.Random) -> str:
    """Change a word by a letter or by its case."""
    place = draw.randrange(len(word))
    return draw.choice(
        [word.upper(), word.capitalize(), word + "s", word[:place] + draw.choice("aest") + word[place + 1 :], word + word[:1]]
    )


def rewrite(tokens: Tokens, words: list[str], draw: random.Random) -> Tokens:
    """Insert, delete, replace, change, join and move words."""
    result = list(tokens)
    for _ in range(draw.randint(1, 5)):
        place = draw.randint(0, len(result))
        kind = draw.randrange(6)
        if kind == 0 or place == len(result):
            result.insert(place, draw.choice(words))
        elif kind == 1:
            del result[place]
        elif kind == 2:
            result[place] = draw.choice(words)
        elif kind == 3:
            result[place] = change(result[place], draw)
        elif kind == 4:
            result[place : place + 2] = [draw.choice(["", "-", "'"]).join(result[place : place + 2])]
        else:
            moved = result[place : place + 4]
            draw.shuffle(moved)
            result[place : place + 4] = moved
    return tuple(result)


def label(tokens: Tokens, draw: random.Random, few: int) -> Parse:
    """Give words random labels, of which there may be few."""
    pos, tags, deps = (draw.sample(labels, min(few, len(labels))) for labels in (POS, list(_CATEGORIES), DEPS))
    columns = [tuple(draw.choice(labels) for _ in tokens) for labels in (pos, tags, deps)]
    lemmas = tuple(draw.choice([word.lower(), "be", "x"]) for word in tokens)
    heads = tuple(draw.randrange(index) if index else 0 for index in range(len(tokens)))
    return Parse(tokens, lemmas, columns[0], columns[1], heads, columns[2])


@pytest.mark.parametrize("seed", range(4))
def test_random_words_with_random_labels(seed: int) -> None:
    oracle()
    draw = random.Random(seed)
    for _ in range(100):
        words = draw.sample(WORDS, draw.choice([2, 6, len(WORDS)]))
        source, target = (tuple(draw.choice(words) for _ in range(draw.choice([1, 1, 2, 4, 10]))) for _ in range(2))
        if draw.random() < 0.5:
            target = rewrite(source, words, draw)
        few = draw.choice([1, 2, 3, 60])
        check(label(source, draw, few), label(target, draw, few), draw)


def test_random_changes_of_parsed_sentences(gold: Corpus) -> None:
    oracle()
    try:
        analyser = find_analyser("spacy")
    except RequestError as error:
        pytest.skip(str(error))
    draw = random.Random(1)
    sources = [draw.choice(gold.sentences).tokens for _ in range(60)]
    targets = [rewrite(source, WORDS, draw) for source in sources]
    parses = list(analyser.analyse([*sources, *targets]))
    for source, target in zip(parses[: len(sources)], parses[len(sources) :], strict=True):
        check(source, target, draw)
