"""Find out by which rule a gold is tokenised."""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from typing import TYPE_CHECKING

from errata.corpus import WHITESPACE_TOKENS
from errata.tokenisation.rules import load_rule
from errata.tokenisation.stops import is_abbreviation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from errata.corpus import Sentence, Tokens

_MOST_COMPARED = 500
"""Sentences that show which rule a gold follows; of more, an even sample."""
_ENOUGH = 0.95
"""The share of sentences that a rule must reproduce if no other is to be tried."""
_LEFT = frozenset(".,;:!?%)]}")
_RIGHT = frozenset("([{$")
_CLITICS = ("'s", "'m", "'d", "'ll", "'re", "'ve", "n't")


def find_rule(sentences: Sequence[Sentence]) -> str:
    """Find the rule that best reproduces the tokens of the sources from their text.

    >>> from errata.corpus import Sentence
    >>> find_rule([Sentence.of("I did n't go , but he did .")]), find_rule([Sentence.of("A,b is n't c .")])
    ('ptb', 'conll')
    """
    step = max(1, len(sentences) // _MOST_COMPARED)
    sources = [sentence.tokens for sentence in sentences[::step] if sentence.tokens]
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

    >>> write_text(("I", "did", "n't", "go", "(", "really", ")", "."))
    "I didn't go (really)."
    """
    text = ""
    for token in tokens:
        attached = token[0] in _LEFT or token.lower() in _CLITICS or text[-1:] in _RIGHT
        text += token if attached or not text else f" {token}"
    return text


def find_abbreviations(sentences: Iterable[Sentence]) -> Callable[[str], bool]:
    """Make a function that says which words keep a full stop: known abbreviations, and those that the gold has mostly with one."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        counts.update(sentence.tokens)
        for annotation in sentence.annotations:
            for edit in annotation.edits:
                for correction in edit.corrections:
                    counts.update(correction.split())
    own = {word for word, count in counts.items() if word[-1] == "." and word.strip(".") and count > counts[word[:-1]]}
    return lambda word: word in own or is_abbreviation(word)
