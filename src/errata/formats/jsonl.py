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
import re
from typing import TYPE_CHECKING, Any

from errata.corpus.corpus import Annotation, Edit, ErrorGroup, Sentence
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import FormatError, InputError, RequestError, pluralise
from errata.formats.annotation_warnings import list_warnings
from errata.formats.json_values import expect_integer, expect_list, expect_object, expect_string, parse_json
from errata.formats.lines import read_lines
from errata.formats.registry import CorpusFormat
from errata.formats.shared_texts import SharedTexts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from errata.formats.problems import Problems


_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""NUL as it is written in JSON."""
_DEFAULTS = {"type": "", "status": "REQUIRED", "comment": "-NONE-"}


def read_jsonl(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[Sentence]:
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
    tokens = share(_strings(record["tokens"], "tokens") if "tokens" in record else expect_string(record["text"], "text").split())
    if len(tokens) > max_tokens:
        raise InputError(f"{len(tokens):,} tokens, more than the limit of {max_tokens:,}; {RAISE_LIMIT}")
    for token in tokens:
        if token.split() != [token]:
            raise InputError(f"a token contains white space or is empty: {token!r:.60}")
    annotations = []
    for item in expect_list(record.get("annotations", []), "annotations"):
        annotation = _object(item, "an annotation", {"annotator", "edits", "ignored"})
        (name,) = share([expect_string(annotation.get("annotator"), "annotator")])
        edits: list[Edit] = []
        ignored = [_ignored(entry) for entry in expect_list(annotation.get("ignored", []), "ignored")]
        for entry in expect_list(annotation.get("edits", []), "edits"):
            edit = _edit(entry, len(tokens), line, problems, share)
            if isinstance(edit, Edit):
                edits.append(edit)
            else:
                ignored.append((len(edits), f"A {edit}|||{name}"))
        annotations.append(Annotation(name, tuple(edits), tuple(sorted(ignored, key=lambda item: item[0]))))
    names = [annotation.annotator for annotation in annotations]
    if len(names) != len(set(names)):
        raise InputError("an annotator occurs twice")
    return Sentence(tokens, tuple(annotations), expect_string(record.get("document", ""), "document"))


def _edit(data: Any, length: int, line: int, problems: Problems, share: SharedTexts) -> Edit | str:
    """Make an edit; if its offsets are impossible, the beginning of an M2 line."""
    record = _object(data, "an edit", {"start", "end", "corrections", "type", "status", "comment", "error"})
    start, end = expect_integer(record.get("start"), "start"), expect_integer(record.get("end"), "end")
    corrections = share(_strings(record.get("corrections"), "corrections"))
    type_, status, comment = share([expect_string(record.get(key, default), key) for key, default in _DEFAULTS.items()])
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
    return ErrorGroup(expect_string(record.get("id"), "the id of an error"), record["required"])


def _ignored(data: Any) -> tuple[int, str]:
    pair = expect_list(data, "an item of ignored")
    if len(pair) != len(("position", "line")):
        raise InputError(f"an item of ignored must be a position and a line, found {pluralise(len(pair), 'item')}")
    index, text = pair
    return expect_integer(index, "a position in ignored"), expect_string(text, "a line in ignored")


def _object(data: Any, what: str, keys: set[str]) -> dict[str, Any]:
    record = expect_object(data, what)
    if unknown := sorted(set(record) - keys):
        raise InputError(f"unknown key {unknown[0][:40]!r} in {what}; expected one of {', '.join(sorted(keys))}")
    return record


def _strings(data: Any, what: str) -> list[str]:
    return [expect_string(item, f"an item of {what}") for item in expect_list(data, what)]


def format_jsonl(sentences: Iterable[Sentence]) -> Iterator[str]:
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


JSONL = CorpusFormat("jsonl", read_jsonl, format_jsonl, keeps_documents=True)
