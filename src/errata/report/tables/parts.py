"""Columns for the parts of scores: those that a metric shows, or others by their names in JSON, such as ``correction.tp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.errors import UsageError, suggest
from errata.report.table import HEADINGS, Cell, Column, is_measure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from errata.scoring import Score
    from errata.scoring.scores import Result

ALL_PARTS = "all"
"""The name for all parts."""
_OTHER_COLUMNS = {
    *("system", "metric", "sentence", "annotator", "value", "letters", "interval", "low", "high", "intervals", "relative", "signature")
}
"""Columns beside parts; a part with such a name is called ``parts.NAME``."""


def flatten_parts(parts: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Cell]]:
    """Yield the parts of a score by their names, those of groups with a dot.

    >>> dict(flatten_parts({"correction": {"tp": 3, "wacc": 0.5}, "certified": 7}))
    {'correction.tp': 3, 'correction.wacc': 0.5, 'certified': 7}
    """
    for name, part in parts.items():
        if isinstance(part, dict):
            yield from flatten_parts(part, f"{before}{name}.")
        else:
            yield f"{before}{name}", part


class PartColumns:
    """Columns for the parts of some scores.

    ``wanted`` are names of parts or of groups of parts, or ``all``; if it is None, the columns are those that metrics show.
    A part that no score has is an error.  A part of a group that is the score itself is left out ``beside_value``.
    """

    def __init__(self, scores: Sequence[Score], wanted: Sequence[str] | None = None, *, beside_value: bool = False) -> None:
        self._scores, self._wanted = scores, wanted
        self._values = {name: value for score in scores for name, value in self._of(score).items()}
        self.names = list(self._values) if wanted is None else _expand(wanted, list(self._values), scores)
        if beside_value and wanted:
            self.names = [name for name in self.names if name in wanted or not self._is_value(name)]

    def _of(self, result: Result) -> Mapping[str, Cell]:
        return result.shown if self._wanted is None else dict(flatten_parts(result.parts))

    def _is_value(self, name: str) -> bool:
        heading = self._heading(name.rpartition(".")[2])
        return all(score.metric.label == heading and self._of(score).get(name) == score.value for score in self._scores)

    def cells(self, result: Result) -> list[Cell]:
        """List the parts of a score; None for those that it does not have."""
        parts = self._of(result)
        return [parts.get(name) for name in self.names]

    def columns(self, digits: int = 2, *, contests: bool = False) -> list[Column]:
        """List the columns; headings are the last parts of names, or whole names if these would be equal.

        In a table of ``contests`` the best value of each measure can be bold.
        """
        plain = [self._heading(name.rpartition(".")[2]) for name in self.names]
        headings = [*plain, *(score.metric.label for score in self._scores[:1])]
        result = []
        for name, heading in zip(self.names, plain, strict=True):
            group = name.rpartition(".")[0].replace(".", " ").capitalize()
            shown = f"{group} {heading}" if group and headings.count(heading) > 1 else heading
            key = f"parts.{name}" if name in _OTHER_COLUMNS else name
            is_share = isinstance(self._values[name], float)
            result.append(Column(shown, "percent" if is_share else "count", key, digits, contests and is_share and is_measure(name)))
        return result

    def _heading(self, name: str) -> str:
        return HEADINGS.get(name, self._heading_of_f() if name == "f" else name.replace("_", " ").capitalize())

    def _heading_of_f(self) -> str:
        """Give the heading of F, with beta if all scores with an F have the same."""
        betas = {score.metric.beta for score in self._scores if any(name.rpartition(".")[2] == "f" for name in self._of(score))}
        (beta,) = betas if len(betas) == 1 else (None,)
        return f"F{beta:g}" if beta is not None else "F"


def find_parts(wanted: str, known: Sequence[str]) -> list[str]:
    """List the parts that a name, the name of a group or ``all`` stands for.

    >>> find_parts("correction", ["detection.tp", "correction.tp", "correction.fp"])
    ['correction.tp', 'correction.fp']
    """
    return [name for name in known if wanted in {name, ALL_PARTS} or name.startswith(f"{wanted}.")]


def _expand(wanted: Sequence[str], known: Sequence[str], scores: Sequence[Score]) -> list[str]:
    """List the names of wanted parts, groups replaced by their parts."""
    names: dict[str, None] = {}
    for text in wanted:
        own = find_parts(text, known)
        if not own:
            metrics = ", ".join(dict.fromkeys(score.metric.name for score in scores))
            groups = dict.fromkeys(name.partition(".")[0] for name in known)
            listed = f"{', '.join(groups)} or {ALL_PARTS}"
            raise UsageError(f"{metrics} has no part {text[:40]!r}; choose from {listed}{suggest(text, [*known, *groups])}")
        names |= dict.fromkeys(own)
    return list(names)
