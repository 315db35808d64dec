"""The edits between sources and corrected texts, by the rules of ERRANT."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from errata.corpus import Edit
from errata.errant.alignment import AlignmentName, align_sentences
from errata.errant.merging import MergeName, merge_operations
from errata.errant.types import classify_span
from errata.errant.word_list import find_word_list
from errata.errors import RequestError, UsageError

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from errata.corpus import Tokens
    from errata.errant.records import Parse
    from errata.errant.spans import Span

    Pair = tuple[Tokens, Tokens]


class FindsParses(Protocol):
    """Where the parses of sentences come from."""

    def find(self, sentences: Sequence[Tokens]) -> list[Parse]:
        """Return the parse of every sentence."""


class Extractor:
    """Edits between pairs of texts.

    Equal texts have no edits, and nothing of them is parsed; each distinct pair is aligned once.
    ``words`` are no misspellings; the default is the list of the package ``errant``, which is read when types are asked for.
    A pair that is too long is refused with its number, from 1.

    >>> Extractor(None, alignment="lev", merge="all-merge").spans([(("He", "go", "home"), ("He", "goes", "to", "home"))])
    [[Span(start=1, end=2, target_start=1, target_end=3)]]
    """

    def __init__(
        self,
        bank: FindsParses | None,
        alignment: AlignmentName = "linguistic",
        merge: MergeName = "rules",
        words: Container[str] | None = None,
    ) -> None:
        self._bank, self._alignment, self._merge, self._words = bank, alignment, merge, words
        if bank is None and self._needs_parses:
            raise UsageError("alignment=linguistic and merge=rules need parses")

    def spans(self, pairs: Sequence[Pair]) -> list[list[Span]]:
        """Find the edits of every pair, without types."""
        numbers = _number_changed(pairs)
        found = self._find_spans(numbers, self._parse(numbers) if self._needs_parses else {})
        return [found.get(pair, []) for pair in pairs]

    def types(self, pairs: Sequence[Pair], spans: Sequence[Sequence[Span]]) -> list[tuple[str, ...]]:
        """Find the types of given edits of every pair; only pairs with edits are parsed."""
        keys = [(pair, tuple(own)) for pair, own in zip(pairs, spans, strict=True)]
        changed = dict.fromkeys(key for key in keys if key[1])
        parses = self._parse(pair for pair, _ in changed)
        found = {(pair, own): self._classify(own, parses[pair[0]], parses[pair[1]]) for pair, own in changed}
        return [found.get(key, ()) for key in keys]

    def edits(self, pairs: Sequence[Pair]) -> list[tuple[Edit, ...]]:
        """Find the edits of every pair, with types."""
        numbers = _number_changed(pairs)
        parses = self._parse(numbers)
        found: dict[Pair, tuple[Edit, ...]] = {}
        for (source, target), spans in self._find_spans(numbers, parses).items():
            types = self._classify(spans, parses[source], parses[target])
            found[source, target] = tuple(
                Edit(start, end, (" ".join(target[target_start:target_end]),), name)
                for (start, end, target_start, target_end), name in zip(spans, types, strict=True)
            )
        return [found.get(pair, ()) for pair in pairs]

    @property
    def _needs_parses(self) -> bool:
        return self._alignment == "linguistic" or self._merge == "rules"

    def _parse(self, pairs: Iterable[Pair]) -> dict[Tokens, Parse]:
        if self._bank is None:
            raise UsageError("types of edits need parses")
        sentences = list(dict.fromkeys(tokens for pair in pairs for tokens in pair))
        return dict(zip(sentences, self._bank.find(sentences), strict=True)) if sentences else {}

    def _find_spans(self, numbers: Mapping[Pair, int], parses: Mapping[Tokens, Parse]) -> dict[Pair, list[Span]]:
        linguistic = self._alignment == "linguistic"
        places = {tokens: place for place, tokens in enumerate(dict.fromkeys(tokens for pair in numbers for tokens in pair))}
        sentences = [(tokens, parses[tokens].lemmas, parses[tokens].pos) if linguistic else (tokens, (), ()) for tokens in places]
        triples = [(number, places[source], places[target]) for (source, target), number in numbers.items()]
        try:
            aligned = align_sentences(sentences, triples, self._alignment)
        except OverflowError as error:
            raise RequestError(str(error)) from None
        found: dict[Pair, list[Span]] = {}
        for (pair, number), operations in zip(numbers.items(), aligned, strict=True):
            try:
                found[pair] = merge_operations(operations, parses.get(pair[0]), parses.get(pair[1]), self._merge)
            except RequestError as error:
                raise RequestError(f"sentence {number} cannot be aligned: {error}") from None
        return found

    def _classify(self, spans: Sequence[Span], source: Parse, target: Parse) -> tuple[str, ...]:
        if self._words is None:
            self._words = find_word_list()
        return tuple(classify_span(source, target, span, self._words) for span in spans)


def _number_changed(pairs: Sequence[Pair]) -> dict[Pair, int]:
    """List the distinct pairs of different texts, each with the number of its first sentence."""
    numbers: dict[Pair, int] = {}
    for number, pair in enumerate(pairs, start=1):
        if pair[0] != pair[1]:
            numbers.setdefault(pair, number)
    return numbers
