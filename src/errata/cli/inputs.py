"""The arguments that name a corpus and systems, and how they are read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from errata.cli.printing import print_warning
from errata.cli.vocabulary import add_option, add_options
from errata.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.parser import Parser
    from errata.corpus import Corpus, System

_FORMATS = ": m2, jsonl, xml, sgml, hoo, parallel, or that of a plug-in (default: by its extension, or M2 if that is what it contains)"
_GOLD = (
    "gold: M2, JSON Lines, XML or SGML; a source text, with --reference; or HOO edits, with --source; "
    "files may be compressed with gzip, - is standard input"
)
_SYSTEM = "output of a system, one sentence per line in the order of GOLD; NAME=FILE names it; with --source, a folder of its texts"
_SOURCE = "; GOLD is then a file or a folder of HOO edits (XML)"


def add_corpus_arguments(parser: Parser, *, several: bool = False, name: str = "GOLD", also: str = "") -> None:
    """Add the arguments that say what the corpus is; ``also`` is what else the first may be."""
    settings = {"nargs": "+"} if several else {}
    parser.add_argument("gold", metavar=name, help=f"{also}{_GOLD}", **settings)  # type: ignore[arg-type]
    add_option(parser, "--reference")
    add_option(parser, "--from", _FORMATS)
    add_option(parser, "--source", _SOURCE)
    add_options(parser, "--lenient", "--max-tokens")


def add_system_arguments(parser: Parser) -> None:
    """Add the arguments that say what is scored."""
    add_corpus_arguments(parser)
    parser.add_argument("systems", metavar="SYSTEM", nargs="+", help=_SYSTEM)


def add_one_system(parser: Parser) -> None:
    """Add the arguments that say what is looked at."""
    add_corpus_arguments(parser)
    parser.add_argument("system", metavar="SYSTEM", help=_SYSTEM)


def corpus_from(options: argparse.Namespace, also: Sequence[str] = ()) -> Corpus:
    """Read the corpus that the arguments name; ``also`` are the other files that will be read."""
    from errata.formats import read

    others = [split_name(path)[1] for path in also]
    if [options.gold, *options.reference, *others].count("-") > 1:
        raise UsageError("standard input (-) can be only one of the files")
    return read(
        options.gold,
        references=options.reference,
        format=options.input_format,
        source=options.source,
        documents=getattr(options, "documents", None),
        lenient=options.lenient,
        max_tokens=options.max_tokens,
        warn=print_warning,
    )


def systems_from(options: argparse.Namespace, arguments: Sequence[str], gold: Corpus) -> list[System]:
    """Read systems, named as the user says or after their files; each must have as many sentences as the gold."""
    from errata.formats import read_system

    settings = {"gold": gold, "source": options.source, "max_tokens": options.max_tokens, "warn": print_warning}
    return [read_system(path, name=name, **settings) for name, path in name_files(arguments).items()]


def name_files(arguments: Sequence[str]) -> dict[str, str]:
    """Files by their names: ``NAME=FILE``, or files that are named by their paths.

    >>> name_files(["best=out/run7.txt", "out/AMU.txt"])
    {'best': 'out/run7.txt', 'AMU': 'out/AMU.txt'}
    """
    from errata.formats import name_systems

    given = [split_name(argument) for argument in arguments]
    names = name_systems([path for _, path in given])
    result: dict[str, str] = {}
    for (name, path), from_path in zip(given, names, strict=True):
        if (name or from_path) in result:
            raise UsageError(f"two files are named {name or from_path!r}; NAME=FILE gives one of them another name")
        result[name or from_path] = path
    return result


def split_name(argument: str) -> tuple[str, str]:
    """The name and the file of ``NAME=FILE``; a file that has such a name itself is a file.

    >>> split_name("best=out/run7.txt"), split_name("out/a=b.txt")
    (('best', 'out/run7.txt'), ('', 'out/a=b.txt'))
    """
    name, equals, path = argument.partition("=")
    if not equals or not name.strip() or not path or "/" in name or os.path.exists(argument):  # noqa: PTH110 - never raises
        return "", argument
    return name.strip(), path
