"""Data sets from a server, and copies of users."""

from __future__ import annotations

import errno
import gzip
import json
import os
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import errata
from errata import InputError, InputWarning, MismatchError, RequestError, UsageError, read_data_set
from errata.formats import (
    DataSet,
    add_data_set,
    get_data_sets,
    installing,
    list_installed,
    locate_data_set,
    remove_data_set,
)
from errata.formats.datasets import Member

from served_files import Served, Server
from served_sets import ONE, TWO, checksum, make_tar, make_zip

pytestmark = pytest.mark.usefixtures("sets")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def serve_archive(server: Server) -> None:
    server.files["/first.tar.gz"] = Served(gzip.compress(make_tar({"x/noalt/one.m2": ONE, "x/alt/two.m2": TWO, "x/README": b"read me"})))


def serve_texts(server: Server) -> None:
    lines = {"src": b"A cat sat .\n", "ref0": b"A dog sat .\n", "ref1": b"The cat sat .\n"}
    server.files |= {f"/texts/dev/dev.{name}": Served(text) for name, text in lines.items()}


def visible(folder: Path) -> list[str]:
    return sorted(name for name in os.listdir(folder) if not name.startswith("."))  # noqa: PTH208


def test_an_archive_brings_all_its_sets_and_nothing_is_asked_twice(server: Server, home: Path) -> None:
    serve_archive(server)
    told: list[str] = []
    (found,) = get_data_sets("one", tell=told.append)
    assert told == [f"downloading {server.address}/first.tar.gz (licence: free)"]
    assert (found.is_verified, Path(found.paths[0]).read_bytes()) == (True, ONE)
    assert visible(home) == ["one", "two"]
    assert list((home / ".downloads").iterdir()) == []
    server.files.clear()  # from now on offline
    assert [item.name for item in get_data_sets(["one", "two"])] == ["one", "two"]
    assert len(server.requests) == 1
    assert read_data_set("two")[0].annotations[0].edits[0].corrections == ("cow",)


def test_files_one_by_one(server: Server) -> None:
    serve_texts(server)
    get_data_sets("texts")
    corpus = read_data_set("texts")
    assert (len(corpus), corpus.annotators, corpus.name) == (1, ("0", "1"), "dev.src")
    assert [path for path, _, _ in server.requests] == [f"/texts/dev/dev.{name}" for name in ("src", "ref0", "ref1")]


def test_files_that_arrived_are_not_asked_for_again(server: Server, home: Path) -> None:
    serve_texts(server)
    last = server.files.pop("/texts/dev/dev.ref1")
    with pytest.raises(RequestError, match=r"dev.ref1: the server answered 404"):
        get_data_sets("texts")
    assert visible(home) == []
    server.files["/texts/dev/dev.ref1"] = last
    get_data_sets("texts")
    assert [path[-4:] for path, _, _ in server.requests] == [".src", "ref0", "ref1", "ref1"]


def test_another_content_is_refused_and_not_kept(server: Server, home: Path) -> None:
    server.files["/first.tar.gz"] = Served(gzip.compress(make_tar({"noalt/one.m2": TWO.replace(b"cow", b"hen")})))
    with pytest.raises(InputError, match=f"first.tar.gz: not the published one: expected the SHA-256 {checksum(ONE)} of noalt/one.m2"):
        get_data_sets("one")
    assert visible(home) == []
    assert list((home / ".downloads").iterdir()) == []


def test_an_archive_without_the_file(server: Server, home: Path) -> None:
    server.files["/first.tar.gz"] = Served(gzip.compress(make_tar({"alt/two.m2": TWO})))
    with pytest.raises(InputError, match=r"first.tar.gz: not found: noalt/one.m2"):
        get_data_sets("one")
    assert visible(home) == []


def test_a_page_instead_of_an_archive(server: Server, home: Path) -> None:
    server.files["/first.tar.gz"] = Served(b"<html>Please log in</html>")
    with pytest.raises(InputError, match=r"not the published one"):
        get_data_sets("one")
    assert visible(home) == []


def test_an_archive_with_a_checksum_must_have_it(server: Server, sets: dict[str, DataSet], home: Path) -> None:
    server.files["/signed.zip"] = Served(make_zip({"m2/one.m2": ONE}))
    with pytest.raises(RequestError, match=f"expected a file with the SHA-256 {'0' * 64}, found"):
        get_data_sets("signed")
    object.__setattr__(sets["signed"].release, "archive_sha256", checksum(server.files["/signed.zip"].content))
    assert get_data_sets("signed")[0].is_verified
    assert visible(home) == ["signed"]


def test_a_set_that_cannot_be_verified_is_never_downloaded(server: Server) -> None:
    expected = (
        r"closed is not downloaded, because its checksums are not all known, so it could not be verified .*to get it: fill in the form "
        r"\(https://example.org/closed\), then errata data add closed PATH --unverified"
    )
    with pytest.raises(RequestError, match=expected):
        get_data_sets(["one", "closed"])
    assert server.requests == []


def test_a_name_that_there_is_not() -> None:
    with pytest.raises(UsageError, match=r"there is no data set 'textz'; did you mean texts?"):
        get_data_sets("textz")
    with pytest.raises(UsageError, match=r"there is no data set"):
        add_data_set("../one", "x")
    with pytest.raises(UsageError, match=r"there is no data set"):
        remove_data_set("../home")


def test_what_is_not_here_is_not_downloaded_by_reading(server: Server, home: Path) -> None:
    with pytest.raises(RequestError, match=f"the data set one is not in {home}; to get it: errata data get one"):
        read_data_set("one")
    assert server.requests == []
    assert not home.exists()


def test_a_download_that_is_cut_continues_with_the_next_command(server: Server, home: Path) -> None:
    serve_archive(server)
    server.files["/first.tar.gz"].cuts = [10, 10, 10]
    with pytest.raises(RequestError, match=r"the same command continues it"):
        get_data_sets("one")
    assert visible(home) == []
    get_data_sets("one")
    assert server.requests[-1][1] == "bytes=30-"


def test_two_at_once_download_once(server: Server, home: Path) -> None:
    serve_archive(server)
    told: list[str] = []
    results: list[bool] = []

    def get() -> None:
        results.append(get_data_sets("one", tell=told.append)[0].is_verified)

    threads = [threading.Thread(target=get) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4
    assert len(server.requests) == 1
    assert visible(home) == ["one", "two"]


def test_who_waits_for_another_is_told(server: Server, home: Path) -> None:
    serve_archive(server)
    told: list[str] = []
    waits = threading.Event()

    def tell(line: str) -> None:
        told.append(line)
        waits.set()

    with installing._changing_folder(home, lambda _: None):
        thread = threading.Thread(target=get_data_sets, args=("one",), kwargs={"tell": tell})
        thread.start()
        assert waits.wait(10)
    thread.join()
    assert told[0] == f"another errata changes {home}; waiting until it has ended"


def test_a_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)  # as on Windows
    (tmp_path / "gold.m2").write_bytes(ONE)
    assert add_data_set("one", tmp_path / "gold.m2").is_verified
    remove_data_set("one")
    assert list_installed() == {}


def test_what_a_killed_process_left_is_removed(server: Server, home: Path) -> None:
    serve_archive(server)
    (home / ".new-12345678").mkdir(parents=True)
    (home / ".new-12345678" / "one.m2").write_bytes(b"half")
    get_data_sets("one")
    assert not list(home.glob(".new-*"))


def test_a_full_disk_leaves_nothing_of_a_set(server: Server, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serve_archive(server)
    real = installing._write_stored

    def fill(path: Path, content: bytes) -> None:
        if path.name == "errata.json":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        real(path, content)

    monkeypatch.setattr(installing, "_write_stored", fill)
    with pytest.raises(RequestError, match=r"cannot be written: No space left on device"):
        get_data_sets("one")
    assert visible(home) == []
    assert not list(home.glob(".new-*"))
    monkeypatch.setattr(installing, "_write_stored", real)
    get_data_sets("one")
    assert len(server.requests) == 1  # what had arrived was kept


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RequestError, match=r"cannot be written: "):
        get_data_sets("one", folder=tmp_path / "file" / "home")


@pytest.mark.parametrize("change", [lambda text: text.replace(b"\n", b"\r\n"), lambda text: b"\xef\xbb\xbf" + text.rstrip(b"\n") + b"\n"])
@pytest.mark.parametrize("name", ["one.m2", "my gold.txt"])
def test_a_copy_with_other_line_ends_is_the_published_one(
    change: Callable[[bytes], bytes], name: str, sets: dict[str, DataSet], tmp_path: Path
) -> None:
    content = change(ONE.replace(b"\n\n", b"\n"))
    published = ONE.replace(b"\n\n", b"\n")
    member = Member("noalt/one.m2", checksum(published))
    object.__setattr__(sets["one"], "members", (member,))
    assert content != published
    (tmp_path / name).write_bytes(content)
    installed = add_data_set("one", tmp_path / name)
    assert (installed.is_verified, Path(installed.paths[0]).read_bytes(), Path(installed.paths[0]).name) == (True, published, "one.m2")


@pytest.mark.parametrize("kind", ["file", "folder", "archive", "gzip"])
def test_a_copy_is_recognised_by_its_checksum(kind: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    if kind == "folder":
        (copy / "deep").mkdir(parents=True)
        (copy / "deep" / "other name").write_bytes(ONE)
        (copy / "one.m2").write_bytes(TWO)
    else:
        copy.write_bytes({"file": ONE, "archive": make_zip({"a": ONE, "b": TWO}), "gzip": gzip.compress(ONE)}[kind])
    assert add_data_set("one", copy).is_verified
    assert read_data_set("one").fingerprint == errata.read(ONE.decode()).fingerprint


def test_another_copy_is_refused_or_taken_with_a_warning(tmp_path: Path, home: Path) -> None:
    (tmp_path / "gold.m2").write_bytes(TWO + ONE)
    found = checksum(TWO + ONE)
    expected = (
        f"gold.m2: not recognised as one: expected the SHA-256 {checksum(ONE)} of noalt/one.m2, found {found}; expected 1 sentence, found 2"
    )
    with pytest.raises(InputError, match=expected):
        add_data_set("one", tmp_path / "gold.m2")
    assert not home.exists()
    assert not add_data_set("one", tmp_path / "gold.m2", unverified=True).is_verified
    with pytest.warns(InputWarning, match=f"the data set one is not verified: expected the SHA-256 {checksum(ONE)}"):
        assert len(read_data_set("one")) == 2


def test_a_copy_that_is_another_set_is_named(tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_bytes(TWO)
    with pytest.raises(InputError, match=f"found {checksum(TWO)}, which is of two"):
        add_data_set("one", tmp_path / "gold.m2")


def test_what_is_no_gold_is_refused_even_unverified(tmp_path: Path, home: Path) -> None:
    (tmp_path / "one.m2").write_bytes(b"<html>")
    with pytest.raises(InputError, match=r"one.m2:1: "):
        add_data_set("one", tmp_path / "one.m2", unverified=True)
    assert not home.exists()


def test_a_set_without_checksums_is_taken_unverified_only(tmp_path: Path) -> None:
    (tmp_path / "closed.m2").write_bytes(ONE)
    with pytest.raises(InputError, match=r"the SHA-256 of m2/closed.m2 is not known; found "):
        add_data_set("closed", tmp_path)
    assert add_data_set("closed", tmp_path, unverified=True).doubts == (
        f"the SHA-256 of m2/closed.m2 is not known; found {checksum(ONE)}, which is of one",
    )


def test_files_that_are_missing_are_named(tmp_path: Path) -> None:
    (tmp_path / "dev.src").write_bytes(b"A cat sat .\n")
    with pytest.raises(InputError, match=r"not found: dev/dev.ref0, dev/dev.ref1; texts has 3 files"):
        add_data_set("texts", tmp_path)
    with pytest.raises(UsageError, match=r"no file of texts is given: dev.src, dev.ref0, dev.ref1"):
        add_data_set("texts", [])


def test_an_unverified_copy_is_replaced_by_a_verified_one(server: Server, tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_bytes(TWO)
    add_data_set("one", tmp_path / "gold.m2", unverified=True)
    serve_archive(server)
    assert get_data_sets("one")[0].is_verified
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_data_set("one")


def test_annotators_of_several_files_are_joined(tmp_path: Path) -> None:
    (tmp_path / "A1.m2").write_bytes(ONE)
    (tmp_path / "A2.m2").write_bytes(b"S A cat sat .\n\n")
    installed = add_data_set("joined", tmp_path, unverified=True)
    assert [Path(path).name for path in installed.paths] == ["joined.m2"]
    with pytest.warns(InputWarning, match=r"the SHA-256 of A2.m2 is not known"):
        corpus = read_data_set("joined")
    assert [(own.annotator, len(own.edits)) for own in corpus[0].annotations] == [("0", 1), ("1", 0)]
    (tmp_path / "A2.m2").write_bytes(b"S A dog sat .\n\n")
    with pytest.raises(MismatchError, match=r"A2.m2: sentence 1 is not that of A1.m2"):
        add_data_set("joined", tmp_path, unverified=True)
    (tmp_path / "A2.m2").write_bytes(b"S A cat sat .\n\nS More .\n\n")
    with pytest.raises(MismatchError, match=r"A2.m2: 2 sentences, expected 1 as in A1.m2"):
        add_data_set("joined", tmp_path, unverified=True)


def test_essays_with_references(tmp_path: Path, sets: dict[str, DataSet]) -> None:
    object.__setattr__(sets["closed"], "members", (Member("it-x-orig-dev.md"), Member("it-x-ref1-dev.md")))
    (tmp_path / "it-x-orig-dev.md").write_text("### essay_id = 1\nA cat sat. It slept.\n\n")
    (tmp_path / "it-x-ref1-dev.md").write_text("### essay_id = 1\nThe cat sat. It slept.\n\n")
    assert "expected 1 sentence, found 2" in add_data_set("closed", tmp_path, unverified=True).doubts
    with pytest.warns(InputWarning, match=r"not verified"):
        corpus = read_data_set("closed")
    assert [sentence.text for sentence in corpus] == ["A cat sat .", "It slept ."]


def test_a_folder_that_cannot_be_changed_is_named(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gold.m2").write_bytes(ONE)
    add_data_set("one", tmp_path / "gold.m2")

    def refuse(path: Path, _: Path) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(RequestError, match=r"home/one: cannot be written: Permission denied"):
        remove_data_set("one")
    assert visible(home) == ["one"]


def test_a_set_that_was_changed_is_not_read(tmp_path: Path, home: Path) -> None:
    (tmp_path / "gold.m2").write_bytes(ONE)
    add_data_set("one", tmp_path / "gold.m2")
    (home / "one" / "one.m2").write_bytes(TWO)
    with pytest.raises(InputError, match=r"one.m2: expected the SHA-256 .*, found .*: it was changed; errata data remove one removes it"):
        read_data_set("one")
    (home / "one" / "one.m2").unlink()
    with pytest.raises(InputError, match=r"one.m2: cannot be read: No such file"):
        locate_data_set("one")


@pytest.mark.parametrize(
    "record",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"files": {}, "doubts": [], "origin": ""}',
        '{"files": {"../x": ""}, "doubts": [], "origin": ""}',
        "[" * 100_000,
    ],
)
def test_a_damaged_record_is_named_and_can_be_removed(record: str, tmp_path: Path, home: Path) -> None:
    (tmp_path / "gold.m2").write_bytes(ONE)
    add_data_set("one", tmp_path / "gold.m2")
    (home / "one" / "errata.json").write_text(record)
    with pytest.raises(InputError, match=r"errata.json: damaged; errata data remove one removes the data set"):
        read_data_set("one")
    with pytest.warns(InputWarning, match=r"damaged"):
        assert list_installed() == {}
    remove_data_set("one")
    assert list_installed() == {}
    with pytest.raises(RequestError, match=r"one is not in"):
        remove_data_set("one")


def test_a_record_that_claims_what_was_not_published(tmp_path: Path, home: Path) -> None:
    """A folder may be shared, and a later version may know better."""
    (tmp_path / "gold.m2").write_bytes(ONE)
    add_data_set("one", tmp_path / "gold.m2")
    (home / "one" / "one.m2").write_bytes(TWO)
    (home / "one" / "errata.json").write_text(json.dumps({"files": {"one.m2": checksum(TWO)}, "doubts": [], "origin": "x"}))
    expected = f"expected the SHA-256 {checksum(ONE)} of one.m2, found {checksum(TWO)}"
    assert locate_data_set("one").doubts == (expected,)
    with pytest.warns(InputWarning, match=f"the data set one is not verified: {expected}"):
        read_data_set("one")


def test_a_record_says_where_a_set_comes_from(tmp_path: Path, home: Path) -> None:
    (tmp_path / "gold.m2").write_bytes(ONE)
    add_data_set("one", tmp_path / "gold.m2")
    record = json.loads((home / "one" / "errata.json").read_text())
    assert record == {"name": "one", "files": {"one.m2": checksum(ONE)}, "doubts": [], "origin": str(tmp_path / "gold.m2")}
