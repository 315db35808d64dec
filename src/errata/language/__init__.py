"""What needs language: taggers, error types, the edits of ERRANT, and semantic graphs."""

from errata import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
