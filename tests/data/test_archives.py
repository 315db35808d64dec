"""Archives and folders of strangers: read one file at a time, bounded, and nothing outside is touched."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from errata import InputError, limit_input
from errata.formats import installing as recognise
from errata.formats.installing import _collect_candidates

from served_sets import make_tar, make_zip

Files = dict[str, bytes]


PACKERS: dict[str, Callable[[Files], bytes]] = {
    "tar": make_tar,
    "tar.gz": lambda files: gzip.compress(make_tar(files)),
    "tar.bz2": lambda files: bz2.compress(make_tar(files)),
    "tar.xz": lambda files: lzma.compress(make_tar(files)),
    "zip": make_zip,
}
packed_as = pytest.mark.parametrize("kind", PACKERS)


def find(path: Path) -> Files:
    return {candidate.path: candidate.content for candidate in _collect_candidates([str(path)], lambda *_: True)}


@packed_as
@pytest.mark.parametrize("name", ["data.bin", "data"])
def test_files_are_found_whatever_the_name_of_the_archive(kind: str, name: str, tmp_path: Path) -> None:
    files = {"a/gold.m2": b"gold", "a/b/other.txt": b"other"}
    (tmp_path / name).write_bytes(PACKERS[kind](files))
    assert find(tmp_path / name) == files


def test_a_compressed_file_is_one_file(tmp_path: Path) -> None:
    (tmp_path / "gold.m2.gz").write_bytes(gzip.compress(b"S A cat .\n"))
    assert find(tmp_path / "gold.m2.gz") == {str(tmp_path / "gold.m2"): b"S A cat .\n"}


def test_a_folder_is_searched_and_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "set" / "deep").mkdir(parents=True)
    (tmp_path / "set" / "deep" / "gold.m2").write_bytes(b"gold")
    (tmp_path / "set" / "loop").symlink_to(tmp_path / "set")
    os.mkfifo(tmp_path / "set" / "pipe")
    assert find(tmp_path / "set") == {str(tmp_path / "set" / "deep" / "gold.m2"): b"gold"}


def test_a_folder_with_too_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognise, "_MOST_ENTRIES", 3)
    for number in range(4):
        (tmp_path / f"{number}.m2").write_bytes(b"")
    with pytest.raises(InputError, match=r"more than 3 files and folders"):
        find(tmp_path)


@packed_as
@pytest.mark.parametrize("name", ["../gold.m2", "/etc/gold.m2", "a/../../gold.m2", "..\\gold.m2", "C:\\gold.m2"])
def test_paths_that_lead_outside_are_refused(kind: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(PACKERS[kind]({name: b"gold"}))
    with pytest.raises(InputError, match=r"data: it has a file whose path leads outside: "):
        find(tmp_path / "data")
    assert os.listdir(tmp_path) == ["data"]  # noqa: PTH208


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_of_tar_are_left_out(kind: bytes, tmp_path: Path) -> None:
    entry = tarfile.TarInfo("gold.m2")
    entry.type = kind
    entry.linkname = "/etc/passwd"
    (tmp_path / "data").write_bytes(make_tar({"a.m2": b"a"}, entry))
    assert find(tmp_path / "data") == {"a.m2": b"a"}


def test_links_of_zip_are_left_out(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "data", "w") as archive:
        entry = zipfile.ZipInfo("gold.m2")
        entry.external_attr = 0o120777 << 16
        archive.writestr(entry, "/etc/passwd")
        archive.writestr("a.m2", b"a")
    assert find(tmp_path / "data") == {"a.m2": b"a"}


@packed_as
def test_what_is_unpacked_is_bounded(kind: str, tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(PACKERS[kind]({f"{number}.m2": bytes(60_000) for number in range(4)}))
    assert len(find(tmp_path / "data")) == 4
    with limit_input(max_bytes=150_000), pytest.raises(InputError, match=r"data: more than 150,000 bytes after decompression"):
        find(tmp_path / "data")


@packed_as
def test_a_large_file_among_others_is_left_out(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognise, "_MOST_AT_ONCE", 20_000)
    (tmp_path / "data").write_bytes(PACKERS[kind]({"large.bin": bytes(60_000), "gold.m2": b"gold"}))
    assert find(tmp_path / "data") == {"gold.m2": b"gold"}


def test_a_header_of_zip_that_lies_about_the_size_is_no_way_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = make_zip({"gold.m2": bytes(60_000)})
    size = (60_000).to_bytes(4, "little")
    assert content.count(size) == 2
    (tmp_path / "data").write_bytes(content.replace(size, (10).to_bytes(4, "little")))
    monkeypatch.setattr(recognise, "_MOST_AT_ONCE", 20_000)
    with pytest.raises(InputError, match=r"data: "):
        find(tmp_path / "data")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compression_of_zip_without_a_bound_is_refused(method: int, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "data", "w", method) as archive:  # a kilobyte of it can stand for gigabytes, which are unpacked at once
        archive.writestr("a/gold.m2", bytes(60_000))
    with pytest.raises(InputError, match=rf"data: 'a/gold.m2' is compressed by method {method}, expected method 8 \(deflate\)"):
        find(tmp_path / "data")


def test_a_zip_without_compression_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "data", "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("gold.m2", b"gold")
    assert find(tmp_path / "data") == {"gold.m2": b"gold"}


def test_a_long_header_of_tar_does_not_take_memory(tmp_path: Path) -> None:
    entry = tarfile.TarInfo("gold.m2")
    entry.type = tarfile.XHDTYPE
    entry.size = 1 << 40
    (tmp_path / "data").write_bytes(entry.tobuf(tarfile.GNU_FORMAT) + bytes(10_240))
    with pytest.raises(InputError, match=r"data: cannot be unpacked: a header of 1,099,511,627,776 bytes"):
        find(tmp_path / "data")


@packed_as
def test_too_many_files_in_an_archive(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognise, "_MOST_ENTRIES", 3)
    (tmp_path / "data").write_bytes(PACKERS[kind]({f"{number}.m2": b"" for number in range(4)}))
    with pytest.raises(InputError, match=r"more than 3 files in an archive"):
        find(tmp_path / "data")


@packed_as
def test_a_damaged_archive_is_named(kind: str, tmp_path: Path) -> None:
    whole = PACKERS[kind]({"gold.m2": os.urandom(50_000)})
    (tmp_path / "data").write_bytes(whole[:30_000])
    if kind in {"zip", "tar.bz2"}:
        found = find(tmp_path / "data")  # without its directory, or its first block, it is no archive, but a file
        assert list(found) == [str(tmp_path / "data")]
        return
    with pytest.raises(InputError, match=r"data: cannot be (unpacked|read): "):
        find(tmp_path / "data")


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    content = bytearray(make_zip({"gold.m2": b"gold"}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "data").write_bytes(content)
    with pytest.raises(InputError, match=r"data: cannot be unpacked: .*encrypted"):
        find(tmp_path / "data")


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing: there is no such file or folder"):
        find(tmp_path / "nothing")


@pytest.mark.parametrize("name", ["pipe", "-"])
def test_pipes_are_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with pytest.raises(InputError, match=r": expected a file, a folder or an archive on the disk"):
        find(Path(name))
