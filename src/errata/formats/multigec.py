"""MultiGEC: essays in Markdown files, one for the source and one for each reference or output, cut into sentences."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from errata.corpus.corpus import Annotation, Corpus, Sentence, System, extract_edits
from errata.corpus.line_alignment import UnalignableError, cut_document
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.corpus.tokenisation import load_rule
from errata.corpus.unicode import SENTENCE_MARKS, separate_characters
from errata.errors import FormatError, InputError, MismatchError, UsageError, pluralise
from errata.formats.lines import display_path, get_file_name, read_lines
from errata.formats.nucle import OFFICIAL
from errata.formats.problems import Problem, Problems, warn_in_python
from errata.formats.registry import CorpusFormat, ReferenceReaders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from errata.corpus.texts import Tokens
    from errata.corpus.tokenisation import TokenRule
    from errata.formats.lines import Line
    from errata.formats.registry import EssayUnit


# The units come from the source alone, so they are the same for all references and systems, and the gold does not depend on a system.
# The text of a reference or an output is cut into these units by the same function, so equal texts become equal tokens.

_SHOWN = 5
"""Names and numbers in messages."""


class _Place(NamedTuple):
    """The units of an essay of the source, and the number of the first, counted from 1."""

    units: list[Tokens]
    first: int


def read_multigec(
    path: str,
    references: Sequence[str],
    unit: EssayUnit = "sentence",
    max_tokens: int = DEFAULT_MAX_TOKENS,
    warn: Callable[[Problem], None] = warn_in_python,
) -> Corpus:
    """Read a source and its references; each essay is a document, and a reference may lack essays that another has."""
    essays = _read_markdown(path, Problems(display_path(path), warn=warn), max_tokens)
    places = _place({name: list(_list_units(essay, path, unit, max_tokens)) for name, essay in essays.items()})
    annotations: dict[str, list[list[Annotation]]] = {name: [[] for _ in place.units] for name, place in places.items()}
    for annotator, reference in enumerate(references):
        own = _read_markdown(reference, Problems(display_path(reference), warn=warn), max_tokens)
        _refuse_unknown(own, essays, reference, display_path(path))
        if lacking := [name for name in essays if name not in own]:
            message = f"no reference for {len(lacking):,} of {pluralise(len(essays), 'essay')}: {_list_names(lacking)}"
            warn(Problem(display_path(reference), None, "warning", message))
        for name, essay in own.items():
            for listed, source, target in zip(
                annotations[name], places[name].units, _cut(essay, places[name], reference, max_tokens, warn), strict=True
            ):
                listed.append(Annotation(str(annotator), extract_edits(source, target)))
    if bare := next((name for name in essays if references and not annotations[name][0]), None):
        raise FormatError(display_path(path), essays[bare].line, f"no reference has the essay {bare[:40]!r}")
    sentences = (
        Sentence(tokens, tuple(listed), name)
        for name, place in places.items()
        for tokens, listed in zip(place.units, annotations[name], strict=True)
    )
    return Corpus(tuple(sentences), get_file_name(path), display_path(path))


def read_multigec_system(
    path: str,
    name: str,
    gold: Corpus,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    warn: Callable[[Problem], None] = warn_in_python,
) -> System:
    """Read the output of a system for a corpus of essays; it must have every essay."""
    units: dict[str, list[Tokens]] = {}
    for sentence in gold:
        units.setdefault(sentence.document, []).append(sentence.tokens)
    if "" in units:
        raise MismatchError(f"{display_path(path)} has essays, but sentences of {gold.path or gold.name} have no document")
    places = _place(units)
    essays = _read_markdown(path, Problems(display_path(path), warn=warn), max_tokens)
    _refuse_unknown(essays, places, path, gold.path or gold.name)
    if lacking := [document for document in places if document not in essays]:
        raise MismatchError(
            f"{display_path(path)} lacks {len(lacking):,} of the {pluralise(len(places), 'essay')} of {gold.path or gold.name}: "
            f"{_list_names(lacking)}"
        )
    sentences = [tokens for document, place in places.items() for tokens in _cut(essays[document], place, path, max_tokens, warn)]
    return System(name, tuple(sentences), display_path(path))


def _list_source_units(path: str, problems: Problems, max_tokens: int) -> Iterator[Sentence]:
    """Yield the sentences of a file of essays, without annotations."""
    for name, essay in _read_markdown(path, problems, max_tokens).items():
        for tokens in _list_units(essay, path, "sentence", max_tokens):
            yield Sentence(tokens, (), name)


def _place(units: Mapping[str, list[Tokens]]) -> dict[str, _Place]:
    places: dict[str, _Place] = {}
    first = 1
    for name, own in units.items():
        places[name] = _Place(own, first)
        first += len(own)
    return places


def _list_units(essay: _MarkdownEssay, path: str, unit: EssayUnit, max_tokens: int) -> Iterator[Tokens]:
    for text in _split_units([line.text for line in essay.lines], unit):
        yield _check_length(_tokenise_sentences(text), essay, path, max_tokens)


def _check_length(tokens: Tokens, essay: _MarkdownEssay, path: str, max_tokens: int) -> Tokens:
    if len(tokens) > max_tokens:
        message = f"essay {essay.id[:40]!r} has a unit of {len(tokens):,} tokens, more than the limit of {max_tokens:,}; {RAISE_LIMIT}"
        raise FormatError(display_path(path), essay.line, message)
    return tokens


def _cut(essay: _MarkdownEssay, place: _Place, path: str, max_tokens: int, warn: Callable[[Problem], None]) -> list[Tokens]:
    """Cut an essay into the units of its source, and tell what has no counterpart."""
    sentences = _split_units([line.text for line in essay.lines], "sentence")
    try:
        cut = cut_document([" ".join(tokens) for tokens in place.units], sentences)
    except UnalignableError as error:
        message = f"essay {essay.id[:40]!r} cannot be aligned with its source from sentence {error.output + 1:,} on"
        raise InputError(f"{display_path(path)}:{essay.line}: {message}") from None

    def tell(message: str) -> None:
        warn(Problem(display_path(path), essay.line, "warning", f"essay {essay.id[:40]!r}: {message}"))

    if cut.missing:
        counted = pluralise(len(cut.missing), "unit of the source has", "units of the source have")
        tell(f"{counted} no counterpart: {_list_names([str(place.first + number) for number in cut.missing])}")
    if cut.added:
        counted = pluralise(cut.added, "sentence has", "sentences have")
        tell(f"{counted} no counterpart in the source, kept in the unit before")
    return [_check_length(_tokenise_sentences(text), essay, path, max_tokens) for text in cut.texts]


def _refuse_unknown(essays: Mapping[str, _MarkdownEssay], known: Mapping[str, object], path: str, source: str) -> None:
    if unknown := next((essay for name, essay in essays.items() if name not in known), None):
        raise FormatError(display_path(path), unknown.line, f"essay {unknown.id[:40]!r} is not in {source}")


def _list_names(names: Sequence[str]) -> str:
    return ", ".join([*(name[:40] for name in names[:_SHOWN]), *(["..."] if len(names) > _SHOWN else [])])


# Files of essays: a heading such as ``### essay_id = 7`` before each, and its text over any number of lines.

_HEADING = re.compile(r"### essay_id = (\S.*?)\s*")
_LIKE_HEADING = re.compile(r"\s*#+\s*essay_id\b", re.IGNORECASE)
_EXPECTED = "expected a heading such as '### essay_id = 1'"


class _MarkdownEssay(NamedTuple):
    """An essay: its id, the line of its heading, and its lines that are not blank."""

    id: str
    line: int
    lines: list[Line]


def _read_markdown(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> dict[str, _MarkdownEssay]:
    """Read the essays of a file by their ids, in the order of the file."""
    essays: dict[str, _MarkdownEssay] = {}
    essay: _MarkdownEssay | None = None
    for line in read_lines(path, problems, max_tokens):
        heading = _HEADING.fullmatch(line.text)
        if heading is not None:
            essay = _MarkdownEssay(heading[1], line.number, [])
            if essay.id in essays:
                first = essays[essay.id].line
                raise FormatError(problems.path, line.number, f"essay {essay.id[:40]!r} occurs twice, first in line {first:,}")
            essays[essay.id] = essay
        elif _LIKE_HEADING.match(line.text) or (essay is None and line.text.strip()):
            raise FormatError(problems.path, line.number, f"{_EXPECTED}, found {line.text.strip()[:40]!r}")
        elif essay is not None and line.text.strip():
            essay.lines.append(line)
    if not essays:
        raise FormatError(problems.path, None, f"{_EXPECTED}, found none")
    return essays


# What is scored of an essay: its sentences, its paragraphs, or the whole.

_END = re.compile(rf"(?<=[{SENTENCE_MARKS}])(?=[^{SENTENCE_MARKS}\"”’»」』）)》])|(?<=[{SENTENCE_MARKS}][\"”’»」』）)》])(?=[^\s])")
"""Where a sentence ends after a mark of another script, and perhaps a closing quotation mark or bracket."""
_GREEK_END = re.compile(r"(?<=[;\u037e])\s+")
_GREEK = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]")


@cache
def _find_rule() -> TokenRule:
    return load_rule("ptb")


def _split_sentences(text: str) -> list[str]:
    """Split a text into sentences: as in the CoNLL shared tasks, and at the marks of other scripts.

    >>> _split_sentences("我喜欢吃苹果。你呢？"), _split_sentences("Πού είναι; Δεν ξέρω.")
    (['我喜欢吃苹果。', '你呢？'], ['Πού είναι;', 'Δεν ξέρω.'])
    """
    pieces = [text] if text.isascii() else _END.split(text)
    if 2 * len(_GREEK.findall(text)) > sum(map(str.isalpha, text)):
        pieces = [part for piece in pieces for part in _GREEK_END.split(piece)]
    return [sentence for piece in pieces for sentence in OFFICIAL.split(piece)]


def _tokenise_sentences(text: str) -> Tokens:
    """Tokenise a text sentence by sentence: by the rule of the Penn Treebank, and characters of scripts without spaces one by one.

    >>> _tokenise_sentences("He isn't here. Where is he?")
    ('He', 'is', "n't", 'here', '.', 'Where', 'is', 'he', '?')
    """
    return tuple(token for sentence in _split_sentences(text) for token in _find_rule()(separate_characters(sentence)))


def _split_units(lines: Sequence[str], unit: EssayUnit) -> list[str]:
    """Split the lines of an essay into units; a line is a paragraph.  An essay without text is one empty unit.

    >>> _split_units(["I came. I saw.", "I left."], "sentence"), _split_units(["I came. I saw.", "I left."], "document")
    (['I came.', 'I saw.', 'I left.'], ['I came. I saw. I left.'])
    """
    if unit == "document":
        return [" ".join(line.strip() for line in lines)]
    if unit == "paragraph":
        return [line.strip() for line in lines] or [""]
    return [sentence for line in lines for sentence in _split_sentences(line)] or [""]


def _read_alone(path: str, problems: Problems, max_tokens: int) -> NoReturn:  # noqa: ARG001 - as in other formats
    raise UsageError(f"{problems.path} has essays, which need references: --reference FILE (references= in Python)")


ESSAYS_FORMAT = CorpusFormat(
    "multigec", _read_alone, check=_list_source_units, with_references=ReferenceReaders(read_multigec, read_multigec_system)
)
