"""Tables of strangers: true lines in messages, bounded rows, columns and texts, and nothing that is said twice."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from errata import FormatError, InputError, limit_input
from errata.cli import main
from errata.errors import suggest
from errata.formats import tables
from errata.formats import tables as parquet_tables
from errata.formats.tables import find_repeated, list_columns, open_table
from errata.studies.coverage import read_corrections
from errata.studies.detection import read_cases
from errata.studies.detection.tables import _find_layout

ROW = b"1,1\n"
ADVICE = "; raise it with --max-field (limit_input(max_field=...) in Python)"


def lines_of(path: Path, *, quoted: bool = True) -> list[int]:
    with open_table(str(path), path.suffix[1:], quoted=quoted) as table:
        return [chunk.lines.of(row) for chunk in table.chunks(table.header[:1]) for row in range(chunk.rows)]


@pytest.mark.parametrize("delimiter", [",", "\t"])
@pytest.mark.parametrize("before", [0, 1, 400, 50_000])
@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b"\xe9,1\n", "not UTF-8: byte 0xe9 at byte 1 of the line"),
        (b"1,\xc3\n", "not UTF-8: byte 0xc3 at byte 3 of the line"),
        (b"1,\0\n", "a NUL byte at byte 3 of the line; expected text"),
        (b'1,"1"x\n', "cannot be read: '{}' expected after '\"'"),
        (b'1,"1\n', "a quoted field does not end before the end of the file"),
        (b'1,"' + b"1" * ((1 << 20) + 1) + b'"\n', f"a field of more than 1,048,576 characters{ADVICE}"),
        (b"1,1\r1,1\n", "a carriage return inside a line; lines must end in a line feed, or in both"),
        (b"1,1,1\n", "expected 2 columns, found 3"),
        (b"1,1," + b"1" * (17 << 20), f"a line of more than 16,777,216 bytes{ADVICE}"),
    ],
)
def test_bad_rows_are_named_by_their_line(tmp_path: Path, delimiter: str, before: int, row: bytes, message: str) -> None:
    path = tmp_path / ("x.csv" if delimiter == "," else "x.tsv")
    path.write_bytes((b"error,flagged\n" + ROW * before + row).replace(b",", delimiter.encode()))
    with pytest.raises(FormatError) as caught:
        read_cases(path)
    assert str(caught.value) == f"{path}:{before + 2}: {message.format(delimiter)}"


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("x.jsonl", b'{"error": 1, "flagged": 1}\n', b'{"error": 1, "flagged": "\xe9"}\n'),
        ("x.mrp", b'{"id": "%d", "framework": "ucca", "input": "a"}\n', b'{"id": "x", "framework": "ucca", "input": "\xe9"}\n'),
        ("x.conllu", b"# a comment\n", b"# \xe9\n"),
        ("x.toml", b"# a comment\n", b"# \xe9\n"),
    ],
)
def test_bad_bytes_are_named_by_their_line_in_other_formats(tmp_path: Path, name: str, good: bytes, bad: bytes) -> None:
    from errata.language import read_graphs
    from errata.task import read_task

    path = tmp_path / name
    path.write_bytes(b"".join(good % number if b"%d" in good else good for number in range(400)) + bad)
    reader: Any = {".jsonl": read_cases, ".toml": read_task}.get(path.suffix, read_graphs)
    with pytest.raises(FormatError) as caught:
        reader(str(path))
    assert str(caught.value) == f"{path}:401: not UTF-8: byte 0xe9 at byte {bad.index(0xE9) + 1} of the line"


def test_a_byte_order_mark_and_all_line_ends_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes("\ufefferror,flagged\r\n1,1\r\n\r\n0,0".encode())
    assert lines_of(path) == [2, 4]
    assert read_cases(path).error.tolist() == [1, 0]


def test_lines_inside_fields_are_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every chunk counts the lines of its rows once, not once for every row."""
    counted = []
    count = tables._count_lines

    def counting(first: int, rows: Any) -> list[int]:
        counted.append(len(rows))
        return count(first, rows)

    monkeypatch.setattr(tables, "_count_lines", counting)
    path = tmp_path / "x.csv"
    path.write_text("sentence,correction\n" + '1,"a\nb"\n\n2,c\n' * 3_000)
    assert lines_of(path) == [line for start in range(2, 12_002, 4) for line in (start, start + 3)]
    assert sum(counted) == 9_000
    assert sum(sentence.answers for sentence in read_corrections(path)) == 6_000
    path.write_text("sentence\tcorrection\n" + "1\ta\n" * 10_000)
    counted.clear()
    assert lines_of(path.rename(tmp_path / "x.tsv"), quoted=False) == list(range(2, 10_002))
    assert counted == []


def test_rows_and_columns_are_limited(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    wide = {"x.csv": b"," * 1000 + b"\n", "x.tsv": b"\t" * 1000, "x.jsonl": b"{%s}" % b",".join(b'"%d": 1' % n for n in range(1001))}
    for name, content in wide.items():
        (tmp_path / name).write_bytes(content)
    _write_parquet(tmp_path / "x.parquet", {str(number): [1] for number in range(1001)})
    for name in (*wide, "x.parquet"):
        with pytest.raises(FormatError, match=rf"{name}:1: 1,001 columns, more than the limit of 1,000; raise it with --max-columns"):
            read_cases(tmp_path / name)
        with limit_input(max_columns=1001), pytest.raises(InputError, match=r"the first line must name|no column marks errors"):
            read_cases(tmp_path / name)
    long = {
        "y.csv": b"error,flagged\n" + ROW * 9,
        "y.tsv": b"error\tflagged\n" + b"1\t1\n" * 9,
        "y.jsonl": b'{"error": 1, "flagged": 1}\n' * 10,
    }
    for name, content in long.items():
        (tmp_path / name).write_bytes(content)
        with limit_input(max_lines=10):
            read_cases(tmp_path / name)
        with limit_input(max_lines=9), pytest.raises(FormatError, match=rf"{name}:10: more than 9 lines; raise it with --max-lines"):
            read_cases(tmp_path / name)
    _write_parquet(tmp_path / "y.parquet", {"error": [1] * 10, "flagged": [1] * 10})
    with limit_input(max_lines=10):
        read_cases(tmp_path / "y.parquet")
    with limit_input(max_lines=9), pytest.raises(FormatError, match=r"y.parquet: more than 9 rows; raise it with --max-lines"):
        read_cases(tmp_path / "y.parquet")


def test_a_long_row_of_many_lines_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_FIELDS_IN_ROW", 1 / 4)
    monkeypatch.setattr(tables, "_CHUNK_BYTES", 1 << 18)
    path = tmp_path / "x.csv"
    path.write_bytes(b"error,flagged\n" + ROW * 10 + b",".join([b'"' + b"\n" * 1000 + b'"'] * 1000) + b"\n")
    with pytest.raises(FormatError, match=r"x.csv:12: a row of more than"):
        read_cases(path)


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl"])
def test_chunks_of_long_rows_are_small(tmp_path: Path, name: str) -> None:
    """A chunk of thousands of long rows would take gigabytes."""
    path = tmp_path / name
    text = "x" * 100_000
    path.write_text("correction\n" + f"{text}\n" * 200 if name == "x.csv" else f'{{"correction": "{text}"}}\n' * 200)
    with open_table(str(path), path.suffix[1:]) as table:
        sizes = [chunk.rows for chunk in table.chunks(["correction"])]
    assert sum(sizes) == 200
    assert max(sizes) * len(text) < 2 * tables._CHUNK_BYTES


def test_small_files_that_unpack_to_very_much_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.csv.gz"
    path.write_bytes(gzip.compress(b"," * 50_000_000))
    with pytest.raises(FormatError, match=r"x.csv.gz:1: a line of more than 16,777,216 bytes"):
        read_cases(path)
    path.write_bytes(gzip.compress(b"error,flagged\n" + ROW * 1_000_000))
    with limit_input(max_bytes=1 << 20), pytest.raises(FormatError, match=r"more than 1,048,576 bytes after decompression"):
        read_cases(path)


def test_columns_named_twice(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("sentence,correction,correction\n1,a,b\n")
    with pytest.raises(FormatError, match=r"x.csv:1: two columns are named 'correction'"):
        read_corrections(path)


class Counted(str):
    """A name that counts how often it is compared."""

    __slots__ = ()
    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return str.__eq__(self, other)


def test_names_of_columns_are_compared_once() -> None:
    names = [Counted(number) for number in range(20_000)]
    assert find_repeated(names) is None
    assert find_repeated([*names, Counted("7")]) == "7"
    assert Counted.compared < 100
    with pytest.raises(InputError, match=r"no column marks errors.* and 19,980 more"):
        _find_layout(names)
    assert Counted.compared < 20_000 * 40
    assert len(list_columns(["x" * 1000] * 1000)) < 1000


def test_suggestions_are_bounded() -> None:
    asked = []

    def names() -> Iterator[str]:
        for number in range(100_000):
            asked.append(number)
            yield f"column{number}"

    assert suggest("colum17", names()) == "; did you mean column17?"
    assert len(asked) <= 1_001
    assert suggest("x" * 1000, ["x" * 100_000]) == ""


def _write_parquet(path: Path, columns: dict[str, Any], **settings: Any) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.table(columns), path, **settings)


def test_repeated_texts_of_parquet_are_counted_before_they_are_decoded(tmp_path: Path) -> None:
    """A long text stored once, for very many rows."""
    pa = pytest.importorskip("pyarrow")
    path = tmp_path / "x.parquet"
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 100_000, pa.int32()), ["x" * 100_000])
    _write_parquet(path, {"written": text, "annotated": text, "system": text}, store_schema=False)
    assert path.stat().st_size < 100_000
    with pytest.raises(FormatError, match=r"x.parquet: more than 1,073,741,824 bytes when decoded; raise it with --max-bytes"):
        read_cases(path)
    few = pa.DictionaryArray.from_arrays(pa.array([0, None, 1, 0], pa.int32()), ["a", "b"])
    _write_parquet(path, {"written": few, "annotated": few, "system": few}, store_schema=False)
    assert read_cases(path).error.tolist() == [0, 0, 0, 0]


def test_texts_that_repeat_others_are_decoded_few_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "x.parquet"
    texts = ["x" * 1000] * 500
    encodings = {"sentence": "DELTA_BYTE_ARRAY", "correction": "DELTA_LENGTH_BYTE_ARRAY"}
    _write_parquet(path, {"sentence": texts, "correction": texts}, use_dictionary=False, column_encoding=encodings)
    with limit_input(max_bytes=100_000), pytest.raises(FormatError, match="more than 100,000 bytes when decoded"):
        read_corrections(path)
    monkeypatch.setattr(parquet_tables, "_TABLE_BATCH_BYTES", 100_000)
    with open_table(str(path), "parquet") as table:
        sizes = [chunk.rows for chunk in table.chunks(["sentence", "correction"])]
    assert sum(sizes) == 500
    assert max(sizes) < 50


def test_rows_of_parquet_that_are_not_there(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "x.parquet"
    _write_parquet(path, {"error": [0] * 120, "flagged": [0] * 120}, store_schema=False)
    content = path.read_bytes()
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    path.write_bytes(content[:footer] + content[footer:].replace(b"\x16\xf0\x01", b"\x16\xf2\x01"))
    with pytest.raises(FormatError, match=r"x.parquet: cannot be read as Parquet: 120 rows, expected 121"):
        read_cases(path)


def test_numbers_of_parquet_are_counted_before_they_are_decoded(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "x.parquet"
    _write_parquet(path, {"error": [0] * 100_000, "flagged_a": [0] * 100_000, "flagged_b": [0] * 100_000})
    assert path.stat().st_size < 10_000
    with limit_input(max_bytes=3 * 800_000):
        assert len(read_cases(path).error) == 100_000
    with limit_input(max_bytes=3 * 800_000 - 1), pytest.raises(FormatError, match="when decoded"):
        read_cases(path)


def test_odd_values_of_parquet(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    path = tmp_path / "x.parquet"
    for corrections, message in (
        (["a", "b", "x" * ((1 << 20) + 1)], "x.parquet:3: correction: a text of 1,048,577 bytes, more than the limit of 1,048,576"),
        (["a", "b\0", "c"], "x.parquet:2: correction: a NUL in a text"),
        ([["a"], ["b"], ["c"]], "x.parquet: correction: expected texts or numbers, found the type list<"),
        (pa.array([b"a", b"b", b"c"]), "x.parquet: correction: expected texts or numbers, found the type binary"),
        (["a", "b", None], "x.parquet:3: correction: expected a text, found None"),
    ):
        _write_parquet(path, {"sentence": ["1", "2", "3"], "correction": corrections})
        with pytest.raises(FormatError) as caught:
            read_corrections(path)
        assert message in str(caught.value)
    for kind in (pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())):
        _write_parquet(path, {"sentence": ["1", "1", "2"], "correction": pa.array(["a", "b", "a"]).cast(kind)})
        assert [dict(sentence.corrections) for sentence in read_corrections(path)] == [{"a": 1, "b": 1}, {"a": 1}]


@pytest.mark.parametrize(
    ("command", "header", "warning"),
    [
        ("detect", "error,flagged,confidense", "x.csv:1: the column 'confidense' is skipped; did you mean confidence?"),
        ("coverage", "sentence,correction,cont", "x.csv:1: the column 'cont' is skipped; did you mean count?"),
        ("detect", "error,flagged,comment", ""),  # a column for others
    ],
)
def test_a_misspelt_column_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, header: str, warning: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text(f"{header}\n1,1,1\n1,0,1\n")
    assert main([command, "x.csv"]) == 0
    said = capsys.readouterr().err
    assert warning in said
    assert ("skipped" in said) == bool(warning)


DAMAGED = """\
import sys
from pathlib import Path
from errata import InputError
from errata.studies.detection import read_cases

path, step = sys.argv[1], int(sys.argv[2])
good = Path(path).read_bytes()
footer = len(good) - 8 - int.from_bytes(good[-8:-4], "little")
optional, required = b"%\\x02\\x18\\x05error", b"%\\x00\\x18\\x05error"
assert good.count(optional) == 1
damaged = [good.replace(optional, required)]
changes = [(index, change) for index in range(footer, len(good), step) for change in (1, 38)]
damaged += [good[:index] + bytes([good[index] ^ change]) + good[index + 1:] for index, change in changes]
refused = 0
for content in damaged:
    Path(path).write_bytes(content)
    try:
        read_cases(path)
    except InputError as error:
        refused += 1
        assert str(error).startswith(path), error
        assert str(error) != path
print(f"{refused} of {len(damaged)}")
"""


@pytest.mark.parametrize("step", [1_000_000, pytest.param(1, marks=pytest.mark.slow)], ids=["one", "each"])
def test_a_damaged_footer_of_parquet_ends_no_process(step: int, tmp_path: Path) -> None:
    """pyarrow ends the process if it is asked about a column whose statistics do not fit the schema, as in the first file."""
    pytest.importorskip("pyarrow")
    path = tmp_path / "x.parquet"
    _write_parquet(path, {"error": [0, 1] * 50, "flagged": [1, 1] * 50})
    done = subprocess.run([sys.executable, "-c", DAMAGED, str(path), str(step)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    refused, of = map(int, done.stdout.split(" of "))
    assert 0 < refused < of or of < 4
