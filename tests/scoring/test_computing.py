"""Scores in one call, and as flat dictionaries."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

import errata
from errata import Corpus, MismatchError, System, UsageError, compute, score

SOURCES = ["He go home .", "She run ."]
REFERENCES = [["He goes home .", "He went home ."], "She runs ."]


def test_texts_in_and_numbers_out() -> None:
    found = compute(predictions=["He went home .", "She run ."], references=REFERENCES, sources=SOURCES)
    assert found == {
        "maxmatch/value": pytest.approx(5 / 6),
        "maxmatch/correct": 1.0,
        "maxmatch/proposed": 1.0,
        "maxmatch/gold": 2.0,
        "maxmatch/precision": 1.0,
        "maxmatch/recall": 0.5,
    }
    assert {type(value) for value in found.values()} == {float}


def test_several_metrics_and_a_corpus(gold: Corpus, systems: dict[str, System]) -> None:
    found = compute(systems["eager"], gold, metric=["maxmatch", "maxmatch(beta=1)", "imeasure", errata.Gleu()], prefix="dev")
    assert round(found["dev/maxmatch/value"], 4) == 0.6552
    assert found["dev/maxmatch-beta-1.0/value"] == score(gold, systems["eager"], "maxmatch(beta=1)").value
    assert found["dev/imeasure/correction/wacc"] == score(gold, systems["eager"], "imeasure").parts["correction"]["wacc"]
    assert found["dev/imeasure/baseline/correction/wacc"] > 0
    assert found["dev/gleu/sd_over_references"] > 0
    assert len(json.dumps(found)) > 100
    assert all(character.isalnum() or character in "/._-" for key in found for character in key)


def test_predictions_may_be_a_generator() -> None:
    found = compute((text for text in SOURCES), iter(REFERENCES), iter(SOURCES), metric=iter(["accuracy", "gleu"]))
    assert found["accuracy/value"] == 0.0


def test_what_is_undefined_is_not_a_number() -> None:
    undefined = replace(score(Corpus.from_texts(SOURCES, SOURCES), SOURCES), value=math.nan)
    assert math.isnan(undefined.to_dict()["maxmatch/value"])


def test_sentences_have_numbers_too(gold: Corpus, systems: dict[str, System]) -> None:
    assert score(gold, systems["eager"]).sentence(3).to_dict("third")["third/maxmatch/correct"] == 2.0


def test_what_is_wrong_is_told(gold: Corpus) -> None:
    with pytest.raises(MismatchError, match="sources and predictions must have the same length, found 2 and 1"):
        compute(["a"], REFERENCES, SOURCES)
    with pytest.raises(MismatchError, match="sources and references must have the same length, found 2 and 1"):
        compute(SOURCES, ["a"], SOURCES)
    with pytest.raises(UsageError, match="predictions must be a list of sentences, found a single string: 'a'"):
        compute("a", REFERENCES, SOURCES)
    with pytest.raises(UsageError, match="references need their sources"):
        compute(SOURCES, REFERENCES)
    with pytest.raises(UsageError, match="sources cannot be combined with references that are a Corpus"):
        compute(SOURCES, gold, SOURCES)
    with pytest.raises(UsageError, match="metrics must have different keys, found maxmatch/value twice"):
        compute(SOURCES, REFERENCES, SOURCES, ["maxmatch", "maxmatch"])
    for metric, message in (([], "found none"), (None, "found NoneType"), ([3], "a metric must be a Metric or a text, found int")):
        with pytest.raises(UsageError, match=message):
            compute(SOURCES, REFERENCES, SOURCES, metric)  # type: ignore[arg-type]
