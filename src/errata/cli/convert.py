"""``errata convert``: from one format to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.arguments import Parser, add_corpus_arguments, corpus_from, print_warning

if TYPE_CHECKING:
    import argparse

_EXAMPLES = """\
examples:
  errata convert examples/learner.m2 --to jsonl -o learner.jsonl
  errata convert learner.jsonl --to m2
  errata convert examples/learner.m2 --to xml -o learner.xml
  errata convert examples/learner.m2 --to parallel -o learner
  errata convert learner.src --reference learner.ref0 --reference learner.ref1 --to m2 -o aligned.m2.gz

XML has the error lists of I-measure: corrections that overlap are alternatives of one error.
Parallel text is PREFIX.src and PREFIX.ref0, PREFIX.ref1, ..., one for each annotator.
Edits of parallel text are found by alignment: the fewest changed tokens, then the fewest edits.
What the new format cannot express is reported.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "convert",
        help="convert between M2, JSON Lines, XML and parallel text",
        description="Convert a corpus to another format.",
        epilog=_EXAMPLES,
    )
    add_corpus_arguments(parser)
    parser.add_argument("--to", choices=("m2", "jsonl", "xml", "parallel"), help="format to write (default: by the ending of OUT)")
    parser.add_argument(
        "-o", "--output", metavar="OUT", default="-", help="file to write, for parallel text its prefix (default: standard output)"
    )
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Read, report what is lost, write."""
    from errata.errors import UsageError
    from errata.formats import guess_format, losses, write

    target = options.to or guess_format(options.output)
    if options.to is None and (options.output == "-" or target == "parallel"):
        raise UsageError("which format? give --to m2, jsonl, xml or parallel, or -o with an ending that says it (.m2, .jsonl or .xml)")
    if target == "parallel" and options.output == "-":
        raise UsageError("parallel text is several files, so it needs -o PREFIX")
    corpus = corpus_from(options)
    for loss in losses(corpus, target):
        print_warning(f"{corpus.path}: {loss}")
    write(corpus, options.output, target)
    return 0
