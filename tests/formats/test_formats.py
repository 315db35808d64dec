"""JSON Lines, parallel text, plain text, compression, limits, and finding the format."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from errata import (
    Annotation,
    Corpus,
    FormatError,
    InputError,
    InputWarning,
    MismatchError,
    RequestError,
    Sentence,
    UsageError,
    read,
    read_system,
    score,
    write,
)
from errata.formats import name_systems
from errata.formats.reading import _list_parallel_losses
from errata.formats.writing import write_files

from strategies import corpora


@given(corpora)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_corpus_round_trips_through_json_lines(tmp_path: Path, corpus: Corpus) -> None:
    write(corpus, tmp_path / "x.jsonl")
    assert read(tmp_path / "x.jsonl").sentences == corpus.sentences


def test_ignored_lines_round_trip_through_json_lines(tmp_path: Path) -> None:
    (tmp_path / "x.m2").write_text("S a\nA 0 9|||X|||y|||R|||-|||0\n\n")
    with pytest.warns(InputWarning):
        corpus = read(tmp_path / "x.m2", lenient=True)
    write(corpus, tmp_path / "x.jsonl")
    assert read(tmp_path / "x.jsonl").sentences == corpus.sentences


def test_json_lines_need_little(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"text": "a b"}\n\n{"tokens": ["c"], "annotations": [{"annotator": "0"}]}\n')
    assert [sentence.tokens for sentence in read(tmp_path / "x.jsonl")] == [("a", "b"), ("c",)]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "more than 64 lists and objects inside each other, at column 65"),
        ("1" * 5000, "a number of 5,000 digits, more than the limit of 309"),
        ("[]", "a sentence must be an object, found list"),
        ('{"tokens": ["a"], "x": 1}', "unknown key 'x' in a sentence; expected one of annotations, document, text, tokens"),
        ("{}", "either tokens or text"),
        ('{"tokens": ["a"], "text": "a"}', "either tokens or text"),
        ('{"tokens": "a"}', "tokens must be a list, found str"),
        ('{"tokens": [1]}', "an item of tokens must be a string, found int"),
        ('{"tokens": ["a b"]}', "a token contains white space or is empty: 'a b'"),
        ('{"tokens": [""]}', "a token contains white space or is empty: ''"),
        ('{"text": "a", "annotations": [{"annotator": 1}]}', "annotator must be a string, found int"),
        ('{"text": "a", "text": "b"}', "the key 'text' occurs twice"),
        ('{"tokens": ["\\ud800"]}', "an item of tokens has an unpaired surrogate"),
        ('{"text": "a", "annotations": [{"annotator": "0"}, {"annotator": "0"}]}', "an annotator occurs twice"),
        ('{"text": "a", "annotations": [{"annotator": "0", "ignored": 3}]}', "ignored must be a list"),
        (
            '{"text": "a", "annotations": [{"annotator": "0", "ignored": [[1]]}]}',
            "an item of ignored must be a position and a line, found 1 item",
        ),
        (
            '{"text": "a", "annotations": [{"annotator": "0", "edits": [{"start": true, "end": 1, "corrections": ["x"]}]}]}',
            "start must be a whole number, found bool",
        ),
        (
            '{"text": "a", "annotations": [{"annotator": "0", "edits": [{"start": 1, "end": 0, "corrections": ["x"]}]}]}',
            "offsets 1 0 are reversed",
        ),
        (
            '{"text": "a", "annotations": [{"annotator": "0", "edits": [{"start": 0, "end": 2, "corrections": ["x"]}]}]}',
            "outside the sentence of 1 token",
        ),
        (
            '{"text": "a", "annotations": [{"annotator": "0", "edits": [{"start": 0, "end": 1, "corrections": []}]}]}',
            "at least one correction",
        ),
    ],
)
def test_bad_json_lines_are_named(tmp_path: Path, record: str, message: str) -> None:
    (tmp_path / "x.jsonl").write_text(f'{{"text": "fine"}}\n{record}\n')
    with pytest.raises(FormatError) as caught:
        read(tmp_path / "x.jsonl")
    assert "x.jsonl:2: " in str(caught.value)
    assert message in str(caught.value)


def test_parallel_text_both_ways(tmp_path: Path, gold: Corpus) -> None:
    write(gold, tmp_path / "p", "parallel")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.ref0", "p.ref1", "p.src"]
    again = read(tmp_path / "p.src", references=[tmp_path / "p.ref0", tmp_path / "p.ref1"])
    assert [sentence.tokens for sentence in again] == [sentence.tokens for sentence in gold]
    for k in range(2):
        system = read_system(tmp_path / f"p.ref{k}")
        assert [sentence.corrected(sentence.annotations[k]) for sentence in again] == list(system.sentences)
        assert score(again, system).value == 1.0  # a reference scored against itself


def test_what_parallel_text_loses_is_told(gold: Corpus) -> None:
    assert _list_parallel_losses(gold) == [
        "edits lose their type: 237",
        "alternative corrections are left out (the first is used): 13",
        "annotator 1 has no line in 5 sentences; the first annotator is repeated there",
    ]


def test_parallel_files_must_have_the_same_length(tmp_path: Path) -> None:
    (tmp_path / "a.src").write_text("a\nb\n")
    (tmp_path / "a.ref").write_text("a\n")
    with pytest.raises(MismatchError, match=r"a\.ref has too few lines: 1 for the 2 of .*a\.src"):
        read(tmp_path / "a.src", references=[tmp_path / "a.ref"])


def test_a_text_alone_is_no_gold(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\n")
    with pytest.raises(InputError, match="a source text needs reference files"):
        read(tmp_path / "a.txt")
    (tmp_path / "gold.txt").write_text("S a\n\n")
    with pytest.raises(InputError, match=r"gold\.txt: this looks like M2"):
        read(tmp_path / "gold.txt")
    with pytest.raises(InputError, match="there is no such file"):
        read(tmp_path / "nothing")
    with pytest.raises(InputError, match="this is a directory"):
        read(tmp_path)
    with pytest.raises(UsageError, match=r"learner\.m2 has the extension of m2"):
        read("examples/learner.m2", references=[tmp_path / "a.txt"])
    with pytest.raises(UsageError, match="reference files need a source text"):
        read(tmp_path / "a.txt", references=[tmp_path / "a.txt"], format="m2")
    with pytest.raises(UsageError, match="choose from ann, hoo, jsonl, m2, md, multigec, ndjson, parallel, sgm, sgml, ua-gec, xml"):
        read(tmp_path / "a.txt", format="docx")


@pytest.mark.parametrize("name", ["x.m2.gz", "x.jsonl.gz"])
def test_gz_both_ways(tmp_path: Path, gold: Corpus, name: str) -> None:
    write(gold, tmp_path / name)
    assert (tmp_path / name).read_bytes()[:2] == b"\x1f\x8b"
    assert read(tmp_path / name).sentences == gold.sentences


def test_what_is_packed_is_known_by_its_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gold: Corpus) -> None:
    packed = gzip.compress(Path("examples/learner.m2").read_bytes())
    (tmp_path / "x.m2").write_bytes(packed)
    assert read(tmp_path / "x.m2").sentences == gold.sentences
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed)))
    assert read("-").sentences == gold.sentences
    (tmp_path / "y.m2.gz").write_bytes(Path("examples/learner.m2").read_bytes())
    assert read(tmp_path / "y.m2.gz").sentences == gold.sentences


def test_damaged_gz_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.m2.gz").write_bytes(b"\x1f\x8bno gzip at all")
    with pytest.raises(InputError, match=r"x\.m2\.gz: cannot be read"):
        read(tmp_path / "x.m2.gz")
    (tmp_path / "y.m2.gz").write_bytes(gzip.compress(b"S a b c\n\n" * 1000)[:-20])
    with pytest.raises(InputError, match=r"y\.m2\.gz: cannot be read"):
        read(tmp_path / "y.m2.gz")
    (tmp_path / "w.m2.gz").write_bytes(gzip.compress(b"S a b c\n\n") + b"S d\n\n")
    with pytest.raises(InputError, match=r"w\.m2\.gz: cannot be read: the compressed data is damaged, or followed by other bytes"):
        read(tmp_path / "w.m2.gz")
    flipped = bytearray(gzip.compress(Path("examples/learner.m2").read_bytes()))
    for place in range(200, 2000, 7):
        flipped[place] ^= 0xFF
    (tmp_path / "z.m2.gz").write_bytes(flipped)
    with pytest.raises(InputError, match=r"z\.m2\.gz"):
        read(tmp_path / "z.m2.gz")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"S a b\n\n")))
    assert read("-")[0].text == "a b"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"ok\n\xff\xfe\n", ":2: not UTF-8: byte 0xff at byte 1 of the line"),
        (b"a\0b\n", ":1: a NUL byte at byte 2 of the line"),
        (b"a " * 5000 + b"\n", ":1: 5,000 tokens in a line, more than the limit of 4,000; raise it with --max-tokens"),
        (b"a" * 3_000_000, ":1: a line of more than 1,048,576 bytes"),
    ],
)
def test_bad_text_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "x.txt").write_bytes(content)
    with pytest.raises(FormatError) as caught:
        read_system(tmp_path / "x.txt")
    assert message in str(caught.value)


def test_calls_that_make_no_sense_are_named(tmp_path: Path, gold: Corpus) -> None:
    with pytest.raises(UsageError, match="unknown format 'csv'"):
        write(gold, tmp_path / "x.csv", "csv")
    with pytest.raises(UsageError, match="references must be a list of files"):
        read("examples/learner.m2", references="dev.ref0")


def test_very_many_keys_are_read_in_one_pass(tmp_path: Path) -> None:
    keys = ",".join(f'"{number}":0' for number in range(60_000))
    (tmp_path / "x.jsonl").write_text(f'{{{keys},"59999":1}}\n')
    with pytest.raises(FormatError, match="the key '59999' occurs twice"):
        read(tmp_path / "x.jsonl")


def test_the_limit_can_be_raised(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("a " * 5000)
    assert len(read_system(tmp_path / "x.txt", max_tokens=5000).sentences[0]) == 5000


def test_missing_files_and_directories(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read(tmp_path / "x.m2")
    with pytest.raises(InputError, match="this is a directory"):
        read(tmp_path, format="m2")


def test_traps_of_real_system_files_change_nothing(tmp_path: Path) -> None:
    plain = [("a", "b"), (), ("c",)]
    for text in ("a b\n\nc\n", "a b\n\nc", "a b \r\n\r\nc \r\n", "\ufeffa b\n \nc\n", "a\tb\n\nc"):
        (tmp_path / "s.txt").write_bytes(text.encode())
        assert list(read_system(tmp_path / "s.txt").sentences) == plain


def test_names_of_systems() -> None:
    assert name_systems(["AMU.txt", "out/CUUI.txt.gz", "-"]) == ["AMU", "CUUI", "stdin"]
    assert name_systems(["x/1/out.txt", "y/1/out.txt", "z.txt"]) == ["x/1/out", "y/1/out", "z"]
    assert name_systems(["v1.2.txt", ".hidden", "model.step100", "model.step200"]) == ["v1.2", ".hidden", "model.step100", "model.step200"]
    assert name_systems(["out.hyp", "out.txt"]) == ["out.hyp", "out.txt"]
    assert name_systems(["a/out.hyp", "a/out.txt", "b/out.txt"]) == ["out.hyp", "a/out.txt", "b/out.txt"]
    with pytest.raises(UsageError, match=r"a\.txt is given twice"):
        name_systems(["a.txt", "b.txt", "a.txt"])


def test_lenient_json_lines_keep_what_they_ignore(tmp_path: Path) -> None:
    edits = [{"start": start, "end": end, "corrections": ["x"], "type": "T"} for start, end in ((0, 1), (0, 9), (1, 0), (-2, 1))]
    (tmp_path / "x.jsonl").write_text(json.dumps({"text": "a b", "annotations": [{"annotator": "0", "edits": edits}]}) + "\n")
    with pytest.warns(InputWarning, match="skipped: offsets"):
        corpus = read(tmp_path / "x.jsonl", lenient=True)
    assert len(corpus[0].annotations[0].edits) == 1
    write(corpus, tmp_path / "x.m2")
    assert (tmp_path / "x.m2").read_text().count("A ") == 4
    with pytest.warns(InputWarning):
        assert read(tmp_path / "x.m2", lenient=True).sentences == corpus.sentences


def test_parallel_text_of_too_many_annotators_is_refused(tmp_path: Path) -> None:
    crowd = tuple(Annotation(str(number)) for number in range(1001))
    with pytest.raises(RequestError, match="found 1,001 annotators, the limit is 1,000"):
        write(Corpus((Sentence(("a",), crowd),)), tmp_path / "p", "parallel")


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "x.m2"
    path.write_text("before")

    def lines() -> Iterator[str]:
        yield "half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_files({str(path): lines()})
    assert path.read_text() == "before"
    assert names_in(tmp_path) == ["x.m2"]


def test_several_files_are_written_together_or_not_at_all(tmp_path: Path, gold: Corpus) -> None:
    (tmp_path / "p.ref1").mkdir()
    with pytest.raises(InputError, match=r"p\.ref1: this is a directory"):
        write(gold, tmp_path / "p", "parallel")
    assert names_in(tmp_path) == ["p.ref1"]


def test_what_cannot_be_written_is_named(tmp_path: Path, gold: Corpus) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "no" / "x.m2", tmp_path / "file" / "x.m2", tmp_path / f"{'x' * 300}.m2"):
        with pytest.raises(RequestError, match="cannot be written"):
            write(gold, path)
    for path in (Path("/"), tmp_path, Path()):
        with pytest.raises(InputError, match="this is a directory"):
            write(gold, path, "m2")
    assert names_in(tmp_path) == ["file"]


def test_links_are_followed_and_modes_kept(tmp_path: Path, gold: Corpus) -> None:
    target, link = tmp_path / "target.m2", tmp_path / "link.m2"
    target.touch(mode=0o640)
    link.symlink_to(target)
    write(gold, link)
    assert link.is_symlink()
    assert target.read_bytes() == Path("examples/learner.m2").read_bytes()
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path, gold: Corpus) -> None:
    pipe = tmp_path / "pipe.m2"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        write(gold, pipe)
        assert reader.communicate()[0] == Path("examples/learner.m2").read_bytes()
    assert pipe.is_fifo()


def test_a_corpus_that_cannot_be_expressed_leaves_no_file(tmp_path: Path) -> None:
    for bad in (Sentence(("a b",)), Sentence(("\ud800",))):
        with pytest.raises(RequestError):
            write(Corpus((Sentence(("a",)), bad)), tmp_path / "x.m2")
    assert names_in(tmp_path) == []


def test_json_lines_are_plain_json(tmp_path: Path, gold: Corpus) -> None:
    write(gold, tmp_path / "x.jsonl")
    first = json.loads((tmp_path / "x.jsonl").read_text().splitlines()[2])
    assert first["annotations"][0]["edits"][0]["type"] == gold[2].annotations[0].edits[0].type
