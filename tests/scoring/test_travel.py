"""One evaluator from many threads and processes: the same numbers."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

import errata
from errata import Corpus, Evaluator, GraphBank, RequestError, Score, System, UccaSim, compare
from errata.corpus.texts import Tokens
from errata.language import Graph, read_graphs

from graph_notation import toy_parser

METRICS = ["maxmatch", "maxmatch(ignore_case_and_space=true)", "imeasure", "hoo", "accuracy", "indexmatch", "uccasim", "distsim"]


def evaluator(gold: Corpus, metric: str) -> Evaluator:
    found = errata.metric(metric)
    return Evaluator(gold, found.with_data(graphs=GraphBank(parser=toy_parser)) if found.needs else found)


def few(gold: Corpus, systems: dict[str, System]) -> tuple[Corpus, list[System]]:
    return Corpus(gold.sentences[:24]), [System(name, system.sentences[:24]) for name, system in systems.items()]


@pytest.mark.parametrize("metric", METRICS)
def test_eight_threads_share_an_evaluator(metric: str, gold: Corpus, systems: dict[str, System]) -> None:
    corpus, outputs = few(gold, systems)
    expected = [evaluator(corpus, metric)(system) for system in outputs]
    shared = evaluator(corpus, metric)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(shared, outputs * 8))
    assert found == expected * 8


@pytest.mark.slow
def test_a_process_pool_gets_evaluators_and_gives_scores(gold: Corpus, systems: dict[str, System]) -> None:
    corpus, outputs = few(gold, systems)
    evaluators = [evaluator(corpus, metric) for metric in METRICS]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        pending = [pool.submit(evaluate, system) for evaluate in evaluators for system in outputs]
        found = [item.result() for item in pending]
    assert found == [evaluate(system) for evaluate in evaluators for system in outputs]


@pytest.mark.parametrize("metric", METRICS)
def test_scores_evidence_and_scorers_are_copied(metric: str, gold: Corpus, systems: dict[str, System]) -> None:
    corpus, outputs = few(gold, systems)
    evaluate = evaluator(corpus, metric)
    score = evaluate(outputs[0])
    copies: list[Score] = [pickle.loads(pickle.dumps(score)), copy.deepcopy(score)]
    for other in copies:
        assert other == score
        assert other.evidence == score.evidence
        assert other.signature == score.signature
        assert tuple(other.output.rows(0, len(corpus))) == score.evidence.rows
    assert tuple(pickle.loads(pickle.dumps(evaluate)).prepare(outputs[1]).rows(0, len(corpus))) == evaluate(outputs[1]).evidence.rows


def test_what_is_shown_survives_the_way(gold: Corpus, systems: dict[str, System]) -> None:
    edits, alignment = (Evaluator(gold, metric)(systems["eager"]) for metric in ("maxmatch", "imeasure"))
    assert pickle.loads(pickle.dumps(edits)).edits(3) == edits.edits(3)
    assert pickle.loads(pickle.dumps(alignment)).alignment(3) == alignment.alignment(3)


def test_two_graph_banks_are_not_one_metric() -> None:
    folder = "examples/graphs"
    graphs = [item for name in ("source", "careful", "bold") for item in read_graphs(f"{folder}/{name}.mrp")]
    same, other = GraphBank(graphs), GraphBank(graphs[:-1], parser=toy_parser)
    assert UccaSim(graphs=GraphBank(graphs)) == UccaSim(graphs=same) != UccaSim(graphs=other)
    assert hash(UccaSim(graphs=GraphBank(graphs))) == hash(UccaSim(graphs=same))
    assert len({GraphBank(graphs), same, other}) == 2
    assert GraphBank(graphs) != GraphBank(graphs, [[("a",)]])
    assert same != "a bank"
    one, other_one = (lambda texts: toy_parser(texts)), (lambda texts: toy_parser(texts))  # noqa: PLW0108 - two of one name
    assert GraphBank(graphs, parser=one) == GraphBank(graphs, parser=one) != GraphBank(graphs, parser=other_one)


def test_systems_with_other_graphs_are_not_compared(gold: Corpus, systems: dict[str, System]) -> None:
    corpus, outputs = few(gold, systems)
    banks = [GraphBank(parser=toy_parser), GraphBank(parser=renamed_parser)]
    evidence = [Evaluator(corpus, UccaSim(graphs=bank))(system).evidence for bank, system in zip(banks, outputs[:2], strict=True)]
    with pytest.raises(RequestError, match="found uccasim and uccasim with other data"):
        compare(evidence)


def renamed_parser(sentences: Sequence[Tokens]) -> list[Graph]:
    return toy_parser(sentences)
