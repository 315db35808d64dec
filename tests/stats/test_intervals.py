"""Confidence intervals from evidence alone."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats as scipy_stats

import errata
from errata import (
    Bootstrap,
    Corpus,
    Edit,
    Evaluator,
    RequestError,
    Sentence,
    System,
    UsageError,
    compute_intervals,
    read,
    read_system,
    score,
)
from errata.cli import main
from errata.metrics import METRICS
from errata.scoring import Evidence
from errata.stats.resampling import resample_sums

from thoroughness import some

GOLD, EAGER = "examples/learner.m2", "examples/systems/eager.txt"
METRIC_VARIANTS = [
    "maxmatch",
    "maxmatch(beta=1.0,choice=optimal)",
    "imeasure",
    "imeasure(per=corpus)",
    "gleu(variant=expected_counts)",
    "gleu(variant=best_reference,order=2)",
    "hoo",
    "hoo(score=detection,bonus=true)",
    "errant(gold=raw,alignment=lev,merge=all-split)",
    "accuracy",
    "indexmatch",
]


def test_every_metric_is_tried() -> None:
    assert {errata.metric(text).name for text in METRIC_VARIANTS} == {name for name, metric in METRICS.items() if not metric.referenceless}


@pytest.mark.parametrize("metric", METRIC_VARIANTS)
def test_many_values_are_the_values(gold: Corpus, systems: dict[str, System], metric: str) -> None:
    """What the bootstrap computes with arrays is what the metric says of each sum of counts."""
    for system in systems.values():
        evidence = score(gold, system, metric).evidence
        sums = resample_sums([evidence.matrix], Bootstrap(replicates=100))[0]
        expected = [evidence.metric.value(tuple(int(count) for count in row)) for row in sums]
        assert evidence.metric.values(sums) == pytest.approx(expected, abs=1e-12)
        nothing = np.zeros((1, len(evidence.metric.columns)))
        assert evidence.metric.values(nothing)[0] == pytest.approx(evidence.metric.value((0,) * nothing.shape[1]))


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_against_scipy(gold: Corpus, systems: dict[str, System], method: str) -> None:
    """SciPy makes the same interval from the same replicates."""
    evidence = score(gold, systems["eager"]).evidence
    settings = Bootstrap(0.9, method, 2000, 7)  # type: ignore[arg-type]
    (found,) = compute_intervals([evidence], settings)
    counts = evidence.matrix
    values = evidence.metric.values(resample_sums([counts], settings)[0])

    def f_of(indices: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.asarray(evidence.metric.values(counts[indices].sum(axis=-2 if axis == -1 else axis)))

    drawn = scipy_stats.bootstrap(
        (np.arange(len(counts)),),
        f_of,
        n_resamples=0,
        method=method,
        confidence_level=0.9,
        vectorized=True,
        bootstrap_result=_Given(values),
    )
    assert (found.low, found.high) == pytest.approx((drawn.confidence_interval.low, drawn.confidence_interval.high), abs=1e-12)


class _Given:
    """Replicates that SciPy takes as its own."""

    def __init__(self, values: np.ndarray) -> None:
        self.bootstrap_distribution = values


def test_a_sample_of_its_own_is_near(gold: Corpus, systems: dict[str, System]) -> None:
    """SciPy's own resampling gives about the same."""
    evidence = score(gold, systems["rewriter"]).evidence
    counts = evidence.matrix

    def f_of(correct: np.ndarray, proposed: np.ndarray, wanted: np.ndarray) -> float:
        return evidence.metric.value((int(correct.sum()), int(proposed.sum()), int(wanted.sum())))

    drawn = scipy_stats.bootstrap(tuple(counts.T), f_of, paired=True, vectorized=False, n_resamples=3000, rng=1, method="BCa")
    (found,) = compute_intervals([evidence])
    assert (found.low, found.high) == pytest.approx(tuple(drawn.confidence_interval), abs=0.01)


def test_the_same_seed_gives_the_same_numbers(gold: Corpus, systems: dict[str, System]) -> None:
    """Alone or together with others, because systems share the replicates."""
    evaluate = Evaluator(gold)
    evidence = [evaluate(system).evidence for system in systems.values()]
    together = compute_intervals(evidence, Bootstrap(seed=3))
    assert together == [compute_intervals([item], Bootstrap(seed=3))[0] for item in evidence]
    assert together[0] == evaluate(systems["cautious"]).interval(Bootstrap(seed=3))
    assert together != compute_intervals(evidence, Bootstrap(seed=4))


def test_i_may_be_negative(gold: Corpus, systems: dict[str, System]) -> None:
    found = score(gold, systems["rewriter"], "imeasure").interval()
    assert -1 <= found.low < -0.57 < found.high < 0


def test_a_perfect_system_has_no_doubt() -> None:
    gold = Corpus(tuple(Sentence.of(f"a{k} b", [Edit(0, 1, ("x",))]) for k in range(5)))
    found = score(gold, ["x b"] * 5).interval()
    assert (found.low, found.high) == (1, 1)


def test_a_wider_level_is_wider(gold: Corpus, systems: dict[str, System]) -> None:
    result = score(gold, systems["eager"])
    narrow, wide = result.interval(Bootstrap(0.5)), result.interval(Bootstrap(0.99))
    assert wide.low < narrow.low < result.value < narrow.high < wide.high


def test_one_sentence_is_refused() -> None:
    gold = Corpus((Sentence.of("a b", [Edit(0, 1, ("x",))]),))
    with pytest.raises(RequestError, match="an interval needs two sentences or more, found 1"):
        score(gold, ["x b"]).interval()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"level": 1.0}, "between 0 and 1"),
        ({"level": 0.0}, "between 0 and 1"),
        ({"level": float("nan")}, "between 0 and 1"),
        ({"replicates": 0}, "replicates must be a whole number from 100 to 1,000,000, found 0"),
        ({"method": "t"}, "unknown kind of interval 't'; choose from bca, percentile"),
        ({"seed": -1}, "a seed must be a whole number from 0, found -1"),
    ],
)
def test_bad_settings_are_named(settings: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Bootstrap(**settings)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", GOLD, EAGER, "--confidence"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].endswith("95% interval")
    assert out[2].endswith("65.52  [58.87, 71.53]")
    assert out[-1] == "95% intervals: bca, 10,000 replicates of sentences, seed 0"
    assert (
        main(
            [
                "score",
                GOLD,
                EAGER,
                "--confidence",
                "0.9",
                "--interval",
                "percentile",
                "--replicates",
                "500",
                "--seed",
                "4",
                "--format",
                "json",
            ]
        )
        == 0
    )
    interval = json.loads(capsys.readouterr().out)["scores"][0]["interval"]
    assert (interval["level"], interval["method"], interval["replicates"], interval["seed"]) == (0.9, "percentile", 500, 4)
    assert interval["low"] < 0.655 < interval["high"]
    assert main(["score", GOLD, EAGER, "--confidence", "--format", "csv"]) == 0
    (row,) = csv.DictReader(capsys.readouterr().out.splitlines())
    assert float(row["low"]) < float(row["value"]) < float(row["high"])
    assert main(["score", GOLD, EAGER, "-m", "maxmatch", "-m", "imeasure", "--confidence"]) == 0
    assert capsys.readouterr().out.splitlines()[0].count("95% interval") == 2
    assert main(["score", GOLD, EAGER, "--confidence", "2"]) == 2
    assert main(["score", GOLD, EAGER, "--confidence", "--replicates", "0"]) == 2


@pytest.mark.realdata
def test_figure_4_of_choshen_and_abend(data: Path) -> None:
    """From the counts of sentences that the authors released, and from our own MaxMatch: their BCa bounds."""
    with (data / "published" / "authors_bca_intervals.tsv").open(encoding="utf-8", newline="") as file:
        published = {row["name"]: (float(row["F05_low"]), float(row["F05_high"])) for row in csv.DictReader(file, delimiter="\t")}
    gold = read(data / "conll14" / "gold" / "official-2014.combined.m2")
    evaluate = Evaluator(gold, "maxmatch(ignore_case_and_space=true)")
    for name in some(("AMU", "CUUI", "IITB", "IPN", "PKU", "RAC", "UFC"), 3):
        ours = evaluate(read_system(data / "conll14" / "systems" / f"{name}.txt"))
        with (data / "bootstrap" / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
            rows: dict[int, list[tuple[int, ...]]] = {}
            for record in csv.DictReader(file, delimiter="\t"):
                rows.setdefault(int(record["sentence"]), []).append(tuple(int(record[key]) for key in ("correct", "proposed", "gold")))
        released = Evidence(
            ours.metric, gold, name, tuple(tuple(rows[k]) for k in sorted(rows)), tuple(("0",) * len(rows[k]) for k in sorted(rows))
        )
        for evidence in (ours.evidence, released):
            (found,) = compute_intervals([evidence])
            assert (found.low, found.high) == pytest.approx(published[name], abs=0.004), name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seed", "1"], "--seed needs --confidence"),
        (["--replicates", "0"], "--replicates needs --confidence"),
        (["--rechoose", "--by-type"], "--rechoose needs --confidence"),
        (
            ["--confidence", "--per-sentence"],
            "--per-sentence cannot be combined with --confidence: intervals are of whole corpora; only JSON has both",
        ),
        (["--confidence", "0.9999999"], "10,000 replicates are too few for a level of 0.9999999; use at least"),
        (["--confidence", "--interval", "exact", "--rechoose", "-m", "accuracy"], "exact intervals do not resample"),
    ],
)
def test_options_that_would_say_nothing(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", GOLD, EAGER, *arguments]) == 2
    assert message in capsys.readouterr().err


def test_numbers_of_other_libraries_are_numbers() -> None:
    settings = Bootstrap(np.float32(0.9), replicates=np.int64(1000), seed=np.int64(3))  # type: ignore[arg-type]
    assert (settings.replicates, settings.seed) == (1000, 3)
    assert json.dumps({"seed": settings.seed, "level": settings.level})
    with pytest.raises(UsageError, match="a seed must be a whole number"):
        Bootstrap(seed=True)


def test_many_sentences_are_resampled_in_groups() -> None:
    """More than 20,000 units are grouped: about the same intervals, in a time that does not grow."""
    draw = np.random.default_rng(1)
    kinds = [(0, 0, 0), (1, 1, 1), (0, 1, 1), (1, 2, 2), (0, 0, 2)]
    rows = tuple(((kinds[k],)) for k in draw.integers(0, 5, size=30_000))
    evidence = Evidence(errata.metric("maxmatch"), Corpus((Sentence(("a",)),) * 30_000), "x", rows, (("0",),) * 30_000)
    (found,) = compute_intervals([evidence])
    counts = evidence.matrix
    drawn = (counts[draw.integers(0, 30_000, size=30_000)].sum(axis=0)[None, :] for _ in range(300))
    values = [evidence.metric.values(sums)[0] for sums in drawn]
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(values, [2.5, 97.5])), abs=0.002)
