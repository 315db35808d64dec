"""NUCLE SGML: essays of paragraphs, with mistakes marked by character offsets, and the types of mistakes.

::

    <DOC nid="2">
    <TEXT>
    <P>
    In modern digital world, ...
    </P>
    </TEXT>
    <ANNOTATION teacher_id="6">
    <MISTAKE start_par="0" start_off="3" end_par="0" end_off="9">
    <TYPE>ArtOrDet</TYPE>
    <CORRECTION>the modern</CORRECTION>
    </MISTAKE>
    </ANNOTATION>
    </DOC>

Only these tags are recognised, in upper or lower case; every other < is text.  One line end is removed at each end of a text.
In a file of alternative answers, documents have no text.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TYPE_CHECKING, NoReturn

from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import FormatError, MismatchError, RequestError, pluralise
from errata.formats.lines import count_bytes, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.corpus.corpus import Corpus, Edit
    from errata.corpus.texts import Tokens
    from errata.formats.conll import ParsedSentence
    from errata.formats.problems import Problems


# Release 2.0 had no type for prepositions: they were part of Wcip (collocation, idiom, preposition) and Rloc (local redundancy),
# which also had redundant articles.  The map needs parts of speech and constituents (:mod:`errata.formats.conll`).

TYPES = {
    "Vt": "verb tense",
    "Vm": "modal verb",
    "V0": "missing verb",
    "Vform": "verb form",
    "SVA": "agreement of subject and verb",
    "ArtOrDet": "article or determiner",
    "Nn": "number of a noun",
    "Npos": "possessive of a noun",
    "Pform": "form of a pronoun",
    "Pref": "reference of a pronoun",
    "Prep": "preposition",
    "Wci": "collocation or idiom",
    "Wa": "acronym",
    "Wform": "word form",
    "Wtone": "tone",
    "Srun": "run-on sentence, comma splice",
    "Smod": "dangling modifier",
    "Spar": "parallelism",
    "Sfrag": "fragment",
    "Ssub": "subordinate clause",
    "WOinc": "word order",
    "WOadv": "position of an adverb or adjective",
    "Trans": "linking word",
    "Mec": "punctuation, capitals, spelling",
    "Rloc-": "local redundancy",
    "Cit": "citation",
    "Others": "other errors",
    "Um": "unclear meaning",
}
_FIVE_TYPES = ("ArtOrDet", "Prep", "Nn", "Vform", "SVA")
"""The types of the 2013 task."""
OLD_TYPES = ("Wcip", "Rloc")
_PREPOSITIONS = frozenset(
    "about along among around as at beside besides between by down during except for from in inside into of off on onto outside "  # noqa: SIM905
    "over through to toward towards under underneath until up upon with within without".split()
)


def _update_type(edit: Edit, sentence: ParsedSentence) -> str:
    """Get the type of release 2.1 for an edit of release 2.0.

    >>> from errata.corpus.corpus import Edit
    >>> from errata.formats.conll import ParsedSentence
    >>> went = ParsedSentence("1", 0, 0, ("went", "in", "there"), ("VBD", "IN", "RB"), ("(S(VP*", "(PP*)", "(ADVP*)))"))
    >>> _update_type(Edit(1, 2, ("to",), "Wcip"), went), _update_type(Edit(0, 1, ("go",), "Wcip"), went)
    ('Prep', 'Wci')
    """
    if edit.type not in OLD_TYPES:
        return edit.type
    new = edit.corrections[0].lower()
    if edit.end == edit.start + 1:
        tag, parent = sentence.tags[edit.start], sentence.parents[edit.start]
        if tag in {"IN", "TO"} and parent == "PP" and (new in _PREPOSITIONS or not new):
            return "Prep"
        if edit.type == "Rloc" and tag == "DT" and not new:
            return "ArtOrDet"
    elif edit.type == "Wcip" and edit.start == edit.end < len(sentence.tokens) and new in _PREPOSITIONS and _may_follow(sentence, edit.end):
        return "Prep"
    return "Wci" if edit.type == "Wcip" else "Rloc-"


def _may_follow(sentence: ParsedSentence, token: int) -> bool:
    """Tell whether a token may follow a preposition."""
    return sentence.tags[token] == "VBG" or "NP" in sentence.openings[token]


def update_types(corpus: Corpus, parsed: Sequence[ParsedSentence], path: str) -> Corpus:
    """Replace the types of a corpus by those of release 2.1; ``parsed`` has its sentences in order, read from ``path``."""
    if len(corpus) != len(parsed):
        raise MismatchError(f"{path} has {pluralise(len(parsed), 'sentence')}, but the essays have {len(corpus):,}")
    sentences = []
    for number, (sentence, analysis) in enumerate(zip(corpus, parsed, strict=True), start=1):
        if sentence.tokens != analysis.tokens:
            position = next((k for k, pair in enumerate(zip(sentence.tokens, analysis.tokens, strict=False)) if pair[0] != pair[1]), None)
            first = min(len(sentence.tokens), len(analysis.tokens)) if position is None else position
            words = [repr(tokens[first]) if first < len(tokens) else "nothing" for tokens in (analysis.tokens, sentence.tokens)]
            raise MismatchError(f"{path}: token {first + 1} of sentence {number} is {words[0]}, but the text has {words[1]}")
        annotations = tuple(
            replace(annotation, edits=tuple(replace(edit, type=_update_type(edit, analysis)) for edit in annotation.edits))
            for annotation in sentence.annotations
        )
        sentences.append(replace(sentence, annotations=annotations))
    return replace(corpus, sentences=tuple(sentences))


_TAG = re.compile(r"<(/?)(DOC|TEXT|TITLE|P|ANNOTATION|MISTAKE|TYPE|CORRECTION|COMMENT)((?:\s[^<>]*)?)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"(?<![A-Za-z_])([A-Za-z_]+)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+)")
_DECLARATION = re.compile(r"<!(?:ENTITY|DOCTYPE)", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});")
_MOST_DIGITS = 9
NOOP_TYPE = "noop"
"""The type of a mistake that says that nothing is wrong."""
_INSIDE = {
    "DOC": "",
    "TEXT": "DOC",
    "TITLE": "TEXT",
    "P": "TEXT",
    "ANNOTATION": "DOC",
    "MISTAKE": "ANNOTATION",
    "TYPE": "MISTAKE",
    "CORRECTION": "MISTAKE",
    "COMMENT": "MISTAKE",
}
"""The parent of each element."""
_ATTRIBUTES = {"DOC": {"nid"}, "ANNOTATION": {"teacher_id"}, "MISTAKE": {"start_par", "start_off", "end_par", "end_off"}}
"""The attributes of each element that has some."""
_TEXTS = {"TITLE", "P", "TYPE", "CORRECTION", "COMMENT"}


@dataclass(frozen=True, slots=True)
class Mistake:
    """A span of characters and its correction."""

    start_paragraph: int
    start: int
    end_paragraph: int
    end: int
    type: str
    correction: str
    comment: str = ""
    line: int = field(default=0, compare=False)
    """The line it was read from, for messages."""


@dataclass(frozen=True, slots=True)
class _EssayAnnotation:
    """One annotator's mistakes of an essay, in file order."""

    annotator: str
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True, slots=True)
class Essay:
    """A document: its paragraphs, of which the first may be a title, and its annotations."""

    id: str
    paragraphs: tuple[str, ...] | None
    """None in a file that has only annotations."""
    annotations: tuple[_EssayAnnotation, ...] = ()
    titled: bool = False
    line: int = field(default=0, compare=False)


def read_essays(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[Essay]:
    """Yield the documents of a file."""
    reader = _Reader(problems, max_tokens)
    for line in read_lines(path, problems, max_tokens):
        reader.line(line.number, line.text)
        yield from reader.take()
    reader.end()


class _Reader:
    def __init__(self, problems: Problems, max_tokens: int) -> None:
        self._problems = problems
        self._max_tokens, self._most_text = max_tokens, count_bytes(max_tokens)
        self._length = 0
        self._open: list[tuple[str, dict[str, str], int]] = []
        self._text: list[str] = []
        self._number = 0
        self._done: list[Essay] = []
        self._paragraphs: list[str] | None = None
        self._titled = False
        self._annotations: list[_EssayAnnotation] = []
        self._mistakes: list[Mistake] = []
        self._fields: dict[str, str] = {}

    def take(self) -> Iterator[Essay]:
        essays, self._done = self._done, []
        yield from essays

    def line(self, number: int, text: str) -> None:
        self._number = number
        if _DECLARATION.search(text):
            self._refuse("declares a document type or entities; such files are refused, because they can fill all memory")
        position = 0
        for tag in _TAG.finditer(text):
            self._characters(text[position : tag.start()])
            closing, name, attributes = tag.groups()
            if closing:
                self._close(name.upper())
            else:
                self._start(name.upper(), attributes)
            position = tag.end()
        self._characters(text[position:] + "\n")

    def end(self) -> None:
        if self._open:
            name, _, line = self._open[-1]
            self._refuse(f"<{name}> of line {line} is not closed")

    def _characters(self, text: str) -> None:
        if self._open and self._open[-1][0] in _TEXTS:
            self._text.append(text)
            self._length += len(text)
            if self._length > self._most_text:
                what = f"more than {self._most_text:,} characters in the <{self._open[-1][0]}> of line {self._open[-1][2]}"
                self._refuse(f"{what}, the limit for {self._max_tokens:,} tokens; {RAISE_LIMIT}")
        elif text.strip():
            where = f"inside <{self._open[-1][0]}>" if self._open else "outside of <DOC>"
            self._refuse(f"expected a tag {where}, found text: {text.strip()[:40]!r}")

    def _start(self, name: str, attributes: str) -> None:
        around = self._open[-1][0] if self._open else ""
        if around != _INSIDE[name]:
            where = f"inside <{_INSIDE[name]}>" if _INSIDE[name] else "outside of other tags"
            context = f"inside <{around}> of line {self._open[-1][2]}" if around else "outside of <DOC>"
            self._refuse(f"expected <{name}> {where}, found it {context}")
        pairs = [(key.lower(), value.strip("\"'")) for key, value in _ATTRIBUTE.findall(attributes)]
        values = dict(pairs)
        if len(values) < len(pairs):
            self._refuse(f"an attribute of <{name}> occurs twice")
        for unknown in sorted(values.keys() - _ATTRIBUTES.get(name, set())):
            self._problems.warning(self._number, f"unknown attribute {unknown[:40]!r} of <{name}> (skipped)")
        self._open.append((name, values, self._number))
        self._text, self._length = [], 0
        if name == "DOC":
            self._paragraphs, self._titled, self._annotations = None, False, []
        elif name == "TEXT":
            if self._paragraphs is not None:
                self._refuse("a second <TEXT> in one <DOC>")
            self._paragraphs = []
        elif name == "ANNOTATION":
            self._mistakes = []
        elif name == "MISTAKE":
            self._fields = {}

    def _close(self, name: str) -> None:
        if not self._open or self._open[-1][0] != name:
            expected = f"expected </{self._open[-1][0]}> for line {self._open[-1][2]}" if self._open else "nothing is open"
            self._refuse(f"{expected}, found </{name}>")
        _, attributes, line = self._open.pop()
        if name in {"TITLE", "P"}:
            assert self._paragraphs is not None  # noqa: S101 - they are inside TEXT
            self._titled = self._titled or (name == "TITLE" and not self._paragraphs)
            self._paragraphs.append(_chunk("".join(self._text)))
        elif name in _TEXTS:
            if name in self._fields:
                self._refuse(f"a second <{name}> in one <MISTAKE>")
            self._fields[name] = _chunk("".join(self._text))
        elif name == "MISTAKE":
            self._mistake(attributes, line)
        elif name == "ANNOTATION":
            self._annotations.append(_EssayAnnotation(attributes.get("teacher_id", str(len(self._annotations))), tuple(self._mistakes)))
        elif name == "DOC":
            if "nid" not in attributes:
                self._refuse(f"<DOC> of line {line} has no nid")
            paragraphs = tuple(self._paragraphs) if self._paragraphs is not None else None
            self._done.append(Essay(attributes["nid"], paragraphs, tuple(self._annotations), self._titled, line))

    def _mistake(self, attributes: dict[str, str], line: int) -> None:
        indices = []
        for name in ("start_par", "start_off", "end_par", "end_off"):
            text = attributes.get(name)
            if text is None or not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
                self._problems.error(
                    line,
                    f"{name} of a MISTAKE must be a whole number, found {text[:40]!r}" if text is not None else f"a MISTAKE without {name}",
                )
                return
            indices.append(int(text))
        if "TYPE" not in self._fields or not self._fields["TYPE"].strip():
            self._problems.error(line, "a MISTAKE without a TYPE")
            return
        if "CORRECTION" not in self._fields and self._fields["TYPE"].strip() != NOOP_TYPE:
            self._problems.warning(line, "a MISTAKE without a CORRECTION (read as a deletion)")
        type_, correction = self._fields["TYPE"].strip(), self._fields.get("CORRECTION", "")
        comment = self._fields.get("COMMENT", "")
        self._mistakes.append(Mistake(indices[0], indices[1], indices[2], indices[3], type_, correction, comment, line))

    def _refuse(self, message: str) -> NoReturn:
        raise FormatError(self._problems.path, self._number, message)


def _chunk(text: str) -> str:
    """Remove one line end at each end of a text; white space alone becomes empty."""
    if not text.strip():
        return ""
    return _ENTITY.sub(lambda match: html.unescape(match.group()), text.removeprefix("\n").removesuffix("\n"))


def format_sgml(corpus: Corpus) -> Iterator[str]:
    """Write a corpus as an essay with one sentence per paragraph."""
    return _format_essays(_make_essays(corpus))


def _format_essays(essays: Iterable[Essay]) -> Iterator[str]:
    """Yield the lines of an SGML file, without line ends."""
    for essay in essays:
        yield f'<DOC nid="{_write_text(essay.id)}">'
        if essay.paragraphs is not None:
            yield "<TEXT>"
            for number, text in enumerate(essay.paragraphs):
                tag = "TITLE" if essay.titled and number == 0 else "P"
                yield from (f"<{tag}>", *_write_text(text).split("\n"), f"</{tag}>")
            yield "</TEXT>"
        for annotation in essay.annotations:
            yield f'<ANNOTATION teacher_id="{_write_text(annotation.annotator)}">'
            for mistake in annotation.mistakes:
                yield (
                    f'<MISTAKE start_par="{mistake.start_paragraph}" start_off="{mistake.start}" '
                    f'end_par="{mistake.end_paragraph}" end_off="{mistake.end}">'
                )
                yield f"<TYPE>{_write_text(mistake.type)}</TYPE>"
                yield from f"<CORRECTION>{_write_text(mistake.correction)}</CORRECTION>".split("\n")
                if mistake.comment:
                    yield from f"<COMMENT>{_write_text(mistake.comment)}</COMMENT>".split("\n")
                yield "</MISTAKE>"
            yield "</ANNOTATION>"
        yield from ("</DOC>", "")


def _write_text(text: str) -> str:
    """Escape a text, so that it is read back unchanged."""
    if "\0" in text:
        raise RequestError(f"SGML cannot express NUL, in {text[:40]!r}")
    text = _ENTITY.sub(lambda match: f"&amp;{match.group()[1:]}", text)
    if _TAG.search(text) or _DECLARATION.search(text):
        text = text.replace("<", "&lt;")
    return text


def _make_essays(corpus: Corpus) -> list[Essay]:
    """Convert a corpus to one essay: every sentence is a paragraph, with spaces between tokens.

    If it is read back with the tokens of the corpus, only alternative corrections are lost: the first is used.
    """
    paragraphs = tuple(sentence.text for sentence in corpus)
    mistakes: dict[str, list[Mistake]] = {annotator: [] for annotator in corpus.annotators}
    for number, sentence in enumerate(corpus):
        starts = [0, *accumulate(len(token) + 1 for token in sentence.tokens)]
        for annotation in sentence.annotations:
            mistakes[annotation.annotator] += (_mistake_of(edit, number, starts, sentence.tokens) for edit in annotation.edits)
    return [Essay("1", paragraphs, tuple(_EssayAnnotation(annotator, tuple(own)) for annotator, own in mistakes.items()))]


def _mistake_of(edit: Edit, paragraph: int, starts: list[int], tokens: Tokens) -> Mistake:
    first, correction = edit.start, edit.corrections[0]
    if tokens and edit.start == len(tokens):  # a mistake must start inside its sentence
        first, correction = first - 1, f"{tokens[-1]} {correction}"
    start = starts[first]
    end = start if first == edit.end else starts[edit.end] - 1
    comment = "" if edit.comment == "-NONE-" else edit.comment
    return Mistake(paragraph, start, paragraph, end, edit.type, correction, comment)


def list_sgml_losses(corpus: Corpus) -> list[str]:
    """List what SGML cannot express of a corpus."""
    edits = [edit for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits]
    annotations = sum(len(sentence.annotations) for sentence in corpus)
    counts = {
        "alternative corrections are left out (the first is used)": sum(len(edit.corrections) - 1 for edit in edits),
        "edits lose their status": sum(edit.status != "REQUIRED" for edit in edits),
        "edits lose their error": sum(edit.error is not None for edit in edits),
        "absent annotators become annotators without changes": len(corpus) * len(corpus.annotators) - annotations,
        "sentences without tokens are left out": sum(not sentence.tokens for sentence in corpus),
        "annotators with the same edits of a sentence become one": sum(
            len(sentence.annotations) - len({annotation.edits for annotation in sentence.annotations}) for sentence in corpus
        ),
    }
    return [f"{what}: {count:,}" for what, count in counts.items() if count]
