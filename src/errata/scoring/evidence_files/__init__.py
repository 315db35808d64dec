"""Evidence as files: rows of counts in Parquet, in parts, with a manifest."""

from errata import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
