"""How the edits of a page get their types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.language.tagging import SourceTagger
from errata.report.typed_scores import type_scores
from errata.scoring.by_type import find_wrong_types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.language.tagging import Tagger
    from errata.names import Detail
    from errata.page.evaluation import TypeEdits
    from errata.page.report import JudgedSystems
    from errata.report.tables.types import TypedScore


def type_by_tagger(tagger: Tagger | None, order: Sequence[str], detail: Detail) -> TypeEdits:
    """Give wrong edits the types that parts of speech give them, if there is a tagger."""

    def type_edits(judged: JudgedSystems) -> tuple[JudgedSystems, list[TypedScore]]:
        known = SourceTagger(tagger, judged.scores[0].evidence.corpus) if tagger is not None else None
        wrong = [find_wrong_types(score, own, known, order) for score, own in zip(judged.scores, judged.edits, strict=True)]
        return judged.with_types(wrong, detail), type_scores(judged.scores, tagger, order, detail, judged.edits, wrong)

    return type_edits
