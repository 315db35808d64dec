"""One table model, and writers for a terminal, a pipe, a paper and a program."""

from errata.report.table import HEADINGS, Cell, Column, Table
from errata.report.writers import TABLE_FORMATS, TableFormat, render

__all__ = ["HEADINGS", "TABLE_FORMATS", "Cell", "Column", "Table", "TableFormat", "render"]
