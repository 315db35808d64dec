"""Tokens labelled as correct or incorrect, one per line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from errata import InputError
from errata.formats.labelled_tokens import is_labelled_tokens, read_labelled_tokens


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    "text",
    [
        "I\tc\nsaws\ti\n\nHello\tc\n",
        "I c\nsaws i\n\nHello c",
        "\ufeffI\tc\r\nsaws\ti\r\n\r\nHello\tc\r\n\r\n",
        "\n\nI\tc\nsaws\ti\n\n \t\n\nHello\tc\n\n\n",
        "I\tPRP\tc\nsaws\tVBZ\ti\n\nHello\tUH\tc\n",
        "I   c\nsaws \t i  \n\nHello\tc\n".replace("\t", " "),
    ],
)
def test_sentences(tmp_path: Path, text: str) -> None:
    sentences = list(read_labelled_tokens(write(tmp_path / "x.tsv", text)))
    assert [sentence.tokens for sentence in sentences] == [("I", "saws"), ("Hello",)]
    assert [sentence.incorrect for sentence in sentences] == [[False, True], [False]]
    assert [sentence.probabilities for sentence in sentences] == [[None, None], [None]]


def test_probabilities(tmp_path: Path) -> None:
    (behind,) = read_labelled_tokens(write(tmp_path / "x.tsv", "I\tc\t0.1\nsaws\ti\t1e-1\n"))
    assert (behind.incorrect, behind.probabilities) == ([False, True], [0.1, 0.1])
    (both,) = read_labelled_tokens(write(tmp_path / "y.tsv", "I\tc\tc:0.9\ti:0.1\nsaws\ti\tc:0.2\ti:0.8\n"))
    assert (both.incorrect, both.probabilities) == ([None, None], [0.1, 0.8])


def test_tokens_may_contain_blanks_and_quotes(tmp_path: Path) -> None:
    (sentence,) = read_labelled_tokens(write(tmp_path / "x.tsv", '"\tc\n1 000\ti\n\u00a0\u00a0x\tc\n'))
    assert sentence.tokens == ('"', "1 000", "\u00a0\u00a0x")


def test_compressed(tmp_path: Path) -> None:
    (tmp_path / "x.tsv.gz").write_bytes(gzip.compress(b"I\tc\n"))
    assert is_labelled_tokens(str(tmp_path / "x.tsv.gz"))
    assert len(list(read_labelled_tokens(str(tmp_path / "x.tsv.gz")))) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.tsv: the file is empty"),
        ("I\n", "x.tsv:1: expected a token and the label c or i, found 'I'"),
        ("I\tc\nsaws\n", "x.tsv:2: expected 2 columns, found 1"),
        ("I\tc\n\nsaws\tO\n", "x.tsv:3: expected the label c or i, found 'O'"),
        ("token\tlabel\n", "x.tsv:1: expected the label c or i, found 'label'"),
        ("I\tC\n", "x.tsv:1: expected the label c or i, found 'C'"),
        ("I\tc\n\ti\n", "x.tsv:2: expected a token, found none"),
        ("I\tc\t0.1\nsaws\ti\t1.1\n", "x.tsv:2: expected a probability from 0 to 1, found '1.1'"),
        ("I\tc\t0.1\nsaws\ti\tnan\n", "x.tsv:2: expected a probability from 0 to 1, found 'nan'"),
        ("I\tc\t0.1\nsaws\t0.2\ti\n", "x.tsv:2: expected the label c or i, found '0.2'"),
        ("I\tc:0.9\ti:0.1\nsaws\tc:0.9\tx:0.1\n", "x.tsv:2: expected probabilities such as c:0.9 and i:0.1, found 'c:0.9 x:0.1'"),
        ("I\tc:-3.1\ti:0.1\n", "x.tsv:1: expected a probability from 0 to 1, found '-3.1'"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(read_labelled_tokens(write(tmp_path / "x.tsv", text)))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I\tc\nsaws\ti\n", True),
        ("token\tlabel\nI\tc\nsaws\ti\n", True),
        ("I c 0.1\n\nsaws i 0.4\n", True),
        ("", False),
        ("\n\n", False),
        ("S a b c\nA 0 1|||X|||y|||REQUIRED|||-NONE-|||0\n", False),
        ("This is a sentence .\nAnd this is c\nNo .\n", False),
        ("error,flagged\n1,1\n", False),
    ],
)
def test_recognition(tmp_path: Path, text: str, expected: bool) -> None:  # noqa: FBT001 - a parameter of the test
    assert is_labelled_tokens(write(tmp_path / "x.tsv", text)) is expected


def test_what_is_no_file_is_not_recognised(tmp_path: Path) -> None:
    assert not is_labelled_tokens("-")
    assert not is_labelled_tokens(str(tmp_path))
    assert not is_labelled_tokens(str(tmp_path / "none.tsv"))
    (tmp_path / "large.tsv").write_text("token\tc\n" * 20_000)
    assert is_labelled_tokens(str(tmp_path / "large.tsv"))
