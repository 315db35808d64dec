"""N-best lists: what is read, and what is refused with its line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from errata.errors import ErrataError
from errata.formats.nbest import Candidates, read_candidates
from errata.formats.problems import Problems


def read(path: Path, content: str) -> list[Candidates]:
    path.write_text(content, encoding="utf-8")
    return read_candidates([str(path)], [Problems(path.name)])


def test_lists_of_decoders(tmp_path: Path) -> None:
    moses = "0 ||| a  b ||| lm: -1 d: 0 ||| -2.5\n0 ||| c ||| lm: -2 d: 0 ||| -3\n1 ||| d ||| lm: -3 ||| -1e-2\n"
    assert read(tmp_path / "moses.nbest", moses) == [Candidates(("a b", "c"), (-2.5, -3.0), None, 1), Candidates(("d",), (-0.01,), None, 3)]
    marian = "1 ||| a ||| F0= -1.5\n2 ||| b ||| F0= -2\n1 ||| \n"
    assert read(tmp_path / "marian.txt", marian) == [Candidates(("a", ""), None, None, 1), Candidates(("b",), (-2.0,), None, 2)]
    assert read(tmp_path / "plain", "0|||a|||no score\n") == [Candidates(("a",), None, None, 1)]


def test_json_lines(tmp_path: Path) -> None:
    rows = [{"source": "a  b", "candidates": ["a b", "c\nd"], "scores": [1, -0.5], "id": 3}, {"candidates": ["x"]}]
    wanted = [Candidates(("a b", "c d"), (1.0, -0.5), "a b", 1), Candidates(("x",), None, None, 2)]
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    assert read(tmp_path / "list.jsonl", text) == wanted
    packed = tmp_path / "list.jsonl.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert read_candidates([str(packed)], [Problems("list")]) == wanted


def test_texts(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.txt", "b.txt", "c.txt")]
    for path, text in zip(paths, ("a\nb\n", "c  d\n\n", "e\n"), strict=True):
        path.write_text(text)
    problems = [Problems(path.name) for path in paths]
    assert read_candidates([str(path) for path in paths[:2]], problems[:2]) == [
        Candidates(("a", "c d"), None, None, 1),
        Candidates(("b", ""), None, None, 2),
    ]
    with pytest.raises(ErrataError, match=r"c\.txt has too few lines: 1 for the 2 of .*a\.txt"):
        read_candidates([str(path) for path in paths], problems)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x", "a b\n", "x:1: expected a line of an n-best list, ID ||| TEXT ||| SCORES, found 'a b'"),
        ("x", "0 ||| a\nb ||| c\n", "x:2: expected a line of an n-best list"),
        ("x", "-1 ||| a\n", "x:1: expected a line of an n-best list"),
        ("x", f"{10**12} ||| a\n", "x:1: expected a line of an n-best list"),
        ("x", "2 ||| a\n", "x:1: ids must count sources from 0 or 1, found 2 as the first"),
        ("x", "0 ||| a\n2 ||| b\n", "x:2: expected a line with the id 1, found none before 2"),
        ("x", "0 ||| a ||| nan\n", "x:1: a score must be a finite number, found 'nan'"),
        ("x", "", "x: the file is empty"),
        ("x", f"0 ||| {'a ' * 5000}\n", "x:1: a text of 5,000 tokens, more than the limit of 4,000; raise it with --max-tokens"),
        ("x.jsonl", "\n", "x.jsonl:1: not JSON"),
        ("x.jsonl", "[]\n", "x.jsonl:1: a row must be an object, found list"),
        ("x.jsonl", '{"candidate": ["a"]}\n', "x.jsonl:1: expected the key 'candidates', found candidate; did you mean candidate?"),
        ("x.jsonl", '{"candidates": "a"}\n', "x.jsonl:1: candidates must be a list, found str"),
        ("x.jsonl", '{"candidates": []}\n', "x.jsonl:1: candidates must have at least one text, found none"),
        ("x.jsonl", '{"candidates": [1]}\n', "x.jsonl:1: a candidate must be a string, found int"),
        ("x.jsonl", '{"candidates": ["a"], "source": 1}\n', "x.jsonl:1: source must be a string, found int"),
        ("x.jsonl", '{"candidates": ["a"], "scores": [1, 2]}\n', "candidates and scores must have the same length, found 1 and 2"),
        ("x.jsonl", f'{{"candidates": ["a"], "scores": [{"9" * 309}]}}\n', "x.jsonl:1: "),
        ("x.jsonl", '{"candidates": ["a"], "scores": [true]}\n', "x.jsonl:1: a score must be a number, found bool"),
    ],
)
def test_bad_lists_are_named(tmp_path: Path, name: str, content: str, message: str) -> None:
    with pytest.raises(ErrataError) as caught:
        read(tmp_path / name, content)
    assert message in str(caught.value)
