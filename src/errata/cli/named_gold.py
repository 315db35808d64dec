"""Names of data sets where a command takes gold: ``errata score conll14 out.txt``."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from errata.errors import InputError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from errata.cli.parser import Parser

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", re.IGNORECASE)
"""What the names of data sets look like: words and hyphens, no dot and no slash."""
_SOURCE_ONLY = "source_text"
"""An argument for which the source of a data set is enough."""


def takes_gold(action: argparse.Action) -> bool:
    """Whether an argument may be the name of a data set."""
    return action.metavar == "GOLD" or (not action.option_strings and action.dest in {"gold", _SOURCE_ONLY})


def resolve_names(options: argparse.Namespace) -> list[str]:
    """Put files for the names of data sets; return what the user should be warned of.

    A file or folder of the same name is read instead, and that is said.
    """
    return [warning for action in _list_actions(options) for warning in _resolve(options, action)]


def _list_actions(options: argparse.Namespace) -> list[argparse.Action]:
    parser: Parser = options.parser
    return [action for action in parser.arguments if takes_gold(action)]


def _resolve(options: argparse.Namespace, action: argparse.Action) -> Iterator[str]:
    given = getattr(options, action.dest)
    word = given[0] if isinstance(given, list) and len(given) == 1 else given
    if not isinstance(word, str) or not _NAME.fullmatch(word):
        return
    from errata.formats.datasets import list_data_sets

    known = list_data_sets()
    if os.path.lexists(word):
        if word in known:
            yield f"{word} is a file or folder here, and is read; errata data path {word} prints the paths of the data set of this name"
        return
    if word not in known:
        _suggest(word, known)
        return
    from errata.formats.datasets import describe_doubts, locate_data_set

    installed = locate_data_set(word, folder=options.data_folder)
    gold, *references = installed.paths
    setattr(options, action.dest, [gold] if isinstance(given, list) else gold)
    if action.dest != _SOURCE_ONLY:
        _set_references(options, action, word, references)
    if not installed.is_verified:
        yield describe_doubts(installed)


def _suggest(word: str, known: Iterable[str]) -> None:
    """Raise if a word looks like a misspelt name."""
    from errata.errors import suggest

    if close := suggest(word, known, least=0.75):
        raise InputError(f"{word}: there is no such file, and no data set of this name{close}")


def _set_references(options: argparse.Namespace, action: argparse.Action, word: str, references: list[str]) -> None:
    if not references:
        return
    if action.option_strings or not hasattr(options, "reference"):
        raise UsageError(f"{word} is a source with {len(references)} references, and {action.option_strings[-1]} takes one file of gold")
    if options.reference:
        raise UsageError(f"--reference cannot be combined with {word}, which has its own references")
    options.reference = references
