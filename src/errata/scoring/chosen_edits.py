"""The edits of a whole output, each sentence against the reference chosen for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import RequestError
from errata.metrics.views import ShowsEdits

if TYPE_CHECKING:
    from errata.metrics.views import JudgedEdit
    from errata.scoring.scores import Score


def list_chosen_edits(score: Score) -> list[list[JudgedEdit]]:
    """List the right, wrong and missed edits of every sentence; they take as long as scoring, so a caller keeps them."""
    output, chosen = score.output, score.evidence.chosen
    if not isinstance(output, ShowsEdits):
        raise RequestError(f"{score.metric.name} does not show edits; use maxmatch")
    if chosen is None:
        raise RequestError(f"{score.metric} does not choose a reference for a sentence, so its edits cannot be counted; use maxmatch")
    return [output.edits(index)[row] for index, row in enumerate(chosen)]
