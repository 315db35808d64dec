"""One table model, and writers for a terminal, a pipe, a paper and a program."""

from errata import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
