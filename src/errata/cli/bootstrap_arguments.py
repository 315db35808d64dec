"""The arguments that say how sentences are drawn again, for intervals and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.arguments import whole_number

if TYPE_CHECKING:
    import argparse

    from errata.stats import Bootstrap


def add_bootstrap_arguments(parser: argparse.ArgumentParser) -> None:
    """Add all but the level."""
    parser.add_argument(
        "--interval", choices=("bca", "percentile", "exact"), default="bca", help="kind of interval (default bca; exact for accuracies)"
    )
    parser.add_argument(
        "--replicates", type=whole_number(0, 1_000_000), default=10_000, metavar="N", help="random draws of all sentences (default 10,000)"
    )
    parser.add_argument("--seed", type=whole_number(0, 10**18), default=0, metavar="N", help="seed of the draws (default 0)")
    parser.add_argument("--rechoose", action="store_true", help="choose among references again in every replicate")
    parser.add_argument(
        "--by", choices=("sentence", "document"), help="draw sentences or whole documents (default sentence; document with --documents)"
    )
    parser.add_argument("--documents", metavar="FILE", help="the document of each sentence, a name a line, where GOLD does not say it")


def bootstrap_from(options: argparse.Namespace, level: float) -> Bootstrap:
    """The settings that the arguments name."""
    from errata.stats import Bootstrap

    return Bootstrap(
        level,
        options.interval,
        options.replicates,
        options.seed,
        "again" if options.rechoose else "kept",
        options.by or ("document" if options.documents else "sentence"),
    )
