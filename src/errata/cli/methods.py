"""How a command computes, as its arguments say: resampling and tests, systems of error types, and their tagger."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from errata.cli.vocabulary import add_option, add_options
from errata.errors import UsageError, suggest
from errata.settings import METHODS

if TYPE_CHECKING:
    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus
    from errata.language.tagging import Tagger
    from errata.stats.bootstrap import Bootstrap

ERRANT, NUCLE = "errant", "nucle"
"""The systems of errata: that of ERRANT types all edits; that of NUCLE types wrong edits, and is the default of scores by type."""
_REPLICATES = " (default 10,000)"
_MOST_SHOWN = 40
"""Characters of a wrong value."""


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


def type_system_name(text: str) -> str:
    """A type of argument: a system of types; those who name error types learn how a metric counts only these."""
    from errata.language.types import TYPE_SYSTEMS

    name = text.partition(":")[0]
    if name in {ERRANT, NUCLE} or name in TYPE_SYSTEMS:
        return text
    known = sorted(TYPE_SYSTEMS)
    types = "+".join(part.strip() for part in text[:_MOST_SHOWN].split(","))
    advice = suggest(text, known) or f"; -m 'errant(types={types})' counts only some types"
    raise argparse.ArgumentTypeError(f"expected {' or '.join(known)}, found {text[:_MOST_SHOWN]!r}{advice}")


def type_order_from(options: argparse.Namespace) -> list[str]:
    """The order in which types are tried."""
    from errata.language.types import ORDER, check_order

    order = [name.strip() for name in options.type_order.split(",")] if options.type_order is not None else list(ORDER)
    check_order(order)
    return order


def tagger_from(options: argparse.Namespace) -> Tagger | None:
    """Tags of files, or a tagger; None if none is wanted."""
    from errata.language.tagging import find_tagger

    if options.pos_tags:
        from errata.language.tagging import FileTagger

        return FileTagger(options.pos_tags, options.max_tokens)
    return None if options.tagger == "none" else find_tagger(options.tagger or _find_named(options) or "textblob")


def _find_named(options: argparse.Namespace) -> str:
    """The tagger of --types nucle:TAGGER; the option of the same name in errata detect names error types."""
    if options.command == "detect":
        return ""
    return (options.types or "").partition(":")[2]


def suit_tagger(tagger: Tagger | None, options: argparse.Namespace, corpus: Corpus) -> Tagger | None:
    """The tagger, if the sentences are English or it was asked for; none, with a warning, if they are not and it was not."""
    from errata.language.tagging import suit

    asked = options.pos_tags or options.tagger or (options.types is not None and options.command != "detect")
    return suit(tagger, corpus, asked=bool(asked))
