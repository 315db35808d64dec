"""Annotators judge over HTTP, blind to who proposed, and lose nothing that they typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC
from pathlib import Path

import pytest

from errata_event.answers.items import AnswersPhase, read_edits
from errata_event.answers.proposals import PlacedItem, _keep_proposals, list_proposals, propose_sentence, withdraw_proposal
from errata_event.instants import parse_instant

from answers_event import CLOSED, COMING, AnswersEvent, make_answers_event
from example_events import DURING_ANSWERS, WHEN_PUBLISHED, strip_gold
from served_event import Answer, Client, ServedEvent, serve_event

pytestmark = pytest.mark.slow
BASE = "/judging/answers"
SOURCES = [line.removeprefix(b"S ").decode() for line in strip_gold()]
ACTION = re.compile(r'<form method="post" action="(/judging/answers/items/[^"]+)"')
FIELD = re.compile(r'<textarea id="(text|comment)"[^>]*>([^<]*)</textarea>')
Serve = Callable[..., tuple[AnswersEvent, ServedEvent]]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    with ExitStack() as stack:

        def start(*settings: str, now: str = DURING_ANSWERS) -> tuple[AnswersEvent, ServedEvent]:
            folder = tmp_path / f"event-{len(list(tmp_path.iterdir()))}"
            folder.mkdir()
            event = make_answers_event(folder, *settings, now=now)
            stack.callback(event.made.event.close)
            return event, stack.enter_context(serve_event(event.made.data, now=event.made.clock.now))

        yield start


def propose(event: AnswersEvent, team: str, number: int, word: str) -> None:
    """Propose a sentence with one word more."""
    propose_sentence(event.made.event, event.accounts[team], "answers", number, f"{word} {SOURCES[number - 1]}")


def action_of(page: Answer) -> str:
    found = ACTION.search(page.text)
    assert found is not None, page.text
    return found[1]


def judge(client: Client, verdict: str, page: Answer | None = None, **fields: str) -> Answer:
    """Judge the item that a page shows; the next one without a page."""
    page = page or client.get(BASE)
    return client.post(action_of(page), {"csrf": page.csrf, "verdict": verdict, **fields})


def words_of(page: Answer) -> str:
    """What a page says."""
    return " ".join(re.sub(r"<[^>]+>", " ", page.text).split())


def fields_of(page: Answer) -> dict[str, str]:
    return dict(FIELD.findall(page.text))


def test_items_are_judged_one_after_the_other(serve: Serve) -> None:
    event, server = serve("pool = false")
    for number in (2, 3, 1, 4):
        propose(event, "Alpha", number, "Indeed")
    ann = server.browser(event.tokens["Ann"])
    assert "4 proposals wait for you" in words_of(ann.get("/judging"))
    seen = []
    for verdict in ("accept", "skip", "reject", "amend"):
        page = ann.get(BASE)
        seen.append(re.search(r"<h1[^>]*>Sentence (\d+)</h1>", page.text))
        answer = judge(ann, verdict, page, text=f"Well {SOURCES[3]}" if verdict == "amend" else "", comment=verdict)
        assert (answer.status, answer.headers["Location"]) == (303, BASE)
    assert [found and found[1] for found in seen] == ["1", "2", "3", "4"]
    last = ann.get(BASE)
    assert "3 judged, 1 left, 1 of them skipped" in words_of(last)
    assert "You have skipped this proposal" in words_of(last)
    judge(ann, "reject", last)
    assert "Nothing left to judge" in words_of(ann.get(BASE))
    assert "Nothing waits for you now; more may be proposed" in words_of(ann.get("/judging"))
    done = words_of(ann.get(f"{BASE}/done"))
    assert [done.count(word) for word in (" accepted ", " rejected ", " amended ", "Amended:")] == [1, 2, 1, 1]


def test_an_item_has_source_gold_proposal_and_others_in_words_and_marks(serve: Serve) -> None:
    event, server = serve("pool = false")
    propose(event, "Alpha", 7, "Indeed")
    propose(event, "Beta", 7, "Well")
    page = server.browser(event.tokens["Ann"]).get(BASE)
    rows = re.findall(r"<dt[^>]*>(.*?)</dt><dd[^>]*>(.*?)</dd>", page.text.partition('<dl class="keys">')[0], re.DOTALL)
    assert [head for head, _ in rows] == [
        "Before",
        "Source",
        "Gold, annotator 0",
        "Gold, annotator 1",
        "Proposal",
        "Other proposal",
        "After",
    ]
    shown = dict(rows)
    assert shown["Source"] == SOURCES[6].replace("'", "&#39;")
    assert shown["Before"] == SOURCES[5].replace("'", "&#39;")
    assert '<del><span class="spoken">(deleted: </span>have met<span class="spoken">)</span></del>' in shown["Gold, annotator 0"]
    one, other = ("Indeed", "Well") if "Indeed" in shown["Proposal"] else ("Well", "Indeed")
    assert f'<ins><span class="spoken">(inserted: </span>{one}<span class="spoken">)</span></ins>' in shown["Proposal"]
    assert f"insert “{one}”" in shown["Proposal"]
    assert other in shown["Other proposal"]
    assert not re.search("Alpha|Beta|Gamma", page.text)


def test_only_annotators_judge_and_only_while_they_can(serve: Serve) -> None:
    event, server = serve(now=COMING)
    assert server.client().get(BASE).status == 303
    for name in ("Alpha", "organiser"):
        client = server.browser(event.tokens[name])
        assert [client.get(path).status for path in ("/judging", BASE, f"{BASE}/done")] == [403] * 3
    ann = server.browser(event.tokens["Ann"])
    assert "Judging has not begun" in words_of(ann.get(BASE))
    assert "Opens" in words_of(ann.get("/judging"))
    server.set_clock(parse_instant(CLOSED, UTC))
    page = ann.get(BASE)
    assert judge(ann, "accept", page).status == 303
    assert ann.post(action_of(page), {"verdict": "accept"}).status == 403
    assert [ann.get(f"/judging/{name}").status for name in ("test", "nothing")] == [404, 404]
    assert ann.get(f"{BASE}/items/1-0123456789abcdef").status == ann.get(f"{BASE}/items/7").status == 409


def test_what_was_typed_is_shown_again_whatever_is_wrong(serve: Serve) -> None:
    event, server = serve("pool = false")
    propose(event, "Alpha", 1, "Indeed")
    ann = server.browser(event.tokens["Ann"])
    page = ann.get(BASE)
    assert fields_of(page) == {"text": f"Indeed {SOURCES[0]}", "comment": ""}
    tries = {
        "the gold accepts this already": ("amend", SOURCES[0], "my comment"),
        "an amendment is another corrected sentence": ("amend", " ", "my comment"),
        "a sentence has no control characters": ("amend", "my \u200bsentence", "my comment"),
        "a comment has at most 2,000 characters": ("reject", "", "c" * 2001),
        "a comment has no control characters": ("reject", "", "c\x07c"),
        "you have typed another sentence": ("accept", "my sentence", "my comment"),
        "choose what you say": ("", "my sentence", "my comment"),
    }
    for message, (verdict, text, comment) in tries.items():
        answer = judge(ann, verdict, page, text=text, comment=comment)
        assert answer.status in {400, 409}, message
        assert f"Not stored: {message}" in words_of(answer)
        kept = fields_of(answer)
        assert (kept["text"], kept["comment"]) == (text, comment), message
    assert "0 judged, 1 left" in words_of(ann.get(BASE))


def test_a_judgment_is_changed_until_publication(serve: Serve) -> None:
    event, server = serve("pool = false")
    propose(event, "Alpha", 1, "Indeed")
    propose(event, "Alpha", 2, "Indeed")
    ann = server.browser(event.tokens["Ann"])
    judge(ann, "accept", comment="first")
    judge(ann, "reject", comment="second")
    found = re.findall(r'href="(/judging/answers/items/[^"]+)\?from=done"', ann.get(f"{BASE}/done").text)
    assert len(found) == 2
    page = ann.get(f"{found[1]}?from=done")
    assert "You have accepted this proposal" in words_of(page)
    assert fields_of(page)["comment"] == "first"
    answer = ann.post(found[1], {"csrf": page.csrf, "verdict": "amend", "text": f"Well {SOURCES[0]}", "from": "done"})
    assert answer.status == 303
    assert answer.headers["Location"].startswith(f"{BASE}/done#1-")
    again = ann.get(found[1])
    assert "You have amended this proposal" in words_of(again)
    assert fields_of(again)["text"] == f"Well {SOURCES[0]}"
    assert re.search(rf'href="{found[0]}" aria-keyshortcuts="u"', again.text)  # judged before
    server.set_clock(parse_instant(WHEN_PUBLISHED, UTC))
    assert "Judging is over" in words_of(ann.get(found[1]))
    late = ann.post(found[1], {"csrf": page.csrf, "verdict": "amend", "text": "my sentence", "comment": "my comment"})
    assert late.status == 409
    assert "it has been published" in words_of(late)
    assert fields_of(late) == {"text": "my sentence", "comment": "my comment"}
    assert "Change" not in words_of(ann.get(f"{BASE}/done"))


def test_a_proposal_that_is_withdrawn_meanwhile_loses_no_comment(serve: Serve) -> None:
    event, server = serve("pool = false")
    propose(event, "Alpha", 1, "Indeed")
    ann = server.browser(event.tokens["Ann"])
    page = ann.get(BASE)
    made = event.made.event
    with made.database.read() as transaction:
        (proposal,) = list_proposals(transaction, "answers", event.accounts["Alpha"].id)
    withdraw_proposal(made, AnswersPhase.open(made, "answers"), event.accounts["Alpha"], proposal.item.id)
    answer = judge(ann, "accept", page, comment="my comment")
    assert answer.status == 409
    assert "This proposal was withdrawn" in words_of(answer)
    assert fields_of(answer) == {"comment": "my comment"}
    assert "Nothing left" in words_of(ann.get(BASE))


def test_two_annotators_at_the_same_item(serve: Serve) -> None:
    event, server = serve("pool = false")
    propose(event, "Alpha", 1, "Indeed")
    ann, ben = (server.browser(event.tokens[name]) for name in ("Ann", "Ben"))
    pages = [client.get(BASE) for client in (ann, ben)]
    assert action_of(pages[0]) == action_of(pages[1])
    assert judge(ann, "accept", pages[0]).headers["Location"] == BASE
    assert judge(ann, "accept", pages[0]).headers["Location"] == BASE  # the form was sent twice
    late = judge(ben, "reject", pages[1])
    assert late.headers["Location"] == f"{BASE}?late=1"
    assert "Others had decided the last proposal before you judged it" in words_of(ben.get(late.headers["Location"]))
    assert judge(ann, "reject", pages[0]).headers["Location"] == BASE  # who judged first can think again


def test_annotators_begin_in_different_places_if_one_judges_each(serve: Serve) -> None:
    event, server = serve("pool = false")
    for number in range(1, 7):
        propose(event, "Alpha", number, "Indeed")
    pages = [server.browser(event.tokens[name]).get(BASE) for name in ("Ann", "Ben", "Cid")]
    assert [re.findall(r"<h1[^>]*>([^<]+)</h1>", page.text) for page in pages] == [["Sentence 1"], ["Sentence 3"], ["Sentence 5"]]
    cid = server.browser(event.tokens["Cid"])
    numbers = [re.findall(r"Sentence (\d)</h1>", (judge(cid, "accept"), cid.get(BASE))[1].text) for _ in range(5)]
    assert numbers == [["6"], ["1"], ["2"], ["3"], ["4"]]


def test_two_must_agree_if_so_set_and_a_third_decides(serve: Serve) -> None:
    event, server = serve("pool = false", "judges = 2")
    propose(event, "Alpha", 1, "Indeed")
    ann, ben, cid = (server.browser(event.tokens[name]) for name in ("Ann", "Ben", "Cid"))
    assert judge(ann, "accept").headers["Location"] == BASE
    assert "Nothing left" in words_of(ann.get(BASE))
    assert judge(ben, "reject").headers["Location"] == BASE
    assert "0 judged, 1 left" in words_of(cid.get(BASE))
    assert judge(cid, "accept").headers["Location"] == BASE
    organiser = words_of(server.browser(event.tokens["organiser"]).get("/organiser/answers/answers"))
    assert "Accepted 1 Rejected 0 Disputed 0 Not judged 0" in organiser


PATHS = ("/judging", BASE, f"{BASE}/done")


def see_all(server: ServedEvent, token: str) -> list[str]:
    """All that an annotator sees until nothing is left."""
    client = server.browser(token)
    seen = [client.get(path).text for path in PATHS]
    for _ in range(30):
        page = client.get(BASE)
        seen.append(page.text)
        if "Nothing left" in page.text:
            break
        judge(client, "reject", page)
    seen += [client.get(path).text for path in PATHS]
    return [re.sub(r'name="csrf" value="[0-9a-f]+"', "", text) for text in seen]


def test_an_annotator_sees_the_same_whoever_proposed_first_last_or_twice(serve: Serve) -> None:
    seen = []
    for order in (("Alpha", "Beta", "Gamma"), ("Gamma", "Alpha", "Beta"), ("Beta", "Beta", "Beta")):
        event, server = serve("pool = false")
        items = [(number, word) for number in (3, 1) for word in ("Indeed", "Well", "Now")]
        if order[0] != "Alpha":
            items.reverse()
        for place, (number, word) in enumerate(items):
            propose(event, order[place % 3], number, word)
        propose(event, order[1], *items[0])
        seen.append(see_all(server, event.tokens["Ann"]))
    assert len(seen[0]) > 10
    assert seen[0] == seen[1] == seen[2]


def test_an_annotator_cannot_tell_what_was_pooled(serve: Serve) -> None:
    """The same items are pooled only, or proposed by a team too."""
    seen = []
    for proposed in (False, True):
        event, server = serve()
        ann = server.browser(event.tokens["Ann"])
        page = ann.get(BASE)
        if proposed:
            answers = AnswersPhase.open(event.made.event, "answers")
            with event.made.event.database.read() as transaction:
                rows = transaction.rows("SELECT sentence, edits FROM items ORDER BY id DESC LIMIT 40")
            placed = [PlacedItem(sentence, read_edits(edits)) for sentence, edits in rows]
            _keep_proposals(event.made.event, answers, event.accounts["Alpha"], placed)
        shown = [ann.get(path).text for path in PATHS]
        for _ in range(5):
            page = ann.get(BASE)
            shown.append(page.text)
            judge(ann, "skip", page)
        seen.append([re.sub(r'name="csrf" value="[0-9a-f]+"', "", text) for text in shown])
    assert seen[0] == seen[1]
