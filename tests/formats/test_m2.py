from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from errata import Annotation, Corpus, Edit, FormatError, InputWarning, RequestError, Sentence, read, score, write
from errata.formats.checking import check_file
from errata.formats.m2 import format_m2

from strategies import corpora, nasty_corpora
from thoroughness import often

GOOD = """\
S The cat sit on mat .
A 2 3|||SVA|||sits||sat|||REQUIRED|||-NONE-|||0
A 4 4|||ArtOrDet|||the|||OPTIONAL|||a note|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Fine .

"""


def written(folder: Path, text: str | bytes, name: str = "gold.m2") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_reading(tmp_path: Path) -> None:
    corpus = read(written(tmp_path, GOOD))
    assert corpus.sentences == (
        Sentence(
            ("The", "cat", "sit", "on", "mat", "."),
            (
                Annotation("0", (Edit(2, 3, ("sits", "sat"), "SVA"), Edit(4, 4, ("the",), "ArtOrDet", "OPTIONAL", "a note"))),
                Annotation("1"),
            ),
        ),
        Sentence(("Fine", ".")),
    )
    assert corpus.name == "gold.m2"
    assert not corpus[0].annotations[0].edits[1].required


def test_example_corpus_round_trips_byte_for_byte(tmp_path: Path) -> None:
    write(read("examples/learner.m2"), tmp_path / "again.m2")
    assert (tmp_path / "again.m2").read_bytes() == Path("examples/learner.m2").read_bytes()


@pytest.mark.realdata
def test_every_gold_file_round_trips_byte_for_byte(data: Path, tmp_path: Path) -> None:
    paths = sorted(data.rglob("*.m2"))
    assert len(paths) >= 18
    for path in paths:
        write(read(path, lenient=True, warn=lambda _: None), tmp_path / "again.m2")
        assert (tmp_path / "again.m2").read_bytes() == path.read_bytes(), path


@given(corpora)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_corpus_round_trips(tmp_path: Path, corpus: Corpus) -> None:
    write(corpus, tmp_path / "x.m2")
    assert read(tmp_path / "x.m2").sentences == corpus.sentences


@given(nasty_corpora())
@settings(max_examples=often(200, 70), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_written_reads_back_the_same_and_the_rest_is_refused(tmp_path: Path, corpus: Corpus) -> None:
    for name in ("x.m2", "x.jsonl"):
        try:
            write(corpus, tmp_path / name)
        except RequestError:
            continue
        assert read(tmp_path / name, lenient=True, warn=lambda _: None).sentences == corpus.sentences


@pytest.mark.parametrize(
    "line", ["S injected", "A 0 1|||X|||y|||R|||-|||0", "A 0 9|||X|||y|||R|||-|||1", "A 0 9|||X", "A 9 9|||noop|||y|||R|||-|||0"]
)
def test_an_ignored_line_must_be_one_that_is_ignored_again(line: str) -> None:
    corpus = Corpus((Sentence(("a",), (Annotation("0", (), ((0, line),)),)),))
    with pytest.raises(RequestError, match="skipped line"):
        list(format_m2(corpus))


def test_crlf_bom_and_missing_end_are_accepted(tmp_path: Path) -> None:
    expected = read(written(tmp_path, GOOD)).sentences
    variant = b"\xef\xbb\xbf" + GOOD.rstrip("\n").replace("\n", "\r\n").encode()
    assert read(written(tmp_path, variant)).sentences == expected


def test_lines_end_at_line_feeds_only(tmp_path: Path) -> None:
    corpus = read(written(tmp_path, "S a\u2028b \x85c\x1cd\x0be\n\nS f\n\n"))
    assert len(corpus) == 2
    assert corpus[1].text == "f"


def test_none_and_empty_both_delete(tmp_path: Path) -> None:
    text = "S a b\nA 0 1|||X|||-NONE-|||REQUIRED|||-NONE-|||0\nA 1 2|||X||||||REQUIRED|||-NONE-|||0\n"
    assert [edit.corrections for edit in read(written(tmp_path, text))[0].annotations[0].edits] == [("",), ("",)]


def test_deletion_among_alternatives_round_trips(tmp_path: Path) -> None:
    corpus = Corpus((Sentence.of("a", [Edit(0, 1, ("b", ""), "X")]),))
    assert "A 0 1|||X|||b||-NONE-|||REQUIRED|||-NONE-|||0" in list(format_m2(corpus))
    write(corpus, tmp_path / "x.m2")
    assert read(tmp_path / "x.m2").sentences == corpus.sentences


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("A 0 1|||X|||y", "gold.m2:2: an A line must have 6 fields separated by |||, found 3"),
        ("A a 1|||X|||y|||R|||-|||0", "gold.m2:2: expected two whole numbers as offsets, found 'a 1'"),
        ("A 1|||X|||y|||R|||-|||0", "gold.m2:2: expected two whole numbers as offsets, found '1'"),
        ("A 2 1|||X|||y|||R|||-|||0", "gold.m2:2: offsets 2 1 are reversed"),
        ("A 1 3|||X|||y|||R|||-|||0", "gold.m2:2: offsets 1 3 lie outside the sentence of 2 tokens"),
        ("A -2 1|||X|||y|||R|||-|||0", "gold.m2:2: offsets -2 1 lie outside the sentence of 2 tokens"),
        ("A 0 1|||X|||y|||R|||-|||", "gold.m2:2: the sixth field (annotator) is empty"),
        ("B 0 1", "gold.m2:2: expected a line that starts with 'S ' or 'A ', found 'B 0 1'"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(written(tmp_path, f"S a b\n{line}\n"))
    assert message in str(caught.value)


def test_an_annotation_needs_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"gold.m2:1: an A line before the first S line"):
        read(written(tmp_path, "A 0 1|||X|||y|||R|||-|||0\n"))


@pytest.mark.parametrize("offsets", ["a 1", "2 1", "1 3"])
def test_lenient_ignores_impossible_offsets_but_writes_them_back(tmp_path: Path, offsets: str) -> None:
    text = f"S a b\nA 0 1|||X|||y|||REQUIRED|||-NONE-|||0\nA {offsets}|||X|||y|||R|||-|||0\nA 1 2|||X|||z|||REQUIRED|||-NONE-|||0\n\n"
    with pytest.warns(InputWarning, match=r"gold.m2:3: skipped: .*offsets"):
        corpus = read(written(tmp_path, text), lenient=True)
    assert [edit.start for edit in corpus[0].annotations[0].edits] == [0, 1]
    assert score(corpus, ["y z"]).counts == (2, 2, 2)
    assert "".join(f"{line}\n" for line in format_m2(corpus)) == text


def test_an_annotator_whose_only_line_is_ignored_still_exists(tmp_path: Path) -> None:
    with pytest.warns(InputWarning):
        corpus = read(written(tmp_path, "S a b\nA 1 3|||X|||y|||R|||-|||1\n"), lenient=True)
    assert corpus[0].annotations[0].annotator == "1"


@pytest.mark.parametrize("text", ["a|||b", "a||b", "a\nb", "a|"])
def test_what_m2_cannot_express_is_refused(text: str) -> None:
    sentence = Sentence.of("a", [Edit(0, 1, (text,), "X")])
    with pytest.raises(RequestError, match="M2 cannot express"):
        list(format_m2([sentence]))


def test_a_token_with_white_space_is_refused() -> None:
    with pytest.raises(RequestError, match="M2 cannot express a token"):
        list(format_m2([Sentence(("a b",))]))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (GOOD.replace("\n", "\r"), 1),
        ("S a\n\nS b\rA 0 1|||X|||y|||R|||-|||0\n", 3),
        ("S a\nA 0 1|||X|||y|||R|||-|||0\rS b\n", 2),
        ("S a\nA 0 1|||X|||y|||R|||-|||0\r\rS b\n", 2),
        ("S a\r\r\n", 1),
    ],
)
def test_carriage_returns_that_end_lines_are_refused(tmp_path: Path, text: str, line: int) -> None:
    """Else annotations would be tokens of their sentence, and sentences names of annotators."""
    with pytest.raises(FormatError, match=rf"gold.m2:{line}: .*carriage return.*; lines must end in a line feed, or in both"):
        read(written(tmp_path, text))
    assert any("carriage return" in problem.message for problem in check_file(str(tmp_path / "gold.m2"))[1] if problem.severity == "error")


def test_other_carriage_returns_are_warned_about(tmp_path: Path) -> None:
    for name, text in (("x.m2", "S a\rb\nA 0 1|||X|||y\rz|||R|||-|||0\n\n"), ("x.txt", "a\rb\nc\n")):
        _, problems = check_file(str(written(tmp_path, text, name)))
        assert problems[0].message == "contains U+000D, which some tools take for a line end (errata does not)"
        assert {problem.severity for problem in problems} == {"warning"}
    with pytest.raises(RequestError, match="M2 cannot express a correction that contains"):
        list(format_m2([Sentence(("a",), (Annotation("0", (Edit(0, 1, ("y\rS b",)),)),))]))


@pytest.mark.parametrize("name", ["x.txt", "x.jsonl", "x.conllu", "x.mrp", "x.m2"])
def test_files_with_carriage_returns_only_are_refused(tmp_path: Path, name: str) -> None:
    _, problems = check_file(str(written(tmp_path, "a b\rc d\r", name)))
    message = "carriage returns, but no line feed that ends the line; lines must end in a line feed, or in both"
    assert (1, "error", message) in [(problem.line, problem.severity, problem.message) for problem in problems]
    assert "(accepted)" not in " ".join(problem.message for problem in problems if "carriage" in problem.message)
