"""Essays of NUCLE and of the CoNLL shared tasks as a corpus of sentences, with the rules of the shared tasks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.corpus.corpus import Annotation, Corpus, Edit, Sentence
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.corpus.tokenisation import tokenise_as_conll
from errata.errors import FormatError, InputError, MismatchError, UsageError, pluralise
from errata.formats.conll import read_conll
from errata.formats.essays import NOOP_TYPE, OLD_TYPES, TYPES, format_sgml, list_sgml_losses, read_essays
from errata.formats.lines import display_path, get_file_name
from errata.formats.problems import Problem, Problems, Summary, Wording, warn_in_python
from errata.formats.registry import CorpusFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from os import PathLike

    from errata.corpus.texts import Tokens
    from errata.formats.essays import Essay, Mistake


# --- The sentence splitter of the CoNLL shared tasks: a rule fitted to their test sets.
#
# A sentence ends after a word that ends in . ? or !; a closing quotation mark there begins the next sentence.  After an
# abbreviation, an ellipsis or a single letter, it ends only before a word that often begins a sentence.

_STOP = re.compile(r"[.?!](?=\s|[\"”’])")
_NEXT = re.compile(r"\s*[\"“‘'(\[]*([^\W\d_]*)")
_ABBREVIATIONS = frozenset({"mr", "mrs", "ms", "dr", "prof", "st", "vs", "etc", "u.s", "u.k"})
_LONGEST = max(map(len, _ABBREVIATIONS))
_OPENING_MARKS = frozenset("\"'“‘([")
_OPENERS = frozenset(
    "A An And As At But By Even For He Her His However I If In It Its Many Moreover My No Nowadays On One Our She So Some Such "  # noqa: SIM905
    "That The Their Then There Therefore These They This Those Thus To We What When While With You".split()
)
_AFTER_A_LETTER = frozenset({"The", "He", "She"})


def _split(text: str) -> list[str]:
    """Split a paragraph into sentences, without surrounding white space.

    >>> _split('Mr. Bean said "no." He left. I use phones, etc. and so on. The end')
    ['Mr. Bean said "no.', '" He left.', 'I use phones, etc. and so on.', 'The end']
    """
    sentences = []
    start = 0
    word = _Word(text)
    for stop in _STOP.finditer(text):
        if _ends(text, word.bare_start(start, stop.start()), stop.end()):
            sentences.append(text[start : stop.end()].strip())
            start = stop.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]


class _Word:
    """The last word read, which may have many stops; each character is read once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._read = self._start = self._bare = 0

    def bare_start(self, sentence: int, stop: int) -> int:
        """Find where the word that ends before a stop starts without opening marks; a word starts after a space or with its sentence."""
        start = max(self._start, sentence)
        for position in range(self._read, stop):
            if self._text[position].isspace():
                start = position + 1
        self._read = stop
        if start != self._start or self._bare < start:
            self._start, self._bare = start, start
        while self._bare < stop and self._text[self._bare] in _OPENING_MARKS:
            self._bare += 1
        return self._bare


def _ends(text: str, bare_start: int, end: int) -> bool:
    if text[end - 1] != ".":
        return True
    bare = text[bare_start : end - 1].lower() if end - 1 - bare_start <= _LONGEST else ""
    following = _NEXT.match(text, end)
    next_word = following.group(1) if following else ""
    if len(bare) == 1 and bare.isalpha():
        return next_word in _AFTER_A_LETTER
    if bare in _ABBREVIATIONS or text[end - 2 : end] == "..":
        return next_word in _OPENERS
    return True


# Find the first occurrence of each of many sentences in a paragraph.

_MANY_SENTENCES = 2_000
"""From here on, all sentences are searched in one pass; searching a few one by one is faster."""
_CHARACTERS = 0x110000


def _find_first_places(text: str, sentences: Iterable[str], many: int = _MANY_SENTENCES) -> dict[str, int]:
    """Find the first occurrence of each sentence in a text; -1 if there is none."""
    distinct = list(dict.fromkeys(sentences))
    if len(distinct) < many:
        return {sentence: text.find(sentence) for sentence in distinct}
    return _Automaton(distinct).find(text)


class _Automaton:
    """The automaton of Aho and Corasick (1975): it reads a text once, whatever the number of sentences."""

    def __init__(self, sentences: list[str]) -> None:
        self._next: dict[int, int] = {}
        """The state after a state and a character; a state stands for the beginning of a sentence."""
        self._sentence: dict[int, str] = {}
        """The sentence that ends in a state."""
        before, depths = [0], [0]
        for sentence in sentences:
            state = 0
            for character in sentence:
                key = state * _CHARACTERS + ord(character)
                following = self._next.get(key)
                if following is None:
                    following = self._next[key] = len(before)
                    before.append(key)
                    depths.append(depths[state] + 1)
                state = following
            self._sentence[state] = sentence
        self._shorter = [0] * len(before)
        """The state of the longest beginning of a sentence at the end of what has been read, apart from the state itself."""
        self._inside = [0] * len(before)
        """The first of these states in which a sentence ends."""
        for state in sorted(range(1, len(before)), key=depths.__getitem__):
            parent, code = divmod(before[state], _CHARACTERS)
            shorter = self._step(self._shorter[parent], code) if parent else 0
            self._shorter[state] = shorter
            self._inside[state] = shorter if shorter in self._sentence else self._inside[shorter]

    def _step(self, state: int, code: int) -> int:
        while (following := self._next.get(state * _CHARACTERS + code)) is None and state:
            state = self._shorter[state]
        return following or 0

    def find(self, text: str) -> dict[str, int]:
        places = dict.fromkeys(self._sentence.values(), -1)
        if "" in places:
            places[""] = 0
        state = 0
        for end, character in enumerate(text, start=1):
            state = self._step(state, ord(character))
            found = state if state in self._sentence else self._inside[state]
            while found and places[self._sentence[found]] < 0:  # else those inside it are known too
                sentence = self._sentence[found]
                places[sentence] = end - len(sentence)
                found = self._inside[found]
        return places


def _place_by_rule(essay: Essay, language: Language) -> Iterator[PlacedSentence]:
    """Yield the sentences that a splitter and a tokeniser find."""
    for number, text in enumerate(essay.paragraphs or ()):
        sentences = [(sentence, tuple(language.tokenise(sentence))) for sentence in language.split(text)]
        yield from _place_sentences(essay.id, number, text, sentences)


def _place_sentences(document: str, paragraph: int, text: str, sentences: Sequence[tuple[str, Tokens]]) -> Iterator[PlacedSentence]:
    """Locate each sentence at the first occurrence of its text in the paragraph."""
    places = _find_first_places(text, (sentence for sentence, _ in sentences))
    for sentence, tokens in sentences:
        yield PlacedSentence.place(document, paragraph, text, places[sentence], sentence, tokens)


class _GivenTokens:
    """Given tokens of all sentences, in the order of the essays."""

    def __init__(self, sentences: Sequence[Tokens], path: str) -> None:
        self._sentences = sentences
        self._path = path
        self._next = 0

    def place(self, essay: Essay) -> Iterator[PlacedSentence]:
        """Yield the sentences of the next essay; raise at the first token that differs from the text."""
        for number, text in enumerate(essay.paragraphs or ()):
            position = _after_space(text, 0)
            sentences: list[tuple[str, Tokens]] = []
            while position < len(text):
                if self._next == len(self._sentences):
                    raise MismatchError(
                        f"{self._path} ends before paragraph {number} of document {essay.id}: {text[position : position + 40]!r}"
                    )
                tokens = self._sentences[self._next]
                self._next += 1
                first = position
                for index, token in enumerate(tokens):
                    if not text.startswith(token, position):
                        raise MismatchError(
                            f"{self._path}: token {index + 1} of sentence {self._next} is {token!r}, but paragraph {number} of "
                            f"document {essay.id} has {text[position : position + 20]!r} there"
                        )
                    last = position + len(token)
                    position = _after_space(text, last)
                if tokens:
                    sentences.append((text[first:last], tokens))
            yield from _place_sentences(essay.id, number, text, sentences)

    def check_end(self) -> None:
        """Raise if sentences are left over."""
        if self._next < len(self._sentences):
            raise MismatchError(
                f"{self._path} has {pluralise(len(self._sentences), 'sentence')}, but the essays end after {self._next:,}; "
                f"the next is {' '.join(self._sentences[self._next])[:60]!r}"
            )


def _after_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


class PlacedSentence(NamedTuple):
    """A sentence and its tokens, with their character offsets in the paragraph."""

    document: str
    paragraph: int
    start: int
    end: int
    tokens: Tokens
    starts: tuple[int, ...]

    @classmethod
    def place(cls, document: str, paragraph: int, text: str, start: int, sentence: str, tokens: Tokens) -> PlacedSentence:
        """Find the tokens of a sentence that starts at an offset of a paragraph."""
        if start < 0:
            raise MismatchError(
                f"the splitter returned a sentence that is not in paragraph {paragraph} of document {document}: {sentence[:60]!r}"
            )
        starts = []
        position = start
        for token in tokens:
            index = text.find(token, position, start + len(sentence))
            if not token or index < 0 or text[position:index].strip():
                where = f"paragraph {paragraph} of document {document}"
                raise MismatchError(f"the tokeniser returned {token[:40]!r}, but {where} has {text[position : position + 20].strip()!r}")
            starts.append(index)
            position = index + len(token)
        return cls(document, paragraph, start, start + len(sentence), tokens, tuple(starts))

    def first_from(self, index: int) -> int:
        """Find the first token that starts at an offset or later."""
        return bisect_left(self.starts, index)

    def split_token(self, index: int) -> int | None:
        """Find the token that has an offset strictly inside it."""
        number = self.first_from(index) - 1
        inside = number >= 0 and self.starts[number] < index < self.starts[number] + len(self.tokens[number])
        return number if inside else None


class Language(NamedTuple):
    """A sentence splitter and a tokeniser."""

    split: Callable[[str], Sequence[str]]
    tokenise: Callable[[str], Sequence[str]]

    def tokenise_in_context(self, text: str, left: str, right: str) -> Tokens:
        """Tokenise a correction together with its neighbours, then remove these.

        A neighbour may become several tokens: before a new sentence, ``etc.`` becomes ``etc`` and ``.``.
        """
        tokens = [token for part in self.split(text) for token in self.tokenise(part)]
        first = _count_tokens_of(left, tokens)
        last = _count_tokens_of(right[::-1], [token[::-1] for token in reversed(tokens)])
        return tuple(tokens[first : max(first, len(tokens) - last)])


def _make_token_edit(mistake: Mistake, sentence: PlacedSentence, language: Language, *, glues_last: bool) -> tuple[Edit, str]:
    """Convert a mistake to an edit of tokens; also return the words that were trimmed.

    If only a part of a token is marked, the edit covers the whole token, and the correction gets its unmarked parts.
    Words that the correction shares with the text at its beginning and end are trimmed.
    """
    tokens = sentence.tokens
    correction = mistake.correction
    start, end = sentence.first_from(mistake.start), sentence.first_from(mistake.end)
    first, last = sentence.split_token(mistake.start), sentence.split_token(mistake.end)
    if first is not None:
        start = first
        correction = tokens[first][: mistake.start - sentence.starts[first]] + correction
    if last is not None:
        end = last + 1
        correction += tokens[last][mistake.end - sentence.starts[last] :]
    left = tokens[start - 1] if start > 0 else ""
    right = tokens[end] if end < len(tokens) else ""
    # A full stop that ends the sentence, but not a word: it would become one word with the correction.
    glued = glues_last and end == len(tokens) - 1 and not right[:1].isalnum()
    new = language.tokenise_in_context(f"{left} {correction}{'' if glued else ' '}{right}", left, right)
    before, after = 0, 0
    while before < min(end - start, len(new)) and tokens[start + before] == new[before]:
        before += 1
    while after < min(end - start, len(new)) - before and tokens[end - 1 - after] == new[len(new) - 1 - after]:
        after += 1
    trimmed = (*new[:before], *new[len(new) - after :])
    return Edit(start + before, end - after, (" ".join(new[before : len(new) - after]),), mistake.type), " ".join(trimmed)


def _count_tokens_of(word: str, tokens: Sequence[str]) -> int:
    """Count the first tokens that make up a word; 0 if they do not."""
    position = 0
    for number, token in enumerate(tokens):
        if position == len(word):
            return number
        if not word.startswith(token, position):
            return 0
        position += len(token)
    return len(tokens) if position == len(word) else 0


# --- Convert essays to a corpus of sentences, with the rules of the shared tasks.
#
# Mistakes become edits of tokens; annotators and alternative answers are combined per sentence.  Within a sentence, distinct lists of
# edits are numbered in order, so annotator 1 need not be the same person in two sentences.

ProfileName = Literal["conll13", "conll14", "bryant15"]
"""The name of a release of M2 files: of a shared task, or of ten annotators of the CoNLL-2014 test set (Bryant and Ng, 2015)."""


@dataclass(frozen=True, slots=True)
class _Profile:
    """The rules that differ between the releases."""

    keeps_empty_edits: bool
    """Whether an edit that inserts nothing is kept if there are no alternative answers."""
    writes_every_noop: bool
    """Whether every annotator without corrections is written, or only the first."""
    glues_last_token: bool
    """Whether a correction before the full stop of a sentence is tokenised with no space between them.

    Both shared tasks did so: ``over the last decades.`` before a full stop stays ``decades.``, and ``others'`` stays one token.
    """


PROFILES: dict[ProfileName, _Profile] = {
    "conll13": _Profile(keeps_empty_edits=True, writes_every_noop=False, glues_last_token=True),
    "conll14": _Profile(keeps_empty_edits=False, writes_every_noop=True, glues_last_token=True),
    "bryant15": _Profile(keeps_empty_edits=False, writes_every_noop=True, glues_last_token=False),
}
"""The releases by name."""
_MOST_REPEATED = 100_000
"""Edits of a document made from mistakes that lie in more than one sentence, because sentences have the same text."""
_MOST_COPIED = 100_000_000
"""Characters of long tokens that corrections take over."""
_LONG_TOKEN = 1_000
OFFICIAL = Language(_split, tokenise_as_conll)
"""The splitter and tokeniser of the shared tasks."""


class _SourceFile(NamedTuple):
    """A file and its essays."""

    path: str
    essays: tuple[Essay, ...]


class _Note(NamedTuple):
    """A mistake that was dropped or changed, and the reason."""

    path: str
    line: int
    what: Literal["dropped", "trimmed", "repeated"]
    reason: str
    kind: _NoteKind
    type: str
    """The type of the mistake."""


_NoteKind = Literal["outside", "empty", "trimmed", "repeated"]
"""What mistakes that were dropped or changed have in common."""


def _to_corpus(  # noqa: PLR0913 - all but the first two are given by name
    files: Sequence[_SourceFile],
    alternatives: Sequence[_SourceFile] = (),
    *,
    profile: ProfileName = "conll14",
    types: Collection[str] | None = None,
    tokens: _GivenTokens | None = None,
    language: Language = OFFICIAL,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    report: Callable[[_Note], None],
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
        placed = list(tokens.place(essay) if tokens is not None else _place_by_rule(essay, language))
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


def _annotation_lists(files: Sequence[_SourceFile], *, main: bool) -> Iterator[_MistakeList]:
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


def _check_documents(files: Sequence[_SourceFile], alternatives: Sequence[_SourceFile]) -> None:
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
        self, lists: list[_MistakeList], rules: _Profile, language: Language, report: Callable[[_Note], None], *, single: bool
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
                if repeated > _MOST_REPEATED:
                    raise InputError(
                        f"{self._lists[readers[0]].path}: mistakes lie in several sentences of document {essay.id} with the same text, "
                        f"together more than {_MOST_REPEATED:,} times"
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
                        self._report(_Note(item.path, mistake.line, "dropped", reason, "outside", mistake.type))
                    elif holding > 1:
                        reason = f"{what} lies in {holding} sentences of document {essay.id}, because they have the same text"
                        self._report(_Note(item.path, mistake.line, "repeated", reason, "repeated", mistake.type))

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
            if self._copied > _MOST_COPIED:
                raise InputError(
                    f"{path}: document {placed.document} has too many mistakes in sentences with very long tokens, such as one of "
                    f"{longest:,} characters"
                )

    def _edits(self, mistakes: Sequence[Mistake], placed: PlacedSentence, path: str) -> Iterator[Edit]:
        for mistake in mistakes:
            if mistake.type == NOOP_TYPE:
                continue
            edit, trimmed = _make_token_edit(mistake, placed, self._language, glues_last=self._rules.glues_last_token)
            if edit.start == edit.end and not edit.corrections[0] and not self._rules.keeps_empty_edits:
                reason = f"a mistake of type {mistake.type!r} changes nothing"
                self._report(_Note(path, mistake.line, "dropped", reason, "empty", mistake.type))
                continue
            if trimmed:
                reason = f"{trimmed!r} is in the text and in the correction"
                self._report(_Note(path, mistake.line, "trimmed", reason, "trimmed", mistake.type))
            yield edit


_MISTAKE_WORDINGS: dict[str, Wording] = {
    "outside": Wording(
        "mistake was dropped: it does not lie inside a single sentence", "mistakes were dropped: they do not lie inside a single sentence"
    ),
    "empty": Wording("mistake was dropped: it changes nothing", "mistakes were dropped: they change nothing"),
    "repeated": Wording(
        "mistake is repeated: it lies in several sentences with the same text",
        "mistakes are repeated: they lie in several sentences with the same text",
    ),
    "trimmed": Wording("correction was trimmed: it repeats words of the text", "corrections were trimmed: they repeat words of the text"),
}
"""What is said of mistakes that were dropped or changed."""


class MistakeCounts(NamedTuple):
    """What SGML files contain before and after their conversion."""

    essays: int
    written: Counter[str]
    """Mistakes by type, as they are written."""
    dropped: Counter[str]
    """Those of them that become no edit: they cross a sentence boundary, or change nothing."""

    @property
    def kept(self) -> Counter[str]:
        """Mistakes that become edits."""
        return self.written - self.dropped


def read_nucle(  # noqa: PLR0913 - all but the first are given by name
    paths: Iterable[str | PathLike[str]],
    *,
    alternatives: Iterable[str | PathLike[str]] = (),
    profile: ProfileName = "conll14",
    types: Collection[str] | None = None,
    tokens: str | PathLike[str] | None = None,
    language: Language = OFFICIAL,
    list_all: bool = False,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    warn: Callable[[Problem], None] = warn_in_python,
) -> Corpus:
    """Read essays: one SGML file per annotator, and files of alternative answers.

    Sentences and tokens follow the rules of the shared tasks, another ``language``, or a file (``.conll``, ``.m2`` or text).
    ``types`` keeps only mistakes of these types.  ``warn`` takes the number of mistakes that are dropped, repeated or trimmed, one
    line for each kind; with ``list_all``, each of them.
    """
    files = [read_essay_file(str(path), max_tokens) for path in paths]
    others = [read_essay_file(str(path), max_tokens) for path in alternatives]
    if not files:
        raise UsageError("expected one or more SGML files")
    known = set().union(*(_count_written(file) for file in (*files, *others)))
    if types is not None and (unknown := sorted(set(types) - known - set(TYPES))):
        raise UsageError(f"no mistake has the type {unknown[0]!r}; there are {', '.join(sorted(known)) or 'no mistakes'}")
    given = _GivenTokens(_read_tokens(str(tokens), max_tokens), display_path(str(tokens))) if tokens is not None else None
    notes = _Notes(warn, list_all=list_all)
    corpus = _to_corpus(files, others, profile=profile, types=types, tokens=given, language=language, max_tokens=max_tokens, report=notes)
    return notes.finish(corpus, files, others)


def read_with_mistakes(
    path: str,
    *,
    profile: ProfileName = "conll14",
    max_tokens: int = DEFAULT_MAX_TOKENS,
    warn: Callable[[Problem], None] = warn_in_python,
) -> tuple[Corpus, MistakeCounts]:
    """Read the essays of one SGML file, and count its mistakes as they are written and those that become edits."""
    file = read_essay_file(path, max_tokens)
    notes = _Notes(warn)
    corpus = notes.finish(_to_corpus([file], profile=profile, max_tokens=max_tokens, report=notes), [file])
    return corpus, MistakeCounts(len(file.essays), _count_written(file), notes.dropped)


class _Notes:
    """Warns of mistakes that were dropped or changed, one by one or in a summary."""

    def __init__(self, warn: Callable[[Problem], None], *, list_all: bool = False) -> None:
        self._warn, self._list_all = warn, list_all
        self._summary = Summary(_MISTAKE_WORDINGS)
        self.dropped = Counter[str]()
        """Mistakes that become no edit, by type."""

    def __call__(self, note: _Note) -> None:
        if note.what == "dropped":
            self.dropped[note.type] += 1
        if self._list_all:
            self._warn(Problem(note.path, note.line, "warning", f"{note.what}: {note.reason}"))
        else:
            self._summary.add(note.path, note.kind)

    def finish(self, corpus: Corpus, files: Sequence[_SourceFile], others: Sequence[_SourceFile] = ()) -> Corpus:
        """Warn of what concerns whole files, and name the corpus."""
        if not corpus.sentences:
            raise InputError(f"{files[0].path}: no sentences found")
        self._summary.report(self._warn)
        for type_, count in _count_unknown_types((*files, *others)).items():
            what = f"{pluralise(count, 'mistake')} of type {type_!r}, which is not in NUCLE (kept)"
            self._warn(Problem(files[0].path, None, "warning", what))
        return Corpus(corpus.sentences, get_file_name(str(files[0].path)), files[0].path)


def read_essay_file(path: str, max_tokens: int = DEFAULT_MAX_TOKENS, problems: Problems | None = None) -> _SourceFile:
    """Read the essays of an SGML file."""
    problems = problems or Problems(display_path(path))
    essays = tuple(read_essays(path, problems, max_tokens))
    if not essays:
        problems.error(None, "no <DOC> found")
    return _SourceFile(problems.path, essays)


def _count_unknown_types(files: Iterable[_SourceFile]) -> dict[str, int]:
    """Count the mistakes of each type that NUCLE does not define."""
    known = {*TYPES, *OLD_TYPES, "noop"}
    counts: dict[str, int] = {}
    for file in files:
        for type_, count in _count_written(file).items():
            if type_ not in known:
                counts[type_] = counts.get(type_, 0) + count
    return counts


def _count_written(file: _SourceFile) -> Counter[str]:
    """Count the mistakes of a file by type, as they are written."""
    return Counter(mistake.type for essay in file.essays for annotation in essay.annotations for mistake in annotation.mistakes)


def _read_tokens(path: str, max_tokens: int = DEFAULT_MAX_TOKENS) -> Sequence[Tokens]:
    """Read the tokens of a ``.conll``, ``.m2`` or text file, by sentence."""
    from errata.formats.lines import read_text
    from errata.formats.reading import read

    problems = Problems(display_path(path))
    name = get_file_name(path).lower()
    if name.endswith(".conll"):
        return [sentence.tokens for sentence in read_conll(path, problems, max_tokens)]
    if name.endswith((".m2", ".jsonl", ".ndjson")):
        return [sentence.tokens for sentence in read(path, max_tokens=max_tokens)]
    return list(read_text(path, problems, max_tokens))


NOT_LENIENT = (
    "--lenient (lenient=True in Python) cannot be combined with essays (SGML): a mistake with impossible offsets is always an error"
)


def _read_sgml(path: str, problems: Problems, max_tokens: int) -> Iterable[Sentence]:
    """Read the sentences of essays."""
    if problems.lenient:
        raise UsageError(f"{problems.path}: {NOT_LENIENT}")
    return read_nucle([path], max_tokens=max_tokens, warn=problems.warn)


def _check_sgml(path: str, problems: Problems, max_tokens: int) -> Iterator[Sentence]:
    """Yield the sentences of essays; dropped mistakes and unknown types are warnings.

    A file of alternative answers has no text, so it has no sentences.
    """
    file = read_essay_file(path, max_tokens, problems)
    for type_, count in _count_unknown_types([file]).items():
        problems.warning(None, f"{pluralise(count, 'mistake')} of type {type_!r}, which is not in NUCLE")
    if file.essays and all(essay.paragraphs is None for essay in file.essays):
        problems.warning(None, "no document has a <TEXT>: these are alternative answers, which can be checked only with their essays")
    elif file.essays:
        yield from _to_corpus([file], max_tokens=max_tokens, report=lambda note: problems.warning(note.line, f"{note.what}: {note.reason}"))


SGML = CorpusFormat("sgml", _read_sgml, format_sgml, list_sgml_losses, check=_check_sgml)
