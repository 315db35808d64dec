"""Documents of the Helping Our Own tasks as a corpus: edits with character offsets, texts, and outputs of systems."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from errata.corpus.corpus import Annotation, Corpus, Edit, ErrorGroup, Sentence, System
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import FormatError, InputError, MismatchError, UsageError, pluralise
from errata.formats.hoo_edits import HooEdit, diff_words, extract, read_edits
from errata.formats.lines import decode_text, display_path, get_file_name, is_folder, is_special, list_files, open_bytes
from errata.formats.nucle import OFFICIAL, PlacedSentence
from errata.formats.problems import Problem, Problems, Summary, WarnOnce, Wording, warn_in_python
from errata.formats.registry import CorpusFormat, SourceReaders, name_systems
from errata.formats.xml import ElementLimits, ElementRule, check_elements, read_elements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from errata.corpus.texts import Tokens
    from errata.formats.hoo_edits import Hunk, Offsets
    from errata.formats.nucle import Language


# Gold (``1001GE.xml``), system (``1001AA1.xml`` or ``1001AA1.txt``) and source (``1001.txt``) are matched by the number at the start of
# their names.  Texts of 2011 are plain, and offsets count bytes; texts of 2012 are XML,
# ``<HOO><BODY><PART id="1"><P>...</P></PART></BODY></HOO>``, and offsets count the characters of a part, whose paragraphs are
# concatenated.

_NUMBER = re.compile(r"[^0-9]*[0-9]+")
_MOST_BYTES = 4
"""Bytes of one character of UTF-8."""
_MOST_SPACE = 1_000
"""Bytes of white space around the original of an edit."""


class HooDocument(NamedTuple):
    """The gold edits of a text and those of a system."""

    name: str
    gold: list[HooEdit]
    system: list[HooEdit]


def read_documents(
    gold: Iterable[str],
    system: Iterable[str],
    source: Iterable[str] = (),
    offsets: Offsets = "wdiff",
    warn: Callable[[Problem], None] = warn_in_python,
) -> list[HooDocument]:
    """Read the edits of gold and system; ``source`` has the texts with which the texts of a system are compared.

    Each of the three is a list of files or folders.
    """
    golds, systems, sources = (_match_by_number(paths, what) for paths, what in ((gold, "gold"), (system, "system"), (source, "source")))
    if missing := sorted(set(golds) - set(systems)):
        raise MismatchError(f"the system has no file for {display_path(golds[missing[0]])}")
    if extra := sorted(set(systems) - set(golds)):
        raise MismatchError(f"gold has no file for {display_path(systems[extra[0]])}")
    result = []
    for number, path in golds.items():
        edits = list(read_edits(path, WarnOnce(display_path(path), warn)))
        own = systems[number]
        if number in sources and not sources[number].endswith(".xml"):
            _check_positions(path, edits, _read_bytes(sources[number]), warn)
        if _has_edits(own):
            own_edits = list(read_edits(own, WarnOnce(display_path(own), warn)))
        elif number in sources:
            own_edits = _compare_texts(sources[number], own, offsets, warn)
        else:
            raise MismatchError(f"{display_path(own)} is a text, and its source is missing (--source)")
        # Files are matched by their names; the file names inside need not agree.
        result.append(
            HooDocument(Path(own).stem, [replace(edit, file="") for edit in edits], [replace(edit, file="") for edit in own_edits])
        )
    return result


def _has_edits(path: str) -> bool:
    """Tell whether a file contains edits, not a text."""
    with open_bytes(path) as file:
        return b"<edits" in file.read(4096)


def _check_positions(path: str, edits: list[HooEdit], text: bytes, warn: Callable[[Problem], None]) -> None:
    """Refuse edits outside the text; warn about edits whose original differs from the text, as in real gold."""
    wrong = []
    for edit in edits:
        if edit.end > len(text):
            message = f"an edit of {edit.start} to {edit.end} lies outside a text of {pluralise(len(text), 'byte')}"
            raise FormatError(display_path(path), edit.line, message)
        if not _has_original(text, edit):
            wrong.append(edit)
    if wrong:
        message = _describe_wrong(wrong)
        warn(Problem(display_path(path), wrong[0].line, "warning", message))


def _has_original(text: bytes, edit: HooEdit) -> bool:
    """Tell whether the text has the original of an edit, but for white space around it; long spans are not searched for it."""
    if edit.end - edit.start > _MOST_BYTES * len(edit.original) + _MOST_SPACE:
        return False
    return text[edit.start : edit.end].decode("utf-8", "replace").strip() == edit.original.strip()


def _describe_wrong(wrong: list[HooEdit]) -> str:
    count = f" ({len(wrong):,} edits do)" if len(wrong) > 1 else ""
    return f"the original of this edit differs from the text{count}: {wrong[0].original[:40]!r}"


def _match_by_number(paths: Iterable[str], what: str) -> dict[str, str]:
    """List files, and those of folders, by the number at the start of their names; ``what`` they are is said of two with one number."""
    texts: dict[str, str] = {}
    for path in paths:
        if is_special(path):
            raise InputError(f"{display_path(path)}: expected a file or a folder, found a pipe or a device, which cannot be read twice")
        inside = list_files(path) if is_folder(path) else [_check_readable(path)]
        if not inside:
            raise InputError(f"{display_path(path)}: the folder is empty")
        for file in inside:
            match = _NUMBER.match(Path(file).name)
            number = match.group() if match else Path(file).stem
            if number in texts:
                raise InputError(f"two {what} files have the number {number}: {display_path(texts[number])} and {display_path(file)}")
            texts[number] = file
    return texts


def _check_readable(path: str) -> str:
    with open_bytes(path):
        return path


def _compare_texts(source: str, target: str, offsets: Offsets, warn: Callable[[Problem], None]) -> list[HooEdit]:
    """Extract the edits between two texts, or between their parts."""
    if source.endswith(".xml"):
        old, new = (_read_parts(path, WarnOnce(display_path(path), warn)) for path in (source, target))
        if list(old) != list(new):
            raise MismatchError(f"{display_path(target)} has the parts {', '.join(new)}, but {display_path(source)} has {', '.join(old)}")
        return [replace(edit, part=part) for part in old for edit in extract(old[part], new[part], offsets)]
    old_text, new_text = (_read_bytes(path) for path in (source, target))
    for path, content in ((source, old_text), (target, new_text)):
        _warn_of_bytes(path, content, warn)
    # In Latin-1 every byte is a character, so offsets count bytes.
    return [_decode_part(edit) for edit in extract(old_text.decode("latin-1"), new_text.decode("latin-1"), offsets)]


def _warn_of_bytes(path: str, content: bytes, warn: Callable[[Problem], None]) -> None:
    """Warn about what is not text; it is compared all the same, as the original tools do."""
    try:
        decode_text(content, display_path(path))
    except FormatError as error:
        warn(Problem(error.path, error.line, "warning", f"{error.message} (compared byte by byte)"))


def _decode_part(edit: HooEdit) -> HooEdit:
    def text(part: str) -> str:
        return part.encode("latin-1").decode("utf-8", "replace")

    return replace(edit, original=text(edit.original), corrections=tuple(None if part is None else text(part) for part in edit.corrections))


def _read_parts(path: str, problems: Problems | None = None) -> dict[str, str]:
    """Read the parts of a document of 2012."""
    return {name: "".join(paragraphs) for name, paragraphs in _read_paragraphs(path, problems).items()}


# --- Texts of the HOO tasks, with the offsets that their edits count.
#
# A text of 2011 is plain, every line is a paragraph, and offsets count bytes of UTF-8.  A text of 2012 is XML, it has parts with
# paragraphs, and offsets count the characters of a part, whose paragraphs are concatenated.

_MOST_TEXT = 1 << 26
_RULES = {"PART": ElementRule(frozenset({"P"}), frozenset({"id"})), "P": ElementRule(text=True)}
"""The elements of a part."""
_FIRST_TWO_BITS, _CONTINUATION = 0b1100_0000, 0b1000_0000
"""Bits of a byte of UTF-8, and what they are in all bytes of a character but the first."""
_BOM = b"\xef\xbb\xbf"


class _Paragraph(NamedTuple):
    """A paragraph, with the offset of its first character in the text."""

    start: int
    text: str


@dataclass(frozen=True)
class _SourceText:
    """A text, or a part of one: its characters, and which of them an offset means."""

    path: str
    text: str
    paragraphs: tuple[_Paragraph, ...]
    """Those that are not empty."""
    content: bytes | None = None
    """The bytes that offsets count; without them, offsets count characters."""

    @property
    def size(self) -> str:
        """The number of bytes or characters, in words."""
        return pluralise(len(self.text), "character") if self.content is None else pluralise(len(self.content), "byte")

    def characters(self, offsets: Iterable[int]) -> dict[int, int]:
        """Find the characters that start at offsets; those outside the text and inside a character are left out."""
        if self.content is None or self.text.isascii():
            return {offset: offset for offset in offsets if offset <= len(self.text)}
        found: dict[int, int] = {}
        start = number = 0
        for offset in sorted(set(offsets)):
            if offset <= len(self.content) and not _is_inside_character(self.content, offset):
                number += len(self.content[start:offset].decode())
                found[offset], start = number, offset
        return found


def _is_inside_character(content: bytes, offset: int) -> bool:
    return offset < len(content) and content[offset] & _FIRST_TWO_BITS == _CONTINUATION


def _read_source(path: str, problems: Problems | None = None) -> dict[str, _SourceText]:
    """Read the parts of a text by their names; a text of 2011 is one part without a name."""
    shown = display_path(path)
    if path.endswith(".xml"):
        return {name: _join_parts(shown, paragraphs) for name, paragraphs in _read_paragraphs(path, problems).items()}
    content = _read_bytes(path)
    text = decode_text(content, shown)
    if content.startswith(_BOM):  # offsets count its bytes
        content = b" " * len(_BOM) + content[len(_BOM) :]
        text = content.decode()
    return {"": _SourceText(shown, text, _lines(text), content)}


def _lines(text: str) -> tuple[_Paragraph, ...]:
    lines = text.split("\n")
    starts = accumulate((len(line) + 1 for line in lines), initial=0)
    return tuple(_Paragraph(start, line) for start, line in zip(starts, lines, strict=False) if line.strip())


def _join_parts(path: str, paragraphs: tuple[str, ...]) -> _SourceText:
    starts = accumulate(map(len, paragraphs), initial=0)
    placed = tuple(_Paragraph(start, text) for start, text in zip(starts, paragraphs, strict=False) if text.strip())
    return _SourceText(path, "".join(paragraphs), placed)


def _read_paragraphs(path: str, problems: Problems | None = None) -> dict[str, tuple[str, ...]]:
    """Read the paragraphs of each part of a text of 2012."""
    parts: dict[str, tuple[str, ...]] = {}
    problems = problems or Problems(display_path(path))
    for element in read_elements(path, problems, "PART", ("HOO", "HEAD", "BODY"), ElementLimits(_MOST_TEXT)):
        name = element.attributes.get("id", str(len(parts) + 1))
        if name in parts:
            problems.error(element.line, f"column {element.column}: the part {name[:40]!r} occurs twice")
        check_elements(element, _RULES, problems)
        parts[name] = tuple(paragraph.text for paragraph in element.named("P"))
    if not parts:
        problems.error(None, "no <PART> found")
    return parts


def _read_bytes(path: str) -> bytes:
    """Read a text of 2011."""
    with open_bytes(path) as file:
        content = file.read(_MOST_TEXT + 1)
    if len(content) > _MOST_TEXT:
        raise InputError(f"{display_path(path)}: more than {_MOST_TEXT:,} bytes")
    return content


# Split texts of the HOO tasks into sentences, and join those that an edit crosses.


def _split_text(source: _SourceText, document: str, language: Language) -> Iterator[PlacedSentence]:
    """Yield the sentences of a text, each inside one paragraph, with offsets in the text."""
    for number, (first, text) in enumerate(source.paragraphs):
        position = 0
        for sentence in language.split(text):
            start = text.find(sentence, position)
            placed = PlacedSentence.place(document, number, text, start, sentence, tuple(language.tokenise(sentence)))
            position = placed.end
            if placed.tokens:
                starts = tuple(first + own for own in placed.starts)
                yield placed._replace(start=first + placed.start, end=first + placed.end, starts=starts)


class _Sentences:
    """The sentences of a text by their offsets."""

    def __init__(self, sentences: Sequence[PlacedSentence]) -> None:
        self.all = sentences
        self._starts = [sentence.start for sentence in sentences]
        self._ends = [sentence.end for sentence in sentences]

    def around(self, start: int, end: int) -> range:
        """Find the sentences of which a span has characters; for an empty span, the one that it is inside of or next to."""
        first, last = bisect_right(self._ends, start), bisect_left(self._starts, end)
        if first < last:
            return range(first, last)
        # Between two sentences, or at the end of one: it belongs to the sentence before it, unless the other starts there.
        nearest = max(0, bisect_right(self._starts, start) - 1)
        return range(nearest, nearest + 1)

    def join(self, crossing: Iterable[range]) -> _Sentences:
        """Join the sentences of each range."""
        joined = set(chain.from_iterable(sentences[1:] for sentences in crossing))
        units: list[list[PlacedSentence]] = []
        for number, sentence in enumerate(self.all):
            if number in joined:
                units[-1].append(sentence)
            else:
                units.append([sentence])
        return _Sentences([_join_crossed(unit) for unit in units])


def _join_crossed(sentences: Sequence[PlacedSentence]) -> PlacedSentence:
    if len(sentences) == 1:
        return sentences[0]
    tokens = tuple(token for sentence in sentences for token in sentence.tokens)
    starts = tuple(start for sentence in sentences for start in sentence.starts)
    return sentences[0]._replace(end=sentences[-1].end, tokens=tokens, starts=starts)


# --- Convert edits of characters to edits of tokens.
#
# The corrected text is what the edit says, character by character: a token that is partly inside the span is replaced as a whole, and
# so is a token that becomes one word with the correction.  Words that the annotator marked are kept in the edit, even if the correction
# repeats them: ``word`` may become ``a word`` or ``words``, and both corrections have the same span.

_MOST_BESIDE = 100_000_000
"""Characters of the tokens beside edits: corrections are tokenised with them."""


class _TokenSpan(NamedTuple):
    """A span of tokens and the corrections that replace it."""

    start: int
    end: int
    corrections: tuple[Tokens, ...]


class _SpanConverter:
    """Converts edits of a text with its splitter and tokeniser."""

    def __init__(self, text: str, sentences: Sequence[PlacedSentence], language: Language) -> None:
        self._text, self._language = text, language
        self._following = {
            sentence.start: following.tokens[0] for sentence, following in pairwise(sentences) if sentence.paragraph == following.paragraph
        }
        """The first token of the next sentence of a paragraph, by the start of a sentence."""
        self._ends: dict[int, list[int]] = {}
        """Where the tokens of each sentence end, by the start of the sentence."""
        self._copied = 0

    def convert(self, sentence: PlacedSentence, start: int, end: int, corrections: Iterable[str]) -> _TokenSpan:
        """Convert the span ``start`` to ``end`` of the text, of which a sentence has characters, with its corrections."""
        touched = self._touched(sentence, start, end)
        single = [
            self._convert_one(sentence, touched, start, end, variant)
            for correction in corrections
            for variant in self._variants(touched, start, end, correction)
        ]
        first, last = min(span.start for span in single), max(span.end for span in single)
        tokens = sentence.tokens
        whole = (tokens[first : span.start] + span.corrections[0] + tokens[span.end : last] for span in single)
        return _TokenSpan(first, last, tuple(dict.fromkeys(whole)))

    def _touched(self, sentence: PlacedSentence, start: int, end: int) -> _Touched:
        ends = self._ends.get(sentence.start)
        if ends is None:
            ends = self._ends[sentence.start] = [own + len(token) for own, token in zip(sentence.starts, sentence.tokens, strict=True)]
        first, last = bisect_left(ends, start), bisect_right(sentence.starts, end)
        if first == last:  # an insertion between two spaces
            return _Touched(first, last, ends_at_start=False, starts_at_end=False)
        return _Touched(first, last, ends_at_start=ends[first] == start, starts_at_end=sentence.starts[last - 1] == end)

    def _variants(self, touched: _Touched, start: int, end: int, correction: str) -> list[str]:
        """List a correction as it is written, and as a word of its own if the annotator may have forgotten the space before or after it."""
        before = touched.ends_at_start and correction[:1].isalnum() and self._text[start - 1].isalnum()
        after = touched.starts_at_end and correction[-1:].isalnum() and self._text[end].isalnum()
        return [correction, f"{' ' * before}{correction}{' ' * after}"] if before or after else [correction]

    def _convert_one(self, sentence: PlacedSentence, touched: _Touched, start: int, end: int, correction: str) -> _TokenSpan:
        tokens = sentence.tokens
        first, last = touched.first, touched.last
        before = self._text[min(start, sentence.starts[first]) : start] if first < last else ""
        after = self._text[end : max(end, sentence.starts[last - 1] + len(tokens[last - 1]))] if first < last else ""
        left = tokens[first - 1] if first else ""
        right = tokens[last] if last < len(tokens) else self._following.get(sentence.start, "")
        self._copied += len(left) + len(before) + len(after) + len(right)
        if self._copied > _MOST_BESIDE:
            longest = max(len(left), len(before), len(after), len(right))
            raise InputError(
                f"document {sentence.document} has too many edits beside very long tokens, such as one of {longest:,} characters"
            )
        new = self._language.tokenise_in_context(f"{left} {before}{correction}{after} {right}", left, right)
        # Tokens that only touch the span are left out again, if they are still there.
        if touched.ends_at_start and new[:1] == tokens[first : first + 1]:
            first, new = first + 1, new[1:]
        if touched.starts_at_end and first < last and new[-1:] == tokens[last - 1 : last]:
            last, new = last - 1, new[:-1]
        return _TokenSpan(first, last, (new,))


class _Touched(NamedTuple):
    """The tokens of which a span has characters, or which it touches."""

    first: int
    last: int
    ends_at_start: bool
    """Whether the first of them only touches the span."""
    starts_at_end: bool
    """Whether the last of them only touches the span."""


# --- HOO documents as a corpus: gold edits of characters, and the texts they are about.
#
# Texts are split into sentences and tokens by the rules of the CoNLL shared tasks, or by other functions.  Sentences that an edit
# crosses are joined, so that no edit is lost.  An optional edit stays optional, alternative corrections stay alternatives.  An edit
# without corrections only marks an error; nothing can be compared with it, so it is dropped, and reported.

_ANNOTATOR = "0"
"""HOO has one annotator."""
_EDIT_WORDINGS: dict[str, Wording] = {
    "unmarked": Wording("edit was dropped: it has no correction", "edits were dropped: they have no correction"),
    "empty": Wording("edit was dropped: it changes no token", "edits were dropped: they change no token"),
    "joined": Wording(
        "edit crosses a sentence boundary: its sentences were joined", "edits cross a sentence boundary: their sentences were joined"
    ),
    "moved": Wording(
        "edit has an original that differs from the text: its offsets were used",
        "edits have an original that differs from the text: their offsets were used",
    ),
}
"""What is said of edits that were dropped or are unusual."""


def read_hoo(
    gold: Iterable[str],
    source: Iterable[str],
    *,
    language: Language = OFFICIAL,
    list_all: bool = False,
    lenient: bool = False,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    warn: Callable[[Problem], None] = warn_in_python,
) -> Corpus:
    """Read gold edits and the texts they are about: files or folders, matched by the number at the start of the file names.

    ``warn`` takes the number of edits that were dropped or are unusual, one line for each kind; with ``list_all``, each of them.
    With ``lenient``, edits with impossible offsets are skipped with a warning.
    """
    paths = list(gold)
    golds, sources = _match_by_number(paths, "gold"), _match_by_number(source, "source")
    if missing := sorted(set(golds) - set(sources)):
        raise MismatchError(f"{display_path(golds[missing[0]])} needs the text that it is about: no source has the number {missing[0]}")
    if (extra := sorted(set(sources) - set(golds))) and any(map(is_folder, paths)):
        what = f"{pluralise(len(extra), 'text')} without a gold file (skipped), such as {display_path(sources[extra[0]])}"
        warn(Problem(display_path(paths[0]), None, "warning", what))
    summary = Summary(_EDIT_WORDINGS)
    sentences: list[Sentence] = []
    for number, path in golds.items():
        shown = display_path(path)

        def report(note: _UnusualEdit, shown: str = shown) -> None:
            if list_all:
                warn(Problem(shown, note.edit.line, "warning", _describe_note(note)))
            else:
                summary.add(display_path(paths[0]), note.kind)

        problems = WarnOnce(shown, warn, lenient=lenient)
        edits = list(read_edits(path, problems))
        texts = _read_source(sources[number], WarnOnce(display_path(sources[number]), warn))
        sentences += _convert_document(number, edits, texts, problems, language=language, max_tokens=max_tokens, report=report)
    summary.report(warn)
    if not sentences:
        raise InputError(f"{display_path(paths[0])}: no sentences found")
    return Corpus(tuple(sentences), get_file_name(paths[0]), display_path(paths[0]))


def check_hoo(path: str, source: Sequence[str], problems: Problems, max_tokens: int, *, is_text: bool = False) -> Iterator[Tokens]:
    """Yield the sentences of one document; without source texts the originals of its edits, or, of a text of 2012, its parts."""
    if source:
        yield from (sentence.tokens for sentence in _check_document(path, source, problems, max_tokens))
    else:
        texts = _read_parts(path, problems).values() if is_text else (edit.original for edit in read_edits(path, problems))
        yield from (tuple(text.split()) for text in texts)


def _check_document(path: str, source: Sequence[str], problems: Problems, max_tokens: int) -> Iterator[Sentence]:
    """Yield the sentences of one document; what is dropped or unusual is a warning."""
    ((number, _),) = _match_by_number([path], "gold").items()
    sources = _match_by_number(source, "source")
    if number not in sources:
        problems.error(None, f"no source has the number {number}")
        return
    edits = list(read_edits(path, problems))
    texts = _read_source(sources[number])

    def report(note: _UnusualEdit) -> None:
        problems.warning(note.edit.line, _describe_note(note))

    yield from _convert_document(number, edits, texts, problems, language=OFFICIAL, max_tokens=max_tokens, report=report)


class _UnusualEdit(NamedTuple):
    """An edit that was dropped or is unusual, and the kind of :data:`_EDIT_WORDINGS`."""

    edit: HooEdit
    kind: str


def _describe_note(note: _UnusualEdit) -> str:
    """Describe an edit that was dropped or is unusual."""
    edit = note.edit
    return f"the {_EDIT_WORDINGS[note.kind].one}: {edit.start} to {edit.end}, {edit.original[:40]!r}"


def _convert_document(
    document: str,
    edits: Sequence[HooEdit],
    texts: dict[str, _SourceText],
    problems: Problems,
    *,
    language: Language,
    max_tokens: int,
    report: Callable[[_UnusualEdit], None],
) -> Iterator[Sentence]:
    """Yield the sentences of a document with their edits."""
    by_part: dict[str, list[HooEdit]] = {part: [] for part in texts}
    for edit in edits:
        part = "" if "" in texts else edit.part
        if part not in texts:
            problems.error(edit.line, f"an edit of the part {edit.part[:40]!r}; its text has the parts {', '.join(texts)}")
            continue
        by_part[part].append(edit)
    for part, text in texts.items():
        yield from _convert_text(document, by_part[part], text, problems, language=language, max_tokens=max_tokens, report=report)


class _Placed(NamedTuple):
    """An edit and its span of characters."""

    start: int
    end: int
    edit: HooEdit


def _convert_text(
    document: str,
    edits: Sequence[HooEdit],
    text: _SourceText,
    problems: Problems,
    *,
    language: Language,
    max_tokens: int,
    report: Callable[[_UnusualEdit], None],
) -> Iterator[Sentence]:
    sentences = _Sentences(list(_split_text(text, document, language)))
    placed: list[_Placed] = []
    for item in _place_edits(edits, text, problems):
        if item.edit.original.strip() != text.text[item.start : item.end].strip():
            report(_UnusualEdit(item.edit, "moved"))
        if all(correction is None for correction in item.edit.corrections):
            report(_UnusualEdit(item.edit, "unmarked"))
        elif not sentences.all:
            problems.error(item.edit.line, f"an edit of {text.path}, which has no words")
        else:
            placed.append(item)
    ranges = [sentences.around(*_words_of(item, text.text)) for item in placed]
    for item, own in zip(placed, ranges, strict=True):
        if len(own) > 1:
            report(_UnusualEdit(item.edit, "joined"))
    units = sentences.join(ranges)
    found: list[list[_Placed]] = [[] for _ in units.all]
    for item in placed:
        found[units.around(*_words_of(item, text.text))[0]].append(item)
    converter = _SpanConverter(text.text, units.all, language)
    for sentence, own_edits in zip(units.all, found, strict=True):
        if len(sentence.tokens) > max_tokens:
            raise FormatError(
                text.path, None, f"{len(sentence.tokens):,} tokens in a sentence, more than the limit of {max_tokens:,}; {RAISE_LIMIT}"
            )
        converted = [edit for item in own_edits if (edit := _convert(item, sentence, converter, report)) is not None]
        converted.sort(key=lambda edit: (edit.start, edit.end))
        yield Sentence(sentence.tokens, (Annotation(_ANNOTATOR, tuple(converted)),) if converted else (), document)


def _place_edits(edits: Sequence[HooEdit], text: _SourceText, problems: Problems) -> Iterator[_Placed]:
    characters = text.characters(offset for edit in edits for offset in (edit.start, edit.end))
    for edit in edits:
        if edit.start in characters and edit.end in characters:
            yield _Placed(characters[edit.start], characters[edit.end], edit)
        else:
            where = f"lies outside {text.path}, a text of {text.size}, or inside one of its characters"
            problems.bad_offsets(edit.line, f"an edit of {edit.start} to {edit.end} {where}")


def _words_of(item: _Placed, text: str) -> tuple[int, int]:
    """The span of an edit without white space around it; with the characters around it, if it has nothing but white space."""
    marked = text[item.start : item.end]
    if marked and not marked.strip():
        return max(0, item.start - 1), min(len(text), item.end + 1)
    return item.start + len(marked) - len(marked.lstrip()), item.end - (len(marked) - len(marked.rstrip()))


def _convert(item: _Placed, sentence: PlacedSentence, converter: _SpanConverter, report: Callable[[_UnusualEdit], None]) -> Edit | None:
    edit = item.edit
    span = converter.convert(sentence, item.start, item.end, [text for text in edit.corrections if text is not None])
    if span.corrections == (sentence.tokens[span.start : span.end],):
        report(_UnusualEdit(edit, "empty"))
        return None
    corrections = tuple(" ".join(tokens) for tokens in span.corrections)
    if not edit.optional:
        return Edit(span.start, span.end, corrections, edit.type)
    # The name of an error must be its own, and those of edits need not be.
    error = ErrorGroup(f"{edit.start}-{edit.end}-{edit.line}", required=False)
    return Edit(span.start, span.end, corrections, edit.type, "OPTIONAL", error=error)


# A system may join, split, add and drop sentences and paragraphs.  So the words of a whole text are compared with those of its source,
# and every sentence boundary of the source is found in the output: between the same words, or in the changed words around it where the
# output starts a sentence too.  What goes wrong around one boundary stays there.

_PARAGRAPH_END = "\n"
"""A word that no tokeniser returns."""


def read_hoo_system(
    paths: Iterable[str],
    source: Iterable[str],
    gold: Corpus,
    *,
    name: str | None = None,
    language: Language = OFFICIAL,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    warn: Callable[[Problem], None] = warn_in_python,
) -> System:
    """Read the texts of a system for a corpus that was read from HOO documents; ``source`` are the texts that it corrected.

    Files are matched by the number at the start of their names.
    """
    given = list(paths)
    systems, sources = _match_by_number(given, "system"), _match_by_number(source, "source")
    documents: dict[str, list[Tokens]] = {}
    for sentence in gold:
        documents.setdefault(sentence.document, []).append(sentence.tokens)
    if missing := next((number for number in documents if number not in systems), None):
        raise MismatchError(f"{display_path(given[0])}: the system has no file for document {missing!r} of {gold.path}")
    if extra := sorted(set(systems) - set(documents)):
        raise MismatchError(f"{gold.path} has no document for {display_path(systems[extra[0]])}")
    sentences: list[Tokens] = []
    for number, own in documents.items():
        path = systems[number]
        if _has_edits(path):
            raise InputError(f"{display_path(path)}: expected the text of a system, found edits")
        if number not in sources:
            raise MismatchError(f"{display_path(path)} is a text, and its source is missing (--source)")
        old, new = (_read_source(file, WarnOnce(display_path(file), warn)) for file in (sources[number], path))
        found = _cut_document(own, old, new, _Named(number, display_path(path), gold.path), language)
        if longest := next((tokens for tokens in found if len(tokens) > max_tokens), None):
            message = f"{len(longest):,} tokens for one sentence, more than the limit of {max_tokens:,}; {RAISE_LIMIT}"
            raise InputError(f"{display_path(path)}: {message}")
        sentences += found
    return System(name or name_systems(given[:1])[0], tuple(sentences), display_path(given[0]))


class _Named(NamedTuple):
    """A document of a system, for messages."""

    number: str
    path: str
    gold: str


def _cut_document(
    sentences: Sequence[Tokens], old: Mapping[str, _SourceText], new: Mapping[str, _SourceText], named: _Named, language: Language
) -> list[Tokens]:
    """Cut the parts of a document into sentences."""
    if list(old) != list(new):
        raise MismatchError(f"{named.path} has the parts {', '.join(new)}, but {next(iter(old.values())).path} has {', '.join(old)}")
    cut: list[Tokens] = []
    for part, text in old.items():
        source, output = (_Words.of(item, named.number, language) for item in (text, new[part]))
        here = _take_sentences(sentences[len(cut) :], source.tokens)
        if here is None:
            raise MismatchError(f"{text.path} differs from the text of document {named.number} of {named.gold}")
        if not here and output.tokens:
            raise MismatchError(f"{named.path} has words where {text.path} has none: {' '.join(output.tokens)[:40]!r}")
        cut += _cut_output(here, source, output) if here else []
    if len(cut) < len(sentences):
        raise MismatchError(f"the source of {named.path} ends before document {named.number} of {named.gold}")
    return cut


def _take_sentences(sentences: Sequence[Tokens], tokens: Sequence[str]) -> list[Tokens] | None:
    """Take the first sentences that make up a text; None if they do not."""
    taken: list[Tokens] = []
    position = 0
    for sentence in sentences:
        if position == len(tokens):
            break
        if tuple(tokens[position : position + len(sentence)]) != sentence:
            return None
        taken.append(sentence)
        position += len(sentence)
    return taken if position == len(tokens) else None


class _Words(NamedTuple):
    """The tokens of a text, with an extra word at the end of each paragraph."""

    words: list[str]
    starts: list[int]
    """Where sentences start."""

    @classmethod
    def of(cls, text: _SourceText, document: str, language: Language) -> _Words:
        """Split a text."""
        words: list[str] = []
        starts: list[int] = []
        paragraph = 0
        for sentence in _split_text(text, document, language):
            words += [_PARAGRAPH_END] * (bool(words) and sentence.paragraph != paragraph)
            paragraph = sentence.paragraph
            starts.append(len(words))
            words += sentence.tokens
        return cls(words, starts)

    @property
    def tokens(self) -> list[str]:
        """The tokens alone."""
        return [word for word in self.words if word != _PARAGRAPH_END]


def _cut_output(sentences: Sequence[Tokens], source: _Words, output: _Words) -> list[Tokens]:
    """Cut the words of an output where the sentences of the source start."""
    places = [place for place, word in enumerate(source.words) if word != _PARAGRAPH_END]
    starts = [places[number] for number in accumulate(len(sentence) for sentence in sentences[:-1])]
    cuts = [0, *_find_cuts(starts, diff_words(source.words, output.words), output.starts), len(output.words)]
    return [tuple(word for word in output.words[start:end] if word != _PARAGRAPH_END) for start, end in pairwise(cuts)]


def _find_cuts(starts: Sequence[int], hunks: Sequence[Hunk], breaks: Sequence[int]) -> Iterator[int]:
    """Yield the position in the output of each start of a sentence of the source; ``breaks`` are those of the output's sentences."""
    number = 0
    shift = 0
    """How much further unchanged words are in the output."""
    for start in starts:
        while number < len(hunks) and hunks[number].end < start:
            shift = hunks[number].new_end - hunks[number].end
            number += 1
        inside = number < len(hunks) and hunks[number].start <= start
        yield _cut_inside(hunks[number], start, breaks) if inside else start + shift


def _cut_inside(hunk: Hunk, start: int, breaks: Sequence[int]) -> int:
    """Cut changed words where a sentence of the output starts, near the same share of the words; if none does, at that share."""
    old, new = hunk.end - hunk.start, hunk.new_end - hunk.new_start
    expected = hunk.new_start + (new * (start - hunk.start) // old if old else 0)
    later = bisect_left(breaks, expected)
    near = [place for place in breaks[max(0, later - 1) : later + 1] if hunk.new_start <= place <= hunk.new_end]
    return min(near, key=lambda place: abs(place - expected), default=expected)


def _read_alone(path: str, problems: Problems, max_tokens: int) -> NoReturn:  # noqa: ARG001 - as in other formats
    raise UsageError(f"{problems.path} has HOO edits, which need the texts that they are about: --source PATH (source= in Python)")


def _read_corpus(path: str, source: Sequence[str], lenient: bool, max_tokens: int, warn: Callable[[Problem], None]) -> Corpus:  # noqa: FBT001
    return read_hoo([path], source, lenient=lenient, max_tokens=max_tokens, warn=warn)


def _read_system(path: str, name: str, source: Sequence[str], gold: Corpus, max_tokens: int, warn: Callable[[Problem], None]) -> System:
    return read_hoo_system([path], source, gold, name=name, max_tokens=max_tokens, warn=warn)


HOO = CorpusFormat("hoo", _read_alone, with_source=SourceReaders(_read_corpus, _read_system))
