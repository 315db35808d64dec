"""The choice among references made again in every replicate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import Bootstrap, Corpus, Evaluator, RequestError, Sentence, System, UsageError, intervals, parse
from errata.choice import choose
from errata.cli import main
from errata.scoring import Evidence
from errata.stats.intervals import chosen_counts, rechosen_sums, resampled_sums
from errata.stats.rechoosing import Rechooser

rows = st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 3))


def evidence_of(sentences: list[list[tuple[int, int, int]]], metric: str) -> Evidence:
    labels = tuple(tuple(str(number) for number in range(len(item))) for item in sentences)
    return Evidence(parse(metric), Corpus((Sentence(("a",)),) * len(sentences)), "x", tuple(tuple(item) for item in sentences), labels)


@given(
    st.lists(st.lists(rows, min_size=1, max_size=3), min_size=2, max_size=6),
    st.sampled_from(["maxmatch", "maxmatch(choice=optimal)", "maxmatch(choice=sentence,beta=1.0)"]),
    st.integers(0, 1000),
)
@settings(max_examples=150)
def test_every_replicate_chooses_as_a_corpus_does(sentences: list[list[tuple[int, int, int]]], metric: str, seed: int) -> None:
    evidence = evidence_of(sentences, metric)
    picked = np.random.default_rng(seed).integers(0, len(sentences), size=(5, len(sentences)))
    found = Rechooser(evidence).sums(picked)
    for places, sums in zip(picked, found, strict=True):
        drawn = [sentences[place] for place in places]
        chosen = choose(drawn, evidence.metric.ratio(), evidence.metric.choice)
        assert tuple(sums) == tuple(map(sum, zip(*(options[k] for options, k in zip(drawn, chosen, strict=True)), strict=True)))


def test_the_sentences_drawn_are_the_same(gold: Corpus, systems: dict[str, System]) -> None:
    """Where each sentence chooses alone, making the choice again changes nothing."""
    evaluate = Evaluator(gold, "maxmatch(choice=sentence)")
    evidence = [evaluate(system).evidence for system in systems.values()]
    settings_ = Bootstrap(replicates=1100, seed=5)
    for one, other in zip(
        resampled_sums([chosen_counts(item) for item in evidence], settings_), rechosen_sums(evidence, settings_), strict=True
    ):
        assert np.array_equal(one, other)


def test_intervals_with_the_choice_made_again(gold: Corpus, systems: dict[str, System]) -> None:
    evidence = Evaluator(gold)(systems["eager"]).evidence
    (kept,), (again,) = (intervals([evidence], Bootstrap(choice=choice, replicates=2000)) for choice in ("kept", "again"))
    assert kept != again
    assert (kept.low, kept.high) == pytest.approx((again.low, again.high), abs=0.01)
    assert str(again.bootstrap).endswith("seed 0, choice made again")


def test_bad_requests() -> None:
    with pytest.raises(UsageError, match="the choice among references is kept or again, found 'new'"):
        Bootstrap(choice="new")  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="up to 64 references of a sentence, found 65"):
        Rechooser(evidence_of([[(0, 1, 1)] * 65, [(1, 1, 1)]], "maxmatch"))


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["score", "examples/learner.m2", "examples/systems/eager.txt", "--confidence", "--replicates", "1000", "--rechoose"]
    assert main(arguments) == 0
    assert capsys.readouterr().out.endswith("95% intervals: bca, 1,000 replicates of sentences, seed 0, choice made again\n")
