"""Unicode normalisation of gold and outputs."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

import errata
from errata.cli import main
from errata.corpus.unicode import normalise_tokens
from errata.errors import InputError, InputWarning, UsageError
from errata.scoring.evidence_files.making import make_from_corpus

SENTENCES = ["Él no sabía qué decir .", "Mañana iré al café .", "La niña comió un plátano .", "Ayer llovió aquí ."]
GOLD = "".join(f"S {line}\nA 0 1|||X|||Ella también|||REQUIRED|||-NONE-|||0\n\n" for line in SENTENCES)
TASK = 'gold = ["gold.m2"]\nsystems = ["nfd.txt"]\nmetrics = ["maxmatch"]\nunicode = "NFC"\ntagger = "none"\n'
OUTPUT = "".join(f"Ella también {line.partition(' ')[2]}\n" for line in SENTENCES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.m2").write_text(unicodedata.normalize("NFC", GOLD), encoding="utf-8")
    (tmp_path / "nfc.txt").write_text(unicodedata.normalize("NFC", OUTPUT), encoding="utf-8")
    (tmp_path / "nfd.txt").write_text(unicodedata.normalize("NFD", OUTPUT), encoding="utf-8")
    return tmp_path


def score(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[list[float], list[str], str]:
    paths = [str(folder / name) for name in ("gold.m2", "nfc.txt", "nfd.txt")]
    assert main(["score", *paths, "--format", "json", *options]) == 0
    out, err = capsys.readouterr()
    scores = json.loads(out)["scores"]
    return [item["value"] for item in scores], [item["signature"] for item in scores], err


def test_other_characters_match_nothing_and_a_warning_says_why(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values, signatures, err = score(folder, capsys)
    assert values[0] == 1
    assert values[1] < 0.5
    assert "unicode" not in signatures[0]
    assert "nfd.txt:1: 4 sentences have tokens that equal tokens of the gold only after Unicode normalisation; --unicode NFC" in err
    assert "nfc.txt" not in err


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
def test_normalised_texts_are_equal_and_named(folder: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    values, signatures, err = score(folder, capsys, "--unicode", form)
    assert values == [1, 1]
    assert not err
    assert all(f", unicode {form} | errata" in signature for signature in signatures)


def test_in_python(folder: Path) -> None:
    gold = errata.read(folder / "gold.m2", unicode="NFC")
    text = (folder / "nfd.txt").read_text(encoding="utf-8").splitlines()
    assert errata.score(gold, text).value == 1
    assert errata.score(gold.subset("2-3"), text[1:3]).value == 1
    assert errata.read_system(folder / "nfd.txt", gold=gold).sentences == errata.read_system(folder / "nfc.txt").sentences
    with pytest.warns(InputWarning, match="only after Unicode normalisation"):
        errata.score(errata.read(folder / "gold.m2"), text)
    with pytest.raises(UsageError, match="no Unicode normalisation 'nfc'; choose from none, NFC, NFKC"):
        errata.read(folder / "gold.m2", unicode="nfc")  # type: ignore[arg-type]


def test_systems_with_their_own_edits_are_normalised(folder: Path) -> None:
    path = folder / "system.m2"
    path.write_text(unicodedata.normalize("NFD", GOLD), encoding="utf-8")
    with pytest.raises(InputError):
        errata.read_system(path, gold=errata.read(folder / "gold.m2"))
    gold = errata.read(folder / "gold.m2", unicode="NFC")
    assert errata.score(gold, errata.read_system(path, gold=gold)).value == 1


@pytest.mark.parametrize("command", ["compare", "inspect", "report", "check", "task"])
def test_commands_normalise(folder: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    gold, nfc, nfd = (str(folder / name) for name in ("gold.m2", "nfc.txt", "nfd.txt"))
    (folder / "task.toml").write_text(
        'gold = ["gold.m2"]\nsystems = ["nfd.txt"]\nmetrics = ["maxmatch"]\nunicode = "NFC"\ntagger = "none"\n'
    )
    arguments = {
        "compare": [gold, nfc, nfd, "--unicode", "NFC"],
        "inspect": [gold, nfd, "--unicode", "NFC"],
        "report": [gold, nfd, "--unicode", "NFC", "--tagger", "none", "-o", str(folder / "page.html")],
        "check": [nfd, "--against", gold, "--unicode", "NFC"],
        "task": ["run", str(folder / "task.toml"), "-o", str(folder / "out")],
    }
    assert main([command, *arguments[command]]) == 0
    printed = capsys.readouterr()
    assert "only after" not in printed.out + printed.err
    if command == "check":
        assert main([command, *arguments[command][:-2]]) == 0
        assert "only after Unicode normalisation" in capsys.readouterr().out


def test_tokens_stay_tokens() -> None:
    assert normalise_tokens(("a", "´", "ﬁne"), "NFKC") == ("a", "\u0301", "fine")
    corpus = errata.read("examples/learner.m2")
    assert corpus.normalised("none") is corpus
    assert corpus.normalised("NFKC").sentences == corpus.sentences


def test_evidence_in_files_has_no_normalisation(folder: Path) -> None:
    gold = errata.read(folder / "gold.m2", unicode="NFC")
    with pytest.raises(UsageError, match="evidence has no Unicode normalisation, found a gold read with unicode=NFC"):
        make_from_corpus(None, gold, [], [], None)  # type: ignore[arg-type]  # what else it takes is not looked at
