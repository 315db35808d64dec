"""Cases from corpora: tokens, characters and edits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from errata import Corpus, Edit, MismatchError, RequestError, Sentence, System, UsageError, read, read_system, score
from errata.studies.detection import Cases, count_cases
from errata.studies.detection.cases import Granularity, find_confusion_set
from errata.studies.detection.from_corpora import extract_cases
from errata.studies.detection.measures import Counts


def counts_of(cases: Cases, aspect: str = "detection") -> Counts:
    return Counts(*(float(number) for number in count_cases(cases, cases.systems[0], aspect)[0]))  # type: ignore[arg-type]


def check_against_metrics(gold: Corpus, system: System) -> None:
    parts = score(gold, system, "imeasure").parts
    tokens = extract_cases(gold, system)
    for aspect in ("detection", "correction"):
        found, expected = counts_of(tokens, aspect), parts[aspect]
        assert found == (expected["tp"], expected["fp"], expected["fn"], expected["tn"], expected.get("fpn", 0))
    edits = extract_cases(gold, system, case="edit")
    found, wanted = counts_of(edits, "correction"), score(gold, system).parts
    assert (found.tp, found.tp + found.fp, found.tp + found.fn) == (wanted["correct"], wanted["proposed"], wanted["gold"])
    assert counts_of(edits).tp == found.tp + found.both


def test_counts_are_those_of_the_metrics(gold: Corpus, systems: dict[str, System]) -> None:
    for system in systems.values():
        check_against_metrics(gold, system)


@pytest.mark.realdata
def test_counts_are_those_of_the_metrics_on_a_test_set(data: Path) -> None:
    gold = read(data / "conll14" / "gold" / "official-2014.combined.m2")
    check_against_metrics(gold, read_system(data / "conll14" / "systems" / "AMU.txt"))


def test_two_errors_in_one_word() -> None:
    """Section 3.5.1: inpire should be inspires, a misspelling and an agreement error; a system may find one of them."""
    gold = Corpus((Sentence.of("The book inpire me .", [Edit(2, 3, ("inspires",), "SVA")]),))
    half = System.of("half", ["The book inspire me ."])
    assert counts_of(extract_cases(gold, half), "correction")[:3] == (0, 1, 1)
    assert counts_of(extract_cases(gold, half, case="character"), "correction")[:3] == (1, 0, 1)
    whole = System.of("whole", ["The book inspires me ."])
    assert counts_of(extract_cases(gold, whole, case="character"))[:3] == (2, 0, 0)
    untouched = extract_cases(gold, System.of("same", ["The book inpire me ."]), case="character")
    assert counts_of(untouched) == (0, 0, 2, 20, 0)


PREPOSITIONS = Corpus(
    (
        Sentence.of("He is fond beer .", [Edit(3, 3, ("of",), "Prep")]),
        Sentence.of("I go in school on Monday .", [Edit(2, 3, ("to",), "Prep"), Edit(5, 6, ("Mondays",), "Nn")]),
        Sentence.of("Cats sleep on sofas .", []),
    )
)
SYSTEM = System.of("s", ["He is fond of beer .", "I go in school at Mondays .", "Cats sleep at sofas ."])


def test_positions_where_a_preposition_is_written_or_wanted() -> None:
    """Section 3.6: fond of is found, in is missed, on is changed twice for nothing; everything else is no case."""
    cases = extract_cases(PREPOSITIONS, SYSTEM, confusion_set=find_confusion_set("prepositions"))
    assert counts_of(cases) == (1, 2, 1, 0, 0)
    assert dict(cases.left_out) == {
        "positions without an error where none of the words is written or proposed": 13,
        "errors at other positions": 1,
    }
    everywhere = extract_cases(PREPOSITIONS, SYSTEM)
    assert len(everywhere) == len(cases) + 14
    assert counts_of(everywhere) == (2, 2, 1, 13, 0)


def test_types() -> None:
    cases = extract_cases(PREPOSITIONS, SYSTEM, types=["Prep"])
    assert counts_of(cases) == (1, 2, 1, 13, 0)
    assert dict(cases.left_out) == {"errors of other types": 1}
    assert cases.types is not None
    assert set(cases.types.names) == {"", "Prep"}
    edits = extract_cases(PREPOSITIONS, SYSTEM, case="edit", types=["Nn"])
    assert counts_of(edits, "correction")[:3] == (1, 2, 0)


def test_wrong_edits_at_the_position_of_missed_ones_are_one_case() -> None:
    gold = Corpus((Sentence.of("a b c", [Edit(1, 2, ("x",), "T")]),))
    cases = extract_cases(gold, System.of("s", ["a y z"]), case="edit")
    assert counts_of(cases)[:3] == (1, 0, 0)
    assert counts_of(cases, "correction")[:3] == (0, 1, 1)


def test_sentences_are_units_and_documents_are_known() -> None:
    cases = extract_cases(PREPOSITIONS, SYSTEM)
    assert cases.units is not None
    assert cases.units.names == ("1", "2", "3")
    assert cases.documents is None
    named = tuple(replace(sentence, document=name) for sentence, name in zip(PREPOSITIONS, ("x", "y", "x"), strict=True))
    documents = extract_cases(Corpus(named), SYSTEM).documents
    assert documents is not None
    assert documents.names == ("x", "y")


def test_an_insertion_has_the_type_of_its_own_edit() -> None:
    """Not that of the edit before it, which ends at the same position."""
    gold = Corpus((Sentence.of("He go school", [Edit(1, 2, ("went",), "Vt"), Edit(2, 2, ("to",), "Prep")]),))
    cases = extract_cases(gold, System.of("s", ["He go to school"]), types=["Prep"])
    assert counts_of(cases)[:3] == (1, 0, 0)
    assert dict(cases.left_out) == {"errors of other types": 1}
    assert "False positives are changes of every type" in cases.notes[0]


def test_a_system_of_another_length(gold: Corpus, systems: dict[str, System]) -> None:
    for unit in ("token", "character", "edit"):
        for sentences in (systems["eager"].sentences[:10], (*systems["eager"].sentences, ("more",))):
            with pytest.raises(MismatchError, match="72"):
                extract_cases(gold, System("x", sentences), case=unit)


def test_bad_requests() -> None:
    with pytest.raises(UsageError, match="characters have no types; with types use tokens, gaps or edits"):
        extract_cases(PREPOSITIONS, SYSTEM, case="character", types=["Prep"])
    with pytest.raises(RequestError, match="no position has one of the words zzz, so there are no cases"):
        extract_cases(PREPOSITIONS, SYSTEM, confusion_set={"zzz"})
    with pytest.raises(UsageError, match="no edit of gold has the type 'Verb'; the types are Nn, Prep"):
        extract_cases(PREPOSITIONS, SYSTEM, types=["Verb"])
    with pytest.raises(UsageError, match="a confusion set needs tokens or gaps as cases, found edits"):
        extract_cases(PREPOSITIONS, SYSTEM, case="edit", confusion_set={"of"})
    with pytest.raises(UsageError, match="case must be 'token', 'character', 'edit', 'gap' or 'sentence', found 'word'"):
        extract_cases(PREPOSITIONS, SYSTEM, case="word")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="edits need a metric that shows edits, such as maxmatch; imeasure does not"):
        extract_cases(PREPOSITIONS, SYSTEM, case="edit", metric="imeasure")
    with pytest.raises(UsageError, match="tokens need a metric that shows aligned words, such as imeasure; maxmatch does not"):
        extract_cases(PREPOSITIONS, SYSTEM, metric="maxmatch")
    with pytest.raises(
        UsageError, match="a confusion set must be articles, commas, prepositions or words separated by commas, found ' , '"
    ):
        find_confusion_set(" , ")


@pytest.mark.parametrize("case", ["token", "edit", "gap", "sentence", "character"])
def test_normalised_texts_have_cases(case: Granularity) -> None:
    """An *é* of two characters is that of the gold, which has one."""
    gold = Corpus((Sentence.of("The cafe is open .", [Edit(1, 2, ("caf\u00e9",), "Spelling"), Edit(3, 3, ("now",), "Adv")]),))
    composed, decomposed = (System.of("one", [f"The {word} is now open ."]) for word in ("caf\u00e9", "cafe\u0301"))
    as_given = extract_cases(gold, composed, case=case)
    normalised = extract_cases(gold.normalised("NFC"), decomposed, case=case)
    assert repr(counts_of(normalised, "correction")) == repr(counts_of(as_given, "correction"))  # some are NaN
    assert counts_of(normalised, "correction").tp >= 1
