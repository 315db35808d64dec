"""Picks of candidates: they maximise what they should, which is shown by trying all picks."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errata
from errata import Annotation, Corpus, MaxMatch, Sentence
from errata.corpus.corpus import extract_edits
from errata.studies.rewards import _maximise_ratio, pick_best, rerank, weigh_scores

from strategies import hypotheses, tokens
from thoroughness import often

Lists = tuple[list[str], list[list[str]], list[list[int]]]


@st.composite
def lists(draw: st.DrawFn) -> Lists:
    """Sources with candidates and their weights, few enough to try all picks."""
    sources = draw(st.lists(tokens, min_size=1, max_size=3))
    candidates = [draw(st.lists(hypotheses(source), min_size=1, max_size=4)) for source in sources]
    weights = [draw(st.lists(st.integers(0, 3), min_size=len(own), max_size=len(own)).filter(any)) for own in candidates]
    return list(map(" ".join, sources)), [list(map(" ".join, own)) for own in candidates], weights


def list_rows(source: str, output: str, references: list[str]) -> list[tuple[int, ...]]:
    """The counts of an output with each reference."""
    annotations = tuple(Annotation(str(k), extract_edits(source, text)) for k, text in enumerate(references))
    return list(errata.score(Corpus((Sentence(tuple(source.split()), annotations),)), [output]).evidence.rows[0])


def f(counts: Any) -> Fraction:
    correct, proposed, gold = counts
    below = 4 * proposed + gold
    return Fraction(5 * correct) / below if below else Fraction(1)


def add(rows: Any) -> tuple[Any, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


@settings(max_examples=40)
@given(given_lists=lists())
def test_picks_maximise_the_expected_value_of_the_corpus(given_lists: Lists) -> None:
    sources, candidates, weights = given_lists
    expected = [
        [
            tuple(
                Fraction(sum(w * count for w, count in zip(own_weights, column, strict=True)), sum(own_weights))
                for column in zip(*list_rows(source, output, own), strict=True)
            )
            for output in own
        ]
        for source, own, own_weights in zip(sources, candidates, weights, strict=True)
    ]
    best = max(
        f(add(own[index] for own, index in zip(expected, picks, strict=True))) for picks in product(*map(range, map(len, candidates)))
    )
    found = rerank(candidates, sources, weights=weights)
    assert found.per == "corpus"
    assert float(f(add(own[index] for own, index in zip(expected, found.indices, strict=True)))) == pytest.approx(float(best), abs=1e-9)
    assert found.value == pytest.approx(float(best), abs=1e-9)
    for own, values, index in zip(candidates, found.values, found.indices, strict=True):
        assert values[index] == pytest.approx(max(values))
        assert own.index(own[index]) == index  # of equal candidates the first


@settings(max_examples=25)
@given(given_lists=lists(), metric=st.sampled_from(["maxmatch", "gleu"]))
def test_picks_maximise_the_expected_value_of_each_sentence(given_lists: Lists, metric: str) -> None:
    sources, candidates, weights = given_lists
    found = rerank(candidates, sources, metric, per="sentence", weights=weights)
    for source, own, own_weights, index, values in zip(sources, candidates, weights, found.indices, found.values, strict=True):
        wanted = errata.utilities(own, source, metric) @ np.array(own_weights) / sum(own_weights)
        assert values == pytest.approx(wanted.tolist())
        assert index == values.index(max(values))
    assert found.value == pytest.approx(np.mean([max(values) for values in found.values]))


@settings(max_examples=30)
@given(given_lists=lists(), drawn=st.data())
def test_no_picks_are_better_for_a_gold(given_lists: Lists, drawn: st.DataObject) -> None:
    sources, candidates, _ = given_lists
    references = [drawn.draw(st.lists(hypotheses(tuple(source.split())).map(" ".join), min_size=1, max_size=2)) for source in sources]
    sentences = [
        Sentence(tuple(source.split()), tuple(Annotation(str(k), extract_edits(source, text)) for k, text in enumerate(own)))
        for source, own in zip(sources, references, strict=True)
    ]
    gold = Corpus(tuple(sentences))
    found = pick_best(candidates, gold)
    best = max(errata.score(gold, list(texts), "maxmatch(choice=optimal)").value for texts in product(*candidates))
    picked = [own[index] for own, index in zip(candidates, found.indices, strict=True)]
    assert found.value == pytest.approx(best)
    assert errata.score(gold, picked, "maxmatch(choice=optimal)").value == pytest.approx(best)
    alone = pick_best(candidates, gold, "accuracy", per="sentence")
    assert alone.value == pytest.approx(
        np.mean([any(text in own for text in texts) for own, texts in zip(references, candidates, strict=True)])
    )


@settings(max_examples=often(60, 30))
@given(
    pairs=st.lists(
        st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)).map(lambda pair: (min(pair), max(pair))), min_size=1, max_size=3),
        max_size=4,
    )
)
def test_the_largest_ratio_of_sums(pairs: list[list[tuple[int, int]]]) -> None:
    def ratio(chosen: Any) -> Fraction:
        above, below = add([own[index] for own, index in zip(pairs, chosen, strict=True)] or [(0, 0)])
        return Fraction(above, below) if below else Fraction(1)

    assert prod(map(len, pairs)) <= 81
    assert ratio(_maximise_ratio([np.array(own, dtype=np.float64) for own in pairs])) == max(
        map(ratio, product(*(range(len(own)) for own in pairs)))
    )


def test_votes_count() -> None:
    """Three of five agree on an edit; F of the sentence alone prefers no edit, if others disagree much."""
    candidates = [["He go .", "He goes .", "He went .", "He goes .", "He goes ."]]
    assert rerank(candidates, ["He go ."]).indices == [1]
    assert rerank(candidates, ["He go ."], weights=[[9, 0, 0, 0, 0]]).indices == [0]
    assert rerank([["a", "a"]], ["a"], "gleu").per == "sentence"


def test_scores_become_weights() -> None:
    assert weigh_scores([0, 0], 1) == [0.5, 0.5]
    assert weigh_scores([-1000.0, -2000.0], 1) == [1, 0]
    assert weigh_scores([1, 2], 0.5) == pytest.approx([0.11920292, 0.88079708])


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        (([["a"]], ["a", "b"]), {}, "candidates and sources must have the same length, found 1 and 2"),
        ((["a"], ["a"]), {}, "candidates of source 1 must be a list of sentences, found a single string: 'a'"),
        (([[]], ["a"]), {}, "candidates of source 1 must have at least one text, found none"),
        (([["a"]], ["a"]), {"weights": [[1, 2]]}, "source 1 has 1 candidates and 2 weights, expected as many"),
        (([["a"]], ["a"]), {"weights": [[-1]]}, "weights of source 1 must be numbers from 0, one of them above 0; found [-1]"),
        (([["a"]], ["a"]), {"weights": [[0]]}, "weights of source 1 must be numbers from 0, one of them above 0; found [0]"),
        (([["a"]], ["a"]), {"weights": [1, 2]}, "candidates and weights must have the same length, found 1 and 2"),
        (([["a"]], ["a"]), {"per": "word"}, "unknown unit 'word'; choose from corpus, sentence"),
        (([["a"]], ["a"], "gleu"), {"per": "corpus"}, "per corpus needs a metric that is a ratio of sums, such as maxmatch; found gleu"),
        (([["a"]], ["a"]), {"smoothing": 1}, "smoothing is that of single sentences; it needs per='sentence'"),
    ],
)
def test_bad_input_is_named(arguments: tuple[Any, ...], named: dict[str, Any], message: str) -> None:
    with pytest.raises(errata.ErrataError) as caught:
        rerank(*arguments, **named)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda gold: pick_best([[]], gold), "candidates of source 1 must have at least one text, found none"),
        (lambda gold: pick_best(["abc"], gold), "candidates of source 1 must be a list of sentences, found a single string: 'abc'"),
        (lambda gold: pick_best(None, gold), "candidates must be a list"),
        (lambda gold: pick_best([["a"]] * 2, gold), "candidates and sources must have the same length, found 2 and 1"),
        (lambda _: pick_best([["a"]], None), "the gold must be a Corpus"),  # type: ignore[arg-type]
        (lambda _: weigh_scores([1, 2], 0), "the temperature must be a number above 0, found 0"),
        (lambda _: weigh_scores([], 1), "scores must be numbers, at least one; found []"),
        (lambda _: weigh_scores("ab", 1), "scores must be a list of numbers, found a single string: 'ab'"),  # type: ignore[arg-type]
        (lambda _: weigh_scores([None], 1), "scores must be numbers, at least one; found [None]"),  # type: ignore[list-item]
    ],
)
def test_bad_input_of_oracles_and_scores_is_named(call: Any, message: str) -> None:
    with pytest.raises(errata.ErrataError) as caught:
        call(Corpus((Sentence.of("a"),)))
    assert message in str(caught.value)


@pytest.mark.realdata
@pytest.mark.slow
def test_eleven_systems_as_candidates(data: Path) -> None:
    """Picks of eleven systems of CoNLL-2014, without gold, have a higher precision than each of them; with gold there is much to gain."""
    conll = data / "conll14"
    gold = errata.read(conll / "gold" / "official-2014.combined.m2")
    paths = [path for path in sorted(conll.glob("[sm]*/*.txt")) if path.stem != "INPUT"]
    outputs = [[" ".join(tokens) for tokens in errata.read_system(path).sentences] for path in paths]
    candidates = [list(own) for own in zip(*outputs, strict=True)]
    evaluate = errata.Evaluator(gold)
    singles = [evaluate(texts) for texts in outputs]
    found = rerank(candidates, [sentence.text for sentence in gold], jobs=2)
    score = evaluate([own[index] for own, index in zip(candidates, found.indices, strict=True)])
    assert len(paths) == 11
    assert round(100 * score.value, 2) == pytest.approx(60.5, abs=0.3)
    assert sum(score.value > single.value for single in singles) == 9
    assert score.parts["precision"] > max(single.parts["precision"] for single in singles)
    best = pick_best(candidates, gold)
    assert round(100 * best.value, 2) == 83.41
    assert best.value >= evaluate([own[index] for own, index in zip(candidates, best.indices, strict=True)]).value
    assert isinstance(evaluate.metric, MaxMatch)
