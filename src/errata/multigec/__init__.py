"""MultiGEC: essays in Markdown files, one for the source and one for each reference or output, cut into sentences."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
