"""One file a metric; ``base`` says what a metric is, ``registry`` finds them by name."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
