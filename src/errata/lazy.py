"""Names that a package offers and loads with the first use of any of them, so that a command does not wait for what it does not need."""

from __future__ import annotations

import sys
from importlib import import_module
from threading import RLock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LOADING = RLock()
"""Two threads that load modules of one package at the same time would wait for each other."""


def offered(package: str, names: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions ``__getattr__`` and ``__dir__`` of a package; ``names`` says for each module what is offered from it.

    The first use of a name loads all of them, so that later uses find everything in its place, in any thread.
    """
    everything = {name for listed in names.values() for name in listed.split()}

    def get(name: str) -> Any:
        module = sys.modules[package]
        if not name.startswith("__"):
            with _LOADING:
                for place, listed in names.items():
                    loaded = import_module(f"{package}.{place}")
                    for offer in listed.split():
                        setattr(module, offer, getattr(loaded, offer))
            if name in vars(module):  # also a module of the package
                return vars(module)[name]
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return get, lambda: sorted({*vars(sys.modules[package]), *everything})
