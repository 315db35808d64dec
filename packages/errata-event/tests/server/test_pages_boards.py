"""Boards of every kind of gold: which are public when, who is marked, and what readers are advised."""

from __future__ import annotations

import re
from pathlib import Path

from errata_event import contents
from errata_event.answers.golds import _make_answer_golds
from errata_event.instants import parse_instant

from answering import AnswersEvent, prepare_answers
from example_events import DEFINITION, DURING_ANSWERS, DURING_TEST, GOLD, WHEN_PUBLISHED, make_example_event
from served_event import serve_event


def contents_of(answering: AnswersEvent) -> bytes:
    """The gold of the phase that is discussed, as the server keeps it."""
    with answering.event.database.read() as transaction:
        return contents.get(transaction, answering.answers.version.sha256)


TITLES = ("With alternative answers that teams proposed", "With alternative answers from the edits of all teams")


def test_boards_with_accepted_answers_appear_when_they_are_published(tmp_path: Path) -> None:
    answering = prepare_answers(make_example_event(tmp_path))
    sentence = answering.gold[0]
    first, second = (answering.propose(1, f"{sentence.text} {word}") for word in ("indeed", "really"))
    answering.judge_all("accept", [first])
    answering.judge_all("reject", [second])
    with serve_event(answering.example.data, now=parse_instant(DURING_ANSWERS)) as served:
        organiser = served.browser(answering.example.token)
        page = served.client().get("/phases/test").text
        assert not [title for title in TITLES if title in page]
        assert served.client().get("/phases/test/tables/proposed-1").status == 404
        assert served.client().get("/phases/test/golds/gold-1").status == 404
        assert organiser.get("/organiser/phases/test/golds/gold-1").body == contents_of(answering)
        served.set_clock(parse_instant(WHEN_PUBLISHED))
        page = served.client().get("/phases/test").text
        assert [title for title in TITLES if title in page] == list(TITLES)
        assert page.count("use the table without alternative answers") == 1
        assert "It is the fairer of the tables" in page
        sections = re.split("<h3>", page)
        marked = {section.partition("<")[0]: re.findall(r"<bdi>([^<]+)</bdi> <abbr", section) for section in sections[1:]}
        assert marked[TITLES[0]] == ["Alpha"]
        assert marked[TITLES[1]] == marked["Without alternative answers"] == []
        assert served.client().get("/phases/test/tables/proposed-1/ranking-alternatives-maxmatch.csv").status == 200
        gold = served.client().get("/phases/test/golds/proposed-1")
        assert gold.headers["Content-Disposition"] == 'attachment; filename="test-proposed-1.m2"'
        assert f"{first.edits[0].correction}|||" in gold.text
        assert all(title in organiser.get("/organiser/phases/test").text for title in TITLES)


def test_what_organisers_looked_at_before_publication_is_no_earlier_gold(tmp_path: Path) -> None:
    answering = prepare_answers(make_example_event(tmp_path))
    item = answering.propose(1, f"{answering.gold[0].text} indeed")
    _make_answer_golds(answering.event, "answers")
    answering.judge_all("accept", [item])
    with serve_event(answering.example.data, now=parse_instant(WHEN_PUBLISHED)) as served:
        page = served.client().get("/phases/test").text
        assert "proposed-2" in page
        assert "proposed-1" not in page
        assert served.client().get("/phases/test/tables/proposed-1").status == 404
        assert "proposed-1" in served.browser(answering.example.token).get("/organiser/phases/test").text


def test_an_anonymous_board_marks_no_name(tmp_path: Path) -> None:
    later = DEFINITION.replace('publishes = "2027-03-20 12:00 UTC"\nscores', 'publishes = "2027-04-20 12:00 UTC"\nscores')
    definition = later.replace('scores = "published"\nboard = "published"', 'scores = "closed"\nboard = "closed"')
    answering = prepare_answers(make_example_event(tmp_path, definition))
    answering.judge_all("accept", [answering.propose(1, f"{answering.gold[0].text} indeed")])
    with serve_event(answering.example.data, now=parse_instant(WHEN_PUBLISHED)) as served:
        page = served.client().get("/phases/test").text
    assert TITLES[0] in page
    assert not [name for name in ("Alpha", "Beta", "Gamma") if name in page]
    assert re.search(r"<bdi>Team \d+</bdi> <abbr", page)


def test_answers_of_the_organisers_have_a_board_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "more.m2").write_bytes(GOLD)
    definition = DEFINITION.replace('gold = "gold.m2"\n', 'gold = "gold.m2"\nalternatives = "more.m2"\n', 1)
    example = make_example_event(tmp_path, definition)
    example.upload(example.add("Alpha"))
    with serve_event(example.data, now=parse_instant(DURING_TEST)) as served:
        page = served.client().get("/phases/dev").text
        assert "With the organisers&#39; alternative answers" in page
        assert "unless these answers come from people who know none of the systems" in page
        assert "Ranking (maxmatch)" in page
        assert served.client().get("/phases/dev/tables/given-1/types-alternatives-maxmatch").status == 200
