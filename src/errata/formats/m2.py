"""M2, the format of the CoNLL shared tasks.

One block for each sentence, ended by an empty line::

    S The cat sit on mat .
    A 2 3|||SVA|||sits||sat|||REQUIRED|||-NONE-|||0
    A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

An ``A`` line has six fields: offsets (in tokens, the end exclusive), type, corrections separated by ``||``, status, comment and annotator.
An empty correction, or ``-NONE-``, deletes.
Type ``noop``, or offsets ``-1 -1``, is no edit, but says that its annotator found nothing wrong.
M2 can express everything in a corpus except texts that contain its own separators.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus import Annotation, Edit, Sentence
from errata.errors import RequestError
from errata.formats.lines import DEFAULT_MAX_TOKENS, Line, read_lines, split_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from errata.formats.problems import Problems

NONE = "-NONE-"
NOOP = f"A -1 -1|||noop|||{NONE}|||REQUIRED|||{NONE}|||"
_FIELDS = 6


class _Block:
    """A sentence while its lines are read."""

    def __init__(self, line: int, tokens: tuple[str, ...]) -> None:
        self.line = line
        self.tokens = tokens
        self.edits: dict[str, list[Edit]] = {}
        self.lines: dict[str, list[int]] = {}
        self.ignored: dict[str, list[tuple[int, str]]] = {}
        self.noops: set[str] = set()
        self.order: list[str] = []

    def sentence(self) -> Sentence:
        annotations = (
            Annotation(annotator, tuple(edits), tuple(self.ignored.get(annotator, ()))) for annotator, edits in self.edits.items()
        )
        return Sentence(self.tokens, tuple(annotations))


def read_m2(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[Sentence]:
    """Yield the sentences of an M2 file."""
    block: _Block | None = None
    separated = True
    for line in read_lines(path, problems, max_tokens):
        if line.text.startswith("S ") or line.text == "S":
            if block is not None:
                yield _finished(block, problems)
            if not separated:
                problems.oddity(line.number, "no empty line before this S line")
            tokens = split_tokens(line, line.text[2:], problems, max_tokens)
            if problems.wants_oddities and tokens is not None:
                _list_odd_spacing(line, tokens, problems)
            block = _Block(line.number, tokens or ())
            separated = False
        elif line.text.startswith("A "):
            if block is None:
                problems.error(line.number, "an A line before the first S line")
            else:
                if separated:
                    problems.oddity(line.number, "an empty line between this A line and its S line")
                _read_annotation(line, block, problems)
            separated = False
        elif not line.text.strip():
            separated = True
        else:
            problems.error(line.number, f"expected a line that starts with 'S ' or 'A ', found {_shortened(line.text)}")
    if block is not None:
        yield _finished(block, problems)


def _read_annotation(line: Line, block: _Block, problems: Problems) -> None:
    fields = line.text[2:].split("|||")
    if len(fields) != _FIELDS:
        problems.error(line.number, f"an A line has {_FIELDS} fields separated by |||, found {len(fields)}")
        return
    offsets, type_, corrections, status, comment, annotator = fields
    annotator = annotator.strip()
    if not annotator:
        problems.error(line.number, "the annotator, the sixth field, is empty")
        return
    edits = block.edits.setdefault(annotator, [])
    block.order.append(annotator)
    if type_ == "noop" or offsets.split() == ["-1", "-1"]:
        block.noops.add(annotator)
        return
    span = _span(offsets, len(block.tokens))
    if isinstance(span, str):
        problems.bad_offsets(line.number, span)
        block.ignored.setdefault(annotator, []).append((len(edits), line.text))
        return
    texts = tuple("" if text == NONE else text for text in corrections.split("||"))
    edits.append(Edit(*span, texts, type_, status, comment))
    block.lines.setdefault(annotator, []).append(line.number)


def _span(offsets: str, length: int) -> tuple[int, int] | str:
    """The two offsets, or what is wrong with them."""
    try:
        start, end = (int(offset) for offset in offsets.split())
    except ValueError:
        return f"expected two whole numbers as offsets, found {_shortened(offsets)}"
    if start > end:
        return f"offsets {start} {end} are reversed"
    if start < 0 or end > length:
        return f"offsets {start} {end} lie outside the sentence of {length} tokens"
    return start, end


def _finished(block: _Block, problems: Problems) -> Sentence:
    if problems.wants_oddities:
        _list_oddities(block, problems)
    return block.sentence()


def _list_odd_spacing(line: Line, tokens: tuple[str, ...], problems: Problems) -> None:
    if line.text[2:] != " ".join(tokens):
        problems.oddity(line.number, "tokens are not separated by single spaces (read as such)")
    if not tokens:
        problems.oddity(line.number, "a sentence without tokens")


def _list_oddities(block: _Block, problems: Problems) -> None:
    runs = [name for place, name in enumerate(block.order) if place == 0 or block.order[place - 1] != name]
    if len(runs) != len(set(runs)):
        problems.oddity(block.line, "the lines of its annotators are interleaved (they are grouped when written)")
    for annotator, edits in block.edits.items():
        if annotator in block.noops and edits:
            problems.oddity(block.line, f"annotator {annotator} has both noop and edits (noop has no effect)")
        numbered = list(zip(edits, block.lines.get(annotator, []), strict=True))
        for edit, line in numbered:
            if " ".join(block.tokens[edit.start : edit.end]) in edit.corrections:
                problems.oddity(line, "an edit that changes nothing")
            if edit.status not in {"REQUIRED", "OPTIONAL"}:
                problems.oddity(line, f"status {edit.status!r}, usual are REQUIRED and OPTIONAL")
            if any(text != " ".join(text.split()) for text in edit.corrections):
                problems.oddity(line, "a correction whose tokens are not separated by single spaces, so no output can match it")
        _list_overlaps(numbered, problems)


def _list_overlaps(numbered: list[tuple[Edit, int]], problems: Problems) -> None:
    """Name one other edit for each that overlaps or repeats any, in a single sweep."""
    lines: dict[tuple[int, int, tuple[str, ...]], int] = {}
    reaching: tuple[Edit, int] | None = None  # of the edits so far the one that ends last
    for edit, line in sorted(numbered, key=lambda item: (item[0].start, item[0].end, item[1])):
        content = (edit.start, edit.end, edit.corrections)
        if content in lines:
            problems.oddity(line, f"repeats the edit of line {lines[content]}")
        elif reaching is not None and edit.overlaps(reaching[0]):
            problems.oddity(max(line, reaching[1]), f"overlaps the edit of line {min(line, reaching[1])}")
        lines.setdefault(content, line)
        if reaching is None or edit.end > reaching[0].end:
            reaching = (edit, line)


def _shortened(text: str, length: int = 40) -> str:
    return repr(text if len(text) <= length else text[:length] + "…")


def m2_lines(sentences: Iterable[Sentence]) -> Iterator[str]:
    """Yield the lines of an M2 file, without line ends."""
    for sentence in sentences:
        if sentence.text.split() != list(sentence.tokens):
            raise RequestError(f"M2 cannot express a token that is empty or contains white space, in {_shortened(sentence.text)}")
        yield f"S {sentence.text}"
        for annotation in sentence.annotations:
            yield from _annotation_lines(annotation)
        yield ""


def _annotation_lines(annotation: Annotation) -> Iterator[str]:
    if not annotation.edits and not annotation.ignored:
        yield NOOP + annotation.annotator
    ignored = list(annotation.ignored)
    for place, edit in enumerate(annotation.edits):
        while ignored and ignored[0][0] <= place:
            yield ignored.pop(0)[1]
        # A deletion among alternatives is written out, for an empty text beside a separator would be lost in a row of bars.
        empty = NONE if len(edit.corrections) > 1 else ""
        corrections = "||".join(_checked(text, "||") or empty for text in edit.corrections)
        fields = (edit.type, corrections, edit.status, edit.comment, annotation.annotator)
        yield f"A {edit.start} {edit.end}|||" + "|||".join(_checked(field) for field in fields)
    yield from (text for _, text in ignored)


def _checked(text: str, separator: str = "|||") -> str:
    """Refuse a text that would be read back as something else."""
    if separator in text or "\n" in text or text.endswith("|"):
        raise RequestError(f"M2 cannot express a text that contains {separator!r} or a line end, or ends in '|': {_shortened(text)}")
    return text
