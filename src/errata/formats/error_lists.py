"""The XML of Felice and Briscoe 2015 (Listing 1): errors, each with alternative corrections by annotators.

::

    <scripts>
      <script id="1">
        <sentence id="1" numann="2">
          <text>This machines is big .</text>
          <error-list>
            <error id="1" req="yes" type="SVA">
              <alt ann="0"><c start="0" end="1">These</c><c start="2" end="3">are</c></alt>
              <alt ann="1"><c start="1" end="2">machine</c></alt>
            </error>
          </error-list>
        </sentence>
      </script>
    </scripts>

The file says which corrections are one error; :attr:`Edit.error` keeps that.  If edits do not name their error, errors are found by
overlap when written (:mod:`errata.corpus.alternatives`).  ``numann`` counts all annotators; those without corrections are named by the
first free numbers.  An edit whose type differs from that of its error has a ``type`` attribute.

The format has one correction per edit, no statuses and no comments; edits of one annotator with the same span are joined.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from errata.corpus.alternatives import group_errors
from errata.corpus.corpus import Annotation, Edit, ErrorGroup, Sentence
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import pluralise
from errata.formats.lines import count_bytes
from errata.formats.problems import list_warnings
from errata.formats.registry import CorpusFormat
from errata.formats.xml import Element, ElementLimits, escape_text, quote_attribute, read_elements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from errata.corpus.alternatives import Alternative, Alternatives
    from errata.corpus.corpus import Corpus
    from errata.formats.problems import Problems

_ATTRIBUTES = {
    "script": {"id"},
    "sentence": {"id", "numann"},
    "error": {"id", "req", "type"},
    "alt": {"ann"},
    "c": {"start", "end", "type"},
}
_REQUIRED = {"yes": True, "no": False}
_MOST_DIGITS = 9
_MOST_SILENT = 100


class _ElementError(Exception):
    """A problem of an element, with its location."""

    def __init__(self, element: Element, message: str) -> None:
        super().__init__(f"column {element.column}: {message}")
        self.line = element.line


def _read_error_lists(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[Sentence]:
    """Yield the sentences of a file."""
    most = ElementLimits(count_bytes(max_tokens), advice=RAISE_LIMIT)
    ids: set[str] = set()
    outside: set[tuple[str, str]] = set()
    for element in read_elements(path, problems, "sentence", ("scripts", "script"), most):
        if problems.wants_warnings:
            _list_outside(element, outside, problems)
            _list_attribute_warnings(element, ids, problems)
        try:
            sentence = _sentence(element, problems, max_tokens)
        except _ElementError as wrong:
            problems.error(wrong.line, str(wrong))
            continue
        if problems.wants_warnings:
            list_warnings(sentence, element.line, problems)
        yield sentence


def _list_outside(sentence: Element, told: set[tuple[str, str]], problems: Problems) -> None:
    """Report each unknown attribute of the elements around a sentence once."""
    for element, attributes in sentence.around.items():
        for name in sorted(attributes.keys() - _ATTRIBUTES.get(element, set())):
            if (element, name) not in told:
                told.add((element, name))
                problems.warning(sentence.line, f"unknown attribute {name[:40]!r} of the <{element}> around this sentence (skipped)")


def _list_attribute_warnings(sentence: Element, ids: set[str], problems: Problems) -> None:
    """Report unknown attributes and repeated ids."""
    for element in sentence.walk():
        for name in sorted(set(element.attributes) - _ATTRIBUTES.get(element.name, set())):
            what = f"unknown attribute {name[:40]!r} of <{element.name[:40]}> (skipped)"
            problems.warning(element.line, f"column {element.column}: {what}")
    own = sentence.attributes.get("id")
    if own is not None:
        if own in ids:
            problems.warning(sentence.line, f"column {sentence.column}: the sentence id {own[:40]!r} occurs twice")
        ids.add(own)


def _sentence(element: Element, problems: Problems, max_tokens: int) -> Sentence:
    _known(element, {"text", "error-list"})
    texts, lists = element.named("text"), element.named("error-list")
    if len(texts) != 1 or len(lists) > 1:
        raise _ElementError(element, f"a sentence must have one <text> and at most one <error-list>, found {len(texts)} and {len(lists)}")
    _known(texts[0], set())
    tokens = tuple(texts[0].text.split())
    if len(tokens) > max_tokens:
        raise _ElementError(element, f"{len(tokens):,} tokens in a sentence, more than the limit of {max_tokens:,}; {RAISE_LIMIT}")
    edits: dict[str, list[Edit]] = {}
    seen: set[str] = set()
    if lists:
        _known(lists[0], {"error"})
    for number, error in enumerate(lists[0].children if lists else (), start=1):
        name = error.attributes.get("id", str(number))
        if name in seen:
            raise _ElementError(error, f"two errors of the sentence have the id {name[:40]!r}")
        seen.add(name)
        for annotator, own in _alternatives(error, name, len(tokens), problems):
            edits.setdefault(annotator, []).extend(own)
    count = _number(element, "numann")
    if count > len(edits) + _MOST_SILENT:
        raise _ElementError(element, f"numann says {count:,}, but at most {_MOST_SILENT:,} annotators may have no corrections")
    if count < len(edits):
        raise _ElementError(element, f"numann says {count:,}, but {pluralise(len(edits), 'annotator')} made corrections")
    names = _names(list(edits), count)
    return Sentence(
        tokens,
        tuple(Annotation(name, tuple(sorted(edits.get(name, []), key=lambda edit: (edit.start, edit.end)))) for name in names),
        element.around.get("script", {}).get("id", ""),
    )


def _names(known: list[str], count: int) -> list[str]:
    """List all annotators in order; those without corrections get the first free numbers."""
    names = set(known)
    number = 0
    while len(names) < count:
        names.add(str(number))
        number += 1
    return sorted(names, key=lambda name: (0, int(name), "") if name.isdecimal() and len(name) <= _MOST_DIGITS else (1, 0, name))


def _alternatives(error: Element, name: str, length: int, problems: Problems) -> Iterator[tuple[str, list[Edit]]]:
    _known(error, {"alt"})
    required = _REQUIRED.get(_attribute(error, "req"))
    if required is None:
        raise _ElementError(error, f"req must be yes or no, found {error.attributes['req'][:40]!r}")
    if not error.children:
        raise _ElementError(error, f"the error {name[:40]!r} has no alternative")
    group, type_ = ErrorGroup(name, required), error.attributes.get("type", "")
    seen: set[str] = set()
    for alternative in error.children:
        _known(alternative, {"c"})
        annotator = _attribute(alternative, "ann").strip()
        if not annotator:
            raise _ElementError(alternative, "the attribute ann (annotator) is empty")
        if annotator in seen:
            raise _ElementError(alternative, f"annotator {annotator[:40]!r} has two alternatives of the error {name[:40]!r}")
        seen.add(annotator)
        if not alternative.children:
            raise _ElementError(alternative, f"an alternative of the error {name[:40]!r} has no correction")
        edits = []
        for correction in alternative.children:
            _known(correction, set())
            start, end = _number(correction, "start"), _number(correction, "end")
            if not start <= end <= length:
                what = "are reversed" if start > end else f"lie outside the sentence of {pluralise(length, 'token')}"
                problems.bad_offsets(correction.line, f"column {correction.column}: offsets {start} {end} {what}")
                continue
            text = " ".join(correction.text.split())
            edits.append(Edit(start, end, (text,), correction.attributes.get("type", type_), error=group))
        yield annotator, edits


def _known(element: Element, names: set[str]) -> None:
    """Raise if an element contains unknown elements, or text between elements."""
    unknown = next((child for child in element.children if child.name not in names), None)
    if unknown is not None:
        expected = f"expected {' or '.join(f'<{name}>' for name in sorted(names))}" if names else "expected text only"
        raise _ElementError(unknown, f"{expected} inside <{element.name}>, found <{unknown.name[:40]}>")
    if names and element.text.strip():
        raise _ElementError(element, f"<{element.name}> contains text outside its elements: {element.text.strip()[:40]!r}")


def _attribute(element: Element, name: str) -> str:
    if name not in element.attributes:
        raise _ElementError(element, f"<{element.name}> lacks the attribute {name!r}")
    return element.attributes[name]


def _number(element: Element, name: str) -> int:
    text = _attribute(element, name).strip()
    if not (text.isascii() and text.isdecimal()):
        raise _ElementError(element, f"{name} must be a whole number from 0, found {text[:40]!r}")
    if len(text) > _MOST_DIGITS:
        raise _ElementError(element, f"{name} may have at most {_MOST_DIGITS} digits, found {text[:40]}")
    return int(text)


def _format_error_lists(corpus: Corpus) -> Iterator[str]:
    """Yield the lines of a file, without line ends."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield "<scripts>"
    for document, sentences in groupby(zip(corpus.numbers, corpus, strict=True), key=lambda item: item[1].document):
        yield f"  <script id={quote_attribute(document or '1')}>"
        for number, sentence in sentences:
            yield from _sentence_lines(sentence, number)
        yield "  </script>"
    yield "</scripts>"


def _sentence_lines(sentence: Sentence, number: int) -> Iterator[str]:
    yield f'    <sentence id="{number}" numann="{len(sentence.annotations)}">'
    yield f"      <text>{escape_text(sentence.text)}</text>"
    errors = sorted(group_errors(sentence), key=lambda error: min((edit.start, edit.end) for alt in error for edit in alt.edits))
    if errors:
        yield "      <error-list>"
        for index, error in enumerate(errors, start=1):
            yield from _error_lines(error, index)
        yield "      </error-list>"
    yield "    </sentence>"


def _error_lines(error: Alternatives, number: int) -> Iterator[str]:
    offered = [alternative for alternative in error if alternative.edits]
    first = offered[0].edits[0]
    name = first.error.id if first.error is not None else str(number)
    required = "yes" if len(offered) == len(error) else "no"
    yield f'        <error id={quote_attribute(name)} req="{required}" type={quote_attribute(first.type)}>'
    for alternative in offered:
        yield f"          <alt ann={quote_attribute(alternative.annotator or '')}>"
        types = _types(alternative)
        for start, end, tokens in alternative.replacements:
            own = f" type={quote_attribute(types[start, end])}" if types[start, end] != first.type else ""
            yield f'            <c start="{start}" end="{end}"{own}>{escape_text(" ".join(tokens))}</c>'
        yield "          </alt>"
    yield "        </error>"


def _types(alternative: Alternative) -> dict[tuple[int, int], str]:
    """Map each span to the type of its first edit."""
    types: dict[tuple[int, int], str] = {}
    for edit in alternative.edits:
        types.setdefault((edit.start, edit.end), edit.type)
    return types


def _list_error_list_losses(sentences: Iterable[Sentence]) -> list[str]:
    """List what the XML cannot express of a corpus."""
    counts = dict.fromkeys(
        (
            "alternative corrections are left out (the first is used)",
            "edits are joined with another of the same annotator with the same span",
            "edits lose their status or comment",
            "annotators without corrections in a sentence lose their name",
            "skipped lines are left out",
        ),
        0,
    )
    more, joined, lost, nameless, ignored = counts
    for sentence in sentences:
        with_edits = [annotation.annotator for annotation in sentence.annotations if annotation.edits]
        counts[nameless] += len({item.annotator for item in sentence.annotations} - set(_names(with_edits, len(sentence.annotations))))
        for annotation in sentence.annotations:
            counts[more] += sum(len(edit.corrections) - 1 for edit in annotation.edits)
            counts[lost] += sum((edit.status, edit.comment) != ("REQUIRED", "-NONE-") for edit in annotation.edits)
            counts[ignored] += len(annotation.ignored)
        for error in group_errors(sentence):
            counts[joined] += sum(len(alternative.edits) - len(alternative.replacements) for alternative in error)
    return [f"{what}: {count:,}" for what, count in counts.items() if count]


ERROR_LISTS = CorpusFormat("xml", _read_error_lists, _format_error_lists, _list_error_list_losses, keeps_documents=True)
