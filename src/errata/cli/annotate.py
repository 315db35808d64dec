"""``errata annotate``: the edits between a text and its corrections, with the types of ERRANT."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.parse_inputs import bank_from
from errata.cli.printing import print_warning
from errata.cli.type_arguments import ERRANT, make_type_system, type_system_name
from errata.cli.vocabulary import add_option, add_options
from errata.errors import MismatchError, RequestError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Sentence
    from errata.formats.lines import TextLine
    from errata.language.errant import AlignmentName, FindsEdits, MergeName

_EXAMPLES = """\
examples:
  errata convert examples/learner.m2 --to parallel -o learner
  errata annotate learner.src learner.ref0 learner.ref1 -o edits.m2
  errata annotate learner.src examples/systems/eager.txt -o eager.m2 \\
      --parses parses.conllu
  errata annotate learner.src learner.ref0 --alignment lev --merge all-split
  errata annotate learner.src learner.ref0 --types nucle

Texts have one tokenised sentence per line.  Each corrected text is an
annotator: 0, 1, ....  What is written is M2, as errant_parallel writes it; an
empty source line has a block too, so that lines do not shift.
Only sentences that are changed are parsed, each once; --parses keeps them.
The rules and types of ERRANT are for English; --types names those of a plug-in
for another language, and edits are then found without a parser.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "annotate",
        help="find the edits between a text and its corrections, with the types of ERRANT",
        description="Find the edits between a text and its corrections by the rules of ERRANT.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("source_text", metavar="SOURCE", help="source text, one sentence per line; - is standard input")
    parser.add_argument("corrected", metavar="CORRECTION", nargs="+", help="corrected text, with as many lines; each is an annotator")
    add_option(parser, "--types", " (default errant)", type=type_system_name)
    add_option(parser, "--alignment", "; with other types than ERRANT's, lev is the default", default=None)
    add_option(parser, "--merge", "; with other types than ERRANT's, all-merge is the default", default=None)
    add_options(parser, "--analyser", "--parses", "--max-tokens")
    add_option(parser, "--output", "; compressed if its name ends in .gz (default: standard output)", default="-")
    parser.set_defaults(run=run, prints=lambda _: False)


def run(options: argparse.Namespace) -> int:
    """Read the texts and write their edits."""
    from errata.formats.lines import display_path
    from errata.formats.writing import write_files
    from errata.language.errant import annotate_sentences
    from errata.report.progress import ProgressBar

    if [options.source_text, *options.corrected].count("-") > 1:
        raise UsageError("standard input (-) can be only one of the files")
    sources = [line.tokens for line in _read(options.source_text, options)]
    columns = [_read_corrections(path, len(sources), options) for path in options.corrected]
    paths = [display_path(path) for path in options.corrected]
    extractor = _make_extractor(options)
    with ProgressBar("annotating", len(sources)) as bar:
        sentences = annotate_sentences(sources, columns, extractor, paths)
        write_files({options.output: _write_lines(sentences, paths, bar.advance)})
    return 0


def _make_extractor(options: argparse.Namespace) -> FindsEdits:
    """ERRANT's rules, or those of another system of types for edits that need no parses unless --alignment or --merge say so."""
    from errata.language.errant import Extractor, TypedExtractor

    if options.types in {None, ERRANT}:
        from errata.language.types import find_word_list

        alignment: AlignmentName = options.alignment or "linguistic"
        merge: MergeName = options.merge or "rules"
        return Extractor(bank_from(options), alignment, merge, find_word_list())
    system = make_type_system(options.types)
    return TypedExtractor(Extractor(bank_from(options), options.alignment or "lev", options.merge or "all-merge"), system)


def _read(path: str, options: argparse.Namespace) -> Iterator[TextLine]:
    from errata.formats import Problems, display_path
    from errata.formats.lines import read_text_lines

    return read_text_lines(path, Problems(display_path(path), warn=print_warning), options.max_tokens)


def _read_corrections(path: str, sources: int, options: argparse.Namespace) -> list[TextLine]:
    """Read a corrected text, which must have as many lines as the source."""
    from errata.corpus.corpus import take_at_most
    from errata.formats.lines import display_path

    whole = f"{sources:,} of {display_path(options.source_text)}"
    lines = take_at_most(_read(path, options), sources, display_path(path), whole)
    if len(lines) < sources:
        raise MismatchError(f"{display_path(path)} has too few lines: {len(lines):,} for the {whole}")
    return lines


def _write_lines(sentences: Iterable[Sentence], paths: Sequence[str], progress: Callable[[int], None]) -> Iterator[str]:
    """Yield the lines of M2; what M2 cannot express is an error that names the line."""
    from errata.formats.m2 import format_m2

    for number, sentence in enumerate(sentences, start=1):
        try:
            yield from format_m2([sentence])
        except RequestError as error:
            raise RequestError(f"{' or '.join(paths)}:{number}: {error}") from None
        progress(1)
