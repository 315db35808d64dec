"""Annotated Ukrainian texts: the markup, edits of tokens, files, and the corpus of the package ua-gec where it is installed."""

from __future__ import annotations

import os
import warnings
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

import errata
from errata.corpus.corpus import Edit
from errata.errors import ErrataError, FormatError, InputWarning
from errata.formats.checking import check_file
from errata.formats.ua_gec import _MOST_JOINED, _parse_annotated, _TokenEdits

from thoroughness import THOROUGH

EXAMPLE = "examples/ukrainian"
needs_package = pytest.mark.skipif(
    find_spec("ua_gec.annotated_text") is None, reason="needs the corpus of the package ua-gec: pip install ua-gec"
)


def _folder(package: ModuleType) -> Path:
    return Path(package.__path__[0])


def convert(annotated: str, *sentences: str) -> tuple[list[list[Edit]], list[str]]:
    text = _parse_annotated(annotated)
    told: list[str] = []
    edits = _TokenEdits([tuple(line.split()) for line in sentences], text.source).convert(
        text.annotations, lambda _, kind: told.append(kind)
    )
    return edits, told


def only(annotated: str, sentence: str) -> tuple[int, int, tuple[str, ...], str]:
    ((edit,),), _ = convert(annotated, sentence)
    return edit.start, edit.end, edit.corrections, edit.type


@pytest.mark.parametrize(
    ("text", "source", "found"),
    [
        ("a {b=>c:::error_type=G/Case} d", "a b d", [(("c",), "G/Case")]),
        ("{b=>c|d}", "b", [(("c", "d"), "")]),
        ("{b=>NO_SUGGESTIONS:::error_type=F/Style}", "b", [((), "F/Style")]),
        (r"{b\n=>\n:::error_type=P}\n", "b\n\n", [(("\n",), "P")]),
        (r"{a\b=>a\c}", r"a\b", [((r"a\c",), "")]),
        ("{plain} {a=>b}", "{plain} a", [(("b",), "")]),
        ("{a {b=>c} d}", "{a b d}", [(("c",), "")]),
        ("{a {b=>c} => d}", "{a b=>c} ", [((" d",), "")]),
        ("{a=>\nb}", "{a=>\nb}", []),
        ("{a=>b=>c}", "a=>b", [(("c",), "")]),
        ("{a=>b:::x=1:::error_type=T}", "a", [(("b",), "T")]),
    ],
)
def test_markup(text: str, source: str, found: list[tuple[tuple[str, ...], str]]) -> None:
    parsed = _parse_annotated(text)
    assert parsed.source == source
    assert [(item.corrections, item.type) for item in parsed.annotations] == found


def test_offsets_and_lines() -> None:
    parsed = _parse_annotated("ab {c=>d}\n{ef=>}g => h\n{i=>j}")
    assert [parsed.source[item.start : item.end] for item in parsed.annotations] == ["c", "ef", "i"]
    assert [item.line for item in parsed.annotations] == [1, 2, 3]
    assert parsed.left_over == (2,)


MARKS = st.lists(
    st.sampled_from(["{", "}", "=>", ":::", "=", "a", "b", "|", "\n", "\\n", ":", "error_type=", "NO_SUGGESTIONS"]), max_size=14
)


@needs_package
@given(MARKS.map("".join))
def test_markup_is_read_as_the_package_reads_it(text: str) -> None:
    expected, parsed = import_module("ua_gec.annotated_text").AnnotatedText(text), _parse_annotated(text)
    assert parsed.source == expected.get_original_text()
    own = [(list(item.corrections), item.type) for item in parsed.annotations]
    assert own == [(item.suggestions, item.meta.get("error_type", "")) for item in expected.get_annotations()]


@pytest.mark.parametrize(
    ("annotated", "sentence", "edit"),
    [
        ("до {школа=>школи:::error_type=G/Case}.", "до школа .", (1, 2, ("школи",), "G/Case")),
        ("школа{=>,} а", "школа а", (1, 1, (",",), "")),
        ("слов{=>о} є", "слов є", (0, 1, ("слово",), "")),
        ("цікав{а=>ий}.", "цікава .", (0, 1, ("цікавий",), "")),
        ("не{ =>}знаю", "не знаю", (0, 2, ("незнаю",), "")),
        ("не{=> }знаю", "незнаю", (0, 1, ("не знаю",), "")),
        ("{так=>так,} ні", "так ні", (1, 1, (",",), "")),
        ("а{: «=>. — }б", "а : « б", (1, 3, (". —",), "")),
        ("{слов=>слова:::error_type=A}{=>х:::error_type=B}", "слов", (0, 1, ("словах",), "A+B")),
        ("{хто, =>}я", "хто , я", (0, 2, ("",), "")),
    ],
)
def test_edits_of_tokens(annotated: str, sentence: str, edit: tuple[int, int, tuple[str, ...], str]) -> None:
    assert only(annotated, sentence) == edit


def test_insertions_after_a_changed_word_stay_apart() -> None:
    ((one, two),), told = convert("{школа=>школи}{=>,} а", "школа а")
    assert (one.corrections, two.corrections, two.start, told) == (("школи",), (",",), 1, [])


def test_an_edit_of_two_sentences_is_split() -> None:
    edits, told = convert("{Вийшло.якщо=>Вийшло. Якщо} так.", "Вийшло .", "якщо так .")
    assert edits == [[], [Edit(0, 1, ("Якщо",), "")]]
    assert told == ["crossing"]
    edits, _ = convert("Так{. Але=>, але:::error_type=P} ні.", "Так .", "Але ні .")
    assert edits == [[Edit(1, 2, (", але",), "P")], [Edit(0, 1, ("",), "P")]]


def test_what_changes_nothing_and_what_has_no_correction_are_told() -> None:
    edits, told = convert("а{  => }б {в=>NO_SUGGESTIONS}", "а б в")
    assert edits == [[]]
    assert sorted(told) == ["empty", "unmarked"]


def test_annotations_that_make_one_edit_are_bounded(tmp_path: Path) -> None:
    many = _MOST_JOINED + 1
    (edits,), _ = convert("{a=>b}" * _MOST_JOINED, " ".join("a" * _MOST_JOINED))
    assert [edit.corrections for edit in edits] == [("b" * _MOST_JOINED,)]
    folder = write(tmp_path, {"x.a1.ann": "a\n" + "{a=>b}" * many}, "a\n" + " ".join("a" * many) + "\n")
    with pytest.raises(FormatError, match=rf"x\.a1\.ann:2: more than {_MOST_JOINED} annotations in a row make one edit"):
        errata.read(folder, format="ua-gec")


def test_the_example_has_two_annotators() -> None:
    gold = errata.read(EXAMPLE, format="ua-gec")
    assert (len(gold), gold.annotators, gold[0].document) == (3, ("1", "2"), "lyst")
    assert " ".join(gold[0].corrected(gold[0].annotations[1])) == "Вчора я ходив у школу , а потім дивився фільм ."
    assert gold[1].annotations[0].edits == gold[1].annotations[1].edits
    alone = errata.read(f"{EXAMPLE}/annotated/lyst.a2.ann")
    assert alone.annotators == ("2",)
    assert [sentence.annotations[0].edits for sentence in alone] == [sentence.annotations[1].edits for sentence in gold]


def write(folder: Path, texts: dict[str, str], sentences: str | None) -> Path:
    (folder / "annotated").mkdir()
    (folder / "source-sentences-tokenized").mkdir()
    for name, text in texts.items():
        (folder / "annotated" / name).write_text(text, encoding="utf-8")
    if sentences is not None:
        (folder / "source-sentences-tokenized" / "x.src.txt").write_text(sentences, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("texts", "sentences", "message"),
    [
        ({"x.a1.ann": "Так.\nНі.\n"}, "Так .\nНе .\n", r"x\.src\.txt:2: expected the text of .*x\.a1\.ann, 'Ні', found 'Не'"),
        ({"x.a1.ann": "Так. Ні.\n"}, "Так .\n", r"x\.src\.txt:1: expected the text of .*x\.a1\.ann, 'Ні\.', found the end"),
        ({"x.a1.ann": "Так.\n"}, None, r"x\.a1\.ann needs its sentences, one per line and tokenised; there is no .*x\.src\.txt"),
        (
            {"x.a1.ann": "Так.\n", "x.a2.ann": "Ні.\n"},
            "Так .\n",
            r"x\.a2\.ann: its text without annotations differs from that of .*x\.a1\.ann",
        ),
        ({}, "Так .\n", r"no annotated texts found, expected annotated/DOCUMENT\.aN\.ann"),
    ],
)
def test_mistakes_name_the_file(tmp_path: Path, texts: dict[str, str], sentences: str | None, message: str) -> None:
    with pytest.raises(ErrataError, match=message):
        errata.read(write(tmp_path, texts, sentences), format="ua-gec")


def test_an_arrow_outside_annotations_is_text_and_told_with_its_line(tmp_path: Path) -> None:
    folder = write(tmp_path, {"x.a1.ann": "Так.\n{а=>\n} {б=>в}\n"}, "Так .\n{ а => } б\n")
    with pytest.warns(InputWarning, match=r"x\.a1\.ann:2: an arrow \(=>\) or error type outside an annotation"):
        gold = errata.read(folder, format="ua-gec")
    assert gold[1].annotations[0].edits == (Edit(4, 5, ("в",), ""),)
    _, problems = check_file(str(folder / "annotated" / "x.a1.ann"))
    assert [(problem.line, problem.severity) for problem in problems] == [(2, "warning")]


@pytest.mark.parametrize("text", ["Так.\n{а {б=>в} =>г}\n", "Так.\n{а=>{б=>в}}\n", "Так.\n{а=>б=>в}\n", "Так.\n{а=>б{в}\n"])
def test_annotations_inside_others_are_an_error_with_their_line(tmp_path: Path, text: str) -> None:
    folder = write(tmp_path, {"x.a1.ann": text}, "Так .\n")
    with pytest.raises(ErrataError, match=r"x\.a1\.ann:2: the marks of an annotation inside another"):
        errata.read(folder, format="ua-gec")


def test_a_folder_needs_the_name_of_the_format() -> None:
    with pytest.raises(ErrataError, match="--from ua-gec"):
        errata.read(EXAMPLE)


@needs_package
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the package does not close its files
@pytest.mark.parametrize("layer", ["gec-only", "gec-fluency"] if THOROUGH else ["gec-only"])
def test_corrected_texts_are_those_of_the_package(layer: str) -> None:
    """Character by character, but for edits of two sentences or of one token, whose corrections are as long."""
    ua_gec = import_module("ua_gec")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        gold = errata.read(_folder(ua_gec) / "data" / layer / "test", format="ua-gec")
    corrected: dict[tuple[str, str], str] = {}
    for sentence in gold:
        for annotation in sentence.annotations:
            assert not sentence.unapplied(annotation)
            key = sentence.document, annotation.annotator
            corrected[key] = corrected.get(key, "") + "".join(sentence.corrected(annotation))
    documents = list(ua_gec.Corpus("test", layer))
    assert len(documents) == len(corrected) == 332
    for document in documents:
        expected = "".join(document.target.split())
        assert corrected[document.doc_id, str(document.meta.annotator_id)] == expected, document.doc_id


@needs_package
def test_types_of_the_package() -> None:
    ua_gec = import_module("ua_gec")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        gold = errata.read(_folder(ua_gec) / "data" / "gec-only" / "test", format="ua-gec")
    types = {edit.type for sentence in gold for item in sentence.annotations for edit in item.edits}
    assert {"Spelling", "Punctuation", "G/Case"} <= types
    assert os.path.basename(gold.path) == "test"  # noqa: PTH119
