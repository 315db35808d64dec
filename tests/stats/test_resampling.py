"""Resampled sentences and documents, and references rechosen in every replicate."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errata
from errata import Bootstrap, Corpus, Evaluator, RequestError, Sentence, System, UsageError, _core, compare, compute_intervals
from errata.cli import main
from errata.core import python as python_core
from errata.metrics import Choose
from errata.metrics.ratios import make_edit_ratios
from errata.metrics.strategies import _choose
from errata.scoring import Evidence
from errata.stats.resampling import Rows, _rechoose_sums, resample_sums, sum_by_unit

from thoroughness import often

rows = st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 3))


def evidence_of(sentences: list[list[tuple[int, int, int]]], metric: str) -> Evidence:
    labels = tuple(tuple(str(number) for number in range(len(item))) for item in sentences)
    return Evidence(
        errata.metric(metric), Corpus((Sentence(("a",)),) * len(sentences)), "x", tuple(tuple(item) for item in sentences), labels
    )


@given(
    st.lists(st.lists(rows, min_size=1, max_size=3), min_size=2, max_size=6),
    st.sampled_from(["maxmatch", "maxmatch(choice=optimal)", "maxmatch(beta=0.1234567,choice=optimal)", "maxmatch(beta=0.654321)"]),
    st.integers(0, 1000),
)
@settings(max_examples=often(200, 70))
def test_every_replicate_chooses_as_a_corpus_does(sentences: list[list[tuple[int, int, int]]], metric: str, seed: int) -> None:
    """In the core, in its twin, and with whole numbers that are large; -1 is no sentence."""
    evidence = evidence_of(sentences, metric)
    picked = np.random.default_rng(seed).integers(-1, len(sentences), size=(5, len(sentences)), dtype=np.int32)
    assert isinstance(evidence.strategy, Choose)
    ratio, rule = evidence.strategy.ratio, evidence.strategy.rule
    pairs = np.array([ratio.of(row) for options in sentences for row in options], dtype=np.int64)
    starts = np.cumsum([0, *map(len, sentences)])
    found = [core.rechoose(pairs, starts, picked, rule == "optimal") for core in (_core, python_core)]
    assert np.array_equal(found[0], found[1])
    assert found[0].dtype == found[1].dtype == np.int32
    sums = Rows([evidence]).sums(picked)
    for indices, times, counts in zip(picked, found[0], sums, strict=True):
        drawn = [int(index) for index in indices if index >= 0]
        chosen = _choose([sentences[index] for index in drawn], ratio, rule)
        expected = np.zeros(len(pairs), dtype=int)
        for index, row in zip(drawn, chosen, strict=True):
            expected[starts[index] + row] += 1
        assert np.array_equal(times, expected)
        assert tuple(counts) == tuple(expected @ np.array([row for options in sentences for row in options]))


@pytest.mark.parametrize("core", [_core, python_core])
def test_the_core_checks_what_it_is_given(core: ModuleType) -> None:
    pairs, starts, picked = np.array([[1, 2], [0, 1]]), np.array([0, 1, 2]), np.zeros((1, 2), dtype=np.int32)
    wrong: list[tuple[Any, Any, Any]] = [
        (pairs, np.array([0, 1, 3]), picked),
        (pairs, np.array([1, 2]), picked),
        (pairs, np.array([0, 2, 1, 2]), picked),
        (pairs, np.array([], dtype=np.int64), picked),
        (pairs, starts, picked + 2),
        (pairs, starts, picked - 2),
    ]
    for arguments in wrong:
        with pytest.raises(ValueError, match=r"one or more rows for every sentence|must be in the corpus"):
            core.rechoose(*arguments, False)
    assert core.rechoose(pairs, starts, picked, True).tolist() == [[2, 0]]


def test_the_resampled_sentences_are_the_same(gold: Corpus, systems: dict[str, System]) -> None:
    """With one reference, rechoosing changes nothing."""
    evaluate = Evaluator(Corpus(tuple(Sentence(sentence.tokens, sentence.annotations[:1]) for sentence in gold)))
    evidence = [evaluate(system).evidence for system in systems.values()]
    settings_ = Bootstrap(replicates=1100, seed=5)
    for one, other in zip(resample_sums([item.matrix for item in evidence], settings_), _rechoose_sums(evidence, settings_), strict=True):
        assert np.array_equal(one, other)


def test_intervals_with_the_choice_made_again(gold: Corpus, systems: dict[str, System]) -> None:
    evidence = Evaluator(gold)(systems["eager"]).evidence
    (kept,), (again,) = (compute_intervals([evidence], Bootstrap(choice=choice, replicates=2000)) for choice in ("kept", "again"))
    assert kept != again
    assert (kept.low, kept.high) == pytest.approx((again.low, again.high), abs=0.01)
    assert str(again.bootstrap).endswith("seed 0, references rechosen")


def test_numbers_too_large_for_the_core_are_refused() -> None:
    evidence = evidence_of([[(1, 1, 1)], [(2, 10**9, 10**9)]], "maxmatch(beta=0.12345678)")
    with pytest.raises(RequestError, match="use a beta with fewer digits"):
        compute_intervals([evidence], Bootstrap(choice="again"))


def in_documents(evidence: Evidence, size: int) -> Evidence:
    """The sentences in documents of a size; the last may be shorter."""
    sentences = tuple(replace(sentence, document=f"d{number // size}") for number, sentence in enumerate(evidence.corpus))
    return replace(evidence, corpus=replace(evidence.corpus, sentences=sentences))


@pytest.mark.parametrize("metric", ["maxmatch", "maxmatch(choice=optimal)", "imeasure", "hoo"])
def test_documents_of_one_sentence_are_sentences(gold: Corpus, systems: dict[str, System], metric: str) -> None:
    evaluate = Evaluator(gold, metric)
    evidence = [evaluate(systems[name]).evidence for name in ("eager", "cautious")]
    alone = [in_documents(item, 1) for item in evidence]
    for choice in ("kept", "again"):
        by_sentence = Bootstrap(replicates=500, choice=choice)
        by_document = replace(by_sentence, by="document")
        for one, other in zip(compute_intervals(evidence, by_sentence), compute_intervals(alone, by_document), strict=True):
            assert (one.low, one.high) == (other.low, other.high)
        assert compare(evidence, bootstrap=by_sentence) == compare(alone, bootstrap=by_document)


def test_whole_documents_are_resampled(gold: Corpus, systems: dict[str, System]) -> None:
    evidence = in_documents(Evaluator(gold)(systems["eager"]).evidence, 10)
    counts = sum_by_unit(evidence.matrix, evidence.corpus, "document")
    assert counts.shape == (8, 3)
    assert counts[-1].tolist() == evidence.matrix[70:].sum(axis=0).tolist()
    (kept,) = resample_sums([counts], Bootstrap(replicates=300, by="document"))
    (again,) = _rechoose_sums([evidence], Bootstrap(replicates=300, by="document", choice="again"))
    draw = np.random.default_rng(0)
    for number, documents in enumerate(draw.integers(0, 8, size=(3, 8))):
        assert kept[number].tolist() == counts[documents].sum(axis=0).tolist()
        drawn = [evidence.rows[sentence] for index in documents for sentence in range(10 * index, min(72, 10 * index + 10))]
        chosen = _choose(drawn, make_edit_ratios(0.5).f, "official")
        assert again[number].tolist() == np.array([options[k] for options, k in zip(drawn, chosen, strict=True)]).sum(axis=0).tolist()


def test_sentences_that_depend_on_each_other_make_wider_intervals() -> None:
    """Ten documents in which all sentences are alike know no more than ten sentences."""
    draw = np.random.default_rng(1)
    kinds = [(1, 1, 1), (0, 1, 1)]
    sentences = [[kinds[k]] for k in draw.integers(0, 2, size=10) for _ in range(20)]
    evidence = in_documents(evidence_of(sentences, "maxmatch"), 20)
    (alone,), (together,) = (compute_intervals([evidence], Bootstrap(by=by)) for by in ("sentence", "document"))
    assert together.high - together.low > 3 * (alone.high - alone.low)
    (ten,) = compute_intervals([evidence_of(sentences[::20], "maxmatch")])
    assert (together.low, together.high) == (ten.low, ten.high)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "sign"])
def test_tests_by_document(test: str) -> None:
    """Ten documents in which all sentences are alike decide as ten sentences do."""
    draw = np.random.default_rng(4)
    kinds = [(1, 1, 1), (0, 1, 1), (0, 0, 1)]
    systems = [[[kinds[k]] for k in draw.integers(0, 3, size=12)] for _ in range(2)]
    few = [replace(evidence_of(rows, "maxmatch"), system_name=name) for rows, name in zip(systems, "ab", strict=True)]
    many = [
        replace(in_documents(evidence_of([row for row in rows for _ in range(9)], "maxmatch"), 9), system_name=name)
        for rows, name in zip(systems, "ab", strict=True)
    ]
    (one,), (other,) = compare(few, test), compare(many, test, bootstrap=Bootstrap(by="document"))  # type: ignore[arg-type]
    assert one.p == pytest.approx(other.p)
    assert one.effect == pytest.approx(other.effect)
    assert one.sentences_needed is not None
    assert other.sentences_needed == pytest.approx(9 * one.sentences_needed, abs=9)


@given(st.lists(st.lists(rows, min_size=1, max_size=3), min_size=3, max_size=6), st.integers(0, 99))
@settings(max_examples=30)
def test_swapped_systems_choose_again(sentences: list[list[tuple[int, int, int]]], seed: int) -> None:
    """The randomisation test with references rechosen, against outputs that are really swapped."""
    systems = [evidence_of(sentences, "maxmatch"), replace(evidence_of(sentences[::-1], "maxmatch"), system_name="y")]
    (found,) = compare(systems, bootstrap=Bootstrap(replicates=100, seed=seed, choice="again"))
    if systems[0].rows == systems[1].rows:
        assert found.p == 1
        return
    swaps = np.random.default_rng(seed).integers(0, 2, size=(100, len(sentences)))
    as_far = 0
    for swap in swaps:
        one = [item[::-1] if bit else item for item, bit in zip(zip(*(system.rows for system in systems), strict=True), swap, strict=True)]
        values = [replace(systems[0], rows=tuple(item[k] for item in one)).value for k in (0, 1)]
        as_far += abs(values[0] - values[1]) >= abs(found.difference) * (1 - 1e-9)
    assert found.p == (as_far + 1) / 101


def test_parts_change_no_number() -> None:
    """Draws are the same in one piece and in many, so memory can be bounded."""
    whole = np.random.default_rng(3).integers(0, 77, size=(20, 77))
    draw = np.random.default_rng(3)
    assert np.array_equal(whole, np.concatenate([draw.integers(0, 77, size=(size, 77)) for size in (7, 1, 12)]))


def test_bad_requests(gold: Corpus, systems: dict[str, System]) -> None:
    with pytest.raises(UsageError, match="choice must be 'kept' or 'again', found 'new'"):
        Bootstrap(choice="new")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="by must be 'sentence' or 'document', found 'essay'"):
        Bootstrap(by="essay")  # type: ignore[arg-type]
    evidence = Evaluator(gold)(systems["eager"]).evidence
    with pytest.raises(RequestError, match=r"72 of 72 sentences have no document \(the first is sentence 1\); use --documents FILE"):
        compute_intervals([evidence], Bootstrap(by="document"))
    with pytest.raises(RequestError, match="an interval needs two documents or more, found 1"):
        compute_intervals([in_documents(evidence, 100)], Bootstrap(by="document"))


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["score", "examples/learner.m2", "examples/systems/eager.txt", "--confidence", "--replicates", "1000", "--rechoose"]
    assert main(arguments) == 0
    assert capsys.readouterr().out.endswith("95% intervals: bca, 1,000 replicates of sentences, seed 0, references rechosen\n")


@pytest.mark.slow
def test_the_number_of_threads_changes_nothing() -> None:
    """Libraries may add up in several threads; sums of whole numbers do not depend on the order."""
    arguments = ["compare", "examples/learner.m2", *sorted(map(str, Path("examples/systems").glob("*.txt"))), "--format", "json"]
    found = []
    for threads in ("1", "2", "7"):
        environment = {**os.environ, **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), threads)}
        done = subprocess.run([sys.executable, "-m", "errata", *arguments], env=environment, capture_output=True, text=True, check=True)
        found.append(done.stdout)
    assert found[0] == found[1] == found[2]


def test_metrics_side_by_side_choose_each_by_its_own_rule(gold: Corpus, systems: dict[str, System]) -> None:
    evidence = [Evaluator(gold, metric)(systems["eager"]).evidence for metric in ("accuracy", "maxmatch", "maxmatch(choice=sentence)")]
    settings_ = Bootstrap(replicates=300, choice="again")
    together = _rechoose_sums(evidence, settings_)
    for item, sums in zip(evidence, together, strict=True):
        assert np.array_equal(_rechoose_sums([item], settings_)[0], sums)


def test_one_long_document_takes_no_memory_for_the_others() -> None:
    sentences = [[(1, 1, 1), (0, 1, 1)], [(0, 0, 1), (0, 1, 2)]] * 2000
    evidence = evidence_of(sentences, "maxmatch")
    names = ["long"] * 2000 + [str(number) for number in range(2000)]
    corpus = Corpus(tuple(replace(sentence, document=name) for sentence, name in zip(evidence.corpus, names, strict=True)))
    (found,) = compute_intervals([replace(evidence, corpus=corpus)], Bootstrap(replicates=100, by="document", choice="again"))
    assert 0 < found.low < found.high < 1
