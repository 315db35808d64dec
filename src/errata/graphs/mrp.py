"""MRP, the format of the shared tasks on meaning representation parsing: one JSON object per line, for UCCA and other frameworks.

Nodes are anchored in characters of the text.  Words are separated by white space and by the boundaries of anchors.
In frameworks without a root, a root is added, with an edge ``TOP`` to each top and ``FREE`` to every other node without a parent; it
is left out when the graph is written.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from errata.corpus.graphs import FRAMEWORKS, MOST_IN_YIELDS, Edge, Graph, Unit, check_graph_size
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import FormatError, InputError, pluralise
from errata.formats.json_values import expect_list, expect_object, expect_string, parse_json
from errata.formats.lines import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.corpus.graphs import Properties
    from errata.formats.problems import Problems

_GRAPH = {"id", "flavor", "framework", "version", "time", "provenance", "language", "source", "targets", "input", "tops", "nodes", "edges"}
_NODE = {"id", "label", "properties", "values", "anchors"}
_EDGE = {"id", "source", "target", "label", "attributes", "properties", "values"}
KEPT_IN_MRP = ("version", "time", "provenance", "language", "source")
_MOST_TOKENS = 1 << 16
_LINE_TOKENS = 16
"""A line has a graph, which takes more bytes than its text."""
_TOP, _FREE, _REMOTE = "TOP", "FREE", "remote"
_ROOT = "root"
"""The label of the edge to the top of a dependency tree."""
_UNTRUE = {"false", "none", "0"}
_PUNCTUATION = {"ucca": "U", "ud": "punct"}
"""The label of edges to punctuation marks."""
_WORD = re.compile(r"\S+")
_NO_MORE_THAN = 40


def read_mrp(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[Graph]:
    """Yield the graphs of a file."""
    for line in read_lines(path, problems, max(_MOST_TOKENS, _LINE_TOKENS * max_tokens), advice=f"cut long passages, or {RAISE_LIMIT}"):
        if not line.text.strip():
            continue
        try:
            graph = _graph(parse_json(line.text), f"{problems.path}:{line.number}", line.number, problems, max_tokens)
        except FormatError:
            raise
        except InputError as error:
            problems.error(line.number, str(error))
            continue
        yield graph


def _graph(record: Any, location: str, line: int, problems: Problems, max_tokens: int) -> Graph:
    _object(record, "a graph", _GRAPH, line, problems)
    framework = record.get("framework")
    if not isinstance(framework, str) or framework not in FRAMEWORKS:
        raise InputError(f"unknown framework {framework!r:.40}; choose from {', '.join(sorted(FRAMEWORKS))}")
    text = expect_string(record.get("input", ""), "input")
    nodes = [_object(node, "a node", _NODE, line, problems) for node in expect_list(record.get("nodes", []), "nodes")]
    edges = [_object(edge, "an edge", _EDGE, line, problems) for edge in expect_list(record.get("edges", []), "edges")]
    positions: dict[str, int] = {}
    for number, node in enumerate(nodes):
        name = _id(node.get("id"), "the id of a node")
        if name in positions:
            raise InputError(f"two nodes have the id {name}")
        positions[name] = number
    spans = [[_span(anchor, len(text)) for anchor in expect_list(node.get("anchors") or [], "anchors")] for node in nodes]
    words = _words(text, spans)
    check_graph_size(len(words), max_tokens)
    starts = [start for start, _ in words]
    made = [_edge(edge, positions) for edge in edges]
    marks = {edge.child for edge in made if edge.labels == (_PUNCTUATION.get(framework),)}
    parents, children = {edge.parent for edge in made}, {edge.child for edge in made}
    units = []
    total = 0
    for number, node in enumerate(nodes):
        ranges = [range(bisect_left(starts, start), bisect_left(starts, end)) for start, end in spans[number]]
        total += sum(map(len, ranges))
        if total > MOST_IN_YIELDS:
            raise InputError(f"its nodes have more than {MOST_IN_YIELDS:,} words in total")
        anchors = tuple(dict.fromkeys(position for words_of in ranges for position in words_of))
        units.append(
            Unit(
                str(node["id"]),
                anchors,
                "punctuation" if number in marks else "unit",
                implicit=framework == "ucca" and not anchors and number in children and number not in parents,
                label=None if node.get("label") is None else expect_string(node["label"], "the label of a node"),
                properties=_properties(node.get("properties"), node.get("values"), "properties"),
            )
        )
    if framework != "ucca":
        tops = [positions.get(_id(top, "a top"), -1) for top in expect_list(record.get("tops") or [], "tops")]
        if -1 in tops:
            raise InputError("a top is not a node of the graph")
        _add_root(units, made, tops, framework)
    return Graph(
        _id(record.get("id"), "the id of a graph"),
        tuple(text[start:end] for start, end in words),
        tuple(units),
        tuple(made),
        framework,
        frozenset(position for mark in marks for position in units[mark].anchors),
        _paragraphs(text, words),
        tuple((name, record[name]) for name in KEPT_IN_MRP if isinstance(record.get(name), str | int | float)),
        location,
        text,
        tuple(words),
    )


def _add_root(units: list[Unit], edges: list[Edge], tops: list[int], framework: str) -> None:
    """Add a root above all nodes without a parent, so that they are counted; a dependency tree may have its root already."""
    children = {edge.child for edge in edges}
    free = [number for number in range(len(units)) if number not in children]
    if framework == "ud" and len(free) == 1 and not units[free[0]].anchors:
        units[free[0]] = units[free[0]]._replace(kind="root")
        return
    top = _ROOT if framework == "ud" else _TOP
    distinct = dict.fromkeys(tops)
    edges += [Edge(len(units), number, (top,)) for number in distinct]
    edges += [Edge(len(units), number, (_FREE,)) for number in free if number not in distinct]
    units.append(Unit(_TOP, kind="root"))


def _edge(record: dict[str, Any], indices: dict[str, int]) -> Edge:
    ends = []
    for end in ("source", "target"):
        name = _id(record.get(end), f"the {end} of an edge")
        if name not in indices:
            raise InputError(f"the {end} of an edge is {name}, but there is no such node")
        ends.append(indices[name])
    properties = _properties(record.get("attributes") or record.get("properties"), record.get("values"), "attributes")
    remote = any(name == _REMOTE and str(value).lower() not in _UNTRUE for name, value in properties)
    label = "" if record.get("label") is None else expect_string(record["label"], "the label of an edge")
    kept = tuple(item for item in properties if item[0] != _REMOTE)
    return Edge(ends[0], ends[1], (label,), remote, kept)


def _words(text: str, spans: list[list[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Find the spans of words, separated by white space and by the boundaries of anchors."""
    cuts = sorted({end for own in spans for span in own for end in span})
    words = []
    position = 0
    for match in _WORD.finditer(text):
        start, end = match.span()
        while position < len(cuts) and cuts[position] <= start:
            position += 1
        while position < len(cuts) and cuts[position] < end:
            words.append((start, cuts[position]))
            start = cuts[position]
            position += 1
        words.append((start, end))
    return words


def _paragraphs(text: str, words: list[tuple[int, int]]) -> tuple[int, ...]:
    """Number the paragraph of every word, if a line ends inside the text."""
    numbers = []
    number, before = 1, 0
    for start, end in words:
        number += "\n" in text[before:start] and before > 0
        before = end
        numbers.append(number)
    return tuple(numbers) if number > 1 else ()


def _span(anchor: Any, length: int) -> tuple[int, int]:
    if not isinstance(anchor, dict):
        raise InputError(f"an anchor must be an object, found {type(anchor).__name__}")
    start, end = anchor.get("from"), anchor.get("to")
    if type(start) is not int or type(end) is not int or not 0 <= start <= end <= length:
        raise InputError(f"an anchor must lie in the {pluralise(length, 'character')} of the input, found {start!r:.20} to {end!r:.20}")
    return start, end


def _object(data: Any, what: str, keys: set[str], line: int, problems: Problems) -> dict[str, Any]:
    record = expect_object(data, what)
    for key in record.keys() - keys:
        problems.skipped(line, f"the key {key[:_NO_MORE_THAN]!r} of {what}")
    return record


def _id(data: Any, what: str) -> str:
    if isinstance(data, bool) or not isinstance(data, int | str):
        raise InputError(f"{what} must be a number or a string, found {type(data).__name__}")
    return str(data)


def _properties(names: Any, values: Any, what: str) -> Properties:
    names, values = expect_list(names or [], what), expect_list(values or [], "values")
    if len(names) != len(values):
        raise InputError(f"{pluralise(len(names), 'name')} in {what}, but {pluralise(len(values), 'value')}")
    for value in values:
        if value is not None and not isinstance(value, str | int | float | bool):
            raise InputError(f"a value must be a string or a number, found {type(value).__name__}")
    return tuple((_id(name, f"one of {what}"), value) for name, value in zip(names, values, strict=True))


def format_mrp(graphs: Iterable[Graph]) -> Iterator[str]:
    """Yield one line per graph."""
    for graph in graphs:
        yield json.dumps(_record(graph), ensure_ascii=False)


def _record(graph: Graph) -> dict[str, Any]:
    text, spans = (graph.raw, graph.spans) if graph.spans else _join_words(graph)
    added = "root" if graph.framework != "ud" else ""
    kept = [index for index, unit in enumerate(graph.units) if unit.kind not in {"linkage", added}]
    numbers = {index: number for number, index in enumerate(kept)}
    tops = [edge.child for edge in graph.edges if graph.units[edge.parent].kind == added and edge.labels == (_TOP,)]
    tops = tops or [index for index in kept if not graph.incoming[index]]
    record: dict[str, Any] = {"id": graph.id, "flavor": FRAMEWORKS[graph.framework], "framework": graph.framework}
    record |= {name: value for name, value in graph.properties if name in KEPT_IN_MRP}
    record |= {"input": text, "tops": [numbers[top] for top in tops]}
    record["nodes"] = [_node(numbers[index], graph.units[index], spans) for index in kept]
    record["edges"] = [
        _edge_record(edge, label, numbers)
        for edge in graph.edges
        if edge.parent in numbers and edge.child in numbers
        for label in edge.labels
    ]
    return record


def _join_words(graph: Graph) -> tuple[str, list[tuple[int, int]]]:
    """Join words with single spaces, and paragraphs with line ends; also return the spans of the words."""
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    length = 0
    for position, token in enumerate(graph.tokens):
        gap = ("\n" if graph.paragraphs and graph.paragraphs[position] != graph.paragraphs[position - 1] else " ") if position else ""
        spans.append((length + len(gap), length + len(gap) + len(token)))
        length = spans[-1][1]
        pieces += [gap, token]
    return "".join(pieces), spans


def _node(number: int, unit: Unit, spans: Sequence[tuple[int, int]]) -> dict[str, Any]:
    record: dict[str, Any] = {"id": number}
    if unit.label is not None:
        record["label"] = unit.label
    if unit.properties:
        record |= {"properties": [name for name, _ in unit.properties], "values": [value for _, value in unit.properties]}
    if unit.anchors:
        record["anchors"] = [{"from": start, "to": end} for start, end in (spans[anchor] for anchor in unit.anchors)]
    return record


def _edge_record(edge: Edge, label: str, numbers: dict[int, int]) -> dict[str, Any]:
    record: dict[str, Any] = {"source": numbers[edge.parent], "target": numbers[edge.child], "label": label}
    marks = [*([(_REMOTE, True)] if edge.remote else []), *edge.properties]
    if marks:
        record |= {"attributes": [name for name, _ in marks], "values": [value for _, value in marks]}
    return record
