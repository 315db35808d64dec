"""Lines of an output brought to the lines of its source.

Words are compared, whatever their tokenisation (:mod:`words`); lines that plainly belong together are found by rare phrases
(:mod:`anchors`); what is between them is aligned by dynamic programming (:mod:`gaps`, with the costs in :mod:`costs`); and all that is
not one line for one line is reported (:mod:`operations`).
"""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
