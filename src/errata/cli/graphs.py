"""``errata graphs``: what is in files of semantic graphs; conversion, and passages cut into sentences."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from errata.cli.graph_inputs import cut_by_text, parse_texts
from errata.cli.printing import TABLE, flush_warnings, print_json, print_tables, print_warning
from errata.cli.vocabulary import add_format, add_option, add_options
from errata.errors import UsageError
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from errata.cli.parser import Parser
    from errata.corpus.graphs import Graph
    from errata.report import Cell, Table

_EXAMPLES = """\
examples:
  errata graphs examples/graphs/source.mrp examples/graphs/bold.mrp
  errata graphs examples/graphs/essay.xml --to mrp -o essay.mrp
  errata graphs examples/graphs/essay.xml --to mrp \\
      --text examples/graphs/essay.txt
  errata graphs examples/graphs/source.mrp --to ucca -o source.xml

Reads UCCA XML (.xml), MRP (.mrp, .jsonl) and CoNLL-U (.conllu), or folders of
such files.  Writes UCCA XML and MRP: -o FILE.mrp holds all graphs, -o FOLDER/ a
UCCA XML file for each passage.
With --parser, FILE is a text of one sentence per line:
  errata graphs source.txt --parser spacy -o source.mrp
"""
_WRITTEN = (".mrp", ".jsonl", ".xml", ".conllu")
"""Endings of files that graphs are written to; CoNLL-U is refused later."""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "graphs",
        help="count, convert and cut semantic graphs",
        description="Count semantic graphs, convert them, or cut passages into sentences.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="graphs: files or folders")
    add_option(parser, "--from", ": ucca, mrp or conllu (default: by extension)")
    add_options(parser, "--max-tokens", "--text", "--parser")
    add_option(parser, "--to", " (default: by the extension of --output)", choices=("ucca", "mrp"))
    add_format(parser, TABLE, "; csv has the sizes only")
    add_option(parser, "--output", ": graphs if it ends in .mrp, .xml or /, else the table")
    parser.set_defaults(run=run, prints=lambda options: not _writes_graphs(options))


def run(options: argparse.Namespace) -> int:
    """Read, cut, and write or count."""
    from errata.formats import name_systems
    from errata.formats.graphs import read_graphs

    if _writes_graphs(options):
        return _write(options)
    names = name_systems(options.files)
    if options.graph_parser:
        graphs = parse_texts(options.graph_parser, options.files, options.max_tokens)
    else:
        graphs = [
            read_graphs(path, format=options.input_format, max_tokens=options.max_tokens, warn=print_warning) for path in options.files
        ]
    graphs_by_file = dict(zip(names, graphs, strict=True))
    if options.text:
        if len(graphs_by_file) > 1:
            raise UsageError(f"--text is the text of one file or folder, found {len(graphs_by_file)}; or write the graphs with --to")
        graphs_by_file = {name: cut_by_text(own, options.text, name, options.max_tokens) for name, own in graphs_by_file.items()}
    if options.format == "json":
        entries = [
            {"graphs_of": name, **counts_of(graphs), "categories": dict(edges_by_category(graphs))}
            for name, graphs in graphs_by_file.items()
        ]
        print_json({"errata": __version__, "files": entries})
    else:
        tables = [graph_size_table(graphs_by_file), categories_table(graphs_by_file)]
        print_tables(tables[:1] if options.format == "csv" else tables, options.format)
    return 0


def _writes_graphs(options: argparse.Namespace) -> bool:
    """Whether graphs are written, not a table about them."""
    from errata.formats import get_file_name

    path = options.output or ""
    return bool(options.to) or path.endswith("/") or get_file_name(path).lower().endswith(_WRITTEN)


def _write(options: argparse.Namespace) -> int:
    """Convert, and cut if there is a text."""
    from errata.formats import display_path
    from errata.formats.graphs import guess_graph_format, list_graph_losses, read_graphs, write_graphs

    if options.format != "table":
        raise UsageError(f"--format {options.format} is for what is counted; graphs are written as ucca or mrp (--to)")
    folder = (options.output or "").endswith("/")
    target = options.to or ("ucca" if folder else guess_graph_format(options.output))
    if target == "conllu" or (folder and target != "ucca"):
        raise UsageError(
            "CoNLL-U is read, not written; say --to ucca or --to mrp"
            if target == "conllu"
            else "a folder holds UCCA XML, a file for each passage"
        )
    if options.graph_parser:
        if len(options.files) > 1:
            raise UsageError("graphs of several texts would have the same ids; parse one text after the other")
        (graphs,) = parse_texts(options.graph_parser, options.files, options.max_tokens)
    else:
        graphs = read_graphs(*options.files, format=options.input_format, max_tokens=options.max_tokens, warn=print_warning)
    if options.text:
        graphs = cut_by_text(graphs, options.text, ", ".join(map(display_path, options.files)), options.max_tokens)
    for loss in list_graph_losses(graphs, target) if not folder else ():
        print_warning(loss)
    flush_warnings()
    write_graphs(graphs, options.output or "-", target)
    return 0


def counts_of(graphs: Sequence[Graph]) -> dict[str, int]:
    """How much of everything there is."""
    return {
        "graphs": len(graphs),
        "words": sum(len(graph.tokens) for graph in graphs),
        "units": sum(len(graph.counted) for graph in graphs),
        "implicit": sum(unit.implicit for graph in graphs for unit in graph.units),
        "edges": sum(not edge.remote for graph in graphs for unit in graph.counted for edge in graph.incoming[unit]),
        "remote": sum(edge.remote for graph in graphs for unit in graph.counted for edge in graph.incoming[unit]),
        "linkages": sum(unit.kind == "linkage" for graph in graphs for unit in graph.units),
    }


def edges_by_category(graphs: Sequence[Graph]) -> list[tuple[str, int]]:
    """How many edges have each category, the most frequent first."""
    counts = Counter(label for graph in graphs for unit in graph.counted for edge in graph.incoming[unit] for label in edge.labels)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def graph_size_table(graphs_by_file: Mapping[str, Sequence[Graph]]) -> Table:
    """A row for each file."""
    from errata.report import Column, Table

    rows: list[tuple[Cell, ...]] = [(name, *counts_of(graphs).values()) for name, graphs in graphs_by_file.items()]
    names = counts_of(())
    return Table((Column("Graphs of", key="graphs_of"), *(Column(name.capitalize(), "count", name) for name in names)), tuple(rows))


def categories_table(graphs_by_file: Mapping[str, Sequence[Graph]]) -> Table:
    """A row for each category, a column for each file."""
    from errata.report import Column, Table

    counts = {name: dict(edges_by_category(graphs)) for name, graphs in graphs_by_file.items()}
    names = sorted(
        {name for own in counts.values() for name in own}, key=lambda name: (-sum(own.get(name, 0) for own in counts.values()), name)
    )
    columns = (Column("Category", key="category"), *(Column(name, "count") for name in graphs_by_file))
    return Table(columns, tuple((name, *(own.get(name, 0) for own in counts.values())) for name in names))
