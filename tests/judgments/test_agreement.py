"""Kappa and alpha of judges."""

from __future__ import annotations

import pytest

from errata.studies.judgments import RankedOutput, RankingItem, count_judged_pairs, list_pairs, measure_human_agreement
from errata.studies.judgments.items import _FEWEST_COMPARISONS, compute_alpha


def item(sentence: int, judge: str, **ranks: int) -> RankingItem:
    return RankingItem(sentence, judge, tuple(RankedOutput(tuple(names.split("_")), rank) for names, rank in ranks.items()), None, "", 0)


def test_pairs_of_outputs_and_of_systems() -> None:
    ranked = item(1, "anna", C=1, A_B=2)
    assert [pair[2:] for pair in list_pairs(ranked, "collapsed")] == [("A,B", "C", -1)]
    assert [pair[2:] for pair in list_pairs(ranked, "expanded")] == [("A", "C", -1), ("B", "C", -1), ("A", "B", 0)]
    assert count_judged_pairs([ranked], "expanded") == (3, 1)


def test_kappa_of_a_table_by_hand() -> None:
    """60 comparisons, 45 of them agree; of 120 judgments 75 prefer A and 45 prefer B."""
    items = []
    for number in range(60):
        items.append(item(number, "anna", A=1, B=2) if number < 30 else item(number, "anna", A=2, B=1))
        items.append(item(number, "ben", A=1, B=2) if number < 45 else item(number, "ben", A=2, B=1))
    agreement = measure_human_agreement(items)
    (pair,) = [pair for pair in agreement.pairs if not pair.is_within]
    assert (pair.comparisons, pair.agreeing) == (60, 45)
    chance = (75 / 120) ** 2 + (45 / 120) ** 2
    assert pair.kappa == pytest.approx((45 / 60 - chance) / (1 - chance))
    assert agreement.between == pair.kappa == agreement.with_others("anna")
    assert agreement.within is None
    assert agreement.outliers == ()


def test_judges_agree_with_themselves_and_one_with_nobody() -> None:
    items = []
    for number in range(_FEWEST_COMPARISONS):
        first = number % 2 == 0
        for judge in ("anna", "ben"):
            items += [item(number, judge, A=1 if first else 2, B=2 if first else 1)] * 2
        items.append(item(number, "cleo", A=2 if first else 1, B=1 if first else 2))
    agreement = measure_human_agreement(items)
    assert agreement.within == 1
    assert agreement.with_others("cleo") == pytest.approx(-1)
    assert agreement.outliers == ("cleo",)


def test_pairs_of_judges_with_few_comparisons_are_left_out_of_means() -> None:
    items = [
        item(number, judge, A=1 + (number % 2), B=2 - (number % 2))
        for number in range(_FEWEST_COMPARISONS - 1)
        for judge in ("anna", "ben")
    ]
    agreement = measure_human_agreement(items)
    assert [pair.kappa for pair in agreement.pairs if not pair.is_within] == [1]
    assert agreement.between is None


def test_alpha_of_krippendorff() -> None:
    """The example of Krippendorff (2011), two observers and binary data: 0.095."""
    one, other = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert compute_alpha(list(zip(one, other, strict=True)), lambda a, b: a != b) == pytest.approx(0.095, abs=0.0005)
    assert compute_alpha([[1, 1], [1]], lambda a, b: a != b) is None
    assert compute_alpha([[1], [0]], lambda a, b: a != b) is None
