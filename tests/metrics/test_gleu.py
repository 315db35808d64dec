"""GLEU: its variants, its references, its settings, and the statistics over it."""

from __future__ import annotations

import json
import math
import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errata
from errata import Annotation, Bootstrap, Corpus, Edit, Evaluator, Sentence, System, UsageError, compare, compute_intervals
from errata.cli import main
from errata.corpus.corpus import extract_edits
from errata.metrics import draws
from errata.metrics.draws import Draws, Expectation, _list_random_sums
from errata.metrics.gleu import Gleu, _GleuValue
from errata.metrics.ratios import Row

from thoroughness import often

SOURCES = (
    "This sentences contain gramamtical error .",
    "This is a sentence .",
    "This is no change .",
    "I bought a pen to write a letter to a friend .",
)
OUTPUTS = (
    "This sentence contains a grammatical error .",
    "the sentence was corrected into completely different one .",
    "This is no change .",
    "I bought a pen to write a letter to a friend .",
)
REFERENCES = (
    (OUTPUTS[0], "dummy sentence .", OUTPUTS[2], "I bought a pen to write a letter to the friend ."),
    (
        "These sentences contain grammatical errors .",
        "another dummy sentence .",
        OUTPUTS[2],
        "I bought a pen to write the letter to the friend .",
    ),
)


def make_corpus(sources: tuple[str, ...], *references: tuple[str, ...]) -> Corpus:
    return Corpus(
        tuple(
            Sentence.of(source, *(extract_edits(source, reference) for reference in own))
            for source, *own in zip(sources, *references, strict=True)
        )
    )


@pytest.fixture(scope="module")
def toy() -> Corpus:
    return make_corpus(SOURCES, *REFERENCES)


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("gleu", 0.3728002043),
        ("gleu(variant=official_py3)", 0.3691305224),
        ("gleu(variant=gleuofficial)", 0.3691305224),
        ("gleu(variant=expectation)", 0.3755362261),
        ("gleu(variant=expected_counts)", 0.3792611112),
        ("gleu(variant=corrected)", 0.2913773303),
        ("gleu(variant=corrected,draws=expectation)", 0.2980586649),
    ],
)
def test_exact_values_of_a_toy(toy: Corpus, metric: str, value: float) -> None:
    assert errata.score(toy, OUTPUTS, metric).value == pytest.approx(value, abs=5e-11)


def test_rows_and_sentences_of_a_toy(toy: Corpus) -> None:
    score = errata.score(toy, OUTPUTS, "gleu")
    assert score.evidence.rows[3] == ((12, 12, 11, 7, 4, 3, 12, 11, 10, 9), (12, 12, 10, 3, 0, 0, 12, 11, 10, 9))
    smoothed = [sentence.value for sentence in score.sentences]
    assert smoothed == pytest.approx([0.5928752900, 0.1603659097, 1, 0.3761332783], abs=5e-11)
    assert score.evidence.sentence_values.tolist() == smoothed
    plain = [sentence.value for sentence in errata.score(toy, OUTPUTS, "gleu(smoothing=none)").sentences]
    assert plain[1:3] == [0, 1]
    (fourth,) = (_GleuValue(4).value(row) for row in score.evidence.rows[3][:1])
    assert plain[3] == pytest.approx(fourth / 2)


def test_what_a_sentence_that_is_shorter_than_the_order_scores() -> None:
    """A perfect sentence of two tokens: the script makes every 0 a 1, the package of PyPI takes the precision 1."""
    corpus = make_corpus(("a x",), ("a b",))
    values = {
        smoothing: errata.score(corpus, ["a b"], Gleu(smoothing=smoothing)).sentence(1).value for smoothing in ("official", "none", "pypi")
    }
    assert values == {"official": 1.0, "none": 0.0, "pypi": 1.0}
    missed = {
        smoothing: errata.score(corpus, ["a x"], Gleu(smoothing=smoothing)).sentence(1).value for smoothing in ("official", "none", "pypi")
    }
    assert missed == {"official": pytest.approx((1 / 2) ** 0.25), "none": 0.0, "pypi": 0.0}
    assert errata.score(corpus, ["a b"], "gleu").value == 0.0
    assert errata.score(corpus, ["a b"], "gleu(order=2)").value == 1.0


def test_originals_with_a_weight() -> None:
    """One n-gram gained, three right and one lost in two tokens too few to be any more."""
    corpus = make_corpus(("a x c d",), ("a b c d",))
    kept = errata.score(corpus, ["a x c d"], "gleu(variant=original_2015jun,order=1,weight=0.5)")
    assert kept.evidence.rows == (((4, 4, 2 * 3 - 1, 4 + 1),),)  # numerators are multiplied by 2, because the weight is 1/2
    assert kept.value == 2.5 / 5
    assert kept.parts["numerator_1"] == 2.5
    assert kept.sentence(1).reference == "all"
    new = errata.score(corpus, ["a b c d"], "gleu(variant=original_2016mar,order=1,weight=0.5)")
    assert new.evidence.rows == (((4, 4, 2 * (1 + 4), 1 + 4),),)
    assert new.value == 1.0


def test_long_outputs_are_punished_where_lengths_are_exchanged() -> None:
    corpus = make_corpus(("a b c d",), ("a b c d",))
    long, short = "a b c d e f g h", "a b"
    (may_long, may_short), (long_now, short_now) = (
        [errata.score(corpus, [text], f"gleu(variant={variant},order=1)").value for text in (long, short)]
        for variant in ("official_2016may", "official_py2")
    )
    assert may_long == pytest.approx(0.5 * math.exp(-1))
    assert (may_short, long_now) == (1.0, 0.5)
    assert short_now == pytest.approx(math.exp(-1))


def test_the_length_of_an_empty_sentence() -> None:
    corpus = make_corpus(("a b", "c d"), ("", "c d"))
    assert errata.score(corpus, ["", "c d"], "gleu(order=1)").evidence.rows[0] == ((0, 0, 0, 0),)
    assert errata.score(corpus, ["", "c d"], "gleu(order=1,variant=gleuofficial)").evidence.rows[0] == ((1, 1, 0, 0),)
    assert errata.score(corpus, ["", "c d"], "gleu(order=1,variant=corrected,empty=none)").evidence.rows[0] == ((0, 0, 0, 0),)


def test_the_reference_with_the_highest_value(toy: Corpus) -> None:
    score = errata.score(toy, OUTPUTS, "gleu(variant=best_reference)")
    assert [score.sentence(number).reference for number in (1, 4)] == ["0", "0"]
    assert score.value == errata.score(make_corpus(SOURCES, *REFERENCES[:1]), OUTPUTS, "gleu").value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "gleu(draws=py3)",
            "draws=py3 cannot be combined with variant=official_py2; it needs corrected or gleuofficial or official_2016may",
        ),
        ("gleu(variant=expectation,iterations=10)", "iterations needs random draws, found variant=expectation"),
        ("gleu(variant=corrected,draws=expected,iterations=10)", "found variant=corrected and draws=expected"),
        ("gleu(variant=best_reference,draws=py2)", "draws=py2 cannot be combined with variant=best_reference"),
        ("gleu(weight=0.1)", "weight needs variant=original_2016mar or original_2015jun, found official_py2"),
        ("gleu(variant=gleuofficial,empty=none)", "empty=none cannot be combined with variant=gleuofficial; use official_py3"),
        ("gleu(variant=official)", "variant must be one of official_py2, official_py3, "),
        ("gleu(order=0)", "order must be a whole number from 1 to 100, found 0"),
    ],
)
def test_settings_that_contradict_each_other(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        errata.metric(text)


def test_signatures_say_how_references_were_used(toy: Corpus, gold: Corpus) -> None:
    def data(metric: str, corpus: Corpus = toy) -> str:
        return errata.score(corpus, [sentence.tokens for sentence in corpus], metric).signature.split(" | ")[1]

    assert data("gleu") == "draws py2"
    assert data("gleu(variant=corrected)") == "draws py3"
    assert data("gleu(variant=corrected,draws=expected)") == "draws expected"
    assert data("gleu(variant=best_reference)") == "best reference"
    assert data("gleu(variant=original_2015jun)") == "all references as one"
    assert data("gleu", gold) == "draws py2, missing 1 absent"
    assert data("gleu(missing=same)", gold) == "draws py2"
    both, one = Sentence.of("a", [Edit(0, 1, ("b",))], [], []), Sentence.of("a", [Edit(0, 1, ("b",))])
    assert data("gleu", Corpus((both, one))) == "draws py2, missing 1+2 absent"  # nothing can be concluded


def test_what_an_annotator_without_a_line_counts_as() -> None:
    both = Sentence.of("a x", [Edit(1, 2, ("b",))], [Edit(1, 2, ("c",))])
    one = Sentence(("d", "x"), (Annotation("0", (Edit(1, 2, ("e",)),)),))
    corpus = Corpus((both, one))
    rows = {
        missing: errata.score(corpus, ["a b", "d e"], f"gleu(order=1,missing={missing})").evidence.rows[1]
        for missing in ("absent", "same", "noop", "detect")
    }
    right = (2, 2, 2, 2)
    assert rows["absent"] == rows["detect"] == (right,)
    assert rows["same"] == (right, right)
    assert rows["noop"] == (right, (2, 2, 1, 2))


def test_warnings_about_references(gold: Corpus) -> None:
    assert Gleu().gold_warnings(gold) == []
    overlapping = Corpus((Sentence.of("a b c", [Edit(0, 2, ("x",)), Edit(1, 3, ("y",))]),))
    assert errata.score(overlapping, ["x c"], "gleu(order=1)").evidence.rows == (((2, 2, 2, 2),),)
    assert Gleu().gold_warnings(overlapping) == ["1 edit of gold was left out of references, because it overlaps an earlier one"]


def test_sums_of_all_choices() -> None:
    rows: list[list[Row]] = [[(-1, 2), (3, 2)], [(5, 5)], [(0, 1), (4, 1), (4, 1)]]
    every = [tuple(map(sum, zip(*choice, strict=True))) for choice in product(*rows)]
    assert {counts: pytest.approx(every.count(counts) / 6) for counts in every} == dict(_list_random_sums(rows) or ())


counts = st.tuples(st.integers(20, 30), *[st.integers(10, 20)] * 2)


@given(st.lists(st.lists(counts, min_size=2, max_size=3), min_size=9, max_size=9), st.booleans(), st.integers(-2, 2))
@settings(max_examples=often(60, 30))
def test_expectations_by_formula_are_those_of_all_choices(rows: list[list[tuple[int, int, int]]], exchanged: bool, longer: int) -> None:  # noqa: FBT001
    """Nine sentences stand for nine hundred: a hundred of each make sums normally distributed, and are still listed by their moments."""
    metric = Gleu(variant="official_2016may", draws="expectation", order=2) if exchanged else Gleu(variant="expectation", order=2)
    own: list[list[Row]] = [[(25 + longer, reference, one, other, 25, 24) for reference, one, other in sentence] for sentence in rows]
    strategy = metric.strategy
    exact = Expectation.value(strategy, metric, own[:5], None)  # type: ignore[arg-type]
    assert exact == pytest.approx(
        sum(metric.value(tuple(map(sum, zip(*choice, strict=True)))) for choice in product(*own[:5])) / math.prod(map(len, own[:5]))
    )
    formula = float(strategy.values(metric, 100 * strategy.matrix(own, None).sum(axis=0)[None, :])[0])
    draw = np.random.default_rng(1)
    sums: Any = np.zeros((4000, 6))
    for sentence in own:
        sums += draw.multinomial(100, [1 / len(sentence)] * len(sentence), size=4000) @ np.array(sentence)
    values = metric.values(sums)
    assert formula == pytest.approx(values.mean(), abs=5 * values.std() / math.sqrt(4000) + 1e-6)


def test_expectations_where_a_numerator_may_be_0() -> None:
    """Points of the distribution take the place of the formula."""
    value = _GleuValue(1)
    means, covariances = np.array([[10.0, 10.0, 2.0, 10.0]]), np.zeros((1, 4, 4))
    covariances[0, 2, 2] = 4.0
    sampled = np.maximum(0, np.random.default_rng(5).normal(2, 2, 1_000_000)) / 10
    assert value.expected_values(means, covariances)[0] == pytest.approx(sampled.mean(), rel=0.02)
    assert value.expected_values(means * [1, 1, -9, 1], covariances * 0).tolist() == [0.0]
    assert value.expected_values(means, covariances * 0)[0] == pytest.approx(0.2)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=30), st.integers(0, 500))
@settings(max_examples=often(50, 25))
def test_draws_are_those_of_python(sizes: list[int], seed: int) -> None:
    for references in (sizes, sizes[:1] * len(sizes)):
        own = random.Random(seed)
        assert Draws(1, seed, "py3").draw(references)[0].tolist() == [own.randint(0, size - 1) for size in references]
        own = random.Random(seed)
        assert Draws(1, seed, "py2").draw(references)[0].tolist() == [int(own.random() * size) for size in references]


def test_draws_as_recorded_from_python_3() -> None:
    two = Draws(2, generator="py3").draw([2] * 16)
    assert ["".join(map(str, own)) for own in two] == ["1101111110010010", "0110001101101000"]
    assert "".join(map(str, Draws(1, generator="py3").draw([4] * 12)[0])) == "330233232112"


def test_large_corpora_are_drawn_in_blocks(toy: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    value = errata.score(toy, OUTPUTS, "gleu").value
    monkeypatch.setattr(draws, "_BLOCK", 30)
    assert errata.score(toy, OUTPUTS, "gleu").value == pytest.approx(value, abs=1e-15)


def test_the_spread_over_references_is_a_part(toy: Corpus) -> None:
    score = errata.score(toy, OUTPUTS, "gleu(iterations=50)")
    values = Draws(50).draw_values(score.metric, score.evidence.rows)
    assert len(values) == 50
    assert score.parts["sd_over_references"] == pytest.approx(float(values.std()))
    assert score.parts["low_over_references"] == pytest.approx(score.value - 1.96 * float(values.std()))
    assert score.parts["high_over_references"] == pytest.approx(score.value + 1.96 * float(values.std()))
    one = errata.score(make_corpus(SOURCES, *REFERENCES[:1]), OUTPUTS, "gleu")
    assert one.parts["sd_over_references"] == 0
    assert "sd_over_references" not in errata.score(toy, OUTPUTS, "gleu(variant=expectation)").parts


def sample(sentences: int) -> tuple[Corpus, list[System]]:
    """Sentences of ten words, of which two references and two systems replace some."""
    draw = random.Random(3)

    def changed(text: str, chance: float) -> str:
        return " ".join(word.upper() if draw.random() < chance else word for word in text.split())

    sources = tuple(" ".join(draw.choices("abcdefgh", k=10)) for _ in range(sentences))
    references = [tuple(changed(text, 0.2) for text in sources) for _ in range(2)]
    better = tuple(draw.choice([one, other, source]) for source, one, other in zip(sources, *references, strict=True))
    return make_corpus(sources, *references), [System.of("better", better), System.of("worse", sources)]


def test_intervals_and_tests_of_every_way_to_use_references() -> None:
    corpus, systems = sample(60)
    bootstrap = Bootstrap(replicates=300)
    intervals = {}
    for metric in (
        "gleu",
        "gleu(variant=expectation)",
        "gleu(variant=expected_counts)",
        "gleu(variant=best_reference)",
        "gleu(variant=original_2015jun)",
    ):
        evaluate = Evaluator(corpus, metric)
        scores = [evaluate(system) for system in systems]
        intervals[metric] = compute_intervals(scores, bootstrap)[0]
        assert intervals[metric].low < scores[0].value < intervals[metric].high
        for test in ("randomisation", "bootstrap", "t", "sign"):
            (found,) = compare(scores, test, bootstrap=bootstrap)
            assert found.difference == pytest.approx(scores[0].value - scores[1].value, abs=0.002)
            assert found.p < 0.05
    widths = [interval.high - interval.low for metric, interval in intervals.items() if "best" not in metric and "orig" not in metric]
    assert max(widths) < 1.1 * min(widths)


def test_replicates_of_many_sentences_need_no_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Means and covariances of the drawn rows give nearly the same values as all draws."""
    corpus, (system, _) = sample(150)
    evidence = Evaluator(corpus, "gleu(iterations=100)")(system).evidence
    weights = np.random.default_rng(2).multinomial(150, [1 / 150] * 150, size=40)
    few = evidence.matrix
    assert few.shape == (150, 10 + 15)
    monkeypatch.setattr(draws, "_MOST_DRAWN_COUNTS", 1 << 20)
    every = evidence.strategy.matrix(evidence.rows, None)
    assert every.shape == (150, 100 * 10)
    all_draws, moments = evidence.values(weights @ every), evidence.values(weights @ few)
    assert np.abs(all_draws - moments).max() < 0.1 * all_draws.std()
    assert evidence.values(few.sum(axis=0)[None, :])[0] == pytest.approx(evidence.value, abs=2e-4)


def test_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "examples/learner.m2", "examples/systems/eager.txt", "-m", "gleu", "--format", "json", "--per-sentence"]) == 0
    (record,) = json.loads(capsys.readouterr().out)["scores"]
    assert record["parts"]["output_tokens"] > 0
    assert record["value"] == pytest.approx((record["parts"]["low_over_references"] + record["parts"]["high_over_references"]) / 2)
    assert {item["annotator"] for item in record["per_sentence"]} == {"0", "mean"}
    assert main(["score", "examples/learner.m2", "examples/systems/eager.txt", "-m", "gleu", "--parts", "sd_over_references"]) == 0
    assert "Sd over references" in capsys.readouterr().out


def test_the_ngrams_behind_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["inspect", "examples/learner.m2", "examples/systems/eager.txt", "--sentences", "3"]
    assert main([*command, "-m", "gleu(order=1)"]) == 0
    shown = capsys.readouterr().out
    assert "  annotator 1: 46.67, n-grams 7/15" in shown
    assert "    x 1 punished  did | n't | know\n" in shown
    assert "against all references + 3 right, x 6 wrong, - 1 missed" in shown
    assert main([*command, "-m", "gleu(variant=best_reference,order=1)", "--chosen", "--outcome", "wrong"]) == 0
    shown = capsys.readouterr().out
    assert "annotator 0 (chosen): 93.33" in shown
    assert "annotator 1" not in shown
    assert "the filters match x 1 wrong (of 3) against the chosen references" in shown
    assert main([*command, "-m", "gleu(variant=original_2015jun,weight=0.1)", "--format", "json"]) == 0
    ((record,),) = [sentence["references"] for sentence in json.loads(capsys.readouterr().out)["sentences"]]
    assert (record["annotator"], record["reference"], record["ngrams"][0]["missed"]) == ("all", None, ["knew"])
    assert main([*command, "-m", "gleu", "--types", "Vform"]) == 2
    assert "gleu judges n-grams, which have no type" in capsys.readouterr().err


@given(
    st.lists(st.sampled_from("abc"), max_size=7), st.lists(st.sampled_from("abc"), max_size=7), st.lists(st.sampled_from("abc"), max_size=7)
)
def test_the_ngrams_shown_are_those_that_are_counted(source: list[str], reference: list[str], hypothesis: list[str]) -> None:
    corpus = make_corpus((" ".join(source),), (" ".join(reference),))
    for metric, clipped in (("gleu", True), ("gleu(variant=corrected)", False)):
        score = errata.score(corpus, [hypothesis], metric)
        (view,) = score.output.ngrams(0)  # type: ignore[attr-defined]
        for order, ngrams in enumerate(view.orders, start=1):
            shared = score.parts[f"denominator_{order}"] - len(ngrams.wrong) - len(ngrams.punished)
            if clipped:
                assert score.parts[f"numerator_{order}"] == max(0, shared - len(ngrams.punished))
            else:
                assert score.parts[f"numerator_{order}"] == shared - len(ngrams.punished)
