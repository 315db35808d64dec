"""Small data sets and archives for tests of data sets by name."""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from typing import Any

from errata.formats import DataSet, Member, Release

ONE = b"S A cat sat .\nA 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0\n\n"
TWO = b"S A cat sat .\nA 1 2|||Nn|||cow|||REQUIRED|||-NONE-|||0\n\n"


def checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def make_release(name: str, **facts: Any) -> Release:
    return Release(
        name,
        f"The release {name}",
        f"https://example.org/{name}",
        "English",
        "free",
        "Doe, Jane",
        "A Paper",
        "Proceedings",
        2020,
        "https://example.org/paper",
        **facts,
    )


def make_tar(files: dict[str, bytes], *extra: tarfile.TarInfo) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
        for entry in extra:
            archive.addfile(entry)
    return packed.getvalue()


def make_zip(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def make_sets(address: str) -> dict[str, DataSet]:
    """Sets of an archive without and with a checksum, texts, a set that cannot be verified, and one that is joined."""
    archive = make_release("first", archive=f"{address}/first.tar.gz")
    signed = make_release("signed", archive=f"{address}/signed.zip", archive_sha256="0" * 64)
    files = make_release("texts", files=f"{address}/texts/")
    closed = make_release("closed", how="fill in the form")
    texts = {"dev/dev.src": b"A cat sat .\n", "dev/dev.ref0": b"A dog sat .\n", "dev/dev.ref1": b"The cat sat .\n"}
    made = [
        DataSet("one", archive, "first set", (Member("noalt/one.m2", checksum(ONE)),), sentences=1, annotators=1),
        DataSet("two", archive, "second set", (Member("alt/two.m2", checksum(TWO)),), sentences=1, annotators=1),
        DataSet("signed", signed, "a set", (Member("m2/one.m2"),), sentences=1, annotators=1),
        DataSet("texts", files, "texts", tuple(Member(path, checksum(text)) for path, text in texts.items()), "parallel", "", 1, 2),
        DataSet("closed", closed, "a set", (Member("m2/closed.m2"),), sentences=1, annotators=1),
        DataSet("joined", closed, "a set", (Member("A1.m2", checksum(ONE)), Member("A2.m2")), "joined", "", 1, 2),
    ]
    return {item.name: item for item in made}
