"""The edit lattice of MaxMatch, shown: Figures 1 and 2 of Dahlmeier and Ng 2012.

The figures are not in the text of the paper; what is: source, hypothesis and gold (section 1), the rule of the lattice, the limit u, and
the cost -(u + 1) |E| of a match (section 2).  The numbers here follow from these.
"""

from __future__ import annotations

import json
from itertools import pairwise
from math import inf
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata import Annotation, Corpus, Edit, RequestError, Sentence, UsageError, score
from errata.cli import main
from errata.metrics import EditLattice
from errata.metrics import maxmatch as lattice_module

SOURCE = "Our baseline system feeds word into PB-SMT pipeline ."
HYPOTHESIS = "Our baseline system feeds a word into PB-SMT pipeline ."
GOLD = Edit(4, 5, ("a word", "words"), "ArtOrDet")
SVG = "{http://www.w3.org/2000/svg}"


def make(source: str, hypothesis: str, *edits: Edit, metric: str = "maxmatch") -> EditLattice:
    return score(Corpus((Sentence.of(source, edits),)), [hypothesis], metric).lattice(1)


def test_figure_1_the_levenshtein_matrix() -> None:
    lattice = make(SOURCE, HYPOTHESIS, GOLD)
    assert [row[-1] for row in lattice.distances] == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert lattice.distances[0] == tuple(range(11))
    diagonal = [lattice.distances[k][k] for k in range(10)], [lattice.distances[k][k + 1] for k in range(10)]
    assert diagonal == ([0, 0, 0, 0, 0, 1, 2, 2, 2, 2], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1])


def test_figure_2_vertices_arcs_costs_and_path() -> None:
    lattice = make(SOURCE, HYPOTHESIS, GOLD)
    before, after = [(k, k) for k in range(5)], [(k, k + 1) for k in range(4, 10)]
    assert set(lattice.vertices) == {*before, *after}
    costs = {(arc.start, arc.end): (lattice.original(arc), lattice.correction(arc), lattice.cost(arc)) for arc in lattice.arcs}
    kept = {pair: (SOURCE.split()[pair[0][0]],) * 2 for pair in (*pairwise(before), *pairwise(after))}
    assert costs == {
        **{pair: (*texts, 1) for pair, texts in kept.items()},
        ((4, 4), (4, 5)): ("", "a", 1),
        ((3, 3), (4, 5)): ("feeds", "feeds a", 2),
        ((4, 4), (5, 6)): ("word", "a word", -45),
        ((2, 2), (4, 5)): ("system feeds", "system feeds a", 3),
        ((3, 3), (5, 6)): ("feeds word", "feeds a word", 3),
        ((4, 4), (6, 7)): ("word into", "a word into", 3),
    }
    assert len(lattice.arcs) == 15
    assert lattice.path == (*before, (5, 6), (6, 7), (7, 8), (8, 9), (9, 10))
    assert sum(lattice.cost(arc) for arc in lattice.arcs if arc.on_path) == -37


def test_the_limit_of_unchanged_words_adds_phrase_edits() -> None:
    """With l kept words before the insertion and r behind it, l + r is at most u."""
    for u, arcs in ((0, 10), (1, 12), (2, 15), (3, 19)):
        lattice = make(SOURCE, HYPOTHESIS, GOLD, metric=f"maxmatch(max_unchanged={u})")
        assert len(lattice.arcs) == arcs
        matching = [lattice.cost(arc) for arc in lattice.arcs if arc.gold]
        assert matching == ([-(u + 1) * arcs] if u else [])


@st.composite
def _edits(draw: st.DrawFn, tokens: int) -> list[Edit]:
    """Edits of any spans, also overlapping ones and several insertions at one position."""
    edits = []
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, tokens))
        text = " ".join(draw(st.lists(st.sampled_from("abc"), max_size=3)))
        edits.append(Edit(start, draw(st.integers(start, tokens)), (text,), "X"))
    return edits


@given(st.data())
def test_the_path_is_a_shortest_one_and_has_the_edits_of_the_score(data: st.DataObject) -> None:
    words = st.lists(st.sampled_from("abc"), max_size=6)
    source, hypothesis = data.draw(words), data.draw(words)
    edits = data.draw(_edits(len(source)))
    corpus = Corpus((Sentence(tuple(source), (Annotation("0", tuple(edits)),)),))
    scored = score(corpus, [hypothesis], f"maxmatch(max_unchanged={data.draw(st.integers(0, 3))})")
    lattice = scored.lattice(1)
    by_ends = {(arc.start, arc.end): arc for arc in lattice.arcs}
    path = [by_ends[pair] for pair in pairwise(lattice.path)]
    assert [arc for arc in lattice.arcs if arc.on_path] == sorted(path)
    assert {arc.start for arc in lattice.arcs} | {arc.end for arc in lattice.arcs} | {(0, 0)} == set(lattice.vertices)
    assert sum(arc.changes for arc in path) == scored.parts["proposed"]
    assert sum(arc.gold for arc in path) == scored.parts["correct"]
    best = dict.fromkeys(lattice.vertices, inf)
    best[0, 0] = 0
    for arc in sorted(lattice.arcs, key=lambda arc: (arc.end, arc.start)):
        best[arc.end] = min(best[arc.end], best[arc.start] + lattice.cost(arc))
    assert best[lattice.vertices[-1]] == sum(map(lattice.cost, path))


@pytest.fixture
def example(tmp_path: Path) -> tuple[str, str]:
    """The paper's sentence as files."""
    (tmp_path / "gold.m2").write_text(f"S {SOURCE}\nA 4 5|||ArtOrDet|||a word||words|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    (tmp_path / "ui.txt").write_text(f"{HYPOTHESIS}\n", encoding="utf-8")
    return str(tmp_path / "gold.m2"), str(tmp_path / "ui.txt")


def test_text_shows_matrix_arcs_and_path(example: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", *example, "--lattice"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "annotator 0 (chosen): 1 of 1 gold edit matched; 11 vertices, 15 arcs" in lines
    assert ["feeds", "4", "3", "2", "1", "[0]", "(1)", "2", "3", "4", "5", "6"] in [line.split() for line in lines]
    assert ["*", "(4,4)", "(5,6)", "word", "a", "word", "-45", "matches"] in [line.split() for line in lines]
    assert ["(4,4)", "(4,5)", "∅", "a", "1"] in [line.split() for line in lines]
    assert sum(line.startswith("*  (") for line in lines) == 9


def test_json_and_svg_by_the_extension(example: tuple[str, str], tmp_path: Path) -> None:
    assert main(["inspect", *example, "--lattice", "-o", str(tmp_path / "lattice.json")]) == 0
    (sentence,) = json.loads((tmp_path / "lattice.json").read_text(encoding="utf-8"))["sentences"]
    (annotator,) = sentence["annotators"]
    assert (len(annotator["vertices"]), len(annotator["arcs"]), annotator["path"][4:6]) == (11, 15, [[4, 4], [5, 6]])
    assert [arc["cost"] for arc in annotator["arcs"] if arc["gold"]] == [-45]
    assert main(["inspect", *example, "--lattice", "-o", str(tmp_path / "lattice.svg")]) == 0
    root = ET.parse(tmp_path / "lattice.svg").getroot()
    labels = [text.text for text in root.iter(f"{SVG}text")]
    assert "word → a word (-45)" in labels
    assert "∅ → a (1)" in labels
    assert len(list(root.iter(f"{SVG}circle"))) == 11
    assert len(list(root.iter(f"{SVG}path"))) == 5  # phrase edits
    thick = [item for kind in ("path", "line") for item in root.iter(f"{SVG}{kind}") if item.get("stroke-width") == "3"]
    assert len(thick) == 9 + 2  # the path, and two lines of the legend


def test_pictures_have_no_markup_of_texts(tmp_path: Path) -> None:
    hostile = '<script>alert(1)</script> & "x" ]]> \x1b[31m \u202e'
    (tmp_path / "gold.m2").write_text(f"S a b c\nA 1 2|||{hostile}|||{hostile}|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    (tmp_path / "<b>.txt").write_text(f"a {hostile} c\n", encoding="utf-8")
    arguments = ["inspect", str(tmp_path / "gold.m2"), str(tmp_path / "<b>.txt"), "--lattice", "-o", str(tmp_path / "x.svg")]
    assert main(arguments) == 0
    root = ET.parse(tmp_path / "x.svg").getroot()
    assert {item.tag.removeprefix(SVG) for item in root.iter()} <= {
        "svg", "title", "desc", "style", "rect", "text", "line", "g", "path", "circle"
    }  # fmt: skip
    text = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_every_annotator_or_the_chosen_one(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["inspect", "examples/learner.m2", "examples/systems/eager.txt", "--sentences", "3", "--lattice"]
    assert main([*arguments, "--format", "json"]) == 0
    (sentence,) = json.loads(capsys.readouterr().out)["sentences"]
    assert [(item["annotator"], item["chosen"]) for item in sentence["annotators"]] == [("0", True), ("1", False)]
    assert main([*arguments, "--chosen", "--format", "svg"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("annotator") == 1
    ET.fromstring(printed)


@pytest.mark.parametrize("hypothesis", [SOURCE, ""])
def test_an_unchanged_and_an_empty_output(hypothesis: str, tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_text(f"S {SOURCE}\n\n", encoding="utf-8")
    (tmp_path / "x.txt").write_text(f"{hypothesis}\n", encoding="utf-8")
    for ending in ("svg", "txt", "json"):
        arguments = ["inspect", str(tmp_path / "gold.m2"), str(tmp_path / "x.txt"), "--lattice", "-o", str(tmp_path / f"out.{ending}")]
        assert main(arguments) == 0


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--format", "svg"], 2, "--format svg needs --lattice"),
        (["--lattice", "--format", "svg"], 2, "a picture shows one sentence, found 72; choose it with --sentences"),
        (["--lattice", "-m", "imeasure"], 1, "imeasure has no lattice to show; maxmatch does"),
        (["--lattice", "-m", "accuracy"], 1, "accuracy has neither edits nor an alignment nor n-grams to show"),
    ],
)
def test_what_cannot_be_shown(arguments: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", "examples/learner.m2", "examples/systems/eager.txt", *arguments]) == status
    assert message in capsys.readouterr().err


def test_lattices_that_are_too_large_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = " ".join(f"w{k}" for k in range(40))
    other = " ".join(f"v{k}" for k in range(40))
    with pytest.raises(RequestError, match=r"sentence 1: its lattice has more than 5,000 arcs.*max_unchanged"):
        make(words, other)
    with pytest.raises(RequestError, match="its lattice has 1,002,001 cells, more than the 1,000,000 that can be shown; cut the sentence"):
        make(" ".join(["a"] * 1000), " ".join(["b"] * 1000), metric="maxmatch(max_unchanged=0)")
    (tmp_path / "gold.m2").write_text("S a b c d e f g\n\n", encoding="utf-8")
    (tmp_path / "x.txt").write_text("h i j k l m n\n", encoding="utf-8")
    arguments = ["inspect", str(tmp_path / "gold.m2"), str(tmp_path / "x.txt"), "--lattice"]
    assert main([*arguments, "-o", str(tmp_path / "x.svg")]) == 1
    assert "a picture can hold 1,000 arcs, but the lattice has 1," in capsys.readouterr().err
    assert not (tmp_path / "x.svg").exists()
    assert main(arguments) == 0
    monkeypatch.setattr(lattice_module, "_MOST_ARCS", 10)
    assert main(arguments) == 1
    assert "gold.m2: sentence 1: its lattice has more than 10 arcs, too many to be shown" in capsys.readouterr().err


def test_the_lattice_in_python() -> None:
    corpus = Corpus((Sentence.of("a b", [Edit(0, 1, ("c",))]),))
    assert score(corpus, ["c b"]).lattice(1, "0").path == ((0, 0), (1, 1), (2, 2))
    with pytest.raises(UsageError, match="no annotator '7'"):
        score(corpus, ["c b"]).lattice(1, "7")
    with pytest.raises(UsageError, match="imeasure has no lattice"):
        score(corpus, ["c b"], "imeasure").lattice(1)
