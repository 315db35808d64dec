from errata.report.table import HEADINGS as HEADINGS
from errata.report.table import Cell as Cell
from errata.report.table import Column as Column
from errata.report.table import Table as Table
from errata.report.table import select_columns as select_columns
from errata.report.writers import TABLE_FORMATS as TABLE_FORMATS
from errata.report.writers import TableFormat as TableFormat
from errata.report.writers import render as render
