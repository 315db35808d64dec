"""What became of alternative answers is counted once in half a minute."""

from __future__ import annotations

import threading

from errata_event.answers.outcomes import AnswerOutcome, _ItemCounts, _measure_agreement
from errata_event.caching import Cache


def test_an_outcome_is_kept_for_its_time() -> None:
    now = [0.0]
    made: list[AnswerOutcome] = []

    def measure() -> AnswerOutcome:
        counts = _ItemCounts(len(made), {"accepted": 0, "rejected": 0, "undecided": 0, "disputed": 0}, 0)
        made.append(AnswerOutcome(counts, counts, 0, 0, _measure_agreement([])))
        return made[-1]

    kept: Cache[str, AnswerOutcome] = Cache(10, ttl=30.0, clock=lambda: now[0])
    first = kept.refresh("answers", measure)
    now[0] = 29.9
    assert kept.refresh("answers", measure) is first
    assert kept.refresh("other", measure) is made[1]
    now[0] = 30.0
    assert kept.refresh("answers", measure) is made[2]
    assert len(made) == 3


def test_nobody_waits_for_another_who_counts() -> None:
    kept: Cache[str, AnswerOutcome] = Cache(10, ttl=30.0)
    counts = _ItemCounts(0, {"accepted": 0, "rejected": 0, "undecided": 0, "disputed": 0}, 0)
    outcome = AnswerOutcome(counts, counts, 0, 0, _measure_agreement([]))
    begun, go_on = threading.Event(), threading.Event()

    def measure() -> AnswerOutcome:
        begun.set()
        assert go_on.wait(30)
        return outcome

    first = threading.Thread(target=kept.refresh, args=("answers", measure))
    first.start()
    assert begun.wait(30)
    assert kept.refresh("answers", measure) is None
    go_on.set()
    first.join(30)
    assert kept.refresh("answers", measure) is outcome
