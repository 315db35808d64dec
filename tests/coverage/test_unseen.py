"""The distribution of corrections: published estimates, synthetic truths, and what follows in closed form."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from errata import InputError, RequestError, UsageError
from errata.report.charts.coverage import _make_accuracy_lines
from errata.studies.coverage import (
    Coverage,
    Distribution,
    compute_worth,
    count_coverage,
    count_frequencies,
    estimate,
    estimate_classically,
)
from errata.studies.coverage.estimation import _binomial, _compute_standard_error

from thoroughness import often


@pytest.fixture(scope="module")
def published(data: Path) -> dict[str, tuple[tuple[int, ...], Distribution]]:
    """The frequency counts behind the published estimates, and what is estimated from them here."""
    found = {}
    with (data / "crowd" / "unseenest" / "fingerprints_of_published_exact.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            counts = tuple(int(number) for number in row["fingerprint"].split(","))
            found[row["file_prefix"]] = (counts, estimate(counts, row["file_prefix"]))
    return found


@pytest.mark.realdata
def test_table_1(published: dict[str, tuple[tuple[int, ...], Distribution]]) -> None:
    coverage = Coverage(tuple(item for _, item in published.values()))
    assert [coverage.variants(gamma) for gamma in (0, 0.001, 0.01, 0.1)] == pytest.approx([1351.249, 74.340, 8.724, 1.347], rel=5e-4)
    assert [coverage.mass(gamma) for gamma in (0, 0.001, 0.01, 0.1)] == pytest.approx([1, 0.75, 0.5814, 0.3727], abs=5e-4)


@pytest.mark.realdata
def test_all_published_histograms_come_out(data: Path, published: dict[str, tuple[tuple[int, ...], Distribution]]) -> None:
    theirs: dict[str, list[tuple[float, float]]] = {}
    with (data / "crowd" / "unseenest" / "published_output_exact.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            theirs.setdefault(row["file_prefix"], []).append((float(row["frequency"]), float(row["variants"])))
    assert len(theirs) == len(published) == 48
    for name, (_, ours) in published.items():
        frequencies, variants = (np.array(column) for column in zip(*theirs[name], strict=True))
        assert ours.frequencies == pytest.approx(frequencies, rel=1e-6)
        assert np.abs(ours.frequencies * ours.variants - frequencies * variants).sum() / 2 <= 0.001


@pytest.mark.realdata
def test_figure_2(data: Path, published: dict[str, tuple[tuple[int, ...], Distribution]]) -> None:
    coverage = Coverage(tuple(item for _, item in published.values()))
    exact = {1: 0.14117, 2: 0.22541, 5: 0.34632, 10: 0.42264, 20: 0.48664}
    assert {number: coverage.accuracy(number) for number in exact} == pytest.approx(exact, abs=2e-4)
    assert coverage.accuracy(20, distinct=True) == pytest.approx(0.5401, abs=5e-4)
    assert coverage.accuracy(1, distinct=True) == pytest.approx(0.14117, abs=5e-4)
    matches = coverage.matches(20)
    assert (matches.accuracy, matches.deviation) == pytest.approx((0.48664, 0.06388), abs=2e-4)
    assert matches.p_value(24, "greater") == pytest.approx(0.482423, abs=1e-5)
    theirs: dict[str, list[tuple[float, float]]] = {}
    with (data / "crowd" / "unseenest" / "published_output_index.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            theirs.setdefault(row["file_prefix"], []).append((float(row["frequency"]), float(row["variants"])))
    files = Coverage(tuple(Distribution(np.array(rows)[:, 0], np.array(rows)[:, 1]) for rows in theirs.values()))
    expected = {1: 0.18578, 2: 0.29147, 5: 0.43798, 10: 0.53346, 20: 0.61935}
    assert {number: files.accuracy(number) for number in expected} == pytest.approx(expected, abs=2e-4)
    assert files.accuracy(20, distinct=True) == pytest.approx(0.7092, abs=5e-4)
    lines = {
        (line.match, line.references): dict(line.points)
        for match, own in (("exact", coverage), ("index", files))
        for line in _make_accuracy_lines(match, own, 20)
    }
    with (data / "published" / "figure2_accuracy.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            repeated, different = (lines[row["match"], kind][int(row["M"])] for kind in ("references may repeat", "all different"))
            assert repeated == pytest.approx(float(row["closed_form_with_replacement"]), abs=2e-4)
            assert different == pytest.approx(float(row["deterministic_without_replacement"]), abs=5e-4)
            if int(row["M"]) > 1:
                assert repeated == pytest.approx(float(row["authors_sampled_with_replacement"]), abs=0.003)


@pytest.mark.realdata
def test_an_example_of_the_authors_of_the_program(data: Path) -> None:
    """118,396 answers: the objective that was recorded."""
    counts = tuple(int(line) for line in (data / "crowd" / "unseenest" / "upstream_example_input.txt").read_text().split())
    found = estimate(counts, trials=118_396)
    assert len(found.frequencies) == 241
    assert found.objective == pytest.approx(1156.8554, abs=0.01)


SHARES = np.array([0.3, 0.15, 0.1, 0.05, *[0.004] * 100])


def test_a_known_truth() -> None:
    """Of 104 corrections, four of them frequent: the mass above .01 is found, and how many there are at least in its order."""
    draw = np.random.default_rng(3)
    errors = {}
    for answers in (50, 200, 800):
        found = []
        for _ in range(15):
            counts = draw.multinomial(answers, SHARES)
            found.append(estimate(count_frequencies(int(count) for count in counts if count)))
        errors[answers] = abs(float(np.median([item.number_above() for item in found])) - 104)
        assert np.mean([item.mass_above(0.01) for item in found]) == pytest.approx(0.6, abs=0.1)
    assert errors[800] < 15
    assert errors[800] <= errors[50]


def test_counting_has_no_bias_where_the_program_has_some() -> None:
    """The chance that two people agree: pairs of answers give it on average, the linear program more than that."""
    draw = np.random.default_rng(4)
    samples = [[int(count) for count in draw.multinomial(50, SHARES) if count] for _ in range(60)]
    for references in (1, 2, 5, 20):
        truth = float(SHARES @ (1 - (1 - SHARES) ** references))
        counted = [count_coverage(counts, references) for counts in samples]
        assert np.mean([value for value in counted if value is not None]) == pytest.approx(truth, abs=0.02)
    errors = [_compute_standard_error(counts, 5) for counts in samples]
    spread = float(np.std([value for value in (count_coverage(counts, 5) for counts in samples) if value is not None]))
    assert np.mean([error for error in errors if error is not None]) == pytest.approx(spread, rel=0.3)
    estimated = np.mean([estimate(count_frequencies(counts)).coverage(1) for counts in samples])
    assert estimated - float(SHARES @ SHARES) > 0.02


@given(st.lists(st.integers(1, 5), min_size=1, max_size=5), st.integers(0, 6))
def test_counting_is_counting(counts: list[int], references: int) -> None:
    """Against all ways to take one answer and others."""
    from itertools import combinations

    answers = [kind for kind, times in enumerate(counts) for _ in range(times)]
    found = count_coverage(counts, references)
    if references >= len(answers):
        assert found is None
        return
    if len(answers) > 9:
        return
    hits = ways = 0
    for index, own in enumerate(answers):
        for others in combinations(answers[:index] + answers[index + 1 :], references):
            hits += own in others
            ways += 1
    assert found == pytest.approx(hits / ways)


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=6), st.integers(1, 10))
@settings(max_examples=often(50, 25))
def test_closed_forms_are_what_sampling_gives(weights: list[float], references: int) -> None:
    shares = np.array(weights) / sum(weights)
    distribution = Distribution(np.sort(shares), np.ones(len(shares)))
    draw = np.random.default_rng(1)
    own = draw.choice(len(shares), size=4000, p=np.sort(shares))
    others = draw.choice(len(shares), size=(4000, references), p=np.sort(shares))
    assert distribution.coverage(references) == pytest.approx(float(np.mean((others == own[:, None]).any(axis=1))), abs=0.05)


@given(st.integers(1, 60), st.floats(1e-5, 1))
def test_chances_of_being_given(answers: int, chance: float) -> None:
    times = np.arange(1, answers + 3)
    assert _binomial(times, answers, np.array(chance)) == pytest.approx(binom.pmf(times, answers, chance), abs=1e-12)


def test_references_needed() -> None:
    even = Distribution(np.array([0.25]), np.array([4.0]))
    assert even.coverage(1) == pytest.approx(0.25)
    assert even.coverage(0) == 0
    assert Coverage((even,)).references_for(0.25) == 1
    assert even.coverage_of_distinct(4) == 1
    assert even.coverage_of_distinct(2) == pytest.approx(0.5)
    assert Coverage((even, even)).references_for(0.9) == 9
    assert Coverage((Distribution(np.array([1e-12]), np.array([1e12])),)).references_for(0.9) is None
    with pytest.raises(UsageError, match="a target accuracy must be a number between 0 and 1, found 1"):
        Coverage((even,)).references_for(1)


@given(st.integers(5, 199), st.lists(st.integers(1, 3), max_size=3))
@settings(max_examples=often(60, 30), deadline=None)
def test_one_correction_that_nearly_everybody_gives(frequent: int, others: list[int]) -> None:
    """The grid of probabilities then ends at 1."""
    found = estimate(count_frequencies([frequent, *others]))
    for references in (0, 1, 2, 20):
        assert 0 <= found.coverage(references) <= 1 + 1e-9
        assert 0 <= found.coverage_of_distinct(references) <= 1 + 1e-9


@pytest.mark.parametrize("counts", [(0, 0, 0, 0, 1), (2,), (50,), (0, 1), (1, 0, 0, 0, 0, 0, 0, 0, 0, 1)])
def test_odd_samples(counts: tuple[int, ...]) -> None:
    """All answers equal, all different, two of them, one that stands alone."""
    found = estimate(counts)
    assert found.mass_above() == pytest.approx(1)
    assert 0 <= found.coverage(2) <= 1 + 1e-9


def test_classical_estimates() -> None:
    found = estimate_classically((15, 2, 1, 0, 1, 1, 1, 0, 0, 1))
    assert (found.seen, found.answers) == (22, 50)
    assert found.good_turing == pytest.approx(0.7)
    assert found.chao1 == pytest.approx(22 + 15 * 14 / 6)
    assert found.jackknife == pytest.approx(22 + 15 * 49 / 50)


def test_worth_correcting() -> None:
    """Condition 1 of section 3.1, and with a penalty for a wrong correction."""
    assert compute_worth(0.8, 0.5, 0.5) == pytest.approx(0.05)
    assert compute_worth(0.8, 0.5, 0.5, reward=1, penalty=1) == pytest.approx(0.25 - 0.75 - 0.2)
    with pytest.raises(UsageError, match="p_coverage must be a number from 0 to 1, found 2"):
        compute_worth(0.5, 0.5, 2)


def test_bad_input() -> None:
    with pytest.raises(RequestError, match=r"s1: a distribution cannot be estimated from 1 answer$"):
        estimate((1,), "s1")
    with pytest.raises(RequestError, match="s2: a correction may be given at most 4,000 times, found 5,000"):
        estimate(count_frequencies([5000, 1]), "s2")
    with pytest.raises(RequestError, match="a distribution cannot be estimated from 0 answers"):
        estimate(())
    for wrong in (0, -1, 1.5, True):
        with pytest.raises(InputError, match="a whole number from 1, found"):
            count_frequencies([wrong])  # type: ignore[list-item]


def test_a_program_without_a_solution_is_reported_with_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """No sample without a distribution is known, so the solver is replaced."""

    class Failed:
        success = False
        message = "The problem is infeasible."

    monkeypatch.setattr("scipy.optimize.linprog", lambda *_, **__: Failed())
    with pytest.raises(RequestError, match="s7: no distribution was found: The problem is infeasible"):
        estimate((3, 1), "s7")
