"""HOO documents as a corpus: gold edits of characters, and the texts they are about.

Texts are split into sentences and tokens by the rules of the CoNLL shared tasks, or by other functions.  Sentences that an edit
crosses are joined, so that no edit is lost.  An optional edit stays optional, alternative corrections stay alternatives.  An edit
without corrections only marks an error; nothing can be compared with it, so it is dropped, and reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import Annotation, Corpus, Edit, ErrorGroup, Sentence
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import FormatError, InputError, MismatchError, pluralise
from errata.formats.folders import is_folder
from errata.formats.lines import display_path, get_file_name
from errata.formats.problems import Problem, WarnOnce, warn_in_python
from errata.formats.summaries import Summary, Wording
from errata.hoo.documents import match_by_number
from errata.hoo.edits import HooEdit, read_edits
from errata.hoo.sentences import Sentences, split_text
from errata.hoo.source_texts import SourceText, read_source
from errata.hoo.token_spans import SpanConverter
from errata.nucle.conversion import OFFICIAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from errata.formats.problems import Problems
    from errata.nucle.token_edits import Language, PlacedSentence

ANNOTATOR = "0"
"""HOO has one annotator."""
EDIT_WORDINGS: dict[str, Wording] = {
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
    golds, sources = match_by_number(paths, "gold"), match_by_number(source, "source")
    if missing := sorted(set(golds) - set(sources)):
        raise MismatchError(f"{display_path(golds[missing[0]])} needs the text that it is about: no source has the number {missing[0]}")
    if (extra := sorted(set(sources) - set(golds))) and any(map(is_folder, paths)):
        what = f"{pluralise(len(extra), 'text')} without a gold file (skipped), such as {display_path(sources[extra[0]])}"
        warn(Problem(display_path(paths[0]), None, "warning", what))
    summary = Summary(EDIT_WORDINGS)
    sentences: list[Sentence] = []
    for number, path in golds.items():
        shown = display_path(path)

        def report(note: UnusualEdit, shown: str = shown) -> None:
            if list_all:
                warn(Problem(shown, note.edit.line, "warning", describe_note(note)))
            else:
                summary.add(display_path(paths[0]), note.kind)

        problems = WarnOnce(shown, warn, lenient=lenient)
        edits = list(read_edits(path, problems))
        texts = read_source(sources[number], WarnOnce(display_path(sources[number]), warn))
        sentences += convert_document(number, edits, texts, problems, language=language, max_tokens=max_tokens, report=report)
    summary.report(warn)
    if not sentences:
        raise InputError(f"{display_path(paths[0])}: no sentences found")
    return Corpus(tuple(sentences), get_file_name(paths[0]), display_path(paths[0]))


def check_hoo(path: str, source: Sequence[str], problems: Problems, max_tokens: int) -> Iterator[Sentence]:
    """Yield the sentences of one document; what is dropped or unusual is a warning."""
    ((number, _),) = match_by_number([path], "gold").items()
    sources = match_by_number(source, "source")
    if number not in sources:
        problems.error(None, f"no source has the number {number}")
        return
    edits = list(read_edits(path, problems))
    texts = read_source(sources[number])

    def report(note: UnusualEdit) -> None:
        problems.warning(note.edit.line, describe_note(note))

    yield from convert_document(number, edits, texts, problems, language=OFFICIAL, max_tokens=max_tokens, report=report)


class UnusualEdit(NamedTuple):
    """An edit that was dropped or is unusual, and the kind of :data:`EDIT_WORDINGS`."""

    edit: HooEdit
    kind: str


def describe_note(note: UnusualEdit) -> str:
    """Describe an edit that was dropped or is unusual."""
    edit = note.edit
    return f"the {EDIT_WORDINGS[note.kind].one}: {edit.start} to {edit.end}, {edit.original[:40]!r}"


def convert_document(
    document: str,
    edits: Sequence[HooEdit],
    texts: dict[str, SourceText],
    problems: Problems,
    *,
    language: Language,
    max_tokens: int,
    report: Callable[[UnusualEdit], None],
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
    text: SourceText,
    problems: Problems,
    *,
    language: Language,
    max_tokens: int,
    report: Callable[[UnusualEdit], None],
) -> Iterator[Sentence]:
    sentences = Sentences(list(split_text(text, document, language)))
    placed: list[_Placed] = []
    for item in _place_edits(edits, text, problems):
        if item.edit.original.strip() != text.text[item.start : item.end].strip():
            report(UnusualEdit(item.edit, "moved"))
        if all(correction is None for correction in item.edit.corrections):
            report(UnusualEdit(item.edit, "unmarked"))
        elif not sentences.all:
            problems.error(item.edit.line, f"an edit of {text.path}, which has no words")
        else:
            placed.append(item)
    ranges = [sentences.around(*_words_of(item, text.text)) for item in placed]
    for item, own in zip(placed, ranges, strict=True):
        if len(own) > 1:
            report(UnusualEdit(item.edit, "joined"))
    units = sentences.join(ranges)
    found: list[list[_Placed]] = [[] for _ in units.all]
    for item in placed:
        found[units.around(*_words_of(item, text.text))[0]].append(item)
    converter = SpanConverter(text.text, units.all, language)
    for sentence, own_edits in zip(units.all, found, strict=True):
        if len(sentence.tokens) > max_tokens:
            raise FormatError(
                text.path, None, f"{len(sentence.tokens):,} tokens in a sentence, more than the limit of {max_tokens:,}; {RAISE_LIMIT}"
            )
        converted = [edit for item in own_edits if (edit := _convert(item, sentence, converter, report)) is not None]
        converted.sort(key=lambda edit: (edit.start, edit.end))
        yield Sentence(sentence.tokens, (Annotation(ANNOTATOR, tuple(converted)),) if converted else (), document)


def _place_edits(edits: Sequence[HooEdit], text: SourceText, problems: Problems) -> Iterator[_Placed]:
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


def _convert(item: _Placed, sentence: PlacedSentence, converter: SpanConverter, report: Callable[[UnusualEdit], None]) -> Edit | None:
    edit = item.edit
    span = converter.convert(sentence, item.start, item.end, [text for text in edit.corrections if text is not None])
    if span.corrections == (sentence.tokens[span.start : span.end],):
        report(UnusualEdit(edit, "empty"))
        return None
    corrections = tuple(" ".join(tokens) for tokens in span.corrections)
    if not edit.optional:
        return Edit(span.start, span.end, corrections, edit.type)
    # The name of an error must be its own, and those of edits need not be.
    error = ErrorGroup(f"{edit.start}-{edit.end}-{edit.line}", required=False)
    return Edit(span.start, span.end, corrections, edit.type, "OPTIONAL", error=error)
