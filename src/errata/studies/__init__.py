"""Studies: what can be asked of systems, references, metrics and people beyond a score."""

from errata import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
