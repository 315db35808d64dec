"""Several scores: a list, a table, and a leaderboard in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus.texts import list_items
from errata.errors import UsageError
from errata.listings import Listing, TableRow, make_html_table
from errata.scoring.scores import Score, best_first

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_RULE = "scores must be a list of scores"


class Scores(Listing[Score]):
    """The scores of several systems, with one or more metrics.

    >>> import errata
    >>> evaluate = errata.Evaluator(errata.read("examples/learner.m2"), "accuracy")
    >>> outputs = [errata.read_system(f"examples/systems/{name}.txt") for name in ("cautious", "eager")]
    >>> [(row["system"], round(row["value"], 4)) for row in Scores(map(evaluate, outputs)).rows()]
    [('cautious', 0.3611), ('eager', 0.2639)]
    """

    def __init__(self, scores: Iterable[Score]) -> None:
        super().__init__(check_scores(scores))

    def rows(self) -> list[TableRow]:
        """List system, metric, value, the parts that tables show, and signature; what a metric does not have is None."""
        names = dict.fromkeys(name for score in self for name in score.shown)
        return [
            {
                "system": score.system_name,
                "metric": str(score.metric),
                "value": float(score.value),
                **{name: score.shown.get(name) for name in names},
                "signature": score.signature,
            }
            for score in self
        ]

    def _repr_html_(self) -> str:
        """Show a leaderboard, the best first; metrics are in the order in which they were given."""
        order = {str(score.metric): number for number, score in reversed(list(enumerate(self)))}
        ranked = Scores(sorted(self, key=lambda score: (order[str(score.metric)], best_first(score))))
        rows = ranked.rows()
        signatures = list(dict.fromkeys(row.pop("signature") for row in rows))
        return make_html_table(rows, notes=signatures)


def check_scores(scores: object) -> Sequence[Score]:
    """List scores; raise if they are something else."""
    if isinstance(scores, Score):
        raise UsageError(f"{_RULE}, found one score")
    found = list_items(scores, _RULE)
    for number, score in enumerate(found, start=1):
        if not isinstance(score, Score):
            raise UsageError(f"{_RULE}, found item {number:,} of type {type(score).__name__}")
    return found
