"""Limits on input files: every reader keeps them."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import errata
from errata import FormatError, MismatchError, UsageError, limit_input
from errata.cli import main
from errata.formats import Limits, get_limits, read_nucle
from errata.formats.checking import check_file
from errata.formats.hoo_edits import read_edits
from errata.formats.lines import SharedTexts, open_bytes
from errata.formats.problems import AllProblems, Problems
from errata.language import read_graphs
from errata.language.tagging import FileTagger
from errata.studies.coverage import read_corrections
from errata.studies.detection.tables import read_cases
from errata.task import read_task

GOLD, EAGER = "examples/learner.m2", "examples/systems/eager.txt"

READERS: list[tuple[Callable[[str], object], str]] = [
    (errata.read, "x.m2"),
    (errata.read, "x.jsonl"),
    (errata.read, "x.xml"),
    (errata.read, "x.sgml"),
    (lambda path: errata.read(GOLD, documents=path), "x.documents"),
    (lambda path: errata.read(path, references=[EAGER]), "x.src"),
    (errata.read_system, "x.txt"),
    (read_cases, "x.csv"),
    (read_cases, "x.tsv"),
    (lambda path: read_cases(path, format="jsonl"), "x.cases.jsonl"),
    (read_corrections, "x.csv"),
    (read_graphs, "x.mrp"),
    (read_graphs, "x.conllu"),
    (read_graphs, "x.ucca.xml"),
    (lambda path: FileTagger([path]), "x.tags"),
    (lambda path: FileTagger([path]), "x.conll"),
    (lambda path: read_nucle([path]), "x.sgml"),
    (lambda path: list(read_edits(path, Problems(path))), "x.xml"),
    (read_task, "x.toml"),
]


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize(("reader", "name"), READERS)
def test_every_reader_keeps_the_limit_of_bytes(tmp_path: Path, reader: Callable[[str], object], name: str, *, packed: bool) -> None:
    """The limit is in one place, so a reader that opened a file in another way would not keep it."""
    path = tmp_path / name
    content = b" " * 100_000
    path.write_bytes(gzip.compress(content) if packed else content)
    when = " after decompression" if packed else ""
    with (
        limit_input(max_bytes=50_000),
        pytest.raises(FormatError, match=rf"{name}: more than 50,000 bytes{when}; raise it with --max-bytes \(limit_input\(max_bytes"),
    ):
        reader(str(path))


LINES: list[tuple[Callable[[str], object], str, str]] = [
    (errata.read, "x.m2", "S a\n\n"),
    (errata.read, "x.jsonl", '{"tokens": ["a"]}\n'),
    (errata.read_system, "x.txt", "a\n"),
    (lambda path: errata.read(path, references=[EAGER]), "x.src", "a\n"),
    (read_graphs, "x.conllu", "# a comment\n"),
    (read_graphs, "x.mrp", "\n"),
    (lambda path: FileTagger([path]), "x.tags", "a\tb\n"),
    (lambda path: read_nucle([path]), "x.sgml", "\n"),
]


@pytest.mark.parametrize(("reader", "name", "line"), LINES)
def test_every_reader_of_lines_keeps_the_limit_of_lines(tmp_path: Path, reader: Callable[[str], object], name: str, line: str) -> None:
    path = tmp_path / name
    path.write_text(line * 20)
    with limit_input(max_lines=10), pytest.raises(FormatError, match=rf"{name}:11: more than 10 lines; raise it with --max-lines"):
        reader(str(path))


def test_a_file_at_its_limits_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("a b\n" * 10)
    with limit_input(max_bytes=40, max_lines=10):
        assert len(errata.read_system(path)) == 10
    for limit in ({"max_bytes": 39}, {"max_lines": 9}):
        with limit_input(**limit), pytest.raises(FormatError, match="raise it with"):
            errata.read_system(path)


def test_limits_nest_and_are_restored() -> None:
    assert get_limits() == Limits() == Limits(max_bytes=1 << 30, max_lines=10_000_000, max_columns=1_000)
    with limit_input(max_bytes=1_000), limit_input(max_lines=2) as limits:
        assert limits == Limits(max_bytes=1_000, max_lines=2)
        with ThreadPoolExecutor() as pool:
            assert pool.submit(get_limits).result() == Limits()
    assert get_limits() == Limits()
    with pytest.raises(UsageError, match=r"max_lines must be a whole number from 1, found 0"), limit_input(max_lines=0):
        pass


def test_a_system_is_compared_with_the_gold_when_it_is_read(tmp_path: Path) -> None:
    gold = errata.read(GOLD)
    assert len(errata.read_system(EAGER, gold=gold)) == 72
    path = tmp_path / "x.txt"
    path.write_text("a\n" * 71)
    with pytest.raises(MismatchError, match=r"x.txt has too few lines: 71 for the 72 sentences of examples/learner.m2"):
        errata.read_system(path, gold=gold)
    assert len(check_file(str(path), "text", most=3)[0]) == 3


def test_equal_texts_are_stored_once(tmp_path: Path) -> None:
    text = tmp_path / "x.txt"
    text.write_text("word other\n" * 3)
    assert len({id(token) for tokens in errata.read_system(text).sentences for token in tokens}) == 2
    gold = tmp_path / "x.m2"
    gold.write_text("S word other\nA 0 1|||Type|||some word|||REQUIRED|||-NONE-|||me\n\n" * 3)
    corpora = [errata.read(gold)]
    errata.write(corpora[0], tmp_path / "x.jsonl")
    corpora.append(errata.read(tmp_path / "x.jsonl"))
    for corpus in corpora:
        edits = [edit for sentence in corpus for edit in sentence.annotations[0].edits]
        for texts in (
            [token for sentence in corpus for token in sentence.tokens],
            [sentence.annotations[0].annotator for sentence in corpus],
            [edit.corrections[0] for edit in edits],
            [edit.type for edit in edits],
        ):
            assert len({id(text) for text in texts}) == len(set(texts))


def test_few_of_many_different_texts_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.formats.lines._MOST_SHARED", 2)
    share = SharedTexts()
    assert share(["aa", "bb"]) == ("aa", "bb")
    assert share(["cc", "bb"]) == share(["cc", "bb"]) == ("cc", "bb")
    assert share._known == {"aa": "aa", "bb": "bb"}


def test_standard_input_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    stdin = io.BytesIO(b"a\nb\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(stdin)))
    with open_bytes("-") as file:
        assert file.readline() == b"a\n"
    del file
    assert not stdin.closed


def test_kinds_of_problems_are_bounded() -> None:
    problems = AllProblems("x")
    for number in range(3_000):
        problems.error(number + 1, f"a message without quotes, {''.join(chr(97 + int(digit)) for digit in str(number))}")
        problems.warning(number + 1, f'found "it\'s {chr(97 + number % 26)}"')
        problems.odd_spacing(number + 1)
    found = problems.found
    assert len(found) < 4_200
    assert any(problem.message == "1,001 more like this: other problems" for problem in found)
    assert any(problem.message == "2,000 more like this: found …" for problem in found)
    assert (1, "tokens are not separated by single spaces in 3,000 lines, of which this is the first (accepted)") in [
        (problem.line, problem.message) for problem in found
    ]


def test_long_spans_are_compared_only_with_texts_of_their_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    original = errata.Sentence.original

    def counting(sentence: errata.Sentence, edit: errata.Edit) -> str:
        compared.append(edit)
        return original(sentence, edit)

    monkeypatch.setattr(errata.Sentence, "original", counting)
    path = tmp_path / "x.m2"
    edits = ["A 0 100|||X|||b|||REQUIRED|||-NONE-|||0\n"] * 50 + [
        f"A 0 2|||X|||c||{text}|||REQUIRED|||-NONE-|||1\n" for text in ("a a", "a b", "")
    ]
    path.write_text(f"S {'a ' * 100}\n{''.join(edits)}A 1 1|||X||||||REQUIRED|||-NONE-|||2\n")
    _, problems = check_file(str(path))
    assert [problem.line for problem in problems if problem.message == "an edit that changes nothing"] == [52, 55]
    assert len(compared) == 3


def test_a_sentence_of_tags_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "x.tags"
    path.write_text("a\tDT\n" * 5 + "\n" + "b\tNN\n")
    assert FileTagger([str(path)], max_tokens=5).tag([("b",)]) == [("NN",)]
    with pytest.raises(FormatError, match=r"x.tags:5: more than 4 tokens in a sentence; raise it with --max-tokens"):
        FileTagger([str(path)], max_tokens=4)


def test_elements_of_xml_are_limited_like_lines(tmp_path: Path) -> None:
    errata.write(errata.read("examples/learner.m2"), tmp_path / "g.xml")
    with limit_input(max_lines=100), pytest.raises(FormatError, match="more than 100 elements; raise it with --max-lines"):
        errata.read(tmp_path / "g.xml")


@pytest.mark.parametrize(("name", "content"), [("t.csv", "error,flagged\n1,{}\n"), ("t.jsonl", '{{"error": 1, "flagged": "{}"}}\n')])
def test_values_of_tables_are_limited(tmp_path: Path, name: str, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    path.write_text(content.format("1" * 3_000_000))
    assert main(["detect", str(path)]) == 2
    assert "raise it with --max-field" in capsys.readouterr().err
    assert main(["detect", str(path), "--max-field", "4M"]) == 2
    assert "--max-field" not in capsys.readouterr().err
