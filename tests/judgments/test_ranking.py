"""Systems ranked by judgments: expected wins, TrueSkill, Bradley-Terry, intervals and clusters."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata import RequestError, UsageError
from errata.studies.judgments import (
    HumanJudgments,
    RankedOutput,
    RankingItem,
    RankingReplicates,
    WinCounts,
    compute_expected_wins,
    compute_true_skill,
    count_wins,
    fit_strengths,
    rank_by_judgments,
    read_judgments,
)
from errata.studies.judgments.ranking import _play, _Players

EXAMPLE = "examples/judgments/rankings.tsv"


def make_item(sentence: int, ranks: dict[str, int], judge: str = "anna") -> RankingItem:
    return RankingItem(sentence, judge, tuple(RankedOutput((name,), rank) for name, rank in ranks.items()), None, "", 0)


def simulate(strengths: dict[str, float], sentences: int, random: np.random.Generator) -> HumanJudgments:
    """Rank pairs by the model of Bradley and Terry."""
    names = sorted(strengths)
    items = []
    for sentence in range(sentences):
        for one, other in ((0, 1), (0, 2), (1, 2)):
            wins = random.random() < 1 / (1 + math.exp(strengths[names[other]] - strengths[names[one]]))
            items.append(make_item(sentence, {names[one]: 1 if wins else 2, names[other]: 2 if wins else 1}))
    return HumanJudgments(tuple(items))


def test_expected_wins_of_a_table_by_hand() -> None:
    """A beats B in 2 of 3 and C in 1 of 1; ties do not count."""
    items = [make_item(1, {"A": 1, "B": 2, "C": 2}), make_item(2, {"A": 1, "B": 2}), make_item(3, {"A": 2, "B": 1})]
    counts = count_wins(items, ("A", "B", "C"))
    assert counts.wins == ((0, 2, 1), (1, 0, 0), (0, 0, 0))
    assert counts.ties == ((0, 0, 0), (0, 0, 1), (0, 1, 0))
    assert counts.share(0, 1) == 2 / 3
    assert counts.share(1, 2) is None
    assert compute_expected_wins(np.array(counts.wins, float)).tolist() == pytest.approx([5 / 6, 1 / 3, 0])


def test_circles_are_found_in_their_direction() -> None:
    items = [make_item(1, {"A": 1, "B": 2}), make_item(2, {"B": 1, "C": 2}), make_item(3, {"C": 1, "A": 2})]
    assert count_wins(items, ("A", "B", "C")).list_cycles() == [("A", "B", "C")]
    other = [make_item(1, {"A": 2, "B": 1}), make_item(2, {"B": 2, "C": 1}), make_item(3, {"C": 2, "A": 1})]
    assert count_wins(other, ("A", "B", "C")).list_cycles() == [("A", "C", "B")]
    assert count_wins(items[:2], ("A", "B", "C")).list_cycles() == []


def test_a_match_and_a_draw_have_the_published_values() -> None:
    """Players of the default settings of TrueSkill (mu 25, sigma 25/3, beta 25/6, draws 10%), with tau 25/300 added before the match."""
    new, sigma = np.array([25.0]), np.array([math.hypot(25 / 3, 25 / 300)])
    start = _Players(new, sigma, new, sigma)
    drawn = _play(start, np.array([0]), 25 / 6, 0.1)
    assert [round(float(value[0]), 3) for value in drawn] == [25.0, 6.458, 25.0, 6.458]
    lost = _play(start, np.array([-1]), 25 / 6, 0.1)
    assert [round(float(value[0]), 3) for value in lost] == [20.604, 7.171, 29.396, 7.171]


def test_trueskill_is_the_same_for_the_same_seed_and_orders_the_example() -> None:
    judgments = read_judgments(EXAMPLE)
    counts = count_wins(judgments.items, judgments.systems)
    played: list[int] = []
    mu = compute_true_skill(counts, runs=20, seed=3, progress=played.append)
    assert np.array_equal(mu, compute_true_skill(counts, runs=20, seed=3))
    assert not np.array_equal(mu, compute_true_skill(counts, runs=20, seed=4))
    assert sum(played) == 504 + 1
    assert [judgments.systems[index] for index in np.argsort(-mu.mean(axis=0))] == ["eager", "cautious", "INPUT", "rewriter"]


def test_a_system_that_met_nobody_has_no_trueskill() -> None:
    counts = count_wins([make_item(1, {"A": 1, "B": 2}), make_item(2, {"C": 1})], ("A", "B", "C"))
    assert np.isnan(compute_true_skill(counts, runs=2)).tolist() == [[False, False, True]] * 2
    with pytest.raises(RequestError, match="no pair of systems"):
        compute_true_skill(WinCounts(("A",), ((0,),), ((0,),)))


@given(st.lists(st.lists(st.integers(1, 20), min_size=4, max_size=4), min_size=4, max_size=4))
def test_strengths_satisfy_the_equations_of_the_maximum(rows: list[list[int]]) -> None:
    """Wins that are expected by the model are those that were counted."""
    wins = np.array(rows)
    np.fill_diagonal(wins, 0)
    strengths = fit_strengths(wins, list("ABCD"))
    chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    assert ((wins + wins.T) * chances).sum(axis=1) == pytest.approx(wins.sum(axis=1) + np.diag(wins + wins.T) / 2, abs=1e-6)
    assert strengths.sum() == pytest.approx(0, abs=1e-9)


def test_strengths_that_would_be_infinite_are_refused() -> None:
    with pytest.raises(RequestError, match="'B' only wins, or only loses"):
        fit_strengths(np.array([[0, 3, 1], [0, 0, 0], [1, 0, 0]]), ["A", "B", "C"])


def test_ranking_of_the_example() -> None:
    judgments = read_judgments(EXAMPLE)
    ranking = rank_by_judgments(judgments)
    assert [row.system for row in ranking] == ["eager", "cautious", "INPUT", "rewriter"]
    assert [row.rank for row in ranking] == [1, 2, 3, 4]
    assert all(row.low is not None and row.high is not None and row.low < row.score < row.high for row in ranking)
    assert all(row.best_rank <= row.rank <= row.worst_rank for row in ranking)
    assert ranking.rows()[0]["system"] == "eager"
    assert rank_by_judgments(judgments) == ranking
    assert [row.system for row in rank_by_judgments(judgments, "bradley-terry")] == [row.system for row in ranking]


def test_without_replicates_there_are_no_intervals() -> None:
    ranking = rank_by_judgments(read_judgments(EXAMPLE), "expected-wins", RankingReplicates(replicates=0))
    assert {row.low for row in ranking} == {None}


def test_equal_systems_share_rank_and_cluster() -> None:
    items = [make_item(number, {"A": 1 + number % 2, "B": 2 - number % 2, "C": 3}) for number in range(40)]
    ranking = rank_by_judgments(HumanJudgments(tuple(items)))
    assert [(row.system, row.rank, row.cluster) for row in ranking] == [("A", 1, 1), ("B", 1, 1), ("C", 3, 2)]


def test_what_cannot_be_ranked_is_refused() -> None:
    tied = HumanJudgments((make_item(1, {"A": 1, "B": 1}), make_item(2, {"A": 1, "B": 1})))
    with pytest.raises(RequestError, match="A, B: all pairs with other systems are ties"):
        rank_by_judgments(tied)
    with pytest.raises(RequestError, match=r"two or more of what is resampled \(judge\), found 1"):
        rank_by_judgments(tied, "expected-wins", RankingReplicates(resample="judge"))
    with pytest.raises(UsageError, match="unknown ranking 'elo'"):
        rank_by_judgments(tied, "elo")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="unknown unit 'word'"):
        rank_by_judgments(tied, "expected-wins", RankingReplicates(resample="word"))  # type: ignore[arg-type]


def test_intervals_cover_the_truth() -> None:
    """Of 300 simulated campaigns, intervals of 95% contain the true expected wins in 93% to 97%, within the noise of three systems."""
    strengths = {"A": 0.5, "B": 0.0, "C": -0.5}
    chance = {
        (one, other): 1 / (1 + math.exp(strengths[other] - strengths[one])) for one in strengths for other in strengths if one != other
    }
    truth = {one: (sum(chance[one, other] for other in strengths if one != other)) / 2 for one in strengths}
    random = np.random.default_rng(5)
    covered = total = 0
    for seed in range(300):
        for row in rank_by_judgments(simulate(strengths, 120, random), "expected-wins", RankingReplicates(replicates=400, seed=seed)):
            assert row.low is not None
            assert row.high is not None
            covered += row.low <= truth[row.system] <= row.high
            total += 1
    assert 0.93 <= covered / total <= 0.97
