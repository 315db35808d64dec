"""Draws of true scores have the distribution that their model says."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from errata.studies.meta import systems as hierarchical
from errata.studies.meta.systems import _choose_prior, _count_varying_sentences, _draw_true_scores, compute_many

from thoroughness import often

Array = NDArray[np.float64]


def weigh_by_prior(true: Array) -> Array:
    """The density of the covariances between systems, integrated out: |scale + X X'| to the power of minus half the degrees."""
    lists, size = true.shape[1:]
    freedom, scale = _choose_prior(lists, size)
    density = np.linalg.det(scale * np.eye(lists) + true @ true.swapaxes(1, 2)) ** (-freedom / 2)
    weights: Array = density / density.sum()
    return weights


@pytest.mark.parametrize(("lists", "systems", "sentences"), [(2, 8, 150), (2, 8, 30), (3, 9, 150), (2, 4, 20)])
def test_draws_are_those_of_importance_sampling(lists: int, systems: int, sentences: int) -> None:
    """Noise is a multivariate t around what was observed, and candidates are weighted by the prior."""
    random = np.random.default_rng(11)
    observed = random.standard_normal((lists, systems))
    observed[1:] += observed[0]
    replicates = [own + 0.3 * random.standard_normal((2_000, systems)) for own in observed]
    drawn = _draw_true_scores(list(observed), replicates, sentences, seed=1, draws=often(40_000, 8_000))
    assert drawn is not None
    contrasts = np.linalg.qr(np.column_stack([np.ones(systems), np.eye(systems)[:, 1:]]))[0][:, 1:]
    scales = observed.std(axis=1, ddof=1)
    covariances = np.cov(np.hstack([own / scale @ contrasts for own, scale in zip(replicates, scales, strict=True)]).T)
    known = 2 / (1 / (sentences - 1) + 1 / 1_999)
    freedom = max(known - len(covariances) + 1, 1)
    evened = hierarchical._even_out(covariances, lists) * known / freedom
    count = 200_000
    noise = random.multivariate_normal(np.zeros(len(evened)), evened, count) / np.sqrt(random.chisquare(freedom, (count, 1)) / freedom)
    candidates = ((observed / scales[:, None] @ contrasts).ravel() + noise).reshape(count, lists, systems - 1)
    weights = weigh_by_prior(candidates)
    assert 1 / (weights**2).sum() > 2_000  # so many unweighted candidates would say as much
    expected = compute_many("pearson", candidates[:, 1] @ contrasts.T, candidates[:, 0] @ contrasts.T)
    order = np.argsort(expected)
    found = compute_many("pearson", drawn[:, 1], drawn[:, 0])
    for share in (0.025, 0.25, 0.5, 0.75, 0.975):
        quantile = expected[order][np.searchsorted(weights[order].cumsum(), share)]
        assert float((found <= quantile).mean()) == pytest.approx(share, abs=often(15, 30) / 1_000)


def test_few_sentences_make_wide_intervals() -> None:
    """Not only because noise is large: its size is known less well."""
    random = np.random.default_rng(12)
    observed = list(np.array([[0.0, 1, 2, 3, 4, 5], [1.0, 0, 3, 2, 5, 4]]))
    replicates = [own + 0.5 * random.standard_normal((1_000, 6)) for own in observed]
    widths = []
    for sentences in (8, 20, 1_000):
        drawn = _draw_true_scores(observed, replicates, sentences, seed=1, draws=4_000)
        assert drawn is not None
        widths.append(float(np.ptp(np.quantile(compute_many("pearson", drawn[:, 1], drawn[:, 0]), [0.025, 0.975]))))
    assert widths[0] > widths[1] > widths[2]


def test_scores_without_noise_stay_as_they_are() -> None:
    """Such as those of people in a table."""
    random = np.random.default_rng(13)
    observed = list(random.standard_normal((2, 7)))
    drawn = _draw_true_scores(observed, [np.tile(observed[0], (500, 1)), observed[1] + 0.3 * random.standard_normal((500, 7))], 100)
    assert drawn is not None
    centred = observed[0] - observed[0].mean()
    assert np.allclose(drawn[:, 0] * observed[0].std(ddof=1), centred, atol=0.01)
    assert drawn[:, 1].std(axis=0).min() > 0.05


def test_sentences_without_judgments_say_nothing_about_noise() -> None:
    scores = np.array([0.5, 0.25, 1 / 3])
    every, some, none = (np.tile(scores, (10, 1)) for _ in range(3))
    every[:, 1] += 0.01
    some[:4, 2] -= np.arange(1, 5) / 1_000
    some[4:] += 1e-17
    assert _count_varying_sentences([scores, scores], [every, some]) == 4
    assert _count_varying_sentences([scores, scores], [none, every]) == 10
    assert _count_varying_sentences([scores], [none]) == 0
    with_nan = every.copy()
    with_nan[0] = np.nan  # all depends on this sentence
    assert _count_varying_sentences([scores], [with_nan]) == 9
