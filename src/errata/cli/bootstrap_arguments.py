"""The arguments that say how sentences are drawn again, for intervals and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.arguments import whole_number
from errata.errors import UsageError
from errata.stats.bootstrap import METHODS, MOST_REPLICATES, Bootstrap

if TYPE_CHECKING:
    import argparse

_OPTIONS = {"interval": "--interval", "replicates": "--replicates", "seed": "--seed", "rechoose": "--rechoose", "by": "--by"}


def add_bootstrap_arguments(parser: argparse.ArgumentParser) -> None:
    """Add all but the level."""
    add_draw_arguments(parser)
    parser.add_argument("--rechoose", action="store_true", default=None, help="choose among references again in every replicate")
    parser.add_argument(
        "--by", choices=("sentence", "document"), help="draw sentences or whole documents (default sentence; document with --documents)"
    )
    parser.add_argument("--documents", metavar="FILE", help="the document of each sentence, a name a line, where GOLD does not say it")


def add_draw_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what says how often is drawn, and what is made of it."""
    parser.add_argument("--interval", choices=METHODS, help="kind of interval (default bca; exact is for accuracy and indexmatch only)")
    parser.add_argument(
        "--replicates", type=whole_number(0, MOST_REPLICATES), metavar="N", help="random draws of all sentences (default 10,000)"
    )
    parser.add_argument("--seed", type=whole_number(0, 10**18), metavar="N", help="seed of the draws (default 0)")


def bootstrap_from(options: argparse.Namespace, level: float) -> Bootstrap:
    """The settings that the arguments name."""
    given = {
        "method": options.interval,
        "replicates": options.replicates,
        "seed": options.seed,
        "choice": "again" if getattr(options, "rechoose", None) else None,
        "by": getattr(options, "by", None) or ("document" if getattr(options, "documents", None) else None),
    }
    return Bootstrap(level, **{name: value for name, value in given.items() if value is not None})


def intervals_wanted(options: argparse.Namespace) -> Bootstrap | None:
    """The settings, if the arguments ask for intervals; what only goes with them is refused without."""
    if options.confidence is not None:
        return bootstrap_from(options, options.confidence)
    if useless := [option for name, option in {**_OPTIONS, "documents": "--documents"}.items() if getattr(options, name, None) is not None]:
        raise UsageError(f"{useless[0]} goes with --confidence, which adds intervals")
    return None
