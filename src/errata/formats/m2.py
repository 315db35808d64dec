"""M2, the format of the CoNLL shared tasks, of gold and of the edits of a system: :func:`read_m2` and :func:`format_m2`.

One block per sentence, ended by an empty line::

    S The cat sit on mat .
    A 2 3|||SVA|||sits||sat|||REQUIRED|||-NONE-|||0
    A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

An ``A`` line has six fields: offsets (in tokens, the end exclusive), type, corrections separated by ``||``, status, comment and
annotator.
An empty correction, or ``-NONE-``, deletes.
A line of type ``noop``, or with offsets ``-1 -1``, is not an edit: its annotator found nothing wrong.
M2 cannot express texts that contain its separators.
"""

from __future__ import annotations

import os
import re
from collections import deque
from typing import TYPE_CHECKING

from errata.corpus.corpus import (
    FIRST_ANNOTATOR,
    Annotation,
    Edit,
    OneAnnotator,
    Sentence,
    System,
    describe_other_source,
    list_applied,
)
from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.corpus.unicode import AS_GIVEN, normalise_tokens
from errata.errors import InputError, MismatchError, RequestError, pluralise
from errata.formats.lines import GivenFile, Line, SharedTexts, display_path, read_blocks, read_lines
from errata.formats.problems import Problem, Problems, list_warnings
from errata.formats.registry import CorpusFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from errata.corpus.corpus import Corpus


NONE = "-NONE-"
_NOOP_LINE = f"A -1 -1|||noop|||{NONE}|||REQUIRED|||{NONE}|||"
_FIELDS = 6
_CARRIAGE_RETURN = re.compile(r"\r([SA] |\r|$)")
"""One that other tools take for the end of a line."""


def read_m2(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[tuple[int, Sentence]]:
    """Yield the sentences of an M2 file, with the lines on which they begin."""
    block: _Block | None = None
    separated = True
    share = SharedTexts()
    for line in read_lines(path, problems, max_tokens):
        _refuse_carriage_return(line, problems)
        if line.text.startswith("S ") or line.text == "S":
            if block is not None:
                yield block.line, block.finished(problems)
            if not separated:
                problems.warning(line.number, "no empty line before this S line")
            tokens = line.split(line.text[2:], problems, max_tokens, share)
            if tokens is not None and line.text[2:] != " ".join(tokens):
                problems.odd_spacing(line.number)
            block = _Block(line.number, tokens)
            separated = False
        elif line.text.startswith("A "):
            if block is None:
                problems.error(line.number, "an A line before the first S line")
            else:
                if separated:
                    problems.warning(line.number, "an empty line between this A line and its S line")
                _read_annotation(line, block, problems, share)
            separated = False
        elif not line.text.strip():
            separated = True
        else:
            problems.error(line.number, f"expected a line that starts with 'S ' or 'A ', found {_shorten(line.text)}")
    if block is not None:
        yield block.line, block.finished(problems)


class _Block:
    """A sentence while its lines are read."""

    def __init__(self, line: int, tokens: tuple[str, ...] | None) -> None:
        self.line = line
        self.tokens = tokens
        """None if the S line could not be read; its A lines are then not checked."""
        self.edits: dict[str, list[Edit]] = {}
        self.lines: dict[str, list[int]] = {}
        """The lines of each annotator's edits, for warnings; so is the order of annotators."""
        self.ignored: dict[str, list[tuple[int, str]]] = {}
        self.noops: set[str] = set()
        self.noops_first: set[str] = set()
        """Annotators whose first line is noop."""
        self.order: list[str] = []

    def finished(self, problems: Problems) -> Sentence:
        annotations = (
            Annotation(annotator, tuple(edits), tuple(self.ignored.get(annotator, ())), annotator in self.noops_first)
            for annotator, edits in self.edits.items()
        )
        sentence = Sentence(self.tokens or (), tuple(annotations))
        if problems.wants_warnings and self.tokens is not None:
            self._list_warnings(problems)
            list_warnings(sentence, self.line, problems, self.lines)
        return sentence

    def _list_warnings(self, problems: Problems) -> None:
        runs = [name for index, name in enumerate(self.order) if index == 0 or self.order[index - 1] != name]
        if len(runs) != len(set(runs)):
            problems.warning(self.line, "the lines of its annotators are interleaved (they are grouped when written)")
        for annotator, edits in self.edits.items():
            if annotator in self.noops and edits:
                problems.warning(self.line, f"annotator {annotator} has both noop and edits (noop has no effect)")


def _refuse_carriage_return(line: Line, problems: Problems) -> None:
    if "\r" in line.text and _CARRIAGE_RETURN.search(line.text):
        problems.error(line.number, "a carriage return that seems to end a line; lines must end in a line feed, or in both")


def _read_annotation(line: Line, block: _Block, problems: Problems, share: SharedTexts) -> None:
    if block.tokens is None:
        return
    fields = line.text[2:].split("|||")
    if len(fields) != _FIELDS:
        problems.error(line.number, f"an A line must have {_FIELDS} fields separated by |||, found {len(fields)}")
        return
    offsets, corrections = fields[0], fields[2]
    type_, status, comment, annotator = share([fields[1], fields[3], fields[4], fields[5].strip()])
    if not annotator:
        problems.error(line.number, "the sixth field (annotator) is empty")
        return
    edits = block.edits.setdefault(annotator, [])
    if problems.wants_warnings:
        block.lines.setdefault(annotator, [])
        block.order.append(annotator)
    if type_ == "noop" or offsets.split() == ["-1", "-1"]:
        block.noops.add(annotator)
        if not edits:
            block.noops_first.add(annotator)
        return
    span = _span(offsets, len(block.tokens))
    if isinstance(span, str):
        problems.bad_offsets(line.number, span)
        block.ignored.setdefault(annotator, []).append((len(edits), line.text))
        return
    texts = share(["" if text == NONE else text for text in corrections.split("||")])
    edits.append(Edit(*span, texts, type_, status, comment, None, corrections if NONE in corrections else ""))
    if problems.wants_warnings:
        block.lines[annotator].append(line.number)


def _span(offsets: str, length: int) -> tuple[int, int] | str:
    """Parse the two offsets; if that fails, return the problem."""
    try:
        start, end = (int(offset) for offset in offsets.split())
    except ValueError:
        return f"expected two whole numbers as offsets, found {_shorten(offsets)}"
    if start > end:
        return f"offsets {start} {end} are reversed"
    if start < 0 or end > length:
        return f"offsets {start} {end} lie outside the sentence of {pluralise(length, 'token')}"
    return start, end


def _shorten(text: str, length: int = 40) -> str:
    return repr(text if len(text) <= length else text[:length] + "…")


def format_m2(sentences: Iterable[Sentence]) -> Iterator[str]:
    """Yield the lines of an M2 file, without line ends; refuse texts that would be read back differently."""
    for sentence in sentences:
        if sentence.text.split() != list(sentence.tokens) or "\0" in sentence.text:
            raise RequestError(f"M2 cannot express a token that is empty or contains white space or NUL, in {_shorten(sentence.text)}")
        yield f"S {sentence.text}"
        for annotation in sentence.annotations:
            yield from _annotation_lines(annotation, len(sentence.tokens))
        yield ""


def _annotation_lines(annotation: Annotation, length: int) -> Iterator[str]:
    annotator = _field(annotation.annotator, "annotator")
    if not annotator or annotator != annotator.strip():
        raise RequestError(f"M2 cannot express an annotator whose name is empty or begins or ends in white space: {annotator!r}")
    if not annotation.edits and not annotation.ignored:
        yield _NOOP_LINE + annotator
    ignored = deque(annotation.ignored)
    for index, edit in enumerate(annotation.edits):
        while ignored and ignored[0][0] <= index:
            yield _set_aside(ignored.popleft()[1], annotator, length)
        # A deletion among alternatives is written as -NONE-, because an empty text between separators would be lost.
        empty = NONE if len(edit.corrections) > 1 else ""
        corrections = "||".join(_correction(text) or empty for text in edit.corrections)
        if "|||" in corrections:
            raise RequestError(f"M2 cannot express alternatives that begin with '|': {_shorten(corrections)}")
        if edit.type == "noop":
            raise RequestError("M2 cannot express an edit of the type noop")
        fields = (_field(edit.type, "type"), corrections, _field(edit.status, "status"), _field(edit.comment, "comment"), annotator)
        yield f"A {edit.start} {edit.end}|||" + "|||".join(fields)
    yield from (_set_aside(text, annotator, length) for _, text in ignored)


def _correction(text: str) -> str:
    if "||" in text or text == NONE:
        raise RequestError(f"M2 cannot express a correction that is {NONE!r} or contains '||': {_shorten(text)}")
    return _field(text, "correction")


def _field(text: str, what: str) -> str:
    if "|||" in text or text.endswith("|") or "\n" in text or "\0" in text or _CARRIAGE_RETURN.search(text):
        raise RequestError(f"M2 cannot express a {what} that contains '|||', a line end or NUL, or ends in '|': {_shorten(text)}")
    return text


def _set_aside(text: str, annotator: str, length: int) -> str:
    """Return a skipped line, if reading would skip it again."""
    fields = text.removeprefix("A ").split("|||")
    readable = text.startswith("A ") and len(fields) == _FIELDS and not {"\n", "\0"} & set(text)
    if not readable or fields[1] == "noop" or fields[-1].strip() != annotator or not isinstance(_span(fields[0], length), str):
        raise RequestError(f"M2 cannot express a skipped line that would be read as something else: {_shorten(text)}")
    return text


def _list_m2_losses(corpus: Corpus) -> list[str]:
    """List what M2 cannot express of a corpus."""
    edits = [edit for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits if edit.error is not None]
    optional = sum(edit.error is not None and not edit.error.required and not edit.required for edit in edits)
    losses = {
        "edits lose their error and whether it must be corrected; errors are then found by overlap": len(edits) - optional,
        "edits keep the status OPTIONAL, but lose their error; I-measure then finds errors by overlap, and may require them": optional,
    }
    return [f"{loss}: {count:,}" for loss, count in losses.items() if count]


def _read_sentences(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[Sentence]:
    """Yield the sentences of an M2 file."""
    for _, sentence in read_m2(path, problems, max_tokens):
        yield sentence


M2 = CorpusFormat("m2", _read_sentences, format_m2, _list_m2_losses)


# --- The output of a system as M2, with its own edits.
#
# It has one annotator, and the source sentences of the gold.  Its edits are kept as they are; its text is made of them.

_NOOP = "noop"
_MOST_BLOCKS = 256
"""Blocks of lines, of 64 KiB, of a file that is read at once."""
_USUAL_NOOP = f"{_NOOP_LINE}{FIRST_ANNOTATOR}"


def read_m2_system(path: str, name: str, gold: Corpus | None, max_tokens: int, warn: Callable[[Problem], None]) -> System:
    """Read a system that is M2; with ``gold`` its sentences must be those of the whole gold."""
    shown = display_path(path)
    edits = _read_plain(path, gold, max_tokens) if gold is not None else None
    if gold is not None and edits is not None:
        system = System.of_source(name, tuple(sentence.tokens for sentence in gold), edits, shown)
    else:
        system = System.of_edits(name, list_m2_sentences(path, Problems(shown, warn=warn), gold, max_tokens), shown)
    whole = _count_sentences(gold)
    if gold is not None and len(system) != whole:
        few_or_many, found = ("few", f"{len(system):,} for") if len(system) < whole else ("many", "more than")
        of = f"the {pluralise(whole, 'sentence')} of {gold.path or gold.name}"
        raise MismatchError(f"{shown} has too {few_or_many} sentences: {found} {of}")
    for message in list_losses_of_text(system):
        warn(Problem(shown, None, "warning", message))
    return system


def list_m2_sentences(path: str, problems: Problems, gold: Corpus | None, max_tokens: int) -> Iterator[Sentence]:
    """Yield the sentences of a system that is M2, at most one more than the whole gold has; report those that no system can have."""
    expected = dict(zip(gold.numbers, gold, strict=True)) if gold is not None else {}
    whole = _count_sentences(gold)
    one = OneAnnotator()
    for number, (line, sentence) in enumerate(read_m2(path, problems, max_tokens), start=1):
        if refusal := one.find_refusal(sentence):
            problems.error(line, refusal)
        found = sentence.tokens if gold is None else normalise_tokens(sentence.tokens, gold.unicode)
        if number in expected and found != expected[number].tokens:
            problems.error(line, describe_other_source(expected[number].tokens, sentence.tokens))
        yield sentence
        if number > whole and gold is not None:
            return


def _count_sentences(gold: Corpus | None) -> int:
    return 0 if gold is None else len(gold) if gold.part is None else gold.part.whole


def list_losses_of_text(system: System) -> list[str]:
    """Say where the text of a system does not have all that its edits have."""
    edits = system.edits or ()
    overlapping = sum(len(own) - len(list_applied(own)) for own in edits if len(own) > 1)
    alternatives = sum(len(edit.corrections) > 1 for own in edits for edit in own)
    losses = {
        "left out of the text of the system, because earlier edits overlap": overlapping,
        "with alternatives; the text of the system has the first": alternatives,
    }
    return [f"{pluralise(count, 'edit')} {loss}" for loss, count in losses.items() if count]


def _read_plain(path: str, gold: Corpus, max_tokens: int) -> tuple[tuple[Edit, ...], ...] | None:
    """Read the edits of a file in which nothing is unusual; None if the careful reader is needed, which explains what is wrong.

    This is three times as fast, and comparing many systems takes no longer than reading them.
    """
    text = _read_whole(path, max_tokens) if gold.part is None and gold.unicode == AS_GIVEN else ""
    blocks = text.removesuffix("\n").split("\n\n")
    if len(blocks) != len(gold) or "\r" in text:
        return None
    edits: list[tuple[Edit, ...]] = []
    annotators: set[str] = set()
    for block, sentence in zip(blocks, gold, strict=True):
        first, *lines = block.split("\n")
        own = _read_plain_edits(lines, len(sentence.tokens), annotators) if first == f"S {sentence.text}" else None
        if own is None:
            return None
        edits.append(own)
    return tuple(edits)


def _read_whole(path: str, max_tokens: int) -> str:
    """Read a file that can be read again; empty if it is large, or anything is wrong."""
    texts: list[str] = []
    if isinstance(path, GivenFile) or not os.path.isfile(path):  # noqa: PTH113 - never raises
        return ""
    try:
        for _, text in read_blocks(path, Problems(display_path(path)), max_tokens):
            texts.append(text)
            if len(texts) > _MOST_BLOCKS:
                return ""
    except InputError:
        return ""
    return "\n".join(texts)


def _read_plain_edits(lines: Sequence[str], length: int, annotators: set[str]) -> tuple[Edit, ...] | None:
    """Read the A lines of a sentence, and add their annotators, of which there may be one; None if a line is unusual."""
    edits = []
    for line in lines:
        if line == _USUAL_NOOP:
            annotators.add(FIRST_ANNOTATOR)
            continue
        fields = line.split("|||")
        if len(fields) != _FIELDS or not line.startswith("A "):
            return None
        offsets, type_, corrections, status, comment, annotator = fields
        annotators.add(annotator)
        if type_ != _NOOP:
            start, _, end = offsets[2:].partition(" ")
            if not (start.isdecimal() and end.isdecimal() and int(start) <= int(end) <= length) or NONE in corrections:
                return None
            edits.append(Edit(int(start), int(end), tuple(corrections.split("||")), type_, status, comment))
    usual = len(annotators) <= 1 and all(name and name == name.strip() for name in annotators)
    return tuple(edits) if usual else None
