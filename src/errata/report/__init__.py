"""One table model, and writers for a terminal, a pipe, a paper and a program."""

from errata.report.table import Cell, Column, Table
from errata.report.writers import TABLE_FORMATS, TableFormat, render

__all__ = ["TABLE_FORMATS", "Cell", "Column", "Table", "TableFormat", "render"]
