"""Cases from a corpus and systems: tokens, characters, edits, gaps between tokens or sentences.

By default, the reference of each sentence is chosen for every system.  Tokens are then the columns of a metric's alignment of source,
system and reference (default I-measure), so their counts are those of the metric.  Characters are aligned in the same way, against the
same reference, so two errors in one word are two cases.  Edits are those of a metric (MaxMatch); a text without errors has no defined
number of edits, so there are no true negatives.

Gaps and sentences, and tokens and characters if gold is the same for all systems (:mod:`errata.studies.detection.cases`), are positions
of the source, so every system has the same cases.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from errata.corpus.alternatives import group_errors
from errata.corpus.annotators import DETECT, choose_missing, complete_corpus
from errata.corpus.corpus import WHITESPACE_TOKENS, Annotation, System
from errata.corpus.references import MOST_TOKENS
from errata.errors import RequestError, UsageError, suggest
from errata.language.types import ChangedWords
from errata.language.word_alignment import align_in_order, name_sentence_of_words
from errata.metrics.strategies import SingleRow
from errata.metrics.views import AlignmentColumn, ShowsAlignment, ShowsEdits
from errata.scoring.by_type import find_words_of_edit
from errata.scoring.evaluator import Evaluator
from errata.studies.detection.cases import (
    CASES_NOT_ANNOTATED,
    ERRORS_WITHOUT_WORDS,
    NO_TOKENS,
    NOT_ANNOTATED,
    OTHER_CHANGES,
    OTHER_ERRORS,
    OTHER_POSITIONS,
    OTHER_TYPES,
    OVERLAPPING,
    POSITIONS_WITHOUT_WORDS,
    UNKNOWN_TYPES,
    Answers,
    Cases,
    CaseSettings,
    Judgments,
    Labels,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import Unpack

    from errata.corpus.annotators import Missing
    from errata.corpus.corpus import Corpus, Edit, Sentence
    from errata.corpus.texts import Tokens
    from errata.language.tagging import Tags
    from errata.language.types import ChangeTyper
    from errata.metrics.base import Output
    from errata.metrics.views import Alignment, JudgedEdit
    from errata.studies.detection.cases import CaseOptions, Granularity, Verdict


# Sites: the gaps between tokens where something may be missing, chosen by the parts of speech around them.  A pattern names the tags before
# and after a gap, which is written ``_``: ``_ NN*`` is every gap before a noun, ``IN _ !DT`` every gap between a preposition and anything
# but a determiner.  ``*`` stands for any letters, ``|`` separates alternatives, and ``!`` excludes them.  ``noun-phrases`` is every gap
# before a noun phrase (Chodorow et al. 2012, section 3.6).

_GAP = "_"
_NOUN_PHRASES = "noun-phrases"
_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_OPENING = ("DT", "PDT", "PRP$", "WP$")
"""Tags that begin a noun phrase, also directly after another one."""
_INSIDE = (*_OPENING, *_NOUNS, "CD", "JJ", "JJR", "JJS", "POS")
_ALONE = ("PRP", "EX", "WP")
"""Pronouns, which are noun phrases by themselves."""


class _Tag(NamedTuple):
    """One item of a pattern."""

    names: tuple[str, ...]
    excluded: bool

    def matches(self, tags: Sequence[str], position: int) -> bool:
        """Whether a token has one of the tags; where there is no token, only an exclusion matches."""
        if not 0 <= position < len(tags):
            return self.excluded
        return any(fnmatchcase(tags[position], name) for name in self.names) != self.excluded


class _GapPattern(NamedTuple):
    """Tags before and after a gap, in order."""

    before: tuple[_Tag, ...]
    after: tuple[_Tag, ...]

    @classmethod
    def parse(cls, text: str) -> _GapPattern:
        """Parse a pattern.

        >>> _GapPattern.parse("!DT|PRP$ _ NN*").gaps(["DT", "NN", "VBZ", "NN", "."])
        {3}
        """
        items = text.split()
        if items.count(_GAP) != 1 or len(items) == 1:
            expected = f"{_NOUN_PHRASES}, or tags around a gap, which is written {_GAP}, such as '{_GAP} NN*'"
            raise UsageError(f"a site must be {expected}, found {text!r}")
        tags = []
        for item in items:
            names = tuple(item.removeprefix("!").split("|"))
            if not all(names):
                raise UsageError(f"a site must have a tag on each side of |, and after !, found {item!r} in {text!r}")
            tags.append(_Tag(names, item.startswith("!")))
        gap = items.index(_GAP)
        return cls(tuple(tags[:gap]), tuple(tags[gap + 1 :]))

    def gaps(self, tags: Sequence[str]) -> set[int]:
        """Find the gaps that match, by the number of tokens before them."""
        return {
            gap
            for gap in range(len(tags) + 1)
            if all(tag.matches(tags, gap - len(self.before) + offset) for offset, tag in enumerate(self.before))
            and all(tag.matches(tags, gap + offset) for offset, tag in enumerate(self.after))
        }


class _GapSites:
    """The gaps that one of several patterns chooses."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.text = " or ".join(texts)
        self._noun_phrases = _NOUN_PHRASES in texts
        self._patterns = [_GapPattern.parse(text) for text in texts if text != _NOUN_PHRASES]

    def check_tags(self, tags: Iterable[Sequence[str]]) -> None:
        """Raise if a pattern has a tag that no token has, because it is probably misspelt; a tag that is excluded may be missing."""
        known = {tag for own in tags for tag in own}
        for pattern in self._patterns:
            for item in (*pattern.before, *pattern.after):
                names = item.names if not item.excluded else ()
                if names and not any(fnmatchcase(tag, name) for tag in known for name in names):
                    close = suggest(names[0], known)
                    raise UsageError(
                        f"no token has the tag {'|'.join(names)!r} of a site; choose from {', '.join(sorted(known)) or 'none'}{close}"
                    )

    def find(self, tags: Sequence[str]) -> set[int]:
        """Find the gaps of a sentence with these tags, by the number of tokens before them."""
        found = set[int]().union(*(pattern.gaps(tags) for pattern in self._patterns))
        return found | set(_find_noun_phrases(tags)) if self._noun_phrases else found


def _find_noun_phrases(tags: Sequence[str]) -> Iterator[int]:
    """Yield the start of each noun phrase: a pronoun, or determiners, possessives, numbers, adjectives and nouns that contain a noun.

    A determiner or possessive after a noun begins another phrase, and an adverb belongs to the adjective after it.

    >>> list(_find_noun_phrases(["NN", "IN", "PRP$", "NN", "VBD", "TO", "PRP", "."]))
    [0, 2, 6]
    """
    position = 0
    while position < len(tags):
        start = position
        if tags[start] in _ALONE:
            yield start
            position += 1
            continue
        while position < len(tags) and _belongs(tags, position):
            if position > start and tags[position] in _OPENING and tags[position - 1] not in _OPENING:
                break
            position += 1
        if any(tag in _NOUNS for tag in tags[start:position]):
            yield start
        position = max(position, start + 1)


def _belongs(tags: Sequence[str], position: int) -> bool:
    following = tags[position + 1] if position + 1 < len(tags) else ""
    return tags[position] in _INSIDE or (tags[position].startswith("RB") and following.startswith("JJ"))


# --- Positions of a sentence at which another text may differ from it: tokens, characters, gaps between tokens, or the sentence itself.
#
# The positions depend on the source alone, so they are the same for all annotators and systems.  Every text is aligned with the source in
# the same way (:func:`errata.language.word_alignment.align_in_order`), so equal texts differ from it at the same positions.
#
# - Tokens and characters: what stands at a token is its replacement, with the words inserted before it; words inserted at the end stand
#   at the last token.
# - Gaps: the words inserted before a token, or at the end.
# - Gaps for some words, such as articles: these words stand in the gaps between the other tokens, and are written, or not, in each.

_Position = Literal["token", "character", "gap", "sentence"]


class _Change(NamedTuple):
    """What another text has at a position, if that is not what the source has."""

    text: Tokens
    start: int
    end: int
    """The span of tokens of the other text that stand at the position; only some of them belong to ``text`` if words are given."""


class _SentencePositions:
    """The positions of one sentence.

    >>> positions = _SentencePositions(("He", "is", "fond", "beer", "."), "gap")
    >>> len(positions), positions.changes(("He", "is", "fond", "of", "beer", "."))
    (6, {3: _Change(text=('of',), start=3, end=4)})
    """

    def __init__(self, tokens: Tokens, kind: _Position, words: Collection[str] = frozenset()) -> None:
        self._tokens, self._kind, self._words = tokens, kind, words
        self._source = tuple(" ".join(tokens)) if kind == "character" else tokens
        self.spans: list[tuple[int, int]] = list(self._locate(self._source))
        """The source tokens that stand at each position."""

    def __len__(self) -> int:
        return len(self.spans)

    def written(self, position: int) -> Tokens:
        """Get what the source has at a position."""
        return self._read(self._source, self.spans[position])

    def changes(self, target: Tokens) -> dict[int, _Change]:
        """Find the positions where another text has something else."""
        if target == self._tokens:
            return {}
        other = tuple(" ".join(target)) if self._kind == "character" else target
        found = ((position, _Change(self._read(other, span), *span)) for position, span in enumerate(self._locate(other)))
        return {position: change for position, change in found if change.text != self.written(position)}

    def list_places(self, position: int, change: _Change) -> list[tuple[int, bool]]:
        """List the source tokens where a change may be marked, and whether it is inserted there, the most likely first."""
        start, end = self.spans[position]
        if self._words:
            gap = end if position == len(self) - 1 else end - 1
            return [*((token, False) for token in range(start, gap)), (gap, True)]
        token = self._source[start:end]
        if start == end or change.text[-1:] == token:
            return [(start, True)]
        return [(end, True)] if change.text[:1] == token else [(start, False)]

    def list_gaps(self, position: int) -> range:
        """List the gaps between tokens, by the number of tokens before them, that belong to a position."""
        start, end = self.spans[position]
        at_end = position == len(self) - 1
        return range(start, end + 1 if at_end or not self._words else end)

    def _read(self, text: Sequence[str], span: tuple[int, int]) -> Tokens:
        inside = text[slice(*span)]
        return tuple(word.lower() for word in inside if word.lower() in self._words) if self._words else tuple(inside)

    def _locate(self, target: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield the span of another text at each position."""
        if self._kind == "sentence":
            yield 0, len(target)
            return
        aligned = dict(align_in_order(self._source, target))
        gaps = self._kind == "gap"
        end, last = 0, len(self._source) - 1
        for position, word in enumerate(self._source):
            if gaps and self._words and word.lower() in self._words:
                continue
            start = end
            other = aligned.get(position)
            if other is not None:
                end = other + 1
            if not gaps and position == last:
                end = len(target)
            yield start, max(start, end - 1) if gaps and not self._words else end
        if gaps:
            yield end, len(target)


_TypedSpan = tuple[int, int, str]
"""A span of source tokens and the type of its error."""
_KNOWN = 4
"""Texts for each sentence whose changes are remembered."""
_LISTED = 5
"""Words in a report."""


def _find_type(spans: Sequence[_TypedSpan], position: int, *, inserted: bool) -> str:
    """Find the type of the edit at a token; for an inserted token, of an insertion there, else of an edit around it or next to it."""
    if not inserted:
        return next((name for start, end, name in spans if start <= position < end), "")
    insertions = [name for start, end, name in spans if start == end == position]
    around = [name for start, end, name in spans if start < position < end]
    beside = [name for start, end, name in spans if start <= position <= end]
    return next(iter((*insertions, *around, *beside)), "")


class _Reference(NamedTuple):
    """What one annotator says about a sentence."""

    texts: Sequence[Tokens]
    """The correction, then the same with another alternative of one edit."""
    spans: Sequence[_TypedSpan]
    skipped: int = 0
    """Edits that overlap others, so that they cannot be applied."""


def _make_reference(sentence: Sentence, annotation: Annotation) -> _Reference:
    """Apply the edits of an annotator."""
    texts = [sentence.corrected(annotation)]
    for index, edit in enumerate(annotation.edits):
        for text in edit.corrections[1:]:
            edits = list(annotation.edits)
            edits[index] = replace(edit, corrections=(text,))
            texts.append(sentence.corrected(replace(annotation, edits=tuple(edits))))
    return _Reference(texts, [(edit.start, edit.end, edit.type) for edit in annotation.edits], len(sentence.unapplied(annotation)))


class _CorpusPositions:
    """The positions of every sentence of a corpus; with ``sites``, only those that have a site are cases."""

    def __init__(
        self,
        corpus: Corpus,
        kind: _Position,
        words: Collection[str] = frozenset(),
        sites: _GapSites | None = None,
        tags: Sequence[Tags] = (),
    ) -> None:
        self.corpus, self.kind, self.words, self.sites = corpus, kind, words, sites
        self.sentences = [_SentencePositions(sentence.tokens, kind, words) for sentence in corpus]
        self._known: dict[tuple[int, Tokens], dict[int, _Change]] = {}
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

    def find_changes(self, index: int, target: Tokens) -> dict[int, _Change]:
        """Find the positions of a sentence where another text differs."""
        key = index, target
        if key not in self._known:
            if len(self._known) > _KNOWN * len(self.sentences):
                self._known.clear()
            with name_sentence_of_words(self.corpus.numbers[index]):
                self._known[key] = self.sentences[index].changes(target)
        return self._known[key]

    def find_words(self, index: int, position: int, change: _Change, target: Tokens) -> ChangedWords:
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


class _PositionGold:
    """The cases of a corpus, and what its annotators say about them."""

    def __init__(
        self,
        positions: _CorpusPositions,
        judgments: Judgments,
        references: Iterable[Sequence[_Reference] | None],
        types: Collection[str] = (),
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
        for index, own in enumerate(references):
            self._add_sentence(index, own, types)

    def __len__(self) -> int:
        return len(self._sentences)

    def _add_sentence(self, index: int, references: Sequence[_Reference] | None, types: Collection[str]) -> None:
        kept = self._positions.kept[index]
        if references is None:
            self._left_out[CASES_NOT_ANNOTATED] += len(kept)
            self._cases.append(None)
            return
        marks: dict[int, list[set[Tokens]]] = {}
        named: dict[int, list[str]] = {}
        for reference in references:
            self._add_reference(index, reference, marks, named)
        cases: dict[int, int] = {}
        for position in kept:
            texts = marks.pop(position, None)
            if texts is not None:
                verdict = self._judgments.weigh(texts, len(references))
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

    def _add_reference(self, index: int, reference: _Reference, marks: dict[int, list[set[Tokens]]], named: dict[int, list[str]]) -> None:
        positions = self._positions.sentences[index]
        changes, *others = (self._positions.find_changes(index, text) for text in reference.texts)
        self._left_out[OVERLAPPING] += reference.skipped
        self._left_out[NO_TOKENS] += bool(reference.texts[0]) and not len(positions)
        for position, change in changes.items():
            marks.setdefault(position, []).append({change.text, *(other[position].text for other in others if position in other)})
            places = positions.list_places(position, change)
            types = (_find_type(reference.spans, token, inserted=inserted) for token, inserted in places)
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
            **_label_sentences(corpus, self._sentences, [cases is not None for cases in self._cases]),
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


def _label_sentences(corpus: Corpus, sentences: Sequence[int], judged: Sequence[bool] | None = None) -> dict[str, Any]:
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


# --- Edits as cases, if the annotators of a sentence judge together.
#
# The edits of all annotators are grouped into errors (:func:`errata.corpus.alternatives.group_errors`), and the metric finds the edits of a
# system that match any of them.  An error is flagged if one of its edits matches, or if a wrong edit lies at its position.  The system has
# the correction of an annotator if all edits of this annotator for the error match.

_Part = tuple[int, int, tuple[str, ...]]
_Correction = tuple[_Part, ...]
"""The spans and corrections of an annotator for an error."""


def _pool_annotators(corpus: Corpus) -> Corpus:
    """Make a corpus in which one annotator has the distinct edits of all."""
    return replace(corpus, sentences=tuple(_pool(sentence) for sentence in corpus))


def _pool(sentence: Sentence) -> Sentence:
    edits = {_make_part(edit): edit for annotation in sentence.annotations for edit in annotation.edits}
    return replace(sentence, annotations=(Annotation("all", tuple(edits.values())),) if sentence.annotations else ())


def _make_part(edit: Edit) -> _Part:
    return edit.start, edit.end, edit.corrections


def _overlaps(one: JudgedEdit, start: int, end: int) -> bool:
    """Tell whether an edit has this span or shares a token with it."""
    return (one.start, one.end) == (start, end) or max(one.start, start) < min(one.end, end)


class _JudgedError(NamedTuple):
    """An error that annotators mark, or an edit of a system where nothing is wrong."""

    error: float
    flagged: bool
    fixed: float = 0.0
    type: str = ""
    edit: JudgedEdit | None = None
    """The edit of the system, if nothing is wrong there."""
    tied: bool = False


class _Error(NamedTuple):
    """The corrections of an error, and what the annotators say about it."""

    corrections: list[_Correction]
    type: str
    verdict: Verdict

    def lies_at(self, edit: JudgedEdit) -> bool:
        return any(_overlaps(edit, start, end) for correction in self.corrections for start, end, _ in correction)

    def find_matching(self, edits: Sequence[JudgedEdit]) -> JudgedEdit | None:
        """Find an edit of the system that an annotator has too."""
        parts = {part for correction in self.corrections for part in correction}
        return next((edit for edit in edits if any(_matches(edit, part) for part in parts)), None)

    def judge(self, edit: JudgedEdit | None, right: Sequence[JudgedEdit] = ()) -> _JudgedError:
        """Judge a system that has some right edits, or another edit at the position of the error."""
        made = [own for own in dict.fromkeys(self.corrections) if all(any(_matches(edit, part) for edit in right) for part in own)]
        fixed = sum(self.verdict.corrections.get(own, 0.0) for own in made)
        if not self.verdict.error:
            return _JudgedError(0.0, edit is not None, edit=edit, tied=self.verdict.tied)
        return _JudgedError(self.verdict.error, edit is not None, min(self.verdict.error, fixed), self.type)


def _matches(edit: JudgedEdit, part: _Part) -> bool:
    start, end, corrections = part
    return (edit.start, edit.end) == (start, end) and edit.corrections[0] in corrections


def _judge_errors(sentence: Sentence, edits: Sequence[JudgedEdit], judgments: Judgments) -> Iterator[_JudgedError]:
    """Judge the errors of a sentence and the wrong edits of a system; ``edits`` are judged against the pooled annotators.

    What is no error by vote, and is not flagged, is no case.
    """
    right = [edit for edit in edits if edit.outcome == "right"]
    unmatched: list[_Error] = []
    for error in _find_errors(sentence, judgments):
        matching = error.find_matching(right)
        if matching is None:
            unmatched.append(error)
        else:
            yield error.judge(matching, right)
    for edit in edits:
        if edit.outcome == "wrong":
            at = next((error for error in unmatched if error.lies_at(edit)), None)
            if at is not None:
                unmatched.remove(at)
            yield at.judge(edit) if at is not None else _JudgedError(0.0, flagged=True, edit=edit)
    yield from (error.judge(None) for error in unmatched if error.verdict.error)


def _find_errors(sentence: Sentence, judgments: Judgments) -> Iterator[_Error]:
    for alternatives in group_errors(sentence):
        own = [item for item in alternatives if item.annotator is not None]
        corrections = [tuple(_make_part(edit) for edit in item.edits) for item in own]
        type_ = Counter(item.edits[0].type for item in own).most_common(1)[0][0]
        yield _Error(corrections, type_, judgments.weigh([[correction] for correction in corrections], len(sentence.annotations)))


# --- Cases that belong to one system: the columns of an alignment of source, system and reference, and edits.

_TIED = "ties"
"""Counted with what is left out, but reported otherwise."""


class _AlignedCase(NamedTuple):
    """One case."""

    sentence_index: int
    error: float
    flagged: bool
    fixed: float
    type: str
    change: ChangedWords | None = None
    """What the system changes, if it is a false positive."""


def _type_false_positives(cases: Sequence[_AlignedCase], corpus: Corpus, system: System, typer: ChangeTyper) -> list[_AlignedCase]:
    """Give types to false positives without one."""
    changes = [case.change for case in cases if case.change is not None and not case.type]
    types = iter(typer.classify(changes, [sentence.tokens for sentence in corpus], system.sentences))
    return [case._replace(type=next(types)) if case.change is not None and not case.type else case for case in cases]


def _join_cases(
    corpus: Corpus, system: System, what: str, kept: Sequence[_AlignedCase], left_out: Iterable[tuple[str, int]], *, negatives: bool
) -> Cases:
    """Make a table of cases."""
    import numpy as np

    def column(field: int, kind: Any) -> Any:
        return np.fromiter((case[field] for case in kept), dtype=kind, count=len(kept))

    answers = Answers(system.name, column(2, bool), column(3, np.float64))
    names = dict.fromkeys(case.type for case in kept)
    codes = {name: number for number, name in enumerate(names)}
    types = Labels(np.array([codes[case.type] for case in kept], dtype=np.int32), tuple(names)) if any(names) else None
    return Cases(
        column(1, np.float64),
        (answers,),
        what,
        negatives=negatives,
        left_out=tuple(item for item in left_out if item[1]),
        types=types,
        **_label_sentences(corpus, column(0, np.int32)),
    )


def _turn_errors_into_cases(index: int, errors: Iterable[_JudgedError], tokens: Tokens, left_out: Counter[str]) -> Iterator[_AlignedCase]:
    """Turn errors that annotators judge together into cases."""
    for error in errors:
        left_out[_TIED] += error.tied
        change = find_words_of_edit(index, error.edit, tokens) if error.edit is not None else None
        type_ = error.type or (error.edit.type or "" if error.edit is not None and error.edit.outcome == "wrong" else "")
        yield _AlignedCase(index, error.error, error.flagged, error.fixed, type_, change)


def _turn_edits_into_cases(index: int, edits: Sequence[JudgedEdit], tokens: Tokens) -> Iterator[_AlignedCase]:
    """Turn edits into cases; a wrong and a missed edit at one position are one case: an error that is found but not corrected."""
    missed = [edit for edit in edits if edit.outcome == "missed"]
    for edit in edits:
        if edit.outcome == "right":
            yield _AlignedCase(index, error=1, flagged=True, fixed=1, type=edit.type or "")
        elif edit.outcome == "wrong":
            partner = next((other for other in missed if _overlaps(edit, other.start, other.end)), None)
            if partner is not None:
                missed.remove(partner)
                yield _AlignedCase(index, error=1, flagged=True, fixed=0, type=partner.type or "")
            else:
                yield _AlignedCase(index, 0, flagged=True, fixed=0, type=edit.type or "", change=find_words_of_edit(index, edit, tokens))
    yield from (_AlignedCase(index, error=1, flagged=False, fixed=0, type=edit.type or "") for edit in missed)


def _turn_columns_into_cases(
    index: int, columns: Iterable[tuple[AlignmentColumn, str]], confusion_set: Collection[str], left_out: Counter[str]
) -> Iterator[_AlignedCase]:
    """Turn columns into cases."""
    position = target = 0
    for column, type_ in columns:
        old = range(position, position + (column.source is not None))
        new = range(target, target + (column.hypothesis is not None))
        position, target = old.stop, new.stop
        error = column.source != column.reference
        if confusion_set and not any(token is not None and token.lower() in confusion_set for token in column):
            left_out[ERRORS_WITHOUT_WORDS if error else POSITIONS_WITHOUT_WORDS] += 1
            continue
        flagged = column.source != column.hypothesis
        change = ChangedWords(index, old, new) if flagged and not error else None
        yield _AlignedCase(index, error, flagged, error and column.hypothesis == column.reference, type_, change)


def _list_typed_spans(sentence: Sentence, alignment: Alignment) -> list[_TypedSpan]:
    """List the corrections in a reference, with the type of the gold edit."""
    types = {(annotation.annotator, edit.start, edit.end): edit.type for annotation in sentence.annotations for edit in annotation.edits}
    return [
        (
            item.start,
            item.end,
            next((types[name, item.start, item.end] for name in item.annotators if (name, item.start, item.end) in types), ""),
        )
        for item in alignment.corrections
    ]


def _add_types(sentence: Sentence, alignment: Alignment) -> Iterator[tuple[AlignmentColumn, str]]:
    """Yield columns with the type of the gold edit that makes them an error."""
    spans = _list_typed_spans(sentence, alignment)
    position = 0
    for column in alignment.columns:
        inserted = column.source is None
        type_ = ""
        if column.source != column.reference:
            type_ = _find_type(spans, position, inserted=inserted)
        yield column, type_
        position += not inserted


def _align_characters(alignment: Alignment, output: ShowsAlignment) -> Iterator[tuple[AlignmentColumn, str]]:
    """Yield columns of characters, which have no type; three equal texts need no alignment."""
    texts = [tuple(" ".join(token for column in alignment.columns if (token := column[row]) is not None)) for row in range(3)]
    source, hypothesis, reference = texts
    if source == hypothesis == reference:
        yield from ((AlignmentColumn(character, character, character), "") for character in source)
        return
    yield from ((column, "") for column in output.align(source, hypothesis, reference))


_METRICS: dict[Granularity, str] = {
    "token": "imeasure",
    "character": "imeasure",
    "edit": "maxmatch",
    "gap": "imeasure",
    "sentence": "imeasure",
}
"""The default metric whose alignment or edits are the cases, or that chooses references."""
_WHAT: dict[Granularity, str] = {
    "token": "tokens of source, system and reference, aligned as {} does",
    "character": "characters of source, system and reference, aligned as {} aligns tokens",
    "edit": "edits of system and gold, as {} finds them",
}
_ANY_TYPE = "False positives are changes of every type, because wrong changes have no type."


class CorpusCases:
    """A corpus, prepared to extract the cases of any number of systems.

    Its arguments are those of :class:`errata.studies.detection.cases.CaseSettings`.
    """

    def __init__(self, corpus: Corpus, **options: Unpack[CaseOptions]) -> None:
        self._settings = settings = CaseSettings(**options)
        self.judgments = Judgments.of(corpus, settings.judgments, settings.annotator)
        _check_types(corpus, settings.types)
        missing = _find_policy(corpus, settings)
        self._data = _Data(corpus, complete_corpus(corpus, missing), missing)
        self._positions = self._find_positions()
        self._cases = _JudgedCases(self._data, settings, self.judgments, self._positions)
        if self._positions is None or not self.judgments.is_fixed:
            _ = self._cases.evaluate
        self._alone: dict[str, _JudgedCases] = {}
        """The same by the judgment of one annotator."""

    def _find_positions(self) -> _CorpusPositions | None:
        """Find the positions of the corpus, if cases are positions."""
        corpus, settings = self._data.corpus, self._settings
        if settings.case == "edit" or (settings.case not in {"gap", "sentence"} and not self.judgments.is_fixed):
            return None
        if settings.tagger is None or not settings.sites:
            return _CorpusPositions(corpus, settings.case, settings.confusion_set)
        tags = settings.tagger.tag([sentence.tokens for sentence in corpus])
        sites = _GapSites(settings.sites)
        sites.check_tags(tags)
        return _CorpusPositions(corpus, settings.case, settings.confusion_set, sites, tags)

    def of(self, system: System, progress: Callable[[int], None] | None = None) -> Cases:
        """Extract the cases of a system."""
        return self._cases.of(system, progress)

    def judge_by_annotator(self, system: System) -> Iterator[tuple[str, Cases]]:
        """Yield the cases of a system as each annotator alone judges them."""
        for name in self._data.corpus.annotators:
            if name not in self._alone:
                self._alone[name] = self._with_judge(Judgments("vote", name))
            yield name, self._alone[name].of(system)

    def judge_annotators(self) -> Iterator[tuple[str, Cases]]:
        """Yield every pair of annotators: the first judges the corrections of the second, in the sentences that both annotated."""
        names = self._data.corpus.annotators
        for number, one in enumerate(names):
            for other in names[number + 1 :]:
                yield one, self._with_judge(Judgments("vote", one, beside=other)).of(self._as_system(other))

    @cached_property
    def _completed(self) -> Corpus:
        """The corpus for annotators alone, with the annotations that it is found to leave out."""
        return complete_corpus(self._data.given, self._settings.missing)

    def _as_system(self, annotator: str) -> System:
        alone = Judgments("vote", annotator)
        annotations = [alone.find_annotations(sentence) for sentence in self._completed]
        texts = [sentence.corrected(own[0]) if own else sentence.tokens for sentence, own in zip(self._completed, annotations, strict=True)]
        return System(annotator, tuple(texts))

    def _with_judge(self, judgments: Judgments) -> _JudgedCases:
        """Judge the same cases otherwise."""
        data = self._data._replace(corpus=self._completed)
        return _JudgedCases(data, replace(self._settings, typer=None), judgments, self._positions)


class _Data(NamedTuple):
    """The corpus as it was given, and with what annotators without a line are."""

    given: Corpus
    corpus: Corpus
    missing: Missing


class _JudgedCases:
    """The cases of a corpus by the judgment of all its annotators, or of some."""

    def __init__(self, data: _Data, settings: CaseSettings, judgments: Judgments, positions: _CorpusPositions | None) -> None:
        self._data, self._settings, self._judgments, self._positions = data, settings, judgments, positions
        self._corpus = data.corpus

    @cached_property
    def evaluate(self) -> Evaluator:
        """The metric; annotators who judge positions need none."""
        evaluate = Evaluator(self._select_gold(), self._settings.metric or _METRICS[self._settings.case], warn=None)
        shows, what = (ShowsEdits, "edits") if self._settings.case == "edit" else (ShowsAlignment, "aligned words")
        if not isinstance(evaluate.prepare_from([], 0), shows):
            name = evaluate.metric.name
            raise UsageError(
                f"{self._settings.case}s need a metric that shows {what}, such as {_METRICS[self._settings.case]}; {name} does not"
            )
        return evaluate

    def _select_gold(self) -> Corpus:
        """Select what the metric sees: all annotators, one, or all as one."""
        if not self._judgments.is_fixed:
            return self._corpus
        if self._judgments.annotator is None:
            return _pool_annotators(self._corpus)
        own = (replace(sentence, annotations=tuple(self._judgments.find_annotations(sentence) or ())) for sentence in self._corpus)
        return replace(self._corpus, sentences=tuple(own))

    def of(self, system: System, progress: Callable[[int], None] | None = None) -> Cases:
        """Extract the cases of a system."""
        system = self._corpus.fit(system)
        if self._positions is not None:
            gold = self._gold if self._judgments.is_fixed else self._choose_gold(system)
            cases = gold.make_cases(system, progress, self._settings.typer)
        else:
            cases = self._extract(system, progress)
        if self._settings.confusion_set and not len(cases):
            raise RequestError(
                f"no position has one of the words {', '.join(sorted(self._settings.confusion_set)[:5])}, so there are no cases"
            )
        any_type = self._settings.types and not self._settings.confusion_set and self._settings.typer is None
        part = f", in {self._corpus.extent}" if self._corpus.part is not None else ""
        notes = (*cases.notes, *([_ANY_TYPE] if any_type else []))
        return replace(cases, what=f"{cases.what}{part}", notes=notes, data=f"{self._described}{_name_tokenisation(system)}")

    @cached_property
    def _described(self) -> str:
        """What the cases depend on."""
        uses_metric = self._positions is None or not self._judgments.is_fixed
        metric = self.evaluate.metric if uses_metric else None
        return self._settings.describe(self._judgments, metric, self._data.given, self._data.missing)

    @cached_property
    def _gold(self) -> _PositionGold:
        """What the annotators say about every position."""
        assert self._positions is not None  # noqa: S101 - only positions have it
        references = (
            _list_references(sentence, number, self._judgments) for number, sentence in zip(self._corpus.numbers, self._corpus, strict=True)
        )
        return _PositionGold(self._positions, self._judgments, references, self._settings.types)

    def _choose_gold(self, system: System) -> _PositionGold:
        """What the references chosen for a system say about every position."""
        assert self._positions is not None  # noqa: S101 - only positions have it
        output, chosen = self._prepare(system)
        references = []
        for index, row in enumerate(chosen):
            if isinstance(output, ShowsAlignment):
                alignment = output.alignment(index, row)
                reference = tuple(column.reference for column in alignment.columns if column.reference is not None)
                references.append([_Reference([reference], _list_typed_spans(self._corpus[index], alignment))])
        return _PositionGold(self._positions, self._judgments, references, self._settings.types)

    def _extract(self, system: System, progress: Callable[[int], None] | None) -> Cases:
        """Extract columns or edits."""
        left_out = Counter[str]()
        kept: list[_AlignedCase] = []
        for own in self._sentences(system, left_out):
            kept += [case for case in own if not _leave_out(case, self._settings.types, left_out)]
            if progress is not None:
                progress(1)
        if self._settings.typer is not None:
            kept = _type_false_positives(kept, self._corpus, system, self._settings.typer)
        found_by = self.evaluate.metric
        settings = str(found_by).removeprefix(found_by.name)
        what = _WHAT[self._settings.case].format(f"{found_by.title}{settings}")
        tied = left_out.pop(_TIED, 0)
        notes = (f"{self._judgments.describe(self._corpus, tied)}.",) if self._judgments.is_fixed else ()
        own_types = self.evaluate.metric.types_wrong_edits
        return replace(
            _join_cases(self._corpus, system, what, kept, tuple(left_out.items()), negatives=self._settings.case != "edit"),
            notes=notes,
            graded=self._judgments.name == "graded",
            wrong_types=None if own_types else tuple(self._settings.typer.order) if self._settings.typer is not None else (),
        )

    def _sentences(self, system: System, left_out: Counter[str]) -> Iterator[Iterator[_AlignedCase]]:
        """Yield the cases of each sentence, against the reference chosen for it or what the annotators say."""
        output, chosen = self._prepare(system)
        for index, row in enumerate(chosen):
            if self._judgments.find_annotations(self._corpus[index]) is None:
                left_out[NOT_ANNOTATED] += 1
                yield iter(())
            elif isinstance(output, ShowsEdits) and self._settings.case == "edit":
                edits, tokens = output.edits(index)[row], system.sentences[index]
                if self._judgments.is_fixed and self._judgments.annotator is None:
                    yield _turn_errors_into_cases(index, _judge_errors(self._corpus[index], edits, self._judgments), tokens, left_out)
                else:
                    yield _turn_edits_into_cases(index, edits, tokens)
            elif isinstance(output, ShowsAlignment):
                alignment = output.alignment(index, row)
                columns = (
                    _add_types(self._corpus[index], alignment) if self._settings.case == "token" else _align_characters(alignment, output)
                )
                yield _turn_columns_into_cases(index, columns, self._settings.confusion_set, left_out)

    def _prepare(self, system: System) -> tuple[Output, Sequence[int]]:
        """Prepare the output, and choose the row of each sentence; if there is only one, without scoring."""
        if isinstance(self.evaluate.metric.strategy, SingleRow):
            return self.evaluate.prepare(system), (0,) * len(system)
        score = self.evaluate(system)
        if score.evidence.chosen is None:
            raise UsageError(f"{score.metric.name} chooses no reference, so there are no cases")
        return score.output, score.evidence.chosen


def _name_tokenisation(system: System) -> str:
    return "" if system.tokenisation == WHITESPACE_TOKENS else f" | tokenised by {system.tokenisation}"


def extract_cases(corpus: Corpus, system: System, **options: Unpack[CaseOptions]) -> Cases:
    """Extract the cases of one system; for several, :class:`CorpusCases` prepares the gold once."""
    return CorpusCases(corpus, **options).of(system)


def _find_policy(corpus: Corpus, settings: CaseSettings) -> Missing:
    """Find what an annotator without a line is: by default absent, unless the only judge is found to be left out."""
    if settings.missing != DETECT:
        return choose_missing(corpus, settings.missing)
    return (settings.annotator is not None and corpus.missing.policies.get(settings.annotator)) or "absent"


def _list_references(sentence: Sentence, number: int, judgments: Judgments) -> list[_Reference] | None:
    annotations = judgments.find_annotations(sentence)
    if annotations is None:
        return None
    texts = sum(1 + sum(len(edit.corrections) - 1 for edit in annotation.edits) for annotation in annotations)
    if texts * len(sentence.tokens) > MOST_TOKENS:
        raise RequestError(f"sentence {number:,}: its annotators accept texts of more than {MOST_TOKENS:,} tokens")
    return [_make_reference(sentence, annotation) for annotation in annotations] or [_Reference([sentence.tokens], [])]


def _check_types(corpus: Corpus, types: Collection[str]) -> None:
    known = {edit.type for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits}
    if unknown := sorted(set(types) - known):
        raise UsageError(
            f"no edit of gold has the type {unknown[0]!r}; the types are {', '.join(sorted(known)) or 'none'}{suggest(unknown[0], known)}"
        )


def _leave_out(case: _AlignedCase, types: Collection[str], left_out: Counter[str]) -> bool:
    if not types or not case.error or case.type in types:
        return False
    left_out[OTHER_TYPES if case.type else UNKNOWN_TYPES] += 1
    return True
