"""The points of curves as CSV or JSON, one record for each threshold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from errata.errors import UsageError
from errata.formats.writing import write_files
from errata.html import printable
from errata.report.csv_lines import make_csv_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.studies.detection import Curve

_MEASURES = ("precision", "recall", "f", "tnr", "bias", "accuracy", "kappa", "mcc", "informedness", "markedness")
_COUNTS = ("tp", "fp", "fn", "tn")


def check_curves_path(path: str) -> str:
    """Check the extension of a file, and return it."""
    ending = path.rpartition(".")[2].lower()
    if ending not in {"csv", "json"}:
        raise UsageError(f"the points of curves need a file with the extension .csv or .json, found {printable(path)!r}")
    return ending


def write_curves(curves: Sequence[Curve], path: str, beta: float = 1.0) -> None:
    """Write all points, in full or not at all; the first threshold of each system flags nothing, so it has no value."""
    ending = check_curves_path(path)
    write_files({path: _csv_lines(curves, beta) if ending == "csv" else _json_lines(curves, beta)})


def _columns(curve: Curve, beta: float) -> dict[str, Any]:
    columns: dict[str, Any] = {"threshold": curve.thresholds}
    columns |= {name: curve.counts[:, index] for index, name in enumerate(_COUNTS)}
    columns["false_positive_rate"] = curve.false_positive_rate
    return columns | {name: curve.values(name, beta) for name in _MEASURES}


def _rows(curve: Curve, beta: float) -> Iterator[tuple[float | None, ...]]:
    columns = [column.tolist() for column in _columns(curve, beta).values()]
    for values in zip(*columns, strict=True):
        yield tuple(None if value - value != 0 else value for value in values)  # infinity and NaN become None


def _csv_lines(curves: Sequence[Curve], beta: float) -> Iterator[str]:
    yield from make_csv_lines([("system", *_columns(curves[0], beta))])
    yield from make_csv_lines((curve.system_name, *row) for curve in curves for row in _rows(curve, beta))


def _json_lines(curves: Sequence[Curve], beta: float) -> Iterator[str]:
    """Yield one object with the points of each system, one per line."""
    yield "{"
    for number, curve in enumerate(curves):
        names = list(_columns(curve, beta))
        yield f" {json.dumps(curve.system_name)}: ["
        last = len(curve.thresholds) - 1
        for index, row in enumerate(_rows(curve, beta)):
            yield f"  {json.dumps(dict(zip(names, row, strict=True)))}{',' if index < last else ''}"
        yield f" ]{',' if number + 1 < len(curves) else ''}"
    yield "}"
