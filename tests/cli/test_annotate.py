"""``errata annotate``: the files of errant_parallel, without its defects."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from errata import read
from errata.cli import main
from errata.corpus.parses import Parse
from errata.formats.lines import TextLine
from errata.language.errant import Extractor, annotate_sentences

from errant_recordings import known_words, run_errant
from toy_analyser import use_toy_words

NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||"
PARSES = """\
He\the\tPRON\tPRP\t1\tnsubj
go\tgo\tVERB\tVBP\t1\tROOT
home\thome\tADV\tRB\t1\tadvmod

He\the\tPRON\tPRP\t1\tnsubj
goes\tgo\tVERB\tVBZ\t1\tROOT
home\thome\tADV\tRB\t1\tadvmod

Well\twell\tINTJ\tUH\t0\tROOT

# empty
"""
SOURCE = "He go home\nHe  go home\n\nHe go home\nHe go home\n"
FIRST = "He goes home\n He go  home\nWell\nHe go home \n\n"
SECOND = "He go home\nHe go home\n\nHe goes home\nHe go home"
WRITTEN = f"""\
S He go home
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
{NOOP}1

S He go home
{NOOP}1

S{" "}
A 0 0|||M:OTHER|||Well|||REQUIRED|||-NONE-|||0
{NOOP}1

S He go home
{NOOP}0
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||1

S He go home
A 0 3|||U:OTHER||||||REQUIRED|||-NONE-|||0
{NOOP}1

"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Texts with their parses, and a list of words."""
    for name, text in {"source.txt": SOURCE, "first.txt": FIRST, "second.txt": SECOND, "parses.tsv": PARSES}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    use_toy_words(monkeypatch, frozenset({"go", "goes"}))
    return tmp_path


def test_texts_become_m2(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A line is noop if it is written as the source with single spaces; one that differs in white space only has no A line."""
    assert main(["annotate", "source.txt", "first.txt", "second.txt", "--parses", "parses.tsv"]) == 0
    assert capfd.readouterr().out == WRITTEN
    assert main(["annotate", "source.txt", "first.txt", "second.txt", "--parses", "parses.tsv", "-o", "out.m2.gz"]) == 0
    assert gzip.decompress((folder / "out.m2.gz").read_bytes()).decode() == WRITTEN
    assert len(read(folder / "out.m2.gz")) == 5, "an empty source keeps its block, so lines do not shift"


def test_bad_texts(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "short.txt").write_text("He go home\n")
    (folder / "long.txt").write_text(SOURCE + "more\n")
    (folder / "bars.txt").write_text(SOURCE.replace("\n\n", "\nWell||done\n"))
    (folder / "edits.m2").write_text(WRITTEN)
    for files, message in (
        (["short.txt"], "short.txt has too few lines: 1 for the 5 of source.txt"),
        (["first.txt", "long.txt"], "long.txt has too many lines: more than the 5 of source.txt"),
        (["edits.m2"], "edits.m2:2: an edit of M2, but this file is read as text with one sentence per line"),
        (["-", "-"], "standard input (-) can be only one of the files"),
        (["none.txt"], "none.txt: there is no such file"),
    ):
        assert main(["annotate", "source.txt", *files, "--parses", "parses.tsv", "-o", "out.m2"]) == 2
        assert message in capfd.readouterr().err
    with (folder / "parses.tsv").open("a") as file:
        file.write("\nWell||done\twell\tX\tXX\t0\tROOT\n")
    assert main(["annotate", "source.txt", "bars.txt", "--parses", "parses.tsv", "-o", "out.m2"]) == 1
    assert "bars.txt:3: M2 cannot express a correction that is '-NONE-' or contains '||': 'Well||done'" in capfd.readouterr().err
    assert not (folder / "out.m2").exists()


def test_only_changed_sentences_are_parsed() -> None:
    class Bank:
        def __init__(self) -> None:
            self.asked: list[tuple[str, ...]] = []

        def find(self, sentences: list[tuple[str, ...]]) -> list[Parse]:
            self.asked += sentences
            return [Parse(own, own, ("X",) * len(own), ("XX",) * len(own), (0,) * len(own), ("dep",) * len(own)) for own in sentences]

    bank = Bank()
    sources = [("a", "b"), ("c",), ("d",)] * 1_500
    lines = [TextLine(" ".join(tokens), tokens) for tokens in [("a", "b"), ("c",), ("e",)] * 1_500]
    annotated = list(annotate_sentences(sources, [lines, lines], Extractor(bank, words=frozenset("de"))))  # type: ignore[arg-type]
    assert set(bank.asked) == {("d",), ("e",)}
    assert [sentence.tokens for sentence in annotated] == sources
    assert [len(item.edits) for sentence in annotated for item in sentence.annotations] == [0, 0, 0, 0, 1, 1] * 1_500


@pytest.mark.realdata
@pytest.mark.parametrize("name", ["AMU", "UFC", "REF-F.lev", "AMU.all-split", "REF-F.all-merge", "AMU.all-equal"])
def test_the_files_of_errant(data: Path, tmp_path: Path, name: str) -> None:
    known_words()
    system, _, option = name.partition(".")
    (corrected,) = (data / "conll14").glob(f"*/{system}.txt")
    source = tmp_path / "source.txt"
    source.write_text("".join(f"{sentence.text}\n" for sentence in read(data / "conll14" / "gold" / "official-2014.0.m2")), "utf-8")
    options = {"": [], "lev": ["--alignment", "lev"]}.get(option, ["--merge", option])
    folder = data / "expected" / "errant"
    parses = ["--parses", str(folder / "parses.tsv.gz")]
    assert main(["annotate", str(source), str(corrected), *parses, *options, "-o", str(tmp_path / "out.m2")]) == 0
    assert (tmp_path / "out.m2").read_bytes() == gzip.decompress((folder / "m2" / f"{name}.m2.gz").read_bytes())


@pytest.mark.slow
def test_the_command_itself(tmp_path: Path) -> None:
    """Where errant is installed, its file and ours differ by the empty source, which it leaves out."""
    texts = {"source": SOURCE, "first": FIRST, "second": SECOND}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    corrected = [str(tmp_path / "first"), str(tmp_path / "second")]
    run_errant("parallel_to_m2", "-orig", str(tmp_path / "source"), "-cor", *corrected, "-out", str(tmp_path / "theirs.m2"))
    assert main(["annotate", str(tmp_path / "source"), *corrected, "-o", str(tmp_path / "ours.m2")]) == 0
    empty = WRITTEN.split("\n\n")[2]
    ours, theirs = ((tmp_path / name).read_text().split("\n\n") for name in ("ours.m2", "theirs.m2"))
    assert [block for block in ours if not block.startswith("S \n")] == theirs
    assert empty.split("\n")[1:] == ours[2].split("\n")[1:]
