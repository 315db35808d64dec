"""How the arguments say what is resampled, for intervals and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.vocabulary import add_option, add_options
from errata.errors import UsageError
from errata.names import METHODS

if TYPE_CHECKING:
    import argparse

    from errata.cli.parser import Parser
    from errata.stats import Bootstrap

_REPLICATES = " (default 10,000)"


def add_bootstrap_arguments(parser: Parser, *, of_differences: bool = False) -> None:
    """Add what says how sentences or documents are resampled; ``of_differences`` leaves out what only scores have."""
    if of_differences:
        add_option(parser, "--interval", choices=("bca", "percentile"))
    else:
        add_option(parser, "--interval", "; exact is for accuracy and indexmatch only", choices=METHODS)
    add_option(parser, "--replicates", _REPLICATES)
    add_options(parser, "--seed", "--rechoose")
    add_option(parser, "--resample", " (default sentence; document with --documents and for essays)", choices=("sentence", "document"))
    add_option(parser, "--documents")


def alpha_from(options: argparse.Namespace) -> float:
    """The significance level."""
    alpha: float = options.alpha
    if not (0 < alpha < 1 and 1 - alpha < 1):
        raise UsageError(f"--alpha must lie between 0 and 1, found {alpha}")
    return alpha


def bootstrap_from(options: argparse.Namespace, level: float) -> Bootstrap:
    """The settings that the arguments name."""
    from errata.stats.bootstrap import Bootstrap

    given = {
        "method": options.interval,
        "replicates": options.replicates,
        "seed": options.seed,
        "choice": "again" if getattr(options, "rechoose", None) else None,
        "by": getattr(options, "resample", None) or ("document" if _has_documents(options) else None),
    }
    return Bootstrap(level, **{name: value for name, value in given.items() if value is not None})


def _has_documents(options: argparse.Namespace) -> bool:
    """Whether documents are resampled if nothing else is said: those of --documents, and essays."""
    from errata.formats.registry import MULTIGEC, find_input_format

    given = getattr(options, "gold", None)
    essays = isinstance(given, str) and bool(getattr(options, "reference", None)) and find_input_format(given) == MULTIGEC
    return bool(getattr(options, "documents", None)) or essays


def intervals_wanted(options: argparse.Namespace) -> Bootstrap | None:
    """The settings, if the arguments ask for intervals."""
    return None if options.confidence is None else bootstrap_from(options, options.confidence)
