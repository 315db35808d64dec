"""Uploads: what is accepted, and that the answer of a hidden phase says nothing of its gold."""

from __future__ import annotations

import gzip
import io
import re
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import errata
from errata.corpus.corpus import _apply_in_order
from errata.errors import ErrataError, RequestError
from errata.task.running import RefusalError
from errata_event import boards
from errata_event.accounts import Account
from errata_event.golds import find_newest
from errata_event.scoring import Checked, PhaseScorer
from errata_event.uploading import FILE_NAME, find_limit

from example_events import DEFINITION, EXAMPLES, GOLD, OUTPUTS, WHEN_PUBLISHED, ExampleEvent, make_example_event, strip_gold

LINES = OUTPUTS["eager"].decode().splitlines()


def _as_m2(annotator: bytes = b"0") -> bytes:
    """The gold of one annotator as the output of a system."""
    kept = [line for line in GOLD.split(b"\n") if not line.startswith(b"A ") or line.endswith(b"|||" + annotator)]
    return b"\n".join(kept)


def _other_gold() -> bytes:
    """A gold of the same sentences in which everything else is another: annotators, edits, types, alternatives, characters."""
    words = [f"Zz{number}\u00e9".encode() for number in range(len(LINES))]
    edits = [b"A 0 1|||Mec|||%b||%bs.|||REQUIRED|||-NONE-|||7" % (word, word) for word in words]
    return b"".join(b"%b\n%b\n\n" % pair for pair in zip(strip_gold(), edits, strict=True))


def _correct() -> list[tuple[str, ...]]:
    """The sentences of the gold with the corrections of its first annotator."""
    gold = errata.read(io.BytesIO(GOLD))
    edits = [sentence.annotations[0].edits if sentence.annotations else () for sentence in gold]
    return [_apply_in_order(sentence.tokens, own) for sentence, own in zip(gold, edits, strict=True)]


UPLOADS: dict[str, bytes] = {
    **OUTPUTS,
    "source": b"".join(line[2:] + b"\n" for line in strip_gold()),
    "the corrections of the gold": "".join(f"{' '.join(tokens)}\n" for tokens in _correct()).encode(),
    "m2": _as_m2(),
    "m2 of the other annotator": _as_m2(b"1"),
    "m2 of two annotators": GOLD,
    "m2 of the other gold": _other_gold(),
    "m2 with other sentences": _as_m2().replace(b"S Last year", b"S Next year"),
    "m2 with edits outside": _as_m2().replace(b"A 3 4|||", b"A 3 400|||"),
    "m2 with bad lines": _as_m2().replace(b"|||REQUIRED|||", b"|||", 3),
    "m2 cut off": _as_m2()[:3_000],
    "empty": b"",
    "one line": b"A line .\n",
    "too few": "\n".join(LINES[:-1]).encode() + b"\n",
    "too many": "\n".join([*LINES, "One more ."]).encode() + b"\n",
    "shifted": "\n".join([*LINES[5:], *LINES[:5]]).encode() + b"\n",
    "untokenised": OUTPUTS["eager"].replace(b" .", b".").replace(b" ,", b","),
    "odd spacing": OUTPUTS["eager"].replace(b" ", b"  "),
    "no final line end": OUTPUTS["eager"].rstrip(b"\n"),
    "carriage returns": OUTPUTS["eager"].replace(b"\n", b"\r\n"),
    "only carriage returns": OUTPUTS["eager"].replace(b"\n", b"\r"),
    "mark at the start": b"\xef\xbb\xbf" + OUTPUTS["eager"],
    "latin-1": OUTPUTS["eager"] + "é\n".encode("latin-1"),
    "utf-16": OUTPUTS["eager"].decode().encode("utf-16"),
    "nul": b"\0" + OUTPUTS["eager"],
    "decomposed": OUTPUTS["eager"].replace(b"e", "e\u0301".encode()),
    "words of the other gold": b"".join(f"Zz{number}e\u0301 {line}\n".encode() for number, line in enumerate(LINES)),
    "words of the other gold, composed": b"".join(f"Zz{number}\u00e9s. {line}\n".encode() for number, line in enumerate(LINES)),
    "empty lines": b"\n" * len(LINES),
    "foreign": b"Etwas ganz anderes .\n" * len(LINES),
    "long": b"a " * 5_000 + b"\n" + OUTPUTS["eager"].partition(b"\n")[2],
    "gzip": gzip.compress(OUTPUTS["eager"], mtime=0),
    "zstd": bytes.fromhex("28b52ffd") + b"x" * 100,
    "essays": b"### essay_id = 1\nA text .\n",
    "xml": b"<?xml version='1.0'?><edits file='x'/>",
    "a page": b"<html><body>413</body></html>",
}
SETTINGS = {
    "as it is": "",
    "strict": "strict = true\n",
    "tokenised": 'tokenise = "source"\n',
    "all": 'tokenise = "source"\nstrict = true\nunicode = "NFC"\n',
    "by characters": 'tokenise = "characters"\n',
    "types": 'types = ["Mec", "Prep"]\n',
    "another metric": 'metrics = ["imeasure", "hoo"]\n',
}


def _define(settings: str) -> str:
    """The example, with other settings."""
    definition = DEFINITION
    for line in settings.splitlines():
        definition = re.sub(rf"(?m)^{line.partition(' ')[0]} = .*\n", "", definition)
    return settings + definition


def _show(event: ExampleEvent, team: Account, content: bytes) -> tuple[Any, ...]:
    """Everything that somebody learns who uploads, but the random name."""
    try:
        receipt = event.upload(team, "test", content, "x")
    except ErrataError as error:
        return type(error).__name__, str(error)
    number = receipt.submission.number if receipt.submission is not None else None
    return number, receipt.is_new, [str(problem) for problem in receipt.problems], receipt.scores, receipt.quota


@pytest.mark.parametrize("settings", list(SETTINGS.values()), ids=list(SETTINGS))
def test_the_answer_of_a_hidden_phase_does_not_depend_on_its_gold(tmp_path: Path, settings: str) -> None:
    events = []
    for number, gold in enumerate((GOLD, _other_gold())):
        (tmp_path / str(number)).mkdir()
        events.append(make_example_event(tmp_path / str(number), _define(settings), gold=gold))
    statuses = set()
    for index, (name, content) in enumerate(UPLOADS.items()):
        one, other = (_show(event, event.add(f"T{index}"), content) for event in events)
        assert one == other, name
        assert len(one) == 5, one
        assert one[3] is None, name
        assert "Zz" not in str(one) or b"Zz" in content, name
        assert "gold.m2" not in str(one), name
        statuses.add(one[0])
    assert statuses == {1, None}  # some are accepted, and some refused
    for event in events:
        with event.event.database.read() as transaction:
            assert transaction.row("SELECT count(*) FROM scores") == (0,)
        event.event.close()


def test_the_same_uploads_are_told_from_each_other_where_the_gold_may_be_known(tmp_path: Path) -> None:
    """What the test above compares would show a difference if there were one."""
    shown = []
    for number, gold in enumerate((GOLD, _other_gold())):
        (tmp_path / str(number)).mkdir()
        event = make_example_event(tmp_path / str(number), gold=gold)
        team = event.add("Alpha")
        shown.append([event.upload(team, "dev", content).scores for content in OUTPUTS.values()])
        event.event.close()
    assert shown[0] != shown[1]


def test_scores_are_shown_where_the_phase_shows_them(event: ExampleEvent) -> None:
    team = event.add("Alpha")
    receipt = event.upload(team, "dev", "eager")
    gold = errata.read(EXAMPLES / "learner.m2")
    system = errata.read_system(EXAMPLES / "systems" / "eager.txt")
    assert receipt.scores is not None
    assert [score.value for score in receipt.scores] == [errata.score(gold, system, name).value for name in ("maxmatch", "gleu")]
    assert [score.label for score in receipt.scores] == ["F0.5", "GLEU"] or len(receipt.scores) == 2
    hidden = event.upload(team, "test", "eager")
    assert (hidden.scores, hidden.problems) == (None, [])
    event.clock.set(WHEN_PUBLISHED)
    with event.event.database.read() as transaction:
        version = find_newest(transaction, "test")
    assert hidden.submission is not None
    assert version is not None
    for _ in range(2):  # computed, and then found
        found = boards.find_scores(event.event, hidden.submission, version, team.name)
        assert [score.value for score in found] == [score.value for score in receipt.scores]
        assert [score.parts for score in found] == [score.parts for score in receipt.scores]
    with event.event.database.read() as transaction:
        assert transaction.row("SELECT count(*) FROM scores") == (4,)


def test_m2_and_texts_of_the_same_corrections_are_both_scored(event: ExampleEvent) -> None:
    team = event.add("Alpha")
    text, m2 = (event.upload(team, "dev", UPLOADS[name]) for name in ("the corrections of the gold", "m2"))
    assert text.scores is not None
    assert m2.scores is not None
    assert text.scores[0].value == m2.scores[0].value == 1.0


@pytest.mark.parametrize("name", ["gzip", "zstd"])
@pytest.mark.parametrize("phase", ["dev", "test"])
def test_compressed_uploads_are_refused_before_they_are_decompressed(sqlite_event: ExampleEvent, name: str, phase: str) -> None:
    receipt = sqlite_event.upload(sqlite_event.add("Alpha"), phase, UPLOADS[name])
    assert [problem.message for problem in receipt.problems] == [f"is compressed with {name}; send the text itself"]
    assert receipt.submission is None


def test_no_upload_takes_much_memory(sqlite_event: ExampleEvent) -> None:
    team = sqlite_event.add("Alpha")
    sqlite_event.upload(team, "test", "eager")
    most = 4_000_000
    bombs = [
        gzip.compress(b"a b\n" * 20_000_000),
        b"\xff\n" * (most // 2),
        b"\x01" * most,
        b"a  b " * (most // 5),
        b"S a\n" + b"A 0 1|||x|||y|||REQUIRED|||-NONE-|||0\n" * 30_000,
        b"S a\n\n" * (most // 5),
    ]
    tracemalloc.start()
    for content in bombs:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        assert sqlite_event.upload(team, "test", content).submission is None
        assert tracemalloc.get_traced_memory()[1] - before < 64_000_000
    tracemalloc.stop()


def test_how_many_bytes_an_upload_may_have(sqlite_event: ExampleEvent) -> None:
    source = sum(len(line) - 1 for line in strip_gold())
    assert find_limit(sqlite_event.event, "test", 10_000_000) == 16 * source + (1 << 16)
    assert find_limit(sqlite_event.event, "test", 1_000) == 1_000


def test_what_a_metric_refuses_is_a_problem_of_the_upload(sqlite_event: ExampleEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(scorer: PhaseScorer, content: bytes, sha256: str, name: str, checked: object = None) -> list[Any]:
        del scorer, content, sha256, checked
        raise RefusalError(errata.System.of(name, ["A ."]), "maxmatch cannot score it: too \0 long")

    team = sqlite_event.add("Alpha")
    hidden = sqlite_event.upload(team, "test", "eager").submission
    monkeypatch.setattr(PhaseScorer, "score", refuse)
    receipt = sqlite_event.upload(team, "dev", "eager")
    assert receipt.submission is None
    assert [str(problem) for problem in receipt.problems] == [f"{FILE_NAME}: maxmatch cannot score it: too \0 long"]
    assert hidden is not None
    with sqlite_event.event.database.read() as transaction:
        version = find_newest(transaction, "test")
    assert version is not None
    found = boards.find_scores(sqlite_event.event, hidden, version, "Alpha")
    assert [(score.value, score.problem) for score in found] == [(None, "maxmatch cannot score it: too \ufffd long")] * 2
    assert boards.find_scores(sqlite_event.event, hidden, version, "Alpha") == found
    sqlite_event.clock.set(WHEN_PUBLISHED)
    assert sqlite_event.board("test") is None  # nobody can be scored


def test_a_board_does_not_quote_what_cannot_be_scored(sqlite_event: ExampleEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    score = PhaseScorer.score

    def refuse(scorer: PhaseScorer, content: bytes, sha256: str, name: str, checked: Checked | None = None) -> list[Any]:
        if content == OUTPUTS["eager"]:
            raise RefusalError(errata.System.of(name, ["A ."]), "maxmatch cannot score it: zqquoted")
        return score(scorer, content, sha256, name, checked)

    for name, output in (("Alpha", "eager"), ("Beta", "cautious")):
        sqlite_event.upload(sqlite_event.add(name), "test", output)
    monkeypatch.setattr(PhaseScorer, "score", refuse)
    sqlite_event.clock.set(WHEN_PUBLISHED)
    for named in (True, False):
        board = sqlite_event.board("test", named=named)
        assert board is not None
        (row,) = board.tables["set-aside"].shown.rows
        assert ("Alpha" in row) == named
        assert "cannot be scored" in str(row)
        assert "zqquoted" not in str(board)
    # What organisers export says why, as the task does.
    with sqlite_event.event.database.read() as transaction:
        version = find_newest(transaction, "test")
        entries = boards.list_entries(transaction, "test", named=True)
    assert version is not None
    scorer = sqlite_event.event.scorer(version, sqlite_event.event.moment().definition)
    assert "zqquoted" in str(boards.score_entries(sqlite_event.event, scorer, entries).make_tables(scorer)["set-aside"])
    found = boards.find_scores(sqlite_event.event, entries[0].submission, version, "Alpha")
    assert found[0].problem == "maxmatch cannot score it: zqquoted"


def test_an_upload_is_checked_again_if_the_gold_changes_meanwhile(event: ExampleEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gold gets another sentence after an upload was checked, and before it is stored."""
    check, changed = PhaseScorer.check, [False]

    def change_gold(scorer: PhaseScorer, content: bytes, name: str, *, source_only: bool) -> Checked:
        found = check(scorer, content, name, source_only=source_only)
        if not changed[0]:
            changed[0] = True
            (event.folder / "gold.m2").write_bytes(GOLD + b"\nS One more .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n")
            event.event.update(str(event.folder / "event.toml"))
        return found

    monkeypatch.setattr(PhaseScorer, "check", change_gold)
    team = event.add("Alpha")
    receipt = event.upload(team, "test", "eager")
    assert receipt.submission is None
    assert [problem.message for problem in receipt.problems] == ["72 sentences, but the source has 73"]
    assert event.upload(team, "test", OUTPUTS["eager"] + b"One more .\n").is_new


def test_a_definition_that_changes_all_the_time(sqlite_event: ExampleEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    check = PhaseScorer.check

    def change(scorer: PhaseScorer, content: bytes, name: str, *, source_only: bool) -> Checked:
        sqlite_event.event.update(sqlite_event.write((sqlite_event.folder / "event.toml").read_text() + "#\n"))
        return check(scorer, content, name, source_only=source_only)

    monkeypatch.setattr(PhaseScorer, "check", change)
    with pytest.raises(RequestError, match="is being changed; send it again"):
        sqlite_event.upload(sqlite_event.add("Alpha"), "test", "eager")
