"""Laws that hold for every metric, and for each law a metric that breaks it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import errata.metrics
from errata import METRICS, Annotation, Corpus, MaxMatch, Metric, Score, Sentence, System, parse
from errata.corpus import Tokens
from errata.metrics import Scorer
from errata.metrics.choice import Row
from errata.scoring import Evaluator, gather

from strategies import separate_edits

Law = Callable[[Metric, Corpus, list[System]], None]

FLAWLESS = Sentence.of("Nothing is wrong here .", [])


def outcomes(score: Score) -> tuple[float, float, float]:
    """True positives, false positives and false negatives, whatever the metric calls them."""
    parts = score.parts
    if "matched" in parts:  # sentences have no positives; those that are not matched are what it finds missing
        return 0, 0, parts["sentences"] - parts["matched"]
    if "corrected" in parts:
        return parts["corrected"], parts["system"] - parts["corrected"], parts["gold"] - parts["corrected"]
    if "correction" in parts:
        return parts["correction"]["tp"], parts["correction"]["fp"], parts["correction"]["fn"]
    return parts["correct"], parts["proposed"] - parts["correct"], parts["gold"] - parts["correct"]


def a_perfect_system_scores_one(metric: Metric, corpus: Corpus, systems: list[System]) -> None:
    del systems
    annotated = tuple(sentence for sentence in corpus if sentence.annotations and sentence.annotations[0].edits)
    perfect = System("perfect", tuple(sentence.corrected(sentence.annotations[0]) for sentence in annotated))
    only_first = Corpus(tuple(Sentence(sentence.tokens, sentence.annotations[:1]) for sentence in annotated))
    assert Evaluator(only_first, metric)(perfect).value == 1


def the_source_has_no_false_positives(metric: Metric, corpus: Corpus, systems: list[System]) -> None:
    del systems
    source = System("source", tuple(sentence.tokens for sentence in corpus))
    assert outcomes(Evaluator(corpus, metric)(source))[:2] == (0, 0)


def a_flawless_sentence_left_alone_changes_nothing(metric: Metric, corpus: Corpus, systems: list[System]) -> None:
    annotators = tuple(Annotation(name) for name in corpus.annotators)
    longer = Corpus((*corpus.sentences, Sentence(FLAWLESS.tokens, annotators)))
    for system in systems:
        extended = System(system.name, (*system.sentences, FLAWLESS.tokens))
        assert outcomes(Evaluator(longer, metric)(extended)) == outcomes(Evaluator(corpus, metric)(system))


def the_order_of_systems_does_not_matter(metric: Metric, corpus: Corpus, systems: list[System]) -> None:
    evaluate, again = Evaluator(corpus, metric), Evaluator(corpus, metric)
    forwards = {system.name: evaluate(system).counts for system in systems}
    backwards = {system.name: again(system).counts for system in reversed(systems)}
    assert forwards == backwards


def rows_do_not_depend_on_how_sentences_are_batched(metric: Metric, corpus: Corpus, systems: list[System]) -> None:
    for system in systems:
        scorer = metric.scorer(corpus)
        single = [row for number, tokens in enumerate(system.sentences) for row in scorer.rows(number, [tokens])]
        assert gather(metric, corpus, system).rows == tuple(single)


def renaming_words_changes_nothing(metric: Metric, corpus: Corpus, systems: list[System]) -> None:
    if metric.name == "hoo":
        return  # it looks at characters: a punctuation mark takes no space along when it is deleted

    def renamed(tokens: Sequence[str]) -> Tokens:
        return tuple(f"«{token}»" for token in tokens)

    def renamed_sentence(sentence: Sentence) -> Sentence:
        annotations = tuple(
            Annotation(
                annotation.annotator,
                tuple(
                    errata.Edit(edit.start, edit.end, tuple(" ".join(renamed(text.split())) for text in edit.corrections), edit.type)
                    for edit in annotation.edits
                ),
            )
            for annotation in sentence.annotations
        )
        return Sentence(renamed(sentence.tokens), annotations)

    other = Corpus(tuple(renamed_sentence(sentence) for sentence in corpus))
    for system in systems:
        renamed_system = System(system.name, tuple(renamed(tokens) for tokens in system.sentences))
        assert Evaluator(other, metric)(renamed_system).counts == Evaluator(corpus, metric)(system).counts


def a_metric_is_what_it_prints(metric: Metric, corpus: Corpus, systems: list[System]) -> None:
    del corpus, systems
    assert parse(str(metric)) == metric
    assert parse(metric.signature) == metric


LAWS: list[Law] = [
    a_perfect_system_scores_one,
    the_source_has_no_false_positives,
    a_flawless_sentence_left_alone_changes_nothing,
    the_order_of_systems_does_not_matter,
    rows_do_not_depend_on_how_sentences_are_batched,
    renaming_words_changes_nothing,
    a_metric_is_what_it_prints,
]
VARIANTS = [
    "maxmatch",
    "maxmatch(beta=1.0)",
    "maxmatch(max_unchanged=0)",
    "maxmatch(choice=optimal)",
    "maxmatch(choice=sentence,missing=noop)",
    "maxmatch(ignore_case_and_space=true)",
    "imeasure",
    "imeasure(references=single,baseline=existing)",
    "imeasure(w=3.0,gap=3,mismatch=4)",
    "imeasure(maximise=i)",
    "hoo",
    "hoo(edits=maxmatch,score=recognition)",
    "hoo(bonus=true,rules=2011,choice=sentence)",
    "accuracy",
    "accuracy(normalise=words)",
    "indexmatch",
    "indexmatch(places=formal,normalise=tokens)",
    "imeasure(maximise=f,aspect=detection,per=corpus)",
]


def systems_of(corpus: Corpus) -> list[System]:
    """One that leaves half of the words out, one that corrects every other sentence, one that says nothing."""
    every_other = [
        sentence.corrected(sentence.annotations[0]) if number % 2 and sentence.annotations else sentence.tokens
        for number, sentence in enumerate(corpus)
    ]
    return [
        System("halved", tuple(sentence.tokens[::2] for sentence in corpus)),
        System("every other", tuple(every_other)),
        System("silent", ((),) * len(corpus)),
    ]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("metric", VARIANTS)
@given(sentences=st.lists(separate_edits(), min_size=1, max_size=4))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_law_on_random_corpora(law: Law, metric: str, sentences: list[Sentence]) -> None:
    corpus = Corpus((*sentences, FLAWLESS))
    law(parse(metric), corpus, systems_of(corpus))


@pytest.mark.parametrize("law", [law for law in LAWS if law is not a_perfect_system_scores_one])
@pytest.mark.parametrize("metric", VARIANTS)
def test_law_on_the_example_corpus(law: Law, metric: str, gold: Corpus, systems: dict[str, System]) -> None:
    law(parse(metric), gold, list(systems.values()))


def test_every_metric_is_tried_with_its_default() -> None:
    assert {name for name in METRICS if name in VARIANTS} == {name for name, metric in METRICS.items() if not metric.referenceless}


def test_no_metric_is_forgotten() -> None:
    defined = {
        value for value in vars(errata.metrics).values() if isinstance(value, type) and issubclass(value, Metric) and value is not Metric
    }
    assert defined == set(METRICS.values())


class _Tampering:
    """A scorer whose rows are changed by a function of the sentence, the row and what was scored before."""

    def __init__(self, scorer: Scorer, change: Callable[[int, Row, list[int], int], Row]) -> None:
        self.scorer = scorer
        self.change = change
        self.history: list[int] = []
        self.labels = scorer.labels

    def rows(self, first: int, hypotheses: list[Tokens]) -> list[tuple[Row, ...]]:
        found = self.scorer.rows(first, hypotheses)
        self.history.append(sum(len(tokens) for tokens in hypotheses))
        return [tuple(self.change(first + k, row, self.history, len(hypotheses)) for row in rows) for k, rows in enumerate(found)]


@dataclass(frozen=True)
class Broken(MaxMatch):
    """MaxMatch with a fault."""

    change: ClassVar[Callable[[int, Row, list[int], int], Row]]

    def scorer(self, corpus: Corpus) -> _Tampering:  # type: ignore[override]
        return _Tampering(super().scorer(corpus), type(self).change)


def _broken(change: Callable[[int, Row, list[int], int], Row]) -> Metric:
    return type("Tampered", (Broken,), {"change": staticmethod(change)})()  # type: ignore[no-any-return]


class _Quoting:
    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer
        self.labels = scorer.labels

    def rows(self, first: int, hypotheses: list[Tokens]) -> list[tuple[Row, ...]]:
        return [
            tuple((row[0], row[1] + sum("«" in token for token in tokens), row[2]) for row in rows)
            for rows, tokens in zip(self.scorer.rows(first, hypotheses), hypotheses, strict=True)
        ]


@dataclass(frozen=True)
class AfraidOfQuotes(MaxMatch):
    """Holds quotation marks against a system."""

    def scorer(self, corpus: Corpus) -> _Quoting:  # type: ignore[override]
        return _Quoting(super().scorer(corpus))


@dataclass(frozen=True)
class Mute(MaxMatch):
    """Forgets its settings when printed."""

    beta: float = 1.0

    def __str__(self) -> str:
        return "maxmatch"


BREAKERS: list[tuple[Law, Metric]] = [
    (a_perfect_system_scores_one, _broken(lambda _, row, __, ___: (row[0], row[1], row[2] + 1))),
    (the_source_has_no_false_positives, _broken(lambda _, row, __, ___: (row[0], row[1] + 1, row[2]))),
    (a_flawless_sentence_left_alone_changes_nothing, _broken(lambda _, row, __, ___: (row[0], row[1] + 1, row[2] + 1))),
    (the_order_of_systems_does_not_matter, _broken(lambda _, row, history, __: (row[0], row[1] + history[0], row[2]))),
    (rows_do_not_depend_on_how_sentences_are_batched, _broken(lambda _, row, __, size: (row[0], row[1] + size, row[2]))),
    (renaming_words_changes_nothing, AfraidOfQuotes()),
    (a_metric_is_what_it_prints, Mute()),
]


@pytest.mark.parametrize(("law", "metric"), BREAKERS)
def test_a_broken_metric_fails_the_law(law: Law, metric: Metric, gold: Corpus, systems: dict[str, System]) -> None:
    with pytest.raises(AssertionError):
        law(metric, gold, list(systems.values()))


def test_every_law_has_a_breaker() -> None:
    assert [law for law, _ in BREAKERS] == LAWS
