"""MaxMatch from texts: the core, its twin, and the objects of the other commands count the same."""

from __future__ import annotations

import gc
import hashlib
import struct
import threading
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errata
from errata import Annotation, Corpus, Sentence, _core
from errata.core import python as python_core
from errata.core.limits import MOST_TEXT_TOKENS
from errata.corpus.corpus import extract_edits
from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.metrics.maxmatch import MaxMatch

from arrow_by_hand import ArrayByHand, column_of
from strategies import hypotheses
from thoroughness import often, some

CORES = pytest.mark.parametrize("core", [_core, python_core])
WHITE_SPACE = [chr(code) for code in range(0x110000) if chr(code).isspace()]
NEARLY_WHITE_SPACE = "\0\x1b!\x84\x86\u167f\u1681\u180e\u1fff\u200b\u2027\u202e\u2030\u205e\u2060\u2fff\u3001\ufeff"
words = st.sampled_from(["a", "a", "b", "b", "c", "d", "é", "日本", "\U0001f600", "well-known", "a-word-of-sixteen", *NEARLY_WHITE_SPACE])
gaps = st.one_of(st.just(" "), st.lists(st.sampled_from(WHITE_SPACE), min_size=1, max_size=3).map("".join))
Columns = tuple[list[str], list[list[str]], list[str]]


@st.composite
def texts(draw: st.DrawFn, tokens: tuple[str, ...]) -> str:
    """Tokens with white space between them, and perhaps around them."""
    around = st.one_of(st.just(""), gaps)
    return draw(around) + "".join(token + draw(gaps) for token in tokens[:-1]) + "".join(tokens[-1:]) + draw(around)


@st.composite
def columns(draw: st.DrawFn) -> Columns:
    """Sources, one to three references, and a system; some texts are equal, in tokens or in white space too."""
    source: list[str] = []
    references: list[list[str]] = [[] for _ in range(draw(st.integers(1, 3)))]
    outputs: list[str] = []
    for _ in range(draw(st.integers(0, 3))):
        tokens = tuple(draw(st.lists(words, max_size=8)))
        source.append(draw(texts(tokens)))
        for column in (*references, outputs):
            same = draw(st.integers(0, 5))
            others = (*(one[-1] for one in references if one), source[-1])
            column.append(draw(st.sampled_from(others)) if same == 0 else draw(texts(tokens if same == 1 else draw(hypotheses(tokens)))))
    return source, references, outputs


def make_corpus(source: list[str], references: list[list[str]]) -> Corpus:
    """The corpus that parallel text is read as."""
    return Corpus(
        tuple(
            Sentence(
                tuple(text.split()), tuple(Annotation(str(k), extract_edits(text, other[index])) for k, other in enumerate(references))
            )
            for index, text in enumerate(source)
        )
    )


def count_by_objects(corpus: Corpus, outputs: list[str], max_unchanged: int) -> list[tuple[int, ...]]:
    output = MaxMatch(max_unchanged=max_unchanged).scorer(corpus).prepare([tuple(text.split()) for text in outputs])
    return [row for rows in output.rows(0, len(corpus)) for row in rows]


@pytest.mark.slow
@given(columns(), st.sampled_from([0, 2, 2, 5]))
@settings(max_examples=often(200, 70))
def test_counts_and_contents_are_those_of_objects(case: Columns, max_unchanged: int) -> None:
    source, references, outputs = case
    corpus = make_corpus(source, references)
    native, twin = (core.TextGold(source, references, max_unchanged) for core in (_core, python_core))
    counts = native.counts(outputs)
    assert (counts.dtype, counts.shape) == (np.int32, (len(source) * len(references), 3))
    assert counts.tolist() == twin.counts(outputs).tolist() == list(map(list, count_by_objects(corpus, outputs, max_unchanged)))
    content = native.content(0, len(source))
    assert content == twin.content(0, len(source))
    assert hashlib.sha256(content).hexdigest()[:12] == corpus.fingerprint


@given(columns(), st.sampled_from([pa.string(), pa.large_string(), pa.string_view()]), st.integers(0, 9))
@settings(max_examples=often(60, 30))
def test_arrays_of_every_type_and_slices_are_the_same_texts(case: Columns, kind: Any, before: int) -> None:
    source, references, outputs = case

    def array(column: list[str]) -> Any:
        """A slice of a longer array, which has a null elsewhere if the offset is even."""
        other = ["x" * 20, "é"] * before + [None if before % 2 == 0 else ""]
        return pa.array([*other, *column, "after", *other], kind).slice(len(other), len(column))

    expected = _core.TextGold(source, references, 2)
    for core in (_core, python_core):
        gold = core.TextGold(array(source), tuple(map(array, references)), 2)
        assert gold.counts(array(outputs)).tolist() == gold.counts(outputs).tolist() == expected.counts(outputs).tolist()
        assert gold.content(0, len(source)) == expected.content(0, len(source))


@CORES
def test_spaces_around_a_text_change_nothing(core: ModuleType) -> None:
    gold = core.TextGold([" a b ", "", "  "], [["a b", " ", "c"]], 2)
    assert gold.counts(["a b  ", " ", ""]).tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 1]]


@CORES
def test_every_character_splits_as_in_python(core: ModuleType) -> None:
    text = "".join("a" + chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    found = core.TextGold([text], [[text]], 2).content(0, 1)
    assert found.decode() == "\x1f".join(text.split()) + "\x1d0\x1c"


def invalid_byte_of(text: bytes) -> str:
    try:
        text.decode()
    except UnicodeDecodeError as error:
        return f"0x{text[error.start]:02x} at byte {error.start + 1}"
    return ""


def test_utf8_is_what_python_says() -> None:
    edges = [bytes([byte]) for byte in (0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF)]
    ends = [b"", b"\x80", b"\xbf\xbf", b"\x80\x41", b"\x80\x80\xc0"]
    leads = [bytes([byte]) for byte in (*range(0x7E, 0x82), *range(0xBE, 0x100))]
    for before, lead, second, end in product([b"", b"1234567"], leads, edges, ends):
        text = before + lead + second + end
        expected = invalid_byte_of(text)
        try:
            _core.TextGold(["a"], [["b"]], 2).counts(column_of(text))
        except ValueError as error:
            assert str(error) == f"sentence 1 cannot be scored: its hypothesis is not UTF-8: byte {expected}"  # noqa: PT017
        else:
            assert not expected


@CORES
@pytest.mark.parametrize("bad", range(3))
def test_a_text_that_is_not_utf8_is_refused_with_its_sentence(core: ModuleType, bad: int) -> None:
    names = ("source", "reference 2", "hypothesis")
    good, wrong = column_of(b"a b", b"c"), column_of(b"a b", b"c \xe2\x82 d")
    one, two, three = (wrong if bad == k else column_of(b"a b", b"c") for k in range(3))
    with pytest.raises(ValueError, match=rf"^sentence 42 cannot be scored: its {names[bad]} is not UTF-8: byte 0xe2 at byte 3$"):
        core.TextGold(one, [good, two], 2, first=41).counts(three)


@CORES
def test_a_text_with_too_many_tokens_is_refused_with_its_sentence(core: ModuleType) -> None:
    few, many = ["a b", "c d e"], ["a b", "c d e f"]
    message = "^sentence 11 cannot be scored: its {} has 4 tokens, more than the limit of 3$"
    with pytest.raises(OverflowError, match=message.format("source")):
        core.TextGold(many, [few], 2, 10, max_tokens=3)
    with pytest.raises(OverflowError, match=message.format("reference 2")):
        core.TextGold(few, [few, many], 2, 10, max_tokens=3)
    gold = core.TextGold(few, [few], 2, 10, max_tokens=3)
    with pytest.raises(OverflowError, match=message.format("hypothesis")):
        gold.counts(many)
    assert gold.counts(few).tolist() == [[0, 0, 0]] * 2


def test_the_limit_of_tokens_is_that_of_files() -> None:
    assert MOST_TEXT_TOKENS == DEFAULT_MAX_TOKENS


@CORES
def test_limits_of_the_search_name_the_sentence(core: ModuleType) -> None:
    gold = core.TextGold(["x", "a b c"], [["x", "x c"]], 2, first=7, most_work=5)
    with pytest.raises(OverflowError, match=r"^sentence 8 cannot be scored: its gold edits span too many tokens"):
        gold.counts(["x", "x c"])


@CORES
def test_wrong_arguments_are_refused(core: ModuleType) -> None:
    good = ["a", "b"]
    for wrong, error, message in (
        (["a"], ValueError, "must have a text for each of the 2 sentences, found 1$"),
        (["a", "b", "c"], ValueError, "must have a text for each of the 2 sentences, found 3$"),
        (["a", None], TypeError, "^a text must be a str$"),
        (["a", b"b"], TypeError, "^a text must be a str$"),
        (["a", "\ud800"], ValueError, "^sentence 2 cannot be scored: its (reference 1|hypothesis) has a surrogate, which is no character$"),
        ("ab", TypeError, "^texts must be a list of str or an Arrow array of strings$"),
        (("a", "b"), TypeError, "^texts must be a list of str or an Arrow array of strings$"),
        (None, TypeError, "^texts must be a list of str or an Arrow array of strings$"),
        (pa.array([1, 2]), TypeError, "^an Arrow array of texts must have the type string, large_string or string_view$"),
        (pa.array([b"a", b"b"]), TypeError, "must have the type string"),
        (pa.array(good).dictionary_encode(), TypeError, "must have the type string"),
        (pa.array(["a", None]), ValueError, "^sentence 2 cannot be scored: its (reference 1|hypothesis) is null$"),
        (pa.array(["a", None], pa.string_view()), ValueError, "^sentence 2 cannot be scored: its (reference 1|hypothesis) is null$"),
    ):
        with pytest.raises(error, match=message):
            core.TextGold(good, [wrong], 2)
        with pytest.raises(error, match=message):
            core.TextGold(good, [good], 2).counts(wrong)
    with pytest.raises(TypeError, match=r"^references must be a list with the texts of each$"):
        core.TextGold(good, "ab", 2)
    with pytest.raises(ValueError, match=r"^references must have at least one list of texts$"):
        core.TextGold(good, [], 2)
    with pytest.raises(ValueError, match=r"^max_unchanged must not be negative$"):
        core.TextGold(good, [good], -1)
    gold = core.TextGold(good, [good], 2)
    assert gold.content(1, 1) == b""
    for start, stop in ((0, 3), (2, 1)):
        with pytest.raises(IndexError, match=r"^start and stop must be a range of sentences$"):
            gold.content(start, stop)


OFFSETS = struct.pack("3i", 0, 1, 3)
VIEWS = struct.pack("i12s", 1, b"a") + struct.pack("i4sii", 13, b"0123", 0, 2)


def test_arrays_made_by_hand() -> None:
    """Without a count of nulls, with and without a bitmap, and with an offset."""
    counts = _core.TextGold(["a", "bc"], [["a", "b c"]], 2).counts(["a", "bc"]).tolist()
    for array in (
        ArrayByHand("u", [None, OFFSETS, b"abc"], 2, null_count=-1),
        ArrayByHand("u", [b"\x03", OFFSETS, b"abc"], 2, null_count=-1),
        ArrayByHand("u", [b"\xfc", struct.pack("5i", 0, 9, 9, 10, 12), b"123456789abc"], 2, offset=2, null_count=-1),
        ArrayByHand("U", [None, struct.pack("3q", 0, 1, 3), b"abc"], 2),
    ):
        assert _core.TextGold(array, [["a", "b c"]], 2).counts(["a", "bc"]).tolist() == counts
    views = ArrayByHand("vu", [None, VIEWS, b"..0123456789abc", struct.pack("q", 15)], 2)
    assert (
        _core.TextGold(views, [["a", "b"]], 2).content(0, 2)
        == b"a\x1d0\x1c" + b"0123456789abc\x1d0\x1e0\x1f1\x1fReplacement\x1fREQUIRED\x1fb\x1c"
    )
    for nothing in (ArrayByHand("u", [None, None, None], 0), ArrayByHand("vu", [None, None, None], 0)):
        assert _core.TextGold(nothing, [[]], 2).counts([]).shape == (0, 3)
    empty = ArrayByHand("u", [None, struct.pack("2i", 0, 0), None], 1)
    assert _core.TextGold(empty, [["a"]], 2).counts([""]).tolist() == [[0, 0, 1]]


@pytest.mark.parametrize(
    ("array", "error", "message"),
    [
        (ArrayByHand("u", [None, OFFSETS, b"abc"], -1), ValueError, "must have a length, an offset and its buffers"),
        (ArrayByHand("u", [None, OFFSETS, b"abc"], 2, offset=-1), ValueError, "must have a length, an offset and its buffers"),
        (ArrayByHand("u", [None, OFFSETS, b"abc"], 2**63 - 1, offset=1), ValueError, "must have a length, an offset and its buffers"),
        (ArrayByHand("u", [None, OFFSETS, b"abc"], 2, n_buffers=2), ValueError, "must have a length, an offset and its buffers"),
        (ArrayByHand("vu", [None, OFFSETS, b"abc"], 2, n_buffers=2), ValueError, "must have a length, an offset and its buffers"),
        (ArrayByHand("u", [None, OFFSETS, b"abc"], 2, buffers=None), ValueError, "must have a length, an offset and its buffers"),
        (ArrayByHand("u", [None, None, b"abc"], 2), ValueError, "must have offsets"),
        (ArrayByHand("u", [None, OFFSETS, None], 2), ValueError, "must have bytes"),
        (ArrayByHand("u", [None, struct.pack("3i", 0, 2, 1), b"abc"], 2), ValueError, "must not decrease"),
        (ArrayByHand("u", [None, struct.pack("3i", -5, 1, 3), b"abc"], 2), ValueError, "must not decrease"),
        (ArrayByHand("U", [None, struct.pack("3q", 0, -(2**63), 3), b"abc"], 2), ValueError, "must not decrease"),
        (ArrayByHand("u", [b"\x01", OFFSETS, b"abc"], 2, null_count=-1), ValueError, "^sentence 2 cannot be scored: its source is null$"),
        (ArrayByHand("u", [b"\x02", OFFSETS, b"abc"], 2, null_count=1), ValueError, "^sentence 1 cannot be scored: its source is null$"),
        (ArrayByHand("u", [None, OFFSETS, b"abc"], 2, schema_format=None), TypeError, "must have the type string"),
        (ArrayByHand("z", [None, OFFSETS, b"abc"], 2), TypeError, "must have the type string"),
        (ArrayByHand("u", [None, OFFSETS, b"abc"], 2, release=None), ValueError, "must not be released before"),
        (ArrayByHand("u", [None, OFFSETS, b"abc"], 2, schema_release=None), ValueError, "must not be released before"),
        (ArrayByHand("vu", [None, None, b"", b""], 2), ValueError, "must have views and sizes"),
        (ArrayByHand("vu", [None, VIEWS, b"..0123456789abc", None], 2), ValueError, "must have views and sizes"),
        (ArrayByHand("vu", [None, VIEWS, b"..0123456789ab", struct.pack("q", 14)], 2), ValueError, "inside its buffer"),
        (ArrayByHand("vu", [None, VIEWS, struct.pack("q", 15)], 2), ValueError, "inside its buffer"),
        (ArrayByHand("vu", [None, VIEWS, None, struct.pack("q", 15)], 2), ValueError, "inside its buffer"),
        (ArrayByHand("vu", [None, struct.pack("i12x", -1) * 2, b"", struct.pack("q", 0)], 2), ValueError, "inside its buffer"),
        (ArrayByHand("vu", [None, struct.pack("i4sii", 20, b"", -1, 0) * 2, b"", struct.pack("q", 0)], 2), ValueError, "inside its buffer"),
        (ArrayByHand("vu", [None, struct.pack("i4sii", 20, b"", 0, -4) * 2, b"", struct.pack("q", 0)], 2), ValueError, "inside its buffer"),
    ],
)
def test_hostile_arrays_are_refused(array: ArrayByHand, error: type[Exception], message: str) -> None:
    taken = message not in {"must have the type string", "must not be released before"}
    with pytest.raises(error, match=message):
        _core.TextGold(array, [["a", "b"]], 2)
    gc.collect()
    assert array.released == int(taken)


@pytest.mark.parametrize("returned", [None, (), (1, 2), (1, 2, 3)])
def test_objects_that_only_pretend_to_be_arrays_are_refused(returned: object) -> None:
    class Pretender:
        def __arrow_c_array__(self) -> object:
            return returned

    with pytest.raises(TypeError, match=r"^__arrow_c_array__ must return"):
        _core.TextGold(Pretender(), [["a"]], 2)


def test_arrays_are_released_when_they_are_no_longer_needed() -> None:
    source, reference, output = (ArrayByHand("u", [None, OFFSETS, b"abc"], 2) for _ in range(3))
    gold = _core.TextGold(source, [reference], 2)
    gold.counts(output)
    assert (source.released, reference.released, output.released) == (0, 0, 1)
    del gold
    gc.collect()
    assert (source.released, reference.released, output.released) == (1, 1, 1)


def test_texts_that_nobody_else_keeps_stay_alive() -> None:
    gold = _core.TextGold([f"a {k} c d" for k in range(2000)], [[f"b {k} c e" for k in range(2000)]], 2)
    gc.collect()
    assert gold.counts([f"b {k} c d" for k in range(2000)]).tolist() == [[1, 1, 2]] * 2000


def test_threads_share_gold() -> None:
    source, reference, output = ([f"{word} b c {k} e" for k in range(3000)] for word in ("a", "x", "x y"))
    gold = _core.TextGold(source, [reference], 2)
    expected = gold.counts(output)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append((gold.counts(output), gold.content(0, 3000)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(np.array_equal(counts, expected) and content == gold.content(0, 3000) for counts, content in found)


def test_files_are_scored_in_the_same_way(tmp_path: Path) -> None:
    gold = errata.read("examples/learner.m2")
    errata.write(gold, tmp_path / "learner", "parallel")
    check_files(tmp_path / "learner.src", [tmp_path / "learner.ref0", tmp_path / "learner.ref1"], Path("examples/systems/eager.txt"))


def check_files(source: Path, references: list[Path], system: Path) -> None:
    """The fingerprint is that of the corpus, and the sum over the annotators that are chosen is the score."""
    corpus = errata.read(source, references=references)
    score = errata.score(corpus, errata.read_system(system), "maxmatch")
    lines = [path.read_text(encoding="utf-8").removesuffix("\n").split("\n") for path in (source, *references, system)]
    arrays = [pa.array(column) for column in lines]
    gold = _core.TextGold(arrays[0], arrays[1:-1], 2)
    counts = gold.counts(arrays[-1])
    assert counts.tolist() == list(map(list, count_by_objects(corpus, lines[-1], 2)))
    if len(references) == 1:
        assert tuple(counts.sum(axis=0)) == tuple(score.parts[name] for name in ("correct", "proposed", "gold"))
    few = make_corpus(lines[0][:1024], [column[:1024] for column in lines[1:-1]])
    assert hashlib.sha256(gold.content(0, len(few))).hexdigest()[:12] == few.fingerprint


@pytest.mark.realdata
def test_learners_are_scored_in_the_same_way(data: Path, tmp_path: Path) -> None:
    """CoNLL-2014 against each annotator and against both, and JFLEG against four references."""
    for number in (0, 1):
        errata.write(errata.read(data / f"conll14/gold/official-2014.{number}.m2"), tmp_path / f"{number}", "parallel")
    references = [tmp_path / "0.ref0", tmp_path / "1.ref0"]
    for name in some(("systems/AMU", "systems/CUUI", "systems/INPUT", "modern/BART", "modern/REF-F"), 3):
        for chosen in (references[:1], references[1:], references):
            check_files(tmp_path / "0.src", chosen, data / f"conll14/{name}.txt")
    jfleg = [data / f"jfleg/dev.ref{number}" for number in range(4)]
    for system in some(sorted((data / "jfleg/systems").glob("*.txt")), 2):
        check_files(data / "jfleg/dev.src", jfleg, system)
