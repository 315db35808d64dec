"""Draws of the true scores of systems, given noisy ones: a hierarchical model.

Scores by people and by metrics are noisy, and noise lowers a correlation.  In a replicate of the bootstrap noise is added a second time, so
the correlations of replicates are too low, and intervals made of them cover too little: 85% to 90% instead of 95% with 12 systems.
Here the bootstrap says only how large the noise is (its covariances over systems and scores).  The true scores of the systems, people and
metrics together, are draws from a normal distribution whose covariances are unknown.  Gibbs sampling gives draws of the true scores of
these systems; the ends of an interval are quantiles of their correlations.

Covariances of noise are estimates from some sentences and replicates.  Taken as known they make intervals too narrow, because the inverse
of an estimated covariance matrix is too large, so noise has a t distribution (Sellentin and Heavens 2016): its scale is drawn too.

The prior of the covariances between systems decides on which side an interval misses.  With the usual one (inverse Wishart with one degree
of freedom more than there are lists) correlations of a given set of systems are pulled towards 1 and -1: their density is (1 - r²)^-3.
With minus as many degrees of freedom as lists, and hardly any scale, it is (1 - r²)^-1/2, which is flat in the angle between two lists, on
whose scale noise has the same size everywhere.  With fewer than 2k + 1 systems for k lists there is no such distribution, so the usual
prior is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    _Array = NDArray[np.float64]

DRAWS = 1_000
_CHAINS = 20
"""Independent chains, which are computed together."""
_BURN_IN = 50
_PRIOR_SCALE, _PRIOR_SCALE_OF_FEW = 0.01, 0.5
"""The scale of the prior of covariances, and that for few systems; scores have the variance 1."""
_EVENNESS = 0.5
"""How far covariances of noise are moved towards those with the same noise for all systems, from 0 to 1."""
_LEAST_NOISE = 1e-6
"""Variance of scores without noise, which keeps matrices regular."""


def draw_true_scores(
    observed: Sequence[_Array], replicates: Sequence[_Array], sentences: int, seed: int = 0, draws: int = DRAWS
) -> _Array | None:
    """Draw true scores, given lists of scores of systems and their replicates (rows): an array of draws, lists and systems.

    ``sentences`` is how many were resampled.  Scores are centred and scaled, which does not change correlations.  None if all systems have
    the same score in a list.
    """
    import numpy as np

    largest = [max(float(np.abs(own).max()), np.finfo(float).tiny) for own in observed]  # so that no square overflows
    scores = np.array([own / size for own, size in zip(observed, largest, strict=True)])
    replicates = [own / size for own, size in zip(replicates, largest, strict=True)]
    lists, systems = scores.shape
    scales = scores.std(axis=1, ddof=1)
    if not (scales > 0).all() or not np.isfinite(scores).all():
        return None
    contrasts = _make_contrasts(systems)
    noise = np.concatenate([own / scale @ contrasts for own, scale in zip(replicates, scales, strict=True)], axis=1)
    noise = noise[np.isfinite(noise).all(axis=1)]
    if len(noise) <= noise.shape[1]:
        return None
    covariances = np.cov(noise.T)
    size = int(np.count_nonzero(np.diag(covariances) > _LEAST_NOISE**2))  # scores without noise have no covariances to estimate
    known = _count_known(sentences, len(noise))
    freedom = max(known - size + 1, 1.0)
    precision = np.linalg.inv(_even_out(covariances, lists) * (known / freedom) + _LEAST_NOISE * np.eye(len(covariances)))
    seen = scores / scales[:, None] @ contrasts
    random = np.random.default_rng(seed)
    true, found = np.tile(seen, (_CHAINS, 1, 1)), []
    for step in range(_BURN_IN + -(-draws // _CHAINS)):
        apart = (seen - true).reshape(_CHAINS, -1)
        distances = np.einsum("ci,ij,cj->c", apart, precision, apart)
        scale = 2 * random.standard_gamma((freedom + len(precision)) / 2, _CHAINS) / (freedom + distances)
        within = scale[:, None, None] * precision
        blocks = within.reshape(_CHAINS, lists, systems - 1, lists, systems - 1)
        np.einsum("cisjs->csij", blocks)[...] += _draw_precisions(true, random)[:, None]
        factor = np.linalg.cholesky(within)
        noisy = scale[:, None] * (precision @ seen.ravel()) + (factor @ random.standard_normal((_CHAINS, len(precision), 1)))[..., 0]
        true = np.linalg.solve(within, noisy[..., None]).reshape(true.shape)
        if step >= _BURN_IN:
            found.append(true)
    return np.concatenate(found)[:draws] @ contrasts.T


def _count_known(sentences: int, replicates: int) -> float:
    """Count the degrees of freedom of covariances of noise, which are estimated from sentences by replicates, and then evened out."""
    estimated = 1 / (1 / max(sentences - 1, 1) + 1 / max(replicates - 1, 1))
    return estimated / (1 - _EVENNESS)


def _even_out(covariances: _Array, lists: int) -> _Array:
    """Move covariances of noise towards those with the same noise for all systems, which few sentences estimate better."""
    import numpy as np

    size = len(covariances) // lists
    mean = np.einsum("isjs->ij", covariances.reshape(lists, size, lists, size)) / size
    return (1 - _EVENNESS) * covariances + _EVENNESS * np.kron(mean, np.eye(size))


def _make_contrasts(systems: int) -> _Array:
    """Make an orthonormal basis (columns) of all differences of systems."""
    import numpy as np

    start = np.column_stack([np.ones(systems), np.eye(systems)[:, 1:]])
    basis: _Array = np.linalg.qr(start)[0][:, 1:]
    return basis


def choose_prior(lists: int, size: int) -> tuple[int, float]:
    """Choose the degrees of freedom of covariances between systems, given their scores, and the scale of the prior."""
    if size >= 2 * lists:
        return size - lists, _PRIOR_SCALE
    return size + lists + 1, _PRIOR_SCALE_OF_FEW


def _draw_precisions(true: _Array, random: np.random.Generator) -> _Array:
    """Draw the inverse of the covariances between systems for each chain; it is Wishart (Bartlett's decomposition)."""
    import numpy as np

    chains, lists, size = true.shape
    freedom, scale = choose_prior(lists, size)
    factor = np.linalg.cholesky(np.linalg.inv(scale * np.eye(lists) + true @ true.swapaxes(1, 2)))
    draw = np.tril(random.standard_normal((chains, lists, lists)), -1)
    diagonal = np.arange(lists)
    draw[:, diagonal, diagonal] = np.sqrt(random.chisquare(freedom - diagonal, (chains, lists)))
    root = factor @ draw
    precisions: _Array = root @ root.swapaxes(1, 2)
    return precisions
