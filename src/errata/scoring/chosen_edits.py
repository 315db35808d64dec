"""The edits of a whole output, each sentence against the reference chosen for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import RequestError
from errata.metrics.views import ShowsChosenEdits, ShowsEdits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errata.metrics.views import JudgedEdit
    from errata.scoring.scores import Score


def list_chosen_edits(score: Score, numbers: Iterable[int] | None = None) -> list[list[JudgedEdit]]:
    """List the right, wrong and missed edits of every sentence, or of those with some numbers, which are counted from 1.

    They take longer than scoring, so a caller keeps them.
    """
    output, chosen = score.output, score.evidence.chosen
    if not isinstance(output, ShowsEdits):
        raise RequestError(f"{score.metric.name} does not show edits; use maxmatch")
    if chosen is None:
        raise RequestError(f"{score.metric} does not choose a reference for a sentence, so its edits cannot be counted; use maxmatch")
    indices = range(len(chosen)) if numbers is None else map(score.evidence.index, numbers)
    if isinstance(output, ShowsChosenEdits):
        return [output.edits_against(index, chosen[index]) for index in indices]
    return [output.edits(index)[chosen[index]] for index in indices]
