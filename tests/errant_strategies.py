"""Random parsed sentences."""

from __future__ import annotations

from hypothesis import strategies as st

from errata.corpus.parses import Parse

WORDS = ["a", "the", "The", "cat", "cats", "Cat", "act", "run", "runs", "Run", "'s", "n't", ",", "()", "-", "re-run", "rerun", "b", "ab"]
LEMMAS = ["cat", "run", "a"]
POS = ["ADJ", "ADV", "NOUN", "VERB", "AUX", "PART", "DET", "PUNCT", "PROPN"]
TAGS = ["NN", "NNS", "POS", "VBZ", "VBD", "VBG", "DT", "IN", "TO", "JJ", "RB", "PRP", "CD", ","]
DEPS = ["aux", "auxpass", "det", "amod", "nsubj", "ROOT", "prep", "prt"]


def parses(longest: int = 6, words: list[str] | None = None) -> st.SearchStrategy[Parse]:
    token = st.tuples(*map(st.sampled_from, (words or WORDS, LEMMAS, POS, TAGS, DEPS)), st.integers(0, 99))
    return st.lists(token, max_size=longest).map(_make_parse)


def _make_parse(tokens: list[tuple[str, str, str, str, str, int]]) -> Parse:
    forms, lemmas, pos, tags, deps = (tuple(str(token[index]) for token in tokens) for index in range(5))
    return Parse(forms, lemmas, pos, tags, tuple(token[5] % len(tokens) for token in tokens), deps)


@st.composite
def parsed_pairs(draw: st.DrawFn, longest: int = 6) -> tuple[Parse, Parse]:
    """Two sentences, of a few words only so that many are equal or in another order."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5))
    return draw(parses(longest, words)), draw(parses(longest, words))
