"""Names, types, tokens and documents of strangers: a browser shows them as they are written, and runs nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser

from errata import Annotation, Corpus, Edit, Sentence, System
from errata.display import printable
from errata.metrics.registry import metric
from errata.report.charts.drawing import DrawingProcess
from errata.report.page.document import make_page
from errata.report.page.evaluation import build_report, type_by_tagger
from errata.scoring import Evaluator
from errata.stats import Bootstrap

from report_in_browser import ReportInBrowser

ATTACKS = (
    "<script>window.hacked=1</script>",
    "</script><script>window.hacked=2</script>",
    '"><img/src=x/onerror=window.hacked=3>',
    "javascript:window.hacked=4",
    "<!--<svg/onload=window.hacked=5>",
    "&lt;b&gt;&amp;&#x3c;&nbsp;",
    "'\"`${window.hacked=6}",
    "\u202eevil\u2066\u200b\ufeff",
    "\x1b[31mred\x1b]0;title\x07\x9b2J\x7f",
    "a=b&c#d%41,e?f+g",
    "__proto__",
    "constructor",
    "toString",
    "]]><style>*{display:none}</style>",
    "x" * 3000,
    "∅",
    "\U000e0041\U0001f3f4\ufffe",
)
"""Each is a token, and part of a name, a type, an annotator and a document."""
SYSTEM_NAMES = [ATTACKS[0] + ATTACKS[7], "".join(ATTACKS[1:4]), ATTACKS[9], "__proto__", "\x00" + "".join(ATTACKS[5:9])]
GOLD_NAME = "<b>gold & 'co'\u202e\x00.jsonl"
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\U000e0000-\U000e007f]")
"""Characters that are invisible, or change what is around them."""


class Strange(NamedTuple):
    path: Path
    systems: list[str]


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> Strange:
    """A report in which all texts are attacks; names have characters that no file could have."""
    sentences, outputs = [], []
    for number, attack in enumerate(ATTACKS):
        other = ATTACKS[number - 1]
        edits = (Edit(1, 2, (other,), attack), Edit(3, 3, (attack, other)))
        annotations = (Annotation(attack, edits), Annotation("1", ()))
        sentences.append(Sentence(("Here", attack, "is", "."), annotations, document=f"d{attack}"))
        outputs.append(f"Here {other} is {attack} .")
    careful = [f"Here {attack} be ." for attack in ATTACKS]
    systems = [System.of(name, outputs if number % 2 else careful) for number, name in enumerate(SYSTEM_NAMES)]
    corpus = Corpus(tuple(sentences), name=GOLD_NAME)
    evaluators = [Evaluator(corpus, metric(name)) for name in ("maxmatch", "imeasure")]
    scores = [[evaluate(system) for system in systems] for evaluate in evaluators]
    path = tmp_path_factory.mktemp("strange") / "report.html"
    with DrawingProcess() as drawer:
        more: dict[str, Any] = {"command": f"errata {ATTACKS[1]}", "warnings": ATTACKS, "sampled": ATTACKS[1], "title": GOLD_NAME}
        report = build_report(scores, type_by_tagger(None, (), "full"), Bootstrap(replicates=500), drawer=drawer)
        path.write_bytes(make_page(replace(report, **more)).encode("utf-8", "backslashreplace"))
    return Strange(path, SYSTEM_NAMES)


@pytest.fixture(scope="module")
def opened(chromium: Browser, strange: Strange) -> Iterator[ReportInBrowser]:
    opened = ReportInBrowser(chromium, strange.path)
    opened.page.on("dialog", lambda dialog: opened.problems.append(f"dialog: {dialog.message}"))
    yield opened
    opened.close()


@pytest.fixture
def strangers(opened: ReportInBrowser) -> Iterator[ReportInBrowser]:
    """The report of strangers, in which nothing has run when the test ends."""
    yield opened
    assert opened.page.evaluate("[window.hacked, Object.prototype.hacked]") == [None, None]
    opened.check_silence()


def test_names_are_shown_as_they_are(strangers: ReportInBrowser, strange: Strange) -> None:
    expected = {printable(name) for name in strange.systems}
    for table in ("#leaderboard table >> nth=0", "#differences table >> nth=0", "#making table"):
        assert set(strangers.page.locator(table).locator("tbody bdi").all_text_contents()) == expected
    assert strangers.page.locator("h1").text_content() == printable(GOLD_NAME)


def test_types_are_shown_as_they_are(strangers: ReportInBrowser) -> None:
    heads = strangers.page.locator("#types table >> nth=0").locator("tbody th").all_text_contents()
    assert {printable(attack) for attack in ATTACKS} <= set(heads)
    options = strangers.page.get_by_role("combobox", name="Type of an edit").locator("option").all_text_contents()
    assert {printable(attack) for attack in ATTACKS} <= set(options)


def test_sentences_are_shown_as_they_are(strangers: ReportInBrowser) -> None:
    strangers.ask("#sentences?")
    cards = strangers.all_cards()
    assert len(cards) == len(ATTACKS)
    for card, attack in zip(cards, ATTACKS, strict=True):
        assert card["source"] == printable(f"Here {attack} is .")
        assert card["document"] == printable(f"d{attack}")
        assert printable(attack) in [label for row in card["annotators"] for label in row["labels"]]
        assert printable(attack) in [edit["type"] for row in card["systems"] for edit in row["edits"]]


def test_no_harmful_character_is_left(strangers: ReportInBrowser) -> None:
    texts = strangers.page.evaluate(
        """() => [document.title, document.body.innerText, ...[...document.querySelectorAll("body *")].flatMap((one) =>
          [...one.attributes].filter(({ name }) => /^(aria-label|title|alt|value)$/.test(name)).map(({ value }) => value))]"""
    )
    assert RAW.findall("".join(texts)) == []


def test_the_document_has_only_its_own_elements(strangers: ReportInBrowser) -> None:
    assert strangers.page.evaluate("[...document.scripts].filter((one) => !one.type).length") == 1
    assert strangers.page.locator("style").count() == 1
    assert strangers.page.locator("body img, iframe, object, embed, link, base, form[action]").count() == 0
    assert (
        strangers.page.evaluate(
            """[...document.querySelectorAll("*")].flatMap((one) => [...one.attributes]).filter(({ name, value }) =>
          /^on/.test(name) || /^style$/.test(name) || (/href|src/.test(name) && !/^(#|data:(application\\/json|text\\/csv))/.test(value)))
          .map(({ name, value }) => `${name}=${value.slice(0, 80)}`)"""
        )
        == []
    )


def test_links_and_addresses_survive(strangers: ReportInBrowser, strange: Strange) -> None:
    link = strangers.page.locator("#types table >> nth=0").locator("td a").first
    with strangers.changing():
        link.click()
    assert strangers.status().startswith(tuple("123456789"))
    assert strangers.status().endswith("sentences.")
    for place, name in list(enumerate(strange.systems))[::2]:
        with strangers.changing():
            strangers.page.get_by_role("combobox", name="System", exact=True).select_option(index=place + 1)
        with strangers.changing():
            strangers.page.get_by_role("combobox", name="Type of an edit").select_option(index=1 + place)
        shown = strangers.numbers()
        strangers.page.wait_for_timeout(450)
        another = strangers.open_another(f"#{strangers.fragment()}")
        assert strangers.numbers(another) == shown
        assert printable(name) in another.get_by_role("combobox", name="System", exact=True).evaluate(
            "(one) => one.selectedOptions[0].textContent"
        )
        assert "no system" not in another.locator(".status").inner_text()
        another.close()


@pytest.mark.parametrize("place", range(5))
def test_any_system_can_be_the_baseline(strangers: ReportInBrowser, strange: Strange, place: int) -> None:
    button = strangers.page.locator("#leaderboard table >> nth=0").locator(f"tbody tr[data-system='{place}'] button")
    with strangers.changing():
        button.click()
    assert printable(strange.systems[place]) in strangers.page.locator("#baseline-bar").inner_text()
    with strangers.changing():
        button.click()


@pytest.mark.parametrize(
    "query", ["q=%3Cscript%3E", "q=%26lt%3B", "q=%5C", "q=(", "system=%3Cscript%3E", "type=%3Cimg%20src%3Dx%20onerror%3Dhacked%3D1%3E"]
)
def test_addresses_of_strangers(strangers: ReportInBrowser, query: str) -> None:
    strangers.ask(f"#sentences?{query}")
    assert strangers.status()


def test_long_words_do_not_widen_a_narrow_page(chromium: Browser, strange: Strange) -> None:
    report = ReportInBrowser(chromium, strange.path, viewport={"width": 320, "height": 700})
    assert report.page.evaluate("document.documentElement.scrollWidth") <= 320
    report.close()
