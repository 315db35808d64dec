from __future__ import annotations

import pytest

from errata import RequestError, correlate

TABLES_10_AND_11 = {
    # F0.5 of the M2 scorer with mixed annotations, token-level F0.5, and I (Felice and Briscoe 2015)
    "UFC": (14.31, 12.06, 1.35),
    "BASELINE": (0.00, 0.00, 0.00),
    "IITB": (7.31, 6.65, -0.25),
    "SJTU": (18.06, 19.64, -1.16),
    "CUUI": (45.73, 43.27, -2.18),
    "PKU": (29.48, 26.70, -2.38),
    "AMU": (41.80, 37.26, -2.47),
    "UMC": (31.71, 32.50, -2.84),
    "IPN": (7.34, 6.91, -3.04),
    "POST": (35.84, 32.58, -4.18),
    "RAC": (30.28, 24.00, -4.41),
    "CAMB": (40.66, 38.63, -5.15),
    "NTHU": (33.18, 26.93, -5.29),
}


def test_section_3_of_the_paper() -> None:
    """Spearman 0.9835 between F0.5 of edits and of tokens, -0.5330 between F0.5 and I; Pearson -0.5942 between token F0.5 and I."""
    edits, tokens, improvement = ([row[index] for row in TABLES_10_AND_11.values()] for index in range(3))
    both = correlate(edits, tokens)
    assert both.spearman == pytest.approx(0.9835, abs=5e-5)
    assert both.spearman_p is not None
    assert both.spearman_p < 0.01
    assert correlate(edits, improvement).spearman == pytest.approx(-0.5330, abs=5e-5)
    assert correlate(tokens, improvement).pearson == pytest.approx(-0.5942, abs=5e-5)


def test_ties_share_their_rank() -> None:
    assert correlate([1, 2, 2, 3], [1, 2, 2, 3]).spearman == pytest.approx(1)


def test_constant_values_have_no_correlation() -> None:
    found = correlate([1, 1, 1], [1, 2, 3])
    assert (found.spearman, found.pearson_p, found.systems) == (None, None, 3)


def test_too_few_systems_are_refused() -> None:
    with pytest.raises(RequestError, match="a correlation needs 3 systems or more, found 2"):
        correlate([1, 2], [1, 2])
    with pytest.raises(RequestError, match="found 3 and 2 values"):
        correlate([1, 2, 3], [1, 2])
    with pytest.raises(RequestError, match="finite numbers"):
        correlate([1, 2, float("nan")], [1, 2, 3])


def test_p_values_of_few_systems_are_exact() -> None:
    """Of the six orders of three systems two correlate perfectly, in one direction or the other."""
    found = correlate([1, 2, 3], [10, 20, 40])
    assert found.spearman_p == pytest.approx(2 / 6)
    assert found.pearson_p == pytest.approx(2 / 6)
    from scipy import stats

    one, other = [0.1, 0.5, 0.3, 0.9, 0.2], [3.0, 1.0, 2.0, 5.0, 4.0]
    expected = stats.permutation_test(
        (other,), lambda values: stats.spearmanr(one, values).statistic, permutation_type="pairings", n_resamples=10_000
    )
    assert correlate(one, other).spearman_p == pytest.approx(expected.pvalue)
