from errata.dataset_rows.columns import KNOWN_COLUMNS as KNOWN_COLUMNS
from errata.dataset_rows.columns import RowColumns as RowColumns
from errata.dataset_rows.columns import find_columns as find_columns
from errata.dataset_rows.corpora import from_rows as from_rows
