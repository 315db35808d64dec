"""Candidates of sources: n-best lists of decoders, JSON Lines, or several texts with one candidate for each sentence.

A line of an n-best list is ``ID ||| TEXT`` or ``ID ||| TEXT ||| ... ||| SCORE``, as Moses, Marian and others write it.
Ids count sources from 0 or 1, and the lines of a source may be anywhere.
A line of JSON Lines is the list of a source: its ``candidates``, and perhaps its ``source`` and the ``scores`` of the candidates.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus.corpus import take_at_most
from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.errors import FormatError, InputError, MismatchError, suggest
from errata.formats.jsonl import expect, parse_json
from errata.formats.lines import display_path, get_file_name, read_lines, read_text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.formats.lines import Line
    from errata.formats.problems import Problems

_BAR = "|||"


class Candidates(NamedTuple):
    """The candidates of one source."""

    texts: tuple[str, ...]
    scores: tuple[float, ...] | None
    source: str | None
    line: int
    """Where they begin in their file."""


def read_candidates(paths: Sequence[str], problems: Sequence[Problems], max_tokens: int = DEFAULT_MAX_TOKENS) -> list[Candidates]:
    """Read one file of lists, or several texts; ``problems`` has one item per file."""
    return _read_nbest(paths[0], problems[0], max_tokens) if len(paths) == 1 else _read_texts(paths, problems, max_tokens)


def _read_nbest(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> list[Candidates]:
    """Read an n-best list, or JSON Lines if the extension says so."""
    extension = get_file_name(path).removesuffix(".gz").rpartition(".")[2].lower()
    lines = read_lines(path, problems, max_tokens * 100, "")
    if extension in {"jsonl", "ndjson"}:
        return [_parse_object(line, problems, max_tokens) for line in lines]
    return _collect(lines, problems, max_tokens)


def _read_texts(paths: Sequence[str], problems: Sequence[Problems], max_tokens: int = DEFAULT_MAX_TOKENS) -> list[Candidates]:
    """Read texts of the same length, whose lines are candidates of the same source."""
    columns: list[list[str]] = []
    for path, own in zip(paths, problems, strict=True):
        texts = (" ".join(line.tokens) for line in read_text_lines(path, own, max_tokens))
        if not columns:
            columns.append(list(texts))
            continue
        whole = f"{len(columns[0]):,} of {display_path(paths[0])}"
        columns.append(take_at_most(texts, len(columns[0]), display_path(path), whole))
        if len(columns[-1]) < len(columns[0]):
            raise MismatchError(f"{display_path(path)} has too few lines: {len(columns[-1]):,} for the {whole}")
    return [Candidates(texts, None, None, number) for number, texts in enumerate(zip(*columns, strict=True), start=1)]


def _collect(lines: Iterator[Line], problems: Problems, max_tokens: int) -> list[Candidates]:
    """Collect the candidates of each id."""
    found: dict[int, tuple[int, list[str], list[float | None]]] = {}
    for line in lines:
        number, text, score = _parse_line(line, problems.path)
        _check_tokens(text, line, problems.path, max_tokens)
        _, texts, scores = found.setdefault(number, (line.number, [], []))
        texts.append(text)
        scores.append(score)
    first = min(found, default=0)
    if first > 1:
        raise FormatError(problems.path, found[first][0], f"ids must count sources from 0 or 1, found {first:,} as the first")
    for expected, number in enumerate(sorted(found), start=first):
        if number != expected:
            raise FormatError(problems.path, found[number][0], f"expected a line with the id {expected:,}, found none before {number:,}")
    return [
        Candidates(tuple(texts), tuple(score for score in scores if score is not None) if None not in scores else None, None, line)
        for _, (line, texts, scores) in sorted(found.items())
    ]


def _parse_line(line: Line, path: str) -> tuple[int, str, float | None]:
    """Parse a line of an n-best list: id, text and score, which is the last number."""
    fields = line.text.split(_BAR)
    number = fields[0].strip()
    if len(fields) == 1 or not (number.isascii() and number.isdigit()) or len(number) > len("1000000000"):
        shown = f"{line.text!r:.60}"
        raise FormatError(path, line.number, f"expected a line of an n-best list, ID {_BAR} TEXT {_BAR} SCORES, found {shown}")
    words = fields[-1].split() if len(fields) > len(("id", "text")) else []
    try:
        score = float(words[-1]) if words else None
    except ValueError:
        score = None
    if score is not None and not math.isfinite(score):
        raise FormatError(path, line.number, f"a score must be a finite number, found {words[-1][:40]!r}")
    return int(number), " ".join(fields[1].split()), score


def _parse_object(line: Line, problems: Problems, max_tokens: int) -> Candidates:
    """Parse a line of JSON Lines."""
    try:
        record = expect(dict, parse_json(line.text), "a row")
        texts = _parse_texts(record)
        scores = None if record.get("scores") is None else _parse_scores(record["scores"], len(texts))
        source = None if record.get("source") is None else " ".join(expect(str, record["source"], "source").split())
    except InputError as error:
        raise FormatError(problems.path, line.number, str(error)) from None
    for text in (*texts, source or ""):
        _check_tokens(text, line, problems.path, max_tokens)
    return Candidates(texts, scores, source, line.number)


def _parse_texts(record: dict[str, Any]) -> tuple[str, ...]:
    if "candidates" not in record:
        found = ", ".join(list(record)[:10]) or "none"
        raise InputError(f"expected the key 'candidates', found {found[:100]}{suggest('candidates', list(record))}")
    texts = tuple(" ".join(expect(str, text, "a candidate").split()) for text in expect(list, record["candidates"], "candidates"))
    if not texts:
        raise InputError("candidates must have at least one text, found none")
    return texts


def _parse_scores(data: Any, count: int) -> tuple[float, ...]:
    scores = expect(list, data, "scores")
    if len(scores) != count:
        raise InputError(f"candidates and scores must have the same length, found {count:,} and {len(scores):,}")
    for score in scores:
        if isinstance(score, bool) or not isinstance(score, (int, float)):
            raise InputError(f"a score must be a number, found {type(score).__name__}")
    try:
        return tuple(map(float, scores))
    except OverflowError:
        raise InputError("a score is too large") from None


def _check_tokens(text: str, line: Line, path: str, max_tokens: int) -> None:
    count = text.count(" ") + 1
    if count > max_tokens:
        raise FormatError(
            path, line.number, f"a text of {count:,} tokens, more than the limit of {max_tokens:,}; raise it with --max-tokens"
        )
