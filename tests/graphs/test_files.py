from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from errata.cli import main
from errata.corpus import graphs as model
from errata.errors import FormatError, InputError, InputWarning, RequestError, UsageError
from errata.formats import graphs as mrp
from errata.formats.checking import check_file
from errata.language import Edge, Graph, Unit, list_graph_losses, read_graphs, write_graphs
from errata.studies import align_graphs

from graph_notation import graph
from graph_strategies import graphs
from thoroughness import some

ESSAY = Path("examples/graphs/essay.xml")


@pytest.mark.parametrize("ending", ["xml", "mrp", "xml.gz", "mrp.gz"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graphs())
def test_what_is_written_is_read_again(tmp_path: Path, ending: str, found: Graph) -> None:
    path = tmp_path / f"graph.{ending}"
    write_graphs([found], path)
    (again,) = read_graphs(path)
    assert again.tokens == found.tokens
    assert sorted(again.edges) == sorted(found.edges)
    assert again.yields == found.yields
    assert again.punctuation == found.punctuation
    assert [(unit.anchors, unit.kind, unit.implicit) for unit in again.units] == [
        (unit.anchors, unit.kind, unit.implicit) for unit in found.units
    ]


def test_xml_keeps_what_the_model_does_not_know(tmp_path: Path) -> None:
    text = ESSAY.read_text(encoding="utf-8")
    text = text.replace("<root ", '<root annotationID="7" ', 1).replace(
        'type="FN">\n      <attributes />', 'type="FN">\n      <attributes uncertain="True" />\n      <extra remarks="a &lt; b" />', 1
    )
    path = tmp_path / "essay.xml"
    path.write_text(text, encoding="utf-8")
    (first,) = read_graphs(path)
    assert first.properties == (("annotationID", "7"),)
    assert first.units[0].properties == (("uncertain", "True"), ("extra:remarks", "a < b"))
    write_graphs([first], tmp_path / "again.xml")
    assert read_graphs(tmp_path / "again.xml") == (first,)


def test_several_passages_and_categories(tmp_path: Path) -> None:
    first, second = graph("[H [A|P Cats] [P sleep]]", "1"), graph("[H [A Dogs] [P run]]", "2")
    write_graphs([first, second], tmp_path / "both.xml")
    again = read_graphs(tmp_path / "both.xml")
    assert [item.id for item in again] == ["1", "2"]
    assert again[0].edges[1].labels == ("A", "P")


def test_paragraphs_survive(tmp_path: Path) -> None:
    found = Graph("1", ("One", "two", "three"), (Unit("0", (0, 1, 2)),), (), paragraphs=(1, 1, 2))
    for name in ("graph.xml", "graph.mrp"):
        write_graphs([found], tmp_path / name)
        assert read_graphs(tmp_path / name)[0].paragraphs == (1, 1, 2)


def test_mrp_words_end_at_anchors_and_white_space(tmp_path: Path) -> None:
    record = {
        "id": 3,
        "framework": "dm",
        "flavor": 0,
        "input": "Don't stop, cat",
        "tops": [1],
        "nodes": [
            {"id": 0, "label": "not", "anchors": [{"from": 2, "to": 5}], "properties": ["pos"], "values": ["RB"]},
            {"id": 1, "label": "stop", "anchors": [{"from": 6, "to": 10}]},
            {"id": 2, "label": "cat", "anchors": [{"from": 12, "to": 15}]},
        ],
        "edges": [{"source": 0, "target": 1, "label": "neg"}, {"source": 1, "target": 2, "label": "ARG1"}],
    }
    path = tmp_path / "dm.mrp"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    (found,) = read_graphs(path)
    assert found.tokens == ("Do", "n't", "stop", ",", "cat")
    assert found.framework == "dm"
    assert [(unit.label, unit.kind, found.yields[place]) for place, unit in enumerate(found.units)] == [
        ("not", "unit", (1, 2, 4)),
        ("stop", "unit", (2, 4)),
        ("cat", "unit", (4,)),
        (None, "root", (1, 2, 4)),
    ]
    assert [(edge.labels, edge.child) for edge in found.edges if edge.parent == 3] == [(("TOP",), 1), (("FREE",), 0)]
    assert found.counted == (0, 1, 2)
    write_graphs([found], tmp_path / "again.mrp")
    (again,) = read_graphs(tmp_path / "again.mrp")
    assert [(unit.label, unit.properties) for unit in again.units] == [(unit.label, unit.properties) for unit in found.units]
    assert again.edges == found.edges


CONLLU = """\
# newdoc
# sent_id = s1
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\t_\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
3\tstop\tstop\tVERB\t_\t_\t0\troot\t_\t_
3.1\tghost\t_\t_\t_\t_\t_\t_\t_\t_
4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_

1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_
"""


def test_a_dependency_tree_is_a_graph(tmp_path: Path) -> None:
    path = tmp_path / "trees.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    first, second = read_graphs(path)
    assert (first.id, second.id) == ("s1", "2")
    assert first.tokens == ("Don't", "stop", ".")
    assert first.punctuation == {2}
    spans = {first.units[unit].label: (first.incoming[unit][0].labels[0], first.yields[unit]) for unit in first.counted}
    assert spans == {"Do": ("aux", (0,)), "n't": ("advmod", (0,)), "stop": ("root", (0, 1, 2))}
    write_graphs([first], tmp_path / "ud.mrp")
    (again,) = read_graphs(tmp_path / "ud.mrp")
    assert [again.yields[unit] for unit in again.counted] == [first.yields[unit] for unit in first.counted]
    assert [again.incoming[unit][0].labels for unit in again.counted] == [("aux",), ("advmod",), ("root",)]
    assert again.punctuation == first.punctuation
    assert align_graphs(first, again).counts == align_graphs(first, first).counts


def test_a_folder_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    for name in ("b", "a"):
        write_graphs([graph("[H [P go]]", name)], tmp_path / f"{name}.xml")
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    assert [item.id for item in read_graphs(tmp_path)] == ["a", "b"]


def test_linkages_are_lost_in_mrp() -> None:
    units = (Unit("1.1"), Unit("1.2", (0,)), Unit("1.3", kind="linkage"))
    found = Graph("1", ("go",), units, (Edge(0, 1, ("H",)), Edge(2, 1, ("LA",))))
    assert list_graph_losses([found], "mrp") == ["MRP has no linkages: 1 linkage left out; no measure uses them"]
    assert list_graph_losses([found], "ucca") == []
    assert "so 2 are put inside <passages>" in list_graph_losses([found, found], "ucca")[0]


def _xml(words: str = "", units: str = "") -> str:
    default = '<node ID="0.1" type="Word"><attributes text="go" /></node>'
    return f'<root passageID="1"><layer layerID="0">{words or default}</layer>\n<layer layerID="1">{units}</layer></root>'


BOMB = '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>' + _xml().replace("go", "&b;")
NODE = '<node ID="1.1" type="FN"><edge toID="{}" type="H" /></node>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (_xml(units=NODE.format("1.9")), ":2: an edge of 1.1 leads to '1.9', but there is no such node"),
        (
            _xml(units='<node ID="1.1" type="FN"><edge toID="0.1" type="A" /></node>'),
            ":2: an edge to a word must be of type Terminal, found 'A'",
        ),
        (
            _xml(units='<node ID="1.1" type="FN"><edge toID="1.2" /></node><node ID="1.2" type="FN" />'),
            ":2: an edge has neither a type nor a category",
        ),
        (_xml().replace("</root>", '<layer layerID="1" /></root>'), ":2: a second layer '1'"),
        (_xml(units=NODE.format("1.1")), ":1: the graph has a cycle: 1.1 to 1.1"),
        (_xml(words='<node ID="0.1" type="Word"><attributes text=" " /></node>'), ":1: the terminal 0.1 has no text"),
        (_xml(words='<node ID="0.1" type="Word" />'), ":1: the terminal 0.1 has no text"),
        (_xml(units='<node ID="1.1" type="FN" />\n<node ID="1.1" type="FN" />'), ":3: the node in line 2 has the same id '1.1'"),
        (_xml(units='<node ID="0.1" type="FN" />'), ":2: the node in line 1 has the same id '0.1'"),
        (_xml(units='<node type="FN" />'), ":2: a node has no ID"),
        (_xml(units='<node ID="1.1" type="XX" />'), ":2: expected a node of type FN, PNCT, LKG, found 'XX'"),
        (
            _xml(words='<node ID="0.1" type="Word"><attributes text="a" paragraph="x" /></node>'),
            ":1: paragraph must be a whole number, found 'x'",
        ),
        ('<root passageID="1"><layer layerID="0" /></root>', ":1: a passage must have the layers 0 (words) and 1 (units)"),
        (BOMB, "declares the entity 'a'"),
        ("<root", "not well-formed XML"),
        ("<html />", "expected <corpus>, <passages>, <root>, found <html>"),
        ("<passages />", "no graphs found"),
        ("", "the file is empty"),
    ],
)
def test_bad_xml(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.xml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_graphs(path)
    assert message in str(caught.value)


def _mrp(**changes: Any) -> str:
    record = {
        "id": "1",
        "framework": "ucca",
        "input": "go",
        "tops": [0],
        "nodes": [{"id": 0}, {"id": 1, "anchors": [{"from": 0, "to": 2}]}],
    }
    record |= {"edges": [{"source": 0, "target": 1, "label": "H"}]}
    return json.dumps(record | changes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (_mrp(framework=[]), "unknown framework []; choose from"),
        (_mrp(nodes=[{"id": 0, "properties": ["a"], "values": [{}]}, {"id": 1}]), "a value must be a string or a number, found dict"),
        (_mrp(time=float("nan")), "NaN is not a JSON value"),
        (_mrp(framework="sdrt"), ":1: unknown framework 'sdrt'; choose from amr, dm, drg, eds, psd, ptg, ucca, ud"),
        (_mrp(edges=[{"source": 0, "target": 7, "label": "A"}]), "the target of an edge is 7, but there is no such node"),
        (_mrp(edges=[{"source": 7, "target": 0, "label": "A"}]), "the source of an edge is 7, but there is no such node"),
        (
            _mrp(edges=[{"source": 0, "target": 1, "label": "A"}, {"source": 1, "target": 0, "label": "A"}]),
            "the graph has a cycle: 0 to 1 to 0",
        ),
        (_mrp(nodes=[{"id": 0}, {"id": 0}]), "two nodes have the id 0"),
        (
            _mrp(nodes=[{"id": 0}, {"id": 1, "anchors": [{"from": 0, "to": 3}]}]),
            "an anchor must lie in the 2 characters of the input, found 0 to 3",
        ),
        (_mrp(nodes=[{"id": 0}, {"id": 1, "anchors": [{"from": True, "to": "x"}]}]), "an anchor must lie in the 2 characters of the input"),
        (
            _mrp(nodes=[{"id": 0, "anchors": [{"from": False, "to": True}]}], edges=[]),
            "an anchor must lie in the 2 characters of the input",
        ),
        (_mrp(nodes=[{"id": 0, "label": 3}, {"id": 1}]), "the label of a node must be a string, found int"),
        (_mrp(edges=[{"source": 0, "target": 1, "label": ["A"]}]), "the label of an edge must be a string, found list"),
        (_mrp(nodes={}), "nodes must be a list, found dict"),
        (_mrp(input=3), "input must be a string, found int"),
        (_mrp(framework="dm", tops=[9]), "a top is not a node of the graph"),
        (_mrp(nodes=[{"id": 0, "properties": ["a"], "values": []}, {"id": 1}]), "1 name in properties, but 0 values"),
        (_mrp(id=None), "the id of a graph must be a number or a string, found NoneType"),
        ("[]", "a graph must be an object, found list"),
        ('{"id": ', "not JSON"),
        ("[" * 100_000, ":1: more than 64 lists and objects inside each other, at column 65"),
    ],
)
def test_bad_mrp(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.mrp"
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_graphs(path)
    assert message in str(caught.value)


def test_anchors_made_to_fill_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mrp, "MOST_IN_YIELDS", 100)
    nodes = [{"id": number, "anchors": [{"from": 0, "to": 20}]} for number in range(20)]
    path = tmp_path / "large.mrp"
    path.write_text(_mrp(input="a " * 10, nodes=nodes, edges=[]) + "\n", encoding="utf-8")
    with pytest.raises(FormatError, match="its nodes have more than 100 words in total"):
        read_graphs(path)


def test_an_unknown_key_of_mrp_is_told_of_once(tmp_path: Path) -> None:
    path = tmp_path / "new.mrp"
    path.write_text("\n".join(_mrp(id=str(number), colour="red") for number in range(2)) + "\n", encoding="utf-8")
    told: list[str] = []
    read_graphs(path, warn=lambda problem: told.append(str(problem)))
    assert told == [f"{path}:1: the key 'colour' of a graph is skipped"]
    with pytest.warns(InputWarning, match="the key 'colour' of a graph is skipped"):
        assert len(read_graphs(path)) == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1\tGo\t_\t_\t_\t_\t7\troot\t_\t_", ":1: the head of word 1 is '7', but there is no such word"),
        ("1\tGo\t_\t_\t_\t_\t_\troot\t_\t_", ":1: the head of word 1 is '_', but there is no such word"),
        ("1\tGo\t_\t_\t_\t_\t" + "9" * 5_000 + "\troot\t_\t_", ":1: the head of word 1 is '9999"),
        ("9" * 5_000 + "\tGo\t_\t_\t_\t_\t0\troot\t_\t_", ":1: expected the word 1, found '9999"),
        ("1\tGo\t_\t_\t_\t_\t1\troot\t_\t_", ":1: the graph has a cycle: 1 to 1"),
        ("2\tGo\t_\t_\t_\t_\t0\troot\t_\t_", ":1: expected the word 1, found '2'"),
        ("1\t\t_\t_\t_\t_\t0\troot\t_\t_", ":1: the word 1 has no text"),
        ("1-9\tGo" + "\t_" * 8 + "\n1\tGo\t_\t_\t_\t_\t0\troot\t_\t_", ":2: a contraction ends at word 9, but the sentence has 1 word"),
        ("1-2\tGo" + "\t_" * 8 + "\n1-2\tGo" + "\t_" * 8, ":2: expected the word 1, found '1-2'"),
        ("x.y\tGo\t_\t_\t_\t_\t0\troot\t_\t_", ":1: expected the word 1, found 'x.y'"),
        ("1 Go 0 root", ":1: expected 10 columns separated by tabs, found 1"),
    ],
)
def test_bad_conllu(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "bad.conllu"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_graphs(path)
    assert message in str(caught.value)


def test_words_are_in_the_order_of_their_ids(tmp_path: Path) -> None:
    words = "".join(f'<node ID="0.{number}" type="Word"><attributes text="w{number}" /></node>' for number in (1, 10, 11, 2, 3))
    path = tmp_path / "order.xml"
    path.write_text(_xml(words=words), encoding="utf-8")
    assert read_graphs(path)[0].text == "w1 w2 w3 w10 w11"


def test_what_words_say_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "lemma.xml"
    path.write_text(
        _xml(words='<node ID="0.1" type="Word"><attributes text="went" lemma="go" /><extra pos="V" /></node>'), encoding="utf-8"
    )
    told: list[str] = []
    read_graphs(path, warn=lambda problem: told.append(problem.message))
    assert told == ["the attribute 'lemma' of words is skipped", "<extra> of words is skipped"]


def test_mrp_keeps_its_text(tmp_path: Path) -> None:
    path = tmp_path / "text.mrp"
    path.write_text(_mrp(input="Don't  go.", nodes=[{"id": 0, "anchors": [{"from": 0, "to": 2}]}], edges=[]) + "\n", encoding="utf-8")
    write_graphs(read_graphs(path), tmp_path / "again.mrp")
    assert json.loads((tmp_path / "again.mrp").read_text(encoding="utf-8"))["input"] == "Don't  go."


@pytest.mark.parametrize("written", [{"attributes": ["remote"], "values": [True]}, {"properties": ["remote"], "values": ["true"]}])
def test_remote_edges_of_both_editions_of_mrp(tmp_path: Path, written: dict[str, Any]) -> None:
    path = tmp_path / "remote.mrp"
    edges = [
        {"source": 0, "target": 1, "label": "A", **written},
        {"source": 0, "target": 1, "label": "H", "attributes": ["remote"], "values": ["false"]},
    ]
    path.write_text(_mrp(edges=edges) + "\n", encoding="utf-8")
    assert [edge.remote for edge in read_graphs(path)[0].edges] == [True, False]


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ((("a", "1"), ("a", "2")), "UCCA XML cannot express two properties of the same name: implicit, a, a"),
        ((("implicit", "x"),), "UCCA XML cannot express two properties of the same name: implicit, implicit"),
        ((("a b", "1"),), "UCCA XML cannot express a property with the name 'a b'"),
    ],
)
def test_properties_that_xml_cannot_hold(tmp_path: Path, properties: tuple[tuple[str, str], ...], message: str) -> None:
    units = (Unit("1.1"), Unit("1.2", implicit=True, properties=properties))
    with pytest.raises(RequestError, match=message):
        write_graphs([Graph("1", ("go",), units, (Edge(0, 1, ("H",)),))], tmp_path / "x.xml")


def test_what_formats_cannot_express() -> None:
    spaced = Graph("1", ("New York",), (Unit("1.1", (0,), label="city"),), (), properties=(("annotationID", "0"),))
    assert list_graph_losses([spaced], "mrp") == [
        "words with white space are split in MRP (1 word)",
        "MRP has no graph properties annotationID; they are left out",
    ]
    assert list_graph_losses([spaced], "ucca") == ["UCCA XML has no node labels: 1 label left out"]


def test_overlapping_ids(tmp_path: Path) -> None:
    write_graphs([graph("[H [P go]]", "7")], tmp_path / "a.xml")
    write_graphs([graph("[H [P run]]", "7")], tmp_path / "b.xml")
    with pytest.raises(InputError, match=r"b.xml:1: the graph in .*a.xml:1 has the same id '7'"):
        read_graphs(tmp_path)
    assert len(read_graphs(tmp_path, unique=False)) == 2


def test_a_folder_with_a_file_for_each_passage(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write_graphs([graph("[H [P go]]", "a.1"), graph("[H [P run]]", "b")], f"{tmp_path}/out/")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.1.xml", "b.xml"]
    for name in ("../c", ".hidden", "", "x" * 200):
        with pytest.raises(RequestError, match="its id cannot be a file name"):
            write_graphs([graph("[H [P go]]", name)], f"{tmp_path}/out/")
    assert len(list(tmp_path.iterdir())) == 1


def test_what_cannot_be_asked_for(tmp_path: Path) -> None:
    found = graph("[H [P go]]")
    with pytest.raises(UsageError, match="CoNLL-U can be read, but not written"):
        write_graphs([found], tmp_path / "x.conllu")
    with pytest.raises(UsageError, match=r"files of graphs have the extension \.xml"):
        read_graphs(tmp_path / "x.txt")
    with pytest.raises(UsageError, match="unknown graph format 'amr'"):
        read_graphs(ESSAY, format="amr")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"no file in this folder has the extension \.xml"):
        read_graphs(tmp_path)
    with pytest.raises(InputError, match="there is no such file"):
        read_graphs(tmp_path / "x.mrp")
    path = tmp_path / "trees.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    with pytest.raises(RequestError, match="of the framework ud; use MRP"):
        write_graphs(read_graphs(path), tmp_path / "x.xml")
    assert not (tmp_path / "x.xml").exists()


def test_everything_that_is_wrong_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "bad.xml"
    words = '<node type="Word"><attributes text="go" /></node>\n<node ID="0.2" type="Word" />'
    path.write_text(_xml(words=words, units='<node ID="1.1" type="XX"><edge toID="9" type="A" /></node>'), encoding="utf-8")
    _, problems = check_file(str(path))
    assert [(problem.line, problem.message) for problem in problems] == [
        (1, "a node has no ID"),
        (2, "the terminal 0.2 has no text"),
        (3, "an edge of 1.1 leads to '9', but there is no such node"),
        (3, "expected a node of type FN, PNCT, LKG, found 'XX'"),
    ]
    path = tmp_path / "bad.mrp"
    path.write_text("\n".join([_mrp(), _mrp(framework="x"), _mrp(), "{"]) + "\n", encoding="utf-8")
    sentences, problems = check_file(str(path))
    assert sentences == [("go",), ("go",)]
    assert [problem.line for problem in problems] == [2, 3, 4]
    path = tmp_path / "bad.conllu"
    path.write_text(CONLLU.replace("\t0\troot", "\t9\troot"), encoding="utf-8")
    assert [problem.line for problem in check_file(str(path))[1]] == [6, 10]
    assert check_file("examples/graphs/essay.xml")[1] == []
    assert check_file("examples/graphs/essay.xml")[0] == [read_graphs(ESSAY)[0].tokens]


@pytest.mark.realdata
def test_the_essays_survive(data: Path, tmp_path: Path) -> None:
    paths = sorted((data / "ucca").glob("*.xml"))
    assert len(paths) == 20
    for path in some(paths, 8):
        (found,) = read_graphs(path)
        write_graphs([found], tmp_path / "again.xml")
        assert read_graphs(tmp_path / "again.xml") == (found,)
        write_graphs([found], tmp_path / "again.mrp")
        (again,) = read_graphs(tmp_path / "again.mrp")
        kept = [place for place, unit in enumerate(found.units) if unit.kind != "linkage"]
        assert [again.yields[place] for place in range(len(kept))] == [found.yields[place] for place in kept]
        assert len(again.counted) == len(found.counted)


def _conllu(words: int) -> str:
    return "".join(f"{number}\tw\t_\t_\t_\t_\t{number - 1}\tdep\t_\t_\n" for number in range(1, words + 1)) + "\n"


def _flat(words: int) -> Graph:
    return Graph("1", ("w",) * words, (Unit("0", tuple(range(words))),), ())


@pytest.mark.parametrize("ending", ["xml", "mrp", "conllu"])
def test_graphs_are_as_long_as_lines(tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"long.{ending}"
    if ending == "conllu":
        path.write_text(_conllu(11) + _conllu(10), encoding="utf-8")
    else:
        write_graphs([_flat(11), replace(_flat(10), id="2")], path)
    what = "more than 10 tokens in a sentence" if ending == "conllu" else "11 tokens in a graph, more than the limit of 10"
    with pytest.raises(FormatError, match=f"{what}; raise it with --max-tokens"):
        read_graphs(path, max_tokens=10)
    assert len(read_graphs(path, max_tokens=11)) == 2
    for command in (["check", str(path)], ["graphs", str(path)], ["faithfulness", str(path), str(path)]):
        assert main([*command, "--max-tokens", "10"]) == 2
        assert what in "".join(capsys.readouterr())
        assert main([*command, "--max-tokens", "11"]) == 0
        capsys.readouterr()
    sentences, problems = check_file(str(path), max_tokens=10)
    assert (len(sentences), [problem.severity for problem in problems]) == (1, ["error"])


def test_the_default_limit_of_graphs_is_that_of_lines(tmp_path: Path) -> None:
    write_graphs([_flat(4_001)], tmp_path / "long.mrp")
    with pytest.raises(FormatError, match="4,001 tokens in a graph, more than the limit of 4,000"):
        read_graphs(tmp_path / "long.mrp")


def test_elements_of_a_passage_are_limited_with_its_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.formats.xml._MOST_PARTS", 10)
    write_graphs([_flat(20)], tmp_path / "long.xml")
    with pytest.raises(FormatError, match="more than 50 elements in one root; raise it with --max-tokens"):
        read_graphs(tmp_path / "long.xml", max_tokens=1)
    assert len(read_graphs(tmp_path / "long.xml", max_tokens=20)) == 1


def test_check_lists_graphs_that_are_too_deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "MOST_IN_YIELDS", 100)
    (tmp_path / "deep.conllu").write_text(_conllu(5) + _conllu(50), encoding="utf-8")
    _, problems = check_file(str(tmp_path / "deep.conllu"))
    assert [(problem.line, problem.message) for problem in problems] == [
        (7, "graph 2 is too deep: its units have more than 100 words in total")
    ]


def test_many_tops_are_looked_up(tmp_path: Path) -> None:
    """Searching the list of tops for each node would take minutes."""
    count = 60_000
    record = _mrp(framework="dm", input="a", tops=list(range(count)), nodes=[{"id": number} for number in range(count)], edges=[])
    (tmp_path / "tops.mrp").write_text(record + "\n", encoding="utf-8")
    (found,) = read_graphs(tmp_path / "tops.mrp")
    assert [edge.labels for edge in found.edges] == [("TOP",)] * count


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", "a"], "two graphs have the same id, 'a'"),
        (["Essay", "essay"], "on some systems the ids 'Essay' and 'essay' name the same file"),
        (["\u1100\u1161", "\uac00"], "name the same file"),
        (["../x"], "its id cannot be a file name"),
        ([""], "its id cannot be a file name"),
        (["x" * 101], "its id cannot be a file name"),
        (["\U00020000" * 64], "its id cannot be a file name"),
    ],
)
def test_every_graph_is_written_to_its_own_file(tmp_path: Path, names: list[str], message: str) -> None:
    with pytest.raises(RequestError, match=re.escape(message)):
        write_graphs([replace(_flat(1), id=name) for name in names], f"{tmp_path}/")
    assert list(tmp_path.iterdir()) == []


def test_graphs_whose_ids_are_made_are_all_written(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("a\nb\nb\n")
    write_graphs([Graph("x-3", ("a",), (Unit("0", (0,)),), ()), Graph("x", ("b",), (Unit("0", (0,)),), ())], tmp_path / "in.mrp")
    (tmp_path / "out").mkdir()
    assert main(["graphs", str(tmp_path / "in.mrp"), "--text", str(tmp_path / "text.txt"), "-o", f"{tmp_path}/out/"]) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["x-3-.xml", "x-3.xml", "x.xml"]


FULL = """<root passageID="1">
<layer layerID="0">
<node ID="0.1" type="Word"><attributes text="go" /></node>
</layer>
<layer layerID="1">
<node ID="1.1" type="FN"><attributes />
<edge toID="1.2" type="H"><attributes remote="True" />
<category tag="H" />
</edge>
</node>
<node ID="1.2" type="FN"><attributes />
<edge toID="0.1" type="Terminal" />
</node>
</layer>
</root>
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (
            '<category tag="H" />',
            '<catgeory tag="H" />',
            8,
            "expected <attributes> or <category> or <extra> inside <edge>, found <catgeory>",
        ),
        ('<edge toID="0.1" type="Terminal" />', '<Edge toID="0.1" type="Terminal" />', 12, "found <Edge>"),
        ('<attributes remote="True" />', '<attribute remote="True" />', 7, "found <attribute>"),
        ("<attributes />\n<edge toID", "words<attributes />\n<edge toID", 6, "<node> contains text outside its elements: 'words'"),
        ('<category tag="H" />', '<category tga="H" />', 8, "a category has no tag"),
        ('remote="True"', 'remote="1"', 7, "remote must be True or False, found '1'"),
        ('type="FN"><attributes />', 'type="FN"><attributes implicit="yes" />', 6, "implicit must be True or False, found 'yes'"),
        ('type="Word"', 'type="Wrod"', 3, "expected a word of type Word, Punctuation, found 'Wrod'"),
    ],
)
def test_misspelt_xml_is_refused(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    """It would leave units or categories out and change the score."""
    path = tmp_path / "bad.xml"
    assert old in FULL
    path.write_text(FULL.replace(old, new), encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_graphs(path)
    assert caught.value.line == line
    assert message in caught.value.message
    _, problems = check_file(str(path))
    assert (line, "error", caught.value.message) in [(problem.line, problem.severity, problem.message) for problem in problems]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('toID="1.2"', 'toID="1.2" remote="True"', 7, "the unknown attribute 'remote' of <edge> is skipped"),
        ("</root>", '<layer layerID="2" />\n</root>', 15, "the layer '2' is skipped"),
        ('text="go" /></node>', 'text="go" /><edge toID="1.1" type="A" /></node>', 3, "<edge> of words is skipped"),
    ],
)
def test_what_is_not_read_is_a_warning(
    tmp_path: Path, old: str, new: str, line: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.xml"
    assert old in FULL
    path.write_text(FULL.replace(old, new), encoding="utf-8")
    with pytest.warns(InputWarning, match=re.escape(f"odd.xml:{line}: {message}")):
        read_graphs(path)
    for command in ("faithfulness", "graphs"):
        assert main([command, str(path), *([str(path)] if command == "faithfulness" else [])]) == 0
        assert message in capsys.readouterr().err
    _, problems = check_file(str(path))
    assert [(problem.line, problem.severity) for problem in problems] == [(line, "warning")]
    assert problems[0].message.endswith(message)


def test_check_lists_names_that_the_model_does_not_use(tmp_path: Path) -> None:
    (tmp_path / "odd.xml").write_text(FULL.replace("remote=", "remtoe="), encoding="utf-8")
    _, problems = check_file(str(tmp_path / "odd.xml"))
    assert [(problem.line, problem.message) for problem in problems] == [
        (7, "unknown name 'remtoe' in <attributes> of <edge> (kept, but not used)")
    ]


def test_passages_in_a_corpus_are_recognised(tmp_path: Path) -> None:
    (tmp_path / "all.xml").write_text(f"<?xml version='1.0'?>\n<!-- all -->\n<corpus>{FULL}</corpus>", encoding="utf-8")
    assert check_file(str(tmp_path / "all.xml")) == ([("go",)], [])
