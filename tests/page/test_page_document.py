"""The document of a report: its elements, its policy, and the same bytes for the same input."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from base64 import b64encode
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from learner_report import ASKED, GOLD, METRICS, NAMES, STATISTICS, SYSTEMS, write_report
from report_contents import Element, ReportContents

SECTIONS = {
    "leaderboard": "Scores",
    "differences": "Differences",
    "types": "Error types",
    "edits": "Edits, counted",
    "sentences": "Sentences",
    "charts": "Charts",
    "making": "How this was made",
}


def walk(element: Element) -> list[Element]:
    inside = [child for child in element.children if isinstance(child, Element)]
    return [*inside, *(found for child in inside for found in walk(child))]


def test_every_element_is_closed_and_every_id_is_there_once(contents: ReportContents) -> None:
    ids = Counter(found.attributes["id"] for found in walk(contents.document) if "id" in found.attributes)
    assert [name for name, count in ids.items() if count > 1] == []


def test_sections_have_headings_and_links(contents: ReportContents) -> None:
    (main,) = contents.document.find("main")
    assert {section.attributes["id"]: section.find("h2")[0].text for section in main.find("section")} == SECTIONS
    (navigation,) = contents.document.find("nav")
    assert [link.attributes["href"] for link in navigation.find("a")] == [f"#{name}" for name in SECTIONS]


def test_links_lead_to_sections(contents: ReportContents) -> None:
    links = [found.attributes["href"] or "" for found in contents.document.find("a") if not found.attributes.get("download")]
    assert {link.partition("?")[0] for link in links} <= {f"#{name}" for name in SECTIONS}


def test_levels_of_headings_are_not_skipped(contents: ReportContents) -> None:
    levels = [int(found.tag[1]) for found in in_order(contents.document) if re.fullmatch(r"h\d", found.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def in_order(element: Element) -> list[Element]:
    return [found for child in element.children if isinstance(child, Element) for found in (child, *in_order(child))]


def test_tables_have_captions_and_headers_have_scopes(contents: ReportContents) -> None:
    for table in contents.document.find("table"):
        assert table.find("thead")
        assert all(head.attributes.get("scope") in {"row", "col"} for head in table.find("th"))


def test_only_the_script_and_the_style_of_the_page_may_run(contents: ReportContents) -> None:
    (policy,) = (meta.attributes["content"] or "" for meta in contents.document.find("meta") if meta.attributes.get("http-equiv"))
    scripts = [script.text for script in contents.document.find("script") if "type" not in script.attributes]
    styles = [style.text for style in contents.document.find("style")]
    for kind, (own,) in (("script", scripts), ("style", styles)):
        digest = b64encode(hashlib.sha256(own.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}';" in policy
    for rule in (
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ):
        assert rule in policy.split("; ")
    assert "unsafe" not in policy
    assert "http" not in policy


def test_nothing_is_loaded_and_nothing_runs_from_attributes(contents: ReportContents) -> None:
    for found in walk(contents.document):
        assert found.tag not in {"link", "iframe", "img", "object", "embed", "base", "form"}
        for name, value in found.attributes.items():
            assert not name.startswith("on")
            assert name not in {"style", "src", "srcset", "action", "xlink:href"}, found.tag
            if name == "href" and not found.attributes.get("download"):
                assert (value or "").startswith("#")


def test_all_metrics_and_systems_are_there(contents: ReportContents) -> None:
    assert [metric["name"] for metric in contents.summary["metrics"]] == list(METRICS)
    assert contents.summary["systems"] == NAMES
    heads = [found.text for found in contents.section("leaderboard").find("table")[0].find("code")]
    assert heads == list(METRICS)
    assert len(contents.section("differences").find("table", class_="matrix")) == len(METRICS)


def test_signatures_are_there(contents: ReportContents) -> None:
    lines = [found.text for found in contents.section("leaderboard").find("p", class_="signature")]
    assert [line.partition("(")[0] for line in lines] == list(METRICS)
    assert all("sha256 86eeb69393ce" in line for line in lines)


def test_how_it_was_made_is_said(contents: ReportContents, learner_page: Path) -> None:
    text = contents.section("making").text
    assert f"errata report {Path(GOLD).name}" in text  # others have other folders
    assert str(learner_page) not in text
    assert "1,000 replicates of sentences, seed 7" in text
    assert "errata 0." in text
    assert f"Python {sys.version.split()[0]}" in text
    assert "all 72" in text


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    first = write_report(path, GOLD, *SYSTEMS, *ASKED, *STATISTICS).read_bytes()
    assert write_report(path, GOLD, *SYSTEMS, *ASKED, *STATISTICS).read_bytes() == first


@pytest.mark.slow
def test_hashes_and_folders_of_python_change_no_byte(learner_page: Path, tmp_path: Path) -> None:
    original = learner_page.read_bytes()
    arguments = [str(part) for part in ("report", GOLD, *SYSTEMS, *ASKED, *STATISTICS, "-o", learner_page)]
    environment = os.environ | {"PYTHONHASHSEED": "4321", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    try:
        subprocess.run([sys.executable, "-m", "errata", *arguments], cwd=tmp_path, env=environment, check=True, timeout=120)
        assert learner_page.read_bytes() == original
    finally:
        learner_page.write_bytes(original)
