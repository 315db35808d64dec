"""Rewards of single outputs: the values of scores, in both call forms, with clear errors."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errata
from errata import Annotation, Corpus, Rewards, Sentence, System
from errata.core import python as python_core
from errata.corpus.corpus import extract_edits
from errata.studies.rewards import PreparedGold, _GoldCache

from strategies import hypotheses, tokens

SOURCE, REFERENCES = "He go to school .", ["He goes to school .", "He went to school ."]
OUTPUTS = ["He goes to school .", "He go to school .", "He go at school .", "He went to the school ."]
Samples = tuple[list[str], list[str], list[list[str]]]


def write(words: tuple[str, ...]) -> str:
    """Two tokens or more: references that are all single words are taken for a mistake."""
    return " ".join((*words, ".", "."))


@st.composite
def samples(draw: st.DrawFn) -> Samples:
    """Outputs, sources and references: some sources have several outputs, in any order, and sources several references."""
    golds: list[tuple[tuple[str, ...], list[tuple[str, ...]]]] = []
    for _ in range(draw(st.integers(1, 3))):
        source = draw(tokens)
        golds.append((source, draw(st.lists(hypotheses(source), min_size=1, max_size=3))))
    chosen = draw(st.lists(st.sampled_from(golds), min_size=1, max_size=8))
    outputs = [write(draw(hypotheses(source))) for source, _ in chosen]
    return outputs, [write(source) for source, _ in chosen], [list(map(write, own)) for _, own in chosen]


def make_corpus(source: str, references: list[str]) -> Corpus:
    edits = [extract_edits(source, reference) for reference in references]
    return Corpus((Sentence(tuple(source.split()), tuple(Annotation(str(k), own) for k, own in enumerate(edits))),))


@pytest.mark.parametrize(
    "metric", ["maxmatch", "maxmatch(beta=1,max_unchanged=0)", "maxmatch(references=mix)", "gleu", "accuracy", "imeasure"]
)
@settings(max_examples=15)
@given(given_samples=samples())
def test_a_reward_is_the_value_of_the_sentence_with_its_best_reference(metric: str, given_samples: Samples) -> None:
    outputs, sources, references = given_samples
    smoothing = 0 if metric.startswith("maxmatch") else None
    found = Rewards(metric, smoothing=smoothing)(outputs, sources, references)
    for value, output, source, own in zip(found, outputs, sources, references, strict=True):
        evidence = errata.score(make_corpus(source, own), [output], metric).evidence
        assert value == pytest.approx(max(map(evidence.metric.sentence_value, evidence.rows[0])), abs=1e-12)


def sum_rows(rows: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


def smoothed_f(row: tuple[int, ...], k: Fraction = Fraction(1, 2)) -> Fraction:
    correct, proposed, gold = (count + k for count in row)
    return 5 * correct / (4 * proposed + gold)


def best_row(source: str, references: list[str], output: str) -> tuple[int, ...]:
    rows = errata.score(make_corpus(source, references), [output]).evidence.rows[0]
    return max(rows, key=smoothed_f)


def corpus_f(rows: list[tuple[Any, ...]]) -> Fraction:
    correct, proposed, gold = sum_rows(rows)
    below = 4 * proposed + gold
    return Fraction(5 * correct) / below if below else Fraction(1)


@settings(max_examples=40)
@given(given_samples=samples(), with_baseline=st.booleans())
def test_the_change_of_the_corpus_is_what_recomputing_it_gives(given_samples: Samples, with_baseline: bool) -> None:  # noqa: FBT001
    outputs, sources, references = given_samples
    if len(set(zip(sources, map(tuple, references), strict=True))) == len(outputs) and not with_baseline:
        outputs, sources, references = outputs * 2, sources * 2, references * 2
    keys = [(source, tuple(own)) for source, own in zip(sources, references, strict=True)]
    rows = [best_row(*sample) for sample in zip(sources, references, outputs, strict=True)]
    corpus: dict[tuple[str, tuple[str, ...]], tuple[Any, ...]] = {}
    for key in keys:
        own = [row for other, row in zip(keys, rows, strict=True) if other == key]
        mean = tuple(Fraction(count, len(own)) for count in sum_rows(own))
        corpus[key] = best_row(key[0], list(key[1]), key[0]) if with_baseline else mean
    wanted = [corpus_f(list((corpus | {key: row}).values())) - corpus_f(list(corpus.values())) for key, row in zip(keys, rows, strict=True)]
    found = Rewards(kind="corpus")(outputs, sources, references, baseline=sources if with_baseline else None)
    assert found == pytest.approx(list(map(float, wanted)), abs=1e-12)


def test_the_change_of_the_corpus_for_metrics_that_are_no_ratio() -> None:
    outputs, sources = OUTPUTS, [SOURCE] * 4
    for name in ("gleu", "imeasure"):
        metric = errata.metric(name)
        own = [errata.score(make_corpus(SOURCE, REFERENCES[:1]), [output], name).evidence.counts for output in outputs]
        total = np.array(own).mean(axis=0)
        wanted = [metric.value(row) - float(metric.values(total[None, :])[0]) for row in own]
        assert Rewards(name, kind="corpus")(outputs, sources, REFERENCES[:1] * 4) == pytest.approx(wanted)


def test_rewards_rank_outputs() -> None:
    """Right, unchanged, wrong; each reference is as good as another, and an added error costs something."""
    right, unchanged, wrong, half = Rewards()(OUTPUTS, [SOURCE] * 4, [REFERENCES] * 4)
    assert right == 1
    assert right > half > wrong
    assert unchanged > wrong
    assert Rewards()(["She runs .", "She ran .", "She will run ."], ["She runs ."] * 3, ["She runs ."] * 3) == pytest.approx(
        [1, 0.625 / 1.625, 0.625 / 1.625]
    )


class FakeTrainer:
    """Calls reward functions as TRL's GRPOTrainer does: prompts, completions and ids, the columns of each example, and its own objects."""

    def __init__(self, reward_funcs: list[Any], dataset: list[dict[str, Any]], generations: int) -> None:
        self.reward_funcs, self.dataset, self.generations = reward_funcs, dataset, generations
        self.names = [func.__name__ for func in reward_funcs]

    def rewards(self, completions: list[Any]) -> dict[str, list[float]]:
        inputs = [example for example in self.dataset for _ in range(self.generations)]
        keys = [key for key in inputs[0] if key not in {"prompt", "completion", "completion_ids"}]
        columns: dict[str, Any] = {key: [example[key] for example in inputs] for key in keys}
        columns |= {"trainer_state": object(), "log_extra": print, "log_metric": print}
        prompts = [example["prompt"] for example in inputs]
        found = {}
        for name, func in zip(self.names, self.reward_funcs, strict=True):
            values = func(prompts=prompts, completions=completions, completion_ids=[[1]] * len(inputs), **columns)
            assert len(values) == len(prompts)
            assert all(type(value) is float for value in values)
            found[name] = values
        return found


DATASET: list[dict[str, Any]] = [
    {"prompt": "Correct: He go home .", "source": "He go home .", "references": ["He goes home .", "He went home ."], "id": 1},
    {"prompt": "Correct: A cat .", "source": "A cat .", "references": ["A cat ."], "id": 2},
]
COMPLETIONS = ["He goes home .", "He go home .", "A cat .", "A a cat ."]


def test_trainers_call_it_with_columns() -> None:
    trainer = FakeTrainer([Rewards(), Rewards(kind="corpus"), Rewards("gleu")], DATASET, 2)
    found = trainer.rewards(COMPLETIONS)
    assert list(found) == ["maxmatch_sentence", "maxmatch_corpus", "gleu_sentence"]
    assert found["maxmatch_sentence"] == pytest.approx([1, 0.625 / 0.875, 1, 0.625 / 1.625])
    right, unchanged, kept, changed = found["maxmatch_corpus"]
    assert right > 0 > unchanged
    assert kept > 0 > changed
    sources = [example["source"] for example in DATASET for _ in range(2)]
    references = [example["references"] for example in DATASET for _ in range(2)]
    assert found["maxmatch_sentence"] == Rewards()(COMPLETIONS, sources, references)


def test_other_columns_of_a_dataset_are_not_used() -> None:
    more = [example | {"outputs": "x", "baseline": None, "level": 3} for example in DATASET]
    plain = FakeTrainer([Rewards()], DATASET, 2).rewards(COMPLETIONS)
    assert FakeTrainer([Rewards()], more, 2).rewards(COMPLETIONS) == plain


def test_conversations_and_names_of_columns() -> None:
    talks: list[list[dict[str, Any]]] = [[{"role": "assistant", "content": text}] for text in COMPLETIONS]
    talks[1] = [
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "content": "He goes"},
        {"role": "assistant", "content": [{"type": "text", "text": "He go "}, {"type": "text", "text": "home ."}]},
    ]
    plain = FakeTrainer([Rewards()], DATASET, 2).rewards(COMPLETIONS)["maxmatch_sentence"]
    assert FakeTrainer([Rewards()], DATASET, 2).rewards(talks)["maxmatch_sentence"] == plain
    renamed = [
        {
            "prompt": [{"role": "system", "content": "Correct."}, {"role": "user", "content": example["source"]}],
            "gold": example["references"],
        }
        for example in DATASET
    ]
    other = Rewards(source="prompts", references="gold")
    assert FakeTrainer([other], renamed, 2).rewards(talks)["maxmatch_sentence"] == plain
    with_baseline = [example | {"mine": example["source"]} for example in DATASET]
    changes = FakeTrainer([Rewards(kind="corpus", baseline="mine")], with_baseline, 2).rewards(talks)["maxmatch_corpus"]
    assert changes == Rewards(kind="corpus")(
        COMPLETIONS,
        [example["source"] for example in DATASET for _ in range(2)],
        [example["references"] for example in DATASET for _ in range(2)],
        baseline=[example["source"] for example in DATASET for _ in range(2)],
    )
    assert changes == [1.0, 0.0, 0.0, 0.0]  # no edit is right without the first


def test_trl_has_the_same_call_form() -> None:
    """TRL finds the name and calls it as the fake trainer does."""
    utilities = pytest.importorskip("trl.trainer.utils", reason="trl is not installed; pip install trl adds it")
    assert utilities.get_callable_name(Rewards()) == "maxmatch_sentence"
    assert not utilities.is_async_callable(Rewards())


def test_all_columns_of_sentences_are_accepted() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    sources, references = [SOURCE] * 4, [REFERENCES[:1]] * 4
    wanted = Rewards()(OUTPUTS, sources, references)
    assert Rewards()(pandas.Series(OUTPUTS), np.array(sources), pandas.Series(REFERENCES[:1] * 4)) == wanted


def test_token_lists_are_accepted() -> None:
    wanted = Rewards()(OUTPUTS, [SOURCE] * 4, [REFERENCES] * 4)
    split = [text.split() for text in OUTPUTS]
    assert Rewards()(split, [SOURCE.split()] * 4, [[text.split() for text in REFERENCES]] * 4) == wanted
    assert Rewards()(split, [SOURCE.split()] * 4, [REFERENCES[0].split()] * 4) == Rewards()(OUTPUTS, [SOURCE] * 4, REFERENCES[:1] * 4)


def test_pickled_and_shared() -> None:
    rewards = Rewards("maxmatch(beta=1)", kind="corpus", smoothing=0.5, source="text")
    wanted = rewards(OUTPUTS, [SOURCE] * 4, [REFERENCES] * 4)
    copy = pickle.loads(pickle.dumps(rewards))
    assert (copy.__name__, repr(copy)) == ("maxmatch(beta=1.0)_corpus", "Rewards('maxmatch(beta=1.0)', kind='corpus', smoothing=0.5)")
    assert copy(OUTPUTS, [SOURCE] * 4, [REFERENCES] * 4) == wanted
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: rewards(OUTPUTS, [SOURCE] * 4, [REFERENCES] * 4), range(20))) == [wanted] * 20


def test_what_is_prepared_is_kept_within_limits() -> None:
    made: list[str] = []

    def prepare(key: tuple[str, tuple[str, ...]]) -> PreparedGold:
        made.append(key[0])
        return PreparedGold(*key)

    cache = _GoldCache(prepare, size=2)
    a, b, c = (("a", ("x",)), ("b", ("x",)), ("c", ("x",)))
    first = cache.find_all([a, b, a])
    assert first[0] is first[2]
    assert cache.find_all([a])[0] is first[0]
    cache.find_all([c])
    assert (len(cache), made) == (2, ["a", "b", "c"])
    cache.find_all([a, b])
    assert made == ["a", "b", "c", "b"]
    many = cache.find_all([a, b, c, a])
    assert many[0] is many[3]
    assert len(cache) == 2


@pytest.mark.parametrize("metric", ["maxmatch", pytest.param("gleu", marks=pytest.mark.slow)])
def test_jobs_change_nothing(metric: str, gold: Corpus, systems: dict[str, System], monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads for texts, processes for other metrics; sources have one or two references, so that tasks are mixed."""
    monkeypatch.setattr("errata.studies.rewards._LEAST_TEXTS", 7)
    monkeypatch.setattr("errata.studies.rewards._LEAST_SENTENCES", 7)
    outputs = [" ".join(tokens) for system in systems.values() for tokens in system.sentences]
    sources = [sentence.text for sentence in gold] * len(systems)
    references = [[" ".join(sentence.corrected(own)) for own in sentence.annotations] or [sentence.text] for sentence in gold] * len(
        systems
    )
    assert Rewards(metric, jobs=2)(outputs, sources, references) == Rewards(metric)(outputs, sources, references)


def test_nothing_gives_nothing() -> None:
    assert Rewards()([], [], []) == Rewards(kind="corpus")([], [], []) == Rewards("gleu")([], [], []) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((OUTPUTS, [SOURCE] * 3, REFERENCES), "outputs and sources must have the same length, found 4 and 3"),
        ((OUTPUTS, [SOURCE] * 4, REFERENCES), "sources and references must have the same length, found 4 and 2"),
        (("He goes", [SOURCE], REFERENCES), "outputs must be a list of sentences, found a single string: 'He goes'"),
        ((OUTPUTS[:1], SOURCE, REFERENCES), "sources must be a list of sentences, found a single string: 'He go to school .'"),
        (
            (OUTPUTS[:1], [SOURCE], "He goes"),
            "references must be a list with the references of each output, found a single string: 'He goes'",
        ),
        ((OUTPUTS[:1], [SOURCE], [[]]), "references, sentence 1: expected one reference or more, found none"),
        ((OUTPUTS[:1], [SOURCE], [None]), "references, sentence 1: expected a reference, or a list of references, found NoneType"),
        ((OUTPUTS[:1], [SOURCE], [[3]]), "references, sentence 1: a sentence must be"),
        (([None], [SOURCE], REFERENCES[:1]), "outputs, sentence 1: a sentence must be a string or a sequence of strings, found NoneType"),
        ((OUTPUTS[:1], [SOURCE]), "expected references, or the column 'references' of a dataset; found the columns: none"),
        ((OUTPUTS[:1],), "expected sources, or the column 'source' of a dataset; found the columns: none"),
        ((), "outputs must be a list of sentences, found NoneType"),
    ],
)
def test_bad_input_is_named(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(errata.ErrataError) as caught:
        Rewards()(*arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("settings_given", "arguments", "message"),
    [
        (
            {},
            {"completions": ["a"], "sauce": ["b"], "prompts": ["c"], "trainer_state": 1},
            "found the columns: sauce, prompts; did you mean sauce?",
        ),
        ({}, {"completions": "a", "source": ["b"]}, "completions must be a list of texts or conversations, found a single string: 'a'"),
        (
            {},
            {"completions": [["a"]], "source": ["b"]},
            "completions, item 1: expected a text or a list of messages, found an item of type str",
        ),
        (
            {},
            {"completions": [[{"role": "user", "content": "a"}]], "source": ["b"]},
            "item 1: expected a message of the role assistant, found user",
        ),
        ({}, {"completions": [[{"role": "assistant", "content": [{"image": 1}]}]], "source": ["b"]}, "must be a text or parts with a text"),
        ({}, {"completions": ["a"], "outputs": ["a"]}, "outputs cannot be combined with completions"),
        ({}, {"outputs": ["a"], "sources": ["a"], "references": ["a"], "baseline": ["a"]}, "baseline needs kind='corpus'"),
        (
            {"kind": "corpus"},
            {"outputs": ["a", "b"], "sources": ["a", "b"], "references": ["a", "b"]},
            "needs several outputs of a source, or a baseline",
        ),
        (
            {"kind": "corpus"},
            {"outputs": ["a", "b"], "sources": ["a", "a"], "references": ["a", "a"], "baseline": ["a", "b"]},
            "baseline must be the same for all outputs of a source, found 'a' and, as item 2, 'b'",
        ),
        (
            {},
            {"outputs": ["a", "\ud800"], "sources": ["a", "b"], "references": ["a", "b"]},
            "output 2 cannot be scored: its text has a surrogate",
        ),
        (
            {},
            {"outputs": ["a", "b " * 5000], "sources": ["a", "b"], "references": ["a", ["b", "c"]]},
            "output 2 cannot be scored: its text has 5000 tokens",
        ),
    ],
)
def test_bad_calls_are_explained(settings_given: dict[str, Any], arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(errata.ErrataError) as caught:
        Rewards(**settings_given)(**arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"kind": "sentances"}, "unknown kind of reward 'sentances'; choose from sentence, corpus; did you mean sentence?"),
        ({"jobs": 0}, "jobs must be a whole number from 1, or None for all cores, found 0"),
        ({"metric": "m2"}, "unknown metric 'm2'; did you mean maxmatch?"),
    ],
)
def test_bad_settings_are_explained(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(errata.UsageError) as caught:
        Rewards(**wrong)
    assert message in str(caught.value)


@pytest.mark.realdata
def test_all_outputs_of_a_test_set_at_once(data: Path) -> None:
    """Every output of twelve texts gets the F of its sentence, as in the table of sentences."""
    corpus = errata.read(data / "conll14" / "gold" / "official-2014.0.m2").subset("1-300")
    paths = sorted((data / "conll14").glob("[sm]*/*.txt"))
    references = [" ".join(sentence.corrected(own)) for sentence in corpus for own in sentence.annotations or (Annotation("0"),)]
    gold = Corpus(tuple(make_corpus(s.text, [text])[0] for s, text in zip(corpus, references, strict=True)))
    outputs = [[" ".join(tokens) for tokens in errata.read_system(path).sentences[: len(corpus)]] for path in paths]
    found = Rewards(smoothing=0, jobs=2)(
        [text for own in outputs for text in own], [sentence.text for sentence in corpus] * len(paths), references * len(paths)
    )
    evaluate = errata.Evaluator(gold)
    wanted = [value for own in outputs for value in evaluate(own).evidence.sentence_values.tolist()]
    assert found == pytest.approx(wanted, abs=1e-12)
    assert len(paths) == 12


def test_both_cores_give_the_same_rewards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors, too: they name the output."""
    outputs, sources, references = [*OUTPUTS, "x y"], [SOURCE] * 5, [REFERENCES, REFERENCES[:1], REFERENCES, REFERENCES, [SOURCE]]
    wanted = [Rewards()(outputs, sources, references), Rewards(kind="corpus")(outputs, sources, references)]
    matrix = errata.utilities(OUTPUTS, SOURCE)
    monkeypatch.setattr("errata.core.TextGold", python_core.TextGold)
    assert [Rewards()(outputs, sources, references), Rewards(kind="corpus")(outputs, sources, references)] == wanted
    assert (errata.utilities(OUTPUTS, SOURCE) == matrix).all()
    with pytest.raises(errata.RequestError, match=r"^output 2 cannot be scored: its text has 5000 tokens, more than the limit of 4000$"):
        Rewards()(["a", "b " * 5000], ["a", "b"], ["a", "b"])
