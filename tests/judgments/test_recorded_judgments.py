"""Published tables of the judgments of Grundkiewicz et al. (2015), Kobayashi et al. (2024) and Napoles et al. (2017)."""

from __future__ import annotations

import csv
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from errata.formats import read_system
from errata.studies.judgments import (
    HumanJudgments,
    compute_expected_wins,
    compute_true_skill,
    count_judged_pairs,
    count_wins,
    join_identical,
    measure_human_agreement,
    read_judgments,
)
from errata.studies.judgments.items import _find_numbering

from thoroughness import some

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.realdata
FILES = {"GJG15": "gjg15.tsv.gz", "edit": "seeda-edit.tsv.gz", "sent": "seeda-sent.tsv.gz"}


@pytest.fixture(scope="module")
def campaigns(data: Path) -> dict[str, HumanJudgments]:
    return {name: read_judgments(data / "judgments" / file) for name, file in FILES.items()}


def test_table_1_of_gjg15(campaigns: dict[str, HumanJudgments]) -> None:
    judgments = campaigns["GJG15"]
    assert (len(judgments.items), judgments.skipped) == (2319 - 13, 13)
    assert count_judged_pairs(judgments.items, "collapsed") == (20_516, 5_694)
    assert count_judged_pairs(judgments.items, "expanded") == (109_098, 59_117)
    published = [(18400, 10166), (13657, 8429), (18912, 9684), (9478, 5539), (17107, 8972), (19313, 9209), (3383, 1593), (8848, 5525)]
    own = [count_judged_pairs([item for item in judgments.items if item.judge == judge], "expanded") for judge in judgments.judges]
    assert own == published


def test_pairs_of_seeda(campaigns: dict[str, HumanJudgments]) -> None:
    assert [count_judged_pairs(campaigns[name].items, "collapsed") for name in ("edit", "sent")] == [(5_347, 1_457), (5_347, 791)]
    assert [count_judged_pairs(campaigns[name].items, "expanded") for name in ("edit", "sent")] == [(33_544, 18_974), (33_544, 15_797)]


@pytest.mark.parametrize(
    ("name", "between", "within", "digits"), [("GJG15", 0.29, 0.46, 2), ("edit", 0.275, 0.620, 3), ("sent", 0.400, 0.717, 3)]
)
def test_agreement(campaigns: dict[str, HumanJudgments], name: str, between: float, within: float, digits: int) -> None:
    agreement = measure_human_agreement(campaigns[name].items)
    assert agreement.between is not None
    assert agreement.within is not None
    assert (round(agreement.between, digits), round(agreement.within, digits)) == (between, within)


def test_kappas_of_all_pairs_of_judges(campaigns: dict[str, HumanJudgments]) -> None:
    """All 36 cells of Table 2b of GJG15 by their rule, written down here a second time: every two judgments are compared one by one."""
    judgments = campaigns["GJG15"]
    about: dict[tuple[object, ...], list[tuple[str, int]]] = {}
    for item in judgments.items:
        for one, other in combinations(sorted(item.outputs, key=lambda output: ",".join(output.systems)), 2):
            outcome = (one.rank > other.rank) - (one.rank < other.rank)
            about.setdefault((item.sentence, one.systems, other.systems), []).append((item.judge, outcome))
    same: dict[tuple[str, ...], list[bool]] = {}
    concerned: dict[tuple[str, ...], dict[tuple[object, ...], str]] = {}
    for key, given in about.items():
        for (index, (judge, outcome)), (place, (other_judge, other_outcome)) in combinations(enumerate(given), 2):
            names = tuple(sorted((judge, other_judge)))
            same.setdefault(names, []).append(outcome == other_outcome)
            concerned.setdefault(names, {}).update({(key, index): f"{outcome}", (key, place): f"{other_outcome}"})
    measured = {row[:2]: row for row in measure_human_agreement(judgments.items).pairs}
    assert len(measured) == 36
    for names, row in measured.items():
        agreements = same.get(names, [])
        assert (row.comparisons, row.agreeing) == (len(agreements), sum(agreements)), names
        if not agreements:
            assert row.kappa is None
            continue
        outcomes = list(concerned[names].values())
        chance = sum((outcomes.count(outcome) / len(outcomes)) ** 2 for outcome in set(outcomes))
        assert row.kappa == pytest.approx((sum(agreements) / len(agreements) - chance) / (1 - chance)), names


def published_scores(data: Path, measure: str) -> list[dict[str, str]]:
    with (data / "expected/metaevaluation/human.tsv").open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file, delimiter="\t") if row["measure"] == measure]


@pytest.mark.parametrize(("name", "measure", "noise"), [("GJG15", "EW", 0.0005), ("edit", "EW_edit", 0.0009), ("sent", "EW_sent", 0.0009)])
def test_expected_wins(data: Path, campaigns: dict[str, HumanJudgments], name: str, measure: str, noise: float) -> None:
    judgments = campaigns[name]
    wins = np.array(count_wins(judgments.items, judgments.systems).wins, float)
    scores = dict(zip(judgments.systems, compute_expected_wins(wins).tolist(), strict=True))
    rows = published_scores(data, measure)
    assert {row["system"]: float(row["computed_from_all_pairs"]) for row in rows} == pytest.approx(scores, abs=5e-7)
    assert {row["system"]: float(row["published"]) for row in rows} == pytest.approx(scores, abs=noise)


def test_expected_wins_of_jfleg(data: Path) -> None:
    judgments = read_judgments(data / "judgments/jfleg-pairs.tsv")
    wins = np.array(count_wins(judgments.items, judgments.systems).wins, float)
    scores = dict(zip(judgments.systems, compute_expected_wins(wins).round(4).tolist(), strict=True))
    assert scores == {"turk": 0.8723, "NMT": 0.5985, "NUS": 0.4979, "AMU": 0.4511, "CAMB": 0.4176, "orig": 0.1626}


TRUESKILL = [("edit", "TS_edit"), ("sent", "TS_sent"), ("GJG15", "TS")]


def test_no_published_ranking_is_left_out(data: Path) -> None:
    with (data / "expected/metaevaluation/human.tsv").open(encoding="utf-8") as file:
        measures = {row["measure"] for row in csv.DictReader(file, delimiter="\t")}
    assert measures == {"EW", "EW_edit", "EW_sent", *(measure for _, measure in TRUESKILL)}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "measure"), some(TRUESKILL, 1))
def test_trueskill(data: Path, campaigns: dict[str, HumanJudgments], name: str, measure: str) -> None:
    """Means of some runs are as far from the published means as the runs vary: 4.5 standard errors and the published digits at most."""
    judgments = campaigns[name]
    runs = compute_true_skill(count_wins(judgments.items, judgments.systems), runs=20)
    published = {row["system"]: float(row["published"]) for row in published_scores(data, measure)}
    assert set(published) == set(judgments.systems)
    error = runs.std(axis=0, ddof=1).max() * (1 / 20 + 1 / 1_000) ** 0.5
    assert error < 0.01
    found = dict(zip(judgments.systems, runs.mean(axis=0).tolist(), strict=True))
    assert found == pytest.approx(published, abs=4.5 * error + 0.0005)


def test_xml_and_table_are_the_same_and_count_from_1_and_0(data: Path, campaigns: dict[str, HumanJudgments]) -> None:
    xml = read_judgments(data / "judgments/seeda-sent.xml")
    assert [(item.sentence - 1, item.judge, item.outputs) for item in xml.items] == [item[:3] for item in campaigns["sent"].items]
    paths = [*sorted((data / "conll14/modern").glob("*.txt")), *sorted((data / "conll14/systems").glob("INPUT*"))]
    outputs = {path.stem: [" ".join(tokens) for tokens in read_system(path).sentences] for path in paths}
    assert _find_numbering(xml, outputs) == (1, 589, (223, 589))
    assert _find_numbering(campaigns["sent"], outputs)[:2] == (0, 589)
    fitted = join_identical(xml, outputs, 1)
    assert (fitted.joined, fitted.contradicting, fitted.different) == (0, 0, 0)


def test_the_numbers_of_gjg15_count_from_0(data: Path, campaigns: dict[str, HumanJudgments]) -> None:
    paths = sorted((data / "conll14/systems").glob("*"))
    outputs = {path.stem: [" ".join(tokens) for tokens in read_system(path).sentences] for path in paths}
    assert _find_numbering(campaigns["GJG15"], outputs)[:2] == (0, 7_385)
