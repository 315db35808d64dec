"""Tokenisers by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus import WHITESPACE_TOKENS, Corpus
from errata.english import warn_of_english
from errata.errors import UsageError, suggest
from errata.scripts import has_characters, is_unspaced
from errata.tokenisation.characters import CHARACTERS, make_characters
from errata.tokenisation.tokeniser import Tokeniser

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errata.corpus import Sentence
    from errata.texts import Tokens

SOURCE, CONLL = "source", "conll"
TOKENISERS = (SOURCE, "ptb", "spacy", CHARACTERS, WHITESPACE_TOKENS)
"""What texts may be tokenised by; ``source:RULE`` also names the rule for changed words."""
TOKEN_RULES = (CONLL, "ptb", "spacy", WHITESPACE_TOKENS)
"""What changed words may be tokenised by."""


def check_tokeniser(name: object) -> str:
    """Return the name of a tokeniser if there is one.

    >>> check_tokeniser("source:ptb")
    'source:ptb'
    """
    known = (*TOKENISERS, *(f"{SOURCE}:{rule}" for rule in TOKEN_RULES))
    if not isinstance(name, str) or name not in known:
        listed = ", ".join((*TOKENISERS, f"{SOURCE}:RULE"))
        raise UsageError(f"there is no tokeniser {name!r:.42}; choose from {listed}{suggest(str(name)[:40], known)}")
    return str(name)


def find_tokeniser(name: str, gold: Corpus | Iterable[Sentence] = ()) -> Tokeniser:
    """Find a tokeniser by its name; ``source`` follows the rule by which the gold is tokenised, of a subset the whole.

    >>> tokenise = find_tokeniser("source:conll")
    >>> tokenise("I don't know.", ("I", "do", "n't", "knew", "."))
    ('I', 'do', "n't", 'know', '.')
    """
    kind, _, named = check_tokeniser(name).partition(":")
    if kind == WHITESPACE_TOKENS:
        return Tokeniser(WHITESPACE_TOKENS, split_at_spaces)
    sentences = list(gold.whole or gold) if isinstance(gold, Corpus) else list(gold)
    sources = [sentence.tokens for sentence in sentences]
    if kind == CHARACTERS or (kind == SOURCE and not named and has_characters(sources)):
        return make_characters(sources)
    if kind == SOURCE and not named and is_unspaced(sources):
        raise UsageError(
            "the gold has words of a script without spaces, which no rule here can find; outputs must have its words "
            "(--tokenise whitespace), or the gold must have characters"
        )
    from errata.tokenisation.rules import load_rule

    if kind == SOURCE:
        from errata.tokenisation.following import GoldTokens, find_rule
        from errata.tokenisation.source import make_projection

        known = GoldTokens(sentences)
        own = named or find_rule(sentences)
        if own != WHITESPACE_TOKENS:
            warn_of_english(sources, f"words that outputs change are split by {own}, a rule for English; source:whitespace splits none")
        rule = load_rule(own, known.find_abbreviations())
        rule.keep_whole(known.find_whole(rule))
        return make_projection(rule)
    warn_of_english(sources, f"outputs are tokenised by {kind}, a rule for English")
    rule = load_rule(kind)
    return Tokeniser(rule.name, lambda text, _: rule(text))


def split_at_spaces(text: str, source: Tokens = ()) -> Tokens:
    """Split a text at white space.

    >>> split_at_spaces("A  cat.")
    ('A', 'cat.')
    """
    del source
    return tuple(text.split())
