"""``errata inspect --digest`` and all edits as CSV."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from errata import Annotation, Corpus, Edit, Sentence, write
from errata.corpus.texts import iterate_ranges

GOLD = "examples/learner.m2"
CAUTIOUS, EAGER, REWRITER = SYSTEMS = [f"examples/systems/{name}.txt" for name in ("cautious", "eager", "rewriter")]
OUTCOMES = ("right", "wrong", "missed")

Run = Callable[..., str]


def read_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def as_outcomes(parts: dict[str, Any]) -> dict[str, int]:
    correct, proposed, gold = (parts[name] for name in ("correct", "proposed", "gold"))
    return {"right": correct, "wrong": proposed - correct, "missed": gold - correct}


def sum_counts(records: list[dict[str, Any]]) -> dict[str, int]:
    totals = dict.fromkeys(OUTCOMES, 0)
    for record in records:
        totals[record["outcome"]] += int(record["count"])
    return totals


def test_the_most_frequent_edits_of_each_outcome(run: Run) -> None:
    out = run("inspect", GOLD, EAGER, "--digest", "--top", "2")
    assert [line.split() for line in out.splitlines()[:8]] == [
        ["Outcome", "Edit", "Type", "Count", "Sentences"],
        ["────────", "───────", "────────", "─────", "─────────────────────────"],
        ["+", "right", "∅", "→", ",", "Mec", "8", "20,24,31,41,43", "and", "3", "more"],
        ["+", "right", "∅", "→", "the", "ArtOrDet", "7", "4,23,27,36,67", "and", "1", "more"],
        ["x", "wrong", "∅", "→", ",", "–", "10", "3,7,12,16,22", "and", "5", "more"],
        ["x", "wrong", "∅", "→", "the", "–", "3", "22,34,44"],
        ["-", "missed", "∅", "→", "a", "ArtOrDet", "1", "34"],
        ["-", "missed", "∅", "→", "his", "Pref", "1", "44"],
    ]
    assert "Edits not shown: 66 right, 37 wrong, 24 missed; none of them is more frequent.\n" in out
    assert "--top N shows more, --format csv all.\nmaxmatch(beta=0.5" in out


def test_nothing_is_left_out_if_everything_is_asked_for(run: Run) -> None:
    out = run("inspect", GOLD, EAGER, "--digest", "--top", "1000")
    assert "Edits not shown" not in out
    assert "--top" not in out
    assert "ArtOrDet 3, Rloc- 1" in out


def test_a_table_for_each_system_and_one_for_all(run: Run) -> None:
    out = run("inspect", GOLD, *SYSTEMS, "--digest", "--top", "3")
    assert [line for line in out.splitlines() if line in {"cautious", "eager", "rewriter", "all systems"}] == [
        "cautious",
        "eager",
        "rewriter",
        "all systems",
    ]
    assert out.count("Systems  Sentences") == 1
    assert out.count("| gold learner.m2") == 1
    assert out.count("Edits not shown: ") == 4


def test_counts_in_json_add_up_to_those_of_scores(run: Run) -> None:
    found = json.loads(run("inspect", GOLD, *SYSTEMS, "--digest", "--format", "json"))
    scores = {item["system"]: item for item in json.loads(run("score", GOLD, *SYSTEMS, "--format", "json"))["scores"]}
    assert [item["system"] for item in found["systems"]] == ["cautious", "eager", "rewriter"]
    for item in found["systems"]:
        assert sum_counts(item["edits"]) == as_outcomes(scores[item["system"]]["parts"])
        assert item["left_out"] == dict.fromkeys(OUTCOMES, 0)
        assert item["signature"] == scores[item["system"]]["signature"]
        assert [edit["count"] for edit in item["edits"]] == sorted((edit["count"] for edit in item["edits"]), reverse=True)
    together = found["all"]["edits"]
    assert all(edit["count"] == sum(edit["systems"].values()) for edit in together)
    for item in found["systems"]:
        own = [edit for edit in together if item["system"] in edit["systems"]]
        assert len(own) == len(item["edits"])
    alone = json.loads(run("inspect", GOLD, EAGER, "--digest", "--format", "json", "--top", "1"))
    assert "all" not in alone
    assert len(alone["systems"][0]["edits"]) == 3
    assert all(count > 0 for count in alone["systems"][0]["left_out"].values())


def test_csv_has_every_edit_once_for_each_system_and_for_all(run: Run) -> None:
    rows = read_csv(run("inspect", GOLD, *SYSTEMS, "--digest", "--format", "csv"))
    assert list(rows[0]) == ["system", "outcome", "original", "correction", "type", "count", "systems", "sentences"]
    own = [row for row in rows if row["system"]]
    together = [row for row in rows if not row["system"]]
    assert sum_counts(own) == sum_counts(together)
    assert {row["systems"] for row in own} == {"1"}
    for row in together:
        (sentences,) = [list(iterate_ranges(row["sentences"], 72))]
        assert 1 <= len(sentences) <= int(row["count"])


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_tables_for_papers(run: Run, form: str) -> None:
    out = run("inspect", GOLD, *SYSTEMS, "--digest", "--format", form)
    assert out.count("Outcome") == 4


def test_filters_select_edits(run: Run) -> None:
    def count(*more: str) -> list[dict[str, Any]]:
        edits: list[dict[str, Any]] = json.loads(run("inspect", GOLD, EAGER, "--digest", "--format", "json", *more))["systems"][0]["edits"]
        return edits

    everything = count()
    assert count("--outcome", "wrong") == [edit for edit in everything if edit["outcome"] == "wrong"]
    assert {name for edit in count("--types", "Prep") for name in edit["types"]} == {"Prep"}
    assert {number for edit in count("--sentences", "20-30") for number in edit["sentences"]} <= set(range(20, 31))
    assert sum_counts(count("--sentences", "30-72,1-29")) == sum_counts(everything)
    found = {number for edit in count("--search", "THE") for number in edit["sentences"]}
    assert found < {number for edit in everything for number in edit["sentences"]}
    assert count("--search", "nobody wrote this") == []


def test_a_digest_without_edits_says_so(run: Run) -> None:
    out = run("inspect", GOLD, EAGER, "--digest", "--search", "nobody wrote this")
    assert "There are no such edits.\n" in out


def test_a_subset_may_be_scored_alone(run: Run) -> None:
    found = json.loads(run("inspect", GOLD, EAGER, "--digest", "--format", "json", "--sentences", "3,9", "--as-subset"))
    assert found["subset"] == {"sentences": "3,9", "of": 72}
    assert {number for edit in found["systems"][0]["edits"] for number in edit["sentences"]} <= {3, 9}


def test_mixtures_are_chosen_references(run: Run) -> None:
    out = run("inspect", GOLD, CAUTIOUS, "-m", "maxmatch(references=mix)", "--digest", "--format", "json")
    parts = json.loads(run("score", GOLD, CAUTIOUS, "-m", "maxmatch(references=mix)", "--format", "json"))["scores"][0]["parts"]
    assert sum_counts(json.loads(out)["systems"][0]["edits"]) == as_outcomes(parts)


def test_all_edits_as_csv(run: Run) -> None:
    rows = read_csv(run("inspect", GOLD, *SYSTEMS, "--format", "csv"))
    assert list(rows[0]) == ["system", "sentence", "annotator", "chosen", "outcome", "start", "end", "original", "correction", "type"]
    assert [name for name, _ in Counter(row["system"] for row in rows).items()] == ["cautious", "eager", "rewriter"]
    assert {(row["annotator"], row["chosen"]) for row in rows} == {("0", "yes"), ("0", "no"), ("1", "yes"), ("1", "no")}
    scores = {item["system"]: as_outcomes(item["parts"]) for item in json.loads(run("score", GOLD, *SYSTEMS, "--format", "json"))["scores"]}
    chosen = read_csv(run("inspect", GOLD, *SYSTEMS, "--format", "csv", "--chosen"))
    assert chosen == [row for row in rows if row["chosen"] == "yes"]
    for name, expected in scores.items():
        assert Counter(row["outcome"] for row in chosen if row["system"] == name) == expected
    assert {row["type"] for row in rows if row["outcome"] == "wrong"} == {""}


def test_edits_in_csv_are_those_that_are_shown(run: Run) -> None:
    sentences = json.loads(run("inspect", GOLD, EAGER, "--format", "json"))["sentences"]
    shown = [
        [
            *("eager", str(item["sentence"]), reading["annotator"], "yes" if reading["chosen"] else "no"),
            *(edit["outcome"], str(edit["start"]), str(edit["end"]), edit["original"], "||".join(edit["corrections"]), edit["type"] or ""),
        ]
        for item in sentences
        for reading in item["annotators"]
        for edit in reading["edits"]
    ]
    assert [list(row.values()) for row in read_csv(run("inspect", GOLD, EAGER, "--format", "csv"))] == shown


def test_filters_select_the_lines_of_csv(run: Run) -> None:
    rows = read_csv(run("inspect", GOLD, EAGER, "--format", "csv"))
    filtered = read_csv(run("inspect", GOLD, EAGER, "--format", "csv", "--outcome", "missed", "--types", "Mec,Prep", "--sentences", "1-50"))
    wanted = [row for row in rows if row["outcome"] == "missed" and row["type"] in {"Mec", "Prep"} and int(row["sentence"]) <= 50]
    assert filtered == wanted != []


def test_alternatives_formulas_and_empty_texts_in_csv(run: Run, tmp_path: Path) -> None:
    edits = (Edit(0, 1, ("=b", "c"), "T"), Edit(1, 2, ("", "e"), "T,U"))
    write(Corpus((Sentence(("=a", "d"), (Annotation("0", edits),)),)), tmp_path / "gold.m2")
    (tmp_path / "system.txt").write_text("=a d\n")
    out = run("inspect", tmp_path / "gold.m2", tmp_path / "system.txt", "--format", "csv")
    assert out.splitlines()[1:] == ["system,1,0,yes,missed,0,1,'=a,'=b||c,T", 'system,1,0,yes,missed,1,2,d,||e,"T,U"']
    assert "d → ∅ | e" in run("inspect", tmp_path / "gold.m2", tmp_path / "system.txt", "--digest")


def test_the_extension_chooses_csv(run: Run, tmp_path: Path) -> None:
    run("inspect", GOLD, EAGER, "-o", tmp_path / "edits.csv", "-q")
    assert (tmp_path / "edits.csv").read_text() == run("inspect", GOLD, EAGER, "--format", "csv")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([GOLD, EAGER, "--digest", "-m", "gleu"], "gleu does not show edits; --digest needs a metric of edits, such as maxmatch"),
        ([GOLD, EAGER, "--digest", "-m", "imeasure"], "imeasure does not show edits; --digest needs a metric of edits, such as maxmatch"),
        (
            [GOLD, EAGER, "--format", "csv", "-m", "gleu"],
            "gleu does not show edits; --format csv needs a metric of edits, such as maxmatch",
        ),
        ([GOLD, EAGER, "--format", "csv", "-m", "imeasure"], "imeasure does not show edits; --format csv needs"),
        (
            [GOLD, EAGER, REWRITER],
            "the sentences of one system can be shown, found 2; several need --digest, --format csv or --format html",
        ),
        ([GOLD, EAGER, REWRITER, "--format", "json"], "the sentences of one system can be shown, found 2"),
        ([GOLD, EAGER, "--format", "markdown"], "--format markdown needs --digest"),
        ([GOLD, EAGER, "--format", "latex"], "--format latex needs --digest"),
        ([GOLD, EAGER, "--digest", "--format", "svg"], "--format svg needs --lattice"),
        ([GOLD, EAGER, "--top", "3"], "--top needs --digest"),
        ([GOLD, EAGER, "--digest", "--top", "0"], "--top"),
        ([GOLD, EAGER, "--digest", "--lattice"], "--lattice cannot be combined with --digest: it counts edits"),
        ([GOLD, EAGER, "--digest", "--chosen"], "--chosen cannot be combined with --digest: it always counts edits against the chosen"),
        ([GOLD, EAGER, "--lattice", "--format", "csv"], "--lattice cannot be combined with --format csv"),
        ([GOLD, EAGER, "--digest", "--types", "Prep", "--outcome", "wrong"], "a wrong edit has no type"),
        ([GOLD, EAGER, EAGER, "--digest"], "examples/systems/eager.txt is given twice"),
    ],
)
def test_what_cannot_be_asked_for(run: Run, arguments: list[str], message: str) -> None:
    assert message in run("inspect", *arguments, status=2)


@pytest.mark.realdata
def test_a_digest_of_a_test_set(run: Run, data: Path) -> None:
    gold, system = data / "conll14" / "gold" / "official-2014.combined.m2", data / "conll14" / "systems" / "AMU.txt"
    out = run("inspect", gold, system, "--digest", "--top", "3")
    assert [" ".join(line.split()) for line in out.splitlines()[2:12]] == [
        "+ right ∅ → the ArtOrDet 16 123,191,223,252,513 and 11 more",
        "+ right ∅ → a ArtOrDet 12 118,198,278,375,416 and 7 more",
        "+ right relationship → relationships Nn 9 48,623,729,738,739 and 4 more",
        "x wrong face-to-face → normal – 18 764,774,779,824,847 and 13 more",
        "x wrong ∅ → , – 11 71,186,262,290,343 and 6 more",
        "x wrong ∅ → the – 11 49,151,343,349,403 and 6 more",
        "- missed the → ∅ ArtOrDet 103, SVA 2, Mec 1 106 29,39,47,53,58 and 89 more",
        "- missed ∅ → , Mec 68, Ssub 1, Trans 1 70 9,29,39,45,64 and 56 more",
        "- missed ∅ → a ArtOrDet 45 26,49,59,60,69 and 40 more",
        "",
    ]
