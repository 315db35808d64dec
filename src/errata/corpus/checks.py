"""Whether an output looks like corrections of its source, in the same lines and the same tokens.

A shifted or untokenised output can be scored, but its score means nothing.
"""

from __future__ import annotations

import unicodedata
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import WHITESPACE_TOKENS, share_tokens
from errata.errors import pluralise

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.corpus.corpus import Corpus, System
    from errata.corpus.texts import Tokens

_LITTLE_IN_COMMON = 0.25
_MUCH_IN_COMMON = 0.5
_MANY_UNSPLIT = 0.01
_MANY_FOREIGN = 0.1
_FEW_LINES = 3
"""Lines that may be a rewriter's own."""
_MOST_SAMPLED = 1_000
"""Texts of many samples that are looked at."""
_NEIGHBOURS = (-1, 1, -2, 2)
_ENDS = frozenset(".,;:!?\u3002\uff0c\u3001\uff1b\uff1a\uff01\uff1f\u061f\u060c\u061b\u0964")
"""Marks that end a sentence or a clause: of Latin, Greek and Cyrillic, of Chinese and Japanese, of Arabic, and of Devanagari."""
_TOKENISE = '--tokenise source (tokenise="source" in Python) tokenises it'
_NORMALISE = '--unicode NFC (unicode="NFC" in errata.read) normalises both'
TOKENISE_SAMPLES = '--tokenise source (tokenise="source" in Python) tokenises them'


class Finding(NamedTuple):
    """Something about an output that is seldom meant."""

    kind: str
    line: int | None
    """The number of the first sentence that shows it."""
    message: str


class _Source:
    """The tokens of a source, and its words, which are collected when an output must be compared with them."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(self.tokens)

    def is_foreign(self, output: Tokens) -> bool:
        """Whether an output has little in common with the source; different tokens are counted first, which is fast."""
        enough = _LITTLE_IN_COMMON * max(len(self.tokens), len(output))
        if not output or len(self.words.intersection(output)) >= enough:
            return False
        return sum(map(self.words.__contains__, output)) < enough or share_tokens(output, self.tokens) < _LITTLE_IN_COMMON

    def is_like(self, output: Tokens) -> bool:
        """Whether an output has much in common with the source."""
        return len(self.words.intersection(output)) >= _MUCH_IN_COMMON * max(len(self.words), len(set(output)))


def _begins_alike(output: Tokens, source: Tokens) -> bool:
    """Whether an output begins with a quarter of the source, and they are a quarter of the output: such outputs are not foreign."""
    quarter = -(-len(source) // 4)
    return len(output) <= 4 * quarter and output[:quarter] == source[:quarter]


def _find_unsplit(tokens: Iterable[str], known: frozenset[str]) -> set[str]:
    """Find tokens with punctuation at their end that the gold does not have."""
    return {token for token in set(tokens).difference(known) if token[-1:] in _ENDS and len(token) > 1}


def _count_unsplit(texts: Sequence[Tokens], unsplit: set[str]) -> tuple[int, int]:
    """Count the tokens of texts that are not split, and all."""
    return sum(map(unsplit.__contains__, chain.from_iterable(texts))) if unsplit else 0, sum(map(len, texts))


def describe_unsplit(texts: Iterable[str], sources: Iterable[str]) -> str | None:
    """Say how many tokens of texts are not split, if these are many and the sources are tokenised; only some texts are looked at.

    >>> describe_unsplit(["I like cake."] * 3, ["I likes cake ."])
    'punctuation at the end of 3 of 9 tokens'
    >>> describe_unsplit(["I like cake."] * 3, ["I likes cake."]) is None
    True
    """
    outputs, originals = ([tuple(text.split()) for text in islice(some, _MOST_SAMPLED)] for some in (texts, sources))
    known = frozenset(chain.from_iterable(originals))
    of_sources, all_of_sources = _count_unsplit(originals, _find_unsplit(known, frozenset()))
    unsplit, total = _count_unsplit(outputs, _find_unsplit(chain.from_iterable(outputs), known))
    if of_sources > _MANY_UNSPLIT * all_of_sources or unsplit <= _MANY_UNSPLIT * total or unsplit < _FEW_LINES:
        return None
    return f"punctuation at the end of {unsplit:,} of {pluralise(total, 'token')}"


class OutputChecks:
    """Checks outputs for the sources of a corpus.  What only strange outputs need is prepared with the first of them."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._sources = [_Source(sentence.tokens) for sentence in corpus]

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(chain.from_iterable(sentence.tokens for sentence in self._corpus))

    @cached_property
    def _is_tokenised(self) -> bool:
        unsplit, total = _count_unsplit([sentence.tokens for sentence in self._corpus], _find_unsplit(self._known, frozenset()))
        return unsplit <= _MANY_UNSPLIT * total

    def find(self, system: System, *, every: bool = False) -> list[Finding]:
        """Find what is wrong with a system that fits the corpus; ``every`` reports single lines too, as a check of files does.

        >>> from errata.corpus.corpus import Corpus, Sentence, System
        >>> gold = Corpus(tuple(Sentence.of(f"It is number {number} here .") for number in range(9)), path="gold.m2")
        >>> checks = OutputChecks(gold)
        >>> [finding.kind for finding in checks.find(System.of("raw", [f"It is number {number} here." for number in range(9)]))]
        ['untokenised']
        """
        if system.edits is not None:  # it has the sentences of the gold
            return []
        findings = self._find_foreign(system.sentences, every=every)
        findings += self._find_other_form(system.sentences)
        if system.tokenisation == WHITESPACE_TOKENS:
            findings += self._find_untokenised(system.sentences, every=every)
        return findings

    def _find_foreign(self, outputs: Sequence[Tokens], *, every: bool) -> list[Finding]:
        strange = [
            index
            for index, (output, source) in enumerate(zip(outputs, self._sources, strict=True))
            if not _begins_alike(output, source.tokens) and source.is_foreign(output)
        ]
        if not strange or (len(strange) < _FEW_LINES and not every):
            return []
        numbers, count = self._corpus.numbers, pluralise(len(outputs), "sentence")
        if (shift := self._find_shift(outputs, strange)) is not None:
            offset, shifted = shift
            away = "line" if abs(offset) == 1 else f"{abs(offset)} lines"
            where = f"the source {away} {'before' if offset < 0 else 'after'} theirs"
            what = f"from here on {len(shifted):,} of {count} look like {where}"
            return [Finding("shifted", numbers[shifted[0]], f"{what}; is a line missing or extra? errata align SOURCE OUTPUT repairs it")]
        if every or len(strange) > _MANY_FOREIGN * len(outputs):
            what = f"fewer than a quarter of its tokens occur in the source (true of {len(strange):,} of {count})"
            return [Finding("foreign", numbers[strange[0]], f"{what}; is a line missing or extra?")]
        return []

    def _find_shift(self, outputs: Sequence[Tokens], strange: list[int]) -> tuple[int, list[int]] | None:
        """Find the neighbour whose source most strange lines look like, and these lines; None if they are few."""
        best: tuple[int, list[int]] | None = None
        for offset in _NEIGHBOURS:
            shifted = [
                index for index in strange if 0 <= index + offset < len(outputs) and self._sources[index + offset].is_like(outputs[index])
            ]
            if best is None or len(shifted) > len(best[1]):
                best = offset, shifted
        return best if best is not None and len(best[1]) >= max(_FEW_LINES, len(strange) // 4) else None

    @cached_property
    def _composed(self) -> dict[str, str]:
        """The tokens of sources and corrections that may be written in another form of Unicode, by their composed form."""
        edits = (edit for sentence in self._corpus for annotation in sentence.annotations for edit in annotation.edits)
        corrections = {token for edit in edits for text in edit.corrections if not text.isascii() for token in text.split()}
        return {unicodedata.normalize("NFC", token): token for token in (*corrections, *self._known) if not token.isascii()}

    def _find_other_form(self, outputs: Sequence[Tokens]) -> list[Finding]:
        """Find tokens that equal tokens of the gold only if both are normalised: they match nothing."""
        other = [
            index
            for index, output in enumerate(outputs)
            if not "".join(output).isascii()
            and any(self._composed.get(unicodedata.normalize("NFC", token), token) != token for token in output if token not in self._known)
        ]
        if not other:
            return []
        many = pluralise(len(other), "sentence has tokens", "sentences have tokens")
        what = f"{many} that equal tokens of the gold only after Unicode normalisation; {_NORMALISE}"
        return [Finding("unicode", self._corpus.numbers[other[0]], what)]

    def _find_untokenised(self, outputs: Sequence[Tokens], *, every: bool) -> list[Finding]:
        ends = _find_unsplit((output[-1] for output in outputs if output), frozenset())
        if not every and (not ends or ends <= self._known):
            return []  # where no sentence ends so, texts are tokenised
        if not self._is_tokenised:
            return []
        unknown = _find_unsplit(chain.from_iterable(outputs), self._known)
        unsplit, total = _count_unsplit(outputs, unknown)
        if unsplit <= _MANY_UNSPLIT * total:
            return []
        what = f"punctuation at the end of {unsplit:,} of {pluralise(total, 'token')}"
        return [Finding("untokenised", None, f"{what}; is it tokenised like {self._corpus.path or self._corpus.name}? {_TOKENISE}")]
