"""Cases at positions of the source, which are the same for all systems, and what annotators and systems say about them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.detection.cases import Answers, Cases, Labels
from errata.detection.left_out import (
    CASES_NOT_ANNOTATED,
    NO_TOKENS,
    OTHER_CHANGES,
    OTHER_ERRORS,
    OTHER_POSITIONS,
    OTHER_TYPES,
    OVERLAPPING,
    UNKNOWN_TYPES,
)
from errata.detection.positions import SentencePositions
from errata.language.types import ChangedWords
from errata.language.word_alignment import name_sentence_of_words

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from errata.corpus.corpus import Annotation, Corpus, Sentence, System
    from errata.corpus.texts import Tokens
    from errata.detection.gap_sites import GapSites
    from errata.detection.judgments import Judgments, Verdict
    from errata.detection.positions import Change, Position
    from errata.language.tagging import Tags
    from errata.language.types import ChangeTyper

TypedSpan = tuple[int, int, str]
"""A span of source tokens and the type of its error."""
_KNOWN = 4
"""Texts for each sentence whose changes are remembered."""
_LISTED = 5
"""Words in a report."""


def find_type(spans: Sequence[TypedSpan], position: int, *, inserted: bool) -> str:
    """Find the type of the edit at a token; for an inserted token, of an insertion there, else of an edit around it or next to it."""
    if not inserted:
        return next((name for start, end, name in spans if start <= position < end), "")
    insertions = [name for start, end, name in spans if start == end == position]
    around = [name for start, end, name in spans if start < position < end]
    beside = [name for start, end, name in spans if start <= position <= end]
    return next(iter((*insertions, *around, *beside)), "")


class Opinion(NamedTuple):
    """What one annotator says about a sentence."""

    texts: Sequence[Tokens]
    """The correction, then the same with another alternative of one edit."""
    spans: Sequence[TypedSpan]
    skipped: int = 0
    """Edits that overlap others, so that they cannot be applied."""


def make_opinion(sentence: Sentence, annotation: Annotation) -> Opinion:
    """Apply the edits of an annotator."""
    texts = [sentence.corrected(annotation)]
    for index, edit in enumerate(annotation.edits):
        for text in edit.corrections[1:]:
            edits = list(annotation.edits)
            edits[index] = replace(edit, corrections=(text,))
            texts.append(sentence.corrected(replace(annotation, edits=tuple(edits))))
    return Opinion(texts, [(edit.start, edit.end, edit.type) for edit in annotation.edits], len(sentence.unapplied(annotation)))


class CorpusPositions:
    """The positions of every sentence of a corpus; with ``sites``, only those that have a site are cases."""

    def __init__(
        self, corpus: Corpus, kind: Position, words: Collection[str] = frozenset(), sites: GapSites | None = None, tags: Sequence[Tags] = ()
    ) -> None:
        self.corpus, self.kind, self.words, self.sites = corpus, kind, words, sites
        self.sentences = [SentencePositions(sentence.tokens, kind, words) for sentence in corpus]
        self._known: dict[tuple[int, Tokens], dict[int, Change]] = {}
        """Changes found before, because several annotators need the same."""
        self.kept: list[Sequence[int]] = []
        """The positions of each sentence that are cases."""
        for index, positions in enumerate(self.sentences):
            everywhere = range(len(positions))
            if sites is None:
                self.kept.append(everywhere)
            else:
                found = sites.find(tags[index])
                self.kept.append([own for own in everywhere if not found.isdisjoint(positions.list_gaps(own))])

    def find_changes(self, index: int, target: Tokens) -> dict[int, Change]:
        """Find the positions of a sentence where another text differs."""
        key = index, target
        if key not in self._known:
            if len(self._known) > _KNOWN * len(self.sentences):
                self._known.clear()
            with name_sentence_of_words(self.corpus.numbers[index]):
                self._known[key] = self.sentences[index].changes(target)
        return self._known[key]

    def find_words(self, index: int, position: int, change: Change, target: Tokens) -> ChangedWords:
        """Find the tokens of source and target that a change replaces."""
        start, end = self.sentences[index].spans[position]
        old, new = range(start, end), range(change.start, change.end)
        if not self.words:
            return ChangedWords(index, old, new)
        source = self.corpus[index].tokens
        return ChangedWords(
            index, [own for own in old if source[own].lower() in self.words], [own for own in new if target[own].lower() in self.words]
        )

    def describe(self) -> str:
        """Say what a case is."""
        if self.kind == "sentence":
            return "sentences"
        if self.kind != "gap":
            return f"{self.kind}s of the source; what is missing is an error of the {self.kind} after it"
        words = ", ".join(sorted(self.words)[:_LISTED]) + (", ..." if len(self.words) > _LISTED else "")
        what = f"{words} may stand" if self.words else "words may be missing"
        return f"positions before, between and after the {'other ' if self.words else ''}tokens of the source, where {what}"


class PositionGold:
    """The cases of a corpus, and what its annotators say about them."""

    def __init__(
        self, positions: CorpusPositions, judgments: Judgments, opinions: Iterable[Sequence[Opinion] | None], types: Collection[str] = ()
    ) -> None:
        self._positions, self._judgments = positions, judgments
        sites = f" ({positions.sites.text})" if positions.sites is not None else ""
        self._other_errors, self._others = f"{OTHER_ERRORS}{sites}", f"{OTHER_POSITIONS}{sites}"
        self._left_out = Counter[str]()
        self._tied = 0
        self._errors: dict[int, Verdict] = {}
        """Of the cases that an annotator marks."""
        self._types: dict[int, str] = {}
        self._sentences: list[int] = []
        """The sentence of each case."""
        self._cases: list[dict[int, int] | None] = []
        """The case at each position, by sentence; None if it was not annotated."""
        for index, own in enumerate(opinions):
            self._add_sentence(index, own, types)

    def __len__(self) -> int:
        return len(self._sentences)

    def _add_sentence(self, index: int, opinions: Sequence[Opinion] | None, types: Collection[str]) -> None:
        kept = self._positions.kept[index]
        if opinions is None:
            self._left_out[CASES_NOT_ANNOTATED] += len(kept)
            self._cases.append(None)
            return
        marks: dict[int, list[set[Tokens]]] = {}
        named: dict[int, list[str]] = {}
        for opinion in opinions:
            self._add_opinion(index, opinion, marks, named)
        cases: dict[int, int] = {}
        for position in kept:
            texts = marks.pop(position, None)
            if texts is not None:
                verdict = self._judgments.weigh(texts, len(opinions))
                type_ = Counter(named[position]).most_common(1)[0][0] if verdict.error else ""
                if types and verdict.error and type_ not in types:
                    self._left_out[OTHER_TYPES if type_ else UNKNOWN_TYPES] += 1
                    continue
                self._tied += verdict.tied
                self._errors[len(self)] = verdict
                self._types[len(self)] = type_
            cases[position] = len(self)
            self._sentences.append(index)
        self._cases.append(cases)
        self._left_out[self._others] += len(self._positions.sentences[index]) - len(kept) - len(marks)
        self._left_out[self._other_errors] += len(marks)

    def _add_opinion(self, index: int, opinion: Opinion, marks: dict[int, list[set[Tokens]]], named: dict[int, list[str]]) -> None:
        positions = self._positions.sentences[index]
        changes, *others = (self._positions.find_changes(index, text) for text in opinion.texts)
        self._left_out[OVERLAPPING] += opinion.skipped
        self._left_out[NO_TOKENS] += bool(opinion.texts[0]) and not len(positions)
        for position, change in changes.items():
            marks.setdefault(position, []).append({change.text, *(other[position].text for other in others if position in other)})
            places = positions.list_places(position, change)
            types = (find_type(opinion.spans, token, inserted=inserted) for token, inserted in places)
            named.setdefault(position, []).append(next(filter(None, types), ""))

    def make_cases(self, system: System, progress: Callable[[int], None] | None = None, typer: ChangeTyper | None = None) -> Cases:
        """Make the cases of a system; all systems share the arrays of gold."""
        import numpy as np

        flagged, fixed = np.zeros(len(self), dtype=bool), np.zeros(len(self))
        left_out = Counter(self._left_out)
        wrong: dict[int, ChangedWords] = {}
        for index, cases in enumerate(self._cases):
            target = system.sentences[index]
            changes = self._positions.find_changes(index, target) if cases is not None else {}
            left_out[NO_TOKENS] += bool(target) and not len(self._positions.sentences[index])
            for position, change in changes.items():
                case = (cases or {}).get(position)
                if case is None:
                    left_out[OTHER_CHANGES] += 1
                    continue
                flagged[case] = True
                verdict = self._errors.get(case)
                if verdict is not None and verdict.error:
                    fixed[case] = verdict.corrections.get(change.text, 0.0)
                else:
                    wrong[case] = self._positions.find_words(index, position, change, target)
            if progress is not None:
                progress(1)
        types = self._types
        if typer is not None:
            sources = [sentence.tokens for sentence in self._positions.corpus]
            types = {**types, **dict(zip(wrong, typer.classify(list(wrong.values()), sources, system.sentences), strict=True))}
        return replace(
            self._shared,
            systems=(Answers(system.name, flagged, fixed),),
            left_out=tuple(item for item in left_out.items() if item[1]),
            types=self._label_types(types),
            wrong_types=tuple(typer.order) if typer is not None else (),
        )

    @cached_property
    def _shared(self) -> Cases:
        import numpy as np

        corpus = self._positions.corpus
        error = np.zeros(len(self))
        for case, verdict in self._errors.items():
            error[case] = verdict.error
        return Cases(
            error,
            (),
            self._positions.describe(),
            notes=(f"{self._judgments.describe(corpus, self._tied)}.",) if self._judgments.is_fixed else (),
            graded=self._judgments.name == "graded",
            **label_sentences(corpus, self._sentences, [cases is not None for cases in self._cases]),
        )

    def _label_types(self, types: dict[int, str]) -> Labels | None:
        import numpy as np

        if not any(types.values()):
            return None
        names = {name: code for code, name in enumerate(dict.fromkeys(["", *types.values()]))}
        codes = np.zeros(len(self), dtype=np.int32)
        for case, name in types.items():
            codes[case] = names[name]
        return Labels(codes, tuple(names))


def label_sentences(corpus: Corpus, sentences: Sequence[int], judged: Sequence[bool] | None = None) -> dict[str, Any]:
    """Label cases with their sentences and documents; sentences that are not judged are no units."""
    import numpy as np

    numbers = [index for index in range(len(corpus)) if judged is None or judged[index]]
    codes = np.zeros(len(corpus), dtype=np.int32)
    codes[numbers] = np.arange(len(numbers))
    own = np.asarray(sentences, dtype=np.int32)
    documents = None
    if all(sentence.document for sentence in corpus):
        known = {name: number for number, name in enumerate(dict.fromkeys(corpus[index].document for index in numbers))}
        of_sentence = np.array([known.get(sentence.document, 0) for sentence in corpus], dtype=np.int32)
        documents = Labels(of_sentence[own], tuple(known))
    return {"units": Labels(codes[own], tuple(str(corpus.numbers[index]) for index in numbers)), "documents": documents}
