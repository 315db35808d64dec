"""Which measure a table of types and systems shows."""

from typing import Literal, get_args

PivotMeasure = Literal["f", "precision", "recall"]
"""A measure of a type."""
PIVOT_MEASURES: tuple[PivotMeasure, ...] = get_args(PivotMeasure)
"""All measures of a type."""
AUTO = "auto"
"""On the command line: F, or recall if some types have no F."""
