from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from errata import RequestError
from errata.cli import main
from errata.language import read_graphs, write_graphs
from errata.report.charts import pictures
from errata.report.charts.pictures import picture_lines
from errata.studies import align_graphs

from graph_notation import graph

Run = Callable[..., str]

FOLDER = Path("examples/graphs")
SOURCE, CAREFUL, BOLD = (FOLDER / f"{name}.mrp" for name in ("source", "careful", "bold"))
GOLD = FOLDER / "learner.m2"


def test_a_table(run: Run) -> None:
    out = run("faithfulness", SOURCE, CAREFUL, BOLD, "--confidence", "--replicates", "200")
    assert "bold            6      51    37     42    36  85.71  72.55    78.58" in out
    assert "careful keeps most: 94.1% of the units of the source; 3 of 51 have no counterpart" in out
    assert "200 replicates of pairs" in out
    assert "Intervals from only 6 pairs are rough." in out
    assert "| source source.mrp, 6 graphs, sha256 " in out
    assert "two people's graphs" in out
    assert "two people's graphs" not in run("faithfulness", SOURCE, BOLD, "-m", "uccasim(labels=strict)")


def test_more_tables(run: Run) -> None:
    out = run("faithfulness", SOURCE, BOLD, "--by-category", "-m", "uccasim", "-m", "distsim")
    assert "bold        A                   15    14                14    13   92.86   93.33    93.09" in out
    assert "bold        Scene (H)       8      7    93.33     94.44      0.1667" in out
    out = run("faithfulness", SOURCE, BOLD, "-m", "uccasim", "-m", "distsim", "--confidence", "--replicates", "100")
    assert out.count("95% interval") == 3
    assert "bold        P               0      0        –                –         –      0.1667" in out
    out = run("faithfulness", SOURCE, BOLD, "-m", "distsim(min_words=3)")
    assert "Units of 3 or more words." in out
    assert "Units of 0 or more words." in run("faithfulness", SOURCE, BOLD, "-m", "distsim(min_words=0)")


def test_json_has_everything(run: Run) -> None:
    found = json.loads(run("faithfulness", SOURCE, BOLD, "--format", "json", "--inspect", "--confidence", "--replicates", "100"))
    (entry,) = found["corrections"]
    assert found["settings"] == {"word_alignment": "assignment", "partner": "f1", "labels": "weak", "implicit": "parents", "min_words": 0}
    assert tuple(entry["uccasim"][key] for key in ("source_kept", "source_units", "correction_kept")) == (37, 51, 36)
    assert entry["distsim"]["A+D"]["pooled"] == pytest.approx(12 / 13)
    assert entry["interval"]["low"] < entry["uccasim"]["f"]
    assert entry["distsim"]["A+D"]["interval"]["low"] <= 12 / 13
    assert "interval" not in entry["distsim"]["P"]
    second = entry["per_pair"][1]
    assert second["texts"]["correction"] == "I agree with this ."
    assert {"outcome": "lost", "source": {"id": "3", "categories": ["F"], "words": "am"}} in second["units"]


def test_csv_of_pairs(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("faithfulness", SOURCE, CAREFUL, BOLD, "--per-pair", "--format", "csv"))))
    assert len(rows) == 12
    assert (rows[7]["correction"], rows[7]["source_id"], rows[7]["source_units"], rows[7]["source_kept"]) == ("bold", "2", "8", "5")


def test_csv_holds_the_one_table_that_is_wanted(run: Run) -> None:
    (row,) = csv.DictReader(io.StringIO(run("faithfulness", SOURCE, BOLD, "--confidence", "--replicates", "100", "--format", "csv")))
    assert 0 < float(row["low"]) < float(row["uccasim"]) < float(row["high"]) < 1
    rows = list(csv.DictReader(io.StringIO(run("faithfulness", SOURCE, BOLD, "-m", "distsim", "--format", "csv"))))
    assert rows[0]["category"] == "A+D"
    rows = list(csv.DictReader(io.StringIO(run("faithfulness", SOURCE, SOURCE, "--agreement", "weak", "--by-category", "--format", "csv"))))
    assert rows[0]["category"] == "A"


def test_latex_has_no_arrows(run: Run) -> None:
    assert "→" not in run("faithfulness", SOURCE, BOLD, "--format", "latex").split("%")[0]


def test_pairs_in_order_are_told_of(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.mrp"
    write_graphs([replace(item, id=f"x{item.id}") for item in read_graphs(BOLD)], other)
    assert "other is paired in order: 1 → x1, 2 → x2, 3 → x3, 4 → x4, 5 → x5, ... 6 → x6." in run("faithfulness", SOURCE, other)
    long, unlike = tmp_path / "long.mrp", tmp_path / "unlike.mrp"
    for path, word in ((long, "a"), (unlike, "b")):
        write_graphs([graph("[H " + " ".join(f"[A {word}{number}]" for number in range(30)) + "]")], path)
    assert main(["faithfulness", str(long), str(unlike)]) == 0
    told = capsys.readouterr().err
    assert "unlike: less than half of the words shared in 1 of 1 pair, such as '1' and '1'; are they of the same text?" in told


def test_a_signature_is_of_the_pairs_that_are_compared(run: Run) -> None:
    whole, part = (run("faithfulness", SOURCE, BOLD, *more).splitlines()[-1] for more in ((), ("--pairs", "2")))
    assert "6 graphs" in whole
    assert "1 graph," in part
    assert whole.split("sha256")[1] != part.split("sha256")[1]


def test_edges_without_a_label(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bare.mrp"
    path.write_text(SOURCE.read_text(encoding="utf-8").replace('"label": "A"', '"label": ""'), encoding="utf-8")
    assert "95% interval" in run("faithfulness", path, path, "-m", "distsim", "--confidence", "--replicates", "100")


def test_inspection(run: Run) -> None:
    out = run("faithfulness", SOURCE, BOLD, "--inspect", "--pairs", "2")
    assert "  - F    am\n" in out
    assert "  ~ E    this                            C    this\n" in out
    assert out.endswith("= kept   ~ its best match has another category   - has no match (lost)   + has no match (added)\n")
    out = run("faithfulness", SOURCE, BOLD, "--inspect", "--pairs", "5")
    assert "  units of the correction, with their best matches on the left:\n  ~ P    rain                  H    It rained\n" in out


def test_agreement(run: Run) -> None:
    out = run("faithfulness", SOURCE, SOURCE, "--agreement", "weak", "--by-category", "--per-pair")
    assert "source    weak    all            54     54     54     54  100.00  100.00  100.00" in out
    found = json.loads(run("faithfulness", SOURCE, SOURCE, "--agreement", "unlabelled", "--format", "json"))
    assert found["agreement"][0]["all"] == {
        "precise": 54,
        "guessed": 54,
        "recalled": 54,
        "expected": 54,
        "precision": 1,
        "recall": 1,
        "f": 1,
    }


def test_a_leaderboard_beside_references(run: Run) -> None:
    systems = FOLDER / "careful.txt", FOLDER / "bold.txt"
    out = run(
        "score",
        GOLD,
        *systems,
        "-m",
        "maxmatch",
        "-m",
        "uccasim",
        "-m",
        "distsim",
        "--graphs",
        SOURCE,
        "--graphs",
        CAREFUL,
        "--graphs",
        BOLD,
    )
    assert "bold        43.48    78.58    92.31" in out
    out = run("compare", GOLD, *systems, "-m", "uccasim", "--graphs", SOURCE, "--graphs", CAREFUL, "--graphs", BOLD, "--replicates", "500")
    assert "UCCASIM" in out


def test_a_folder_of_graphs_and_a_column_of_nothing(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "graphs"
    folder.mkdir()
    for path in (SOURCE, CAREFUL, BOLD):
        (folder / path.name).write_bytes(path.read_bytes())
    assert "78.58" in run("score", GOLD, FOLDER / "bold.txt", "-m", "uccasim", "--graphs", folder)
    assert main(["score", str(GOLD), str(FOLDER / "bold.txt"), "-m", "distsim(categories=Z)", "--graphs", str(folder)]) == 0
    told = capsys.readouterr()
    assert "distsim(categories=Z) of bold: the value is meaningless: no unit of 2 or more words has the category Z" in told.err
    assert "Source found" not in told.out


def test_passages_are_cut_for_a_leaderboard(run: Run, tmp_path: Path) -> None:
    gold = tmp_path / "gold.m2"
    gold.write_text("\n\n".join(GOLD.read_text(encoding="utf-8").split("\n\n")[:3]) + "\n", encoding="utf-8")
    system = tmp_path / "bold.txt"
    system.write_text("".join((FOLDER / "bold.txt").read_text(encoding="utf-8").splitlines(keepends=True)[:3]), encoding="utf-8")
    out = run("score", gold, system, "-m", "uccasim", "--graphs", FOLDER / "essay.xml", "--graphs", BOLD)
    whole = run("score", gold, system, "-m", "uccasim", "--graphs", SOURCE, "--graphs", BOLD)
    assert out.splitlines()[2].split() == whole.splitlines()[2].split()


def test_passages_are_cut_by_a_text(run: Run, tmp_path: Path) -> None:
    bold = tmp_path / "bold.mrp"
    write_graphs(read_graphs(BOLD)[:3], bold)
    text = tmp_path / "bold.txt"
    text.write_text("".join(f"{graph.text}\n" for graph in read_graphs(bold)), encoding="utf-8")
    arguments = ["faithfulness", FOLDER / "essay.xml", bold, "--text", FOLDER / "essay.txt", "--text", text]
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--per-pair", "--format", "csv"))))
    expected = list(csv.DictReader(io.StringIO(run("faithfulness", SOURCE, BOLD, "--pairs", "1,2,3", "--per-pair", "--format", "csv"))))
    assert [row["source_id"] for row in rows] == ["essay.1", "essay.2", "essay.3"]
    assert [row["source_kept"] for row in rows] == [row["source_kept"] for row in expected]
    write_graphs(read_graphs(BOLD)[:2], bold)
    text.write_text("".join(f"{graph.text}\n" for graph in read_graphs(bold)), encoding="utf-8")
    assert "has 2 sentences for 3 of the source" in run(*arguments, status=2)
    shifted = [read_graphs(BOLD)[0], *read_graphs(BOLD)[2:]]
    write_graphs(shifted, bold)
    text.write_text("".join(f"{graph.text}\n" for graph in shifted), encoding="utf-8")
    message = run(*arguments, status=2)
    assert "has 5 sentences for 3 of the source; they go apart at line 2: 'I am agree with this opinion .' and 'Yesterday we" in message


def test_no_passage_is_left_over(run: Run) -> None:
    message = run("graphs", SOURCE, "--text", FOLDER / "essay.txt", status=2)
    assert "essay.txt is the text of 3 of the 6 graphs of source; it has no sentence of examples/graphs/source.mrp:4: graph 4" in message


def test_a_parser(run: Run, tmp_path: Path) -> None:
    program = tmp_path / "parse.py"
    program.write_text(
        "import sys\nfor line in sys.stdin:\n"
        "    for place, word in enumerate(line.split(), start=1):\n"
        "        print(place, word, '_', '_', '_', '_', place - 1, 'dep', '_', '_', sep='\\t')\n    print()\n",
        encoding="utf-8",
    )
    parser = f"command-conllu:{sys.executable} {program}"
    source = tmp_path / "source.txt"
    source.write_text("".join(f"{graph.text}\n" for graph in read_graphs(SOURCE)), encoding="utf-8")
    out = run("faithfulness", source, FOLDER / "bold.txt", "--parser", parser, "--by-category")
    assert "bold        dep " in out
    out = run("score", GOLD, FOLDER / "bold.txt", "-m", "uccasim", "--parser", parser)
    assert "UCCASIM" in out
    assert "source          6     44     51" not in run("graphs", source, "--parser", parser)
    run("graphs", source, "--parser", parser, "-o", tmp_path / "trees.mrp")
    assert [graph.text for graph in read_graphs(tmp_path / "trees.mrp")] == [graph.text for graph in read_graphs(SOURCE)]


def test_a_picture(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rain.svg"
    run("faithfulness", SOURCE, BOLD, "--pairs", "5", "--picture", path)
    root = ET.parse(path).getroot()
    check_inside(root)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Despite", "rained", "H", "L"} <= set(texts)


def check_inside(root: ET.Element) -> None:
    """Every unit is on the page."""
    wide, high = (float(root.attrib[name]) for name in ("width", "height"))
    for circle in root.iter("{http://www.w3.org/2000/svg}circle"):
        assert 0 < float(circle.attrib["cx"]) < wide
        assert 0 < float(circle.attrib["cy"]) < high


def test_a_picture_holds_no_markup_of_strangers() -> None:
    hostile = "<script>alert(1)</script>"
    found = graph(f"[<b> {hostile} \x01] [A=x a&b] [H [*D x] go [A]]")
    text = "\n".join(picture_lines(align_graphs(found, found)))
    assert "<script" not in text
    root = ET.fromstring(text)
    assert hostile in [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_units_of_one_height_do_not_cover_each_other() -> None:
    found = graph("[H [A a] [A] [A]] [H [P b] " + "[A] " * 40 + "]")
    root = ET.fromstring("\n".join(picture_lines(align_graphs(found, found))))
    check_inside(root)
    places = [(circle.attrib["cx"], circle.attrib["cy"]) for circle in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert len(set(places)) == len(places)


def test_what_is_in_files_of_graphs(run: Run, tmp_path: Path) -> None:
    out = run("graphs", SOURCE, FOLDER / "essay.xml")
    assert "source          6     44     51         0     51       3         0" in out
    found = json.loads(run("graphs", SOURCE, "--format", "json"))
    assert found["files"][0]["categories"]["A"] == 17
    assert run("graphs", SOURCE, "--format", "csv").splitlines()[1] == "source,6,44,51,0,51,3,0"
    run("graphs", FOLDER / "essay.xml", "--text", FOLDER / "essay.txt", "-o", tmp_path / "cut.mrp")
    assert [graph.tokens for graph in read_graphs(tmp_path / "cut.mrp")] == [graph.tokens for graph in read_graphs(SOURCE)[:3]]
    run("graphs", tmp_path / "cut.mrp", "--to", "ucca", "-o", tmp_path / "cut.xml")
    assert len(read_graphs(tmp_path / "cut.xml")) == 3
    assert "| essay | 3 | 22 |" in run("graphs", FOLDER / "essay.xml", "--text", FOLDER / "essay.txt", "--format", "markdown")


def test_what_is_lost_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "linked.xml"
    linked = graph("[H [P go]] [L and] [H [P run far]]")
    write_graphs([linked], path)
    text = path.read_text(encoding="utf-8").replace(
        "  </layer>\n</root>",
        '    <node ID="1.99" type="LKG"><edge toID="1.2" type="LA" /></node>\n  </layer>\n</root>',
    )
    path.write_text(text, encoding="utf-8")
    assert main(["graphs", str(path), "--to", "mrp"]) == 0
    assert "MRP has no linkages: 1 linkage left out" in capsys.readouterr().err
    sentences = tmp_path / "text.txt"
    sentences.write_text("go and run\nfar\n", encoding="utf-8")
    assert main(["graphs", str(path), "--text", str(sentences), "--to", "ucca"]) == 0
    assert "2 units with words in several sentences, counted in each of them" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["faithfulness", SOURCE, BOLD, "--picture", "x.png"], "a picture of graphs is SVG, so its name ends in .svg, found 'x.png'"),
        (["faithfulness", SOURCE, BOLD, "--picture", "x.svg"], "a picture shows one pair, and there are 6; choose one with --pair"),
        (["faithfulness", SOURCE, BOLD, "--pairs", "9"], "--pairs: the source has no graph '9'; it has 1, 2, 3, 4, 5, 6"),
        (
            ["faithfulness", SOURCE, BOLD, "--agreement", "weak"],
            "have different texts: word 3 is 'likes' in the first and 'like' in the second",
        ),
        (
            ["faithfulness", SOURCE, BOLD, "--agreement", "weak", "--inspect"],
            "--inspect cannot be combined with --agreement: it compares graphs of one text",
        ),
        (["faithfulness", SOURCE, FOLDER / "essay.xml"], "essay.xml has 1 graph, but the source has 6"),
        (
            ["faithfulness", SOURCE, BOLD, "--text", FOLDER / "bold.txt"],
            "--text is given once for the source and once for every correction, 2 times in all, found 1",
        ),
        (["faithfulness", SOURCE, BOLD, "--inspect", "--format", "latex"], "--inspect prints text or JSON, not latex"),
        (
            ["faithfulness", SOURCE, BOLD, "-m", "distsim", "--by-category", "--format", "csv", "--picture", "left.svg"],
            "CSV holds one table",
        ),
        (["faithfulness", SOURCE, BOLD, "--seed", "3"], "--seed needs --confidence, which adds intervals"),
        (["faithfulness", FOLDER / "bold.txt", BOLD], "bold.txt: files of graphs have the extension .xml"),
        (["faithfulness", SOURCE, BOLD, "--parser", "deep"], "unknown parser 'deep'; choose from"),
        (
            ["faithfulness", SOURCE, BOLD, "--parser", "spacy", "--text", SOURCE],
            "cannot be combined with --parser: a parser makes graphs of texts, one sentence per line",
        ),
        (["faithfulness", SOURCE, BOLD, "--by-category", "--confidence", "--format", "csv"], "--by-category has no intervals"),
        (
            ["faithfulness", SOURCE, BOLD, "--inspect", "--by-category"],
            "cannot be combined with --inspect; only JSON has both",
        ),
        (
            ["faithfulness", SOURCE, BOLD, "--per-pair", "--confidence"],
            "cannot be combined with --per-pair; only JSON has both",
        ),
        (["faithfulness", SOURCE, SOURCE, "--agreement", "weak", "-m", "uccasim"], "--metric cannot be combined with --agreement"),
        (["graphs", SOURCE, "--to", "mrp", "-o", "examples/"], "a folder holds UCCA XML, a file for each passage"),
        (["graphs", SOURCE, BOLD, "--parser", "spacy", "--to", "mrp"], "graphs of several texts would have the same ids"),
        (["score", GOLD, FOLDER / "bold.txt", "-m", "uccasim"], "uccasim needs semantic graphs: --graphs or --parser"),
        (
            ["score", GOLD, FOLDER / "bold.txt", "--graphs", SOURCE],
            "--graphs needs a metric of semantic graphs: -m uccasim or -m distsim",
        ),
        (
            ["score", GOLD, FOLDER / "bold.txt", "-m", "uccasim", "--graphs", SOURCE],
            "bold.txt: sentence 1 has no graph: 'The students like reading books .'; ",
        ),
        (["graphs", SOURCE, "--to", "mrp", "--text", FOLDER / "bold.txt"], "bold.txt: sentence 1 has no graph: "),
        (["graphs", SOURCE, "--to", "mrp", "--format", "json"], "--format json is for what is counted"),
        (
            ["inspect", GOLD, FOLDER / "bold.txt", "-m", "uccasim"],
            "to inspect uccasim, use errata faithfulness --inspect",
        ),
        (["graphs", SOURCE, "-o", "x.conllu"], "CoNLL-U is read, not written; say --to ucca or --to mrp"),
        (["graphs", SOURCE, BOLD, "--to", "mrp"], "bold.mrp:1: the graph in examples/graphs/source.mrp:1 has the same id '1'"),
    ],
)
def test_bad_usage(run: Run, arguments: list[str | Path], message: str) -> None:
    assert message in run(*arguments, status=2)


@pytest.mark.slow
def test_a_picture_of_a_long_passage_is_refused(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "long.mrp"
    write_graphs([graph("[H " + " ".join(f"[A w{number}]" for number in range(400)) + "]")], path)
    message = run("faithfulness", path, path, "--picture", tmp_path / "x.svg", status=1)
    assert "a picture can hold 300 words, but" in message
    write_graphs([graph("[H go " + "[P run] " + "[E]" * 1_200 + "]")], path)
    monkeypatch.setattr(pictures, "_MOST_UNITS", 1_000)
    assert "a picture can hold 1,000 units" in run("faithfulness", path, path, "--picture", tmp_path / "x.svg", status=1)
    assert not (tmp_path / "x.svg").exists()


def test_the_graph_that_is_too_long_is_named() -> None:
    """The other one may be short enough."""
    short, long = (replace(graph(f"[H {' '.join(['go'] * words)}]"), id=name) for name, words in (("short", 2), ("long", 301)))
    for source, correction in ((short, long), (long, short)):
        with pytest.raises(RequestError, match="a picture can hold 300 words, but graph long has 301"):
            list(picture_lines(align_graphs(source, correction)))


def test_graphs_with_the_same_words_are_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.mrp"
    write_graphs([graph("[H [A The students] [P likes] [A reading books] [U .]]")], other)
    arguments = ["score", GOLD, FOLDER / "careful.txt", "-m", "uccasim", "--graphs", SOURCE, "--graphs", CAREFUL, "--graphs", other]
    assert main([str(argument) for argument in arguments]) == 0
    assert "1 graph skipped: an earlier graph has the same words" in capsys.readouterr().err


@pytest.mark.realdata
def test_the_essays(run: Run, data: Path) -> None:
    out = run("faithfulness", data / "ucca/tree1297.xml", data / "ucca/amittaic1297.xml", "--agreement", "weak", "--format", "json")
    assert json.loads(out)["agreement"][0]["all"]["precise"] == json.loads(out)["agreement"][0]["all"]["recalled"] == 626
    out = run(
        "faithfulness", data / "ucca/tree1297.xml", data / "ucca/tree1197.xml", "-m", "uccasim(word_alignment=monotone,implicit=none)"
    )
    assert "tree1197        1     729" in out
