"""Read and write graphs: UCCA XML, MRP JSON and CoNLL-U, by extension, or all files of a folder."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, get_args

from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.errors import InputError, RequestError, UsageError, pluralise
from errata.formats.file_names import LONGEST_FILE_NAME, find_same_file
from errata.formats.folders import is_folder, list_files
from errata.formats.lines import display_path, get_file_name
from errata.formats.output import write_files
from errata.formats.problems import WarnOnce, warn_in_python
from errata.graphs.conllu import read_conllu
from errata.graphs.mrp import KEPT_IN_MRP, format_mrp, read_mrp
from errata.graphs.ucca_xml import format_ucca_xml, read_ucca_xml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from os import PathLike

    from errata.corpus.graphs import Graph
    from errata.formats.problems import Problem, Problems

GraphFormat = Literal["ucca", "mrp", "conllu"]
"""The name of a graph format."""
GRAPH_FORMATS: tuple[GraphFormat, ...] = get_args(GraphFormat)
"""All graph formats."""
_EXTENSIONS: dict[str, GraphFormat] = {
    ".xml": "ucca",
    ".mrp": "mrp",
    ".jsonl": "mrp",
    ".json": "mrp",
    ".conllu": "conllu",
    ".conll": "conllu",
}

_FILE = re.compile(r"\w[\w.-]{0,99}")


def guess_graph_format(path: str) -> GraphFormat:
    """Guess the format of graphs by extension.

    >>> guess_graph_format("wiki.xml"), guess_graph_format("dev.mrp.gz"), guess_graph_format("en.conllu")
    ('ucca', 'mrp', 'conllu')
    """
    name = get_file_name(path).lower()
    for extension, format_ in _EXTENSIONS.items():
        if name.endswith(extension):
            return format_
    raise UsageError(
        f"{display_path(path)}: files of graphs have the extension {', '.join(_EXTENSIONS)}; else choose their format from "
        f"{', '.join(GRAPH_FORMATS)}; a text needs a parser (--parser)"
    )


def read_graphs(
    *paths: str | PathLike[str],
    format: GraphFormat | None = None,  # noqa: A002 - the word users know
    unique: bool = True,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    warn: Callable[[Problem], None] = warn_in_python,
) -> tuple[Graph, ...]:
    """Read graphs from files, or from all files of a folder in the order of their names.

    With ``unique``, two graphs with the same id are an error.  A graph may have ``max_tokens`` tokens.  ``warn`` takes warnings about
    skipped content.

    >>> [graph.id for graph in read_graphs("examples/graphs/source.mrp")][:2]
    ['1', '2']
    """
    graphs: list[Graph] = []
    locations: dict[str, str] = {}
    for path in _files(paths):
        problems = WarnOnce(display_path(path), warn)
        kind = format or guess_graph_format(path)
        if kind not in GRAPH_READERS:
            raise UsageError(f"unknown graph format {kind!r}; choose from {', '.join(GRAPH_FORMATS)}")
        before = len(graphs)
        for graph in GRAPH_READERS[kind](path, problems, max_tokens):
            if unique and graph.id in locations:
                raise InputError(f"{graph.location}: the graph in {locations[graph.id]} has the same id {graph.id!r}")
            locations[graph.id] = graph.location
            graphs.append(graph)
        if len(graphs) == before:
            raise InputError(f"{display_path(path)}: no graphs found")
    return tuple(graphs)


GRAPH_READERS: dict[str, Callable[[str, Problems, int], Iterator[Graph]]] = {
    "ucca": read_ucca_xml,
    "mrp": read_mrp,
    "conllu": read_conllu,
}
"""The function that reads each format."""


def _files(paths: Iterable[str | PathLike[str]]) -> list[str]:
    files: list[str] = []
    for path in map(str, paths):
        if path != "-" and is_folder(path):
            own = [file for file in list_files(path) if get_file_name(file).lower().endswith(tuple(_EXTENSIONS))]
            if not own:
                raise InputError(f"{display_path(path)}: no file in this folder has the extension {', '.join(_EXTENSIONS)}")
            files += own
        else:
            files.append(path)
    return files


def write_graphs(graphs: Iterable[Graph], path: str | PathLike[str], format: GraphFormat | None = None) -> None:  # noqa: A002
    """Write graphs as UCCA XML or MRP, in full or not at all; if the path ends in a slash, one XML file per graph."""
    path, everything = str(path), list(graphs)
    if path.endswith("/"):
        names = [_file_of(graph) for graph in everything]
        if (same := find_same_file(names)) is not None:
            one, other = (everything[number] for number in same)
            which = (
                f"two graphs have the same id, {one.id!r}"
                if one.id == other.id
                else f"on some systems the ids {one.id!r} and {other.id!r} name the same file"
            )
            raise RequestError(f"{which}, so they would be written to one file; write all graphs into one file")
        write_files({f"{path}{name}": format_ucca_xml([graph]) for name, graph in zip(names, everything, strict=True)})
        return
    kind = format or guess_graph_format(path)
    if kind == "conllu":
        raise UsageError("CoNLL-U can be read, but not written; write graphs as ucca or mrp")
    write_files({path: format_ucca_xml(everything) if kind == "ucca" else format_mrp(everything)})


def _file_of(graph: Graph) -> str:
    """Make a file name from the id of a passage; an untrusted id must not lead to another folder."""
    name = f"{graph.id}.xml"
    if not _FILE.fullmatch(graph.id) or len(name.encode()) > LONGEST_FILE_NAME:
        raise RequestError(f"{graph.name[:200]}: its id cannot be a file name; write all graphs into one file")
    return name


def list_graph_losses(graphs: Sequence[Graph], format: GraphFormat) -> list[str]:  # noqa: A002
    """List what a format cannot express of graphs."""
    if format != "mrp":
        several = f"UCCA XML has one passage per file, so {len(graphs):,} are put inside <passages>; -o FOLDER/ writes one file each"
        labels = sum(unit.label is not None for graph in graphs for unit in graph.units)
        forgotten = [f"UCCA XML has no node labels: {pluralise(labels, 'label')} left out"] if labels else []
        return ([several] if len(graphs) > 1 else []) + forgotten
    linkages = sum(unit.kind == "linkage" for graph in graphs for unit in graph.units)
    spaced = sum(len(token.split()) > 1 for graph in graphs for token in graph.tokens)
    names = sorted({name for graph in graphs for name, _ in graph.properties if name not in KEPT_IN_MRP})
    losses = [f"MRP has no linkages: {pluralise(linkages, 'linkage')} left out; no measure uses them"] if linkages else []
    losses += [f"words with white space are split in MRP ({pluralise(spaced, 'word')})"] if spaced else []
    losses += [f"MRP has no graph properties {', '.join(names)}; they are left out"] if names else []
    return losses
