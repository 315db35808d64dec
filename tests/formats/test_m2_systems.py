"""Systems that are M2: recognised everywhere, read as they are, refused with a reason."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import errata
from errata import Corpus, Edit, FormatError, InputWarning, MismatchError, Sentence, System
from errata.cli import main
from errata.corpus.corpus import _apply_in_order
from errata.formats.checking import check_output
from errata.formats.m2 import _read_plain, list_m2_sentences
from errata.formats.problems import Problems

from thoroughness import often

GOLD = """\
S I likes a cake .
A 1 2|||R:VERB:SVA|||like|||REQUIRED|||-NONE-|||0
A 2 3|||U:DET||||||REQUIRED|||-NONE-|||1

S It is good .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""
OWN = """\
S I likes a cake .
A 1 2|||R:VERB:SVA|||like|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||cakes|||REQUIRED|||-NONE-|||0

S It is good .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""


@pytest.fixture
def gold(tmp_path: Path) -> Corpus:
    (tmp_path / "gold.m2").write_text(GOLD)
    return errata.read(tmp_path / "gold.m2")


def written(tmp_path: Path, text: str, name: str = "mine.m2") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["mine.m2", "mine.txt", "mine"])
def test_m2_is_recognised_by_its_content(tmp_path: Path, gold: Corpus, name: str) -> None:
    system = errata.read_system(written(tmp_path, OWN, name), gold=gold)
    assert system.name == "mine"
    assert [" ".join(tokens) for tokens in system.sentences] == ["I like a cakes .", "It is good ."]
    assert system.edits is not None
    assert [(edit.start, edit.type) for edit in system.edits[0]] == [(1, "R:VERB:SVA"), (3, "R:NOUN:NUM")]
    assert errata.score(gold, system, "errant").counts == (1, 1, 0)
    assert errata.score(gold, system, "maxmatch").counts == (1, 2, 1)  # of its text


def test_compressed_m2(tmp_path: Path, gold: Corpus) -> None:
    (tmp_path / "mine.m2.gz").write_bytes(gzip.compress(OWN.encode()))
    system = errata.read_system(tmp_path / "mine.m2.gz", gold=gold)
    assert (system.name, system.edits) == ("mine", errata.read_system(written(tmp_path, OWN), gold=gold).edits)


def test_edits_are_kept_as_they_are(tmp_path: Path, gold: Corpus) -> None:
    lines = [
        "A 1 2|||UNK|||like|||REQUIRED|||-NONE-|||0",
        "A 1 2|||R:VERB|||like||liked|||REQUIRED|||-NONE-|||0",
        "A 1 2|||R:VERB|||like||liked|||REQUIRED|||-NONE-|||0",
        "A 0 3|||R:OTHER|||-NONE-|||REQUIRED|||-NONE-|||0",
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0",
    ]
    text = "\n".join(["S I likes a cake .", *lines, "", "S It is good .", "", ""])
    with pytest.warns(InputWarning) as told:
        system = errata.read_system(written(tmp_path, text), gold=gold)
    assert [str(warning.message).partition(": ")[2] for warning in told] == [
        "3 edits left out of the text of the system, because earlier edits overlap",
        "2 edits with alternatives; the text of the system has the first",
    ]
    assert system.edits is not None
    assert [(edit.start, edit.end, edit.literal, edit.type) for edit in system.edits[0]] == [
        (1, 2, "like", "UNK"),
        (1, 2, "like||liked", "R:VERB"),
        (1, 2, "like||liked", "R:VERB"),
        (0, 3, "-NONE-", "R:OTHER"),
    ]
    assert system.sentences[0] == ("cake", ".")


def test_two_annotators_are_refused(tmp_path: Path, gold: Corpus) -> None:
    path = written(tmp_path, GOLD)
    with pytest.raises(
        FormatError, match=r"mine.m2:1: a system must have one annotator, found 2; the best of several edits would be an oracle"
    ):
        errata.read_system(path, gold=gold)
    with pytest.raises(errata.InputError, match="one annotator"):
        errata.read_system(path)


def test_another_annotator_in_a_later_sentence_is_refused(tmp_path: Path, gold: Corpus) -> None:
    path = written(tmp_path, OWN.replace("noop|||-NONE-|||REQUIRED|||-NONE-|||0", "noop|||-NONE-|||REQUIRED|||-NONE-|||1"))
    refused = r"mine.m2:5: a system must have one annotator in all sentences, found '1' after '0'"
    with pytest.raises(FormatError, match=refused):
        errata.read_system(path, gold=gold)
    with pytest.raises(FormatError, match=refused):
        errata.read_system(path)
    thrice = written(tmp_path, OWN + path.read_text() + path.read_text())
    _, problems = check_output(str(thrice), Corpus(gold.sentences * 3))
    assert [(problem.line, problem.severity) for problem in problems] == [(12, "error")]  # only where it occurs first


def test_other_sentences_are_refused(tmp_path: Path, gold: Corpus) -> None:
    with pytest.raises(
        FormatError, match=r"mine.m2:5: a system must edit the sentences of the gold: expected 'It is good .', found 'It was good .'"
    ):
        errata.read_system(written(tmp_path, OWN.replace("It is", "It was")), gold=gold)
    with pytest.raises(MismatchError, match=r"mine.m2 has too few sentences: 1 for the 2 sentences of .*gold.m2"):
        errata.read_system(written(tmp_path, OWN[: OWN.index("S It")]), gold=gold)
    with pytest.raises(MismatchError, match=r"mine.m2 has too many sentences: more than the 2 sentences of .*gold.m2"):
        errata.read_system(written(tmp_path, OWN + OWN), gold=gold)
    with pytest.raises(FormatError, match=r"mine.m2:2: offsets 7 8 lie outside the sentence of 5 tokens"):
        errata.read_system(written(tmp_path, OWN.replace("A 1 2", "A 7 8")), gold=gold)


def test_a_subset_of_the_gold_takes_the_same_sentences(tmp_path: Path, gold: Corpus) -> None:
    path = written(tmp_path, OWN)
    system = errata.read_system(path, gold=gold.subset("2"))
    assert (system.sentences, system.edits, system.source) == ((("It", "is", "good", "."),), ((),), (("It", "is", "good", "."),))


def test_commands_call_it_m2(tmp_path: Path, gold: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    del gold
    own, gold_path = str(written(tmp_path, OWN)), str(tmp_path / "gold.m2")
    for command in (
        ["score"],
        ["conservatism"],
        ["detect", "--case", "edit"],
        ["score", "-m", "imeasure"],
        ["score", "-m", "hoo", "-m", "accuracy"],
    ):
        assert main([command[0], gold_path, own, *command[1:]]) == 0, command
    assert main(["check", own, "--against", gold_path]) == 0
    assert main(["inspect", gold_path, own, "-m", "errant", "--types", "R:NOUN:NUM", "--outcome", "wrong"]) == 0
    capsys.readouterr()
    assert main(["score", gold_path, own, "-m", "errant", "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["scores"]
    assert found["parts"] == {"tp": 1, "fp": 1, "fn": 0, "precision": 0.5, "recall": 1.0}
    assert "| gold raw | edits of the system (M2) |" in found["signature"]
    (tmp_path / "text.txt").write_text("I likes a cake .\nIt is good .\n")
    assert main(["compare", gold_path, own, str(tmp_path / "text.txt"), "-m", "errant", "--format", "json", "--replicates", "200"]) == 0
    assert json.loads(capsys.readouterr().out)["signature"].count("errata ") == 2  # one has edits of its own


def test_standard_input_may_be_m2(tmp_path: Path, gold: Corpus) -> None:
    del gold
    for content, wanted in ((OWN, 2), ("I like a cake .\nIt is good .\n", 1)):
        command = [sys.executable, "-m", "errata", "score", str(tmp_path / "gold.m2"), "-", "--format", "json"]
        done = subprocess.run(command, input=content, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["scores"][0]["parts"]["proposed"] == wanted


def test_a_task_takes_m2(tmp_path: Path, gold: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    del gold
    (tmp_path / "teams").mkdir()
    written(tmp_path / "teams", OWN)
    (tmp_path / "teams" / "other.txt").write_text("I like a cake .\nIt is good .\n")
    written(tmp_path / "teams", GOLD, "oracle.m2")
    task = tmp_path / "task.toml"
    task.write_text('gold = "gold.m2"\nsystems = ["teams/*"]\nmetrics = ["maxmatch"]\ntagger = "none"\n')
    assert main(["task", "run", str(task), "-o", str(tmp_path / "out")]) == 1
    assert "oracle.m2:1: a system must have one annotator, found 2" in capsys.readouterr().err
    rows = json.loads((tmp_path / "out" / "ranking.json").read_text())["rows"]
    assert [(row["system"], row["correct"], row["proposed"]) for row in rows] == [("other", 1, 1), ("mine", 1, 2)]
    (tmp_path / "teams" / "oracle.m2").unlink()
    (tmp_path / "teams" / "other.txt").unlink()
    task.write_text('gold = "gold.m2"\nsystems = ["teams/*"]\nmetrics = ["errant"]\n')
    assert main(["task", "run", str(task), "-o", str(tmp_path / "errant")]) == 0
    (row,) = json.loads((tmp_path / "errant" / "types.json").read_text())["rows"]
    assert (row["R:VERB:SVA_precision"], row["R:VERB:SVA_recall"]) == (1.0, 1.0)


@st.composite
def m2_files(draw: st.DrawFn) -> str:
    """Files that are nearly always correct, with oddities that the fast reader must leave to the careful one."""
    blocks = []
    for source in ("I likes a cake .", "It is good ."):
        lines = [f"S {source}" + draw(st.sampled_from(["", "", "", " "]))]
        for _ in range(draw(st.integers(0, 3))):
            start = draw(st.integers(0, 4))
            end = draw(st.integers(start, 4))
            offsets = draw(st.sampled_from([f"{start} {end}"] * 6 + [f"{start}  {end}", "-1 -1", f" {start} {end}"]))
            kind = draw(st.sampled_from(["R:NOUN", "R:NOUN", "UNK", "noop", ""]))
            text = draw(st.sampled_from(["x", "", "x y", "x||y", "-NONE-", "x||-NONE-", "a -NONE-", "é"]))
            lines.append(f"A {offsets}|||{kind}|||{text}|||REQUIRED|||-NONE-|||{draw(st.sampled_from(['0', '0', '0', ' 0']))}")
        blocks.append("\n".join(lines))
    return draw(st.sampled_from(["\n\n", "\n\n", "\n\n\n"])).join(blocks) + draw(st.sampled_from(["\n\n", "\n", "", "\n\n\n"]))


@given(m2_files())
@settings(max_examples=often(150, 50), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_fast_reader_agrees_with_the_careful_one(tmp_path: Path, text: str) -> None:
    gold = Corpus((Sentence.of("I likes a cake ."), Sentence.of("It is good .")))
    path = str(written(tmp_path, text))
    fast = _read_plain(path, gold, 4000)
    if fast is not None:
        careful = System.of_edits("mine", list_m2_sentences(path, Problems(path), gold, 4000))
        assert careful.edits is not None
        assert [[(edit, edit.literal) for edit in own] for own in fast] == [[(edit, edit.literal) for edit in own] for own in careful.edits]


def test_the_fast_reader_reads_usual_files(tmp_path: Path, gold: Corpus) -> None:
    for text in (OWN, OWN.rstrip("\n"), OWN.replace("|||0", "|||A7"), OWN.replace("\n", "\r\n"), "\ufeff" + OWN):
        assert _read_plain(str(written(tmp_path, text)), gold, 4000) is not None
    for text in (
        OWN.replace("\n", "\r\r\n"),
        GOLD,
        OWN.replace("A 1 2", "A 2 1"),
        OWN.replace("|||like|||", "|||-NONE-|||"),
    ):
        assert _read_plain(str(written(tmp_path, text)), gold, 4000) is None


def test_texts_are_made_of_edits() -> None:
    edits = [Edit(2, 2, ("x",)), Edit(0, 1, ("",)), Edit(2, 3, ("y z", "w")), Edit(1, 3, ("v",))]
    assert _apply_in_order(("a", "b", "c", "d"), edits) == ("v", "d")
