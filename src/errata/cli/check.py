"""``errata check``: list all errors and warnings of input files."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from errata.cli.printing import TEXT, print_json
from errata.cli.vocabulary import OF_HOO_EDITS, add_format, add_option, add_options
from errata.errors import pluralise

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from errata.cli.parser import Parser
    from errata.formats import Problem

_EXAMPLES = """\
examples:
  errata check examples/learner.m2 examples/systems/*.txt
  errata check examples/systems/eager.txt --against examples/learner.m2
  errata check examples/graphs/essay.xml examples/graphs/*.mrp
  errata check examples/hoo/gold --source examples/hoo/source
  errata check examples/hoo/texts --against examples/hoo/gold \\
      --source examples/hoo/source

A file with an error cannot be read.  A warning is about something unusual that
is read in a defined way, and may be what you meant.
The exit status is 2 if there is any error.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "check",
        help="list errors and warnings of input files",
        description="List all errors and warnings of input files, with line numbers.",
        epilog=_EXAMPLES,
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="M2, JSON Lines, XML, SGML, HOO, or graphs (XML, .mrp, .conllu) by its extension; else text with one sentence per line",
    )
    add_option(
        parser, "--from", ": m2, jsonl, xml, sgml, text, ucca, mrp, conllu, hoo, hoo-text, or that of a plug-in (default: by extension)"
    )
    add_option(parser, "--source", f"{OF_HOO_EDITS}; every FILE is then a file or a folder of HOO edits (XML), or of texts with --against")
    add_options(parser, "--against", "--unicode", "--max-tokens", "--errors-only")
    add_format(parser, TEXT)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check every file and print its problems."""
    from errata.corpus.unicode import AS_GIVEN
    from errata.errors import UsageError
    from errata.formats import display_path, read
    from errata.formats.checking import check_against, check_file, check_output, check_texts, guess_kind
    from errata.formats.graphs import GRAPH_FORMATS
    from errata.report.writers import printer

    if [*options.files, options.against].count("-") > 1:
        raise UsageError("standard input (-) can be only one of the files")
    gold = None
    if options.against:
        settings = {"source": options.source, "unicode": options.unicode or AS_GIVEN, "max_tokens": options.max_tokens}
        gold = read(options.against, lenient=True, warn=_not_here, **settings)
    problems_found: list[Problem] = []
    sizes: list[tuple[str, int, str]] = []
    for path in _list_files(options):
        is_output = _is_output(options, path)
        kind = options.input_format or ("text" if is_output else guess_kind(path))
        most = len(gold) + 1 if gold is not None else None
        compared = gold is not None and (is_output or not options.source)
        if gold is not None and is_output and options.source:
            sentences, problems = check_texts(path, options.source, gold, options.max_tokens)
        elif gold is not None and is_output and options.input_format in {None, "m2", "text"}:
            system, problems = check_output(path, gold, options.max_tokens, options.input_format)
            sentences, compared = list(system.sentences), False
        else:
            sentences, problems = check_file(path, kind, options.max_tokens, most, options.source)
        if gold is not None and compared and not any(problem.severity == "error" for problem in problems):
            problems += check_against(path, sentences, gold)
        sizes.append(
            (
                display_path(path),
                len(sentences),
                "graph" if kind in GRAPH_FORMATS else "sentence" if options.source else _COUNTED.get(kind, "sentence"),
            )
        )
        problems_found += problems
    hidden = options.errors_only or options.quiet
    shown = [problem for problem in problems_found if problem.severity == "error" or not hidden]
    errors = sum(problem.severity == "error" for problem in problems_found)
    if options.format == "json":
        files = [{"path": path, "sentences": count} for path, count, _ in sizes]
        print_json({"files": files, "problems": [asdict(problem) for problem in shown]})
    else:
        lines = [f"{problem.severity}: {problem}" for problem in shown]
        lines += [f"{path}: {pluralise(count, noun)}" for path, count, noun in sizes]
        warnings = pluralise(len(problems_found) - errors, "warning")
        lines.append(f"{pluralise(errors, 'error')}, {warnings}{' not shown' if len(shown) < len(problems_found) else ''}")
        printer("never")(*([(line, "")] for line in lines))
    return 2 if errors else 0


_COUNTED = {"hoo": "edit", "hoo-text": "part"}
"""What a file of each format has, if not sentences or graphs."""


def _list_files(options: argparse.Namespace) -> Iterator[str]:
    """Yield the files to check; with --source, those of folders of edits too."""
    from errata.formats.lines import is_folder, list_files

    for path in options.files:
        yield from list_files(path) if options.source and not _is_output(options, path) and is_folder(path) else [path]


def _is_output(options: argparse.Namespace, path: str) -> bool:
    """Whether a file is the output of a system; the gold itself, or a file of its folder, may be checked too."""
    if options.against is None:
        return False
    return path != options.against and not (options.source and Path(path).parent == Path(options.against))


def _not_here(problem: Problem) -> None:
    """Skip problems of the gold: they are listed only if the gold is checked."""
