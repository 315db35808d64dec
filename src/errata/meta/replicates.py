"""Replicates of human scores and metric scores: sentences are resampled, with their outputs and their judgments together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.stats.bootstrap import split_into_chunks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.meta.human_scores import HumanScores
    from errata.meta.metric_scores import MetricScores
    from errata.stats.bootstrap import Bootstrap

    _Array = NDArray[np.float64]


class ResampledValues(NamedTuple):
    """The scores of systems (columns) in all replicates, and without each sentence (rows)."""

    values: _Array
    without_one: _Array


class Replicates(NamedTuple):
    """The replicates of people and of each metric, over the same sentences."""

    human: ResampledValues
    metrics: list[ResampledValues]


def draw_weights(sentences: int, bootstrap: Bootstrap) -> Iterator[_Array]:
    """Yield how often each sentence (column) is in each replicate (row), some replicates at a time."""
    import numpy as np

    random = np.random.default_rng(bootstrap.seed)
    for size in split_into_chunks(bootstrap.replicates, sentences):
        yield random.multinomial(sentences, np.full(sentences, 1 / sentences), size).astype(np.float64)


def resample_scores(
    human: HumanScores,
    metrics: Sequence[MetricScores],
    systems: Sequence[str],
    sentences: int,
    bootstrap: Bootstrap,
    *,
    progress: Callable[[int], None] | None = None,
) -> Replicates:
    """Compute the scores of systems in all replicates; ``progress`` is told of replicates that were done, once for each metric."""
    import numpy as np

    everyone: list[HumanScores | MetricScores] = [human, *metrics]
    parts: list[list[_Array]] = [[] for _ in everyone]
    for weights in draw_weights(sentences, bootstrap):
        for own, scores in zip(parts, everyone, strict=True):
            own.append(scores.resample(systems, weights))
            if progress is not None and own is not parts[0]:
                progress(len(weights))
    values = [np.concatenate(own) for own in parts]
    without = [np.broadcast_to(scores.leave_out_each(systems), (sentences, len(systems))) for scores in everyone]
    resampled = [ResampledValues(*pair) for pair in zip(values, without, strict=True)]
    return Replicates(resampled[0], resampled[1:])
