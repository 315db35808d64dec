"""Subsets of a corpus keep the numbers of its sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import errata
from errata.corpus.corpus import Part
from errata.corpus.texts import iterate_ranges, looks_like_ranges, write_ranges


@given(st.sets(st.integers(1, 60), min_size=1))
def test_ranges_are_read_as_they_are_written(numbers: set[int]) -> None:
    listed = sorted(numbers)
    assert list(iterate_ranges(",".join(write_ranges(listed)), 60)) == listed
    assert list(iterate_ranges("\n".join(write_ranges(listed)), 60)) == listed
    assert all(looks_like_ranges(text) for text in write_ranges(listed))


def test_a_subset_keeps_order_and_numbers(gold: errata.Corpus) -> None:
    part = gold.subset("70,3,10-12")
    assert part.numbers == (3, 10, 11, 12, 70)
    assert [sentence.text for sentence in part] == [gold[number - 1].text for number in (3, 10, 11, 12, 70)]
    assert part.extent == "5 of 72 sentences (3,10-12,70)"
    assert part.subset([70, 3]).part == Part((3, 70), 72)
    assert gold.subset("1-72") is gold
    assert gold.subset(range(1, 73)) is gold
    assert gold.numbers == range(1, 73)
    assert len(gold.subset(range(1, 72, 2)).extent) < 80


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ("73", "sentences are numbered from 1 to 72, found '73'"),
        ("0", "sentences are numbered from 1 to 72, found '0'"),
        ("70-1000000000000", "sentences are numbered from 1 to 72, found '70-1000000000000'"),
        ("1-" + "9" * 5000, "sentences are numbered from 1 to 72, found '1-9999"),
        ("3-1", "the range '3-1' runs backwards"),
        ("1,2,1", "sentence 1 is given twice"),
        ("1-3,2", "sentence 2 is given twice"),
        ("", "sentences are numbers and ranges such as 3,10-12, found an empty text"),
        ("1,,2", "sentences are numbers and ranges such as 3,10-12, found a comma without a number before or after it: '1,,2'"),
        ("1-", "sentences are numbers and ranges such as 3,10-12, found '1-'"),
        ("-3", "sentences are numbers and ranges such as 3,10-12, found '-3'"),
        ("٣", "sentences are numbers and ranges such as 3,10-12, found '٣'"),
        ([], "a subset must have at least one sentence, found none"),
        ([1, 1], "sentence 1 is given twice"),
        ([0], "sentences are numbered from 1 to 72, found 0"),
        ([True], "sentences are numbered from 1 to 72, found True"),
        (["1"], "sentences are numbered from 1 to 72, found '1'"),
        (range(1, 10**12), "sentences are numbered from 1 to 72, found 73"),
        (5, "a subset must be numbers of sentences, found 5"),
    ],
)
def test_bad_numbers(gold: errata.Corpus, sentences: str | Iterable[int], message: str) -> None:
    with pytest.raises(errata.UsageError) as error:
        gold.subset(sentences)
    assert message in str(error.value)


def test_a_subset_of_a_subset_has_only_its_sentences(gold: errata.Corpus) -> None:
    with pytest.raises(errata.UsageError, match=r"sentence 4 is not in the subset: 3 of 72 sentences \(1-3\)"):
        gold.subset("1-3").subset("2,4")
    with pytest.raises(errata.UsageError, match="a subset must have a number for each sentence, found 1 for 72"):
        errata.Corpus(gold.sentences, part=Part((1,), 72))


@pytest.mark.parametrize("metric", ["imeasure", "accuracy", "maxmatch(choice=sentence)"])
def test_sentences_score_as_in_the_whole_corpus(gold: errata.Corpus, systems: dict[str, errata.System], metric: str) -> None:
    whole = errata.score(gold, systems["eager"], metric)
    part = errata.score(gold.subset("5-30,44"), systems["eager"], metric)
    assert [item.sentence for item in part.sentences] == [*range(5, 31), 44]
    assert part.sentences == [whole.sentence(number) for number in (*range(5, 31), 44)]
    assert part.sentence(44) == whole.sentence(44)
    assert part.counts == tuple(map(sum, zip(*(item.counts for item in part.sentences), strict=True)))
    with pytest.raises(errata.UsageError, match="sentence 31 is not in the subset"):
        part.sentence(31)
    with pytest.raises(errata.UsageError, match="sentences are counted from 1 to 72, found 73"):
        part.sentence(73)


def test_a_system_is_cut_with_the_corpus(gold: errata.Corpus, systems: dict[str, errata.System]) -> None:
    part, system = gold.subset("5-30,44"), systems["eager"]
    cut = [system.sentences[number - 1] for number in part.numbers]
    scores = [errata.score(part, given) for given in (system, system.sentences, cut)]
    assert scores[0].value == scores[1].value == scores[2].value
    assert scores[0].system.sentences == tuple(cut)
    assert errata.read_system("examples/systems/eager.txt", gold=part).sentences == tuple(cut)
    with pytest.raises(errata.MismatchError, match="too few sentences: 26 for the 27 sentences"):
        errata.score(part, cut[:-1])


def test_the_edits_of_a_sentence_are_found_by_its_number(gold: errata.Corpus, systems: dict[str, errata.System]) -> None:
    whole = errata.score(gold, systems["eager"])
    part = errata.score(gold.subset("40-60"), systems["eager"])
    assert part.edits(50, annotator="0") == whole.edits(50, annotator="0")
    tokens = errata.score(gold, systems["eager"], "imeasure")
    assert errata.score(gold.subset("40-60"), systems["eager"], "imeasure").alignment(50) == tokens.alignment(50)


def test_the_signature_names_the_subset(gold: errata.Corpus, systems: dict[str, errata.System]) -> None:
    whole = errata.score(gold, systems["eager"]).signature
    assert "gold learner.m2, 72 sentences, annotators 0,1, sha256 86eeb69393ce" in whole
    part = errata.score(gold.subset("1-10"), systems["eager"]).signature
    assert "gold learner.m2, 10 of 72 sentences (1-10), annotators 0,1, sha256 " in part
    assert "86eeb69393ce" not in part
    assert errata.score(gold.subset("1-72"), systems["eager"]).signature == whole


def test_errors_name_the_number_in_the_whole_corpus() -> None:
    odd = errata.Sentence.of("a b", [errata.Edit(0, 1, tuple(map(str, range(400)))), errata.Edit(1, 2, tuple(map(str, range(400))))])
    corpus = errata.Corpus((*(errata.Sentence.of("a"),) * 4, odd))
    for part in (corpus, corpus.subset("2,5")):
        with pytest.raises(errata.RequestError, match="sentence 5: annotator 0 accepts 160,000 texts"):
            errata.score(part, ["a"] * 4 + ["a b"], "accuracy")


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["maxmatch", "imeasure"])
def test_errors_of_the_core_name_the_number_in_the_whole_corpus(metric: str) -> None:
    correction, output = ("a " * 1500, "a " * 3000) if metric == "maxmatch" else ("c " * 700, "d " * 1500)
    long = errata.Sentence.of("b " * 3000, [errata.Edit(0, 3000, (correction.strip(),))])
    corpus = errata.Corpus((errata.Sentence.of("a"), errata.Sentence.of("b"), long)).subset("1,3")
    with pytest.raises(errata.RequestError, match="sentence 3 cannot be scored"):
        errata.score(corpus, ["a", output], metric)


class Halves(errata.Accuracy):
    """A metric that counts the word "lonely" as a half."""

    def scorer(self, corpus: errata.Corpus) -> Any:
        return errata.Metric.scorer(self, corpus)

    def count(self, sentence: errata.Sentence, hypothesis: tuple[str, ...]) -> Any:
        del hypothesis
        return [(0.5 if "lonely" in sentence.tokens else 1, 1)] * max(1, len(sentence.annotations))


def test_errors_of_a_plug_in_name_the_number_in_the_whole_corpus(gold: errata.Corpus, systems: dict[str, errata.System]) -> None:
    with pytest.raises(errata.RequestError, match=r"for sentence 3$"):
        errata.score(gold.subset("2-10"), systems["eager"], Halves())
