"""Compressed input: recognised by content, read to the end of all its frames, and never ended early in silence."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

import errata
from errata import FormatError, InputError, UsageError, limit_input
from errata.cli import main
from errata.formats.lines import count_bytes, open_bytes, read_text
from errata.formats.problems import Problems
from errata.formats.registry import guess_format

pa = pytest.importorskip("pyarrow")

GOLD = Path("examples/learner.m2")
SKIPPED_FRAME = b"\x50\x2a\x4d\x18\x04\0\0\0abcd"


def zstd(content: bytes) -> bytes:
    stream = pa.BufferOutputStream()
    with pa.CompressedOutputStream(stream, "zstd") as file:
        file.write(content)
    packed: bytes = stream.getvalue().to_pybytes()
    return packed


def test_zstd_is_read_whatever_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = GOLD.read_bytes()
    assert zstd(content).startswith(bytes.fromhex("28b52ffd"))
    expected = errata.read(GOLD).sentences
    for name, packed in {
        "gold.m2.zst": zstd(content),
        "gold.m2": zstd(content[:1000]) + zstd(b"") + zstd(content[1000:]),
        "skipped.m2": SKIPPED_FRAME + zstd(content) + SKIPPED_FRAME,
    }.items():
        (tmp_path / name).write_bytes(packed)
        assert errata.read(tmp_path / name).sentences == expected
    assert (guess_format("gold.m2.zst"), guess_format("dev.src.zst")) == ("m2", "parallel")
    stdin = io.BytesIO(zstd(content))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(stdin)))
    assert errata.read("-").sentences == expected
    assert not stdin.closed


def test_frames_that_are_longer_than_a_buffer(tmp_path: Path) -> None:
    import random

    noise = random.Random(1)
    parts = [noise.randbytes(size) for size in (1 << 16, 200_000, 1, 65_537)]
    (tmp_path / "x.zst").write_bytes(b"".join(map(zstd, parts)))
    with open_bytes(str(tmp_path / "x.zst")) as file:
        assert file.read() == b"".join(parts)


@pytest.mark.parametrize("cut", [5, 9, 30, -1])
def test_an_incomplete_frame_is_an_error(tmp_path: Path, cut: int) -> None:
    packed = zstd(GOLD.read_bytes())
    for content in (packed[:cut], packed + packed[:cut]):
        (tmp_path / "x.m2.zst").write_bytes(content)
        with pytest.raises(InputError, match=r"x\.m2\.zst: cannot be read: Truncated compressed stream"):
            errata.read(tmp_path / "x.m2.zst")


def test_damage_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.m2.zst"
    frame = bytes.fromhex("28b52ffd 24 04 210000") + b"S a\n"  # one block of four bytes as they are, and a checksum
    for content in (zstd(GOLD.read_bytes()) + b"S d\n", frame + b"none"):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"x\.m2\.zst: cannot be read: ZSTD decompress failed"):
            errata.read(path)


def test_limits_hold_after_decompression(tmp_path: Path) -> None:
    path = tmp_path / "x.txt.zst"
    path.write_bytes(zstd(b" " * 50_000_000))
    with limit_input(max_bytes=50_000), pytest.raises(FormatError, match=r"x.txt.zst: more than 50,000 bytes after decompression"):
        errata.read_system(path)


def test_zstd_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.m2.zst"
    with pytest.raises(UsageError, match=r"x\.m2\.zst: zstd can be read, but not written; expected a name that ends in \.gz"):
        errata.write(errata.read(GOLD), path)
    assert main(["convert", str(GOLD), "-o", str(path)]) == 2
    assert "zstd can be read, but not written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow_the_error_says_what_to_install(tmp_path: Path) -> None:
    path = tmp_path / "x.m2"
    path.write_bytes(zstd(GOLD.read_bytes()))
    code = f"import sys; sys.modules['pyarrow'] = None; from errata.cli import main; sys.exit(main(['score', {str(path)!r}, '-']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, input="a\n")
    assert (done.returncode, done.stderr) == (
        1,
        "errata: error: a file compressed with zstd needs pyarrow, which is not installed: pip install 'errata[parquet]'\n",
    )


def test_a_first_line_with_a_byte_order_mark_is_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"\xef\xbb\xbf" + b"a" * count_bytes(1) + b"\n")
    with pytest.raises(FormatError, match=r"x.txt:1: a line of more than 1,048,576 bytes"):
        list(read_text(str(path), Problems(str(path)), 1))
