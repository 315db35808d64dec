"""The scores of shards become that of the whole."""

from __future__ import annotations

import pickle
from pathlib import Path
from random import Random

import pytest

from errata import Bootstrap, Corpus, Edit, MismatchError, Score, Sentence, System, UsageError, merge, read, read_system, score

METRICS = ["maxmatch", "maxmatch(choice=optimal)", "maxmatch(missing=noop)", "imeasure", "gleu", "hoo", "accuracy"]


def _cut(size: int, shards: int, seed: int) -> list[list[int]]:
    numbers = list(range(1, size + 1))
    Random(seed).shuffle(numbers)
    return [numbers[start::shards] for start in range(shards)]


def _assert_equal(merged: Score, whole: Score) -> None:
    assert merged == whole
    assert merged.signature == whole.signature
    assert merged.evidence.chosen == whole.evidence.chosen
    assert merged.sentences == whole.sentences
    assert merged.interval(Bootstrap(replicates=100)) == whole.interval(Bootstrap(replicates=100))


@pytest.mark.parametrize("metric", METRICS)
def test_shards_in_any_order_make_the_whole(metric: str, gold: Corpus, systems: dict[str, System]) -> None:
    whole = score(gold, systems["rewriter"], metric)
    shards = [score(gold.subset(numbers), systems["rewriter"], metric) for numbers in _cut(len(gold), 3, seed=1)]
    sent = [pickle.loads(pickle.dumps(shard)) for shard in shards]
    _assert_equal(merge(sent), whole)
    if metric.startswith("maxmatch"):
        assert all(merge(sent).edits(number) == whole.edits(number) for number in (1, 3, 72))


@pytest.mark.parametrize("metric", METRICS)
def test_consecutive_corpora_make_the_whole(metric: str, gold: Corpus, systems: dict[str, System]) -> None:
    own = systems["eager"]
    pieces = [(0, 10), (10, 11), (11, 72)]
    shards = [score(Corpus(gold.sentences[a:b], gold.name, gold.path), own.select(range(a, b)), metric) for a, b in pieces]
    _assert_equal(merge(iter(shards)), score(gold, own, metric))


def test_references_are_chosen_again_by_the_sums_before() -> None:
    gold = Corpus.from_texts(
        ["a o b o c o d", "a o b o c o d o e o f o g o h"],
        ["1 o 2 o 3 o 4", ["1 o 2 o 3 o 4 o 5 o 6 o 7 o 8", "a o b o c o d o e o f o g o h"]],
    )
    hypotheses = ["1 o 2 o 3 o 4", "1 o b o c o d o e o f o g o h"]
    shards = [score(gold.subset([number]), hypotheses) for number in (2, 1)]
    whole = score(gold, hypotheses)
    assert (shards[0].sentences[0].reference, whole.sentences[1].reference) == ("0", "1")
    _assert_equal(merge(shards), whole)


def test_annotators_who_are_absent_in_a_shard_are_counted_again() -> None:
    edit = Edit(0, 1, ("x",))
    first, second = Sentence.of("a b", [edit]), Sentence.of("c d", [edit], [])
    shards = [score(Corpus((first,)), ["x b"], "maxmatch(missing=noop)"), score(Corpus((second,)), ["c e"], "maxmatch(missing=noop)")]
    _assert_equal(merge(shards), score(Corpus((first, second)), ["x b", "c e"], "maxmatch(missing=noop)"))


def test_some_shards_make_a_subset(gold: Corpus, systems: dict[str, System]) -> None:
    shards = [score(gold.subset(numbers), systems["eager"]) for numbers in ("30-40", "1-9")]
    _assert_equal(merge(shards), score(gold.subset("1-9,30-40"), systems["eager"]))


def test_a_system_with_edits_of_its_own(gold: Corpus) -> None:
    own = System.of_edits("own", [Sentence(sentence.tokens, sentence.annotations[:1]) for sentence in gold])
    shards = [score(gold.subset(numbers), own) for numbers in ("1-50", "51-72")]
    merged = merge(shards)
    assert merged.system == score(gold, own).system
    _assert_equal(merged, score(gold, own))


def test_what_does_not_fit_together_is_told(gold: Corpus, systems: dict[str, System]) -> None:
    def shard(numbers: str, system: str = "eager", metric: str = "maxmatch") -> Score:
        return score(gold.subset(numbers), systems[system], metric)

    other = Corpus(gold.sentences[:-1]).subset("1-3")
    changed = Corpus((*gold.sentences[:-1], Sentence.of("a"))).subset("40-41")
    wrong: list[tuple[list[Score], str]] = [
        ([shard("1-5"), shard("5-9")], "shards must not overlap, found sentence 5 in shards 1 and 2"),
        ([shard("1-5"), shard("6-9", "cautious")], "shards must have one system, found eager and cautious"),
        (
            [shard("1-5"), shard("6-9", metric="maxmatch(beta=1)")],
            r"shards must have one metric, found maxmatch\(beta=0.5.* and maxmatch\(beta=1.0",
        ),
        ([shard("1-5"), score(gold, systems["eager"])], "shards must be subsets of one corpus, or consecutive corpora, found both"),
        ([score(gold, systems["eager"])] * 2, "shards must not overlap, found the same corpus in shards 1 and 2"),
        ([shard("1-5"), score(other, systems["eager"].select(range(71)))], "found subsets of 72 and 71 sentences"),
        ([shard("1-5"), score(changed, systems["eager"])], "found subsets of different ones"),
    ]
    for shards, message in wrong:
        with pytest.raises(MismatchError, match=message):
            merge(shards)
    for scores, message in (
        (shard("1-5"), "found one score"),
        ([], "found none"),
        (None, "found NoneType"),
        ([None], "found item 1 of type NoneType"),
    ):
        with pytest.raises(UsageError, match=f"must be a list of scores, {message}"):
            merge(scores)  # type: ignore[arg-type]


@pytest.mark.realdata
def test_a_hundred_shards_of_a_shared_task(data: Path) -> None:
    gold = read(data / "conll14" / "gold" / "official-2014.combined.m2")
    system = read_system(next((data / "conll14").glob("*/AMU.txt")))
    shards = [score(gold.subset(numbers), system) for numbers in _cut(len(gold), 100, seed=0)]
    assert merge(shards) == score(gold, system)
    sums = tuple(map(sum, zip(*(shard.counts for shard in shards), strict=True)))
    assert sums != merge(shards).counts  # other references were chosen in the shards
