"""Read and write corpora: one file a format."""

from errata import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
