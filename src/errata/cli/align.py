"""``errata align``: an output brought to the lines of its source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.cli.printing import TEXT, flush_warnings, print_warning
from errata.cli.vocabulary import add_format, add_option, add_options
from errata.errors import UsageError
from errata.version import __version__

if TYPE_CHECKING:
    import argparse

    from errata.cli.parser import Parser
    from errata.corpus import LineAlignment

_EXAMPLES = """\
examples:
  errata align examples/learner.m2 examples/alignment/chatty.txt -o chatty.txt
  errata align examples/learner.m2 examples/alignment/chatty.txt \\
      --fill source -o chatty.txt
  errata align examples/learner.m2 examples/alignment/chatty.txt --format json

What is written has one line for each line of SOURCE.  Lines that the output
joined are cut again, lines that it split are joined again with a space, and
lines that are not in SOURCE, such as "Here is the corrected text:", or that
repeat another are left out.  A missing line is an empty line.
All of this is reported on standard error: every line that was moved, joined,
split, left out or is missing, with its number.
Words are compared, so the output may be tokenised or not.
Lines in another order are missing, and left out where they stand.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "align",
        help="bring an output with other lines to the lines of its source",
        description="Bring an output with other lines to the lines of its source.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("source_text", metavar="SOURCE", help="source: a text with one sentence per line, or gold; - is standard input")
    parser.add_argument("corrected", metavar="OUTPUT", help="output of a system, with any number of lines; - is standard input")
    add_options(parser, "--fill", "--max-tokens")
    add_format(parser, TEXT, ": the lines as text, or lines and operations as JSON")
    add_option(parser, "--output", "; compressed if its name ends in .gz (default: standard output)", default="-")
    parser.set_defaults(run=run, prints=lambda _: False)


def run(options: argparse.Namespace) -> int:
    """Read both, align, write the lines and report what was done."""
    from errata.corpus import align_lines
    from errata.formats.lines import display_path
    from errata.formats.writing import write_files
    from errata.report.progress import print_to_stderr

    if [options.source_text, options.corrected].count("-") > 1:
        raise UsageError("standard input (-) can be only one of the files")
    names = {"source_name": display_path(options.source_text), "output_name": display_path(options.corrected)}
    result = align_lines(_read_source(options), _read_lines(options.corrected, options), fill=options.fill, **names)
    flush_warnings()
    write_files({options.output: [_write_json(result, options)] if options.format == "json" else result.lines})
    print_to_stderr(f"errata: {names['output_name']}: {result.summary()}")
    for item in result.operations:
        print_to_stderr(f"errata: {item}")
    return 0


def _read_source(options: argparse.Namespace) -> list[str]:
    """Read the lines of a text, or the sentences of gold."""
    from errata.formats import PARALLEL, find_input_format, read

    path = options.source_text
    if path == "-" or find_input_format(path) == PARALLEL:
        return _read_lines(path, options)
    return [sentence.text for sentence in read(path, max_tokens=options.max_tokens, warn=print_warning)]


def _read_lines(path: str, options: argparse.Namespace) -> list[str]:
    from errata.formats import Problems, display_path
    from errata.formats.lines import read_text_lines

    return [line.text for line in read_text_lines(path, Problems(display_path(path), warn=print_warning), options.max_tokens)]


def _write_json(result: LineAlignment, options: argparse.Namespace) -> str:
    from errata.formats import display_path
    from errata.report.writers import render_json

    operations: list[dict[str, Any]] = [
        {
            "kind": item.kind,
            "source": [item.source[0], item.source[-1]] if item.source else None,
            "output": [item.output[0], item.output[-1]] if item.output else None,
            "texts": list(item.texts),
            **({"note": item.note} if item.note else {}),
        }
        for item in result.operations
    ]
    names = {"source": display_path(options.source_text), "output": display_path(options.corrected), "fill": options.fill}
    return render_json({"errata": __version__, **names, "lines": list(result.lines), "operations": operations})
