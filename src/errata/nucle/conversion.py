"""Convert essays to a corpus of sentences, with the rules of the shared tasks.

Mistakes become edits of tokens; annotators and alternative answers are combined per sentence.  Within a sentence, distinct lists of
edits are numbered in order, so annotator 1 need not be the same person in two sentences.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.corpus.corpus import Annotation, Corpus, Sentence
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.corpus.tokenisation import tokenise_as_conll
from errata.errors import FormatError, InputError, MismatchError, UsageError, pluralise
from errata.nucle.essays import NOOP_TYPE
from errata.nucle.placing import GivenTokens, place_by_rule
from errata.nucle.splitter import split
from errata.nucle.token_edits import Language, make_token_edit

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from errata.corpus.corpus import Edit
    from errata.nucle.essays import Essay, Mistake
    from errata.nucle.token_edits import PlacedSentence

ProfileName = Literal["conll13", "conll14", "bryant15"]
"""The name of a release of M2 files: of a shared task, or of ten annotators of the CoNLL-2014 test set (Bryant and Ng, 2015)."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The rules that differ between the releases."""

    keeps_empty_edits: bool
    """Whether an edit that inserts nothing is kept if there are no alternative answers."""
    writes_every_noop: bool
    """Whether every annotator without corrections is written, or only the first."""
    glues_last_token: bool
    """Whether a correction before the full stop of a sentence is tokenised with no space between them.

    Both shared tasks did so: ``over the last decades.`` before a full stop stays ``decades.``, and ``others'`` stays one token.
    """


PROFILES: dict[ProfileName, Profile] = {
    "conll13": Profile(keeps_empty_edits=True, writes_every_noop=False, glues_last_token=True),
    "conll14": Profile(keeps_empty_edits=False, writes_every_noop=True, glues_last_token=True),
    "bryant15": Profile(keeps_empty_edits=False, writes_every_noop=True, glues_last_token=False),
}
"""The releases by name."""
MOST_REPEATED = 100_000
"""Edits of a document made from mistakes that lie in more than one sentence, because sentences have the same text."""
MOST_COPIED = 100_000_000
"""Characters of long tokens that corrections take over."""
_LONG_TOKEN = 1_000
OFFICIAL = Language(split, tokenise_as_conll)
"""The splitter and tokeniser of the shared tasks."""


class SourceFile(NamedTuple):
    """A file and its essays."""

    path: str
    essays: tuple[Essay, ...]


class Note(NamedTuple):
    """A mistake that was dropped or changed, and the reason."""

    path: str
    line: int
    what: Literal["dropped", "trimmed", "repeated"]
    reason: str
    kind: NoteKind
    type: str
    """The type of the mistake."""


NoteKind = Literal["outside", "empty", "trimmed", "repeated"]
"""What mistakes that were dropped or changed have in common."""


def to_corpus(  # noqa: PLR0913 - all but the first two are given by name
    files: Sequence[SourceFile],
    alternatives: Sequence[SourceFile] = (),
    *,
    profile: ProfileName = "conll14",
    types: Collection[str] | None = None,
    tokens: GivenTokens | None = None,
    language: Language = OFFICIAL,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    report: Callable[[Note], None],
) -> Corpus:
    """Make the sentences of the first file, with the annotations of all files.

    ``types`` keeps only mistakes of these types; ``tokens`` replaces the splitter and tokeniser; ``report`` takes dropped and trimmed
    mistakes.
    """
    if profile not in PROFILES:
        raise UsageError(f"unknown profile {profile!r}; choose from {', '.join(PROFILES)}")
    lists = [*_annotation_lists(files, main=True), *_annotation_lists(alternatives, main=False)]
    _check_documents(files, alternatives)
    if types is not None:
        lists = [_filter_mistakes(item, types) for item in lists]
    single = len(files) == 1 and not alternatives and max((len(essay.annotations) for essay in files[0].essays), default=0) <= 1
    rules = replace(PROFILES[profile], keeps_empty_edits=PROFILES[profile].keeps_empty_edits or bool(alternatives))
    converter = _Converter(lists, rules, language, report, single=single)
    sentences: list[Sentence] = []
    for essay in files[0].essays:
        placed = list(tokens.place(essay) if tokens is not None else place_by_rule(essay, language))
        if longest := next((sentence for sentence in placed if len(sentence.tokens) > max_tokens), None):
            raise FormatError(
                files[0].path,
                essay.line,
                f"{len(longest.tokens):,} tokens in a sentence, more than the limit of {max_tokens:,}; {RAISE_LIMIT}",
            )
        sentences += converter.sentences(essay, placed)
    if tokens is not None:
        tokens.check_end()
    return Corpus(tuple(sentences))


class _MistakeList(NamedTuple):
    """One annotator's mistakes, by document and paragraph."""

    path: str
    by_document: dict[str, dict[int, list[Mistake]]]
    main: bool
    """Whether it is not an alternative answer; an empty list then means that nothing is wrong."""


def _annotation_lists(files: Sequence[SourceFile], *, main: bool) -> Iterator[_MistakeList]:
    """Yield the annotations of each file: the first of every essay, then the second, and so on."""
    for file in files:
        by_annotator: list[dict[str, dict[int, list[Mistake]]]] = []
        for essay in file.essays:
            for number, annotation in enumerate(essay.annotations):
                if number == len(by_annotator):
                    by_annotator.append({})
                paragraphs = by_annotator[number].setdefault(essay.id, {})
                for mistake in annotation.mistakes:
                    paragraphs.setdefault(mistake.start_paragraph, []).append(mistake)
        yield from (_MistakeList(file.path, documents, main) for documents in by_annotator)


def _filter_mistakes(item: _MistakeList, types: Collection[str]) -> _MistakeList:
    def kept(mistakes: list[Mistake]) -> list[Mistake]:
        return [mistake for mistake in mistakes if mistake.type in types or mistake.type == NOOP_TYPE]

    documents = {key: {number: kept(own) for number, own in paragraphs.items()} for key, paragraphs in item.by_document.items()}
    return item._replace(by_document=documents)


def _check_documents(files: Sequence[SourceFile], alternatives: Sequence[SourceFile]) -> None:
    first = {essay.id: essay for essay in files[0].essays}
    for essay in files[0].essays:
        if essay.paragraphs is None:
            raise FormatError(
                files[0].path, essay.line, f"document {essay.id} has no <TEXT>; a file of alternative answers needs --alternatives"
            )
    for file in (*files, *alternatives):
        seen: set[str] = set()
        for essay in file.essays:
            if essay.id in seen:
                raise FormatError(file.path, essay.line, f"document {essay.id} occurs twice")
            seen.add(essay.id)
            if essay.id not in first:
                raise FormatError(file.path, essay.line, f"document {essay.id} is not in {files[0].path}")
            _check_text(file.path, essay, first[essay.id].paragraphs or (), files[0].path)
    for file in files[1:]:
        own = {essay.id for essay in file.essays}
        if missing := next((name for name in first if name not in own), None):
            raise MismatchError(f"{file.path} lacks the document {missing} of {files[0].path}")


def _check_text(path: str, essay: Essay, texts: Sequence[str], first: str) -> None:
    if essay.paragraphs is not None and list(essay.paragraphs) != list(texts):
        number = next((k for k, pair in enumerate(zip(essay.paragraphs, texts, strict=False)) if pair[0] != pair[1]), None)
        position = min(len(essay.paragraphs), len(texts)) if number is None else number
        raise MismatchError(f"{path}: the text of document {essay.id} differs from {first}, first in paragraph {position}")
    for annotation in essay.annotations:
        for mistake in annotation.mistakes:
            _check_offsets(path, essay.id, texts, mistake)


def _check_offsets(path: str, document: str, texts: Sequence[str], mistake: Mistake) -> None:
    start, end = (mistake.start_paragraph, mistake.start), (mistake.end_paragraph, mistake.end)
    if start > end:
        raise FormatError(path, mistake.line, f"a mistake ends before it starts: {start[0]}.{start[1]} to {end[0]}.{end[1]}")
    for paragraph, offset in (start, end):
        if paragraph >= len(texts):
            raise FormatError(
                path,
                mistake.line,
                f"paragraph {paragraph} does not exist; document {document} has {pluralise(len(texts), 'paragraph')}, counted from 0",
            )
        if offset > len(texts[paragraph]):
            raise FormatError(
                path,
                mistake.line,
                f"offset {offset} lies outside paragraph {paragraph} of document {document}, "
                f"which has {pluralise(len(texts[paragraph]), 'character')}",
            )


class _Held(NamedTuple):
    """A mistake, with the number of its list and its place in it."""

    start: int
    number: int
    place: int
    mistake: Mistake


_ByList = dict[int, list["Mistake"]]
"""The mistakes in a sentence, by the number of their list."""


class _Converter:
    def __init__(
        self, lists: list[_MistakeList], rules: Profile, language: Language, report: Callable[[Note], None], *, single: bool
    ) -> None:
        self._lists, self._rules, self._language, self._report, self._single = lists, rules, language, report, single
        self._readers: dict[str, list[int]] = {}
        """The numbers of the lists of each document."""
        self._copied = 0
        for number, item in enumerate(lists):
            for document in item.by_document:
                self._readers.setdefault(document, []).append(number)

    def sentences(self, essay: Essay, placed: Sequence[PlacedSentence]) -> list[Sentence]:
        """Make the sentences of an essay; report mistakes that lie in no sentence, or in several."""
        readers = self._readers.get(essay.id, [])
        held = self._mistakes_of(essay, placed, readers)
        mains = [number for number in readers if self._lists[number].main]
        return [self._sentence(sentence, own, mains) for sentence, own in zip(placed, held, strict=True)]

    def _mistakes_of(self, essay: Essay, placed: Sequence[PlacedSentence], readers: Sequence[int]) -> list[_ByList]:
        """List the mistakes inside each sentence."""
        spans: dict[int, dict[tuple[int, int], list[int]]] = {}
        """The sentences with each span, by paragraph; sentences with the same text have the same span."""
        for index, sentence in enumerate(placed):
            spans.setdefault(sentence.paragraph, {}).setdefault((sentence.start, sentence.end), []).append(index)
        inside: list[_ByList] = [{} for _ in placed]
        times: dict[tuple[int, int, int], int] = {}
        repeated = 0
        for paragraph, mistakes in self._by_paragraph(essay, readers).items():
            starts = [item.start for item in mistakes]
            for (start, end), indices in spans.get(paragraph, {}).items():
                # In the shared tasks, a mistake starts before the end of its sentence.
                around = mistakes[bisect_left(starts, start) : bisect_left(starts, end)]
                own = [item for item in around if item.mistake.end_paragraph == paragraph and item.mistake.end <= end]
                repeated += len(own) * (len(indices) - 1)
                if repeated > MOST_REPEATED:
                    raise InputError(
                        f"{self._lists[readers[0]].path}: mistakes lie in several sentences of document {essay.id} with the same text, "
                        f"together more than {MOST_REPEATED:,} times"
                    )
                by_list: _ByList = {}
                for item in sorted(own, key=lambda item: (item.number, item.place)):
                    by_list.setdefault(item.number, []).append(item.mistake)
                    key = (item.number, paragraph, item.place)
                    times[key] = times.get(key, 0) + len(indices)
                for index in indices:
                    inside[index] = by_list
        self._report_dropped(essay, readers, times)
        return inside

    def _by_paragraph(self, essay: Essay, readers: Sequence[int]) -> dict[int, list[_Held]]:
        """List the mistakes of all lists in each paragraph, by their starts."""
        found: dict[int, list[_Held]] = {}
        for number in readers:
            for paragraph, mistakes in self._lists[number].by_document[essay.id].items():
                found.setdefault(paragraph, []).extend(
                    _Held(mistake.start, number, place, mistake) for place, mistake in enumerate(mistakes)
                )
        for held in found.values():
            held.sort(key=lambda item: item.start)
        return found

    def _report_dropped(self, essay: Essay, readers: Sequence[int], times: dict[tuple[int, int, int], int]) -> None:
        """Report mistakes that lie in no sentence, or in several."""
        for number in readers:
            item = self._lists[number]
            for paragraph, mistakes in item.by_document[essay.id].items():
                for place, mistake in enumerate(mistakes):
                    holding = times.get((number, paragraph, place), 0)
                    what = f"a mistake of type {mistake.type!r}"
                    if not holding:
                        reason = f"{what} does not lie inside a single sentence of document {essay.id}"
                        self._report(Note(item.path, mistake.line, "dropped", reason, "outside", mistake.type))
                    elif holding > 1:
                        reason = f"{what} lies in {holding} sentences of document {essay.id}, because they have the same text"
                        self._report(Note(item.path, mistake.line, "repeated", reason, "repeated", mistake.type))

    def _sentence(self, placed: PlacedSentence, by_list: _ByList, mains: Sequence[int]) -> Sentence:
        """Make a sentence with its distinct annotations."""
        by_edits: dict[tuple[tuple[int, int, str], ...], tuple[Edit, ...]] = {}
        said = False  # whether a mistake of type noop says that nothing is wrong
        # Lists without mistakes are equal, so the first is enough; an alternative answer without mistakes agrees with the others.
        silent = next((number for number in mains if number not in by_list), None)
        longest = max(map(len, placed.tokens), default=0)
        for number in sorted([*by_list, *([] if silent is None else [silent])]):
            mistakes = list(by_list.get(number, ()))
            if not self._single:
                mistakes.sort(key=lambda mistake: (mistake.start_paragraph, mistake.end_paragraph, mistake.start, mistake.end))
            key = tuple((mistake.start, mistake.end, mistake.correction) for mistake in mistakes)
            if all(mistake.type == NOOP_TYPE for mistake in mistakes):
                key = ()  # no mistakes and an explicit noop are equal
                said = said or bool(mistakes)
            if key not in by_edits:
                self._check_copies(placed, len(mistakes), longest, self._lists[number].path)
                by_edits[key] = tuple(self._edits(mistakes, placed, self._lists[number].path))
        if len(by_edits) == 1 and not any(by_edits.values()):
            return Sentence(placed.tokens, (), placed.document)
        annotations = [Annotation(str(number), edits) for number, edits in enumerate(by_edits.values())]
        kept = [item for number, item in enumerate(annotations) if item.edits or number == 0 or said or self._rules.writes_every_noop]
        return Sentence(placed.tokens, tuple(kept), placed.document)

    def _check_copies(self, placed: PlacedSentence, mistakes: int, longest: int, path: str) -> None:
        """Bound the text that corrections take from their tokens: they are tokenised with their neighbours."""
        if longest > _LONG_TOKEN:
            self._copied += mistakes * longest
            if self._copied > MOST_COPIED:
                raise InputError(
                    f"{path}: document {placed.document} has too many mistakes in sentences with very long tokens, such as one of "
                    f"{longest:,} characters"
                )

    def _edits(self, mistakes: Sequence[Mistake], placed: PlacedSentence, path: str) -> Iterator[Edit]:
        for mistake in mistakes:
            if mistake.type == NOOP_TYPE:
                continue
            edit, trimmed = make_token_edit(mistake, placed, self._language, glues_last=self._rules.glues_last_token)
            if edit.start == edit.end and not edit.corrections[0] and not self._rules.keeps_empty_edits:
                reason = f"a mistake of type {mistake.type!r} changes nothing"
                self._report(Note(path, mistake.line, "dropped", reason, "empty", mistake.type))
                continue
            if trimmed:
                reason = f"{trimmed!r} is in the text and in the correction"
                self._report(Note(path, mistake.line, "trimmed", reason, "trimmed", mistake.type))
            yield edit
