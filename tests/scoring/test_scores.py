"""What a score shows of its sentences, which are counted from 1."""

from __future__ import annotations

import pytest

from errata import Corpus, Evaluator, System, UsageError
from errata.metrics import ShowsEdits


def test_edits_are_those_of_the_chosen_annotator_or_of_a_named_one(gold: Corpus, systems: dict[str, System]) -> None:
    score = Evaluator(gold)(systems["eager"])
    output, chosen = score.output, score.evidence.chosen
    assert isinstance(output, ShowsEdits)
    assert chosen is not None
    for index in range(len(gold)):
        everything = output.edits(index)
        assert score.edits(index + 1) == everything[chosen[index]]
        assert [score.edits(index + 1, name) for name in score.evidence.labels[index]] == everything


def test_a_system_and_its_sentences(gold: Corpus, systems: dict[str, System]) -> None:
    score = Evaluator(gold)(systems["eager"])
    assert score.system is systems["eager"]
    assert score.system.name == score.system_name == score.evidence.system_name
    assert [score.sentence(number) for number in range(1, len(gold) + 1)] == score.sentences
    assert score.sentence(3).sentence == 3


def test_what_cannot_be_shown_is_told(gold: Corpus, systems: dict[str, System]) -> None:
    edits, alignment = (Evaluator(gold, metric)(systems["eager"]) for metric in ("maxmatch", "imeasure"))
    for number in (0, 73, -1, "3", None):
        for show in (edits.edits, edits.sentence, alignment.alignment):
            with pytest.raises(UsageError, match="sentences are counted from 1 to 72, found"):
                show(number)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="imeasure does not show edits"):
        alignment.edits(3)
    with pytest.raises(UsageError, match="maxmatch does not show alignments"):
        edits.alignment(3)
    with pytest.raises(UsageError, match="sentence 3 has no annotator '7'; choose from 0, 1"):
        edits.edits(3, annotator="7")
