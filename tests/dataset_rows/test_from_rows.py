"""Rows of data sets as a corpus."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import errata
from errata import Corpus, ErrataError, InputWarning, System, from_rows, score
from errata.formats import KNOWN_COLUMNS, find_columns

JFLEG = [
    {"sentence": "He go home .", "corrections": ["He goes home .", "He went home ."]},
    {"sentence": "Fine .", "corrections": ["Fine .", "Fine ."]},
]


def rows_of(gold: Corpus) -> list[dict[str, Any]]:
    """The rows of a data set with the texts of all annotators."""
    return [
        {"sentence": sentence.text, "corrections": [" ".join(sentence.corrected(own)) for own in sentence.annotations] or [sentence.text]}
        for sentence in gold
    ]


def test_rows_score_as_texts_do(gold: Corpus, systems: dict[str, System]) -> None:
    rows = rows_of(gold)
    texts = Corpus.from_texts([row["sentence"] for row in rows], [row["corrections"] for row in rows])
    assert from_rows(rows) == texts
    assert score(from_rows(rows), systems["eager"]).counts == score(texts, systems["eager"]).counts


@pytest.mark.realdata
def test_jfleg(data: Path) -> None:
    """Rows as on the Hub score as the files do."""
    folder = data / "jfleg"
    files = [folder / "dev.src", *(folder / f"dev.ref{number}" for number in range(4))]
    lines = [path.read_text(encoding="utf-8").splitlines() for path in files]
    rows = [{"sentence": source, "corrections": own} for source, *own in zip(*lines, strict=True)]
    gold = errata.read(files[0], references=files[1:])
    system = errata.read_system(folder / "systems" / "dense-cclm.txt")
    assert score(from_rows(rows), system).counts == score(gold, system).counts


def test_whatever_holds_rows() -> None:
    expected = from_rows(JFLEG)
    turned = {name: [row[name] for row in JFLEG] for name in JFLEG[0]}

    def generate() -> Iterator[dict[str, Any]]:
        yield from JFLEG

    assert from_rows(turned) == from_rows(tuple(JFLEG)) == from_rows(generate()) == expected
    pyarrow = pytest.importorskip("pyarrow")
    assert from_rows(pyarrow.Table.from_pylist(JFLEG)) == expected


def test_data_frames() -> None:
    pandas = pytest.importorskip("pandas")
    assert from_rows(pandas.DataFrame(JFLEG)) == from_rows(JFLEG)
    with pytest.raises(ErrataError, match="found a single column"):
        from_rows(pandas.DataFrame(JFLEG)["sentence"])


def test_hugging_face_datasets() -> None:
    datasets = pytest.importorskip("datasets", reason="the package datasets is not installed")
    made = datasets.Dataset.from_list(JFLEG)
    assert from_rows(made) == from_rows(made[:]) == from_rows(made.to_iterable_dataset()) == from_rows(JFLEG)
    with pytest.raises(ErrataError, match="found several splits; choose one of them: dev, test"):
        from_rows(datasets.DatasetDict({"dev": made, "test": made}))
    edits = {"start": datasets.Value("int32"), "end": datasets.Value("int32"), "text": datasets.Value("string")}
    features = datasets.Features({"text": datasets.Value("string"), "edits": [edits]})
    essays = datasets.Dataset.from_list([{"text": "He go .", "edits": [{"start": 3, "end": 5, "text": "goes"}]}], features=features)
    assert from_rows(essays)[0].annotations[0].edits[0].corrections == ("goes",)
    assert from_rows(made, "sentence", "corrections") == from_rows(JFLEG)


@pytest.mark.parametrize("pair", KNOWN_COLUMNS)
def test_known_columns(pair: tuple[str, str]) -> None:
    assert find_columns(["id", *pair]) == (pair[0], (pair[1],))


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ({"src": "He go .", "tgt": "He goes ."}, {}),
        ({"src_tokens": ["He", "go", "."], "tgt_tokens": ["He", "goes", "."]}, {}),
        ({"learner": "He go .", "teacher": "He goes ."}, {"source": "learner", "references": "teacher"}),
        ({"text": "He go .", "edits": {"start": [3], "end": [5], "text": ["goes"]}}, {}),
        ({"text": "He go .", "edits": [{"start": 3, "end": 5, "text": "goes"}]}, {}),
        ({"tokens": ["He", "go", "."], "edits": {"start": [1], "end": [2], "text": ["goes"], "type": ["Replacement"]}}, {}),
        ({"text": "He go .", "edits": {"start": [3], "end": [5], "text": [["goes"]]}}, {}),
    ],
)
def test_one_reference(row: dict[str, Any], named: dict[str, str]) -> None:
    assert from_rows([row], **named) == Corpus.from_texts(["He go ."], ["He goes ."])


def test_a_column_for_each_annotator() -> None:
    rows = [{"src": "He go .", "ref0": "He goes .", "ref1": None}, {"src": "A .", "ref0": "B .", "ref1": "C ."}]
    corpus = from_rows(rows, "src", ["ref0", "ref1"])
    assert [[own.annotator for own in sentence.annotations] for sentence in corpus] == [["0"], ["0", "1"]]


def test_edits_of_tokens_stay_as_they_are() -> None:
    edits = {"start": [1, 3, 1], "end": [2, 3, 4], "text": ["goes", "soon", "x"], "type": ["SVA", "", "Wci"], "annotator": [0, 0, 1]}
    corpus = from_rows([{"tokens": ["He", "go", "home", "."], "edits": edits}, {"tokens": ["A"], "edits": []}])
    first, second = corpus[0].annotations
    assert [(edit.start, edit.end, edit.corrections, edit.type) for edit in first.edits] == [
        (1, 2, ("goes",), "SVA"),
        (3, 3, ("soon",), ""),
    ]
    assert second.annotator == "1"
    assert corpus[1].annotations[0].edits == ()


def test_raw_text_is_tokenised() -> None:
    row = {"text": "He don't go.", "edits": {"start": [3, 11], "end": [8, 11], "text": ["doesn't", " home"]}}
    corpus = from_rows([row], tokenise="ptb")
    assert corpus[0].tokens == ("He", "do", "n't", "go", ".")
    assert " ".join(corpus[0].corrected(corpus[0].annotations[0])) == "He does n't go home ."
    assert from_rows([row])[0].tokens == ("He", "don't", "go.")


def test_errors_that_nobody_corrected_are_told() -> None:
    row = {"text": "He go .", "edits": {"start": [0, 3], "end": [2, 5], "text": [None, "goes"]}}
    with pytest.warns(InputWarning, match="1 edit without a correction skipped"):
        assert len(from_rows([row])[0].annotations[0].edits) == 1


@pytest.mark.parametrize(
    ("rows", "named", "message"),
    [
        (
            [{"a": "x", "b": "y"}],
            {},
            "the columns of source and references are not known, found a, b; name them with source= and references=",
        ),
        ([{"a": "x", "b": "y"}], {"source": "a"}, "name them with references=, or use a pair of: sentence and corrections; "),
        (JFLEG, {"source": "sentense"}, "the rows have no column 'sentense'; choose from sentence, corrections; did you mean sentence?"),
        (JFLEG, {"references": []}, "references must name one column or more, found none"),
        (
            [{"src": "a", "tgt": "b", "input": "c", "output": "d"}],
            {},
            "several columns may be source and references: src and tgt; input and output; name them with source= and references=",
        ),
        ([*JFLEG, {"sentence": "x"}], {}, "row 3: there is no column 'corrections'"),
        ([*JFLEG, {"sentence": None, "corrections": ["x"]}], {}, "row 3: column 'sentence': a sentence must be a string"),
        ([*JFLEG, {"sentence": "x", "corrections": []}], {}, "references, sentence 3: expected one reference or more, found none"),
        ([*JFLEG, {"sentence": "x", "corrections": [float("nan")]}], {}, "references, sentence 3: "),
        ([*JFLEG, "x"], {}, "rows must be a data set, or a list of dictionaries, found str as row 3: 'x'"),
        ([], {}, "rows must be a data set, or a list of dictionaries, found no row"),
        ({}, {}, "found no row"),
        ("gold.m2", {}, "rows must be a data set, or a list of dictionaries, found a single string"),
        (None, {}, "rows must be a data set, or a list of dictionaries, found NoneType"),
        ({"src": "a", "tgt": "b"}, {}, "found a single row with src, tgt; put it into a list"),
        ({"src": ["a"], "tgt": ["b", "c"]}, {}, "src and tgt must have the same length, found 1 and 2"),
        ([{"text": "a", "edits": {"start": [0], "end": [1]}}], {}, "row 1: edits must have start, end and text, found no text"),
        (
            [{"text": "a", "edits": {"start": [0], "end": [9], "text": ["b"]}}],
            {},
            "row 1: an edit of 0 to 9 lies outside a text of 1 characters",
        ),
        (
            [{"text": "abc", "edits": {"start": [0, 1], "end": [2, 3], "text": ["x", "y"]}}],
            {},
            "an edit of 1 to 3 overlaps one that ends at 2",
        ),
        ([{"text": "abc", "edits": [{"start": 2, "end": 1, "text": "x"}]}], {}, "edit 1: start must be from 0 to end, found 2 and 1"),
        ([{"text": "abc", "edits": [{"start": 0.5, "end": 1, "text": "x"}]}], {}, "start and end must be whole numbers, found 0.5 and 1"),
        ([{"text": "abc", "edits": [{"start": True, "end": 1, "text": "x"}]}], {}, "start and end must be whole numbers, found True and 1"),
        ([{"text": "abc", "edits": [{"start": 0, "end": 1, "text": [1]}]}], {}, "the tokens of the text must be strings, found int: 1"),
        ([{1: "a", 2: "b"}], {"source": 1, "references": 2}, "columns must be named by strings, found 1 and 2"),
        ([{"text": "abc", "edits": None}], {}, "row 1: edits must be a list, found NoneType"),
        (
            [{"tokens": ["a"], "edits": [{"start": 0, "end": 2, "text": "x"}]}],
            {},
            "row 1: an edit of 0 to 2 lies outside a sentence of 1 token",
        ),
        (JFLEG, {"tokenise": "source"}, "rows must be tokenised by one of conll, ptb, spacy, whitespace, found 'source'"),
    ],
)
def test_bad_rows(rows: object, named: dict[str, Any], message: str) -> None:
    with pytest.raises(ErrataError, match=re.escape(message)):
        from_rows(rows, **named)


def test_what_pandas_and_numpy_have_instead() -> None:
    """NaN where an annotator has no reference, and offsets of NumPy."""
    import numpy as np
    import pandas as pd

    frame = pd.DataFrame({"source": ["He go .", "A cat ."], "r1": ["He goes .", None], "r2": ["He went .", "A cat !"]})
    corpus = from_rows(frame, source="source", references=["r1", "r2"])
    assert [len(sentence.annotations) for sentence in corpus] == [2, 1]
    edits = [{"start": np.int64(3), "end": np.int64(5), "text": "goes"}]
    assert from_rows([{"text": "He go .", "edits": edits}])[0].annotations[0].edits[0].corrections == ("goes",)


def test_the_name_is_in_the_signature() -> None:
    assert "gold jfleg-dev, 2 sentences" in errata.score(from_rows(JFLEG, name="jfleg-dev"), ["x", "y"]).signature
