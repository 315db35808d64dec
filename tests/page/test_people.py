"""The section of a report that compares metrics with people."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from errata import Corpus, Evaluator, System
from errata.report.table import Column
from errata.studies.judgments import read_judgments
from errata.studies.meta import (
    JudgedSentences,
    MetaEvaluation,
    MetaIntervals,
    MetaSettings,
    MetricScores,
    evaluate_metrics,
    score_by_people,
)

from learner_report import EXAMPLES, GOLD, SYSTEMS, call_errata, write_report
from report_contents import Element, ReportContents

JUDGMENTS = EXAMPLES / "judgments" / "rankings.tsv"
METRICS = ("maxmatch", "gleu")
ASKED = (*(part for name in METRICS for part in ("-m", name)), "--replicates", "200", "--seed", "7")
NUMBER = Column("", "number")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> ReportContents:
    path = tmp_path_factory.mktemp("people") / "report.html"
    return ReportContents(write_report(path, GOLD, *SYSTEMS, *ASKED, "--judgments", JUDGMENTS, charts=True))


@pytest.fixture(scope="module")
def expected(gold: Corpus, systems: dict[str, System]) -> MetaEvaluation:
    judged = JudgedSentences.of(read_judgments(JUDGMENTS), gold.numbers, 0)
    metrics = [MetricScores.of([Evaluator(gold, name)(system) for system in systems.values()]) for name in METRICS]
    settings = MetaSettings(MetaIntervals(replicates=200, seed=7))
    return evaluate_metrics(score_by_people(judged.items, judged.places), metrics, judged, settings)


def find_section(contents: ReportContents) -> Element:
    (section,) = [own for own in contents.document.find("section") if own.attributes["id"] == "people"]
    return section


def list_rows(table: Element) -> list[list[str]]:
    (body,) = table.find("tbody")
    return [[cell.text for cell in [*row.find("th"), *row.find("td")]] for row in body.find("tr")]


def write_interval(low: float | None, high: float | None) -> str:
    return "–" if low is None else f"[{NUMBER.shown(low)}, {NUMBER.shown(high)}]"


def test_numbers_are_those_of_the_library(page: ReportContents, expected: MetaEvaluation) -> None:
    systems, sentences = find_section(page).find("table")
    rows = iter(expected.correlations)
    wanted = []
    for name in METRICS:
        own = [next(rows) for _ in range(3)]
        wanted.append([name, "all", "3", *(text for row in own for text in (NUMBER.shown(row.value), write_interval(row.low, row.high)))])
    assert list_rows(systems) == wanted
    found = []
    for row in expected.agreements:
        ties = row.first_better + row.first_worse
        counts = [f"{count:,}" for count in (row.agree + row.disagree + ties, row.agree, row.disagree, ties)]
        accuracy = [NUMBER.shown(row.accuracy), write_interval(row.accuracy_low, row.accuracy_high)]
        found.append([row.metric, row.systems, *counts, *accuracy, NUMBER.shown(row.tau), write_interval(row.tau_low, row.tau_high)])
    assert list_rows(sentences) == found


def test_charts_are_inside_the_section(page: ReportContents) -> None:
    captions = [caption.text for caption in find_section(page).find("figcaption")]
    assert captions == ["People against M² F0.5", "People against GLEU", "Correlations with people"]
    assert len(find_section(page).find("svg")) == 3
    (charts,) = [own for own in page.document.find("section") if own.attributes["id"] == "charts"]
    assert not any("eople" in caption.text for caption in charts.find("figcaption"))


def test_the_section_is_named_in_the_navigation(page: ReportContents, contents: ReportContents) -> None:
    def list_links(own: ReportContents) -> list[str | None]:
        (navigation,) = own.document.find("nav")
        return [link.attributes["href"] for link in navigation.find("a")]

    assert "#people" in list_links(page)
    assert [link for link in list_links(page) if link != "#people"] == list_links(contents)
    assert not any(section.attributes["id"] == "people" for section in contents.document.find("section"))


def test_the_download_has_the_numbers(page: ReportContents, expected: MetaEvaluation) -> None:
    (link,) = [own for own in page.document.find("a") if own.attributes.get("download") == "report.json"]
    record: dict[str, Any] = json.loads(b64decode(str(link.attributes["href"]).rpartition(",")[2]))
    assert record["people"]["correlations"] == [row._asdict() for row in expected.correlations]
    assert record["people"]["agreements"] == [row._asdict() for row in expected.agreements]
    assert record["people"]["scores"] == {name: expected.human.values[name] for name in expected.systems}


def test_systems_without_a_counterpart_are_told(page: ReportContents) -> None:
    warnings = [item.text for item in page.document.find("li")]
    assert "1 system with judgments but without an output: INPUT" in warnings


def test_too_few_systems_have_everything_else(tmp_path: Path) -> None:
    own = ReportContents(write_report(tmp_path / "few.html", GOLD, *SYSTEMS[:2], "--replicates", "100", "--judgments", JUDGMENTS))
    section = find_section(own)
    assert not section.find("table")
    assert "No comparison with people: a correlation needs 3 systems or more, found 2 (all)." in section.text


def test_a_subset_keeps_its_numbers(tmp_path: Path) -> None:
    given = ("--sentences", "11-40", "--as-subset", "--replicates", "100", "--judgments", JUDGMENTS)
    section = find_section(ReportContents(write_report(tmp_path / "some.html", GOLD, *SYSTEMS, *given)))
    judged = JudgedSentences.of(read_judgments(JUDGMENTS), range(11, 41), 0, 72)
    assert f"ranked outputs of {len(judged.judged_numbers)} sentences, {len(judged.items)} times." in section.text


def test_what_does_not_fit_is_told(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    assert "--first-sentence needs --judgments" in call_errata("report", GOLD, *SYSTEMS, "--first-sentence", "0", "-o", path, status=2)
    renamed = [f"other{index}={system}" for index, system in enumerate(SYSTEMS)]
    message = call_errata("report", GOLD, *renamed, "--judgments", JUDGMENTS, "-o", path, status=2)
    assert "no system has an output and judgments" in message
    assert not path.exists()


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    evil = "<img&script>"
    rankings = tmp_path / "rankings.tsv"
    rankings.write_text(JUDGMENTS.read_text().replace("eager", evil), "utf-8")
    systems = [SYSTEMS[0], f"{evil}={SYSTEMS[1]}", SYSTEMS[2]]
    path = write_report(tmp_path / "evil.html", GOLD, *systems, "--replicates", "100", "--judgments", rankings, charts=True)
    section = find_section(ReportContents(path))
    assert not section.find("img")
    assert "<img" not in path.read_text("utf-8").partition('id="people"')[2].partition("</section>")[0]
