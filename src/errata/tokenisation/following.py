"""Find out by which rule a gold is tokenised."""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from typing import TYPE_CHECKING

from errata.corpus import WHITESPACE_TOKENS
from errata.tokenisation.rules import load_rule
from errata.tokenisation.stops import is_abbreviation
from errata.tokenisation.treebank import WORDS_TOGETHER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from errata.corpus import Sentence
    from errata.texts import Tokens
    from errata.tokenisation.rules import TokenRule

_MOST_COMPARED = 500
"""Sentences that show which rule a gold follows; of more, an even sample."""
_MOST_COUNTED = 5000
"""Sentences whose tokens are counted; of more, an even sample."""
_LONGEST_WORD = 40
_ENOUGH = 0.95
"""The share of sentences that a rule must reproduce if no other is to be tried."""
_LEFT = frozenset(".,;:!?%)]}")
_RIGHT = frozenset("([{$")
_BETWEEN = frozenset("-/")
_CLITICS = ("'s", "'m", "'d", "'ll", "'re", "'ve", "n't")


def find_rule(sentences: Sequence[Sentence]) -> str:
    """Find the rule that best reproduces the tokens of the sources from their text.

    >>> from errata.corpus import Sentence
    >>> find_rule([Sentence.of("I did n't go , but he did .")]), find_rule([Sentence.of("A,b is n't c .")])
    ('ptb', 'conll')
    """
    step = max(1, len(sentences) // _MOST_COMPARED)
    sources = [tokens for sentence in sentences[::step] if (tokens := tuple(filter(None, sentence.tokens)))]
    if not sources:
        return "ptb"
    texts = [write_text(tokens) for tokens in sources]
    found: dict[str, int] = {}
    for name in ("ptb", "conll", "spacy", WHITESPACE_TOKENS):
        if name == "spacy" and (max(found.values()) >= _ENOUGH * len(sources) or find_spec("spacy") is None):
            continue
        rule = load_rule(name)
        found[name] = sum(rule(text) == tokens for text, tokens in zip(texts, sources, strict=True))
    return max(found, key=lambda name: found[name])


def write_text(tokens: Tokens) -> str:
    """Write tokens as text is usually written.

    >>> write_text(("I", "did", "n't", "go", "(", "face", "-", "to", "-", "face", ")", "."))
    "I didn't go (face-to-face)."
    """
    text, before, joined = "", "", False
    for token, after in zip(tokens, (*tokens[1:], ""), strict=True):
        between = token in _BETWEEN and before[-1:].isalnum() and after[:1].isalnum()
        attached = joined or between or token[0] in _LEFT or token.lower() in _CLITICS or text[-1:] in _RIGHT
        text += token if attached or not text else f" {token}"
        before, joined = token, between
    return text


class GoldTokens:
    """The tokens of a gold, of its sources and corrections: what its rule alone does not say."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        step = max(1, len(sentences) // _MOST_COUNTED)
        self._texts = [text for sentence in sentences[::step] for text in _list_texts(sentence)]
        self._counts = Counter(token for text in self._texts for token in text if token)

    def find_abbreviations(self) -> Callable[[str], bool]:
        """Make a function that says which words keep a full stop: known abbreviations, and words that the gold has mostly with one."""
        counts = self._counts
        own = {word for word, count in counts.items() if word[-1] == "." and word.strip(".") and count > counts[word[:-1]]}
        return lambda word: word in own or is_abbreviation(word)

    def find_whole(self, rule: TokenRule) -> frozenset[str]:
        """Find words that the rule splits, but the gold does not, or less often: *cannot* in some."""
        parts = {
            word: rule.split(word, ends=False)
            for word in self._counts
            if word[-1] != "." and len(word) <= _LONGEST_WORD and not (word.isalpha() and word.lower() not in WORDS_TOGETHER)
        }
        split = {word: own for word, own in parts.items() if len(own) > 1}
        lengths = {len(own) for own in split.values()}
        wanted = set(split.values())
        found = Counter(
            text[start : start + length]
            for text in self._texts
            for length in lengths
            for start in range(len(text) - length + 1)
            if text[start : start + length] in wanted
        )
        return frozenset(word for word, own in split.items() if self._counts[word] > found[own])


def _list_texts(sentence: Sentence) -> Iterator[Tokens]:
    yield sentence.tokens
    for annotation in sentence.annotations:
        for edit in annotation.edits:
            yield from (tuple(correction.split()) for correction in edit.corrections)
