"""Words that are too many or too long to be aligned are refused, with the number of the sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import errata
from errata import Corpus, Edit, RequestError, Sentence, System
from errata.corpus import references as accepted
from errata.language import word_alignment
from errata.studies import conservatism
from errata.studies.conservatism import Conservatism

LONG = "ab" * 200_000


def corpus(*references: str) -> Corpus:
    return Corpus((Sentence.of("a b"), Sentence.of("one two", *([Edit(0, 1, (text,))] for text in references))))


@pytest.mark.parametrize("metric", ["indexmatch", "conservatism"])
def test_words_of_hundreds_of_thousands_of_characters(metric: str) -> None:
    """Each comparison takes time with the product of the lengths."""
    gold = Corpus((Sentence.of("a b"), Sentence.of(f"{LONG} two")))
    system = System("system", (("a", "b"), (LONG[1:], "two")))
    with pytest.raises(
        RequestError, match=r"^sentence 2: the words are too long to be compared in seconds: the longest, abab.*400,000 char"
    ):
        Conservatism.of(gold, system) if metric == "conservatism" else errata.score(gold, system, metric)


@pytest.mark.parametrize("metric", ["indexmatch", "conservatism", "annotators"])
def test_too_many_words(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_alignment, "_MOST_DISTANCES", 4)
    gold, system = corpus("1 2"), System("system", (("b", "a"), ("1", "2", "two")))
    actions: dict[str, Callable[[], object]] = {
        "indexmatch": lambda: errata.score(gold, system, "indexmatch"),
        "conservatism": lambda: Conservatism.of(gold, system),
        "annotators": lambda: Conservatism.of_annotators(gold),
    }
    with pytest.raises(RequestError, match=r"^sentence 2: 2 and 3 words are too many to be aligned in seconds, more than 4 pairs; cut the"):
        actions[metric]()


def test_a_token_of_many_words_is_counted_by_its_words() -> None:
    """A line within the limit of tokens may have a hundred times as many words."""
    many = "-".join("ab" for _ in range(5_000))
    with pytest.raises(RequestError, match=r"^sentence 1: 5,000 and 5,000 words are too many"):
        Conservatism.of(Corpus((Sentence.of(many),)), System("system", ((many.replace("b", "c"),),)))


def test_too_many_annotators_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conservatism, "_MOST_COUNTED", 3)
    assert len(Conservatism.of_annotators(corpus("1"))) == 1
    with pytest.raises(RequestError, match="2 annotators of 2 sentences are too many to be compared, more than 3 pairs"):
        Conservatism.of_annotators(corpus("1", "2"))


@pytest.mark.parametrize("metric", ["accuracy", "imeasure(references=single)"])
def test_texts_of_too_many_tokens_are_refused(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accepted, "MOST_TOKENS", 9)
    monkeypatch.setattr("errata.metrics.imeasure.MOST_TOKENS", 9)
    with pytest.raises(RequestError, match=r"sentence 2.*tokens"):
        errata.Evaluator(corpus("1", "2", "3", "4", "5"), metric)
    assert errata.Evaluator(corpus("1", "2"), metric)(["a b", "1 two"]).value == 1
