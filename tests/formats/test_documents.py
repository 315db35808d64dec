"""Which document each sentence is from: kept by formats that can, told by a file for those that cannot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from errata import Corpus, Edit, FormatError, MismatchError, Sentence, read, write
from errata.cli import main
from errata.formats import list_losses, read_nucle

SENTENCES = (Sentence.of("a b", [Edit(0, 1, ("x",))]), Sentence.of("c", []), Sentence.of("d", []))
CORPUS = Corpus(tuple(replace(sentence, document=name) for sentence, name in zip(SENTENCES, ("one & two", "3", "3"), strict=True)))


@pytest.mark.parametrize("ending", ["jsonl", "xml"])
def test_formats_that_keep_documents(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x.{ending}"
    write(CORPUS, path)
    assert [sentence.document for sentence in read(path)] == ["one & two", "3", "3"]
    assert list_losses(CORPUS, ending) == []


@pytest.mark.parametrize("format_", ["m2", "parallel", "sgml"])
def test_formats_that_cannot_say_so(format_: str) -> None:
    assert "the document names of the sentences are lost (2 documents)" in list_losses(CORPUS, format_)
    assert not any("document" in loss for loss in list_losses(Corpus(SENTENCES), format_))


def test_essays_are_documents() -> None:
    corpus = read_nucle(["examples/essays.sgml"], warn=lambda _: None)
    names = [sentence.document for sentence in corpus]
    assert all(names)
    assert len(set(names)) == Path("examples/essays.sgml").read_text().count("<DOC ")


def test_a_file_of_documents(tmp_path: Path) -> None:
    write(CORPUS, tmp_path / "x.m2")
    names = tmp_path / "documents.txt"
    names.write_text("first\nfirst\nsecond\n")
    corpus = read(tmp_path / "x.m2", documents=names)
    assert [sentence.document for sentence in corpus] == ["first", "first", "second"]
    assert corpus == read(tmp_path / "x.m2")
    names.write_text("first\n")
    with pytest.raises(MismatchError, match=r"documents.txt has too few lines: it names the documents of 1 sentence, but .*x.m2 has 3"):
        read(tmp_path / "x.m2", documents=names)
    names.write_text("first\n \nsecond\n")
    with pytest.raises(FormatError, match=r"documents.txt:2: expected the name of a document, found an empty line"):
        read(tmp_path / "x.m2", documents=names)


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = tmp_path / "documents.txt"
    names.write_text("".join(f"{number // 12}\n" for number in range(72)))
    arguments = ["examples/learner.m2", "examples/systems/eager.txt", "examples/systems/cautious.txt"]
    assert main(["score", *arguments, "--confidence", "--documents", str(names)]) == 0
    assert capsys.readouterr().out.endswith("95% intervals: bca, 10,000 replicates of documents, seed 0\n")
    assert main(["compare", *arguments, "--documents", str(names), "--rechoose"]) == 0
    assert "alpha 0.05; 95% intervals: bca, 10,000 replicates of documents, seed 0, references rechosen" in capsys.readouterr().out
    assert main(["compare", *arguments, "--resample", "document"]) == 1
    assert "72 of 72 sentences have no document" in capsys.readouterr().err
    assert main(["score", *arguments, "--confidence", "--resample", "sentence", "--documents", str(names)]) == 0
    assert "replicates of sentences" in capsys.readouterr().out
