"""UCCA standard XML: a passage with its words (layer 0) and its units (layer 1).

Categories are the type of an edge, or ``<category tag="..."/>`` elements inside it if there are several.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from errata.corpus.graphs import Edge, Graph, Unit, check_graph_size
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import FormatError, InputError, RequestError
from errata.formats.xml_elements import ElementLimits, quote_attribute, read_elements
from errata.formats.xml_schema import ElementRule, check_elements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from errata.corpus.graphs import Properties, UnitKind
    from errata.formats.problems import Problems
    from errata.formats.xml_elements import Element

_MOST_TEXT = 1 << 24
_PARTS_OF_A_TOKEN = 50
"""Elements of a passage for each of its tokens."""
_KINDS: dict[str, UnitKind] = {"FN": "unit", "PNCT": "punctuation", "LKG": "linkage"}
_TYPES = {kind: name for name, kind in _KINDS.items()}
_TERMINAL, _WORD, _PUNCTUATION = "Terminal", "Word", "Punctuation"
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


def read_ucca_xml(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[Graph]:
    """Yield the passages of a file; most files have one."""
    most = ElementLimits(_MOST_TEXT, _PARTS_OF_A_TOKEN * max_tokens, RAISE_LIMIT)
    for root in read_elements(path, problems, "root", ("corpus", "passages"), most):
        if not check_elements(root, _RULES, problems):
            continue
        try:
            yield _graph(root, problems, max_tokens)
        except FormatError:
            raise
        except InputError as error:
            problems.error(root.line, str(error))


def _graph(root: Element, problems: Problems, max_tokens: int) -> Graph:
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
    check_graph_size(len(nodes[_WORDS]), max_tokens)
    nodes[_WORDS].sort(key=lambda node: _position(node.attributes.get("ID", "")))
    positions = {node.attributes.get("ID", ""): position for position, node in enumerate(nodes[_WORDS])}
    units = {node.attributes.get("ID", ""): position for position, node in enumerate(nodes[_UNITS])}
    words, paragraphs, punctuation = _words(nodes[_WORDS], problems)
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
                edges.append(_edge(element, position, units[to], problems))
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


def _words(nodes: list[Element], problems: Problems) -> tuple[list[str], list[int], set[int]]:
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
        if (type_ := node.attributes.get("type", "")) == _PUNCTUATION:
            punctuation.add(position)
        elif type_ != _WORD:
            problems.error(node.line, f"expected a word of type {_WORD}, {_PUNCTUATION}, found {type_[:40]!r}")
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
    return Unit(node.attributes.get("ID", ""), anchors, _KINDS.get(type_, "unit"), implicit, properties=_properties(node, about))


def _edge(element: Element, parent: int, child: int, problems: Problems) -> Edge:
    about = _attributes(element)
    _list_unknown(about.keys() - _OF_EDGES, element, problems)
    remote = _truth(about.pop("remote", ""), "remote", element, problems)
    for category in element.named("category"):
        if not category.attributes.get("tag"):
            problems.error(category.line, "a category has no tag")
    tags = tuple(category.attributes.get("tag", "") for category in element.named("category"))
    if not tags and not element.attributes.get("type"):
        problems.error(element.line, "an edge has neither a type nor a category")
    return Edge(parent, child, tags or (element.attributes.get("type", ""),), remote, _properties(element, about))


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


def _properties(element: Element, about: dict[str, str]) -> Properties:
    """List the properties of a node or edge that the model has no field for."""
    extra = [(f"extra:{name}", value) for inner in element.named("extra") for name, value in inner.attributes.items()]
    return (*about.items(), *extra)


def _number(text: str, what: str, node: Element, problems: Problems) -> int:
    if not text.isdecimal() or len(text) > len("999999999"):
        problems.error(node.line, f"{what} must be a whole number, found {text[:40]!r}")
        return 1
    return int(text)


def format_ucca_xml(graphs: Iterable[Graph]) -> Iterator[str]:
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
        kind = _PUNCTUATION if index in graph.punctuation else _WORD
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
