"""The edits between sources and corrected texts, by the rules of ERRANT."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from errata.corpus.corpus import Edit
from errata.corpus.unicode import warn_of_english
from errata.errant.alignment import AlignmentName, align_sentences
from errata.errant.merging import MergeName, merge_operations
from errata.errant.types import classify_span
from errata.errant.word_list import find_word_list
from errata.errors import RequestError, UsageError

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from errata.corpus.corpus import Corpus
    from errata.corpus.parses import Parse, Span
    from errata.corpus.texts import Tokens
    from errata.language.type_systems import GivesTypes

    Pair = tuple[Tokens, Tokens]
    _Key = tuple[int, int]


SENTENCES_AT_A_TIME = 2_000
"""How many sentences of a long text are in memory with their parses."""


class PairError(RequestError):
    """A pair of texts whose edits cannot be found; whoever knows the file and the number of its sentence says them."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(f"sentence {index + 1:,} {reason}")
        self.index = index
        """The index of the pair, from 0."""
        self.reason = reason

    def in_corpus(self, corpus: Corpus, first: int = 0) -> RequestError:
        """Name the corpus and the number of the sentence; pairs begin with the sentence at the index ``first``."""
        return RequestError(f"{corpus.path or corpus.name}: sentence {corpus.numbers[first + self.index]:,} {self.reason}")


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
        self._checked = False

    def spans(self, pairs: Sequence[Pair]) -> list[list[Span]]:
        """Find the edits of every pair, without types."""
        texts = _Texts(pair if pair[0] != pair[1] else None for pair in pairs)
        found = self._find_spans(texts, self._parse(texts) if self._needs_parses else None)
        return [found[key] if key else [] for key in texts.keys]

    def types(self, pairs: Sequence[Pair], spans: Sequence[Sequence[Span]]) -> list[tuple[str, ...]]:
        """Find the types of given edits of every pair; only pairs with edits are parsed."""
        texts = _Texts(pair if own else None for pair, own in zip(pairs, spans, strict=True))
        parses = self._parse(texts)
        found: dict[tuple[_Key, tuple[Span, ...]], tuple[str, ...]] = {}
        result: list[tuple[str, ...]] = []
        for key, own in zip(texts.keys, map(tuple, spans), strict=True):
            if key and (key, own) not in found:
                found[key, own] = self._classify(own, parses[key[0]], parses[key[1]])
            result.append(found[key, own] if key else ())
        return result

    def edits(self, pairs: Sequence[Pair]) -> list[tuple[Edit, ...]]:
        """Find the edits of every pair, with types."""
        texts = _Texts(pair if pair[0] != pair[1] else None for pair in pairs)
        parses = self._parse(texts)
        found: dict[_Key, tuple[Edit, ...]] = {}
        for key, spans in self._find_spans(texts, parses).items():
            source, target = (parses[place] for place in key)
            found[key] = tuple(
                Edit(start, end, (" ".join(target.forms[target_start:target_end]),), name)
                for (start, end, target_start, target_end), name in zip(spans, self._classify(spans, source, target), strict=True)
            )
        return [found[key] if key else () for key in texts.keys]

    @property
    def _needs_parses(self) -> bool:
        return self._alignment == "linguistic" or self._merge == "rules"

    def _parse(self, texts: _Texts) -> list[Parse]:
        if self._bank is None:
            raise UsageError("types of edits need parses")
        if not self._checked and texts.places:  # once: the first texts are those of a corpus, later ones may be few
            self._checked = True
            warn_of_english(list(texts.places), "ERRANT's rules and types are for English")
        return self._bank.find(list(texts.places)) if texts.places else []

    def _find_spans(self, texts: _Texts, parses: Sequence[Parse] | None) -> dict[_Key, list[Span]]:
        if parses is not None and self._alignment == "linguistic":
            sentences = [(tokens, parse.lemmas, parse.pos) for tokens, parse in zip(texts.places, parses, strict=True)]
        else:
            sentences = [(tokens, (), ()) for tokens in texts.places]
        try:
            aligned = align_sentences(sentences, [(number, *key) for key, number in texts.numbers.items()], self._alignment)
        except OverflowError as error:
            which, _, reason = str(error).removeprefix("sentence ").partition(" ")
            raise PairError(int(which) - 1, reason) from None
        found: dict[_Key, list[Span]] = {}
        for (key, number), operations in zip(texts.numbers.items(), aligned, strict=True):
            source, target = (parses[place] for place in key) if parses is not None else (None, None)
            try:
                found[key] = merge_operations(operations, source, target, self._merge)
            except RequestError as error:
                raise PairError(number - 1, f"cannot be aligned: {error}") from None
        return found

    def _classify(self, spans: Sequence[Span], source: Parse, target: Parse) -> tuple[str, ...]:
        if self._words is None:
            self._words = find_word_list()
        return tuple(classify_span(source, target, span, self._words) for span in spans)


class TypedExtractor:
    """Finds edits by an extractor, and gives them the types of another system."""

    def __init__(self, extractor: Extractor, system: GivesTypes) -> None:
        self._extractor, self._system = extractor, system

    def edits(self, pairs: Sequence[Pair]) -> list[tuple[Edit, ...]]:
        """Find the edits of every pair, with types."""
        spans = self._extractor.spans(pairs)
        found = []
        for (_, target), own, names in zip(pairs, spans, self._system.types(pairs, spans), strict=True):
            items = zip(own, names, strict=True)
            found.append(
                tuple(Edit(span.start, span.end, (" ".join(target[span.target_start : span.target_end]),), name) for span, name in items)
            )
        return found


class _Texts:
    """The distinct texts of pairs, each with a number from 0; None is a pair that has no edits."""

    def __init__(self, pairs: Iterable[Pair | None]) -> None:
        self.places: dict[Tokens, int] = {}
        self.keys: list[_Key | None] = []
        """The numbers of both texts of each pair."""
        self.numbers: dict[_Key, int] = {}
        """The distinct pairs, each with the number of its first sentence, from 1."""
        for number, pair in enumerate(pairs, start=1):
            key = None
            if pair is not None:
                source, target = (self.places.setdefault(tokens, len(self.places)) for tokens in pair)
                key = source, target
                self.numbers.setdefault(key, number)
            self.keys.append(key)
