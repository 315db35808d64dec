"""Outputs that are shifted, foreign or untokenised are warned of, or refused."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import errata
from errata import Corpus, Evaluator, FormatError, InputError, InputWarning, MismatchError, Sentence, System
from errata.cli import main
from errata.cli import score as scoring_command
from errata.corpus.checks import OutputChecks
from errata.corpus.tokenisation import _write_text
from errata.task import read_task, run_task
from errata.task.running import TaskResult

GOLD = "examples/learner.m2"
SYSTEMS = [f"examples/systems/{name}.txt" for name in ("cautious", "eager", "rewriter")]
UNTOKENISED = (
    r"punctuation at the end of \d+ of 9\d\d tokens; is it tokenised like .*learner.m2\? "
    r'--tokenise source \(tokenise="source" in Python\) tokenises it'
)


@pytest.fixture
def raw(systems: dict[str, System]) -> list[str]:
    return [_write_text(tokens) for tokens in systems["eager"].sentences]


@pytest.fixture
def shifted(systems: dict[str, System]) -> list[str]:
    lines = [" ".join(tokens) for tokens in systems["eager"].sentences]
    return [*lines[:40], "An extra line .", *lines[40:-1]]


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_python_warns_with_the_numbers(gold: Corpus, raw: list[str], shifted: list[str]) -> None:
    with pytest.warns(InputWarning, match=f"^system: {UNTOKENISED}$"):
        errata.score(gold, raw)
    message = r"^mine:42: from here on 2\d of 72 sentences look like the source line before theirs; is a line missing or extra\?"
    with pytest.warns(InputWarning, match=message):
        errata.score(gold, System.of("mine", shifted), "gleu")
    with pytest.warns(
        InputWarning, match=r"system:1: fewer than a quarter of its tokens occur in the source \(true of 72 of 72 sentences\)"
    ):
        errata.score(gold, ["x y z"] * len(gold))


def test_a_training_loop_is_warned_once(gold: Corpus, raw: list[str]) -> None:
    evaluate = Evaluator(gold)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for step in range(3):
            evaluate([*raw[:-step], *(" ".join(tokens) for tokens in [sentence.tokens for sentence in gold][-step:])] if step else raw)
        evaluate(System.of("other", raw))
    assert [str(item.message).partition(":")[0] for item in caught] == ["system", "other"]


def test_strict_raises(gold: Corpus, raw: list[str], systems: dict[str, System]) -> None:
    with pytest.raises(MismatchError, match=f"^system: {UNTOKENISED}$"):
        errata.score(gold, raw, strict=True)
    assert errata.score(gold, raw, tokenise="source", strict=True).value > 0.6
    assert Evaluator(gold, strict=True)(systems["rewriter"]).value > 0


def test_good_outputs_are_not_warned_of(gold: Corpus, systems: dict[str, System]) -> None:
    checks = OutputChecks(gold)
    assert [checks.find(system) for system in systems.values()] == [[]] * 3
    assert [finding.kind for finding in checks.find(systems["rewriter"], every=True)] == ["foreign"]
    small = Corpus((Sentence.of("I likes cake ."),))
    assert OutputChecks(small).find(System.of("mine", ["Something else entirely"])) == []
    assert [finding.kind for finding in OutputChecks(small).find(System.of("mine", ["I like cake."]))] == ["untokenised"]
    assert OutputChecks(small).find(System.of("empty", [""])) == []
    untokenised = Corpus((Sentence.of("I likes cake."), Sentence.of("I likes it, too.")))
    assert OutputChecks(untokenised).find(System.of("mine", ["I like cakes.", "I like that, too."])) == []


@pytest.mark.parametrize("offset", [-2, -1, 1, 2])
def test_a_shift_is_found_from_its_first_line(offset: int, gold: Corpus) -> None:
    lines = [sentence.tokens for sentence in gold]
    moved = (
        [*lines[:20], *[("new",)] * -offset, *lines[20:offset]]
        if offset < 0
        else [*lines[:20], *lines[20 + offset :], *[("new",)] * offset]
    )
    (finding,) = OutputChecks(gold).find(System("mine", tuple(moved)))
    assert finding.kind == "shifted"
    assert finding.line is not None
    assert 20 < finding.line < 26
    away = "line" if abs(offset) == 1 else "2 lines"
    assert f"the source {away} {'before' if offset < 0 else 'after'} theirs" in finding.message


@pytest.mark.parametrize(
    "command",
    [["score"], ["compare", "--test", "t", SYSTEMS[0]], ["inspect", "--sentences", "3"], ["conservatism"], ["detect"]],
)
def test_commands_warn_and_strict_refuses(command: list[str], raw: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "raw.txt", raw)
    name, *options = command
    assert main([name, GOLD, str(path), *options]) == 0
    assert capsys.readouterr().err.count(f"errata: warning: {path}: punctuation at the end of ") == 1
    assert main([name, GOLD, str(path), *options, "--strict"]) == 2
    assert capsys.readouterr().err.startswith(f"errata: error: {path}: punctuation at the end of ")


def test_every_system_is_named_once_for_all_metrics(
    raw: list[str], shifted: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = write(tmp_path / "one.txt", raw), write(tmp_path / "other.txt", shifted)
    assert main(["score", GOLD, str(one), str(other), *SYSTEMS, "-m", "maxmatch", "-m", "gleu"]) == 0
    err = capsys.readouterr().err
    assert err.count("errata: warning: ") == 2
    assert main(["score", GOLD, str(one), str(other), "--strict"]) == 2
    assert capsys.readouterr().err.endswith("tokenises it (and 1 more)\n")
    assert main(["report", GOLD, str(one), "-o", str(tmp_path / "page.html"), "--strict"]) == 2
    assert not (tmp_path / "page.html").exists()


def test_a_task_warns_tokenises_and_sets_aside(raw: list[str], tmp_path: Path) -> None:
    write(tmp_path / "raw.txt", raw)
    for path in (GOLD, SYSTEMS[0]):
        (tmp_path / Path(path).name).write_text(Path(path).read_text())
    told: list[str] = []

    def run(*more: str) -> TaskResult:
        path = write(tmp_path / "task.toml", ['gold = "learner.m2"', 'systems = ["raw.txt", "cautious.txt"]', 'tagger = "none"', *more])
        told.clear()
        return run_task(read_task(str(path)), warn=lambda problem: told.append(str(problem)))

    assert run().rejected == []
    assert [text.partition(" of ")[0] for text in told] == [f"{tmp_path}/raw.txt: punctuation at the end"]
    tokenised = run('tokenise = "source"', "strict = true")
    assert (tokenised.rejected, told) == ([], [])
    signature = tokenised.scores[0].scores[0][0].signature
    assert "| tokenised by source:ptb |" in signature
    assert any(signature in note for note in tokenised.tables["ranking"].shown.notes)
    (item,) = run("strict = true").rejected
    assert (item.team, item.problems[0].severity) == ("raw", "error")
    assert item.problems[0].message.startswith("punctuation at the end of ")
    with pytest.raises(FormatError, match=r"task.toml:4: tokenise: there is no tokeniser 'sauce'; choose from source"):
        run('tokenise = "sauce"')
    with pytest.raises(InputError, match="strict must be true or false"):
        run("strict = 1")


def test_long_texts_are_checked_in_samples(
    gold: Corpus, raw: list[str], shifted: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(scoring_command, "_LONG", 0)
    source = write(tmp_path / "a.src", [sentence.text for sentence in gold])
    names = [write(tmp_path / "raw.txt", raw), write(tmp_path / "shifted.txt", shifted)]
    score = ["score", str(source), "-r", SYSTEMS[0], *map(str, names), SYSTEMS[1]]
    assert main(score) == 0
    err = capsys.readouterr().err
    assert err.count("errata: warning: ") == 2
    assert "raw.txt: punctuation at the end of " in err
    assert "shifted.txt:42: from here on 2" in err
    assert "(found in the last 1,000 sentences of a part)" in err
    assert main([*score, "--strict"]) == 2
    assert main(["evidence", *score[1:], "-o", str(tmp_path / "counts"), "--strict"]) == 2
    assert not (tmp_path / "counts" / "manifest.json").exists()


@pytest.mark.realdata
def test_outputs_of_conll14_and_jfleg_are_not_warned_of(data: Path) -> None:
    gold = errata.read(data / "conll14" / "gold" / "official-2014.combined.m2")
    checks = OutputChecks(gold)
    outputs = {
        path.stem: errata.read_system(path)
        for folder in ("systems", "modern")
        for path in sorted((data / "conll14" / folder).glob("*.txt"))
    }
    assert len(outputs) == 12
    assert {name: checks.find(system) for name, system in outputs.items()} == {name: [] for name in outputs}
    amu = outputs["AMU"].sentences
    for moved, line in (((("x",), *amu[:-1]), 2), ((*amu[:1300], ("x",), *amu[1300:-1]), 1302)):
        (finding,) = checks.find(System("moved", moved))
        assert (finding.kind, finding.line) == ("shifted", line)
    jfleg = errata.read(data / "jfleg" / "dev.src", references=[data / "jfleg" / "dev.ref0"])
    own = OutputChecks(jfleg)
    for path in [*sorted((data / "jfleg" / "systems").glob("*.txt")), *sorted((data / "jfleg").glob("dev.ref*"))]:
        assert own.find(errata.read_system(path)) == []


@pytest.mark.parametrize("mark", ["\u3002", "\uff1f", "\u061f", "\u0964"])
def test_marks_of_other_scripts_are_punctuation(mark: str) -> None:
    gold = Corpus(tuple(Sentence.of(f"x{number} y z {mark}") for number in range(5)), path="gold.m2")
    kinds = [finding.kind for finding in OutputChecks(gold).find(System.of("raw", [f"x{number} y z{mark}" for number in range(5)]))]
    assert kinds == ["untokenised"]
    assert not OutputChecks(gold).find(System.of("same", [f"x{number} y z {mark}" for number in range(5)]))
