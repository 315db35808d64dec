"""Scores with their counts by error type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.report.tables.types import TypedScore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.language.tagging import Tagger
    from errata.metrics import JudgedEdit
    from errata.names import Detail
    from errata.scoring import Score

_NO_RULES = (
    "Wrong edits have no type: gold has types of ERRANT, which the rules for parts of speech do not know.  --types errant gives them one."
)


def type_scores(
    scores: Sequence[Score],
    tagger: Tagger | None,
    order: Sequence[str],
    detail: Detail,
    edits: Sequence[Sequence[Sequence[JudgedEdit]]] | None = None,
    wrong_types: Sequence[list[str] | None] | None = None,
) -> list[TypedScore]:
    """Scores with their counts by type; sources are tagged once for all.

    ``edits`` and ``wrong_types`` are those of each score, if they are known.
    """
    from errata.language.tagging import SourceTagger
    from errata.scoring.by_type import count_types, lacks_rules, takes_tagger, takes_types

    if tagger is not None and scores:
        tagger = SourceTagger(tagger, scores[0].evidence.corpus)
    typed = []
    for index, score in enumerate(scores):
        own = edits[index] if edits is not None else None
        wrong = wrong_types[index] if wrong_types is not None else None
        counts = count_types(score, tagger, order, detail, edits=own, wrong_types=wrong)
        used = tagger is not None and takes_tagger(score)
        note = _NO_RULES if takes_types(score) and lacks_rules(score.evidence.corpus) else ""
        typed.append(TypedScore(score, counts, tagger.name if tagger is not None and used else "none", detail, note=note))
    return typed
