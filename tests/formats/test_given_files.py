"""Corpora and outputs that are read from open files, and from texts in memory."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from errata import ErrataError, FormatError, InputError, UsageError, limit_input, read, read_system, write

PATH = Path("examples/learner.m2")
M2 = "S He go home .\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\n"
BAD = f"{M2}\nS a\nA 5 6|||x|||y|||REQUIRED|||-NONE-|||0\n"


def test_open_files_give_the_same_corpus(tmp_path: Path) -> None:
    gold = read(PATH)
    packed = tmp_path / "learner.m2.gz"
    packed.write_bytes(gzip.compress(PATH.read_bytes()))
    with PATH.open("rb") as binary, PATH.open(encoding="utf-8") as text, packed.open("rb") as compressed:
        same = [read(binary), read(text), read(compressed), read(io.BytesIO(PATH.read_bytes())), read(io.StringIO(PATH.read_text()))]
        assert not binary.closed
    assert all(corpus.sentences == gold.sentences for corpus in same)
    assert same[0] == gold
    assert [corpus.name for corpus in same] == ["learner.m2", "learner.m2", "learner.m2", "<BytesIO>", "<StringIO>"]
    assert read(PATH.read_text()).sentences == gold.sentences


def test_a_file_is_read_from_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "two.m2"
    path.write_text(f"S first\n\n{M2}")
    with path.open("rb") as file:
        file.readline()
        assert read(file).sentences == read(M2).sentences


def test_other_formats_are_named(tmp_path: Path) -> None:
    gold = read(PATH)
    write(gold, tmp_path / "gold.jsonl")
    with (tmp_path / "gold.jsonl").open("rb") as file:
        assert read(file).sentences == gold.sentences
    assert read(io.BytesIO((tmp_path / "gold.jsonl").read_bytes()), format="jsonl").sentences == gold.sentences
    assert read("a b\nc\n", references=[io.StringIO("a x\nc\n")])[0].annotations[0].edits[0].corrections == ("x",)


def test_outputs_of_systems() -> None:
    path = "examples/systems/eager.txt"
    system = read_system(path)
    with Path(path).open("rb") as file:
        assert read_system(file) == system
    assert read_system(io.StringIO(Path(path).read_text()), gold=read(PATH)).sentences == system.sentences
    assert read_system("He goes home .\n\n").sentences == (("He", "goes", "home", "."), ())
    own = read_system(M2)
    assert (own.name, own.sentences[0], own.edits is not None) == ("system", ("He", "goes", "home", "."), True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (BAD, "<string>:5: offsets 5 6 lie outside the sentence of 1 token"),
        (io.StringIO(BAD), "<StringIO>:5: offsets 5 6 lie outside"),
        (io.StringIO(""), "<StringIO>: the file is empty"),
        ("\n\n", "<string>: no sentences found"),
        ("S a\ud800\n", "<string>:1: not UTF-8: byte 0xed"),
        (io.BytesIO(b"S a\xff\n"), "<BytesIO>:1: not UTF-8: byte 0xff"),
        (io.TextIOWrapper(io.BytesIO(b"S a\xff\n"), "utf-8"), "<TextIOWrapper>: not utf-8: byte 0xff; open it in binary mode"),
    ],
)
def test_errors_name_the_place(given: str, message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        read(given)


def test_closed_files_and_files_for_writing(tmp_path: Path) -> None:
    closed = io.BytesIO(b"S a\n")
    closed.close()
    with pytest.raises(InputError, match="<BytesIO>: cannot be read: I/O operation on closed file"):
        read(closed)
    with (tmp_path / "x.m2").open("w") as file, pytest.raises(InputError, match=r"x.m2: cannot be read: not readable"):
        read(file)


def test_limits_hold_for_open_files() -> None:
    with limit_input(max_bytes=10), pytest.raises(FormatError, match="<StringIO>: more than 10 bytes"):
        read(io.StringIO(M2))
    with limit_input(max_lines=1), pytest.raises(FormatError, match="<string>:2: more than 1 lines"):
        read(M2)


class _Endless(io.RawIOBase):
    given = 0

    def read(self, size: int = -1) -> bytes:
        assert 0 < size <= 1 << 17
        self.given += size
        return b"S a\n" * (size // 4)


def test_an_endless_file_is_read_no_further_than_the_limit() -> None:
    endless = _Endless()
    with limit_input(max_bytes=1 << 17), pytest.raises(FormatError, match="<_Endless>: more than 131,072 bytes"):
        read(endless)  # type: ignore[arg-type]
    assert endless.given < 1 << 19


@pytest.mark.parametrize("junk", [None, 5, b"S a\n", ["S a"], {"a": 1}, 1.5, object()])
def test_what_cannot_be_read_is_told(junk: object) -> None:
    for attempt in (read, read_system):
        with pytest.raises(UsageError, match="expected a path, an open file, or a text with line feeds, found"):
            attempt(junk)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="expected a path, found"):
        write(read(PATH), junk)  # type: ignore[arg-type]
    for name in ("references", "source", "documents"):
        if (name, junk) != ("documents", None):
            with pytest.raises(ErrataError):
                read(PATH, **{name: [junk] if name == "references" else junk})  # type: ignore[arg-type]
