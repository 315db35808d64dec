"""JSON Lines: one object per sentence, with everything in a corpus.

::

    {
        "tokens": ["The", "cat", "sit", "."],
        "annotations": [{"annotator": "0", "edits": [{"start": 2, "end": 3, "corrections": ["sits"], "type": "SVA"}]}],
    }

``"error": {"id": "1", "required": true}`` in an edit names its error, ``"document"`` in a sentence its document.
``type``, ``status``, ``comment`` and ``error`` are optional; ``text`` may replace ``tokens`` and is split at white space.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, TypeVar

from errata.corpus.corpus import Annotation, Edit, ErrorGroup, Sentence
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import FormatError, InputError, RequestError, pluralise
from errata.formats.lines import SharedTexts, read_lines
from errata.formats.problems import list_warnings
from errata.formats.registry import CorpusFormat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from errata.formats.problems import Problems


# Values of untrusted JSON files: parsed without silence about what is not JSON or said twice, and checked for their types.

_MOST_LEVELS = 64
"""Lists and objects inside each other; all formats need fewer than ten."""
_MOST_DIGITS = 309
"""Digits of a whole number, as many as the largest floating-point number has."""
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def parse_json(text: str) -> Any:
    """Parse JSON; raise :class:`InputError` if it is not JSON, too deep, or has a key twice.

    >>> parse_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ...
    errata.errors.InputError: the key 'a' occurs twice
    """
    _check_depth(text)
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg} at column {error.colno}") from None


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) == len(pairs):
        return record
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise InputError(f"the key {key[:40]!r} occurs twice")
        seen.add(key)
    return record


def _no_constant(name: str) -> None:
    raise InputError(f"{name} is not a JSON value")


def _parse_integer(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise InputError(f"a number of {len(text):,} digits, more than the limit of {_MOST_DIGITS:,}")
    return int(text)


def _parse_float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise InputError(f"the number {text[:40]} is too large")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=_without_repeats, parse_constant=_no_constant, parse_int=_parse_integer, parse_float=_parse_float
)


def _check_depth(text: str) -> None:
    """Refuse what is nested too deeply, for the parser and for whatever walks over the values."""
    if text.count("[") + text.count("{") <= _MOST_LEVELS:
        return
    brackets = text.encode("utf-8", "replace").translate(None, _NOT_BRACKETS)
    for _ in range(_MOST_LEVELS):  # each round removes the innermost level
        if not brackets:
            return
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    depth = 0  # brackets are left; some may be inside strings
    for match in _STRING_OR_BRACKET.finditer(text):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if depth > _MOST_LEVELS:
            raise InputError(f"more than {_MOST_LEVELS} lists and objects inside each other, at column {match.start() + 1}")


_T = TypeVar("_T", dict[str, Any], list[Any], str, int)
_NAMES = {dict: "an object", list: "a list", str: "a string", int: "a whole number"}


def expect(kind: type[_T], data: Any, what: str) -> _T:
    """Return the value if it is an object, a list, a whole number, or a string without unpaired surrogates and NUL."""
    if not isinstance(data, kind) or (kind is int and isinstance(data, bool)):
        raise InputError(f"{what} must be {_NAMES[kind]}, found {type(data).__name__}")
    if isinstance(data, str):
        if not data.isascii() and any("\ud800" <= character <= "\udfff" for character in data):
            raise InputError(f"{what} has an unpaired surrogate, which is not a character: {data!r:.60}")
        if "\0" in data:
            raise InputError(f"{what} has a NUL, which is not text: {data!r:.60}")
    return data


_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""NUL as it is written in JSON."""
_DEFAULTS = {"type": "", "status": "REQUIRED", "comment": "-NONE-"}


def _read_jsonl(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[Sentence]:
    """Yield the sentences of a JSON Lines file."""
    share = SharedTexts()
    for line in read_lines(path, problems, max_tokens):
        if not line.text.strip():
            problems.warning(line.number, "an empty line (skipped)")
            continue
        try:
            sentence = _sentence(parse_json(line.text), line.number, problems, max_tokens, share)
        except FormatError:
            raise
        except InputError as error:
            problems.error(line.number, str(error))
            continue
        if problems.wants_warnings:
            list_warnings(sentence, line.number, problems)
        yield sentence


def _sentence(data: Any, line: int, problems: Problems, max_tokens: int, share: SharedTexts) -> Sentence:
    record = _object(data, "a sentence", {"tokens", "text", "annotations", "document"})
    if ("tokens" in record) == ("text" in record):
        raise InputError("a sentence must have either tokens or text")
    tokens = share(_strings(record["tokens"], "tokens") if "tokens" in record else expect(str, record["text"], "text").split())
    if len(tokens) > max_tokens:
        raise InputError(f"{len(tokens):,} tokens, more than the limit of {max_tokens:,}; {RAISE_LIMIT}")
    for token in tokens:
        if token.split() != [token]:
            raise InputError(f"a token contains white space or is empty: {token!r:.60}")
    annotations = []
    for item in expect(list, record.get("annotations", []), "annotations"):
        annotation = _object(item, "an annotation", {"annotator", "edits", "ignored"})
        (name,) = share([expect(str, annotation.get("annotator"), "annotator")])
        edits: list[Edit] = []
        ignored = [_ignored(entry) for entry in expect(list, annotation.get("ignored", []), "ignored")]
        for entry in expect(list, annotation.get("edits", []), "edits"):
            edit = _edit(entry, len(tokens), line, problems, share)
            if isinstance(edit, Edit):
                edits.append(edit)
            else:
                ignored.append((len(edits), f"A {edit}|||{name}"))
        annotations.append(Annotation(name, tuple(edits), tuple(sorted(ignored, key=lambda item: item[0]))))
    names = [annotation.annotator for annotation in annotations]
    if len(names) != len(set(names)):
        raise InputError("an annotator occurs twice")
    return Sentence(tokens, tuple(annotations), expect(str, record.get("document", ""), "document"))


def _edit(data: Any, length: int, line: int, problems: Problems, share: SharedTexts) -> Edit | str:
    """Make an edit; if its offsets are impossible, the beginning of an M2 line."""
    record = _object(data, "an edit", {"start", "end", "corrections", "type", "status", "comment", "error"})
    start, end = expect(int, record.get("start"), "start"), expect(int, record.get("end"), "end")
    corrections = share(_strings(record.get("corrections"), "corrections"))
    type_, status, comment = share([expect(str, record.get(key, default), key) for key, default in _DEFAULTS.items()])
    if 0 <= start <= end <= length:
        return Edit(start, end, corrections, type_, status, comment, _error_group(record.get("error")))
    what = "are reversed" if start > end else f"lie outside the sentence of {pluralise(length, 'token')}"
    problems.bad_offsets(line, f"offsets {start} {end} {what}")
    return f"{start} {end}|||{type_}|||{'||'.join(corrections)}|||{status}|||{comment}"


def _error_group(data: Any) -> ErrorGroup | None:
    if data is None:
        return None
    record = _object(data, "error", {"id", "required"})
    if not isinstance(record.get("required"), bool):
        raise InputError(f"required must be true or false, found {type(record.get('required')).__name__}")
    return ErrorGroup(expect(str, record.get("id"), "the id of an error"), record["required"])


def _ignored(data: Any) -> tuple[int, str]:
    pair = expect(list, data, "an item of ignored")
    if len(pair) != len(("position", "line")):
        raise InputError(f"an item of ignored must be a position and a line, found {pluralise(len(pair), 'item')}")
    index, text = pair
    return expect(int, index, "a position in ignored"), expect(str, text, "a line in ignored")


def _object(data: Any, what: str, keys: set[str]) -> dict[str, Any]:
    record = expect(dict, data, what)
    if unknown := sorted(set(record) - keys):
        raise InputError(f"unknown key {unknown[0][:40]!r} in {what}; expected one of {', '.join(sorted(keys))}")
    return record


def _strings(data: Any, what: str) -> list[str]:
    return [expect(str, item, f"an item of {what}") for item in expect(list, data, what)]


def _format_jsonl(sentences: Iterable[Sentence]) -> Iterator[str]:
    """Yield the lines of a JSON Lines file, without line ends."""
    for sentence in sentences:
        if sentence.text.split() != list(sentence.tokens):
            raise RequestError(f"a token is empty or contains white space, in {sentence.text[:40]!r}")
        record: dict[str, Any] = {"tokens": sentence.tokens, "annotations": [_annotation_record(item) for item in sentence.annotations]}
        if sentence.document:
            record["document"] = sentence.document
        line = json.dumps(record, ensure_ascii=False)
        if _NUL.search(line):
            raise RequestError(f"a text contains NUL, which is not text, in {sentence.text[:40]!r}")
        yield line


def _annotation_record(annotation: Annotation) -> dict[str, Any]:
    edits = [
        {
            "start": edit.start,
            "end": edit.end,
            "corrections": edit.corrections,
            "type": edit.type,
            "status": edit.status,
            "comment": edit.comment,
            **({"error": edit.error._asdict()} if edit.error is not None else {}),
        }
        for edit in annotation.edits
    ]
    record: dict[str, Any] = {"annotator": annotation.annotator, "edits": edits}
    if annotation.ignored:
        record["ignored"] = annotation.ignored
    return record


JSONL = CorpusFormat("jsonl", _read_jsonl, _format_jsonl, keeps_documents=True)
