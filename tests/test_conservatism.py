"""How much systems and annotators change."""

from __future__ import annotations

import ast
import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from errata import Corpus, Edit, RequestError, Sentence, System, read, read_system
from errata.cli import main
from errata.studies.conservatism import Changes, Conservatism, SentenceChanges, _rho, _split_words


@pytest.mark.parametrize(
    ("source", "target", "changes"),
    [
        ("A cat sat .", "A cat sat !", Changes(0, 0, 1.0, split=False, joined=False)),
        ("A cats sat", "A cat sat", Changes(1, 0, 1.0, split=False, joined=False)),
        ("The dog ran", "The cow ran", Changes(1, 1, 1.0, split=False, joined=False)),
        ("he walked", "he walks", Changes(1, 0, 1.0, split=False, joined=False)),
        ("one two three", "three two one", Changes(0, 0, -1.0, split=False, joined=False)),
        ("I know it is late .", "I know . It is late .", Changes(0, 0, 1.0, split=True, joined=False)),
        ("I know . It is late .", "I know it is late .", Changes(0, 0, 1.0, split=False, joined=True)),
        ("I know", "", Changes(2, 2, None, split=False, joined=True)),
        ("", "", Changes(0, 0, None, split=False, joined=False)),
        ("They left.They ran", "They left . They ran", Changes(0, 0, 1.0, split=False, joined=False)),
        ("word", "world", Changes(1, 0, None, split=False, joined=False)),
    ],
)
def test_changes(source: str, target: str, changes: Changes) -> None:
    assert Changes.of(source, target) == changes


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The U.S. is big", "The United States is big"),
        ("It is 1.5 km", "It is 2 km"),
        ("See www.google.com now", "See Google now"),
        ("( i.e .", "( i . E ."),
    ],
)
def test_dots_that_end_no_sentence(one: str, other: str) -> None:
    for source, target in ((one, other), (other, one)):
        changes = Changes.of(source, target)
        assert (changes.split, changes.joined) == (False, False)


def test_spacing_changes_nothing() -> None:
    assert _split_words("decades,medical care's") == ["decades", "medical", "care", "s"]
    assert Changes.of("For decades,medical care", "For decades , medical care").words == 0


@given(st.permutations(range(7)))
def test_order_is_that_of_scipy(places: list[int]) -> None:
    assert _rho(places) == pytest.approx(float(scipy_stats.spearmanr(range(7), places).statistic))


GOLD = Corpus(
    (
        Sentence.of("a b c d", [Edit(0, 1, ("xyzzy",))], [Edit(0, 2, ("plugh quux",))]),
        Sentence.of("fine here", [], []),
        Sentence.of("one two", [Edit(0, 1, ("three",))]),
    )
)


def test_systems_beside_references() -> None:
    zero, one = Conservatism.of_annotators(GOLD)
    assert ([item.words for item in zero.sentences], [item.words for item in one.sentences]) == ([1, 0, 1], [2, 0, 0])
    system = Conservatism.of(GOLD, System.of("s", ["a b c d", "fine everything over here", "one two"]))
    assert [item.words for item in system.sentences] == [0, 2, 0]
    assert system.find_extremes([zero, one]) == ([2], [1])
    assert (system.changed, system.words, system.split, system.joined, system.reordered) == (1, 2, 0, 0, 0)
    assert system.histogram() == {0: 2, 2: 1}
    with pytest.raises(RequestError, match="comparison needs at least one reference"):
        system.find_extremes([])


@pytest.mark.realdata
def test_the_recorded_tables(data: Path) -> None:
    """Changed sentences exact, cells of histograms within 3 and totals within 1% (ties of the alignment), order within .0005."""
    gold = read(data / "conll14" / "gold" / "official-2014.combined.m2")
    with (data / "expected" / "conservatism_clean.tsv").open(encoding="utf-8", newline="") as file:
        expected = {row["system"]: row for row in csv.DictReader(file, delimiter="\t")}
    found = {f"ref{item.name[-1]}": item for item in Conservatism.of_annotators(gold)}
    for name in expected.keys() - found.keys():
        found[name] = Conservatism.of(gold, read_system(data / "conll14" / "systems" / f"{name}.txt"))
    for name, row in expected.items():
        ours = found[name]
        assert ours.changed == int(row["changed_sents"]), name
        assert ours.words == pytest.approx(int(row["strict_total"]), rel=0.01)
        assert ours.words_apart == pytest.approx(int(row["approx_total"]), rel=0.01)
        assert ours.order == pytest.approx(float(row["mean_rho"]), abs=5e-4)
        inside = sum(item.split for item in ours.sentences), sum(item.joined for item in ours.sentences)
        assert inside == (int(row["split"]), int(row["concat"])), name
        assert abs(ours.reordered - int(row["n_rho_lt_1"])) <= 3
        assert sum(item.order is None for item in ours.sentences) == int(row["n_rho_undef"])
        for apart, column in ((False, "strict_0..5"), (True, "approx_0..5")):
            cells = ast.literal_eval(row[column])
            histogram = ours.histogram(apart=apart)
            assert [histogram[words] for words in range(6)] == pytest.approx(cells, abs=3)
        assert ours.histogram()[0] == ast.literal_eval(row["strict_0..5"])[0]


def test_annotators_without_a_line() -> None:
    zero, one = Conservatism.of_annotators(GOLD, "same")
    assert ([item.words for item in zero.sentences], [item.words for item in one.sentences]) == ([1, 0, 1], [2, 0, 1])
    joined = Corpus((Sentence.of("One two .", [Edit(2, 3, (",",))], []), Sentence.of("Three", [Edit(0, 1, ("three",))])))
    assert [item.joined_lines for item in Conservatism.of_annotators(joined, "same")] == [{0}, set()]
    assert [item.joined for item in SentenceChanges.of_all(GOLD, [], missing="same")] == [0, 0]


@pytest.mark.realdata
def test_annotators_who_agree(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Annotator 1 makes the same corrections as annotator 0 in 88 sentences; the own file of each gives the same counts."""
    folder = data / "conll14" / "gold"
    gold = read(folder / "official-2014.combined.m2")
    found = Conservatism.of_annotators(gold, "same")
    assert [(item.changed, item.words) for item in found] == [(920, 2729), (1091, 3503)]
    for number, ours in enumerate(found):
        (alone,) = Conservatism.of_annotators(read(folder / f"official-2014.{number}.m2"))
        assert (alone.sentences, alone.split_lines, alone.joined_lines) == (ours.sentences, ours.split_lines, ours.joined_lines)
    system = str(data / "conll14" / "systems" / "INPUT.txt")
    for options, text in (([], "noop makes up references"), (["--missing", "same"], "the first is repeated")):
        assert main(["conservatism", str(folder / "official-2014.combined.m2"), system, *options]) == 0
        assert text in capsys.readouterr().err


@pytest.mark.realdata
def test_splits_and_joins_across_lines(data: Path) -> None:
    """Annotator 0 joins twelve lines with the next one, mostly by a comma; with the words of single lines alone there is no join."""
    gold = read(data / "conll14" / "gold" / "official-2014.combined.m2")
    zero, one = Conservatism.of_annotators(gold)
    assert (zero.split, zero.joined, one.split, one.joined) == (31, 12, 33, 4)
    assert sorted(zero.joined_lines) == [88, 95, 215, 417, 427, 464, 531, 602, 775, 1027, 1098, 1224]
    assert not zero.split_lines


@pytest.mark.realdata
def test_published_splits_and_joins(data: Path) -> None:
    """With semicolons as sentence ends, the published numbers, whose names are exchanged; the joins of the reference differ."""
    with (data / "published" / "authors_figure1_wordchange_hist.tsv").open(encoding="utf-8", newline="") as file:
        published = {row["system"].upper(): row for row in csv.DictReader(file, delimiter="\t")}
    gold = read(data / "conll14" / "gold" / "official-2014.combined.m2")
    names = ["AMU", "CUUI", "IITB", "IPN", "PKU", "UFC"]
    systems = [read_system(data / "conll14" / "systems" / f"{name}.txt") for name in names]
    zero, _, *found = SentenceChanges.of_all(gold, systems, ".?!;")
    for name, counts in zip(names, found, strict=True):
        joined, split = int(published[name]["split"]), int(published[name]["concatenated"])
        assert counts == (split, joined, 0, 0), name
    assert (zero.split, zero.joined, zero.joined_lines) == (int(published["GOLD"]["concatenated"]), 0, 11)
    unchanged = {name: int(row["0"]) / int(row["pairs"]) for name, row in published.items()}
    assert min(unchanged.keys() - {"GOLD"}, key=lambda name: unchanged[name]) == "CAMB"


@pytest.mark.parametrize(
    ("source", "target", "split", "joined"),
    [
        (["A b .", "C d ."], ["A b ,", "c d ."], [], [0]),
        (["A b .", "C d ."], ["A b", "c d ."], [], [0]),
        (["A b .", "John d ."], ["A b ,", "John d ."], [], [0]),
        (["A b .", "C d ."], ["A b", "C d ."], [], []),  # only the full stop is missing
        (["A title", "C d ."], ["A title ,", "C d ."], [], []),  # no sentence ended there
        (["A b", "c d ."], ["A b .", "C d ."], [0], []),
        (["A b", "c d ."], ["A b c d .", ""], [], []),  # moved, not split
        (["A b .", "C d .", "E f ."], ["A b and", "", "e f ."], [], [0]),
        (["A b .", "", "C d ."], ["A b ,", "", "c d ."], [], []),  # another paragraph
        (["A b ."], ["A b ,"], [], []),
        (["A b . )", "C d ."], ["A b , )", "c d ."], [], [0]),
    ],
)
def test_sentences_across_lines(source: list[str], target: list[str], split: list[int], joined: list[int]) -> None:
    found = Conservatism.of(Corpus(tuple(Sentence(tuple(line.split())) for line in source)), System.of("s", target))
    assert (sorted(found.split_lines), sorted(found.joined_lines)) == (split, joined)
    inside = [index for index, item in enumerate(found.sentences) if item.joined]
    assert found.joined == len({*inside, *joined})


def test_sentences_of_two_documents_are_not_joined() -> None:
    corpus = Corpus((Sentence(("A", "."), document="1"), Sentence(("B", "."), document="2")))
    assert not Conservatism.of(corpus, System.of("s", ["A ,", "b ."])).joined_lines


def test_a_table_of_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["conservatism", "examples/learner.m2", "examples/systems/eager.txt", "--sentence-ends"]
    assert main([*arguments, ".?!;"]) == 0
    assert "Sentence ends: . ? ! ;" in capsys.readouterr().out
    assert main([*arguments, ".;", "--format", "json"]) == 0
    entries = json.loads(capsys.readouterr().out)["conservatism"]
    assert [entry["sentence_changes"]["split"] for entry in entries] == [2, 1, 2]
    assert main([*arguments, ". ;"]) == 2
    assert "sentence ends must be punctuation marks, such as '.?!;', found '. ;'" in capsys.readouterr().err


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["conservatism", "examples/learner.m2", "examples/systems/cautious.txt", "examples/systems/eager.txt"]
    assert main([*arguments, "--histogram"]) == 0
    out = capsys.readouterr().out
    assert "Systems that change fewer words than any annotator (1 of 2): cautious." in out
    assert "Sentences by their number of changed words" in out
    assert main([*arguments[:3]]) == 0
    assert "even cautious, which changes most, changes only 18% as many as annotator 0." in capsys.readouterr().out
    assert main([*arguments, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [item["name"] for item in record["conservatism"]] == ["annotator 0", "annotator 1", "cautious", "eager"]
    assert len(record["conservatism"][2]["fewer_than_every_reference"]) == 44
    assert main([*arguments, "--format", "csv"]) == 0
    assert main(["conservatism", "examples/learner.m2", "examples/learner.m2"]) == 2


def test_a_system_that_is_called_like_an_annotator(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "annotator 0.txt"
    path.write_text(Path("examples/systems/cautious.txt").read_text())
    assert main(["conservatism", "examples/learner.m2", str(path), "--format", "json"]) == 0
    entries = json.loads(capsys.readouterr().out)["conservatism"]
    assert ["more_than_every_reference" in entry for entry in entries] == [False, False, True]
