"""Functions that the user names as MODULE:FUNCTION; what fails in them is reported as theirs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any

from errata.errors import RequestError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType


def find_function(text: str, option: str) -> Callable[[str], Sequence[str]]:
    """Find a function from a text to a list of texts; it is the user's own code that runs, also from the current folder."""
    module, colon, name = text.partition(":")
    if not (module and colon and name):
        raise UsageError(f"{option} is written MODULE:FUNCTION, found {text!r}")
    try:
        function = getattr(_import_also_from_here(module), name)
    except (Exception, SystemExit) as error:
        raise UsageError(f"{option} {text} cannot be loaded: {_describe(error)}") from error
    if not callable(function):
        raise UsageError(f"{option} {text} is not a function")

    def call(given: str) -> Sequence[str]:
        most = len(given) + 1
        try:
            result: Any = function(given)
            is_list = isinstance(result, Iterable) and not isinstance(result, str | bytes)
            pieces = list(islice(result, most + 1)) if is_list else []
        except (Exception, SystemExit) as error:
            raise RequestError(f"{option} {text} failed: {_describe(error)}") from error
        if not is_list:
            raise RequestError(f"{option} {text} must return a list of strings, found {type(result).__name__}")
        for piece in pieces:
            if not isinstance(piece, str):
                raise RequestError(f"{option} {text} must return a list of strings, found {type(piece).__name__} in it")
        if len(pieces) > most:
            raise RequestError(f"{option} {text} must return parts of the text, found more than {most:,} for {len(given):,} characters")
        return pieces

    return call


def _import_also_from_here(module: str) -> ModuleType:
    """Import a module that is installed, else from the current folder, which is searched for nothing else."""
    import sys
    from contextlib import suppress
    from importlib import import_module

    sys.path.append("")
    try:
        return import_module(module)
    finally:
        with suppress(ValueError):  # the module itself may have removed it
            del sys.path[len(sys.path) - 1 - sys.path[::-1].index("")]


def _describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
