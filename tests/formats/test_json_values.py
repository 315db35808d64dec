"""JSON of strangers: every reader refuses what is not JSON, too deep, said twice, or not text."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import errata
from errata import FormatError, InputError
from errata.formats.jsonl import _MOST_LEVELS, parse_json
from errata.language import read_graphs
from errata.studies.coverage import read_corrections
from errata.studies.detection.tables import read_cases

READERS: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "corpus": (errata.read, "x.jsonl", '{"text": "a"%s}'),
    "cases": (read_cases, "x.jsonl", '{"error": 1, "flagged": 1%s}'),
    "corrections": (read_corrections, "x.jsonl", '{"sentence": "1", "correction": "b"%s}'),
    "graphs": (read_graphs, "x.mrp", '{"id": "1", "framework": "ucca", "input": "a"%s}'),
}


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize(
    ("more", "message"),
    [
        (', "x": 1, "x": 2', "the key 'x' occurs twice"),
        (', "x": {"y": 1, "y": 1}', "the key 'y' occurs twice"),
        (', "x": NaN', "NaN is not a JSON value"),
        (', "x": -Infinity', "-Infinity is not a JSON value"),
        (', "x": 1e999', "the number 1e999 is too large"),
        (f', "x": {"1" * 5000}', "a number of 5,000 digits, more than the limit of 309"),
        (f', "x": {nested(5000)}', "more than 64 lists and objects inside each other"),
        (f', "x": {nested(64)}', "more than 64 lists and objects inside each other"),
        (', "x": ', "not JSON: Expecting value at column "),
    ],
)
def test_every_reader_refuses_the_same(tmp_path: Path, kind: str, more: str, message: str) -> None:
    reader, name, record = READERS[kind]
    path = tmp_path / name
    path.write_text(f"{record % ''}\n\n{record % more}\n")
    with pytest.raises(FormatError) as caught:
        reader(path)
    assert str(caught.value).startswith(f"{path}:3: {message}")


@pytest.mark.parametrize(
    ("kind", "key"),
    [("corpus", "text"), ("cases", "error"), ("corrections", "correction"), ("corrections", "sentence"), ("graphs", "input")],
)
@pytest.mark.parametrize(("text", "message"), [("\0", "a NUL"), ("\ud800", "an unpaired surrogate")])
def test_every_reader_refuses_what_is_not_text(tmp_path: Path, kind: str, key: str, text: str, message: str) -> None:
    reader, name, record = READERS[kind]
    path = tmp_path / name
    path.write_text(f"{json.dumps({**json.loads(record % ''), key: f'a{text}b'})}\n")
    with pytest.raises(FormatError, match=f"{name}:1: .*{message}"):
        reader(path)
    assert parse_json(r'"\\u0000"') == r"\u0000"


def test_depth_is_that_of_brackets_outside_strings() -> None:
    assert parse_json(nested(_MOST_LEVELS)) == json.loads(nested(_MOST_LEVELS))
    many = json.dumps([{"a": ["[{" * 100, r"\"[[" * 100, [[]] * 100]}] * 100)
    assert parse_json(many) == json.loads(many)
    with pytest.raises(InputError, match="inside each other, at column 68"):
        parse_json('"["'.join("[[") + "[" * 70)
    with pytest.raises(InputError, match="inside each other"):
        parse_json('["]]]]]]",' * 70)


def test_what_cannot_be_read_is_not_written(tmp_path: Path) -> None:
    corpus = errata.Corpus((errata.Sentence(("a\0b",)),))
    with pytest.raises(errata.RequestError, match="a text contains NUL"):
        errata.write(corpus, tmp_path / "x.jsonl")
    errata.write(errata.Corpus((errata.Sentence((r"a\u0000b",)),)), tmp_path / "y.jsonl")
    assert errata.read(tmp_path / "y.jsonl")[0].tokens == (r"a\u0000b",)
