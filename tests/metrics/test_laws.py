"""Laws that hold for every metric, and for each law a metric that breaks it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import errata
from errata import METRICS, Corpus, GraphBank, MaxMatch, Metric, ParseBank, Sentence, System, UccaSim
from errata.corpus.texts import Tokens
from errata.errors import UsageError
from errata.metrics import Choose, Draws, Expectation, ExpectedCounts, Output, Scorer, Strategy
from errata.metrics.base import RatioMetric, RowsOfSentences
from errata.metrics.ratios import Ratio, Row
from errata.studies import (
    LAWS,
    BrokenLawError,
    DoesNotApply,
    Law,
    check_metric,
    list_variants,
    make_sample_corpora,
    make_sample_systems,
    testing,
)

from graph_notation import toy_parser
from strategies import separate_edits
from thoroughness import mixed, some
from toy_analyser import ToyAnalyser, use_toy_words

FLAWLESS = Sentence.of("Nothing is wrong here .", [])
EVERY_SETTING = [text for name in METRICS for text in list_variants(METRICS[name])]
SEVERAL_SETTINGS = [
    "maxmatch(beta=1.0)",
    "maxmatch(max_unchanged=0)",
    "maxmatch(choice=sentence,missing=noop)",
    "imeasure(references=single,baseline=existing)",
    "imeasure(w=3.0,gap=3,mismatch=4)",
    "imeasure(maximise=f,aspect=detection,per=corpus)",
    "gleu(variant=corrected,draws=expected,order=2)",
    "gleu(variant=original_2015jun,weight=0.3)",
    "gleu(variant=official_2016may,draws=expectation,order=1)",
    "gleu(order=2,iterations=7,smoothing=none,missing=same)",
    "hoo(edits=maxmatch,score=recognition)",
    "hoo(bonus=true,rules=2011,choice=sentence)",
    "indexmatch(positions=formal,normalise=tokens)",
    "errant(level=dt,gold=text,beta=1.0)",
    "errant(level=ds,repeated=once,choice=sentence)",
    "errant(types=not:R:NOUN,gold=gold)",
    "uccasim(word_alignment=monotone,labels=strict)",
    "uccasim(partner=share,direction=mean)",
    "uccasim(implicit=none,min_words=2,direction=correction)",
    "distsim(categories=H)",
    "distsim(categories=A+C,min_words=1)",
]


@pytest.fixture(autouse=True)
def _without_the_package_errant(monkeypatch: pytest.MonkeyPatch) -> None:
    use_toy_words(monkeypatch)


def ready(text: str) -> Metric:
    """A metric with the data it needs."""
    metric = errata.metric(text)
    if "graphs" in metric.needs:
        return metric.with_data(graphs=GraphBank(parser=toy_parser))
    return metric.with_data(parses=ParseBank(ToyAnalyser())) if "parses" in metric.needs else metric


@pytest.mark.parametrize("metric", [*some(EVERY_SETTING, 24), *SEVERAL_SETTINGS])
def test_every_metric_keeps_the_laws(metric: str) -> None:
    check_metric(ready(metric))


@pytest.mark.slow
def test_which_laws_say_nothing_about_a_metric() -> None:
    found = {
        name: [law for law, reason in check_metric(ready(name)).items() if reason and reason != "it needs no data"] for name in METRICS
    }
    positives = ["the source has no false positives", "an unchanged correct sentence changes nothing"]
    alone = "parts of a gold are counted alone"
    of_graphs = [*positives, alone, "renaming words changes nothing"]
    assert {"uccasim", "distsim"} == {name for name, laws in found.items() if laws == of_graphs}
    assert all(not found[name] for name in ("maxmatch", "imeasure", "hoo", "accuracy", "indexmatch"))
    assert found["errant"] == ["a perfect system has the best value", alone, "renaming words changes nothing"]


@pytest.mark.slow
@pytest.mark.parametrize(("law", "metric"), mixed(4, LAWS, [*METRICS, *SEVERAL_SETTINGS]))
@given(sentences=st.lists(separate_edits(), min_size=1, max_size=4))
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_law_on_random_corpora(law: Law, metric: str, sentences: list[Sentence]) -> None:
    corpus = Corpus((*sentences, FLAWLESS))
    with suppress(DoesNotApply):
        law(ready(metric), corpus, make_sample_systems(corpus))


@pytest.mark.parametrize(("law", "metric"), mixed(4, LAWS, [*METRICS, *SEVERAL_SETTINGS]))
def test_law_on_the_example_corpus(law: Law, metric: str, gold: Corpus, systems: dict[str, System]) -> None:
    corpus = Corpus(gold.sentences[:20]) if errata.metric(metric).needs else gold
    with suppress(DoesNotApply):
        law(ready(metric), corpus, [System(system.name, system.sentences[: len(corpus)]) for system in systems.values()])


def test_samples_have_what_the_laws_look_at() -> None:
    corpora = make_sample_corpora()
    sentences = [sentence for corpus in corpora for sentence in corpus]
    assert {len(sentence.annotations) for sentence in sentences} == {0, 1, 2, 3}
    assert sum(bool(item.annotations) and testing._is_plain(item, item.annotations[0]) for item in sentences) >= 5
    assert make_sample_corpora() == corpora


def test_a_metric_without_its_data_cannot_be_checked() -> None:
    with pytest.raises(UsageError, match=r"uccasim needs graphs to be checked: check_metric\(metric.with_data\(graphs=...\)\)"):
        check_metric("uccasim")


class _Changed(Output):
    """The output of another metric, whose rows are changed."""

    def __init__(self, output: Output, change: Callable[[int, Row, int], Row]) -> None:
        super().__init__(output.hypotheses, output.first)
        self.output, self.change = output, change

    def rows(self, start: int, stop: int) -> RowsOfSentences:
        found = self.output.rows(start, stop)
        return [tuple(self.change(start + k, row, stop - start) for row in rows) for k, rows in enumerate(found)]


class _Tampering:
    """A scorer whose rows are changed by a function of the metric, the outputs prepared before, the row and the number of rows."""

    def __init__(self, scorer: Scorer, change: Callable[[list[Sequence[Tokens]], Sequence[Tokens], Row, int], Row]) -> None:
        self.scorer, self.change = scorer, change
        self.history: list[Sequence[Tokens]] = []
        self.labels = scorer.labels

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> _Changed:
        self.history.append(hypotheses)
        return _Changed(self.scorer.prepare(hypotheses, first), lambda _, row, size: self.change(self.history, hypotheses, row, size))


@dataclass(frozen=True)
class Tampered(MaxMatch):
    """MaxMatch with a fault."""

    change: ClassVar[Callable[[list[Sequence[Tokens]], Sequence[Tokens], Row, int], Row]]

    def scorer(self, corpus: Corpus) -> _Tampering:  # type: ignore[override]
        return _Tampering(super().scorer(corpus), type(self).change)


def _broken(change: Callable[[list[Sequence[Tokens]], Sequence[Tokens], Row, int], Row]) -> Metric:
    return type("Broken", (Tampered,), {"change": staticmethod(change)})()  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Mute(MaxMatch):
    """Forgets its settings when printed."""

    beta: float = 1.0

    def __str__(self) -> str:
        return "maxmatch"


@dataclass(frozen=True)
class Rooted(MaxMatch):
    """Its value is the root of F, and its values are not."""

    def value(self, counts: Row) -> float:
        return math.sqrt(super().value(counts))

    def values(self, counts: Any) -> Any:
        return self.ratio.values(counts)


@dataclass(frozen=True)
class Forgetful(UccaSim):
    """Its graphs are no part of it."""

    graphs: GraphBank | None = field(default=None, compare=False, metadata={"data": True})


@dataclass(frozen=True)
class _Doubled(Choose):
    """The first sentence counts twice in intervals and tests."""

    def matrix(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Any:
        lines = super().matrix(rows, chosen)
        lines[0] *= 7
        return lines


@dataclass(frozen=True)
class Uneven(MaxMatch):
    """Its sentences do not add up."""

    @property
    def strategy(self) -> Choose:
        return _Doubled("official", self.ratio)


class _Locked:
    def __init__(self, scorer: Scorer) -> None:
        self.scorer, self.lock = scorer, Lock()
        self.prepare, self.labels = scorer.prepare, scorer.labels


@dataclass(frozen=True)
class Locked(MaxMatch):
    """Holds what cannot be sent."""

    def scorer(self, corpus: Corpus) -> _Locked:  # type: ignore[override]
        return _Locked(super().scorer(corpus))


@dataclass(frozen=True)
class Relative(MaxMatch):
    """Its counts depend on how many sentences the gold has, although it says that they do not."""

    in_parts: ClassVar[bool] = True

    def scorer(self, corpus: Corpus) -> _Tampering:  # type: ignore[override]
        return _Tampering(super().scorer(corpus), lambda _, __, row, ___: (row[0], row[1], row[2] + len(corpus)))


BREAKERS: dict[Law, Metric] = {
    testing.parts_of_a_gold_are_counted_alone: Relative(),
    testing.a_perfect_system_has_the_best_value: _broken(lambda _, __, row, ___: (row[0], row[1], row[2] + 1)),
    testing.the_source_has_no_false_positives: _broken(lambda _, __, row, ___: (row[0], row[1] + 1, row[2])),
    testing.an_unchanged_correct_sentence_changes_nothing: _broken(lambda _, __, row, ___: (row[0], row[1] + 1, row[2] + 1)),
    testing.the_order_of_systems_does_not_matter: _broken(lambda past, __, row, ___: (row[0], row[1] + sum(map(len, past[0])), row[2])),
    testing.outputs_prepared_together_are_scored_separately: _broken(
        lambda past, own, row, _: (row[0], row[1] + (past[-1] is not own), row[2])
    ),
    testing.rows_do_not_depend_on_how_sentences_are_batched: _broken(lambda _, __, row, size: (row[0], row[1] + size, row[2])),
    testing.rows_are_whole_numbers_with_a_name_for_each: _broken(lambda _, __, row, ___: (row[0], row[1] + 0.5, row[2])),  # type: ignore[arg-type,return-value]
    testing.renaming_words_changes_nothing: _broken(lambda _, own, row, __: (row[0], row[1] + str(own).count("e"), row[2])),
    testing.values_follow_value: Rooted(),
    testing.sentences_add_up_to_the_corpus: Uneven(),
    testing.a_metric_is_what_it_prints: Mute(),
    testing.data_make_a_difference: Forgetful(graphs=GraphBank(parser=toy_parser)),
    testing.scores_can_be_copied_and_sent: Locked(),
}


@pytest.mark.parametrize("law", LAWS)
def test_a_broken_metric_fails_the_law(law: Law, gold: Corpus, systems: dict[str, System]) -> None:
    with pytest.raises(BrokenLawError):
        law(BREAKERS[law], gold, list(systems.values()))


def test_a_broken_law_is_named() -> None:
    with pytest.raises(BrokenLawError, match=r"maxmatch breaks a law: values follow value: value of \(.*\) is .*, but values gives"):
        check_metric(Rooted())


def test_who_changes_value_changes_values() -> None:
    """The default follows ``value``; the fast way belongs to metrics whose value is their ratio."""

    @dataclass(frozen=True)
    class OnlyValue(MaxMatch):
        def value(self, counts: Row) -> float:
            return math.sqrt(super().value(counts))

    testing.values_follow_value(OnlyValue(), make_sample_corpora()[0], make_sample_systems(make_sample_corpora()[0]))


@dataclass(frozen=True)
class Spread(RatioMetric):
    """Shared words, with references that all take part."""

    how: ClassVar[Strategy]

    name: ClassVar[str] = "spread"
    summary: ClassVar[str] = "shared words"
    columns: ClassVar[tuple[str, ...]] = ("shared", "words")

    @property
    def strategy(self) -> Strategy:
        return type(self).how

    @property
    def ratio(self) -> Ratio:
        return Ratio((2, 0), (0, 1))

    def count(self, sentence: Sentence, hypothesis: Tokens) -> list[Row]:
        texts = [sentence.corrected(annotation) for annotation in sentence.annotations] or [sentence.tokens]
        return [((Counter(text) & Counter(hypothesis)).total(), len(text) + len(hypothesis)) for text in texts]

    def expected_values(self, means: Any, covariances: Any) -> Any:
        del covariances
        return self.values(means)


class Drawn(Spread):
    how = Draws(7)


class Averaged(Spread):
    how = ExpectedCounts()


class Expected(Spread):
    how = Expectation()


@pytest.mark.parametrize("metric", [Drawn(), Averaged(), Expected()])
def test_metrics_that_choose_no_reference_keep_the_laws(metric: Metric) -> None:
    report = check_metric(metric)
    assert report["a metric is what it prints"] == "it is not installed, so its text cannot be read"
    assert not report["sentences add up to the corpus"]


def test_a_mixin_that_changes_value_changes_values() -> None:
    class Half:
        def value(self, counts: Row) -> float:
            return super().value(counts) / 2  # type: ignore[misc,no-any-return]

    @dataclass(frozen=True)
    class Halved(Half, MaxMatch):
        pass

    assert Halved().values(np.array([[1.0, 1.0, 1.0]])).tolist() == [0.5]
    assert Halved.title == "MaxMatch"


def test_the_laws_on_a_corpus_of_ones_own(gold: Corpus) -> None:
    assert check_metric("accuracy", gold) == check_metric("accuracy", [gold])
