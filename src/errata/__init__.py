"""errata evaluates grammatical error correction and detection.

>>> import errata
>>> gold = errata.read("examples/learner.m2")
>>> errata.score(gold, errata.read_system("examples/systems/eager.txt")).value
0.655...
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - pip refuses an older one, but a checkout runs with any
    raise ImportError("errata needs Python 3.11 or later, found " + ".".join(map(str, sys.version_info[:3])), name="errata")


def __getattr__(name: str) -> object:
    """Find the public names when the first of them is used; the command line starts without them."""
    from errata.lazy import lazy_names

    own = globals()
    own["__getattr__"], own["__dir__"], own["__all__"] = lazy_names(__name__)
    return own["__all__"] if name == "__all__" else own["__getattr__"](name)


def __dir__() -> list[str]:
    """List the public names."""
    return [*globals(), *__getattr__("__all__")]  # type: ignore[misc]
