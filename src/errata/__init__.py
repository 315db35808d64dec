"""errata evaluates grammatical error correction and detection.

>>> import errata
>>> gold = errata.read("examples/learner.m2")
>>> errata.score(gold, errata.read_system("examples/systems/eager.txt")).value
0.655...
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - pip refuses an older one, but a checkout runs with any
    raise ImportError("errata needs Python 3.11 or later, found " + ".".join(map(str, sys.version_info[:3])), name="errata")

__version__ = "0.2.0"
"""The version of errata; the build reads it from here."""


def __getattr__(name: str) -> object:
    """Find the public names when the first of them is used; the command line starts without them."""
    own = globals()
    own["__getattr__"], own["__dir__"], own["__all__"] = lazy_names(__name__)
    return own["__all__"] if name == "__all__" else own["__getattr__"](name)


def __dir__() -> list[str]:
    """List the public names."""
    return [*globals(), *__getattr__("__all__")]  # type: ignore[misc]


def lazy_names(package: str) -> tuple[object, object, list[str]]:
    """Make ``__getattr__``, ``__dir__`` and ``__all__`` of a package, whose names are loaded on first use, so that imports are fast.

    The stub of the package (``__init__.pyi``) lists them, for type checkers and for this function: one line per name,
    ``from errata.corpus.corpus import Corpus as Corpus``, or ``__version__: str`` for a name of the package itself.
    """
    from importlib import import_module

    modules = _list_names(package)

    def get(name: str) -> object:
        if name in modules:
            value = getattr(import_module(modules[name]), name)
            setattr(sys.modules[package], name, value)  # later uses bypass this function
            return value
        if name.isidentifier() and not name.startswith("_"):
            module = f"{package}.{name}"
            try:
                return import_module(module)
            except ModuleNotFoundError as error:
                if error.name != module:
                    raise
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return get, lambda: sorted({*vars(sys.modules[package]), *modules}), list(modules)


def _list_names(package: str) -> dict[str, str]:
    """List the public names of a package with their modules."""
    import os
    from importlib import import_module

    spec = import_module(package).__spec__
    if spec is None or spec.origin is None or not hasattr(spec.loader, "get_data"):
        raise ImportError(f"cannot read __init__.pyi of {package}, which lists its names")
    stub = spec.loader.get_data(os.path.join(os.path.dirname(spec.origin), "__init__.pyi"))  # noqa: PTH118, PTH120 - starts faster
    names = {}
    for line in stub.decode().splitlines():
        words = line.split()
        if words[::2] == ["from", "import", "as"] and words[3] == words[5]:
            names[words[5]] = words[1]
        elif len(words) == 2 and words[0].endswith(":"):  # noqa: PLR2004 - a name and its type
            names[words[0][:-1]] = package
    return names
