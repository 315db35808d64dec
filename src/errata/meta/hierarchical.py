"""Draws of the true scores of systems, given noisy ones: a hierarchical model.

Scores by people and by metrics are noisy, and noise lowers a correlation.  In a replicate of the bootstrap noise is added a second time, so
the correlations of replicates are too low, and intervals made of them cover too little: 85% to 90% instead of 95% with 12 systems.
Here the bootstrap says only how large the noise is (its covariances over systems and scores).  The true scores of the systems, people and
metrics together, are draws from a normal distribution whose covariances are unknown (inverse Wishart, with little weight).  Gibbs
sampling gives draws of the true scores of these systems; the ends of an interval are quantiles of their correlations.
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
_PRIOR_WEIGHT = 0.5
"""The scale of the prior of covariances; scores have the variance 1."""
_EVENNESS = 0.5
"""How far covariances of noise are moved towards those with the same noise for all systems, from 0 to 1."""
_LEAST_NOISE = 1e-6
"""Variance of scores without noise, which keeps matrices regular."""


def draw_true_scores(observed: Sequence[_Array], replicates: Sequence[_Array], seed: int = 0, draws: int = DRAWS) -> _Array | None:
    """Draw true scores, given lists of scores of systems and their replicates (rows): an array of draws, lists and systems.

    Scores are centred and scaled, which does not change correlations.  None if all systems have the same score in a list.
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
    precision = np.linalg.inv(_even_out(np.cov(noise.T), lists) + _LEAST_NOISE * np.eye(noise.shape[1]))
    seen = scores / scales[:, None] @ contrasts
    weighted = precision @ seen.ravel()
    random = np.random.default_rng(seed)
    true, found = np.tile(seen, (_CHAINS, 1, 1)), []
    for step in range(_BURN_IN + -(-draws // _CHAINS)):
        within = np.tile(precision, (_CHAINS, 1, 1))
        blocks = within.reshape(_CHAINS, lists, systems - 1, lists, systems - 1)
        np.einsum("cisjs->csij", blocks)[...] += _draw_precisions(true, random)[:, None]
        factor = np.linalg.cholesky(within)
        noisy = weighted + (factor @ random.standard_normal((_CHAINS, len(weighted), 1)))[..., 0]
        true = np.linalg.solve(within, noisy[..., None]).reshape(true.shape)
        if step >= _BURN_IN:
            found.append(true)
    return np.concatenate(found)[:draws] @ contrasts.T


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


def _draw_precisions(true: _Array, random: np.random.Generator) -> _Array:
    """Draw the inverse of the covariances between systems for each chain; it is Wishart (Bartlett's decomposition)."""
    import numpy as np

    chains, lists, size = true.shape
    freedom = lists + 1 + size
    factor = np.linalg.cholesky(np.linalg.inv(_PRIOR_WEIGHT * np.eye(lists) + true @ true.swapaxes(1, 2)))
    draw = np.tril(random.standard_normal((chains, lists, lists)), -1)
    diagonal = np.arange(lists)
    draw[:, diagonal, diagonal] = np.sqrt(random.chisquare(freedom - diagonal, (chains, lists)))
    root = factor @ draw
    precisions: _Array = root @ root.swapaxes(1, 2)
    return precisions
