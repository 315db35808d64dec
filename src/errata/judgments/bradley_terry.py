"""Strengths of systems by the model of Bradley and Terry (1952): the log odds of a win are the difference of two strengths.

The maximum of the likelihood is found by Newton's method; ties are ignored, as in expected wins.  Strengths have the mean 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

_MOST_STEPS = 100
_TOLERANCE = 1e-12
_LONGEST_STEP = 2.0


def fit_strengths(wins: NDArray[np.int64], systems: Sequence[str]) -> NDArray[np.float64]:
    """Fit the strengths of systems to their wins against each other.

    They exist if every system can be reached from every other through wins; else :class:`RequestError` names a system without them.

    >>> import numpy as np
    >>> fit_strengths(np.array([[0, 3], [1, 0]]), ["a", "b"]).round(4).tolist()
    [0.5493, -0.5493]
    """
    import numpy as np

    _check_connected(wins, systems)
    meetings = wins + wins.T
    strengths = np.zeros(len(wins))
    for _ in range(_MOST_STEPS):
        chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        gradient = (wins - meetings * chances).sum(axis=1)
        curvature = meetings * chances * (1 - chances)
        hessian = np.diag(curvature.sum(axis=1)) - curvature
        step = np.linalg.lstsq(hessian, gradient, rcond=None)[0]  # strengths are determined but for a constant
        largest = float(np.abs(step).max())
        strengths += step * min(1, _LONGEST_STEP / largest) if largest > 0 else 0
        if largest < _TOLERANCE:
            break
    centred: NDArray[np.float64] = strengths - strengths.mean()
    return centred


def _check_connected(wins: NDArray[np.int64], systems: Sequence[str]) -> None:
    from scipy.sparse.csgraph import connected_components

    parts, labels = connected_components(wins > 0, directed=True, connection="strong")
    if parts > 1:
        import numpy as np

        apart = systems[int(np.flatnonzero(labels != np.bincount(labels).argmax())[0])]
        raise RequestError(
            f"the model of Bradley and Terry has no finite strengths: {apart!r} only wins, or only loses, against some systems; "
            "expected wins exist"
        )
