"""Columns of texts: the same arrays from every format, however they are cut, and the same errors as other readers of texts have."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import errata
from errata import FormatError, InputError, MismatchError, UsageError, limit_input
from errata.errors import ErrataError
from errata.formats import columns as jsonl_columns
from errata.formats.columns import TextColumn, TextColumns, _OpenLines, open_text_column
from errata.formats.lines import count_bytes, read_text, read_text_lines
from errata.formats.problems import Problems

pa = pytest.importorskip("pyarrow")

from pyarrow import parquet  # noqa: E402

from thoroughness import often  # noqa: E402

TEXTS = ["The cat sit .", "", "  two  spaces ", "naïve ‘quotes’ 日本語 😀", "tab\there", "a\u2028b\x85c", "x|||y", "A 1 b|||", "last"]
FAST = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def zstd(content: bytes) -> bytes:
    stream = pa.BufferOutputStream()
    with pa.CompressedOutputStream(stream, "zstd") as file:
        file.write(content)
    packed: bytes = stream.getvalue().to_pybytes()
    return packed


def to_lines(texts: Sequence[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def to_objects(texts: Sequence[str], **more: Any) -> bytes:
    return "".join(f"{json.dumps({'id': number, 'text': text, **more})}\n" for number, text in enumerate(texts)).encode()


def write_parquet(path: Path, texts: Sequence[str | None], kind: Any = None, **options: Any) -> Path:
    ids = pa.array(range(len(texts)), pa.int64())
    parquet.write_table(pa.table({"id": ids, "text": pa.array(texts, kind or pa.string())}), path, **options)
    return path


def write_text(path: Path, texts: Sequence[str]) -> str:
    content = to_lines(texts)
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else zstd(content) if path.suffix == ".zst" else content)
    return str(path)


def write_objects(path: Path, texts: Sequence[str]) -> str:
    content = to_objects(texts, lang="en", score=0.5, good=True, nothing=None)
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else zstd(content) if path.suffix == ".zst" else content)
    return f"{path}:text"


def write_folder(path: Path, texts: Sequence[str], write: Callable[[Path, Sequence[str]], Any], name: str) -> str:
    path.mkdir()
    cuts = [0, 2, 2, 5, len(texts)]  # the second file has no texts
    for number, (start, stop) in enumerate(pairwise(cuts)):
        write(path / name.format(number), texts[start:stop])
    (path / "README.md").write_text("not a column")
    return f"{path}:text"


PARQUET: dict[str, dict[str, Any]] = {
    "usual": {},
    "groups": {"row_group_size": 4},
    "plain": {"use_dictionary": False, "compression": "none"},
    "version2": {"data_page_version": "2.0", "compression": "zstd", "write_page_checksum": True},
    "pages": {"data_page_size": 1, "write_batch_size": 2, "compression": "gzip"},
    "delta": {"use_dictionary": False, "column_encoding": {"text": "DELTA_BYTE_ARRAY", "id": "PLAIN"}},
    "lengths": {"use_dictionary": False, "column_encoding": {"text": "DELTA_LENGTH_BYTE_ARRAY", "id": "PLAIN"}},
    "large": {"kind": pa.large_string()},
    "dictionary": {"kind": pa.dictionary(pa.int32(), pa.string()), "row_group_size": 5},
    "largedictionary": {"kind": pa.dictionary(pa.int8(), pa.large_string())},
}


def list_arguments(folder: Path, texts: Sequence[str]) -> dict[str, str]:
    """Write the same texts in every format."""
    arguments = {name: write_text(folder / name, texts) for name in ("x.txt", "x.gz", "x.zst")}
    arguments |= {name: write_objects(folder / name, texts) for name in ("x.jsonl", "x.jsonl.gz", "y.ndjson.zst")}
    for name, options in PARQUET.items():
        arguments[name] = f"{write_parquet(folder / f'{name}.parquet', texts, **options)}:text"
    arguments["parquet folder"] = write_folder(folder / "parts", texts, write_parquet, "part-{}.parquet")
    arguments["jsonl folder"] = write_folder(folder / "lines", texts, write_objects, "part-{}.jsonl.gz")
    return arguments


def read_all(column: TextColumn, count: int = 4) -> list[str]:
    with column:
        return [text for array in iter(lambda: column.read(count), pa.array([], pa.string())) for text in array.to_pylist()]


@pytest.mark.parametrize("texts", [TEXTS, TEXTS * 50], ids=["few", "many"])
def test_every_format_gives_the_same_arrays(tmp_path: Path, texts: list[str]) -> None:
    expected = pa.array(texts, pa.string())
    for name, argument in list_arguments(tmp_path, texts).items():
        with open_text_column(argument, block_bytes=100) as column:
            assert column.path == argument
            assert column.sentences == (len(texts) if "parquet" in argument or "parts" in argument else None)
            array = column.read(len(texts) - 1)
            assert array.type == pa.string(), name
            assert array.to_pylist() == texts[:-1], name
            assert array.offset == 0
            own, usual = array.buffers(), expected[:-1].take(pa.array(range(len(texts) - 1))).buffers()
            assert own[0] is None
            assert own[1].to_pybytes() == usual[1].to_pybytes()
            assert own[2].to_pybytes() == usual[2].to_pybytes(), name
            array.validate(full=True)
            assert column.read(5).to_pylist() == texts[-1:]
            assert column.read(5).equals(pa.array([], pa.string()))
            assert column.skip(5) == 0
            assert column.position == len(texts)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return list_arguments(tmp_path_factory.mktemp("columns"), TEXTS * 3)


@given(st.lists(st.tuples(st.integers(0, 20), st.booleans()), max_size=12), st.integers(1, 200))
@FAST
def test_any_cut_gives_the_same_texts(written: dict[str, str], steps: list[tuple[int, bool]], block: int) -> None:
    for argument in written.values():
        position = 0
        with open_text_column(argument, block_bytes=block) as column:
            for count, skip in [*steps, (100, False), (1, False)]:
                there = (TEXTS * 3)[position : position + count]
                if skip:
                    assert column.skip(count) == len(there), argument
                else:
                    assert column.read(count).to_pylist() == there, argument
                position += len(there)


ODD = {
    "no line feed at the end": (b"a\nb", ["a", "b"]),
    "carriage returns": (b"a\r\nb\r\r\n\r\nc\rd\r", ["a", "b\r", "", "c\rd"]),
    "byte order mark": (b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n", ["a", "\ufeffb"]),
    "only a byte order mark": (b"\xef\xbb\xbf", [""]),
    "empty lines": (b"\n\n", ["", ""]),
    "one carriage return": (b"\r", [""]),
}


@pytest.mark.parametrize(("content", "expected"), ODD.values(), ids=ODD)
@pytest.mark.parametrize("block", [1, 3, 1 << 20])
def test_what_is_accepted_in_texts(tmp_path: Path, content: bytes, expected: list[str], block: int) -> None:
    (tmp_path / "x.txt").write_bytes(content)
    assert read_all(open_text_column(tmp_path / "x.txt", block_bytes=block)) == expected
    assert [line.text for line in read_text_lines(str(tmp_path / "x.txt"), Problems("x"))] == expected


@contextmanager
def short_lines(limit: int) -> Iterator[None]:
    """Lines of more bytes are too long."""
    with ExitStack() as patches:
        for module in ("columns", "lines"):  # the one that others import from is the last
            patches.enter_context(patch(f"errata.formats.{module}.count_bytes", lambda _: limit))
        yield


def find_error(read: Callable[[], object]) -> str:
    with pytest.raises(ErrataError) as caught:
        read()
    return str(caught.value)


def attempt(read: Callable[[], list[str]]) -> list[str] | str:
    """The texts, or the error."""
    try:
        return read()
    except ErrataError as error:
        return str(error)


def read_as_text(path: Path) -> Any:
    return list(read_text(str(path), Problems(str(path))))


BAD = {
    "empty": (b"", r"x.txt: the file is empty"),
    "not UTF-8": (b"a\nb\xff\n", r"x.txt:2: not UTF-8: byte 0xff at byte 2 of the line"),
    "surrogate": (b"\xed\xa0\x80\n", r"x.txt:1: not UTF-8: byte 0xed at byte 1 of the line"),
    "cut character": (b"a\n\xe2\x82\n\xac\n", r"x.txt:2: not UTF-8: byte 0xe2 at byte 1 of the line"),
    "NUL": (b"a\n\nbc\0\n", r"x.txt:3: a NUL byte at byte 3 of the line; expected text"),
    "NUL after a byte order mark": (b"\xef\xbb\xbfb\0\n", r"x.txt:1: a NUL byte at byte 2 of the line; expected text"),
    "M2": (b"S a\nA 0 1|||R|||b|||REQUIRED|||-NONE-|||0\n", r"x.txt:2: an edit of M2, but this file is read as text"),
    "M2 with other digits": ("a\r\nA -\u0663 1|||\r\n".encode(), r"x.txt:2: an edit of M2, but this file is read as text"),
    "carriage returns only": (b"a\rb\r", r"x.txt:1: carriage returns, but no line feed that ends the line"),
    "long": (
        b"a\n" * 3 + b"b" * 40 + b"\n",
        r"x.txt:4: a line of more than 40 bytes, the limit for 4,000 tokens; raise it with --max-tokens",
    ),
    "long with a carriage return": (b"b" * 39 + b"\r\n", r"x.txt:1: a line of more than 40 bytes"),
    "long without an end": (b"b" * 41, r"x.txt:1: a line of more than 40 bytes"),
    "long carriage returns": (b"b\r" * 41, r"x.txt:1: carriage returns, but no line feed that ends the line"),
    "long after a byte order mark": (b"\xef\xbb\xbf" + b"b" * 39, r"x.txt:1: a line of more than 40 bytes"),
    "NUL before long": (b"a\n\0\n" + b"b" * 60, r"x.txt:2: a NUL byte at byte 1 of the line"),
    "M2 before not UTF-8": (b"A 0 1|||\n\xff\n", r"x.txt:1: an edit of M2"),
    "not UTF-8 before M2": (b"\xff\nA 0 1|||\n", r"x.txt:1: not UTF-8"),
}


@pytest.mark.parametrize(("content", "message"), BAD.values(), ids=BAD)
@pytest.mark.parametrize("block", [1, 7, 1 << 20])
@pytest.mark.parametrize("count", [1, 100])
def test_errors_of_texts(tmp_path: Path, content: bytes, message: str, block: int, count: int) -> None:
    path = tmp_path / "x.txt"
    for packed in (content, gzip.compress(content), zstd(content)):
        path.write_bytes(packed)
        with short_lines(40):
            assert message in find_error(lambda: read_all(open_text_column(path, block_bytes=block), count))
            assert message in find_error(lambda: read_as_text(path))


@given(
    st.lists(
        st.sampled_from(
            [b"a\r\rb", b"b c", b" ", b"\n", b"\n\n", b"\r\n", b"\r", b"\0", b"\xff", b"\xc3\xa9", b"\xc3", b"A 0 1|||", b"A 1 b"]
        )
        | st.just(b"\xef\xbb\xbf")
        | st.just(b"abcdefghij" * 3)
        | st.binary(max_size=3),
        max_size=12,
    ).map(b"".join),
    st.integers(1, 30),
    st.integers(1, 9),
)
@settings(max_examples=often(300, 100), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_read_as_other_readers_do(tmp_path: Path, content: bytes, block: int, count: int) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(content)
    with short_lines(40):
        expected = attempt(lambda: [" ".join(tokens) for tokens in read_as_text(path)])
        found = attempt(lambda: [" ".join(text.split()) for text in read_all(open_text_column(path, block_bytes=block), count)])
    assert found == expected


def test_a_long_line_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.txt.gz"
    path.write_bytes(gzip.compress(b"a\n" + b"b" * 100_000_000, 1))
    with open_text_column(path) as column:
        tracemalloc.start()
        try:
            assert column.read(1).to_pylist() == ["a"]
            with pytest.raises(FormatError, match=r"x.txt.gz:2: a line of more than 1,048,576 bytes, the limit for 4,000 tokens"):
                column.skip(1)
            assert tracemalloc.get_traced_memory()[1] < 8 << 20
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("name", ["x.txt", "x.gz", "x.zst", "x.jsonl"])
def test_memory_is_bounded_by_what_is_read_at_a_time(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"sentence number {number} of many" for number in range(8_000)]
    argument = write_objects(tmp_path / name, texts) if name == "x.jsonl" else write_text(tmp_path / name, texts)
    held = []
    load = _OpenLines._set_block

    def watch(lines: _OpenLines, content: bytes) -> None:
        load(lines, content)
        held.append(len(content))

    monkeypatch.setattr(_OpenLines, "_set_block", watch)
    pool = pa.proxy_memory_pool(pa.default_memory_pool())
    before = pa.default_memory_pool()
    pa.set_memory_pool(pool)
    try:
        with open_text_column(argument, block_bytes=4_096) as column:
            assert len(column.read(100)) == 100  # what is imported is not counted
            tracemalloc.start()
            assert sum(len(column.read(100)) for _ in range(79)) == 7_900
            peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        pa.set_memory_pool(before)
    assert max(held) < 2 * 4_096 + 200
    assert peak < 400_000
    assert pool.max_memory() < 400_000


def test_limits_on_whole_files_do_not_apply(tmp_path: Path) -> None:
    for argument in list_arguments(tmp_path, TEXTS).values():
        with limit_input(max_bytes=1, max_lines=1, max_columns=1, max_field=1):
            assert read_all(open_text_column(argument)) == TEXTS


def test_texts_that_are_read_together_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.formats.columns._MOST_ARRAY_BYTES", 50)
    for name, argument in list_arguments(tmp_path, ["abcdefghij"] * 9).items():
        with open_text_column(argument, block_bytes=20) as column:
            assert len(column.read(3)) == 3, name
            with pytest.raises(FormatError, match=r"more than 50 bytes in texts that are read together; expected fewer texts at a time"):
                column.read(6)


@pytest.mark.parametrize("name", ["x.txt", "x.jsonl"])
def test_damaged_compression_is_an_error(tmp_path: Path, name: str) -> None:
    content = to_lines(TEXTS * 500) if name == "x.txt" else to_objects(TEXTS * 500)
    argument = str(tmp_path / f"{name}.packed") if name == "x.txt" else f"{tmp_path / name}:text"
    path = Path(argument.removesuffix(":text"))
    for pack in (gzip.compress, zstd):
        whole = pack(content)
        path.write_bytes(whole + whole)
        assert len(read_all(open_text_column(argument), 10_000)) == 9_000
        for damaged in (whole[:-1], whole[: len(whole) // 2], whole + whole[:12], whole + b"and more\n"):
            path.write_bytes(damaged)
            for use in (TextColumn.read, TextColumn.skip):
                with open_text_column(argument, block_bytes=1_000) as column, pytest.raises(InputError, match=rf"{path}: cannot be read: "):
                    use(column, 100_000)


JSON = {
    "not JSON": (b'{"text": "a"}\n{"text": "b"\n', r"x.jsonl:2: not JSON: "),
    "two objects": (b'{"text": "a"}\n{"text": "b"} {"text": "c"}\n', r"x.jsonl:2: not JSON: Extra data at column 15"),
    "two lines": (b'{"text": "a"} {"text": "b"}\n{"text":\n"c"}\n', r"x.jsonl:1: not JSON: Extra data at column 15"),
    "no object": (b'["text"]\n', r"x.jsonl:1: a row must be an object, found list"),
    "an empty line": (b'{"text": "a"}\n\n{"text": "b"}\n', r"x.jsonl:2: expected an object, found an empty line"),
    "no key": (b'{"text": "a"}\n{"texts": "a", "id": 1}\n', r"x.jsonl:2: expected the key 'text', found texts, id; did you mean texts?"),
    "no keys": (b"{}\n", r"x.jsonl:1: expected the key 'text', found none"),
    "a number": (b'{"text": "a"}\n{"text": 1}\n', r"x.jsonl:2: text must be a string, found int"),
    "null": (b'{"text": "a"}\n{"text": null}\n', r"x.jsonl:2: text must be a string, found NoneType"),
    "nested": (b'{"text": {"text": "a"}}\n', r"x.jsonl:1: text must be a string, found dict"),
    "a key twice": (b'{"text": "a"}\n{"text": "a", "text": "a"}\n', r"x.jsonl:2: the key 'text' occurs twice"),
    "another key twice": (b'{"text": "a", "b": 1}\n{"text": "a", "b": 1, "b": 2}\n', r"x.jsonl:2: the key 'b' occurs twice"),
    "an unpaired surrogate": (b'{"text": "a"}\n{"text": "\\ud83d"}\n', r"x.jsonl:2: text has an unpaired surrogate"),
    "a second half alone": (b'{"text": "a"}\n{"text": "\\ude00"}\n', r"x.jsonl:2: text has an unpaired surrogate"),
    "an escaped NUL": (b'{"text": "a"}\n{"text": "b\\u0000"}\n', r"x.jsonl:2: text has a NUL"),
    "a NUL": (b'{"text": "a"}\n{"text": "b\0"}\n', r"x.jsonl:2: a NUL byte at byte 12 of the line"),
    "not UTF-8": (b'{"text": "a", "b": "c"}\n{"text": "b", "b": "\xff"}\n', r"x.jsonl:2: not UTF-8: byte 0xff at byte 21 of the line"),
    "NaN": (b'{"text": "a", "b": 1}\n{"text": "b", "b": NaN}\n', r"x.jsonl:2: NaN is not a JSON value"),
    "infinity": (b'{"text": "a", "b": 1}\n{"text": "b", "b": -Infinity}\n', r"x.jsonl:2: -Infinity is not a JSON value"),
    "too large": (b'{"text": "a", "b": 1}\n{"text": "b", "b": 1e999}\n', r"x.jsonl:2: the number 1e999 is too large"),
    "too deep": (b'{"text": "a"}\n{"text": "b", "c": ' + b"[" * 65 + b"]" * 65 + b"}\n", r"x.jsonl:2: more than 64 lists and objects"),
    "a control character": (b'{"text": "a"}\n{"text": "b\tc"}\n', r"x.jsonl:2: not JSON: Invalid control character"),
    "empty": (b"", r"x.jsonl:text: the file is empty"),
    "long": (b'{"text": "a"}\n{"text": "' + b"b" * 250 + b'"}\n', r"x.jsonl:2: a line of more than 200 bytes"),
}


@pytest.mark.parametrize(("content", "message"), JSON.values(), ids=JSON)
@pytest.mark.parametrize("count", [1, 100])
def test_errors_of_json_lines(tmp_path: Path, content: bytes, message: str, count: int) -> None:
    (tmp_path / "x.jsonl").write_bytes(content)
    with short_lines(200):
        assert message in find_error(lambda: read_all(open_text_column(f"{tmp_path / 'x.jsonl'}:text"), count))


def test_what_is_accepted_in_json_lines(tmp_path: Path) -> None:
    lines = [
        r'{"text": "a\nb\u00e9\ud83d\ude00\"\\\/", "list": [{"text": "no"}], "none": null}',
        r'  {"none": 1, "te\u0078t": "c"}  ',
        '\t{"text":"d","other":"\\ud83d"}\r',
    ]
    (tmp_path / "x.jsonl").write_text("\ufeff" + "\n".join(lines), encoding="utf-8", newline="")
    assert read_all(open_text_column(f"{tmp_path / 'x.jsonl'}:text")) == ['a\nbé😀"\\/', "c", "d"]


VALUES = st.sampled_from(
    ["a", "", "é", "\u2028", "b\nc", "}\n{", "NaN", 1, -2.5, 1e300, 10**30, True, None, [1], {"text": "b"}, float("nan")]
)
OBJECTS = st.dictionaries(st.sampled_from(["text", "id", "é", "", "a.b"]), VALUES, max_size=3)
RAW = [
    '{"text":"a"}{"text":"b"}',
    '{"text":"a"',
    '"b"}',
    "",
    " ",
    "{}",
    '{"text":"a","text":"b"}',
    '{"text":"\\ud800"}',
    '{"text":"a",}',
    "}",
    "{",
]


@given(
    st.lists(
        st.tuples(OBJECTS, st.booleans()).map(lambda drawn: json.dumps(drawn[0], ensure_ascii=drawn[1])) | st.sampled_from(RAW), max_size=8
    )
)
@settings(max_examples=often(300, 100), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_readers_of_json_lines_agree(tmp_path: Path, lines: list[str]) -> None:
    (tmp_path / "x.jsonl").write_text("".join(f"{line}\n" for line in ('{"text": "first", "id": 1}', *lines)), encoding="utf-8")

    def read() -> list[str]:
        return read_all(open_text_column(f"{tmp_path / 'x.jsonl'}:text"), 100)

    found = attempt(read)
    with patch.object(jsonl_columns._JsonLinesColumn, "_parse_fast", lambda *_: None):
        assert attempt(read) == found


def test_usual_json_lines_are_not_parsed_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    argument = write_objects(tmp_path / "x.jsonl", TEXTS * 10)
    monkeypatch.setattr(jsonl_columns._JsonLinesColumn, "_get_text", None)
    assert read_all(open_text_column(argument)) == TEXTS * 10


def test_errors_of_parquet(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"

    def read(count: int = 100) -> object:
        return read_all(open_text_column(f"{path}:text"), count)

    for kind in (pa.string(), pa.dictionary(pa.int32(), pa.string())):
        for options in ({}, {"row_group_size": 2}, {"use_dictionary": False}):
            write_parquet(path, ["a", "b", "c", "d", None, "e", None], kind, **options)
            with pytest.raises(FormatError, match=r"x.parquet:5: text: expected a text, found null"):
                read()
            with open_text_column(f"{path}:text") as column:
                assert column.read(4).to_pylist() == ["a", "b", "c", "d"]
                assert column.skip(1) == 1
                assert column.read(1).to_pylist() == ["e"]
            write_parquet(path, ["a", "b", "b", "c\0d"], kind, **options)
            with pytest.raises(FormatError, match=r"x.parquet:4: text: a NUL in a text"):
                read()
            write_parquet(path, ["a", "b", "c" * 100, "d" * 101], kind, **options)
            with (
                short_lines(100),
                pytest.raises(FormatError, match=r"x.parquet:4: text: a text of more than 100 bytes, the limit for 4,000"),
            ):
                read()
            bad = pa.array([b"a", b"\xff"], pa.binary()).view(pa.string())
            parquet.write_table(pa.table({"text": bad if pa.types.is_string(kind) else bad.dictionary_encode()}), path, **options)
            with pytest.raises(FormatError, match=r"x.parquet:2: text: not UTF-8"):
                read()
    write_parquet(path, [])
    with pytest.raises(FormatError, match=r"x.parquet:text: the file is empty"):
        read()


def test_damaged_parquet_is_an_error(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "x.parquet", TEXTS * 100, write_page_checksum=True, compression="none", use_dictionary=False)
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[whole.index(b"The cat") + 1] ^= 1
    start = parquet.ParquetFile(path).metadata.row_group(0).column(1).data_page_offset
    lost = whole[:start] + bytes(200) + whole[start + 200 :]
    for damaged in (b"", b"PAR1", whole[:-10], whole[:100] + whole[200:], bytes(flipped), lost):
        path.write_bytes(damaged)
        with pytest.raises(FormatError, match=r"x\.parquet: cannot be read as Parquet: "):
            read_all(open_text_column(f"{path}:text"))


def test_rows_that_are_not_there(tmp_path: Path) -> None:
    """The number of rows is written several times; a difference is damage, never fewer texts."""
    path = write_parquet(tmp_path / "x.parquet", ["a"] * 120, store_schema=False)
    content = path.read_bytes()
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    rows, more = bytes([0x16, 0xF0, 0x01]), bytes([0x16, 0xF2, 0x01])  # a field with the number 120, or 121
    positions = [index for index in range(footer, len(content)) if content[index : index + 3] == rows]
    assert len(positions) >= 3
    for position in positions:
        path.write_bytes(content[:position] + more + content[position + 3 :])
        found = attempt(lambda: read_all(open_text_column(f"{path}:text")))
        assert found == ["a"] * 120 or "x.parquet: cannot be read as Parquet: " in found
    path.write_bytes(content[:footer] + content[footer:].replace(rows, more))
    with pytest.raises(FormatError, match=r"x.parquet: cannot be read as Parquet: "):
        read_all(open_text_column(f"{path}:text"))


def test_few_bytes_of_parquet_that_stand_for_very_many(tmp_path: Path) -> None:
    """Each of these files has a few kilobytes, and texts of 20 GB in all."""
    long = "a b " * 250_000
    repeated = pa.DictionaryArray.from_arrays(pa.array([0] * 20_000, pa.int32()), pa.array([long]))
    pool = pa.proxy_memory_pool(pa.default_memory_pool())
    before = pa.default_memory_pool()
    for options in ({}, {"store_schema": False}):
        parquet.write_table(pa.table({"text": repeated}), tmp_path / "x.parquet", compression="zstd", **options)
        assert (tmp_path / "x.parquet").stat().st_size < 10_000
        pa.set_memory_pool(pool)
        try:
            with open_text_column(tmp_path / "x.parquet") as column:
                assert column.read(3).to_pylist() == [long] * 3
                assert column.skip(300) == 300
        finally:
            pa.set_memory_pool(before)
        assert pool.max_memory() < 700_000_000


def test_parquet_is_skipped_by_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from errata.formats.columns import _ParquetColumn

    argument = f"{write_parquet(tmp_path / 'x.parquet', TEXTS, row_group_size=2)}:text"
    opened = []
    original = _ParquetColumn._open_group

    def watch(column: _ParquetColumn) -> None:
        opened.append(column._group)
        original(column)

    monkeypatch.setattr(_ParquetColumn, "_open_group", watch)
    with open_text_column(argument) as column:
        assert column.skip(6) == 6
        assert opened == []
        assert column.read(1).to_pylist() == [TEXTS[6]]
        assert column.skip(9) == 2
        assert opened == [3]


def test_the_column_is_chosen(tmp_path: Path) -> None:
    one, two = tmp_path / "one.parquet", tmp_path / "two.parquet"
    write_parquet(one, TEXTS)
    assert read_all(open_text_column(one)) == TEXTS
    parquet.write_table(pa.table({"source": ["a"], "target": ["b"], "n": [1]}), two)
    several = "because there are 2 columns of texts; choose from source, target"
    assert find_error(lambda: open_text_column(two)) == f"{two}: expected the name of a column after it, as in {two}:source, {several}"
    assert find_error(lambda: open_text_column(f"{two}:targte")) == (
        f"{two}: there is no column 'targte'; choose from source, target; did you mean target?"
    )
    assert find_error(lambda: open_text_column(f"{two}:n")) == f"{two}: the column 'n' has no texts; choose from source, target"
    parquet.write_table(pa.table({"n": [1], "raw": [b"a"]}), two)
    assert find_error(lambda: open_text_column(f"{two}:raw")) == f"{two}: expected a column of texts, found n, raw"
    lines = tmp_path / "x.jsonl"
    lines.write_text('{"n": 1, "a": "b"}\n{"a": "c"}\n')
    assert read_all(open_text_column(lines)) == ["b", "c"]
    lines.write_text('{"b": "c", "a": "b"}\n')
    assert "there are 2 columns of texts; choose from b, a" in find_error(lambda: open_text_column(lines))
    lines.write_text('{"b": 1}\n')
    assert find_error(lambda: open_text_column(lines)) == f"{lines}: expected a column of texts, found b"
    lines.write_text("[1]\n")
    assert find_error(lambda: open_text_column(lines)) == f"{lines}:1: a row must be an object, found list"


def test_two_columns_with_one_name(tmp_path: Path) -> None:
    parquet.write_table(pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], ["a", "a"]), tmp_path / "x.parquet")
    assert "x.parquet: two columns are named 'a'" in find_error(lambda: open_text_column(f"{tmp_path / 'x.parquet'}:a"))
    nested = pa.array([{"b": "inner"}], pa.struct([("b", pa.string())]))
    parquet.write_table(pa.Table.from_arrays([nested, pa.array(["outer"])], ["a", "a.b"]), tmp_path / "x.parquet")
    assert "x.parquet: two columns are named 'a.b'" in find_error(lambda: open_text_column(f"{tmp_path / 'x.parquet'}:a.b"))
    parquet.write_table(pa.Table.from_arrays([nested, pa.array(["outer"])], ["a", "x.b"]), tmp_path / "x.parquet")
    assert read_all(open_text_column(f"{tmp_path / 'x.parquet'}:x.b")) == ["outer"]


def test_colons_in_names(tmp_path: Path) -> None:
    for name in ("a:b.txt", "x.jsonl:text"):
        assert read_all(open_text_column(write_text(tmp_path / name, TEXTS))) == TEXTS
    parquet.write_table(pa.table({"a:b": ["c"], "b": ["d"]}), tmp_path / "x:y.parquet")
    assert read_all(open_text_column(f"{tmp_path / 'x:y.parquet'}:a:b")) == ["c"]
    assert read_all(open_text_column(f"{tmp_path / 'x:y.parquet'}:b")) == ["d"]


def test_errors_of_arguments(tmp_path: Path) -> None:
    write_text(tmp_path / "x.txt", TEXTS)
    write_parquet(tmp_path / "x.parquet", TEXTS)
    for argument, message in {
        "x.txt:text": "x.txt: a text has no columns, found ':text' after it; .jsonl and .parquet have them",
        "y.txt": "y.txt: there is no such file; did you mean ",
        "y.txt:text": "y.txt:text: there is no such file",
        "y.parquet:text": "y.parquet: there is no such file; did you mean ",
        "y.jsonl:text": "y.jsonl: there is no such file",
        "x.parquet.gz": "x.parquet.gz: Parquet must not be compressed as a whole; its pages may be",
        "none:text": "none:text: there is no such file",
    }.items():
        assert message in find_error(lambda argument=argument: open_text_column(tmp_path / argument))  # type: ignore[misc]
    with (
        open_text_column(tmp_path / "x.txt") as column,
        pytest.raises(UsageError, match="the number of texts must be at least 0, found -1"),
    ):
        column.read(-1)


def test_errors_of_folders(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "_SUCCESS").touch()
    expected = "parts: expected a folder of .parquet files or of .jsonl files, found "
    assert expected + "none" in find_error(lambda: open_text_column(f"{folder}:text"))
    write_parquet(folder / "b.parquet", ["b"])
    write_parquet(folder / "a.parquet", ["a"])
    assert read_all(open_text_column(f"{folder}")) == ["a", "b"]
    parquet.write_table(pa.table({"texts": ["c"]}), folder / "c.parquet")
    assert "c.parquet: there is no column 'text'; choose from texts; did you mean texts?" in find_error(
        lambda: read_all(open_text_column(f"{folder}:text"))
    )
    write_objects(folder / "d.jsonl", ["d"])
    assert expected + "both" in find_error(lambda: open_text_column(f"{folder}:text"))
    empty = tmp_path / "empty"
    empty.mkdir()
    for name in ("a.jsonl", "b.jsonl"):
        (empty / name).touch()
    assert find_error(lambda: read_all(open_text_column(f"{empty}:text"))) == f"{empty}:text: all files are empty"
    (empty / "b.jsonl").write_text('{"text": "b"}\n{"text": 1}\n')
    assert "b.jsonl:2: text must be a string, found int" in find_error(lambda: read_all(open_text_column(empty)))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (to_lines(TEXTS), gzip.compress(to_lines(TEXTS)), zstd(to_lines(TEXTS))):
        stdin = io.BytesIO(content)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(stdin)))
        column = open_text_column("-")
        assert column.path == "standard input"
        assert read_all(column) == TEXTS
        assert not stdin.closed
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"a\n\0\n"))))
    assert find_error(lambda: read_all(open_text_column("-"))).startswith("standard input:2: a NUL byte")


@pytest.mark.parametrize("count", [1, 3, 4, 100])
@pytest.mark.parametrize("own", [["a"] * 3, ["a"] * 5])
def test_columns_of_different_length(tmp_path: Path, count: int, own: list[str]) -> None:
    source, reference = write_text(tmp_path / "source", ["b"] * 4), write_text(tmp_path / "reference", own)
    expected = find_error(lambda: errata.read(source, references=[reference]))
    assert expected.startswith(f"{reference} has too {'few lines: 3 for' if len(own) < 4 else 'many lines: more than'} the 4 of {source}")

    def read(skip: int = 0) -> None:
        with TextColumns([open_text_column(source), open_text_column(source), open_text_column(reference)]) as columns:
            columns.skip(skip)
            while len(columns.read(count)[0]):
                pass

    for skip in (0, 1, 4, 9):
        with pytest.raises(MismatchError) as caught:
            read(skip)
        assert str(caught.value) == expected


def test_columns_of_equal_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = list_arguments(tmp_path, TEXTS)
    with TextColumns([open_text_column(argument) for argument in arguments.values()]) as columns:
        assert columns.sentences == len(TEXTS)
        assert columns.skip(2) == 2
        for array in columns.read(100):
            assert array.to_pylist() == TEXTS[2:]
        assert columns.skip(1) == 0
    with TextColumns([open_text_column(arguments["x.txt"])]) as columns:
        assert columns.sentences is None
    with pytest.raises(UsageError, match="expected at least one column of texts, found none"):
        TextColumns([])
    monkeypatch.setattr("errata.formats.columns._COUNTED", 2)
    rows = f"{write_parquet(tmp_path / 'r.parquet', ['a'])}:text"
    with TextColumns([open_text_column(arguments["x.txt"]), open_text_column(rows)]) as columns:
        assert find_error(lambda: columns.read(3)) == f"{rows} has too few rows: 1 for more than 5 of {arguments['x.txt']}"


def test_without_pyarrow_the_error_says_what_to_install(tmp_path: Path) -> None:
    path = write_text(tmp_path / "x.txt", TEXTS)
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from errata.formats.columns import open_text_column\n"
        f"try: open_text_column({path!r})\nexcept Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "RequestError a column of texts needs pyarrow, which is not installed: pip install 'errata[parquet]'\n"


def test_a_column_that_is_closed(tmp_path: Path) -> None:
    for argument in list_arguments(tmp_path, TEXTS).values():
        with open_text_column(argument) as column:
            column.read(1)
        column.close()


def test_lines_have_the_limit_of_other_readers() -> None:
    assert count_bytes(4_000) == 1 << 20
    assert count_bytes(1 << 20) == 1 << 28


@pytest.mark.realdata
def test_outputs_of_shared_tasks(data: Path, tmp_path: Path) -> None:
    paths = sorted((data / "conll14" / "systems").glob("*.txt"))
    assert len(paths) > 5
    for path in paths:
        expected = read_as_text(path)
        texts = read_all(open_text_column(path), 500)
        assert [tuple(text.split()) for text in texts] == expected
        for argument in (
            write_objects(tmp_path / "x.jsonl.gz", texts),
            f"{write_parquet(tmp_path / 'x.parquet', texts, row_group_size=300)}:text",
        ):
            assert read_all(open_text_column(argument), 1_000) == texts
