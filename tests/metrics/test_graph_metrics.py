"""Metrics that compare graphs: laws, statistics and the command line."""

from __future__ import annotations

import pytest

import errata
from errata import Corpus, DistSim, GraphBank, Sentence, System, UccaSim
from errata.errors import MismatchError, UsageError
from errata.language.graphs import CommandParser
from errata.metrics import Metric
from errata.scoring import Evaluator
from errata.studies import evaluate_faithfulness, pair_graphs

from graph_notation import toy_parser

FOLDER = "examples/graphs"


def ready(metric: str) -> Metric:
    """A metric with graphs of everything."""
    return errata.metric(metric).with_data(graphs=GraphBank(parser=toy_parser))


@pytest.fixture(scope="module")
def learners() -> Corpus:
    return errata.read(f"{FOLDER}/learner.m2")


@pytest.fixture(scope="module")
def outputs() -> list[System]:
    return [errata.read_system(f"{FOLDER}/{name}.txt") for name in ("careful", "bold")]


@pytest.fixture(scope="module")
def bank() -> GraphBank:
    return GraphBank([item for name in ("source", "careful", "bold") for item in errata.read_graphs(f"{FOLDER}/{name}.mrp")])


def test_no_reference_is_looked_at(learners: Corpus, outputs: list[System], bank: GraphBank) -> None:
    bare = Corpus(tuple(Sentence(sentence.tokens) for sentence in learners))
    for output in outputs:
        metric = UccaSim(graphs=bank)
        assert errata.score(bare, output, metric).counts == errata.score(learners, output, metric).counts


def test_a_loop_and_intervals(learners: Corpus, outputs: list[System], bank: GraphBank) -> None:
    evaluate = Evaluator(learners, UccaSim(graphs=bank))
    careful, bold = (evaluate(output) for output in outputs)
    assert careful.value > bold.value
    assert bold.parts["from_source"] == pytest.approx(0.7957, abs=5e-5)
    interval = bold.interval()
    assert interval.low < bold.value < interval.high
    (comparison,) = errata.compare([careful.evidence, bold.evidence])
    assert comparison.difference == pytest.approx(careful.value - bold.value)
    assert comparison.low < comparison.difference < comparison.high
    known = bank.fingerprint([sentence.tokens for sentence in learners])
    assert f"| graphs of the source sha256 {known} |" in bold.signature
    assert {item.reference for item in bold.sentences} == {"none"}


def test_a_signature_names_the_parser_and_depends_on_the_source_alone(learners: Corpus, outputs: list[System], bank: GraphBank) -> None:
    metric = ready("uccasim")
    score = errata.score(learners, [sentence.tokens for sentence in learners], metric)
    assert ", parser toy_parser |" in score.signature
    for output in outputs:
        assert errata.score(learners, output, metric).signature == score.signature
    assert "parser" not in errata.score(learners, outputs[0], UccaSim(graphs=bank)).signature
    assert CommandParser(["python3", "parse.py"]).name == "command python3 parse.py"


def test_a_value_that_rests_on_nothing_can_say_so(learners: Corpus, outputs: list[System], bank: GraphBank) -> None:
    score = errata.score(learners, outputs[0], DistSim(categories="Z+T", graphs=bank))
    assert score.value == 1
    assert score.metric.warnings(score.counts) == ["the value is meaningless: no unit of 2 or more words has the category Z or T"]
    nothing = "the value is meaningless: neither the graphs of the source nor those of the output have units"
    assert UccaSim().warnings((0, 0, 0, 0, 0, 0)) == [nothing]
    assert not UccaSim().warnings((0, 1, 0, 0, 0, 0))


def test_what_is_no_bank() -> None:
    with pytest.raises(UsageError, match="graphs must be a GraphBank, found list"):
        UccaSim(graphs=[])  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"a bank needs graphs, for example from errata\.read_graphs, found str"):
        GraphBank("source.mrp")  # type: ignore[arg-type]


def test_what_the_settings_change(learners: Corpus, outputs: list[System], bank: GraphBank) -> None:
    def value(metric: Metric) -> float:
        return errata.score(learners, outputs[1], metric).value

    by_direction = {direction: value(UccaSim(direction=direction, graphs=bank)) for direction in ("both", "source", "correction", "mean")}
    assert by_direction["mean"] == pytest.approx((by_direction["source"] + by_direction["correction"]) / 2)
    assert len(set(by_direction.values())) == 4
    assert value(UccaSim(labels="strict", graphs=bank)) <= by_direction["both"]
    assert value(DistSim(categories="H", graphs=bank)) == pytest.approx(2 * 7 / 15)


def test_without_graphs(learners: Corpus, outputs: list[System], bank: GraphBank) -> None:
    with pytest.raises(UsageError, match=r"uccasim needs semantic graphs: --graphs or --parser \(UccaSim"):
        errata.score(learners, outputs[0], "uccasim")
    with pytest.raises(MismatchError, match=r"learner.m2: sentence 1 has no graph: 'The students likes reading books \.'"):
        errata.score(learners, outputs[0], UccaSim(graphs=GraphBank()))
    with pytest.raises(MismatchError, match="system: sentence 2 has no graph: 'something else'"):
        errata.score(learners, ["The students like reading books .", "something else", "", "", "", ""], UccaSim(graphs=bank))


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("uccasim(direction=up)", "uccasim setting direction must be one of both, source, correction, mean, found 'up'"),
        ("uccasim(labels=loose)", "uccasim setting labels must be one of weak, strict, found 'loose'"),
        (
            "uccasim(graphs=x)",
            "uccasim has no setting 'graphs'; choose from word_alignment, partner, labels",
        ),
        ("distsim(categories=A++D)", r"distsim setting categories must be written such as A\+D, found 'A\+\+D'"),
        ("distsim(min_words=-1)", "distsim setting min_words must be a whole number from 0 to 1000000, found -1"),
    ],
)
def test_settings_that_are_none(metric: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        errata.metric(metric)


def test_faithfulness_has_the_metrics_and_the_evidence_of_scores(learners: Corpus, outputs: list[System], bank: GraphBank) -> None:
    sources, corrections = (errata.read_graphs(f"{FOLDER}/{name}.mrp") for name in ("source", "bold"))
    found = evaluate_faithfulness("bold", pair_graphs(sources, corrections, "bold"), UccaSim(labels="strict", graphs=bank))
    score = errata.score(learners, outputs[1], UccaSim(labels="strict", graphs=bank))
    assert found.evidence().metric == score.metric
    assert found.evidence().rows == score.evidence.rows
    scenes = found.distsim_evidence(["H"])
    assert scenes.metric.signature == "distsim(categories=H,min_words=2)"
    assert scenes.rows == errata.score(learners, outputs[1], DistSim(categories="H", graphs=bank)).evidence.rows
    assert found.distsim_evidence(["A", ""]).metric.signature == "distsim(categories=A+_,min_words=2)"
    with_own_graphs = evaluate_faithfulness("bold", pair_graphs(sources, corrections, "bold"))
    assert with_own_graphs.metric == UccaSim(graphs=GraphBank(graph for pair in zip(sources, corrections, strict=True) for graph in pair))
