"""Nobody finds what a phase hides: not in any page, header or error, with any address, and not by comparing servers with other gold."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from crawled_event import (
    ABOUT,
    COMMENT,
    HIDDEN_GOLD,
    HIDDEN_WORD,
    INSTANTS,
    JUDGED,
    PROPOSED,
    ROLES,
    TEAM,
    TEXT,
    VERSIONS,
    WRONG,
    Crawled,
    crawl_event,
    list_hidden,
)

from errata_event.instants import parse_instant

from crawling import crawl
from example_events import DURING_TEST, GOLD, OUTPUTS, ExampleEvent, make_example_event
from served_event import SOAK, Answer, ServedEvent, serve_event

pytestmark = pytest.mark.slow
_OTHER_GOLD = re.sub(rb"(?m)^(A \d+ \d+\|\|\|)\w+\|\|\|[^|]*", rb"\1Mec|||something quite different", GOLD)


@pytest.fixture(scope="module", params=INSTANTS if SOAK else ["during", "answers", "published"])
def instant(request: pytest.FixtureRequest) -> str:
    """An instant before everything is published."""
    return str(request.param)


@pytest.fixture(scope="module")
def crawled(instant: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    """The event at one of these instants, after all roles have asked for everything."""
    with crawl_event(tmp_path_factory.mktemp(f"crawl-{instant}"), instant) as made:
        yield made


def find_markers(answers: dict[str, Answer], markers: list[str]) -> list[str]:
    """The addresses whose answers have one of these markers; an address itself may have what was asked with it."""
    return [
        f"{address}: {marker}"
        for address, answer in answers.items()
        for marker in markers
        if marker.encode() in re.sub(rb"(?m)^location: .*$", b"", answer.whole) and marker not in address
    ]


def test_what_is_hidden_is_nowhere(crawled: Crawled, instant: str) -> None:
    for who, answers in crawled.answers.items():
        role = who.partition("'")[0]
        if role != "organiser":
            assert find_markers(answers, list_hidden(crawled, instant, role)) == [], who


def test_the_markers_are_found_where_they_may_be(crawled: Crawled, instant: str) -> None:
    """So that the test above can fail."""
    judged = [PROPOSED, COMMENT] if instant in JUDGED else []
    shown = {
        "alpha": [TEXT, ABOUT, *judged[:1]],
        "organiser": [TEXT, ABOUT, TEAM, HIDDEN_WORD, WRONG, *judged],
        "annotator": [TEXT, PROPOSED] if judged else [],
        "nobody": [HIDDEN_WORD, TEAM] if instant == "published" else [],
    }
    for role, markers in shown.items():
        for marker in markers:
            assert find_markers(crawled.answers[role], [marker]), (role, marker)
    assert find_markers(crawled.answers["organiser"], crawled.scores)


def test_golds_and_boards_are_asked_for_by_names_that_exist(crawled: Crawled, instant: str) -> None:
    """So that what is hidden is not only missing because nobody asked."""
    for version in VERSIONS[: 3 if instant in JUDGED else 2]:
        for address in (f"golds/{version}", f"tables/{version}"):
            assert crawled.answers["organiser"][f"/organiser/phases/test/{address}"].status == 200
            is_public = instant == "published" and version == "gold-3"
            for role in ("nobody", "other", "annotator"):
                assert crawled.answers[role][f"/phases/test/{address}"].status == (200 if is_public else 404), (role, address)


def test_every_answer_is_one_that_is_meant(crawled: Crawled) -> None:
    for role, answers in crawled.answers.items():
        for address, answer in answers.items():
            assert answer.status in {200, 303, 400, 401, 403, 404, 405, 409, 429}, (role, address, answer.status)
            assert "content-security-policy" in {name.lower() for name in answer.headers}, address
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            if "public" in answer.headers["Cache-Control"]:
                assert "Set-Cookie" not in answer.headers
                assert address.startswith(("/static/", "/phases/")) or address.partition("?")[0] == "/", address


def test_what_caches_keep_is_the_same_for_everybody(crawled: Crawled) -> None:
    stranger = crawled.answers["nobody"]
    for role, answers in crawled.answers.items():
        for address, answer in answers.items():
            if "public" in answer.headers["Cache-Control"] and address in stranger:
                assert answer.whole == stranger[address].whole, (role, address)


def test_pages_of_a_role_are_for_that_role(crawled: Crawled) -> None:
    allowed = {"/team": {"alpha", "other"}, "/judging": {"annotator"}, "/organiser": {"organiser"}}
    for role in ROLES:
        for address, answer in crawled.answers[role].items():
            start = f"/{address.split('/')[1].partition('?')[0]}"
            if role not in allowed.get(start, {role}):
                assert answer.status in {303, 403, 404, 405}, (role, address, answer.status)


def test_forms_without_a_secret_or_with_names_of_others_change_nothing(crawled: Crawled) -> None:
    before = crawled.state()
    fields = {"text": "changed", "description": "changed", "name": "New", "role": "team", "confirm": "yes", "verdict": "accept"}
    fields |= {"item": crawled.items[0], "number": "1"}
    pages = {"other": "/team", "alpha": "/team", "annotator": "/judging", "organiser": "/organiser", "nobody": "/login"}
    csrf = {role: crawled.clients[role].get(path).csrf for role, path in pages.items()}
    assert csrf["other"]
    assert csrf["other"] != csrf["alpha"]
    own = {"other": "/team", "alpha": "/team", "annotator": "/judging", "organiser": "/organiser", "nobody": "/never"}
    for address in crawled.addresses("POST", crawled.alphas):
        if address.startswith(("/login", "/logout", "/api")):
            continue
        for role in ROLES:
            client = crawled.clients[role]
            secrets = ["", "0" * 64, csrf["alpha"] if role != "alpha" else csrf["other"]]
            is_of_alpha = crawled.alphas[0] in address or address == "/team/answers/answers/withdraw"
            if not address.startswith(own[role]) or (role == "other" and is_of_alpha):
                secrets.append(csrf[role])
            for secret in secrets:
                answer = client.post(address, {**fields, "csrf": secret})
                assert answer.status in {303, 400, 403, 404, 405, 409}, (role, address, answer.status)
                assert answer.status != 303 or answer.headers["Location"].startswith("/login"), (role, address)
    assert crawled.state() == before


def mask(answer: Answer) -> bytes:
    """An answer without what is random in each server: names of submissions and secrets of sessions."""
    text = re.sub(rb"[0-9a-f]{64}", b"SECRET", answer.whole)
    return re.sub(rb"(?i)etag: .*\n", b"", text)


@pytest.mark.parametrize("instant", ["during", "after"] if SOAK else ["after"])
def test_servers_with_other_hidden_gold_answer_alike(tmp_path: Path, instant: str) -> None:
    first = make_example_event(tmp_path)
    tokens = {"alpha": first.add_with_token("Alpha")[1], "other": first.add_with_token("Other")[1]}
    tokens["annotator"] = first.add_with_token("Judge", "annotator")[1]
    first.event.close()
    seen: list[dict[str, bytes]] = []
    for number, gold in enumerate((HIDDEN_GOLD, _OTHER_GOLD)):
        folder = tmp_path / str(number)
        folder.mkdir()
        shutil.copytree(first.data, folder / "data")
        example = replace(first, folder=folder).reopen()
        (folder / "gold.m2").write_bytes(GOLD)
        (folder / "hidden.m2").write_bytes(gold)
        definition = (tmp_path / "event.toml").read_text().replace('name = "test"\ngold = "gold.m2"', 'name = "test"\ngold = "hidden.m2"')
        example.event.update(example.write(definition))
        with serve_event(example.data, None, parse_instant(DURING_TEST)) as server:
            seen.append(ask_all(server, tokens, parse_instant(INSTANTS[instant]), example))
        example.event.close()
    assert seen[0].keys() == seen[1].keys()
    for name, answer in seen[0].items():
        at = next((index for index, (one, other) in enumerate(zip(answer, seen[1][name], strict=False)) if one != other), 0)
        assert answer == seen[1][name], (name, answer[max(0, at - 100) : at + 100])


def ask_all(server: ServedEvent, tokens: dict[str, str], now: object, example: ExampleEvent) -> dict[str, bytes]:
    """Upload what is right and what is wrong, and ask for everything; return all that was answered, without what is random."""
    found: dict[str, bytes] = {}
    ids: list[str] = []
    for role in ("alpha", "other"):
        program = server.client(tokens[role])
        for name, content in {**OUTPUTS, "short": b"a\n", "not text": b"\xff\n", "empty": b""}.items():
            answer = program.submit("test", content, f"{role} {name}")
            found[f"{role} {name}"] = mask(answer)
            if answer.status == 201:
                ids.append(answer.record["submission"]["id"])
    server.set_clock(now)  # type: ignore[arg-type]
    clients = {role: server.browser(token) for role, token in tokens.items()} | {"nobody": server.client()}
    made = Crawled(example, server, clients, {}, ids, [], [])
    starts = ["/", "/team", "/judging", "/login", *made.addresses("GET", [*ids, "x"])]
    for role, client in clients.items():
        for address, answer in crawl(client, [start for start in starts if not start.startswith("/organiser")]).items():
            found[f"{role} {address}"] = mask(answer)
    masked: dict[str, bytes] = {}
    own_port = str(server.port).encode()
    for name, content in found.items():
        for number, id_ in enumerate(ids):
            name, content = name.replace(id_, f"ID{number}"), content.replace(id_.encode(), b"ID%d" % number).replace(own_port, b"PORT")  # noqa: PLW2901
        masked[name] = content
    return masked
