"""Gold in four policies, with a toy analyser and with recorded parses."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import errata
from errata import Annotation, Corpus, Edit, ParseBank, Sentence
from errata.formats.m2 import format_m2
from errata.language.errant import Extractor, Policy, _apply_edits, prepare_gold

from errant_recordings import known_words
from toy_analyser import ToyAnalyser

SOURCE = "I has a apple in house ."


def prepared(
    policy: Policy, *annotations: Annotation, typed: bool = True, strip: bool = True
) -> list[tuple[str, list[tuple[int, int, str, str]]]]:
    corpus = Corpus((Sentence(tuple(SOURCE.split()), annotations),))
    found = prepare_gold(corpus, policy, Extractor(ParseBank(ToyAnalyser()), words={"a"}), typed=typed, strip=strip)
    return [(item.annotator, [(edit.start, edit.end, edit.literal, edit.type) for edit in item.edits]) for item in found[0].annotations]


def annotation(*edits: tuple[int, int, str, str], annotator: str = "0", noop: bool = False) -> Annotation:
    return Annotation(annotator, tuple(Edit(start, end, (text,), type_) for start, end, text, type_ in edits), starts_with_noop=noop)


def test_raw_is_as_it_is() -> None:
    own = annotation((1, 2, "has", "Um"), (1, 2, "have", "SVA"))
    assert prepared("raw", own) == [("0", [(1, 2, "has", "Um"), (1, 2, "have", "SVA")])]


def test_auto_keeps_what_is_unknown() -> None:
    own = annotation((5, 5, "the", "ArtOrDet"), (1, 2, "have", "SVA"), (2, 3, "an", "Um"), (6, 7, "!", "UNK"), (4, 4, "", "Um"))
    assert prepared("auto", own) == [
        ("0", [(1, 2, "have", "R:SPELL"), (2, 3, "an", "UNK"), (4, 4, "", "UNK"), (5, 5, "the", "M:NOUN"), (6, 7, "!", "UNK")])
    ]


def test_unknown_edits_come_before_others_of_the_same_span() -> None:
    both = [(5, 5, "zz", "UNK"), (5, 5, "the", "M:NOUN")]
    assert prepared("auto", annotation((5, 5, "the", "ArtOrDet"), (5, 5, "zz", "UNK"))) == [("0", both)]


def test_an_unknown_edit_has_the_type_of_what_others_change_at_its_place() -> None:
    """ERRANT compares its span with the corrected text; its correction stays, with single spaces."""
    own = annotation((1, 2, "is  not", "Um"), (1, 3, "have an", "SVA"))
    assert prepared("gold", own) == [("0", [(1, 2, "is not", "R:SPELL"), (1, 3, "have an", "R:NOUN")])]
    assert prepared("auto", own) == [("0", [(1, 2, "is not", "R:SPELL"), (1, 2, "have", "R:SPELL"), (2, 3, "an", "R:NOUN")])]
    assert [edit[3] for edit in prepared("gold", own, typed=False)[0][1]] == ["", ""]


def test_text_applies_everything() -> None:
    own = annotation((1, 2, "have", "SVA"), (2, 3, "", "Um"))
    assert prepared("text", own) == [("0", [(1, 3, "have", "R:NOUN")])]


def test_text_repeats_the_first_annotator_where_another_has_no_line() -> None:
    first, other = annotation((1, 2, "have", "SVA")), annotation((1, 2, "had", "Vt"), annotator="1")
    corpus = Corpus((Sentence(tuple(SOURCE.split()), (first, other)), Sentence(tuple(SOURCE.split()), (first,)), Sentence(("a",))))
    found = prepare_gold(corpus, "text", Extractor(ParseBank(ToyAnalyser()), words={"a"}))
    assert [[item.annotator for item in sentence.annotations] for sentence in found] == [["0", "1"]] * 3
    assert found[1].annotations[1].edits == found[1].annotations[0].edits != ()


def test_gold_strips_equal_tokens_and_keeps_spans() -> None:
    own = annotation((1, 2, "has", "Vt"), (2, 4, "a apples", "Nn"), (0, 2, "He has", "Pron"))
    assert prepared("gold", own) == [("0", [(0, 1, "He", "R:NOUN"), (2, 2, "", "UNK"), (3, 4, "apples", "R:SPELL")])]
    whole = [(0, 2, "He has", "R:NOUN"), (1, 2, "has", "UNK"), (2, 4, "a apples", "R:NOUN")]
    assert prepared("gold", own, strip=False) == [("0", whole)]


def test_edits_without_types() -> None:
    own = annotation((1, 2, "has", "Vt"), (2, 4, "a apples", "Nn"), (5, 5, "x", "Um"))
    assert prepared("gold", own, typed=False) == [("0", [(2, 2, "", "UNK"), (3, 4, "apples", ""), (5, 5, "x", "UNK")])]
    assert prepared("auto", own, typed=False) == [("0", [(3, 4, "apples", ""), (5, 5, "x", "UNK")])]


def test_annotators_are_sorted_by_their_names_and_noop_first_drops_the_rest() -> None:
    names = [annotation((1, 2, "have", "SVA"), annotator=name) for name in ("2", "10", "1")]
    assert [name for name, _ in prepared("auto", *names)] == ["1", "10", "2"]
    assert [name for name, _ in prepared("raw", *names)] == ["2", "10", "1"]
    assert prepared("auto", annotation((1, 2, "have", "SVA"), noop=True)) == [("0", [])]


def test_overlapping_edits_are_applied_as_errant_does() -> None:
    """The result is what errant_m2 3.0.2 wrote for these lines."""

    def corrected(*edits: tuple[int, int, str, str]) -> str:
        return " ".join(_apply_edits(tuple(SOURCE.split()), annotation(*edits).edits)[0])

    assert corrected((1, 3, "have an", "Vt"), (2, 4, "some apples", "Nn")) == "I have some apples in house ."
    assert corrected((2, 4, "some apples", "Nn"), (1, 3, "have an", "Vt")) == "I have some apples in house ."
    assert corrected((5, 6, "home", "Nn"), (5, 5, "the", "ArtOrDet")) == "I has a apple in the home ."
    assert (
        corrected((0, 3, "", "Vt"), (1, 2, "have", "Vt")) == "apple in have ."
    )  # its place lies before the text, so it counts from the end
    assert corrected((2, 3, "an", "Vt"), (2, 3, "yy", "UNK")) == SOURCE  # the unknown edit restores the source
    assert corrected((1, 2, "have||had", "Vt")) == "I have||had a apple in house ."


@pytest.mark.realdata
@pytest.mark.parametrize("policy", ["auto", "gold", "text"])
def test_every_line_of_recorded_gold(data: Path, policy: Policy) -> None:
    folder = data / "expected" / "errant"
    official = errata.read(data / "conll14" / "gold" / "official-2014.combined.m2")
    found = prepare_gold(official, policy, Extractor(ParseBank(files=[folder / "parses.tsv.gz"]), words=known_words()))
    with gzip.open(folder / "m2" / f"gold.{policy}.m2.gz", "rt") as file:
        assert list(format_m2(found)) == file.read().splitlines()
