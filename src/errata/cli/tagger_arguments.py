"""The options that name a part-of-speech tagger and the order of types."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from errata.corpus.corpus import Corpus
    from errata.language.tagging import Tagger


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
