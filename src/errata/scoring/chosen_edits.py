"""The edits of a whole output, each sentence against the reference chosen for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import RequestError
from errata.metrics.views import ShowsChosenEdits, ShowsEdits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errata.corpus.texts import Tokens
    from errata.metrics.views import JudgedEdit
    from errata.scoring.scores import Score


KnownEdits = dict[tuple[int, int, "Tokens"], list["JudgedEdit"]]
"""The edits of an output, by the index of its sentence, the row of the reference and the text."""


def list_chosen_edits(score: Score, numbers: Iterable[int] | None = None, known: KnownEdits | None = None) -> list[list[JudgedEdit]]:
    """List the right, wrong and missed edits of every sentence, or of those with some numbers, which are counted from 1.

    They take longer than scoring, so a caller keeps them.  With ``known``, systems that are scored by the same metric on the same corpus
    share the edits of equal outputs.
    """
    output, chosen = score.output, score.evidence.chosen
    if not isinstance(output, ShowsEdits):
        raise RequestError(f"{score.metric.name} does not show edits; use maxmatch")
    if chosen is None:
        raise RequestError(f"{score.metric} does not choose a reference for a sentence, so its edits cannot be counted; use maxmatch")
    indices = range(len(chosen)) if numbers is None else map(score.evidence.index, numbers)

    def list_edits(index: int, row: int) -> list[JudgedEdit]:
        return output.edits_against(index, row) if isinstance(output, ShowsChosenEdits) else output.edits(index)[row]

    if known is None or score.system.edits is not None:  # a system's own edits do not follow from its text
        return [list_edits(index, chosen[index]) for index in indices]
    found = []
    for index in indices:
        key = (index, chosen[index], score.system.sentences[index])
        if key not in known:
            known[key] = list_edits(index, chosen[index])
        found.append(known[key])
    return found
