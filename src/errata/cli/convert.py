"""``errata convert``: from one format to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.arguments import Parser, add_corpus_arguments, corpus_from, print_warning
from errata.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from errata.corpus import Corpus
    from errata.nucle import Language

_EXAMPLES = """\
examples:
  errata convert examples/learner.m2 --to jsonl -o learner.jsonl
  errata convert learner.jsonl --to m2
  errata convert examples/learner.m2 --to xml -o learner.xml
  errata convert examples/learner.m2 --to parallel -o learner
  errata convert learner.src --reference learner.ref0 --reference learner.ref1 --to m2 -o aligned.m2.gz
  errata convert examples/learner.m2 --types ArtOrDet,Prep --to m2 -o two-types.m2
  errata convert examples/essays.sgml --alternatives examples/alternatives.sgml --to m2 -o essays.m2

XML has the error lists of I-measure: corrections that overlap are alternatives of one error.
Parallel text is PREFIX.src and PREFIX.ref0, PREFIX.ref1, ..., one for each annotator.
Edits of parallel text are found by alignment: the fewest changed tokens, then the fewest edits.
SGML has essays with mistakes marked by characters (NUCLE): one file for each annotator, --alternatives for other answers.
Its sentences and tokens are found by the rules of the CoNLL shared tasks, by --split and --tokenise, or are those of --tokens.
What the new format cannot express, and what is dropped, is reported.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "convert",
        help="convert between M2, JSON Lines, XML, NUCLE SGML and parallel text",
        description="Convert a corpus to another format.",
        epilog=_EXAMPLES,
    )
    add_corpus_arguments(parser, several=True)
    parser.add_argument(
        "--to",
        metavar="FORMAT",
        help="format to write: m2, jsonl, xml, sgml, parallel, or that of a plug-in (default: by the ending of OUT)",
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", default="-", help="file to write, for parallel text its prefix (default: standard output)"
    )
    parser.add_argument("--types", metavar="TYPES", help="keep only edits of these types, separated by commas")
    essays = parser.add_argument_group("essays (SGML)")
    essays.add_argument("--alternatives", metavar="FILE", nargs="+", default=[], help="files of alternative answers")
    essays.add_argument("--tokens", metavar="FILE", help="sentences and tokens of the essays: .conll, .m2 or text")
    essays.add_argument("--profile", choices=("conll13", "conll14"), help="rules in which the two shared tasks differ (default conll14)")
    essays.add_argument(
        "--map-types",
        metavar="CONLL",
        help="turn the types Wcip and Rloc of NUCLE 2.0 into those of 2.1, with the analysis in a .conll file",
    )
    essays.add_argument("--list-trimmed", action="store_true", help="list every correction that shares words with the text it replaces")
    essays.add_argument("--split", metavar="MODULE:FUNCTION", help="function that splits a paragraph into sentences")
    essays.add_argument("--tokenise", metavar="MODULE:FUNCTION", help="function that splits a sentence into tokens")
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Read, report what is lost, write."""
    from errata.formats import PARALLEL, find_format, guess_format, losses, write

    target = options.to or guess_format(options.output)
    if options.to is None and (options.output == "-" or target == "parallel"):
        raise UsageError("which format? give --to m2, jsonl, xml, sgml or parallel, or -o with an ending that says it (.m2, .jsonl, ...)")
    if target == "parallel" and options.output == "-":
        raise UsageError("parallel text is several files, so it needs -o PREFIX")
    types = {name.strip() for name in options.types.split(",")} if options.types is not None else None
    given = options.format or guess_format(options.gold[0])
    source = given if given == PARALLEL else find_format(given).name
    corpus = _essays(options, types) if source == "sgml" and not options.reference else _other(options, types)
    for loss in losses(corpus, target):
        print_warning(f"{corpus.path}: {loss}")
    write(corpus, options.output, target)
    return 0


def _other(options: argparse.Namespace, types: set[str] | None) -> Corpus:
    """A corpus of any format but SGML."""
    from errata.gold.filtering import only_types
    from errata.nucle.types import TYPES

    if len(options.gold) > 1:
        raise UsageError(f"several files are read together only if they are SGML, found {options.gold[1]!r} after {options.gold[0]!r}")
    for name in ("alternatives", "tokens", "split", "tokenise", "map_types", "profile", "list_trimmed"):
        if getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')} goes with essays (SGML), but {options.gold[0]} is not SGML")
    options.gold = options.gold[0]
    corpus = corpus_from(options)
    return corpus if types is None else only_types(corpus, types, TYPES)


def _essays(options: argparse.Namespace, types: set[str] | None) -> Corpus:
    from errata.nucle import read_nucle

    corpus = read_nucle(
        options.gold,
        alternatives=options.alternatives,
        profile=options.profile or "conll14",
        types=types if options.map_types is None else None,
        tokens=options.tokens,
        language=_language(options),
        list_trimmed=options.list_trimmed,
        max_tokens=options.max_tokens,
        warn=print_warning,
    )
    if options.map_types is None:
        return corpus
    from errata.formats import Problems, display_path
    from errata.gold.filtering import only_types
    from errata.nucle.conll import read_conll
    from errata.nucle.types import TYPES, with_new_types

    path = display_path(options.map_types)
    mapped = with_new_types(corpus, list(read_conll(options.map_types, Problems(path), options.max_tokens)), path)
    return mapped if types is None else only_types(mapped, types, TYPES)


def _language(options: argparse.Namespace) -> Language:
    from errata.nucle import OFFICIAL

    language = OFFICIAL
    if options.split is not None:
        language = language._replace(split=_function(options.split, "--split"))
    if options.tokenise is not None:
        language = language._replace(tokenise=_function(options.tokenise, "--tokenise"))
    return language


def _function(text: str, option: str) -> Callable[[str], Sequence[str]]:
    """A function that the user names; it is the user's own code that runs."""
    from importlib import import_module

    module, colon, name = text.partition(":")
    if not (module and colon and name):
        raise UsageError(f"{option} is written MODULE:FUNCTION, found {text!r}")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"{option} {text}: {error}") from None
    if not callable(found):
        raise UsageError(f"{option} {text} is no function")
    return found  # type: ignore[no-any-return]
