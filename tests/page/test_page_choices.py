"""Which sentences are in a report, reports of little data, and what a report needs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from learner_report import EXAMPLES, GOLD, NAMES, SIZE, SYSTEMS, Numbers, call_errata, write_report
from report_contents import ReportContents

FAST = ("--replicates", "100", "--correction", "none", "--tagger", "none")


def write(folder: Path, *arguments: object) -> ReportContents:
    return ReportContents(write_report(folder / "report.html", *arguments, *FAST))


def header_of(contents: ReportContents) -> str:
    (header,) = contents.document.find("header")
    return header.text


def values_of(contents: ReportContents) -> dict[str, float]:
    return {item["system"]: item["value"] for item in json.loads(contents.download("report.json"))["scores"]}


def all_values(numbers: Numbers) -> dict[str, float]:
    return {name: numbers.score["maxmatch", name]["value"] for name in NAMES}


def test_only_the_sentences_asked_for_are_listed(tmp_path: Path, numbers: Numbers) -> None:
    contents = write(tmp_path, GOLD, *SYSTEMS, "--sentences", "3,10-12")
    assert [sentence["n"] for sentence in contents.sentences] == [3, 10, 11, 12]
    assert contents.index["numbers"] == [3, 10, 11, 12]
    assert (contents.summary["sentences"], contents.summary["total"]) == (4, SIZE)
    assert "only those asked for are listed, 4 of 72 (3,10-12). All numbers are of all sentences." in header_of(contents)
    assert values_of(contents) == all_values(numbers)


def test_a_large_corpus_is_sampled_evenly(tmp_path: Path, numbers: Numbers) -> None:
    contents = write(tmp_path, GOLD, *SYSTEMS, "--max-sentences", "7")
    assert [sentence["n"] for sentence in contents.sentences] == [1, 11, 21, 31, 42, 52, 62]
    assert "an even sample of 7 of 72. All numbers are of all sentences." in header_of(contents)
    assert "an even sample of 7 of 72" in contents.section("making").text
    assert values_of(contents) == all_values(numbers)


def test_a_subset_is_scored_alone(tmp_path: Path) -> None:
    contents = write(tmp_path, GOLD, *SYSTEMS, "--sentences", "3,10-12", "--as-subset")
    scored = json.loads(call_errata("score", GOLD, *SYSTEMS, "--sentences", "3,10-12", "--format", "json"))["scores"]
    assert values_of(contents) == {item["system"]: item["value"] for item in scored}
    assert [sentence["n"] for sentence in contents.sentences] == [3, 10, 11, 12]
    assert "All numbers are of all sentences" not in header_of(contents)
    assert "4 of 72" in header_of(contents)


def test_all_sentences_need_no_remark(contents: ReportContents) -> None:
    assert contents.document.find("p", class_="sampled") == []
    assert contents.summary["sentences"] == contents.summary["total"] == SIZE


def test_one_system_is_compared_with_nothing(tmp_path: Path) -> None:
    contents = write(tmp_path, GOLD, SYSTEMS[0])
    assert "only one system" in contents.section("differences").text
    assert contents.summary["exclusive"] == {}
    assert contents.section("edits").find("table")
    assert len(contents.sentences) == SIZE


def test_two_systems_are_compared_in_a_sentence(tmp_path: Path) -> None:
    eager, cautious = (str(EXAMPLES / "systems" / f"{name}.txt") for name in ("eager", "cautious"))
    contents = write(tmp_path, GOLD, cautious, eager, "--title", "Two of them")
    compared = json.loads(call_errata("compare", GOLD, eager, cautious, "--test", "bootstrap", *FAST[:4], "--format", "json"))
    (pair,) = compared["pairs"]
    (verdict,) = contents.section("differences").find("p", class_="verdict")
    low, high = (f"{100 * pair[end]:.2f}" for end in ("low", "high"))
    assert verdict.text.startswith(f"eager minus cautious: +{100 * pair['difference']:.2f} F0.5, 95% interval [{low}, {high}], p = ")
    assert "The difference is not significant." in verdict.text
    assert contents.section("differences").find("table", class_="matrix") == []
    assert "Two of them" in header_of(contents)


def test_one_sentence_has_no_intervals_and_no_tests(tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_text("S a b\nA 0 1|||T|||x|||REQUIRED|||-NONE-|||0\n\n")
    for name, text in (("one", "x b"), ("two", "a b")):
        (tmp_path / f"{name}.txt").write_text(f"{text}\n")
    contents = write(tmp_path, tmp_path / "gold.m2", tmp_path / "one.txt", tmp_path / "two.txt")
    assert values_of(contents) == {"one": 1.0, "two": 0.0}
    reason = "No intervals and no tests: an interval needs two sentences or more, found 1."
    assert reason in contents.section("leaderboard").text
    assert reason in contents.section("differences").text


def test_types_that_a_team_does_not_handle_are_not_done(tmp_path: Path) -> None:
    call_errata("task", "run", str(EXAMPLES / "task.toml"), "-o", str(tmp_path))
    contents = ReportContents(tmp_path / "report.html")
    recall = contents.section("types").find("table")[0]
    rows = {row.find("th")[0].text: [cell.text for cell in row.find("td")] for row in recall.find("tbody")[0].find("tr")}
    assert "not done" in rows["ArtOrDet"]
    assert any("/" in cell for cell in rows["ArtOrDet"])


def test_the_precision_of_no_edits_is_not_the_best(tmp_path: Path) -> None:
    source = tmp_path / "source.txt"
    source.write_text("".join(f"{line[2:]}\n" for line in Path(GOLD).read_text().split("\n") if line.startswith("S ")), "utf-8")
    contents = write(tmp_path, GOLD, source)
    cells = contents.section("types").find("td")
    assert any("h0" in (cell.attributes.get("class") or "").split() for cell in cells)  # recall
    assert not any("h10" in (cell.attributes.get("class") or "").split() for cell in cells)


def test_gold_without_types(tmp_path: Path) -> None:
    record = {"text": "a b c", "annotations": [{"annotator": "x", "edits": [{"start": 1, "end": 2, "corrections": ["d"]}]}]}
    (tmp_path / "gold.jsonl").write_text(f"{json.dumps(record)}\n" * 3)
    (tmp_path / "one.txt").write_text("a d c\na b c\na c c\n")
    contents = write(tmp_path, tmp_path / "gold.jsonl", tmp_path / "one.txt")
    assert contents.summary["types"] == []
    assert [[edit for own in sentence["y"] for edit in own["e"]] for sentence in contents.sentences] == [
        [[0, 1, 2, "d", ""]],
        [[2, 1, 2, "d", ""]],
        [[1, 1, 2, "c", ""], [2, 1, 2, "d", ""]],
    ]


def test_metrics_without_edits_are_judged_by_maxmatch(tmp_path: Path) -> None:
    contents = write(tmp_path, GOLD, *SYSTEMS, "-m", "gleu")
    assert contents.summary["view"]["metric"] == "maxmatch"
    assert "because no metric of this report judges edits" in contents.section("making").text
    assert [metric["name"] for metric in contents.summary["metrics"]] == ["gleu"]


def test_errant_types_the_edits_of_systems(tmp_path: Path) -> None:
    folder = EXAMPLES / "errant"
    systems = sorted(path for path in folder.glob("*.m2") if path.stem != "gold")
    contents = write(tmp_path, folder / "gold.m2", *systems, "-m", "errant")
    assert contents.summary["view"]["metric"] == "errant"
    scored = json.loads(call_errata("score", folder / "gold.m2", *systems, "-m", "errant", "--format", "json"))["scores"]
    assert values_of(contents) == {item["system"]: item["value"] for item in scored}
    for place, item in enumerate(scored):
        right, wrong, missed = (sum(own) for own in contents.index["edits"][place])
        assert (right, wrong, missed) == tuple(item["parts"][name] for name in ("tp", "fp", "fn"))
    assert {name[:2] for name in contents.summary["types"]} <= {"M:", "R:", "U:", "UN"}


def test_graphs_need_no_references(tmp_path: Path) -> None:
    graphs = EXAMPLES / "graphs"
    source, system = tmp_path / "source.txt", tmp_path / "bold.txt"
    for path in (source, system):
        records = [json.loads(line) for line in (graphs / f"{path.stem}.mrp").read_text("utf-8").splitlines()]
        path.write_text("".join(f"{record['input']}\n" for record in records), "utf-8")
    m2 = tmp_path / "gold.m2"
    m2.write_text("".join(f"S {line}\n\n" for line in source.read_text("utf-8").splitlines()), "utf-8")
    contents = write(tmp_path, m2, system, "-m", "uccasim", "--graphs", graphs)
    assert contents.summary["view"]["metric"] == ""
    assert "no references" in contents.section("edits").text
    assert all("e" not in own for sentence in contents.sentences for own in sentence["y"])


def test_empty_sentences(tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_text(
        "S \nA 0 0|||Mec|||Hello|||REQUIRED|||-NONE-|||0\n\nS a b\nA 0 2|||X||||||REQUIRED|||-NONE-|||0\n\nS c\n\n"
    )
    (tmp_path / "one.txt").write_text("\n\nc\n")
    (tmp_path / "two.txt").write_text("Hello\na b\n\n")
    contents = write(
        tmp_path, tmp_path / "gold.m2", tmp_path / "one.txt", tmp_path / "two.txt", "-m", "maxmatch", "-m", "imeasure", "-m", "gleu"
    )
    assert [sentence["s"] for sentence in contents.sentences] == ["", "a b", "c"]
    assert contents.index["lengths"] == [0, 2, 1]
    outputs = [[own.get("h") for own in sentence["y"]] for sentence in contents.sentences]
    assert outputs == [[None, None]] * 3
    assert [edit[:4] for edit in contents.sentences[1]["y"][0]["e"]] == [[0, 0, 2, ""]]


def test_documents_are_in_the_sentences(tmp_path: Path) -> None:
    (tmp_path / "documents.txt").write_text("".join(f"essay {number // 10}\n" for number in range(SIZE)))
    contents = write(tmp_path, GOLD, *SYSTEMS, "--documents", tmp_path / "documents.txt", "--resample", "document")
    assert [sentence["d"] for sentence in contents.sentences] == [f"essay {number // 10}" for number in range(SIZE)]


def test_warnings_are_in_the_header(tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_text("S a b\nA 0 1|||T|||x|||REQUIRED|||-NONE-|||0\nA 5 9|||T|||x|||REQUIRED|||-NONE-|||0\n\nS c\n\n")
    (tmp_path / "one.txt").write_text("x b\nc\n")
    contents = write(tmp_path, tmp_path / "gold.m2", tmp_path / "one.txt", "--lenient")
    (warnings,) = contents.document.find("ul", class_="warnings")
    assert "5" in warnings.text
    assert warnings.text in "".join(item.text for item in contents.section("making").find("ul"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "-o/--output"),
        (("-o", "report.html", "-m", "maxmach"), "unknown metric 'maxmach'; choose from"),
        (("-o", "report.html", "--sentences", "73"), "73"),
        (("-o", "report.html", "--max-sentences", "0"), "--max-sentences"),
        (("-o", "report.html", "--as-subset"), "--sentences"),
        (("-o", "report.html", "--documents", "nowhere.txt"), "nowhere.txt"),
        (("-o", "no/such/folder/report.html"), "no/such/folder"),
        (("-o", "report.pdf"), "a page is HTML, so its name ends in .html, found 'report.pdf'"),
    ],
)
def test_mistakes_are_explained(arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    errors = call_errata("report", GOLD, *SYSTEMS, *arguments, status=2)
    assert errors.startswith("errata: error: ") or "error: " in errors
    assert message in errors
    assert list(tmp_path.iterdir()) == []
