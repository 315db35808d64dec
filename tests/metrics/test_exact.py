"""Sentence accuracy and exact index match."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

import errata
from errata import Corpus, Edit, IndexMatch, RequestError, Sentence, UsageError, score
from errata.corpus.references import NORMALISATIONS, make_normaliser

SENTENCES = (
    Sentence.of("I likes cake .", [Edit(1, 2, ("like", "love"))], [Edit(1, 2, ("am fond of",))]),
    Sentence.of("Fine .", []),
    Sentence.of("It is is .", [Edit(1, 2, ("",), status="OPTIONAL")]),
)
GOLD = Corpus(SENTENCES)


@pytest.mark.parametrize(
    ("output", "metric", "matched"),
    [
        (["I like cake .", "Fine .", "It is ."], "accuracy", 3),
        (["I love cake .", "Fine .", "It is is ."], "accuracy", 3),
        (["I am fond of cake .", "Fine .", "It is"], "accuracy", 2),
        (["I likes cake .", "fine.", "it IS."], "accuracy", 0),
        (["I likes cake .", "fine.", "it IS."], "accuracy(normalise=case)", 2),
        (["i LIKE cake", "fine !", "it is"], "accuracy(normalise=words)", 3),
        (["i LIKE cake", "fine !", "it is"], "accuracy(normalise=words2016)", 0),
        (["I like cake", "Fine", "It is ,"], "accuracy(normalise=words2016)", 1),
        (["I like cake !", "Fine !", "It is ,"], "accuracy(normalise=words2016)", 3),
        (["I adore cake !", "Fine", "It is is"], "indexmatch", 3),
        (["I adored no cake !", "Fine", "It is was"], "indexmatch", 2),
        (["I adore no cakes !", "Good", "It is not is"], "indexmatch", 0),
        (["I adore no cake !", "Fine fine", "It is not is"], "indexmatch(positions=formal)", 3),
    ],
)
def test_what_matches(output: list[str], metric: str, matched: int) -> None:
    result = score(GOLD, output, metric)
    assert result.parts == {"matched": matched, "sentences": 3}
    assert result.value == pytest.approx(matched / 3)


def test_the_reference_that_is_matched() -> None:
    assert [item.reference for item in score(GOLD, ["I am fond of cake .", "Fine .", "x"], "accuracy").sentences] == ["1", "0", "0"]


def test_a_sentence_that_nobody_annotated_is_right() -> None:
    assert score(Corpus((Sentence(("a", "b")),)), ["a b"], "accuracy").value == 1


def test_too_many_texts_are_refused() -> None:
    edits = [Edit(k, k + 1, ("x", "y")) for k in range(17)]
    gold = Corpus((Sentence.of("fine", []), Sentence.of(" ".join("abcdefghijklmnopq"), edits)))
    with pytest.raises(RequestError, match="sentence 2: annotator 0 accepts 131,072 texts, more than 100,000"):
        score(gold, ["fine", "x"], "accuracy")


def test_bad_settings() -> None:
    with pytest.raises(UsageError, match="accuracy setting normalise must be one of tokens, case, words, words2016, found 'letters'"):
        errata.metric("accuracy(normalise=letters)")
    with pytest.raises(UsageError, match="indexmatch setting positions must be one of published, formal, found 'none'"):
        errata.metric("indexmatch(positions=none)")


def test_normalisations() -> None:
    text = "It 's a  U . S . plan ,  OK ?"
    assert {name: make_normaliser(name)(text) for name in NORMALISATIONS} == {
        "tokens": "It 's a U . S . plan , OK ?",
        "case": "it'sau.s.plan,ok?",
        "words": "it sa u s plan ok",
        "words2016": "Its aU S plan OK ",
    }


@pytest.mark.realdata
@pytest.mark.parametrize(("normalisation", "name"), [("words2016", "norm2016"), ("words", "norm_final")])
def test_the_corrections_of_a_crowd_are_counted_as_published(data: Path, normalisation: str, name: str) -> None:
    """How many corrections were given once, twice, ... after each normalisation, for all 52 sentences."""
    normalised = make_normaliser(normalisation)  # type: ignore[arg-type]
    counts: dict[str, Counter[str]] = {}
    for row in crowd(data):
        counts.setdefault(row["sentence_id"], Counter())[normalised(row["correction"])] += int(row["count"])
    with (data / "crowd" / "unseenest" / "fingerprints_from_corrections.tsv").open(encoding="utf-8", newline="") as file:
        expected = {row["sentence_id"]: row["fingerprint"] for row in csv.DictReader(file, delimiter="\t") if row["normalisation"] == name}
    assert {sentence: fingerprint_of(found) for sentence, found in counts.items()} == expected


@pytest.mark.realdata
def test_index_matches_of_a_crowd_are_counted_as_published(data: Path) -> None:
    """The published counts belong to 48 file names, some of which several sentences share; of the rest a few were counted otherwise."""
    metric = IndexMatch()
    counts: dict[str, Counter[object]] = {}
    for row in crowd(data):
        counts.setdefault(row["sentence_id"], Counter())[metric.changes(row["source"], row["correction"])] += int(row["count"])
    unseenest = data / "crowd" / "unseenest"
    with (unseenest / "fingerprints_of_published_index.tsv").open(encoding="utf-8", newline="") as file:
        published = {row["file_prefix"]: row["fingerprint"] for row in csv.DictReader(file, delimiter="\t")}
    with (data / "crowd" / "sentences.tsv").open(encoding="utf-8", newline="") as file:
        prefixes = {row["sentence_id"]: row["file_prefix"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
    equal = [sentence for sentence, found in counts.items() if fingerprint_of(found) == published[prefixes[sentence]]]
    assert len(equal) == 39


def crowd(data: Path) -> list[dict[str, str]]:
    with (data / "crowd" / "crowd_corrections.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for row in rows:
        for key in ("source", "correction"):
            row[key] = row[key].replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")
    return rows


def fingerprint_of(counts: Counter[str] | Counter[object]) -> str:
    times = Counter(counts.values())
    return ",".join(str(times[number]) for number in range(1, max(times) + 1))
