"""The metrics that look at graphs, as metrics: laws, statistics and the command line beside others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import errata
from errata import Bootstrap, Corpus, DistSim, GraphBank, Sentence, System, UccaSim, parse
from errata.corpus import Tokens
from errata.errors import MismatchError, UsageError
from errata.graphs import Graph
from errata.graphs.parsers import CommandParser
from errata.metrics import METRICS, Metric
from errata.metrics.faithfulness import FaithfulnessMetric
from errata.scoring import Evaluator, gather
from errata.stats.resampling import chosen_counts, resampled_sums

from graph_notation import graph

FOLDER = "examples/graphs"
VARIANTS = [
    "uccasim",
    "uccasim(words=monotone,tags=strict)",
    "uccasim(partner=share,direction=mean)",
    "uccasim(direction=source)",
    "uccasim(implicit=none,least=2,direction=correction)",
    "distsim",
    "distsim(categories=H)",
    "distsim(categories=A+C,least=1)",
]


def split(sentences: Sequence[Tokens]) -> list[Graph]:
    """A parser: the first word is a relation, pairs of others are participants."""
    found = []
    for number, tokens in enumerate(sentences):
        rest = [f"[A {' '.join(tokens[place : place + 2])}]" for place in range(1, len(tokens), 2)]
        found.append(graph(f"[H [P {tokens[0]}] {' '.join(rest)}]", str(number)))
    return found


def ready(metric: str) -> FaithfulnessMetric:
    """A metric with graphs of everything."""
    found = parse(metric)
    assert isinstance(found, FaithfulnessMetric)
    return replace(found, graphs=GraphBank(parser=split))  # type: ignore[type-var]


@pytest.fixture(scope="module")
def learners() -> Corpus:
    return errata.read(f"{FOLDER}/learner.m2")


@pytest.fixture(scope="module")
def outputs() -> list[System]:
    return [errata.read_system(f"{FOLDER}/{name}.txt") for name in ("careful", "bold")]


@pytest.fixture(scope="module")
def bank() -> GraphBank:
    return GraphBank([item for name in ("source", "careful", "bold") for item in errata.read_graphs(f"{FOLDER}/{name}.mrp")])


def test_every_metric_without_references_is_tried() -> None:
    assert {parse(text).name for text in VARIANTS} == {name for name, metric in METRICS.items() if metric.referenceless}


@pytest.mark.parametrize("metric", VARIANTS)
def test_a_metric_is_what_it_prints(metric: str) -> None:
    found = ready(metric)
    assert str(found) == metric
    assert parse(found.signature) == found


@pytest.mark.parametrize("metric", VARIANTS)
@given(st.lists(st.lists(st.sampled_from(["a", "cat", "cats", "runs"]), min_size=1, max_size=6), min_size=1, max_size=4))
def test_a_source_left_alone_scores_one(metric: str, texts: list[list[str]]) -> None:
    corpus = Corpus(tuple(Sentence.of(text) for text in texts))
    assert errata.score(corpus, [sentence.tokens for sentence in corpus], ready(metric)).value == 1


@pytest.mark.parametrize("metric", VARIANTS)
def test_rows_do_not_depend_on_how_sentences_are_batched(metric: str, gold: Corpus, systems: dict[str, System]) -> None:
    small = Corpus(gold.sentences[:20])
    for system in systems.values():
        own = System(system.name, system.sentences[:20])
        scorer = ready(metric).scorer(small)
        single = [row for number, tokens in enumerate(own.sentences) for row in scorer.rows(number, [tokens])]
        assert gather(ready(metric), small, own).rows == tuple(single)


@pytest.mark.parametrize("metric", VARIANTS)
def test_many_values_are_the_values(metric: str, gold: Corpus, systems: dict[str, System]) -> None:
    evidence = errata.score(gold, systems["eager"], ready(metric)).evidence
    sums = resampled_sums([chosen_counts(evidence)], Bootstrap(replicates=100))[0]
    expected = [evidence.metric.value(tuple(int(count) for count in row)) for row in sums]
    assert evidence.metric.values(sums) == pytest.approx(expected, abs=1e-12)
    nothing = np.zeros((1, len(evidence.metric.columns)))
    assert evidence.metric.values(nothing)[0] == evidence.metric.value((0,) * nothing.shape[1])


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
    comparison = errata.compare([careful.evidence, bold.evidence])
    assert comparison is not None
    known = bank.fingerprint([sentence.tokens for sentence in learners])
    assert f"| graphs of the source sha256 {known} |" in bold.signature
    assert {item.reference for item in bold.sentences()} == {"none"}


def test_a_signature_names_the_parser_and_depends_on_the_source_alone(learners: Corpus, outputs: list[System], bank: GraphBank) -> None:
    metric = ready("uccasim")
    score = errata.score(learners, [sentence.tokens for sentence in learners], metric)
    assert ", parser split |" in score.signature
    for output in outputs:
        assert errata.score(learners, output, metric).signature == score.signature
    assert "parser" not in errata.score(learners, outputs[0], UccaSim(graphs=bank)).signature
    assert CommandParser(["python3", "parse.py"]).name == "command python3 parse.py"


def test_a_value_that_rests_on_nothing_can_say_so(learners: Corpus, outputs: list[System], bank: GraphBank) -> None:
    score = errata.score(learners, outputs[0], DistSim(categories="Z+T", graphs=bank))
    assert score.value == 1
    assert DistSim(categories="Z+T").nothing_counted(score.counts) == "no unit of 2 or more words has the category Z or T"
    assert UccaSim().nothing_counted((0, 0, 0, 0, 0, 0)) == "neither the graphs of the source nor those of the output have units"
    assert not UccaSim().nothing_counted((0, 1, 0, 0, 0, 0))


def test_what_is_no_bank() -> None:
    with pytest.raises(UsageError, match="graphs are given in a GraphBank, found list"):
        UccaSim(graphs=[])  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"a bank holds graphs, as errata\.read_graphs gives them, found str"):
        GraphBank("source.mrp")  # type: ignore[arg-type]


def test_what_the_settings_change(learners: Corpus, outputs: list[System], bank: GraphBank) -> None:
    def value(metric: Metric) -> float:
        return errata.score(learners, outputs[1], metric).value

    by_direction = {direction: value(UccaSim(direction=direction, graphs=bank)) for direction in ("both", "source", "correction", "mean")}
    assert by_direction["mean"] == pytest.approx((by_direction["source"] + by_direction["correction"]) / 2)
    assert len(set(by_direction.values())) == 4
    assert value(UccaSim(tags="strict", graphs=bank)) <= by_direction["both"]
    assert value(DistSim(categories="H", graphs=bank)) == pytest.approx(2 * 7 / 15)


def test_without_graphs(learners: Corpus, outputs: list[System], bank: GraphBank) -> None:
    with pytest.raises(
        UsageError, match=r"uccasim compares semantic graphs, and none are given; give files or a parser \(--graphs or --parser; UccaSim"
    ):
        errata.score(learners, outputs[0], "uccasim")
    with pytest.raises(MismatchError, match=r"learner.m2: sentence 1 has no graph: 'The students likes reading books \.'"):
        errata.score(learners, outputs[0], UccaSim(graphs=GraphBank()))
    with pytest.raises(MismatchError, match="system: sentence 2 has no graph: 'something else'"):
        errata.score(learners, ["The students like reading books .", "something else", "", "", "", ""], UccaSim(graphs=bank))


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("uccasim(direction=up)", "uccasim setting direction is one of both, source, correction, mean, found 'up'"),
        ("uccasim(tags=loose)", "uccasim setting tags is one of weak, strict, found 'loose'"),
        ("uccasim(graphs=x)", "uccasim has no setting 'graphs'; known are words, partner, tags, implicit, least, direction"),
        ("distsim(categories=A++D)", r"distsim setting categories is written such as A\+D, found 'A\+\+D'"),
        ("distsim(least=-1)", "distsim setting least is a number of words, found -1"),
    ],
)
def test_settings_that_are_none(metric: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse(metric)
