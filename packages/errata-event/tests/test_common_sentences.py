"""A phase that hides what another one shows is warned of."""

from __future__ import annotations

from pathlib import Path

import pytest

from errata.formats import Problem
from errata_event.event import _EventFiles

from example_events import DEFINITION, EXAMPLES, GOLD

OPEN = 'gold_visible = "open"\n'
ALONE = DEFINITION.partition('[[phases]]\nname = "answers"')[0].replace('publishes = "2027-03-20 12:00 UTC"\n', "")
"""Nobody knows when ``test`` is published."""
BEFORE = "of 72 sentences of the phase test are in the gold of dev too, which teams can read before test closes"


def read(folder: Path, text: str, test_gold: bytes = GOLD) -> list[str]:
    (folder / "gold.m2").write_bytes(GOLD)
    (folder / "test.m2").write_bytes(test_gold)
    (folder / "event.toml").write_text(text.replace('name = "test"\ngold = "gold.m2"', 'name = "test"\ngold = "test.m2"'))
    found: list[Problem] = []
    _EventFiles.read(str(folder / "event.toml"), found.append)
    return [problem.message for problem in found]


def test_the_gold_of_another_phase_that_is_read_earlier(tmp_path: Path) -> None:
    assert read(tmp_path, DEFINITION) == [f"72 {BEFORE}"]
    blocks = GOLD.strip().split(b"\n\n")
    more = b"\n\n".join([*blocks, *(block.replace(b"S ", b"S Really , ").partition(b"\n")[0] for block in blocks[:36])])
    assert read(tmp_path, DEFINITION, more + b"\n")[0].startswith("72 of 108 sentences of the phase test")


@pytest.mark.parametrize(
    "text",
    [
        ALONE.replace(OPEN, ""),
        ALONE.replace(OPEN, 'gold_visible = "closed"\n'),  # after test
        ALONE.replace('name = "test"\n', f'name = "test"\n{OPEN}'),
    ],
)
def test_gold_that_is_read_later_or_that_all_may_read(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) == []


def test_gold_that_is_read_while_answers_to_it_are_proposed(tmp_path: Path) -> None:
    assert "of the phase dev are in the gold of test too" in read(tmp_path, DEFINITION.replace(OPEN, ""))[0]


def test_other_sentences(tmp_path: Path) -> None:
    assert read(tmp_path, DEFINITION, (EXAMPLES / "graphs" / "learner.m2").read_bytes()) == []


def test_the_example_event_has_other_sentences_in_its_test() -> None:
    found: list[Problem] = []
    _EventFiles.read(str(EXAMPLES / "event.toml"), found.append)
    assert found == []


@pytest.mark.parametrize(("shared", "warns"), [(2, False), (3, True), (30, True)])
def test_a_few_sentences_that_any_texts_have_in_common_are_no_leak(tmp_path: Path, shared: int, warns: bool) -> None:  # noqa: FBT001
    blocks = GOLD.strip().split(b"\n\n")
    gold = b"\n\n".join([*blocks[:shared], *(block.replace(b"S ", b"S Really , ", 1).partition(b"\n")[0] for block in blocks[shared:])])
    assert [warning.startswith(f"{shared} of 72 ") for warning in read(tmp_path, DEFINITION, gold + b"\n")] == [True] * warns
