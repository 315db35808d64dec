"""Intervals of scores by error type."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from errata import Bootstrap, Corpus, Evaluator, RequestError, System, UsageError
from errata.cli import main
from errata.language.tagging import find_tagger
from errata.scoring.by_type import TypeCounts, TypeIntervals, compute_type_intervals, count_types

COMMAND = ["score", "examples/learner.m2", "examples/systems/eager.txt", "--by-type", "--confidence"]


@pytest.fixture(scope="module")
def types(gold: Corpus, systems: dict[str, System]) -> list[TypeCounts]:
    return count_types(Evaluator(gold)(systems["eager"]), find_tagger("textblob"))


def test_all_types_together_are_the_corpus(gold: Corpus, systems: dict[str, System], types: list[TypeCounts]) -> None:
    for settings in (Bootstrap(), Bootstrap(0.9, "percentile", 1000, 3)):
        found = compute_type_intervals(types, gold, 0.5, settings)[-1].f
        whole = Evaluator(gold)(systems["eager"]).interval(settings)
        assert found is not None
        assert (found.low, found.high) == pytest.approx((whole.low, whole.high), abs=1e-12)


def test_a_type_is_a_ratio_of_its_own_counts(gold: Corpus, types: list[TypeCounts]) -> None:
    """Recall of prepositions: percentiles of replicates, without those in which no preposition was drawn."""
    (index,) = (number for number, item in enumerate(types) if item.type == "Prep")
    counts = np.zeros((len(gold), 2))
    for number, matched, _, wanted in types[index].sentences:
        counts[number] = matched, wanted
    assert counts.sum(axis=0).tolist() == [types[index].matched, types[index].gold]
    drawn = np.random.default_rng(5).integers(0, len(gold), size=(1000, len(gold)))
    above, below = counts[drawn].sum(axis=1).T
    expected = np.percentile(above[below > 0] / below[below > 0], [5, 95])
    found = compute_type_intervals(types, gold, 0.5, Bootstrap(0.9, "percentile", 1000, 5))[index].recall
    assert found is not None
    assert (found.low, found.high) == pytest.approx(tuple(expected))


def test_what_says_nothing_has_no_interval(gold: Corpus) -> None:
    rare = TypeCounts("rare", 1, 2, 2, ((3, 1, 2, 2),))
    same = TypeCounts("same", 2, 2, 2, ((3, 1, 1, 1), (9, 1, 1, 1)))
    unknown = TypeCounts("unknown", 1, None, 3, ((3, 1, 0, 1), (9, 0, 0, 2)))
    never = TypeCounts("never", 0, 2, 0, ((3, 0, 1, 0), (9, 0, 1, 0)))
    found = compute_type_intervals([rare, same, unknown, never], gold, 0.5, Bootstrap(replicates=200))
    nothing = TypeIntervals(None, None, None)
    assert [found[0], found[1], found[3]] == [nothing] * 3
    assert (found[2].precision, found[2].f) == (None, None)
    assert found[2].recall is not None


def test_documents(gold: Corpus, types: list[TypeCounts]) -> None:
    sentences = tuple(replace(sentence, document=str(number // 9)) for number, sentence in enumerate(gold))
    by_document = compute_type_intervals(types, replace(gold, sentences=sentences), 0.5, Bootstrap(by="document"))
    assert by_document != compute_type_intervals(types, gold, 0.5)
    with pytest.raises(RequestError, match="sentences have no document"):
        compute_type_intervals(types, gold, 0.5, Bootstrap(by="document"))


def test_bad_requests(gold: Corpus, types: list[TypeCounts]) -> None:
    with pytest.raises(UsageError, match="must be bca or percentile, and cannot be combined with --rechoose"):
        compute_type_intervals(types, gold, 0.5, Bootstrap(choice="again"))
    with pytest.raises(RequestError, match="an interval needs two sentences or more, found 1"):
        compute_type_intervals([TypeCounts("x", 1, 1, 1, ((0, 1, 1, 1),))], replace(gold, sentences=gold.sentences[:1]), 0.5)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(COMMAND) == 0
    out = capsys.readouterr().out
    assert "95% interval of F0.5" in out.splitlines()[0]
    (line,) = (line for line in out.splitlines() if line.startswith("eager") and " all " in line)
    assert line.split()[-3:] == ["65.52", "[58.87,", "71.53]"]
    assert main([*COMMAND, "--format", "json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)["scores"]
    assert record["bootstrap"]["level"] == 0.95
    assert record["types"][-1]["intervals"]["f"] == pytest.approx([0.5887, 0.7153], abs=1e-4)
    assert "sentences" not in record["types"][-1]
    assert main([*COMMAND, "--rechoose"]) == 2
