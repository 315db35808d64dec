"""Pages that everybody sees: the same bytes for all, nothing that is hidden, and tables that stay when the gold changes."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from errata.task.running import write_tables
from errata_event.instants import parse_instant

from pages_event import LONG, NAMES, NOW, PagesEvent, make_pages_event
from served_event import ServedEvent, serve_event

PUBLIC = ("/", "/phases/dev", "/phases/test", "/phases/answers", "/phases/blind", "/phases/later", "/phases/dev/tables/gold-1/metrics")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> PagesEvent:
    return make_pages_event(tmp_path_factory.mktemp("event"))


@pytest.fixture(scope="module")
def server(pages: PagesEvent) -> Iterator[ServedEvent]:
    with serve_event(pages.made.data, now=parse_instant(NOW)) as served:
        yield served


@pytest.mark.parametrize("path", PUBLIC)
def test_everybody_gets_the_same_and_a_cache_may_keep_it(pages: PagesEvent, server: ServedEvent, path: str) -> None:
    answer = server.client().get(path)
    assert answer.status == 200
    assert answer.headers["Cache-Control"] == "public, max-age=30"
    assert "csrf" not in answer.text
    assert all(name not in answer.text for name in ("Set-Cookie", "Log out"))
    for name in ("Alpha", "Judge", "organiser"):
        assert server.browser(pages.tokens[name]).get(path).body == answer.body
    again = server.client().get(path, **{"If-None-Match": answer.headers["ETag"]})
    assert (again.status, again.body) == (304, b"")


def test_the_same_page_a_second_later_has_the_same_hash(server: ServedEvent) -> None:
    tag = server.client().get("/").headers["ETag"]
    server.set_clock(parse_instant("2027-03-02 12:00:07 UTC"))
    assert server.client().get("/").headers["ETag"] == tag
    server.set_clock(parse_instant(NOW))


def test_a_hidden_board_is_only_announced(server: ServedEvent) -> None:
    text = server.client().get("/phases/test").text
    assert "The leaderboard appears when the phase is published, at" in text
    assert not [name for name in NAMES if name in text]
    for path in ("gold-1", "gold-2/metrics", "gold-1/ranking-maxmatch.csv", "gold-9"):
        assert server.client().get(f"/phases/test/tables/{path}").status == 404


def test_an_anonymous_board_names_nobody_until_it_is_published(pages: PagesEvent, server: ServedEvent) -> None:
    def read(path: str) -> str:
        return server.client().get(f"/phases/blind{path}").text

    files = [f"/tables/gold-2/{name}" for name in ("metrics", "metrics.csv", "metrics.json", "metrics.md", "metrics.tex", "types-maxmatch")]
    assert "The teams are anonymous. They are named when the phase is published." in read("")
    assert "There is no such page" in read("/tables/gold-1")  # it was replaced before anybody looked
    for path in ("", *files):
        assert "Team " in read(path)
        assert not [name for name in NAMES if name in read(path)]
    pages.made.event.decide("blind", "publish")
    for path in ("", *files):
        assert "Alpha" in read(path)


def test_tables_are_files_as_a_task_writes_them(pages: PagesEvent, server: ServedEvent) -> None:
    board = pages.made.board("dev")
    assert board is not None
    for name, text in write_tables(board.tables).items():
        answer = server.client().get(f"/phases/dev/tables/gold-2/{name}")
        assert answer.text == text
        assert answer.headers["Content-Disposition"] == f'attachment; filename="dev-gold-2-{name}"'
        assert f'href="/phases/dev/tables/gold-2/{name}"' in server.client().get("/phases/dev").text
    assert json.loads(server.client().get("/phases/dev/tables/gold-2/metrics.json").text)["rows"]


def test_the_table_of_a_gold_that_was_replaced_stays(server: ServedEvent) -> None:
    client = server.client()
    page = client.get("/phases/dev").text
    assert 'href="/phases/dev/tables/gold-1"' in page
    old, new = (
        list(csv.DictReader(io.StringIO(client.get(f"/phases/dev/tables/gold-{number}/ranking-maxmatch.csv").text))) for number in (1, 2)
    )
    assert {row["system"] for row in old} == {row["system"] for row in new} == set(NAMES)
    # Alpha submitted again after the change, and marked it; the old table has what counted before.
    assert {row["system"]: row["gold"] for row in old} != {row["system"]: row["gold"] for row in new}
    assert "This gold was replaced" in client.get("/phases/dev/tables/gold-1").text
    assert "This gold was replaced" not in client.get("/phases/dev/tables/gold-2").text


def test_the_table_marks_the_best_and_keeps_long_names(server: ServedEvent) -> None:
    text = server.client().get("/phases/dev").text
    assert f"<bdi>{LONG}</bdi>" in text
    assert 'class="number best"' in text


def test_how_to_submit_does_not_believe_the_request(server: ServedEvent) -> None:
    text = server.client().get("/phases/dev", Host="localhost:9").text
    assert f"http://{server.host}:{server.port}/api/phases/dev/submissions" in text
    assert "localhost:9" not in text
    assert "printf" in text
    assert "?token" not in text


def test_a_board_appears_and_freezes_when_its_phase_is_published(tmp_path: Path) -> None:
    pages = make_pages_event(tmp_path)
    with serve_event(pages.made.data, now=parse_instant("2027-03-20 11:59:59 UTC")) as served:
        before = served.client().get("/phases/test")
        assert before.headers["Cache-Control"] == "public, max-age=1"
        assert "Alpha" not in before.text
        served.set_clock(parse_instant("2027-03-20 12:00:00 UTC"))
        after = served.client().get("/phases/test").text
    assert "Alpha" in after
    assert "nobody can change them since" in after


def test_unknown_addresses_are_told_in_words(server: ServedEvent) -> None:
    for path in ("/nothing", "/phases/none", "/phases/dev/tables/gold-1/none", "/static/0/site.css", "/phases/dev/tables/given-1"):
        answer = server.client().get(path)
        assert answer.status == 404
        assert "There is no such page" in answer.text
        assert answer.headers["Cache-Control"] == "no-store"


def test_files_that_pages_load_have_the_hash_of_their_content_in_their_address(server: ServedEvent) -> None:
    page = server.client().get("/").text
    found = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert found
    for path in found:
        answer = server.client().get(path)
        assert answer.status == 200
        assert "immutable" in answer.headers["Cache-Control"]
        assert hashlib.sha256(answer.body).hexdigest().startswith(path.split("/")[2])
