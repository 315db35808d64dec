"""Scores relative to those of a perfect corrector."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from errata import Corpus, Edit, RequestError, Sentence, UsageError, metric, read
from errata.cli import main
from errata.corpus.corpus import Annotation
from errata.corpus.tokenisation import tokenise_as_conll
from errata.studies.coverage import (
    CorrectedSentence,
    Coverage,
    MatchRule,
    correct_accuracy,
    estimate_sentences,
    read_corrections,
)
from errata.studies.coverage.perfect import GoldShape, PerfectCorrector, RelativeSettings, _fingerprint, compute_perfect_score

TABLE = "examples/corrections.tsv"
GOLD, SYSTEMS = "examples/learner.m2", ["examples/systems/cautious.txt", "examples/systems/eager.txt"]


def test_the_shape_of_a_corpus() -> None:
    edit = Edit(0, 1, ("x",))
    corpus = Corpus((Sentence.of("a b", [edit], []), Sentence.of("c d", [], []), Sentence.of("e f", [edit]), Sentence(("g",))))
    assert GoldShape.of(corpus) == GoldShape(sentences=4, without_errors=2, references=1, as_usual=2)
    assert GoldShape.of(read(GOLD)) == GoldShape(72, 12, 2, 65)
    with pytest.raises(RequestError, match="needs a gold with errors, found none"):
        GoldShape.of(Corpus((Sentence(("a",), (Annotation("0"),)),)))
    with pytest.raises(RequestError, match="needs a gold with sentences, found none"):
        GoldShape.of(Corpus(()))


def test_accuracy_is_corrected_for_coverage() -> None:
    """Equations 3 to 6: a system that is right in a share of sentences is expected to score that share of the perfect accuracy."""
    sentences = read_corrections(TABLE)
    coverage = Coverage(tuple(item.distribution for item in estimate_sentences(sentences, MatchRule("exact", "words"))))
    shape = GoldShape(sentences=100, without_errors=20, references=3, as_usual=100)
    perfect = compute_perfect_score(metric("accuracy(normalise=words)"), shape, sentences, TABLE)
    assert perfect.value == pytest.approx(1 - 0.8 * (1 - coverage.accuracy(3)))
    assert perfect.simulations == 0
    for true in (0.2, 0.7, 1.0):
        bias = true * 0.8 * (1 - coverage.accuracy(3))
        assert perfect.relate(true - bias) == pytest.approx(true)
        assert correct_accuracy(true - bias, coverage.accuracy(3), needed=0.8) == pytest.approx(true)
    assert "references=3,test_size=100,error_free=20,tokenise=false,estimate=unseenest | corrections corrections.tsv" in perfect.signature
    assert correct_accuracy(0.5, 0.0) is None
    with pytest.raises(UsageError, match="coverage must be a number from 0 to 1, found 2"):
        correct_accuracy(0.5, 2)


def test_which_metrics_only_match_sentences() -> None:
    assert MatchRule.of(metric("accuracy(normalise=case)")) == MatchRule("exact", "case")
    assert MatchRule.of(metric("indexmatch(positions=formal)")) == MatchRule("index", "words2016", "formal")
    assert MatchRule.of(metric("maxmatch")) is None


@pytest.mark.parametrize("name", ["maxmatch", "imeasure(references=single)"])
def test_other_metrics_are_simulated(name: str) -> None:
    sentences = read_corrections(TABLE)
    shape = GoldShape(50, 10, 2, 50)
    steps: list[int] = []
    settings = RelativeSettings(simulations=7, seed=3, scored=100)
    perfect = compute_perfect_score(metric(name), shape, sentences, TABLE, settings, steps.append)
    corrector = PerfectCorrector(sentences, name, scored=100)
    assert perfect.value == corrector.simulate(2, sentences=50, without_errors=10, simulations=7, seed=3).mean
    assert sum(steps) == 1_000
    assert "references=2,test_size=50,error_free=10,simulations=7,seed=3,exclude_self=false,tokenise=false" in perfect.signature
    assert perfect.relate(perfect.value / 2) == pytest.approx(0.5)


def test_a_perfect_score_that_is_not_above_zero() -> None:
    """Nobody agrees, so I-measure calls everybody worse than the source."""
    sentences = [CorrectedSentence("1", "a b c d", {f"x{number} y{number} z{number} d": 1 for number in range(30)})]
    perfect = compute_perfect_score(
        metric("imeasure"), GoldShape(10, 0, 1, 10), sentences, "t.tsv", RelativeSettings(5, others=True, scored=50)
    )
    assert perfect.value < 0
    assert perfect.relate(0.5) is None
    assert "undefined, because a perfect corrector is expected to score -" in str(perfect)


def test_too_few_others() -> None:
    with pytest.raises(RequestError, match="t: an output has at most 1 reference by others, but the gold has 2 references"):
        compute_perfect_score(
            metric("maxmatch"), GoldShape(5, 0, 2, 5), [CorrectedSentence("1", "a", {"b": 2})], "t", RelativeSettings(others=True)
        )


def test_fingerprints_are_of_content() -> None:
    one, other = CorrectedSentence("1", "a", {"b": 2}), CorrectedSentence("2", "a", {"b": 2})
    assert _fingerprint([one]) == _fingerprint([other])
    assert _fingerprint([one]) != _fingerprint([CorrectedSentence("1", "a", {"b": 3})])


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["score", GOLD, *SYSTEMS, "--relative-to", TABLE]
    assert main([*arguments, "--simulations", "20", "--seed", "5"]) == 0
    captured = capsys.readouterr()
    assert "Relative: divided by " in captured.out
    assert "with 2 references (mean of 20 test sets of 72 sentences, 12 without errors); it can be above 100." in captured.out
    assert "a perfect corrector with 2 references, as in 65 of 72 sentences" in captured.err
    assert main([*arguments, "--simulations", "20", "--seed", "5", "--format", "json"]) == 0
    for entry in json.loads(capsys.readouterr().out)["scores"]:
        own = entry["relative"]
        assert own["value"] == pytest.approx(entry["value"] / own["perfect"])
        assert (own["references"], own["simulations"]) == (2, 20)
    assert main([*arguments, "-m", "accuracy", "-m", "maxmatch", "--simulations", "5", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["metric"] for row in rows] == ["accuracy", "accuracy", "maxmatch", "maxmatch"]
    assert all(float(row["relative"]) == pytest.approx(float(row["value"]) / float(row["perfect"])) for row in rows)
    assert main([*arguments, "-m", "accuracy", "-m", "maxmatch", "--simulations", "5"]) == 0
    out = capsys.readouterr().out
    assert "Relative Accuracy: accuracy corrected for coverage: divided by" in out
    assert "Relative F0.5: divided by" in out


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--simulations", "5"], 2, "--simulations needs --relative-to, which simulates test sets"),
        (["--seed", "5"], 2, "--seed needs --confidence, which adds intervals, or --relative-to, which simulates test sets"),
        (["--relative-to", TABLE, "--by-type"], 2, "--by-type cannot be combined with --relative-to"),
        (["--relative-to", TABLE, "--per-sentence"], 2, "only JSON has both"),
        (["--relative-to", TABLE, "-m", "accuracy", "--simulations", "5"], 2, "--simulations cannot be combined with accuracy"),
        (["--relative-to", GOLD], 1, "an output has at most 1 reference by others, but the gold has 2 references"),
    ],
)
def test_bad_requests(arguments: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", GOLD, *SYSTEMS, *arguments]) == status
    assert message in capsys.readouterr().err


@pytest.mark.realdata
def test_systems_of_2014(data: Path) -> None:
    """The gold has two references and 136 sentences without errors, as the paper says; a perfect corrector scores about .45."""
    shape = GoldShape.of(read(data / "conll14" / "gold" / "official-2014.combined.m2"))
    assert shape == GoldShape(sentences=1312, without_errors=136, references=2, as_usual=1312)
    sentences = read_corrections(data / "crowd" / "crowd_corrections.tsv")
    perfect = compute_perfect_score(
        metric("maxmatch"), shape, sentences, "crowd", RelativeSettings(simulations=100, tokenise=tokenise_as_conll)
    )
    assert perfect.value == pytest.approx(0.455, abs=0.02)
    accuracy = compute_perfect_score(metric("accuracy(normalise=words2016)"), shape, sentences, "crowd")
    assert accuracy.value == pytest.approx((136 + 1176 * 0.2233) / 1312, abs=1e-4)


def test_both_lines_of_figure_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chart = tmp_path / "c.svg"
    assert main(["coverage", TABLE, "--chart", str(chart)]) == 0
    assert all(name in chart.read_text() for name in ("exact match", "index match", "references may repeat", "all different"))
    assert main(["coverage", TABLE, "--match", "exact", "--chart", str(chart)]) == 0
    assert "index match" not in chart.read_text()
    table = tmp_path / "t.tsv"
    table.write_text("sentence\tcorrection\tcount\n1\ta\t20\n1\tb\t5\n")
    assert main(["coverage", str(table), "--chart", str(chart)]) == 0
    assert "the chart has no line for index match, which needs the source of every sentence" in capsys.readouterr().err
