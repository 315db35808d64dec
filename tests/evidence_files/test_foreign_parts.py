"""Parts that a command finds in its folder and did not make: they are used only if it would make the same ones, and never lost."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from errata.cli import main
from errata.errors import RequestError
from errata.scoring.evidence_files import FolderStorage
from errata.scoring.evidence_files.storage import name_part_file
from errata.settings import BLOCK_SIZE

from evidence_folders import LongCorpus, read_folder

SIZE = ["--part-size", str(BLOCK_SIZE), "--jobs", "1"]
OTHER = "maxmatch(max_unchanged=0)"
Run = Callable[..., str]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> LongCorpus:
    return LongCorpus(tmp_path_factory.mktemp("corpus"), BLOCK_SIZE + 10)


@pytest.fixture(scope="module")
def whole(corpus: LongCorpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "counts"
    assert main(["evidence", *corpus.texts("eager"), "-o", str(folder), *SIZE, "-q"]) == 0
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy of evidence that may be changed."""
    return shutil.copytree(whole, tmp_path / "counts")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str, status: int = 0) -> str:
        found = main(list(arguments))
        printed = capsys.readouterr()
        assert found == status, printed.err
        return printed.out + printed.err

    return run


def find_part(folder: Path, number: int = 0) -> Path:
    return next((folder / "maxmatch" / "eager").glob(f"part-{number:06d}-*"))


def change_layout(part: Path, layout: int) -> Path:
    """Rewrite a part as a later errata might, under the name that it should have."""
    table = parquet.read_table(part)
    record = json.loads(table.schema.metadata[b"errata"]) | {"layout": layout}
    sink = pa.BufferOutputStream()
    parquet.write_table(table.replace_schema_metadata({b"errata": json.dumps(record).encode()}), sink)
    content = bytes(sink.getvalue())
    part.unlink()
    changed = part.with_name(name_part_file(0, content))
    changed.write_bytes(content)
    return changed


def test_parts_of_another_metric_are_refused(corpus: LongCorpus, whole: Path, run: Run, tmp_path: Path) -> None:
    shutil.copytree(whole / "maxmatch", tmp_path / "counts" / OTHER)
    message = run("evidence", *corpus.texts("eager"), "-o", str(tmp_path / "counts"), *SIZE, "-m", OTHER, status=1)
    assert f"{OTHER}/eager/part-000000-" in message
    assert "there is evidence of eager with other data: maxmatch(beta=0.5,max_unchanged=2," in message
    assert "; found maxmatch(beta=0.5,max_unchanged=0," in message


def test_parts_of_another_metric_are_refused_without_a_kernel(corpus: LongCorpus, run: Run, tmp_path: Path) -> None:
    given = [*corpus.texts("eager"), *SIZE]
    run("evidence", *given, "-o", str(tmp_path / "one"), "-m", "gleu")
    shutil.copytree(tmp_path / "one" / "gleu", tmp_path / "other" / "gleu(order=2)")
    assert "there is evidence of eager with other data" in run(
        "evidence", *given, "-o", str(tmp_path / "other"), "-m", "gleu(order=2)", status=1
    )
    before = read_folder(tmp_path / "one")
    (tmp_path / "one" / "manifest.json").unlink()
    run("evidence", *given, "-o", str(tmp_path / "one"), "-m", "gleu")  # its own parts are taken
    assert read_folder(tmp_path / "one") == before


def test_a_manifest_that_gives_parts_to_another_metric_is_refused(folder: Path, run: Run) -> None:
    (folder / "maxmatch").rename(folder / OTHER)
    manifest = (folder / "manifest.json").read_text(encoding="utf-8")
    (folder / "manifest.json").write_text(manifest.replace('"metric": "maxmatch"', f'"metric": "{OTHER}"'), encoding="utf-8")
    message = run("score", str(folder), status=2)
    assert "expected evidence of maxmatch(beta=0.5,max_unchanged=0," in message
    assert ", found maxmatch(beta=0.5,max_unchanged=2," in message


def test_parts_of_another_system_are_refused(corpus: LongCorpus, folder: Path, run: Run) -> None:
    (folder / "maxmatch" / "eager").rename(folder / "maxmatch" / "twin")
    (folder / "manifest.json").unlink()
    given = [*corpus.texts("eager")[:-1], f"twin={corpus.path('eager.txt')}"]
    message = run("evidence", *given, "-o", str(folder), *SIZE, status=1)
    assert "maxmatch/twin/part-000000-" in message
    assert "it is a part of the system 'eager', not of 'twin'; remove it" in message


def test_a_part_of_another_output_is_named(corpus: LongCorpus, folder: Path, run: Run) -> None:
    part = find_part(folder)
    given = [*corpus.texts("eager")[:-1], f"eager={corpus.path('cautious.txt')}"]
    message = run("evidence", *given, "-o", str(folder), *SIZE, status=1)
    assert f"{part}: there is evidence of another output of eager, or of another gold, with maxmatch" in message


@pytest.mark.parametrize("other", ["cautious", "rewriter"])
def test_two_files_of_a_part_need_a_manifest(other: str, corpus: LongCorpus, whole: Path, folder: Path, run: Run, tmp_path: Path) -> None:
    run("evidence", *corpus.texts(other), "-o", str(tmp_path / "other"), *SIZE)
    foreign = next((tmp_path / "other" / "maxmatch" / other).glob("part-000000-*"))
    shutil.copy(foreign, find_part(folder).parent)
    run("evidence", *corpus.texts("eager"), "-o", str(folder), *SIZE)
    assert (folder / "manifest.json").read_bytes() == (whole / "manifest.json").read_bytes()
    (folder / "manifest.json").unlink()
    message = run("evidence", *corpus.texts("eager"), "-o", str(folder), *SIZE, status=1)
    assert find_part(whole).name in message
    assert foreign.name in message
    assert "both are part 0; remove the one that does not belong there" in message


def test_a_part_of_a_later_layout_is_kept(corpus: LongCorpus, folder: Path, run: Run) -> None:
    (folder / "manifest.json").unlink()
    changed = change_layout(find_part(folder), 2)
    message = run("evidence", *corpus.texts("eager"), "-o", str(folder), *SIZE, status=2)
    assert f"{changed}: its metadata cannot be read: expected layout 1, found 2; it was made by another version of errata" in message
    assert changed.exists()


def test_a_part_that_cannot_be_read_is_kept(corpus: LongCorpus, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    part, read = find_part(folder), Path.read_bytes

    def fail(path: Path) -> bytes:
        if path == part:
            raise PermissionError(13, os.strerror(13))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", fail)
    message = run("evidence", *corpus.texts("eager"), "-o", str(folder), *SIZE, status=2)
    assert f"{part}: cannot be read: Permission denied" in message
    assert part.exists()


def test_two_commands_may_remove_a_damaged_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    storage = FolderStorage(tmp_path)
    (tmp_path / "damaged").touch()
    storage.remove("", "damaged")
    storage.remove("", "damaged")

    def fail(*_: object, **__: object) -> None:
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr(Path, "unlink", fail)
    with pytest.raises(RequestError, match="damaged: cannot be removed: Permission denied"):
        storage.remove("", "damaged")


def test_a_part_that_another_command_removes_is_counted(
    corpus: LongCorpus, whole: Path, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    part, read = find_part(folder), FolderStorage.read

    def remove_first(storage: FolderStorage, place: str, name: str) -> bytes:
        if name == part.name:
            part.unlink(missing_ok=True)
        return read(storage, place, name)

    monkeypatch.setattr(FolderStorage, "read", remove_first)
    run("evidence", *corpus.texts("eager"), "-o", str(folder), *SIZE)
    assert read_folder(folder) == read_folder(whole)
