"""Read and write graphs: UCCA XML, MRP JSON and CoNLL-U, by extension, or all files of a folder."""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from errata.corpus.graphs import FRAMEWORKS, MOST_IN_YIELDS, Edge, Graph, Unit
from errata.corpus.references import DIGITS
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import FormatError, InputError, RequestError, UsageError, pluralise
from errata.formats.jsonl import expect, parse_json
from errata.formats.lines import display_path, get_file_name, is_folder, list_files, read_lines
from errata.formats.problems import WarnOnce, warn_in_python
from errata.formats.writing import LONGEST_FILE_NAME, find_same_file, write_files
from errata.formats.xml import ElementLimits, ElementRule, check_elements, quote_attribute, read_elements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from os import PathLike

    from errata.corpus.graphs import Properties, UnitKind
    from errata.formats.lines import Line
    from errata.formats.problems import Problem, Problems
    from errata.formats.xml import Element


# --- CoNLL-U: dependency trees as graphs, so that any dependency parser can be used.
#
# Every word is a unit that spans its subtree; its relation is the category.  The words of the text are surface words, so the parts of
# a contraction share one.  Empty nodes and enhanced dependencies are skipped.

_COLUMNS = 10
_CONLLU_PUNCTUATION = "punct"
_MOST_DIGITS = 9
_EMPTY_NODE = re.compile(r"\d+\.\d+")


def _read_conllu(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[Graph]:
    """Yield the sentences of a file."""
    rows: list[Line] = []
    name, count = "", 0
    too_long = False
    for line in read_lines(path, problems, advice="such a line is not a word"):
        if too_long:  # only if problems are listed
            too_long = bool(line.text.strip())
            continue
        if line.text.startswith("#"):
            key, _, value = line.text[1:].partition("=")
            name = value.strip() if key.strip() == "sent_id" else name
        elif line.text.strip():
            rows.append(line)
            if len(rows) > max_tokens:
                problems.error(line.number, f"more than {max_tokens:,} tokens in a sentence; {RAISE_LIMIT}")
                too_long, rows, name, count = True, [], "", count + 1
        elif rows:
            count += 1
            yield from _sentence(rows, name or str(count), problems)
            rows, name = [], ""
    if rows:
        yield from _sentence(rows, name or str(count + 1), problems)


def _sentence(rows: list[Line], name: str, problems: Problems) -> Iterator[Graph]:
    try:
        yield _read_conllu_graph(rows, name, f"{problems.path}:{rows[0].number}", problems)
    except FormatError:
        raise
    except InputError as error:
        problems.error(rows[0].number, str(error))


def _read_conllu_graph(rows: list[Line], name: str, location: str, problems: Problems) -> Graph:
    tokens: list[str] = []
    units = [Unit("0", kind="root")]
    heads: list[tuple[Line, str, str]] = []
    within = 0
    """The last word of the current contraction."""
    for line in rows:
        fields = line.text.split("\t")
        if len(fields) != _COLUMNS:
            problems.error(line.number, f"expected {_COLUMNS} columns separated by tabs, found {len(fields)}")
            continue
        number, form, head, relation = fields[0], fields[1], fields[6], fields[7]
        if _EMPTY_NODE.fullmatch(number):
            continue
        first, dash, last = number.partition("-")
        if not form.strip():
            problems.error(line.number, f"the word {number} has no text")
        if _parse_number(first) != len(units) or (dash and (_parse_number(last) < len(units) or len(units) <= within)):
            problems.error(line.number, f"expected the word {len(units)}, found {number[:40]!r}")
            continue
        if dash:
            tokens.append(form)
            within = _parse_number(last)
            continue
        if len(units) > within:
            tokens.append(form)
        units.append(Unit(number, (len(tokens) - 1,), "punctuation" if relation == _CONLLU_PUNCTUATION else "unit", label=form))
        heads.append((line, head, relation))
    if within >= len(units):
        problems.error(rows[-1].number, f"a contraction ends at word {within}, but the sentence has {pluralise(len(units) - 1, 'word')}")
    edges = []
    for child, (line, head, relation) in enumerate(heads, start=1):
        if not 0 <= _parse_number(head) < len(units):
            problems.error(line.number, f"the head of word {child} is {head[:40]!r}, but there is no such word")
            continue
        edges.append(Edge(_parse_number(head), child, (relation,)))
    marks = {unit.anchors[0] for unit in units if unit.kind == "punctuation"} - {
        unit.anchors[0] for unit in units[1:] if unit.kind == "unit"
    }
    return Graph(name, tuple(tokens), tuple(units), tuple(edges), "ud", frozenset(marks), location=location)


def _parse_number(text: str) -> int:
    """Parse the number of a word; -1 if it is not a number."""
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else -1


# --- MRP, the format of the shared tasks on meaning representation parsing: one JSON object per line, for UCCA and other frameworks.
#
# Nodes are anchored in characters of the text.  Words are separated by white space and by the boundaries of anchors.
# In frameworks without a root, a root is added, with an edge ``TOP`` to each top and ``FREE`` to every other node without a parent; it
# is left out when the graph is written.

_GRAPH = {"id", "flavor", "framework", "version", "time", "provenance", "language", "source", "targets", "input", "tops", "nodes", "edges"}
_NODE = {"id", "label", "properties", "values", "anchors"}
_EDGE = {"id", "source", "target", "label", "attributes", "properties", "values"}
_KEPT_IN_MRP = ("version", "time", "provenance", "language", "source")
_MOST_TOKENS = 1 << 16
_LINE_TOKENS = 16
"""A line has a graph, which takes more bytes than its text."""
_TOP, _FREE, _REMOTE = "TOP", "FREE", "remote"
_ROOT = "root"
"""The label of the edge to the top of a dependency tree."""
_UNTRUE = {"false", "none", "0"}
_MRP_PUNCTUATION = {"ucca": "U", "ud": "punct"}
"""The label of edges to punctuation marks."""
_MRP_WORD = re.compile(r"\S+")
_NO_MORE_THAN = 40


def _read_mrp(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[Graph]:
    """Yield the graphs of a file."""
    for line in read_lines(path, problems, max(_MOST_TOKENS, _LINE_TOKENS * max_tokens), advice=f"cut long passages, or {RAISE_LIMIT}"):
        if not line.text.strip():
            continue
        try:
            graph = _read_mrp_graph(parse_json(line.text), f"{problems.path}:{line.number}", line.number, problems, max_tokens)
        except FormatError:
            raise
        except InputError as error:
            problems.error(line.number, str(error))
            continue
        yield graph


def _read_mrp_graph(record: Any, location: str, line: int, problems: Problems, max_tokens: int) -> Graph:
    _object(record, "a graph", _GRAPH, line, problems)
    framework = record.get("framework")
    if not isinstance(framework, str) or framework not in FRAMEWORKS:
        raise InputError(f"unknown framework {framework!r:.40}; choose from {', '.join(sorted(FRAMEWORKS))}")
    text = expect(str, record.get("input", ""), "input")
    nodes = [_object(node, "a node", _NODE, line, problems) for node in expect(list, record.get("nodes", []), "nodes")]
    edges = [_object(edge, "an edge", _EDGE, line, problems) for edge in expect(list, record.get("edges", []), "edges")]
    positions: dict[str, int] = {}
    for number, node in enumerate(nodes):
        name = _id(node.get("id"), "the id of a node")
        if name in positions:
            raise InputError(f"two nodes have the id {name}")
        positions[name] = number
    spans = [[_span(anchor, len(text)) for anchor in expect(list, node.get("anchors") or [], "anchors")] for node in nodes]
    words = _mrp_words(text, spans)
    _check_size(len(words), max_tokens)
    starts = [start for start, _ in words]
    made = [_mrp_edge(edge, positions) for edge in edges]
    marks = {edge.child for edge in made if edge.labels == (_MRP_PUNCTUATION.get(framework),)}
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
                label=None if node.get("label") is None else expect(str, node["label"], "the label of a node"),
                properties=_mrp_properties(node.get("properties"), node.get("values"), "properties"),
            )
        )
    if framework != "ucca":
        tops = [positions.get(_id(top, "a top"), -1) for top in expect(list, record.get("tops") or [], "tops")]
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
        tuple((name, record[name]) for name in _KEPT_IN_MRP if isinstance(record.get(name), str | int | float)),
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


def _mrp_edge(record: dict[str, Any], indices: dict[str, int]) -> Edge:
    ends = []
    for end in ("source", "target"):
        name = _id(record.get(end), f"the {end} of an edge")
        if name not in indices:
            raise InputError(f"the {end} of an edge is {name}, but there is no such node")
        ends.append(indices[name])
    properties = _mrp_properties(record.get("attributes") or record.get("properties"), record.get("values"), "attributes")
    remote = any(name == _REMOTE and str(value).lower() not in _UNTRUE for name, value in properties)
    label = "" if record.get("label") is None else expect(str, record["label"], "the label of an edge")
    kept = tuple(item for item in properties if item[0] != _REMOTE)
    return Edge(ends[0], ends[1], (label,), remote, kept)


def _mrp_words(text: str, spans: list[list[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Find the spans of words, separated by white space and by the boundaries of anchors."""
    cuts = sorted({end for own in spans for span in own for end in span})
    words = []
    position = 0
    for match in _MRP_WORD.finditer(text):
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


def _check_size(tokens: int, max_tokens: int) -> None:
    """Raise if a graph has too many tokens."""
    if tokens > max_tokens:
        raise InputError(f"{tokens:,} tokens in a graph, more than the limit of {max_tokens:,}; {RAISE_LIMIT}")


def _span(anchor: Any, length: int) -> tuple[int, int]:
    if not isinstance(anchor, dict):
        raise InputError(f"an anchor must be an object, found {type(anchor).__name__}")
    start, end = anchor.get("from"), anchor.get("to")
    if type(start) is not int or type(end) is not int or not 0 <= start <= end <= length:
        raise InputError(f"an anchor must lie in the {pluralise(length, 'character')} of the input, found {start!r:.20} to {end!r:.20}")
    return start, end


def _object(data: Any, what: str, keys: set[str], line: int, problems: Problems) -> dict[str, Any]:
    record = expect(dict, data, what)
    for key in record.keys() - keys:
        problems.skipped(line, f"the key {key[:_NO_MORE_THAN]!r} of {what}")
    return record


def _id(data: Any, what: str) -> str:
    if isinstance(data, bool) or not isinstance(data, int | str):
        raise InputError(f"{what} must be a number or a string, found {type(data).__name__}")
    return str(data)


def _mrp_properties(names: Any, values: Any, what: str) -> Properties:
    names, values = expect(list, names or [], what), expect(list, values or [], "values")
    if len(names) != len(values):
        raise InputError(f"{pluralise(len(names), 'name')} in {what}, but {pluralise(len(values), 'value')}")
    for value in values:
        if value is not None and not isinstance(value, str | int | float | bool):
            raise InputError(f"a value must be a string or a number, found {type(value).__name__}")
    return tuple((_id(name, f"one of {what}"), value) for name, value in zip(names, values, strict=True))


def _format_mrp(graphs: Iterable[Graph]) -> Iterator[str]:
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
    record |= {name: value for name, value in graph.properties if name in _KEPT_IN_MRP}
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


# --- UCCA standard XML: a passage with its words (layer 0) and its units (layer 1).
#
# Categories are the type of an edge, or ``<category tag="..."/>`` elements inside it if there are several.

_MOST_TEXT = 1 << 24
_PARTS_OF_A_TOKEN = 50
"""Elements of a passage for each of its tokens."""
_KINDS: dict[str, UnitKind] = {"FN": "unit", "PNCT": "punctuation", "LKG": "linkage"}
_TYPES = {kind: name for name, kind in _KINDS.items()}
_TERMINAL, _UCCA_WORD, _UCCA_PUNCTUATION = "Terminal", "Word", "Punctuation"
_WORDS, _UNITS = "0", "1"
_TRUE = "True"
_TRUTH = {"true": True, "false": False, "": False}
_SHARED = frozenset({"attributes", "extra"})
_RULES = {
    "root": ElementRule(_SHARED | {"layer"}, None),
    "layer": ElementRule(_SHARED | {"node"}, frozenset({"layerID"})),
    "node": ElementRule(_SHARED | {"edge"}, frozenset({"ID", "type"})),
    "edge": ElementRule(_SHARED | {"category"}, frozenset({"toID", "type"})),
    "category": ElementRule(attributes=None),
    "attributes": ElementRule(attributes=None),
    "extra": ElementRule(attributes=None),
}
"""The elements of a passage."""
_OF_UNITS, _OF_EDGES = {"implicit", "uncertain", "suggest"}, {"remote", "uncertain", "suggest"}
_OF_WORDS = {"text", "paragraph", "paragraph_position"}
_NAME = re.compile(r"[A-Za-z_:][\w:.-]*", re.ASCII)


def _read_ucca_xml(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[Graph]:
    """Yield the passages of a file; most files have one."""
    most = ElementLimits(_MOST_TEXT, _PARTS_OF_A_TOKEN * max_tokens, RAISE_LIMIT)
    for root in read_elements(path, problems, "root", ("corpus", "passages"), most):
        if not check_elements(root, _RULES, problems):
            continue
        try:
            yield _read_ucca_graph(root, problems, max_tokens)
        except FormatError:
            raise
        except InputError as error:
            problems.error(root.line, str(error))


def _read_ucca_graph(root: Element, problems: Problems, max_tokens: int) -> Graph:
    layers: dict[str, Element] = {}
    for layer in root.named("layer"):
        name = layer.attributes.get("layerID", "")
        if name in layers:
            problems.error(layer.line, f"a second layer {name!r}")
        layers[name] = layer
        if name not in {_WORDS, _UNITS}:
            problems.skipped(layer.line, f"the layer {name[:40]!r}")
    if _WORDS not in layers or _UNITS not in layers:
        raise InputError("a passage must have the layers 0 (words) and 1 (units)")
    lines: dict[str, int] = {}
    nodes = {layer: [_known(node, lines, problems) for node in layers[layer].named("node")] for layer in (_WORDS, _UNITS)}
    _check_size(len(nodes[_WORDS]), max_tokens)
    nodes[_WORDS].sort(key=lambda node: _position(node.attributes.get("ID", "")))
    positions = {node.attributes.get("ID", ""): position for position, node in enumerate(nodes[_WORDS])}
    units = {node.attributes.get("ID", ""): position for position, node in enumerate(nodes[_UNITS])}
    words, paragraphs, punctuation = _ucca_words(nodes[_WORDS], problems)
    made: list[Unit] = []
    edges: list[Edge] = []
    for position, node in enumerate(nodes[_UNITS]):
        anchors = []
        for element in node.named("edge"):
            to = element.attributes.get("toID", "")
            if to in positions:
                anchors.append(positions[to])
                _check_terminal(element, problems)
            elif to in units:
                edges.append(_ucca_edge(element, position, units[to], problems))
            else:
                problems.error(element.line, f"an edge of {node.attributes['ID']} leads to {to!r}, but there is no such node")
        made.append(_unit(node, tuple(anchors), problems))
    return Graph(
        root.attributes.get("passageID", ""),
        tuple(words),
        tuple(made),
        tuple(edges),
        punctuation=frozenset(punctuation),
        paragraphs=tuple(paragraphs) if len(set(paragraphs)) > 1 else (),
        properties=tuple((name, value) for name, value in root.attributes.items() if name != "passageID"),
        location=f"{problems.path}:{root.line}",
    )


def _ucca_words(nodes: list[Element], problems: Problems) -> tuple[list[str], list[int], set[int]]:
    """Read the words, their paragraphs, and the indices of punctuation marks."""
    words: list[str] = []
    paragraphs: list[int] = []
    punctuation: set[int] = set()
    for position, node in enumerate(nodes):
        about = _attributes(node)
        text = about.get("text", "")
        if not text.strip():
            problems.error(node.line, f"the terminal {node.attributes['ID']} has no text")
        words.append(text)
        for name in about.keys() - _OF_WORDS:
            problems.skipped(node.line, f"the attribute {name!r} of words")
        for name in ("extra", "edge"):
            if node.named(name):
                problems.skipped(node.line, f"<{name}> of words")
        paragraphs.append(_number(about.get("paragraph", "1"), "paragraph", node, problems))
        if (type_ := node.attributes.get("type", "")) == _UCCA_PUNCTUATION:
            punctuation.add(position)
        elif type_ != _UCCA_WORD:
            problems.error(node.line, f"expected a word of type {_UCCA_WORD}, {_UCCA_PUNCTUATION}, found {type_[:40]!r}")
    return words, paragraphs, punctuation


def _known(node: Element, lines: dict[str, int], problems: Problems) -> Element:
    """Return a node if its id is unique."""
    name = node.attributes.get("ID", "")
    if not name:
        problems.error(node.line, "a node has no ID")
    if name in lines:
        problems.error(node.line, f"the node in line {lines[name]} has the same id {name!r}")
    lines[name] = node.line
    return node


def _unit(node: Element, anchors: tuple[int, ...], problems: Problems) -> Unit:
    type_ = node.attributes.get("type", "")
    if type_ not in _KINDS:
        problems.error(node.line, f"expected a node of type {', '.join(_KINDS)}, found {type_!r}")
    about = _attributes(node)
    _list_unknown(about.keys() - _OF_UNITS, node, problems)
    implicit = _truth(about.pop("implicit", ""), "implicit", node, problems)
    return Unit(node.attributes.get("ID", ""), anchors, _KINDS.get(type_, "unit"), implicit, properties=_ucca_properties(node, about))


def _ucca_edge(element: Element, parent: int, child: int, problems: Problems) -> Edge:
    about = _attributes(element)
    _list_unknown(about.keys() - _OF_EDGES, element, problems)
    remote = _truth(about.pop("remote", ""), "remote", element, problems)
    for category in element.named("category"):
        if not category.attributes.get("tag"):
            problems.error(category.line, "a category has no tag")
    tags = tuple(category.attributes.get("tag", "") for category in element.named("category"))
    if not tags and not element.attributes.get("type"):
        problems.error(element.line, "an edge has neither a type nor a category")
    return Edge(parent, child, tags or (element.attributes.get("type", ""),), remote, _ucca_properties(element, about))


def _truth(text: str, what: str, element: Element, problems: Problems) -> bool:
    if text.lower() not in _TRUTH:
        problems.error(element.line, f"{what} must be True or False, found {text[:40]!r}")
    return _TRUTH.get(text.lower(), False)


def _list_unknown(names: Iterable[str], element: Element, problems: Problems) -> None:
    """List unusual names in <attributes>, which may be misspelt; they are kept with the graph."""
    for name in sorted(names):
        problems.warning(element.line, f"unknown name {name[:40]!r} in <attributes> of <{element.name}> (kept, but not used)")


def _position(name: str) -> int:
    """Get the position of a word from its id, ``0.7``; words with other ids come first, in the order of the file."""
    digits = name.removeprefix(f"{_WORDS}.")
    return int(digits) if digits.isdecimal() and len(digits) < len("1000000000") else 0


def _check_terminal(element: Element, problems: Problems) -> None:
    """Check an edge to a word; its attributes are skipped."""
    if element.attributes.get("type") != _TERMINAL:
        problems.error(element.line, f"an edge to a word must be of type {_TERMINAL}, found {element.attributes.get('type', '')!r}")
    if _attributes(element):
        problems.skipped(element.line, "<attributes> of edges to words")


def _attributes(element: Element) -> dict[str, str]:
    return {name: value for inner in element.named("attributes") for name, value in inner.attributes.items()}


def _ucca_properties(element: Element, about: dict[str, str]) -> Properties:
    """List the properties of a node or edge that the model has no field for."""
    extra = [(f"extra:{name}", value) for inner in element.named("extra") for name, value in inner.attributes.items()]
    return (*about.items(), *extra)


def _number(text: str, what: str, node: Element, problems: Problems) -> int:
    if not text.isdecimal() or len(text) > len("999999999"):
        problems.error(node.line, f"{what} must be a whole number, found {text[:40]!r}")
        return 1
    return int(text)


def _format_ucca_xml(graphs: Iterable[Graph]) -> Iterator[str]:
    """Yield the lines of a file; several passages are put inside ``<passages>``."""
    everything = list(graphs)
    if len(everything) == 1:
        yield from _passage(everything[0], "")
        return
    yield "<passages>"
    for graph in everything:
        yield from _passage(graph, "  ")
    yield "</passages>"


def _passage(graph: Graph, before: str) -> Iterator[str]:
    if graph.framework != "ucca":
        raise RequestError(f"UCCA XML can express only UCCA graphs, but {graph.name} is of the framework {graph.framework}; use MRP")
    about = "".join(f" {_check_name(name)}={quote_attribute(str(value))}" for name, value in graph.properties)
    yield f"{before}<root{about} passageID={quote_attribute(graph.id)}>"
    yield f"{before}  <attributes />"
    yield f'{before}  <layer layerID="{_WORDS}">'
    yield f"{before}    <attributes />"
    paragraph = position = 0
    for index, token in enumerate(graph.tokens):
        own = graph.paragraphs[index] if graph.paragraphs else 1
        position = position + 1 if own == paragraph else 1
        paragraph = own
        kind = _UCCA_PUNCTUATION if index in graph.punctuation else _UCCA_WORD
        yield f'{before}    <node ID="{_WORDS}.{index + 1}" type="{kind}">'
        yield f'{before}      <attributes paragraph="{paragraph}" paragraph_position="{position}" text={quote_attribute(token)} />'
        yield f"{before}    </node>"
    yield f"{before}  </layer>"
    yield f'{before}  <layer layerID="{_UNITS}">'
    yield f"{before}    <attributes />"
    yield from _unit_lines(graph, before + "    ")
    yield f"{before}  </layer>"
    yield f"{before}</root>"


def _unit_lines(graph: Graph, before: str) -> Iterator[str]:
    kept = all(unit.id.startswith(f"{_UNITS}.") and unit.id[2:].isdecimal() for unit in graph.units)
    names = [unit.id if kept else f"{_UNITS}.{position + 1}" for position, unit in enumerate(graph.units)]
    outgoing: list[list[Edge]] = [[] for _ in graph.units]
    for edge in graph.edges:
        outgoing[edge.parent].append(edge)
    for position, unit in enumerate(graph.units):
        yield f'{before}<node ID="{names[position]}" type="{_TYPES[unit.kind]}">'
        yield from _about(unit.properties, "implicit" if unit.implicit else "", before + "  ")
        for edge in outgoing[position]:
            yield f'{before}  <edge toID="{names[edge.child]}" type={quote_attribute(edge.labels[0])}>'
            if len(edge.labels) > 1:
                for label in edge.labels:
                    yield f"{before}    <category tag={quote_attribute(label)} />"
            yield from _about(edge.properties, "remote" if edge.remote else "", before + "    ")
            yield f"{before}  </edge>"
        for anchor in unit.anchors:
            yield f'{before}  <edge toID="{_WORDS}.{anchor + 1}" type="{_TERMINAL}">'
            yield f"{before}    <attributes />"
            yield f"{before}  </edge>"
        yield f"{before}</node>"


def _about(properties: Properties, mark: str, before: str) -> Iterator[str]:
    extra = [(name.removeprefix("extra:"), value) for name, value in properties if name.startswith("extra:")]
    plain = [(name, value) for name, value in properties if not name.startswith("extra:")]
    for element, pairs in (("attributes", [*([(mark, _TRUE)] if mark else []), *plain]), ("extra", extra)):
        if len({name for name, _ in pairs}) != len(pairs):
            raise RequestError(f"UCCA XML cannot express two properties of the same name: {', '.join(name for name, _ in pairs)[:80]}")
        if pairs or element == "attributes":
            written = "".join(f" {_check_name(name)}={quote_attribute(str(value))}" for name, value in pairs)
            yield f"{before}<{element}{written} />"


def _check_name(text: str) -> str:
    """Return a name if it can be the name of an attribute."""
    if not _NAME.fullmatch(text):
        raise RequestError(f"UCCA XML cannot express a property with the name {text[:40]!r}")
    return text


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
    "ucca": _read_ucca_xml,
    "mrp": _read_mrp,
    "conllu": _read_conllu,
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
        write_files({f"{path}{name}": _format_ucca_xml([graph]) for name, graph in zip(names, everything, strict=True)})
        return
    kind = format or guess_graph_format(path)
    if kind == "conllu":
        raise UsageError("CoNLL-U can be read, but not written; write graphs as ucca or mrp")
    write_files({path: _format_ucca_xml(everything) if kind == "ucca" else _format_mrp(everything)})


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
    names = sorted({name for graph in graphs for name, _ in graph.properties if name not in _KEPT_IN_MRP})
    losses = [f"MRP has no linkages: {pluralise(linkages, 'linkage')} left out; no measure uses them"] if linkages else []
    losses += [f"words with white space are split in MRP ({pluralise(spaced, 'word')})"] if spaced else []
    losses += [f"MRP has no graph properties {', '.join(names)}; they are left out"] if names else []
    return losses


def compute_graphs_fingerprint(graphs: Iterable[Graph]) -> str:
    """Compute the first digits of the SHA-256 of graphs in their order; ids do not count."""
    lines = _format_mrp(replace(graph, id="") for graph in graphs)
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
