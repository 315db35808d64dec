"""The data of a report are what the other commands say: sentences, index, links to sentences and downloads."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from itertools import permutations
from typing import Any
from urllib.parse import unquote

import pytest

from learner_report import METRICS, NAMES, SIZE, Numbers
from report_contents import OUTCOMES, ReportContents, apply_edits


def test_sentences_have_their_sources_and_annotators(contents: ReportContents, numbers: Numbers) -> None:
    assert [sentence["n"] for sentence in contents.sentences] == list(range(1, SIZE + 1))
    for sentence in contents.sentences:
        assert sentence["s"] == numbers.inspect["eager"][sentence["n"] - 1]["source"]
        assert [label for label, _ in sentence["a"]] in ([], ["0"], ["1"], ["0", "1"])


def test_sentences_have_the_outputs_and_edits_of_every_system(contents: ReportContents, numbers: Numbers) -> None:
    for sentence in contents.sentences:
        for name, own in zip(NAMES, sentence["y"], strict=True):
            assert own.get("h", apply_edits(sentence["s"], own["e"])) == numbers.inspect[name][sentence["n"] - 1]["system"]
            edits = numbers.edits(name, sentence["n"])
            expected = [(edit["outcome"], edit["start"], edit["end"], "\n".join(edit["corrections"])) for edit in edits]
            assert [(OUTCOMES[outcome], *rest) for outcome, *rest, _ in own["e"]] == expected
            score = numbers.score["maxmatch", name]["per_sentence"][sentence["n"] - 1]
            assert (own["c"], own["k"]) == (score["annotator"], [score["parts"][part] for part in contents.summary["view"]["columns"]])


def test_types_of_right_and_missed_edits_are_those_of_gold(contents: ReportContents, numbers: Numbers) -> None:
    for sentence in contents.sentences:
        for name, own in zip(NAMES, sentence["y"], strict=True):
            types = [edit["type"] for edit in numbers.edits(name, sentence["n"]) if edit["outcome"] != "wrong"]
            assert [edit[4] for edit in own["e"] if OUTCOMES[edit[0]] != "wrong"] == types


def test_alignments_are_those_of_imeasure(contents: ReportContents, numbers: Numbers) -> None:
    for sentence in contents.sentences:
        for name, own in zip(NAMES, sentence["y"], strict=True):
            expected = numbers.columns[name][sentence["n"] - 1]
            reference, digits = own["x"]
            assert reference == expected["reference"]
            columns = [[column[key] is not None for key in ("source", "system", "reference")] for column in expected["columns"]]
            assert digits == "".join(str(sum(2**place for place, has in enumerate(column) if has)) for column in columns)


def test_the_index_has_the_values_of_every_sentence(contents: ReportContents, numbers: Numbers) -> None:
    for metric, systems in zip(METRICS, contents.index["values"], strict=True):
        for name, values in zip(NAMES, systems, strict=True):
            assert values == pytest.approx([numbers.value(metric, name, number) for number in range(1, SIZE + 1)], abs=1e-6)


def test_the_index_counts_edits_tokens_and_outputs(contents: ReportContents, numbers: Numbers) -> None:
    index = contents.index
    assert index["numbers"] == list(range(1, SIZE + 1))
    assert index["lengths"] == [len(sentence["s"].split()) for sentence in contents.sentences]
    assert index["outputs"] == [len(numbers.outputs(number)) for number in range(1, SIZE + 1)]
    for name, counts in zip(NAMES, index["edits"], strict=True):
        for outcome, own in zip(OUTCOMES, counts, strict=True):
            assert own == [sum(edit["outcome"] == outcome for edit in numbers.edits(name, number)) for number in range(1, SIZE + 1)]


def read_view(link: str) -> dict[str, list[str]]:
    fields = (part.partition("=") for part in link.removeprefix("#sentences?").split("&"))
    return {key: [unquote(one) for one in text.split(",")] for key, _, text in fields}


def count_edits(contents: ReportContents, view: dict[str, list[str]]) -> dict[str, int]:
    """Count the edits that a view asks for, by outcome."""
    counts = dict.fromkeys(OUTCOMES, 0)
    systems = [NAMES.index(name) for name in view["system"]] if "system" in view else range(len(NAMES))
    for sentence in contents.sentences:
        tokens = sentence["s"].split()
        for outcome, start, end, text, name in (edit for system in systems for edit in sentence["y"][system]["e"]):
            facts = {"outcome": OUTCOMES[outcome], "type": name, "from": " ".join(tokens[start:end]) or "∅", "to": text or "∅"}
            if all(value in view[key] for key, value in facts.items() if key in view):
                counts[OUTCOMES[outcome]] += 1
    return counts


def test_links_of_types_ask_for_as_many_edits_as_were_counted(contents: ReportContents, numbers: Numbers) -> None:
    tables = contents.section("types").find("table")
    assert len(tables) == 3
    checked = 0
    for table, of in zip(tables[:2], ("gold", "proposed"), strict=True):
        for row in (row for part in ("tbody", "tfoot") for row in table.find(part)[0].find("tr")):
            (head,) = row.find("th")
            name = "all" if head.text == "All edits" else head.text
            for link in row.find("a"):
                view = read_view(link.attributes["href"] or "")
                own = numbers.types[view["system"][0]][name]
                counts = count_edits(contents, view)
                assert (counts["right"], sum(counts.values())) == (own["matched"], own[of]), (name, view)
                checked += 1
    assert checked > 60


def test_wrong_edits_without_a_type_are_counted(contents: ReportContents, numbers: Numbers) -> None:
    without = {name: types["(no type)"]["proposed"] for name, types in numbers.types.items()}
    assert any(without.values())
    (note,) = (found for found in contents.section("types").find("p") if found.text.startswith("Wrong edits without a type"))
    found = {}
    for link in note.find("a"):
        view = read_view(link.attributes["href"] or "")
        assert link.text == f"{count_edits(contents, view)['wrong']:,}"
        found[view["system"][0]] = count_edits(contents, view)["wrong"]
    assert found == {name: count for name, count in without.items() if count}


def test_links_of_counted_edits_ask_for_as_many(contents: ReportContents) -> None:
    checked = 0
    for row in (row for body in contents.section("edits").find("tbody") for row in body.find("tr")):
        (link,) = row.find("a")
        counts = count_edits(contents, read_view(link.attributes["href"] or ""))
        times, sentences = (int(cell.text.replace(",", "")) for cell in row.find("td")[-2:])
        assert sum(counts.values()) == times >= sentences == int(link.text.replace(",", "")) > 0
        checked += 1
    assert checked > 150


@pytest.mark.parametrize(("number", "name_of_outcome"), [(0, "right"), (1, "wrong")])
def test_exclusive_edits_have_an_outcome_for_one_and_not_for_the_other(contents: ReportContents, number: int, name_of_outcome: str) -> None:
    def having(sentence: dict[str, Any], system: int) -> dict[tuple[int, int, str], str]:
        return {(start, end, text): name for outcome, start, end, text, name in sentence["y"][system]["e"] if outcome == number}

    for one, other in permutations(range(len(NAMES)), 2):
        counts: Counter[str] = Counter()
        for sentence in contents.sentences:
            ours, theirs = having(sentence, one), having(sentence, other)
            counts.update(name for edit, name in ours.items() if edit not in theirs)
        tables = contents.summary["exclusive"][name_of_outcome]
        assert {name: table[one][other] for name, table in tables.items() if table[one][other]} == counts


def test_json_to_download_has_the_numbers_of_score(contents: ReportContents, numbers: Numbers) -> None:
    data = json.loads(contents.download("report.json"))
    assert (data["gold"], data["sentences"]) == ("learner.m2", SIZE)
    assert len(data["scores"]) == len(METRICS) * len(NAMES)
    for own in data["scores"]:
        expected = numbers.score[own["metric"], own["system"]]
        assert {key: own[key] for key in ("value", "parts", "signature")} == {key: expected[key] for key in ("value", "parts", "signature")}
        assert own["interval"] == {key: expected["interval"][key] for key in ("low", "high")}
        assert own["rank"] == 1 + sum(other["value"] > own["value"] for other in data["scores"] if other["metric"] == own["metric"])
    pairs = [{"metric": metric, **pair} for metric in METRICS for pair in numbers.compare[metric]["pairs"]]
    assert data["pairs"] == pairs
    for own in data["types"]:
        keys = ("matched", "proposed", "gold")
        assert {item["type"]: [item[key] for key in keys] for item in own["types"]} == {
            name: [item[key] for key in keys] for name, item in numbers.types[own["system"]].items()
        }


def test_csv_to_download_has_the_numbers_of_score(contents: ReportContents, numbers: Numbers) -> None:
    rows = list(csv.DictReader(io.StringIO(contents.download("scores.csv"))))
    assert [(row["metric"], row["system"]) for row in rows] == list(numbers.score)
    for row in rows:
        expected = numbers.score[row["metric"], row["system"]]
        assert [float(row[key]) for key in ("value", "low", "high")] == [
            expected["value"],
            expected["interval"]["low"],
            expected["interval"]["high"],
        ]
        assert row["signature"] == expected["signature"]
