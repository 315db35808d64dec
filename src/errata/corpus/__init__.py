"""What is compared: sentences, edits, gold and its annotators, tokens, lines, graphs and parses."""

from errata import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
