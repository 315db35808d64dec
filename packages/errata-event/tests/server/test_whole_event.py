"""An event from start to end: five teams, two phases, a gold that is corrected, alternative answers, publication and export.

All is done with the commands that organisers and teams use, over HTTP and in a browser.  It is checked by what the test counts and scores.
"""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from errata.metrics import metric

from served_event import SOAK
from whole_event import ANNOTATORS, DEFINITION, DEV_GOLD, ENTRIES, TEAMS, TEST_GOLD, WholeEvent
from whole_event_export import check_lists, compare_with_site, compare_with_task
from whole_event_in_browser import judge_by_keyboard, propose_with_one_click, upload_and_mark, upload_in_browser
from whole_event_story import (
    CLICKED,
    DATA,
    DISPUTED,
    FILED,
    METRICS,
    OWN,
    Story,
    check_board,
    correct_gold,
    count_kappa,
    list_wrong,
    proposals,
    score_all,
    sources,
)

pytestmark = pytest.mark.slow
BY_KEYBOARD = 6
"""Proposals that an annotator judges by keyboard before the others are judged over HTTP."""


@pytest.fixture
def event(tmp_path: Path, database_url: str | None) -> WholeEvent:
    """An event that was made on the command line, with five teams and three annotators."""
    if database_url is not None and not SOAK:
        pytest.skip("the same again, with another database; set ERRATA_SOAK=1")
    event = WholeEvent(tmp_path, database_url)
    event.set_clock("2027-01-05 08:00")
    for name, content in (("event.toml", DEFINITION), ("dev.m2", DEV_GOLD), ("test.m2", TEST_GOLD), ("names.txt", "Delta\nEpsilon\n")):
        event.write(name, content)
    event.keep_tokens(event.run("serve", "init", "event.toml", *DATA, "--format", "csv"))
    event.add("team", "Alpha", "Beta", "Gamma", "--names", "names.txt")
    event.add("annotator", *ANNOTATORS)
    assert set(event.tokens) == {"organiser", *TEAMS, *ANNOTATORS}
    return event


def test_an_event_from_start_to_end(event: WholeEvent, chromium: Browser) -> None:
    with event.serve() as server:
        story = Story(event, server, chromium)
        develop(story)
        submit_hidden(story)
        pass_the_deadline(story)
        correct_the_gold(story)
        propose(story)
        judge(story)
        publish(story)
        export(story)
    assert server.log == ""
    assert server.process.returncode == 0


def develop(story: Story) -> None:
    """Each team uploads in another way, and sees its score at once; then everybody sees them."""
    story.event.set_clock("2027-01-12 12:00")
    expected = score_all(story.event.folder, DEV_GOLD, 0)
    shown = upload_in_browser(story.chromium, story.server, story.event.tokens["Alpha"], "Development", ENTRIES["Alpha"][0])
    story.accepted.append(("dev", "Alpha"))
    assert f"{100 * expected['maxmatch', 'Alpha']:.2f}" in shown
    broken = ENTRIES["Beta"][0].split(b"\n")
    broken[3], broken[7] = b"\xff broken", b"nul \0 inside"
    said = story.submit_by_command("dev", "Beta", b"\n".join(broken), status=1)
    assert re.findall(r"^error: sent\.txt:(\d+): ", said, re.MULTILINE) == ["4", "8"]
    assert "it counts for no limit" in said
    said = story.submit_by_command("dev", "Beta", ENTRIES["Beta"][0])
    assert "9 submissions left: 1 of 10 today used" in said
    assert f"{100 * expected['maxmatch', 'Beta']:.2f}" in said
    answers = {
        "Gamma": story.submit("dev", "Gamma", ENTRIES["Gamma"][0]),
        "Delta": story.submit("dev", "Delta", ENTRIES["Delta"][0], compress=True),
        "Epsilon": story.submit("dev", "Epsilon", ENTRIES["Epsilon"][0]),  # M2 with edits
    }
    for team, answer in answers.items():
        assert [score["value"] for score in answer.record["scores"]] == [expected[metric(name).name, team] for name in METRICS]
    check_board(story, "dev", "gold-1", expected)
    assert all(f"<bdi>{team}</bdi>" in story.page("/phases/dev") for team in TEAMS)


def submit_hidden(story: Story) -> None:
    """The test phase answers that it has accepted an upload, and nothing else."""
    story.event.set_clock("2027-02-11 12:00")
    entry = ENTRIES["Alpha"][1]
    shown = upload_and_mark(story.chromium, story.server, story.event.tokens["Alpha"], "Test", [entry, ENTRIES["Gamma"][1]])
    story.accepted += [("test", "Alpha"), ("test", "Alpha")]
    assert "F0.5" not in shown
    said = story.submit_by_command("test", "Beta", ENTRIES["Beta"][1])
    assert "the phase does not show scores now" in said
    for team in ("Gamma", "Epsilon"):
        assert story.submit("test", team, ENTRIES[team][1]).record["scores"] is None
    assert story.submit("test", "Delta", ENTRIES["Beta"][1]).record["scores"] is None
    assert "The leaderboard appears when the phase has closed" in story.page("/phases/test")
    assert story.server.client().get("/phases/test/tables/gold-1/ranking-maxmatch.csv").status == 404


def pass_the_deadline(story: Story) -> None:
    """An upload of the last second counts, and one of the deadline does not; the board that appears is anonymous."""
    story.event.set_clock("2027-02-14 10:59:59")
    story.submit("test", "Delta", ENTRIES["Delta"][1], compress=True)
    story.event.set_clock("2027-02-14 11:00:00")
    late = story.team("Gamma").submit("test", ENTRIES["Alpha"][1])
    assert late.status == 409
    assert "closed at 2027-02-14 12:00 CET (UTC+01:00)" in late.record["error"]
    check_board(story, "test", "gold-1", score_all(story.event.folder, TEST_GOLD, 1), named=False)
    page = story.page("/phases/test")
    assert "The teams are anonymous." in page
    assert [team for team in TEAMS if team in page] == []


def correct_the_gold(story: Story) -> None:
    """All is scored again under a second version, and the tables of the first stay."""
    story.event.set_clock("2027-02-15 12:00")
    before = {name: story.table("test", name) for name in ("ranking-maxmatch.csv", "metrics.json", "ranking-gleu.tex")}
    story.event.write("test.m2", correct_gold())
    assert "test" in story.event.run("serve", "update", "event.toml", *DATA)
    old, new = (score_all(story.event.folder, gold, 1) for gold in (TEST_GOLD, correct_gold()))
    assert old != new
    check_board(story, "test", "gold-2", new, named=False)
    check_board(story, "test", "gold-1", old, named=False)
    assert {name: story.table("test", name) for name in before} == before
    assert "Tables of earlier golds" in story.page("/phases/test")
    assert "nothing has changed" in story.event.run("serve", "update", "event.toml", *DATA)


def propose(story: Story) -> None:
    """Two teams propose with one click, as a sentence and as a file; what both propose is one item."""
    story.event.set_clock("2027-02-21 12:00")
    texts = proposals()
    propose_with_one_click(story.chromium, story.server, story.event.tokens["Alpha"], CLICKED, "replace “was” by “were”")
    beta = story.server.browser(story.event.tokens["Beta"])
    for number in (CLICKED, OWN):
        csrf = beta.get(f"/team/answers/answers/sentence?number={number}").csrf
        fields = {"csrf": csrf, "number": str(number), "text": texts[number]}
        assert beta.post("/team/answers/answers/sentence", fields).status == 303
    lines = [texts[number] if number in FILED else "" for number in range(1, len(sources()) + 1)]
    said = story.submit_by_command("answers", "Beta", "".join(f"{line}\n" for line in lines).encode(), "--proposals")
    assert "accepted: 2 proposals, 2 of them new" in said
    assert len(story.team("Alpha").get("/api/phases/answers/proposals").record["proposals"]) == 1
    assert len(story.team("Beta").get("/api/phases/answers/proposals").record["proposals"]) == 4


def say(annotator: str, item: str) -> str:
    """What an annotator says of an item: the same as the others, but of one."""
    sentence = int(item.partition("-")[0])
    if sentence == DISPUTED:
        return "accept" if annotator == "Ann" else "reject"
    return "accept" if sentence in {CLICKED, *FILED} or int(item[-1], 16) % 4 == 0 else "reject"


def judge_over_http(story: Story, name: str, leave: int = 0) -> None:
    """Judge all but so many items."""
    client = story.server.browser(story.event.tokens[name])
    while (found := re.search(r'action="(/judging/answers/items/([^"]+))"', (page := client.get("/judging/answers")).text)) is not None:
        left = re.search(r"judged, (\d+) left", page.text)
        assert left is not None
        if int(left[1]) <= leave:
            return
        story.verdicts[name][found[2]] = say(name, found[2])
        answer = client.post(found[1], {"csrf": page.csrf, "verdict": say(name, found[2])})
        assert (answer.status, answer.headers["Location"]) == (303, "/judging/answers")


def judge(story: Story) -> None:
    """Two annotators judge all, by keyboard and over HTTP; they disagree once, and the third decides."""
    story.verdicts = {name: {} for name in ANNOTATORS}
    for name, by_keyboard in (("Ann", BY_KEYBOARD), ("Ben", 0), ("Cy", 1)):
        done = judge_by_keyboard(story.chromium, story.server, story.event.tokens[name], by_keyboard, partial(say, name))
        story.verdicts[name] |= done
        judge_over_http(story, name)
    ann, ben, cy = (story.verdicts[name] for name in ANNOTATORS)
    assert set(ann) == set(ben)
    assert list(cy.values()) == ["reject"]
    judging = json.loads(story.event.run("serve", "status", *DATA, "--format", "json"))["phases"][2]["judging"]
    accepted = sum(verdict == "accept" for verdict in ben.values())
    assert (judging["items"], judging["from_teams"]) == (len(ann), len(proposals()))
    assert (judging["accepted"], judging["rejected"]) == (accepted, len(ann) - accepted)
    assert (judging["disputed"], judging["undecided"]) == (0, 0)
    assert Fraction(judging["agreement"]["kappa"]).limit_denominator(100_000) == count_kappa(story).limit_denominator(100_000)


def publish(story: Story) -> None:
    """Three boards, with names and with advice; the teams that proposed are marked where this matters."""
    story.event.set_clock("2027-02-25 12:00")
    hidden = story.server.client().get("/phases/test/tables/proposed-1/ranking-alternatives-maxmatch.csv")
    assert hidden.status == 404
    for phase in ("answers", "test"):
        said = story.event.run("serve", "publish", phase, *DATA)
        assert f"{phase} was published at" in said
        assert "not decided" not in said
    answer = story.server.client().get("/phases/answers").text
    assert "4 corrections by 2 teams: 3 accepted, 1 rejected" in answer
    assert f"Cohen’s kappa {float(count_kappa(story)):.2f}" in answer
    expected = {"gold-2": score_all(story.event.folder, correct_gold(), 1)}
    check_board(story, "test", "gold-2", expected["gold-2"])
    check_board(story, "test", "gold-1", score_all(story.event.folder, TEST_GOLD, 1))
    for variant in ("proposed", "pooled"):
        gold = story.server.client().get(f"/phases/test/golds/{variant}-1").body
        expected[variant] = score_all(story.event.folder, gold, 1)
        check_board(story, "test", f"{variant}-1", expected[variant], "-alternatives")
    ranks = [expected[version]["maxmatch", "Alpha"] for version in ("gold-2", "proposed", "pooled")]
    assert ranks == sorted(set(ranks))
    with_answers = story.page("/phases/test")
    assert "use the table without alternative answers" in with_answers
    assert "It is the fairer of the tables with alternative answers." in with_answers
    marked = [re.findall(r"<bdi>(\w+)</bdi> <abbr", section) for section in with_answers.split("<h3>")[1:]]
    assert marked == [[], ["Alpha", "Beta"], [], []]
    gold = story.server.client().get("/phases/test/golds/proposed-1").body
    assert [list_wrong(story.event.folder, own, CLICKED, *FILED) for own in (correct_gold(), gold)] == [[CLICKED, *FILED], []]
    assert list_wrong(story.event.folder, gold, OWN) == [OWN]


def export(story: Story) -> None:
    """The tables of the export, of the site and of ``errata task run`` are the same, byte by byte."""
    said = story.event.run("serve", "export", *DATA, "-o", "exported")
    assert "README.txt says what they are" in said
    folder = story.event.folder / "exported"
    compare_with_site(story, folder)
    with ThreadPoolExecutor(2) as pool:
        list(
            pool.map(
                lambda own: compare_with_task(story, folder, *own), [("dev", ""), ("test", ""), ("test", "-proposed"), ("test", "-pooled")]
            )
        )
    check_lists(story, folder)
