from __future__ import annotations

import sys
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import errata
from errata.cli.faithfulness import _with_own_ids
from errata.corpus.corpus import Corpus, Sentence, System
from errata.corpus.texts import Tokens
from errata.errors import InputError, MismatchError, RequestError, UsageError
from errata.language import Edge, Graph, GraphBank, Unit, read_graphs
from errata.language import graphs as parsers
from errata.language import graphs as passages
from errata.language.graphs import _join, _parse_sentences, count_divided_units, cut, find_parser, match_graphs
from errata.plugins import Plugins, check_function

from graph_notation import graph
from graph_strategies import graphs
from plugin_packages import offer


def test_a_passage_is_cut_into_sentences() -> None:
    passage = graph("[H [A=x Cats] [P sleep] [U .]] [H [D Then] [P eat] [*A x] [A]] [U .]", "p")
    first, second = cut(passage, [3, 3])
    assert (first.id, first.text, second.id, second.text) == ("p.1", "Cats sleep .", "p.2", "Then eat .")
    assert [(edge.labels, first.yields[edge.child]) for edge in first.edges] == [
        (("H",), (0, 1, 2)),
        (("A",), (0,)),
        (("P",), (1,)),
        (("U",), (2,)),
    ]
    assert [unit.implicit for unit in second.units].count(True) == 1
    assert not any(edge.remote for edge in second.edges)  # what it leads to is in the other sentence
    assert second.punctuation == {2}
    assert count_divided_units(passage, [3, 3]) == 0


def test_a_unit_that_crosses_is_in_both_sentences() -> None:
    passage = graph("[H [A Cats] [P sleep] [A then eat]]")
    pieces = cut(passage, [2, 2])
    assert [[piece.incoming[unit][0].labels[0] for unit in piece.counted] for piece in pieces] == [["H", "A", "P"], ["H", "A"]]
    assert count_divided_units(passage, [2, 2]) == 1


def test_a_linkage_stays_where_all_that_it_links_is() -> None:
    units = (Unit("1"), Unit("2", (0,)), Unit("3", (1,)), Unit("4", (2,)), Unit("5", kind="linkage"), Unit("6", kind="linkage"))
    inside = tuple(Edge(0, child, ("H",)) for child in (1, 2, 3))
    links = (Edge(4, 1, ("LA",)), Edge(4, 2, ("LA",)), Edge(5, 2, ("LA",)), Edge(5, 3, ("LA",)))
    pieces = cut(Graph("1", ("go", "run", "sit"), units, inside + links), [2, 1])
    assert [[unit.id for unit in piece.units] for piece in pieces] == [["1", "2", "3", "5"], ["1", "4"]]


@given(graphs(), st.data())
def test_pieces_make_the_whole(found: Graph, data: st.DataObject) -> None:
    ends = sorted(data.draw(st.lists(st.integers(0, len(found.tokens)), max_size=3)))
    bounds = [0, *ends, len(found.tokens)]
    lengths = [end - start for start, end in pairwise(bounds)]
    pieces = cut(found, lengths)
    assert tuple(token for piece in pieces for token in piece.tokens) == found.tokens
    for unit in range(len(found.units)):
        spans = []
        for start, piece in zip(bounds, pieces, strict=False):
            own = [place for place, item in enumerate(piece.units) if item.id == found.units[unit].id]
            spans += [start + place for number in own for place in piece.yields[number]]
        assert tuple(spans) == found.yields[unit]


def test_lengths_that_do_not_fit() -> None:
    with pytest.raises(UsageError, match="the sentences have 3 words, but the passage has 2"):
        cut(graph("[H [A Cats] [P sleep]]"), [3])


SENTENCES: list[Tokens] = [("Cats", "sleep"), ("Dogs", "run"), (), ("Cats", "sleep"), ("Birds", "fly")]


def test_graphs_are_found_by_their_words() -> None:
    passage, single = graph("[H [A Dogs] [P run]]", "dogs"), graph("[H [A Cats] [P sleep]]", "cats")
    pair = graph("[H [A Cats] [P sleep]] [H [A Birds] [P fly]]", "both")
    found = match_graphs([pair, passage, single], SENTENCES, "text")
    assert [item.id for item in found] == ["cats", "dogs", "", "both.1", "both.2"]


def test_a_passage_over_several_sentences() -> None:
    passage = graph("[H [A Cats] [P sleep]] [H [A Dogs] [P run]]", "p")
    assert [item.id for item in match_graphs([passage], SENTENCES[:2], "text")] == ["p.1", "p.2"]


def test_sentences_with_graphs_of_their_own_are_no_passage() -> None:
    texts: list[Tokens] = [("I", "go"), ("home",), ("I", "go", "home")]
    own = [graph("[H [A I] [P go]]", "1"), graph("[A home]", "2"), graph("[H [A I] [P go] [A home]]", "3")]
    assert [item.id for item in match_graphs(own, texts, "text")] == ["1", "2", "3"]
    assert [item.id for item in _parse_sentences(lambda _: own, texts)] == ["1", "2", "3"]


def test_a_passage_with_many_words_is_cut_into_single_ones() -> None:
    words = [f"w{number}" for number in range(300)]
    passage = Graph("p", tuple(words), (Unit("0", tuple(range(300))),), (), punctuation=frozenset({299}))
    pieces = cut(passage, [1] * 300)
    assert [piece.units[0].anchors for piece in pieces] == [(0,)] * 300
    assert [piece.punctuation for piece in pieces] == [frozenset()] * 299 + [frozenset({0})]


def test_why_is_found_out_for_the_first_sentences_only() -> None:
    texts = [("Cats", str(number)) for number in range(50)]
    found = _join([graph("[H [A Cats] [P eat]]")], texts)
    assert len(found.misfits) == 5
    assert found.graphs == [None] * 50


def test_graphs_of_the_same_words_are_taken_in_turn() -> None:
    one, two = graph("[H [A Cats] [P sleep]]", "1"), graph("[H [A Cats] [S sleep]]", "2")
    assert [item.id for item in match_graphs([one, two], [SENTENCES[0]] * 3, "text")] == ["1", "2", "2"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[H [A Cats] [P eat]]",
            "graph 1 begins like it, but differs at word 2 of it: 'sleep' here, 'eat' (word 2) there",
        ),
        ("[H [A Cats]]", "graph 1 begins like it, but ends before word 2 of it, 'sleep'"),
        (
            "[H [A Cats] [P sleep] [A Dogs run fast]]",
            "graph 1 begins like it, but differs at word 1 of sentence 4: 'Cats' here, 'fast' (word 5) there",
        ),
        ("[H [A Dogs] [P run]]", "text: sentence 1 has no graph: 'Cats sleep'"),
    ],
)
def test_the_first_difference_is_shown(text: str, message: str) -> None:
    with pytest.raises(MismatchError) as caught:
        match_graphs([graph(text)], SENTENCES, "text")
    assert str(caught.value).endswith(message)


def test_a_passage_that_goes_on() -> None:
    found = _join([graph("[H [A Cats] [P sleep] [D well]]")], SENTENCES[:1])
    assert found.misfits == {0: "graph 1 begins like it, but goes on after the last sentence with 'well'"}


def test_a_bank_finds_and_complains() -> None:
    one, other = graph("[H [A Cats] [P sleep]]", "1"), graph("[H [A Cats] [S sleep]]", "2")
    bank = GraphBank([one, other, graph("[H [A Dogs] [P run]] [H [A Birds] [P fly]]", "3")], [[("Dogs", "run"), ("Birds", "fly")]])
    assert bank.conflicts == 1
    assert [item.id for item in bank.find([("Cats", "sleep"), (), ("Birds", "fly")], "text")] == ["1", "", "3.2"]
    with pytest.raises(MismatchError, match="output: sentence 12 has no graph: 'Fish swim'"):
        bank.find([("Cats", "sleep"), ("Fish", "swim")], "output", first=10)
    text = [("Cats", "sleep")]
    assert GraphBank([one]).fingerprint(text) != GraphBank([other]).fingerprint(text)
    assert GraphBank([one, other]).fingerprint(text) == GraphBank([one]).fingerprint(text)


def test_a_bank_tells_the_passages_of_source_and_outputs_apart() -> None:
    source = graph("[H [A Cats] [P sleep]] [H [A Dogs] [P run]]", "source")
    output = graph("[H [D Cats] [S sleep]] [H [A Dogs] [P ran]]", "output")
    texts = [[("Cats", "sleep"), ("Dogs", "run")], [("Cats", "sleep"), ("Dogs", "ran")]]
    bank = GraphBank([source, output], texts)
    assert [item.id for item in bank.of_text(texts[0], "", of_source=True)] == ["source.1", "source.2"]
    assert [item.id for item in bank.of_text([list(tokens) for tokens in texts[1]], "")] == ["output.1", "output.2"]  # type: ignore[misc]
    assert [item.id for item in bank.find(texts[1][1:], "", first=1)] == ["output.2"]


def test_a_sentence_without_a_graph_does_not_change_others() -> None:
    source = graph("[A a b] [A c d] [A e f]", "source")
    output = graph("[P a b] [P c d]", "output")
    texts: list[list[Tokens]] = [[("a", "b"), ("c", "d"), ("e", "f")], [("a", "b"), ("c", "d"), ("e", "g")]]
    bank = GraphBank([source, output], texts, parser=flat)  # type: ignore[arg-type]
    assert [item.edges[0].labels for item in bank.of_text(texts[1], "")] == [("P",), ("P",), ("H",)]


def test_systems_with_equal_beginnings_have_their_own_graphs() -> None:
    def passage(words: list[str], label: str) -> Graph:
        return graph(" ".join(f"[{label} {word} w]" for word in words), label)

    source = [f"s{number}" for number in range(140)]
    one, two = ["z", *source[1:135], "qa", *source[136:]], ["z", *source[1:135], "qb", *source[136:]]
    texts = [[(word, "w") for word in words] for words in (source, one, two)]
    bank = GraphBank([passage(source, "A"), passage(one, "A"), passage(two, "P")], texts)
    corpus = Corpus(tuple(map(Sentence, texts[0])))
    values = [
        errata.score(corpus, System(name, tuple(text)), errata.UccaSim(graphs=bank)).value
        for name, text in zip("ab", texts[1:], strict=True)
    ]
    assert values[0] > 0.9
    assert values[1] == 0


def test_in_a_bank_the_first_graph_of_some_words_is_taken() -> None:
    text: list[Tokens] = [("t", "y"), ("m", "n"), ("t", "y")]
    given = [graph("[A t y]", "1"), graph("[A m n]", "2"), graph("[P t y]", "1b")]
    bank = GraphBank(given, [text, text])
    assert [item.id for item in bank.of_text(text, "", of_source=True)] == ["1", "2", "1"]
    assert bank.conflicts == 1


def test_a_fingerprint_is_of_the_graphs_that_are_used() -> None:
    text: list[Tokens] = [("t", "y"), ("m", "n"), ("t", "y")]
    passages = [graph("[A t y] [A m n] [A t y]", "p"), graph("[A t y] [A m n] [P t y]", "p")]
    assert len({GraphBank([passage], [text]).fingerprint(text) for passage in passages}) == 2


def test_passages_and_empty_graphs_are_taken_in_turn() -> None:
    twice = [graph("[A t y] [A m n]", "1"), graph("[P t y] [P m n]", "2")]
    text: list[Tokens] = [("t", "y"), ("m", "n")] * 2
    assert [item.id for item in match_graphs(twice, text, "text")] == ["1.1", "1.2", "2.1", "2.2"]
    empty = [Graph("1", (), (), ()), Graph("2", (), (), ())]
    assert [item.id for item in match_graphs(empty, [(), ()], "text")] == ["1", "2"]
    short = [graph("[A Hi] [A you]", "1"), graph("[A Bye]", "2")]
    assert [item.id for item in match_graphs(short, [("Hi",), ("you",), ("Bye",)], "text")] == ["1.1", "1.2", "2"]


def flat(sentences: list[Tokens]) -> list[Graph]:
    """A parser: every word is a participant of one scene."""
    return [graph(f"[H {' '.join(f'[A {token}]' for token in tokens)}]", str(number)) for number, tokens in enumerate(sentences)]


def test_a_bank_parses_what_it_does_not_know() -> None:
    asked: list[list[Tokens]] = []

    def parser(sentences: list[Tokens]) -> list[Graph]:
        asked.append(sentences)
        return flat(sentences)

    bank = GraphBank([graph("[H [A Cats] [P sleep]]", "cats")], parser=parser)  # type: ignore[arg-type]
    assert bank.parser.endswith("parser")
    found = bank.find([("Cats", "sleep"), ("Dogs", "run"), ("Dogs", "run")], "text")
    bank.find([("Dogs", "run")], "text")
    assert [item.id for item in found] == ["cats", "0", "0"]
    assert asked == [[("Dogs", "run")]]
    assert bank.prepare([[("Fish", "swim"), ("Dogs", "run")], [("Birds", "fly"), ("Fish", "swim")]]) == 2
    assert asked[1:] == [[("Fish", "swim"), ("Birds", "fly")]]
    assert bank.parser.endswith("parser")


@pytest.fixture
def fresh_parsers(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nobody had asked for a parser yet."""
    monkeypatch.setattr(parsers, "PARSERS", Plugins("parser", check_function))


@pytest.mark.usefixtures("fresh_parsers")
def test_parsers_are_found_by_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "from errata.language import Graph\ndef make(what): return lambda texts: [Graph(what, tuple(own), (), ()) for own in texts]\n"
    offer(tmp_path, "flat_parsers", {"parsers": {"flat": "flat_parsers:make"}}, code)
    monkeypatch.syspath_prepend(tmp_path)
    (graph,) = find_parser("flat:big")([("Cats",)])
    assert (graph.id, graph.tokens) == ("big", ("Cats",))
    with pytest.raises(UsageError, match="unknown parser 'deep'; choose from flat, spacy, and command:PROGRAM, command-conllu:PROGRAM and"):
        find_parser("deep")


@pytest.mark.usefixtures("fresh_parsers")
def test_a_parser_that_cannot_be_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(tmp_path, "gone_parsers", {"parsers": {"gone": "no_such_module:make"}})
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(RequestError, match=r"the parser 'gone' of gone_parsers 2\.0 cannot be loaded: ModuleNotFoundError"):
        find_parser("gone")


def test_spacy_says_what_to_install_or_parses() -> None:
    """It is found by the entry point of the project itself."""
    if find_spec("spacy") is None:
        with pytest.raises(RequestError, match=r"the parser spacy needs spaCy: pip install 'errata\[spacy\]'"):
            find_parser("spacy")
        return
    with pytest.raises(RequestError, match="spaCy has no model nowhere"):
        find_parser("spacy:nowhere")
    found = _parse_sentences(find_parser("spacy"), [("Cats", "sleep", "."), (), ("He", "runs", ".", "She", "sits", ".")])
    assert [item.text for item in found] == ["Cats sleep .", "", "He runs . She sits ."]
    assert found[0].yields[2] == (0, 1, 2)
    assert found[0].punctuation == {2}


PROGRAM = """\
import sys
for number, line in enumerate(sys.stdin, start=1):
    for place, word in enumerate(line.split(), start=1):
        print(place, word, "_", "_", "_", "_", place - 1, "dep", "_", "_", sep="\\t")
    print()
"""


def test_a_program_as_a_parser(tmp_path: Path) -> None:
    program = tmp_path / "parse it.py"
    program.write_text(PROGRAM, encoding="utf-8")
    parser = find_parser(f"command-conllu:{sys.executable} '{program}'")
    found = _parse_sentences(parser, [("Cats", "sleep"), ("Dogs",)])
    assert [(item.tokens, item.framework) for item in found] == [(("Cats", "sleep"), "ud"), (("Dogs",), "ud")]


@pytest.mark.parametrize(
    ("program", "error", "message"),
    [
        ("import sys; sys.exit('no model')", RequestError, r"ended with status 1: no model"),
        ("print('1')", InputError, r"output of .*python.*:1: expected 10 columns"),
        ("", InputError, r"output of .*python.*: the file is empty \(read as conllu; choose the format with command:PROGRAM, "),
        (
            "print('1\\tDogs' + '\\t_' * 4 + '\\t0' + '\\troot' + '\\t_' * 2)",
            MismatchError,
            "parser command .*: sentence 1 has no graph: 'Cats sleep'",
        ),
    ],
)
def test_programs_that_fail(program: str, error: type[Exception], message: str) -> None:
    parser = parsers.CommandParser([sys.executable, "-c", program], "conllu")
    with pytest.raises(error, match=message):
        _parse_sentences(parser, [("Cats", "sleep")])


def test_graphs_of_a_program_know_where_they_are_from() -> None:
    program = "print('1\\tDogs' + '\\t_' * 4 + '\\t0' + '\\troot' + '\\t_' * 2)"
    (found,) = parsers.CommandParser([sys.executable, "-c", program], "conllu")([("Dogs",)])
    assert found.location == f"output of {sys.executable}:1"


@pytest.mark.parametrize(
    ("parser", "message"),
    [
        (lambda _: None, "the parser .*<lambda> failed: TypeError: 'NoneType' object is not iterable"),
        (lambda _: ["tree"], "the parser .*<lambda> must return graphs, found str"),
        (lambda _: [graph("[H [P go]]")] * 2, "returned 2 graphs for 1 sentence"),
        (lambda _: 1 / 0, "the parser .*<lambda> failed: ZeroDivisionError: division by zero"),
    ],
)
def test_parsers_that_fail(parser: parsers.GraphParser, message: str) -> None:
    with pytest.raises((RequestError, MismatchError), match=message):
        _parse_sentences(parser, [("go",)])


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(RequestError, match="the parser 'no-such-parser' cannot be run: No such file"):
        find_parser("command:no-such-parser --fast")([("Cats",)])
    with pytest.raises(UsageError, match="the command of a parser cannot be parsed: No closing quotation"):
        find_parser("command:foo 'bar")
    with pytest.raises(UsageError, match="found no program"):
        find_parser("command:")
    with pytest.raises(UsageError, match="unknown graph format 'amr' of a command; choose from ucca, mrp, conllu"):
        find_parser("command-amr:parse")


@pytest.mark.realdata
def test_the_essays_are_cut_into_sentences(data: Path) -> None:
    for path in sorted((data / "ucca").glob("*.xml")):
        (passage,) = read_graphs(path)
        ends = [place + 1 for place, token in enumerate(passage.tokens) if token[-1] in ".?!"]
        bounds = [0, *(end for end in ends if end < len(passage.tokens)), len(passage.tokens)]
        sentences = [passage.tokens[start:end] for start, end in pairwise(bounds)]
        pieces = match_graphs([passage], sentences, "text")
        assert [piece.tokens for piece in pieces] == sentences
        whole = sum(len(piece.counted) for piece in pieces)
        crossing = count_divided_units(passage, [len(sentence) for sentence in sentences])
        assert len(passage.counted) <= whole
        assert (whole == len(passage.counted)) == (crossing == 0)


def test_graphs_that_begin_alike_are_not_tried_one_by_one() -> None:
    """Each of 4,000 sentences begins like 4,000 graphs."""
    sentences = [("There", "is", "a", f"w{number}") for number in range(4_000)]
    found = [Graph(" ".join(tokens), tokens, (Unit("0", (0,)),), ()) for tokens in sentences]
    assert _join(found, sentences[::-1]).graphs == found[::-1]


def test_passages_that_begin_alike_are_looked_up_by_their_words() -> None:
    """Every sentence begins a passage that fits, and all its sentences have graphs."""
    nested = [Graph(str(count), ("a",) * count, (Unit("0", (0,)),), ()) for count in range(1, 200)]
    sentences = [("a",)] * 2_000
    assert [item.id for item in _join(nested, sentences, in_turn=False).graphs if item is not None] == ["1"] * 2_000


def test_units_in_every_sentence_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each implicit unit below the top is in each of the ten sentences."""
    units = (Unit("0", tuple(range(10))), *(Unit(str(number), implicit=True) for number in range(1, 9)))
    edges = tuple(Edge(0, number, ("A",)) for number in range(1, 9))
    passage = Graph("1", ("a",) * 10, units, edges)
    assert len(cut(passage, [1] * 10)) == 10
    monkeypatch.setattr(passages, "_MOST_COPIES", 2)
    monkeypatch.setattr(passages, "_FREE_COPIES", 90 - 2 * 17)
    assert len(cut(passage, [1] * 10)) == 10
    with pytest.raises(InputError, match="graph 1 cannot be cut into sentences: its units and edges are in more than 2 of them on average"):
        cut(Graph("1", passage.tokens, passage.units, edges * 2), [1] * 10)
    monkeypatch.setattr(passages, "_FREE_COPIES", 89 - 2 * 17)
    with pytest.raises(InputError, match="in more than 2 of them on average"):
        cut(passage, [1] * 10)


def test_sentences_that_are_cut_have_different_ids() -> None:
    """An id that is made must not be that of another graph."""
    names = ["x-3", "x", "x", "", "empty-4", "", "x-3-"]
    made = _with_own_ids([Graph(name, (), (), ()) for name in names])
    assert [item.id for item in made] == ["x-3", "x", "x-3--", "empty-4-", "empty-4", "empty-6", "x-3-"]
