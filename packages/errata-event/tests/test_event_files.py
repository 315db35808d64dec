"""What could only fail while an event runs is refused before it begins."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from errata.errors import RequestError
from errata_event.answers.proposals import propose_sentence

from answering import ANSWERS
from example_events import DEFINITION as THREE_PHASES
from example_events import DURING_ANSWERS, GOLD, ExampleEvent, make_example_event

DEFINITION = """
metrics = ["maxmatch"]
resample = "document"
[[phases]]
name = "dev"
gold = "gold.m2"
opens = "2026-01-01 00:00 UTC"
closes = "2098-01-01 00:00 UTC"
"""


def test_intervals_that_this_gold_cannot_have(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=re.escape("event.toml: confidence: 72 of 72 sentences have no document")):
        make_example_event(tmp_path, DEFINITION)
    make_example_event(tmp_path, DEFINITION.replace("document", "sentence")).event.close()


def test_other_sentences_are_refused_once_there_are_proposals(event: ExampleEvent) -> None:
    path = str(event.folder / "event.toml")
    other = THREE_PHASES.replace('name = "test"\ngold = "gold.m2"', 'name = "test"\ngold = "other.m2"')
    (event.folder / "other.m2").write_bytes(GOLD.replace(b"S Last year", b"S Next year"))
    event.clock.set(DURING_ANSWERS)
    event.event.update(event.write(other))
    event.event.update(event.write(THREE_PHASES))  # there is nothing yet
    propose_sentence(event.event, event.add("Alpha"), ANSWERS, 2, "Last year my family moved to a large city .")
    with pytest.raises(
        RequestError, match="the new gold of test has other sentences than the one of 1 proposal: 72 instead of 72, the first"
    ):
        event.event.update(event.write(other))
    changed = (
        THREE_PHASES.replace('about = "test"', 'about = "dev"').replace("2027-03-09", "2027-04-09").replace("2027-03-13", "2027-04-13")
    )
    changed = changed.replace('publishes = "2027-03-20 12:00 UTC"\n', "")
    with pytest.raises(RequestError, match="the phase 'answers' has 1 proposal about 'test', so it cannot be about 'dev'"):
        event.event.update(event.write(changed))
    event.write(THREE_PHASES)
    assert event.event.update(path) == []
