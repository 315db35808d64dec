"""The table of data sets."""

from __future__ import annotations

import re
import sys
from pathlib import Path, PurePosixPath

import pytest

from errata import UsageError, read, read_data_set
from errata.formats import DataSet, add_data_set, find_data_folder, find_data_set, list_data_sets
from errata.formats.installing import _check_address

SETS = list_data_sets()
PUBLIC = {
    "conll13": "conll13/original/data/official-preprocessed.m2",
    "conll13-5types": "conll13/original",
    "conll13-revised": "conll13",
    "conll13-revised-5types": "conll13",
    "conll13-alt": "conll13/revised/data_5types",
    "conll14": "conll14/gold/official-2014.combined.m2",
    "conll14-0": "conll14",
    "conll14-1": "conll14/gold",
    "conll14-alt": "conll14/gold",
    "jfleg-dev": "jfleg",
}
"""Where the published files are among the public data."""


@pytest.mark.parametrize("item", SETS.values(), ids=SETS)
def test_an_entry_is_well_formed(item: DataSet) -> None:
    release = item.release
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", item.name)
    assert item.name not in {"merge", "help"}
    assert len({member.name for member in item.members}) == len(item.members)
    for member in item.members:
        assert re.fullmatch(r"([0-9a-f]{64})?", member.sha256)
        assert not PurePosixPath(member.path).is_absolute()
    assert re.fullmatch(r"([0-9a-f]{64})?", release.archive_sha256)
    assert re.fullmatch(r"([0-9a-f]{12})?", item.fingerprint)
    for address in (release.home, release.url, release.archive, release.files):
        assert not address or _check_address(address)
    assert release.how or item.is_downloadable
    assert not item.is_downloadable or item.is_verifiable
    assert release.bibtex.startswith("@inproceedings{")
    assert 2000 < release.year < 2030
    assert item.language not in {"", "several"}


def test_checksums_and_names_are_of_one_set_each() -> None:
    checksums = [member.sha256 for item in SETS.values() for member in item.members if member.sha256]
    assert len(set(checksums)) == len(checksums)
    assert len({name.replace("-", "") for name in SETS}) == len(SETS)


@pytest.mark.realdata
@pytest.mark.parametrize("name", PUBLIC)
def test_public_data_are_what_the_table_says(name: str, data: Path, tmp_path: Path) -> None:
    item = find_data_set(name)
    assert add_data_set(name, data / PUBLIC[name], folder=tmp_path).is_verified
    corpus = read_data_set(name, folder=tmp_path)
    assert (len(corpus), len(corpus.annotators), corpus.fingerprint) == (item.sentences, item.annotators, item.fingerprint)


@pytest.mark.realdata
def test_the_ten_annotators_are_joined(data: Path, tmp_path: Path) -> None:
    """Two of them are public here; the others are copies, which is noticed."""
    folder = data / "conll14" / "annotators"
    for number in range(1, 11):
        copied = folder / f"A{number if number in {7, 10} else 10}.m2"
        (tmp_path / f"A{number}.m2").write_bytes(copied.read_bytes())
    installed = add_data_set("conll14-ten", tmp_path, unverified=True, folder=tmp_path / "home")
    assert len(installed.doubts) == 8
    with pytest.warns(UserWarning, match="the SHA-256 of A1.m2 is not known"):
        corpus = read_data_set("conll14-ten", folder=tmp_path / "home")
    assert (len(corpus), len(corpus.annotators)) == (1312, 10)
    seventh, tenth = read(folder / "A7.m2"), read(folder / "A10.m2")
    for sentence, of_seventh, of_tenth in zip(corpus, seventh, tenth, strict=True):
        own = {annotation.annotator: annotation.edits for annotation in sentence.annotations}
        assert own["6"] == (of_seventh.annotations[0].edits if of_seventh.annotations else ())
        assert own["9"] == (of_tenth.annotations[0].edits if of_tenth.annotations else ())


def test_the_folder_is_that_of_the_user_unless_another_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("ERRATA_DATA_FOLDER", raising=False)
    monkeypatch.setenv("HOME", "/home/jane")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert find_data_folder() == Path("/home/jane/.local/share/errata/data")
    monkeypatch.setenv("XDG_DATA_HOME", "/data/of/jane")
    assert find_data_folder() == Path("/data/of/jane/errata/data")
    monkeypatch.setattr("sys.platform", "darwin")
    assert find_data_folder() == Path("/home/jane/Library/Application Support/errata/data")
    monkeypatch.setenv("ERRATA_DATA_FOLDER", "~/sets")
    assert find_data_folder() == Path("/home/jane/sets")
    assert find_data_folder(tmp_path) == tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="users have another home there")
def test_a_user_without_a_home_names_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import pwd

    def find_nobody(number: int) -> None:
        raise KeyError(number)

    for name in ("HOME", "XDG_DATA_HOME", "ERRATA_DATA_FOLDER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", find_nobody)
    with pytest.raises(UsageError, match="this user has no home folder, so data sets need another: --data-folder"):
        find_data_folder()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert find_data_folder() == tmp_path / "errata" / "data"


@pytest.mark.parametrize("folder", ["", 3, b"x", "a\0b", "\ud800"])
def test_a_folder_that_is_none(folder: object) -> None:
    with pytest.raises(UsageError, match="expected"):
        find_data_folder(folder)  # type: ignore[arg-type]
