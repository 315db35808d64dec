"""Tables 7 to 10 of Ng et al. 2013, whose outputs are not public, checked against themselves and against the gold."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import errata
from errata.metrics.ratios import make_edit_ratios

from reproducing.figures import Cause, Figure, Recording

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reproducing.public_data import PublicData

_HALF = 0.005 + 1e-9
"""Half a unit of the last printed digit."""
_MISPRINT = Cause("error in the paper", "P of CAMB for Nn is printed as 60.69 in Table 10; R and F1 imply 69.09.")
_PRINTED = {("CAMB", "Nn", "P_alt"): "60.69"}
"""What the paper prints where the table of the data folder is corrected."""


class PrintedScore(NamedTuple):
    """Recall, precision and F1 in %, as printed, and the number of gold edits, if it is known."""

    recall: float
    precision: float
    f: float
    gold: int = 0

    def count_correct(self) -> int | None:
        """Find the number of correct edits, if there is one that gives the printed recall.

        >>> PrintedScore(23.49, 46.45, 31.20, 1643).count_correct(), PrintedScore(23.49, 46.45, 31.20, 7).count_correct()
        (386, None)
        """
        correct = round(self.recall * self.gold / 100)
        return correct if abs(100 * correct / self.gold - self.recall) <= _HALF else None

    def follows_from_counts(self) -> bool:
        """Whether whole numbers of correct and proposed edits give all three."""
        correct = self.count_correct()
        if correct is None:
            return False
        if not correct:
            return self.precision == self.f == 0
        proposed = round(100 * correct / self.precision)
        found = make_edit_ratios(1).of((correct, proposed, self.gold))
        pairs = ((found.precision, self.precision), (found.recall, self.recall), (found.f, self.f))
        return all(abs(100 * value - printed) <= _HALF for value, printed in pairs)

    def is_consistent(self) -> bool:
        """Whether F1 lies in the range that rounded recall and precision leave."""
        low, high = (_f(max(0, self.recall + move), max(0, self.precision + move)) for move in (-_HALF, _HALF))
        return low - _HALF <= self.f <= high + _HALF


def _f(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def compare_printed_scores(data: PublicData) -> Iterator[Recording]:
    """Check recalls and F1 of all teams, by error type too."""
    gold = _count_gold(data)
    teams = data.rows("published/conll2013_table7_table8.tsv")
    types = [row for row in data.rows("published/conll2013_table9_table10.tsv") if row["R_noalt"] != "not done"]
    table_7 = _list_scores(teams, "noalt", [gold["all"]] * len(teams))
    table_9 = _list_scores(types, "noalt", [gold[row["error_type"]] for row in types])
    for table, what, scores in (("Table 7", "edits", table_7), ("Table 9", "edits of the type", table_9)):
        yield Recording.of(
            f"{table}: R is a whole number of the {what} in M2", [(True, score.count_correct() is not None) for score in scores]
        )
    for table, scores in (("Table 7", table_7), ("Table 9", table_9)):
        yield Recording.of(f"{table}: R, P and F1 follow from counts", [(True, score.follows_from_counts()) for score in scores])
    for table, rows in (("Table 8", teams), ("Table 10", types)):
        scores = _list_scores(rows, "alt", [0] * len(rows))
        yield Recording.of(f"{table}: F1 follows from R and P", [(True, score.is_consistent()) for score in scores], _MISPRINT)


def compare_gold_edits(data: PublicData) -> Figure:
    """Compare the edits that the scorer used with the mistakes of Table 3, by the recalls of Table 7."""
    edits, mistakes = _count_gold(data)["all"], 1644
    teams = data.rows("published/conll2013_table7_table8.tsv")
    fitting = [
        sum(score.count_correct() is not None for score in _list_scores(teams, "noalt", [gold] * len(teams))) for gold in (edits, mistakes)
    ]
    text = (
        "Table 3 counts mistakes as they are written, and one of them crosses a sentence boundary, so it is no edit. "
        f"Of the {len(teams)} recalls of Table 7, {fitting[0]} are a whole number of {edits:,} edits, "
        f"but only {fitting[1]} of {mistakes:,}."
    )
    return Figure(f"{mistakes:,}", edits, Cause("not specified", text))


def _list_scores(rows: Sequence[dict[str, str]], end: str, gold: Sequence[int]) -> list[PrintedScore]:
    found = []
    for row, edits in zip(rows, gold, strict=True):
        name = row["team"], row.get("error_type", "")
        r, p, f = (float(_PRINTED.get((*name, column), row[column])) for column in (f"R_{end}", f"P_{end}", f"F1_{end}"))
        found.append(PrintedScore(r, p, f, edits))
    return found


def _count_gold(data: PublicData) -> dict[str, int]:
    """Count the edits of the five types in the released M2 file."""
    corpus = errata.read(data.folder / "conll13/original/data_5types/official-preprocessed.5types.m2")
    edits = [edit.type for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits]
    counts = {name: edits.count(name) for name in ("ArtOrDet", "Prep", "Nn", "Vform", "SVA")}
    return {**counts, "Vform/SVA": counts["Vform"] + counts["SVA"], "all": len(edits)}
