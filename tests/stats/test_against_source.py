"""Systems against the source, on the references chosen for the systems."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import errata
from errata.cli import main
from errata.stats import compare_with_source

GOLD, SYSTEMS = "examples/learner.m2", [f"examples/systems/{name}.txt" for name in ("cautious", "eager", "rewriter")]
SETTINGS = errata.Bootstrap(replicates=500)


def waccs(score: errata.Score) -> Any:
    """The WAcc of every sentence of system and source."""
    parts = [item.parts for item in score.sentences]
    return np.array([(part["correction"]["wacc"], part["baseline"]["correction"]["wacc"]) for part in parts])


@pytest.mark.parametrize("metric", ["imeasure", "imeasure(baseline=existing)", "imeasure(per=corpus,w=3)"])
def test_the_t_test_is_that_of_scipy(gold: errata.Corpus, systems: dict[str, errata.System], metric: str) -> None:
    evaluate = errata.Evaluator(gold, metric)
    scores = [evaluate(system) for system in systems.values()]
    for score, found in zip(scores, compare_with_source(scores, "t", "none", SETTINGS), strict=True):
        expected = stats.ttest_rel(*waccs(score).T)
        assert found.t_p == found.comparison.p == pytest.approx(float(expected.pvalue), abs=1e-12)
        assert found.measure == "WAcc"
        assert found.value == pytest.approx(score.parts["correction"]["wacc"])
        assert found.source_value == pytest.approx(score.parts["baseline"]["correction"]["wacc"])
        assert found.comparison.difference == pytest.approx(found.value - found.source_value)
        assert (found.comparison.first, found.comparison.second) == (score.system_name, "source")


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "sign"])
def test_the_source_equals_itself(gold: errata.Corpus, test: Any) -> None:
    unchanged = errata.score(gold, [sentence.text for sentence in gold], "imeasure")
    (found,) = compare_with_source([unchanged], test, bootstrap=SETTINGS)
    assert (found.comparison.p, found.t_p, found.comparison.difference) == (1.0, 1.0, 0.0)
    assert (found.comparison.low, found.comparison.high) == (0.0, 0.0)


def test_a_randomisation_test_swaps_system_and_source(gold: errata.Corpus, systems: dict[str, errata.System]) -> None:
    """With few sentences that differ, p is that of all swaps."""
    score = errata.score(gold.subset("1-12"), systems["cautious"], "imeasure")
    counts = np.array([row[0] for row in score.evidence.rows], dtype=float)
    system, source = counts[:, 4:9], counts[:, 13:18]

    def wacc(sums: Any) -> Any:
        tp, tn, fp, fn, fpn = sums.T
        return (2 * tp + tn) / (2 * (tp + fp) + tn + fn - 1.5 * fpn)

    differing = np.flatnonzero(np.any(system != source, axis=1))
    swaps = np.array([[number >> bit & 1 for bit in range(len(differing))] for number in range(1 << len(differing))])
    moved = swaps @ (system - source)[differing]
    differences = wacc(system.sum(axis=0) - moved) - wacc(source.sum(axis=0) + moved)
    (found,) = compare_with_source([score], bootstrap=errata.Bootstrap(replicates=20_000))
    assert found.comparison.p == pytest.approx(float(np.mean(np.abs(differences) >= abs(differences[0]) - 1e-12)), abs=0.02)


def test_p_values_are_corrected_for_the_number_of_systems(gold: errata.Corpus, systems: dict[str, errata.System]) -> None:
    evaluate = errata.Evaluator(gold, "imeasure")
    scores = [evaluate(system) for system in systems.values()]
    plain, corrected = (compare_with_source(scores, "t", how, SETTINGS) for how in ("none", "holm"))
    assert [item.comparison.corrected_p for item in corrected] == errata.stats.correct_p([item.comparison.p for item in plain], "holm")
    assert [item.t_p for item in plain] == [item.t_p for item in corrected]


def test_documents_can_be_compared(systems: dict[str, errata.System], tmp_path: Path) -> None:
    path = tmp_path / "documents"
    path.write_text("".join(f"{number // 12}\n" for number in range(72)))
    corpus = errata.read(GOLD, documents=path)
    (found,) = compare_with_source(
        [errata.score(corpus, systems["eager"], "imeasure")], bootstrap=errata.Bootstrap(replicates=500, by="document")
    )
    (other,) = compare_with_source([errata.score(corpus, systems["eager"], "imeasure")], bootstrap=SETTINGS)
    assert found.value == other.value
    assert found.t_p != other.t_p


def test_requests_that_cannot_be_met(gold: errata.Corpus, systems: dict[str, errata.System]) -> None:
    score = errata.score(gold, systems["eager"])
    with pytest.raises(errata.RequestError, match="maxmatch does not count the source on the same references, as imeasure does"):
        compare_with_source([score])
    with pytest.raises(errata.UsageError, match="unknown test 'z'"):
        compare_with_source([score], "z")  # type: ignore[arg-type]
    with pytest.raises(errata.UsageError, match="cannot be rechosen"):
        compare_with_source([score], bootstrap=errata.Bootstrap(choice="again"))
    assert compare_with_source([]) == []
    with pytest.raises(errata.RequestError, match="a test needs two sentences or more, found 1"):
        compare_with_source([errata.score(gold.subset("3"), systems["eager"], "imeasure")])


Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str, status: int = 0) -> str:
        assert main(["compare", GOLD, *SYSTEMS, *arguments]) == status
        captured = capsys.readouterr()
        return captured.err if status else captured.out

    return call


def test_the_command_says_what_was_tested(run: Run) -> None:
    options = ["-m", "imeasure", "--against-source", "--replicates", "500"]
    text = run(*options)
    assert text.splitlines()[0].split() == (
        ["System", "I", "WAcc", "Source", "WAcc", "Diff.", "Low", "High", "p", "corrected", "p", "p", "(t", "test)", "Effect", "d"]
    )
    assert "randomisation test, holm correction" in text
    assert "p (t test): two-tailed paired t test of WAcc over sentences, not corrected." in text
    assert "p (t test)" not in run(*options, "--test", "t")
    record = json.loads(run(*options, "--format", "json"))
    rows = list(csv.DictReader(run(*options, "--format", "csv").splitlines()))
    assert (record["against"], record["measure"]) == ("source", "WAcc")
    for entry, row in zip(record["systems"], rows, strict=True):
        assert (entry["system"], entry["t_p"], entry["source_value"]) == (row["system"], float(row["t_p"]), float(row["source_value"]))
    assert "\\begin{tabular}" in run(*options, "--format", "latex")


def test_bad_commands(run: Run) -> None:
    assert "maxmatch does not count the source" in run("--against-source", status=1)
    assert "--rechoose cannot be combined with --against-source" in run("-m", "imeasure", "--against-source", "--rechoose", status=2)
    assert "with 3 systems and Holm's correction" in run(
        "-m", "imeasure", "--against-source", "--replicates", "3000", "--alpha", "0.0009", status=1
    )


@pytest.mark.realdata
def test_systems_of_conll14_against_their_source(data: Path) -> None:
    whole = errata.read(data / "conll14" / "gold" / "official-2014.combined-withalt.m2")
    clear = whole.subset(set(whole.numbers) - set(errata.list_unclear(whole)))
    evaluate = errata.Evaluator(clear, "imeasure(baseline=existing)")
    names = ["UFC", "IITB", "CUUI", "PKU", "AMU", "IPN", "RAC"]
    scores = [evaluate(errata.read_system(data / "conll14" / "systems" / f"{name}.txt")) for name in names]
    found = dict(zip(names, compare_with_source(scores, bootstrap=SETTINGS), strict=True))
    assert found["UFC"].t_p == pytest.approx(0.24, abs=0.005)
    assert found["IITB"].t_p == pytest.approx(0.005, abs=0.0005)
    assert all(found[name].t_p < 0.0001 for name in names[2:])
    assert [name for name in names if found[name].comparison.difference > 0] == ["UFC"]
