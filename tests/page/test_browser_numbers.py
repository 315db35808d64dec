"""Every number that the page shows in a browser is the one that the other commands print."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest

from errata.errors import pluralise

from learner_report import METRICS, NAMES, SIZE, Numbers
from report_in_browser import ReportInBrowser, shown_percent

_GLEU = ("output_tokens", "reference_tokens", "brevity_penalty", "precision_1", "precision_2", "precision_3", "precision_4")
PARTS = {
    "maxmatch": {name: name for name in ("correct", "proposed", "gold", "precision", "recall")},
    "imeasure": {
        **{name: f"correction.{name}" for name in ("tp", "fp", "fn", "precision", "recall", "f", "wacc")},
        "baseline": "baseline.correction.wacc",
        "certified": "certified",
    },
    "gleu": {name: name for name in _GLEU},
}
"""The columns of each metric, and which parts of ``errata score --format json`` they are."""
FIGURE = re.compile(r"(-?[\d,.]+|–)$")


def find_part(parts: dict[str, Any], path: str) -> Any:
    for name in path.split("."):
        parts = parts[name]
    return parts


def read_keyed(report: ReportInBrowser, section: str) -> dict[tuple[str, str], tuple[float, str]]:
    """All numbers of a section that have a key: their value and text, by key and system."""
    found = report.page.locator(f"#{section} [data-key]").evaluate_all(
        "(all) => all.map((one) => [one.dataset.key, Number(one.dataset.system), Number(one.dataset.value), one.textContent])"
    )
    result = {(key, NAMES[system]): (value, text) for key, system, value, text in found}
    assert len(result) == len(found)
    return result


def test_scores_and_their_parts(report: ReportInBrowser, numbers: Numbers) -> None:
    expected: dict[tuple[str, str], Any] = {}
    for place, metric in enumerate(METRICS):
        for system in NAMES:
            score = numbers.score[metric, system]
            expected |= {(f"{metric}/{key}", system): find_part(score["parts"], path) for key, path in PARTS[metric].items()}
            expected |= {(f"{metric}/value", system): score["value"], (f"overview/{place}", system): score["value"]}
    found = read_keyed(report, "leaderboard")
    assert {key: value for key, (value, _) in found.items()} == expected
    assert {key: text for key, (_, text) in found.items()} == {
        key: shown_percent(value) if isinstance(value, float) else f"{value:,}" for key, value in expected.items()
    }


@pytest.mark.parametrize("metric", METRICS)
def test_order_ranks_and_intervals(report: ReportInBrowser, numbers: Numbers, metric: str) -> None:
    table = report.page.locator("#leaderboard table").nth(1 + METRICS.index(metric))
    rows = report.texts(table)[1:]
    order = numbers.order(metric)
    intervals = {name: numbers.score[metric, name]["interval"] for name in NAMES}
    assert [row[1] for row in rows] == order
    assert [row[0] for row in rows] == ["1", "2", "3"]
    assert [row[-1] for row in rows] == [
        f"[{shown_percent(intervals[name]['low'])}, {shown_percent(intervals[name]['high'])}]" for name in order
    ]


@pytest.mark.parametrize("metric", METRICS)
def test_bars_are_drawn_on_one_scale(report: ReportInBrowser, numbers: Numbers, metric: str) -> None:
    bars = report.page.locator("#leaderboard table").nth(1 + METRICS.index(metric)).locator("svg.bar")
    shapes = bars.evaluate_all(
        """(bars) => bars.map((bar) => {
          const [range, value] = [bar.querySelector(".range"), bar.querySelector(".value")];
          return [range.x.baseVal.value, range.x.baseVal.value + range.width.baseVal.value, value.cx.baseVal.value];
        })"""
    )
    order = numbers.order(metric)
    intervals = [numbers.score[metric, name]["interval"] for name in order]
    ends = [item[end] for item in intervals for end in ("low", "high")]
    for (start, end, mark), item, name in zip(shapes, intervals, order, strict=True):
        at = [
            200 * (value - min(ends)) / (max(ends) - min(ends))
            for value in (item["low"], item["high"], numbers.score[metric, name]["value"])
        ]
        assert [start, end, mark] == pytest.approx(at, abs=0.2)
    labels = bars.evaluate_all("(bars) => bars.map((bar) => bar.getAttribute('aria-label'))")
    assert labels == [f"95% interval from {shown_percent(item['low'])} to {shown_percent(item['high'])}" for item in intervals]


def find_different(numbers: Numbers, metric: str) -> set[frozenset[str]]:
    pairs = numbers.compare[metric]["pairs"]
    return {frozenset((item["system"], item["other"])) for item in pairs if item["corrected_p"] <= 0.05}


@pytest.mark.parametrize("metric", METRICS)
def test_systems_share_a_letter_if_they_do_not_differ(report: ReportInBrowser, numbers: Numbers, metric: str) -> None:
    place = METRICS.index(metric)
    rows = report.texts(report.page.locator("#leaderboard table").nth(1 + place))
    column = rows[0].index("Letters")
    letters = {row[1]: set(row[column].replace(" ", "")) for row in rows[1:]}
    different = find_different(numbers, metric)
    for one in NAMES:
        for other in NAMES:
            assert bool(letters[one] & letters[other]) == (frozenset((one, other)) not in different)
    overview = report.page.locator("#leaderboard table").first.locator("tbody tr")
    beside = overview.evaluate_all(
        "(rows, place) => rows.map((row) => [row.cells[0].innerText, row.cells[place].querySelector('sup').textContent])", place + 1
    )
    assert {name: set(text.replace(" ", "")) for name, text in beside} == letters


@pytest.mark.parametrize("metric", METRICS)
def test_matrix_of_tests(report: ReportInBrowser, numbers: Numbers, metric: str) -> None:
    rows = report.texts(report.page.locator("#differences table.matrix").nth(METRICS.index(metric)))[1:]
    order, different = numbers.order(metric), find_different(numbers, metric)
    assert [row[1] for row in rows] == order
    pairs = {(item["system"], item["other"]): item for item in numbers.compare[metric]["pairs"]}
    for place, one in enumerate(order):
        for column, other in enumerate(order):
            if one == other:
                assert rows[place][2 + column] == ""
                continue
            item = pairs.get((one, other)) or pairs[other, one]
            star = "*" if frozenset((one, other)) in different else ""
            if place < column:
                shown = f"{100 * (item['difference'] if item['system'] == one else -item['difference']):+.2f}"
                assert rows[place][2 + column] == f"{shown}{star}"
            else:
                found = re.fullmatch(r"([≤<]?)([\d.]+)(\*?)", rows[place][2 + column])
                assert found is not None
                assert (found[1] == "≤", found[3]) == (item["corrected_p_is_bound"], star)
                assert float(found[2]) == pytest.approx(item["corrected_p"], abs=0.0001)


@pytest.mark.parametrize("metric", METRICS)
def test_every_pair(report: ReportInBrowser, numbers: Numbers, metric: str) -> None:
    table = report.page.locator("#differences details table").nth(METRICS.index(metric))
    rows = [[cell["value"] or cell["text"] for cell in row] for row in report.rows(table)][1:]
    keys = ("difference", "low", "high", "p", "corrected_p", "effect", "sentences_needed")
    pairs = {(item["system"], item["other"]): item for item in numbers.compare[metric]["pairs"]}
    expected = list(combinations(numbers.order(metric), 2))  # the better one first
    assert len(rows) == len(pairs) == len(expected)
    for row, (better, worse) in zip(rows, expected, strict=True):
        assert row[:2] == [better, worse] or row[:2] == ["", ""]  # closed, so without a text
        item = pairs.get((better, worse)) or pairs[worse, better]
        if (better, worse) not in pairs:
            item = {**item, "difference": -item["difference"], "low": -item["high"], "high": -item["low"], "effect": -item["effect"]}
        assert [float(value) for value in row[2:]] == pytest.approx([item[key] for key in keys], abs=0.0001)


def test_scores_by_type(report: ReportInBrowser, numbers: Numbers) -> None:
    measures = {2: "f", 0: "precision", 1: "recall"}
    expected = {
        (f"types/{place}/{name}", system): own[measure]
        for system, types in numbers.types.items()
        for name, own in types.items()
        for place, measure in measures.items()
        if own[measure] is not None and name != "(no type)" and (place != 0 or own["proposed"])
    }
    found = read_keyed(report, "types")
    assert {key: value for key, (value, _) in found.items()} == expected
    assert {key: text for key, (_, text) in found.items()} == {key: shown_percent(value, 1) for key, value in expected.items()}


def test_types_have_as_many_edits_as_are_counted(report: ReportInBrowser, numbers: Numbers) -> None:
    report.page.locator("#types details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    for place, (matched, of) in enumerate((("matched", "gold"), ("matched", "proposed"))):
        rows = report.rows(report.page.locator("#types table").nth(place))
        systems = [cell["text"] for cell in rows[0][2:]]
        for row in rows[1:]:
            name = "all" if row[0]["text"] == "All edits" else row[0]["text"]
            golds = [numbers.types[system][name]["gold"] for system in systems if name in numbers.types[system]]
            assert row[1]["text"] == "–".join(dict.fromkeys(f"{end:,}" for end in (min(golds), max(golds))))
            for system, cell in zip(systems, row[2:], strict=True):
                own = numbers.types[system].get(name)
                if own is None or own[of] is None or not own[of]:
                    continue
                assert cell["text"].split()[-1] == f"{own[matched]:,}/{own[of]:,}"


def test_heat_is_a_tenth_of_the_number(report: ReportInBrowser) -> None:
    cells = report.page.locator("#types td.heat:not(.none)").evaluate_all(
        "(all) => all.map((one) => [Number(one.dataset.value), one.className])"
    )
    assert len(cells) > 50
    for value, classes in cells:
        (step,) = re.findall(r"\bh(\d+)\b", classes)
        assert abs(int(step) - 10 * value) <= 0.5 + 1e-9


def test_edits_counted(report: ReportInBrowser, numbers: Numbers) -> None:
    report.page.locator("#edits details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    own = [numbers.digest["all"], *(numbers.digest["systems"][NAMES.index(name)] for name in numbers.order("maxmatch"))]
    digests = report.page.locator("#edits .digest")
    assert digests.count() == len(own)
    for place, digest in enumerate(own):
        for outcome in ("right", "wrong", "missed"):
            edits = [edit for edit in digest["edits"] if edit["outcome"] == outcome]
            table = digests.nth(place).locator(f"table.{outcome}")
            expected = [
                [
                    f"{edit['original'] or '∅'} → {' or '.join(text or '∅' for text in edit['corrections'])}",
                    edit["count"],
                    len(edit["sentences"]),
                ]
                for edit in edits[:25]
            ]
            assert [[row[0], int(row[-2]), int(row[-1])] for row in report.texts(table)[1:]] == expected
            caption = table.locator("caption").inner_text()
            assert f"{outcome.capitalize()}: {pluralise(sum(edit['count'] for edit in edits), 'edit')}" in caption
            assert (f"25 of {len(edits):,} different" in caption) == (len(edits) > 25)


def test_sentences(reset_report: ReportInBrowser, numbers: Numbers) -> None:
    cards = reset_report.all_cards()
    assert [card["number"] for card in cards] == list(range(1, SIZE + 1))
    for card in cards:
        number = card["number"]
        assert card["source"] == numbers.inspect["eager"][number - 1]["source"]
        outputs = numbers.outputs(number)
        assert card["facts"].endswith(f"{len(outputs)} different outputs" if len(outputs) > 1 else "all outputs are equal")
        assert sorted(system for row in card["systems"] for system in row["systems"]) == [0, 1, 2]
        for row in card["systems"]:
            for system in row["systems"]:
                check_row(row, NAMES[system], number, numbers)


def check_row(row: dict[str, Any], system: str, number: int, numbers: Numbers) -> None:
    """Values, counts, the chosen annotator and the edits of a system in a sentence."""
    for metric in METRICS:
        value = numbers.value(metric, system, number)
        figure = row["figures"][metric]
        assert figure["value"] == pytest.approx(value, abs=1e-6)
        shown = FIGURE.search(figure["text"].replace("−", "-"))
        assert shown is not None
        assert shown[1] == shown_percent(value), (number, system, metric)
    score = numbers.score["maxmatch", system]["per_sentence"][number - 1]
    assert row["counts"] == ", ".join(f"{name} {score['parts'][name]}" for name in ("correct", "proposed", "gold"))
    assert row["chosen"] == f"against annotator {score['annotator']}"
    expected = sorted((edit["outcome"], edit["original"], edit["corrections"]) for edit in numbers.edits(system, number))
    assert sorted((edit["outcome"], edit["original"], edit["corrections"] or [""]) for edit in row["edits"]) == expected
    typed = sorted((edit["original"], edit["type"]) for edit in numbers.edits(system, number) if edit["outcome"] != "wrong")
    assert sorted((edit["original"], edit["type"]) for edit in row["edits"] if edit["outcome"] != "wrong") == typed
    assert {(edit["outcome"], edit["sign"], edit["spoken"]) for edit in row["edits"]} <= {
        ("right", "+", "right: "),
        ("wrong", "×", "wrong: "),
        ("missed", "−", "missed: "),
    }


def test_aligned_columns(reset_report: ReportInBrowser, numbers: Numbers) -> None:
    for card in reset_report.cards():
        for row in card["systems"]:
            own = numbers.columns[NAMES[row["systems"][0]]][card["number"] - 1]
            assert row["columns"] == [[column[key] for column in own["columns"]] for key in ("source", "system", "reference", "correction")]
