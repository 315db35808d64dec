"""Corpora that are made of texts in Python."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import Corpus, ErrataError, MismatchError, UsageError, read, score, write

SOURCES = ["He go home .", "She run ."]
REFERENCES = [["He goes home .", "He went home ."], ["She runs .", "She ran ."]]
TOKENS = [text.split() for text in SOURCES]


def test_equals_files_of_parallel_text(tmp_path: Path) -> None:
    gold = read("examples/learner.m2")
    write(gold, tmp_path / "gold", "parallel")
    files = read(tmp_path / "gold.src", references=[tmp_path / "gold.ref0", tmp_path / "gold.ref1"])
    columns = [(tmp_path / f"gold.{extension}").read_text().splitlines() for extension in ("src", "ref0", "ref1")]
    made = Corpus.from_texts(columns[0], list(zip(*columns[1:], strict=True)), name=files.name)
    assert made.sentences == files.sentences
    tokens = [[line.split() for line in column] for column in columns]
    assert Corpus.from_texts(tokens[0], list(zip(*tokens[1:], strict=True))).sentences == files.sentences
    hypotheses = columns[1]
    assert score(made, hypotheses).signature == score(files, hypotheses).signature


@pytest.mark.parametrize(
    "references",
    [
        REFERENCES,
        tuple(map(tuple, REFERENCES)),
        iter(REFERENCES),
        np.array(REFERENCES),
        [[one.split() for one in own] for own in REFERENCES],
        [np.array(own) for own in REFERENCES],
    ],
)
def test_several_references(references: object) -> None:
    corpus = Corpus.from_texts(SOURCES, references)  # type: ignore[arg-type]
    assert corpus.annotators == ("0", "1")
    assert [[" ".join(sentence.corrected(own)) for own in sentence.annotations] for sentence in corpus] == REFERENCES


def test_a_list_of_strings_is_one_reference_of_tokens() -> None:
    one = Corpus.from_texts(TOKENS, [own[0].split() for own in REFERENCES])
    assert one.sentences == Corpus.from_texts(SOURCES, [own[0] for own in REFERENCES]).sentences
    assert one.annotators == ("0",)
    several = Corpus.from_texts(TOKENS, [[text.split() for text in own] for own in REFERENCES])
    assert several.sentences == Corpus.from_texts(SOURCES, REFERENCES).sentences


def test_an_annotator_may_be_absent() -> None:
    corpus = Corpus.from_texts(SOURCES, ["He goes home .", ["She runs .", None, "She ran ."]])
    assert [[own.annotator for own in sentence.annotations] for sentence in corpus] == [["0"], ["0", "2"]]


def test_documents_are_named() -> None:
    corpus = Corpus.from_texts(SOURCES, REFERENCES, documents=["one", "two"])
    assert [sentence.document for sentence in corpus] == ["one", "two"]
    with pytest.raises(MismatchError, match="sources and documents must have the same length, found 2 and 1"):
        Corpus.from_texts(SOURCES, REFERENCES, documents=["one"])


@pytest.mark.parametrize(
    ("sources", "references", "message"),
    [
        ([], [], "sources must have at least one sentence, found none"),
        ("He go", ["He goes"], "sources must be a list of sentences, found a single string: 'He go'"),
        (SOURCES, "He goes", "references must be a list with one item for each source.*, found a single string: 'He goes'"),
        (SOURCES, None, "references must be a list .*, found NoneType"),
        (SOURCES, ["a", "b", "c"], "sources and references must have the same length, found 2 and 3"),
        (SOURCES, [["a", "b"]] * 3, r"found 2 and 3; the references seem to have a list for each annotator.* list\(zip\(\*references\)\)"),
        (SOURCES, ["a", None], "references, sentence 2: expected a reference, or a list of references, found NoneType"),
        (SOURCES, ["a", []], "references, sentence 2: expected one reference or more, found none"),
        (SOURCES, ["a", [None]], "references, sentence 2: expected one reference or more, found none"),
        (SOURCES, ["a", [3.5]], "references, sentence 2: a sentence must be a string or a sequence of strings, found float: 3.5"),
        (SOURCES, ["a", [[["b"]]]], "references, sentence 2: .* found an item of type list"),
        (SOURCES, [text.split() for text in SOURCES], "references must be strings if their sources are, found lists of single words"),
    ],
)
def test_what_is_wrong_is_told(sources: list[str], references: list[str], message: str) -> None:
    with pytest.raises((UsageError, MismatchError), match=message):
        Corpus.from_texts(sources, references)


_JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=6,
)


@settings(max_examples=40)
@given(_JUNK, _JUNK)
def test_only_errors_of_errata_come_out(sources: object, references: object) -> None:
    try:
        corpus = Corpus.from_texts(sources, references)  # type: ignore[arg-type]
        score(corpus, references)  # type: ignore[arg-type]
    except ErrataError:
        pass


def test_a_corpus_is_shown_in_a_line() -> None:
    gold = read("examples/learner.m2")
    assert repr(gold) == "<Corpus 'learner.m2', 72 sentences, 2 annotators>"
    assert repr(gold.subset("1-3")) == "<Corpus 'learner.m2', 3 of 72 sentences (1-3), 2 annotators>"


@pytest.mark.realdata
def test_a_corpus_of_a_shared_task_is_shown_in_a_line(data: Path) -> None:
    """All of its sentences would take 1,032,837 characters."""
    gold = read(data / "conll14" / "gold" / "official-2014.combined.m2")
    assert repr(gold) == "<Corpus 'official-2014.combined.m2', 1,312 sentences, 2 annotators>"
