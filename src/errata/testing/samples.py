"""Sample corpora, systems and settings for tests of metrics."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from errata.corpus.corpus import Annotation, Corpus, Edit, Sentence, System
from errata.errors import UsageError
from errata.settings import list_settings, write_value

if TYPE_CHECKING:
    from errata.metrics.base import Metric

_WORDS = ("the", "The", "cat", "cats", "sit", "sits", "on", "in", "mat", "mats", "old", "very", "n't", ",", ".")
_OTHER_WORDS = ("a", "an", "dog", "dogs", "ran", "runs", "at", "new", "quite", ";")
_RANDOM_CORPORA = 8


def make_sample_corpora() -> list[Corpus]:
    """Make a corpus in which annotators disagree, change nothing or are missing, and some random corpora, always the same."""
    written = Corpus(
        (
            Sentence.of("This machines is old .", [Edit(0, 1, ("These",)), Edit(2, 3, ("are",))], [Edit(1, 2, ("machine",))]),
            Sentence.of("She like cake .", [Edit(1, 2, ("likes", "liked"), "SVA")], []),
            Sentence.of("Nothing is wrong here .", []),
            Sentence.of("He go to school yesterday", [Edit(1, 2, ("went",), "Vt"), Edit(5, 5, (".",), "Mec")]),
            Sentence.of("Nobody looked at this one ."),
            Sentence.of("My friend like green apples .", [Edit(2, 3, ("likes",), "SVA")], [Edit(2, 3, ("liked",), "Vt")]),
            Sentence.of("We was walking park in silence .", [Edit(1, 2, ("were",), "SVA"), Edit(3, 3, ("through the",), "Prep")]),
            Sentence.of("They will must leave soon .", [Edit(1, 2, ("",), "Vm")], []),
            Sentence.of("I can can swim .", [Edit(1, 2, ("",), "Rloc-")], [Edit(1, 3, ("can",), "Rloc-")]),
        ),
        "sample",
    )
    draw = random.Random(2012)  # noqa: S311 - a sample
    return [written, *(_make_corpus(draw) for _ in range(_RANDOM_CORPORA))]


def _make_corpus(draw: random.Random) -> Corpus:
    return Corpus(tuple(_make_sentence(draw) for _ in range(draw.randint(1, 4))), "random")


def _make_sentence(draw: random.Random) -> Sentence:
    plain = draw.random() < 0.5  # noqa: PLR2004 - half of them have no word twice
    length = draw.randint(2, 9)
    tokens = tuple(draw.sample(_WORDS, length) if plain else draw.choices(_WORDS, k=length))
    annotations = tuple(Annotation(str(number), _draw_edits(draw, tokens)) for number in range(draw.randint(1, 3)))
    return Sentence(tokens, annotations)


def _draw_edits(draw: random.Random, tokens: tuple[str, ...]) -> tuple[Edit, ...]:
    """Draw edits that change something, with two or more tokens between them."""
    edits = []
    start = draw.randint(0, 3)
    while start < len(tokens) - 1:
        end = min(len(tokens), start + draw.randint(0, 2))
        words = draw.sample(draw.choice((_WORDS, _OTHER_WORDS, _OTHER_WORDS)), draw.randint(0, 2))
        if words != list(tokens[start:end]) and (words or end - start < len(tokens)):
            edits.append(Edit(start, end, (" ".join(words),), draw.choice(("Nn", "SVA", "Prep"))))
        start = end + draw.randint(3, 5)
    return tuple(edits)


def make_sample_systems(corpus: Corpus) -> list[System]:
    """Make three systems: one drops half of the words, one corrects every other sentence, one has empty output."""
    every_other = [
        sentence.corrected(sentence.annotations[0]) if number % 2 and sentence.annotations else sentence.tokens
        for number, sentence in enumerate(corpus)
    ]
    return [
        System("halved", tuple(sentence.tokens[::2] for sentence in corpus)),
        System("every other", tuple(every_other)),
        System("silent", ((),) * len(corpus)),
    ]


def list_variants(kind: type[Metric]) -> list[str]:
    """List a metric with its defaults, and with every other value of each choice and flag, as texts."""
    texts = [kind.name]
    for name, setting in list_settings(kind).items():
        values = (not setting.default,) if setting.kind == "flag" else setting.values
        texts += [f"{kind.name}({name}={write_value(value)})" for value in values if value != setting.default]
    return [text for text in texts if _is_possible(kind, text)]


def _is_possible(kind: type[Metric], text: str) -> bool:
    """Whether this value can be combined with the defaults of the other settings."""
    from errata.metrics import registry

    try:
        registry.metric(text)
    except UsageError:
        return kind.name == text
    return True
