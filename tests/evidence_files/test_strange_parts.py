"""Manifests and parts that nobody of good will makes: they are refused, in little time and memory."""

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from errata.cli import main
from errata.scoring.evidence_files import storage
from errata.scoring.evidence_files.storage import name_part_file
from errata.settings import BLOCK_SIZE

from evidence_folders import LongCorpus


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus, folder = LongCorpus(tmp_path_factory.mktemp("corpus"), BLOCK_SIZE + 10), tmp_path_factory.mktemp("whole") / "counts"
    assert main(["evidence", *corpus.texts("eager"), "-o", str(folder), "--part-size", str(BLOCK_SIZE), "-q"]) == 0
    return folder


def refuse(folder: Path, capsys: pytest.CaptureFixture[str], status: int = 2) -> str:
    assert main(["score", str(folder)]) == status
    return capsys.readouterr().err


def change_manifest(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    change(manifest)
    path.write_text(json.dumps(manifest), encoding="utf-8")


def change_part(folder: Path, change: Callable[[pa.Table], pa.Table], **how: Any) -> str:
    """Replace the first part by a changed one, under the name that it should have; return the name."""
    old = next((folder / "maxmatch" / "eager").glob("part-000000-*"))
    table = parquet.read_table(old)
    changed, sink = change(table), io.BytesIO()
    parquet.write_table(changed.replace_schema_metadata(table.schema.metadata), sink, **how)
    name = name_part_file(0, sink.getvalue())
    old.unlink()
    (old.parent / name).write_bytes(sink.getvalue())
    path = folder / "manifest.json"
    path.write_text(path.read_text(encoding="utf-8").replace(old.name, name), encoding="utf-8")
    return name


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data["gold"].update(sentences=10**10), "expected 9,765,625 parts, found 2"),
        (lambda data: data["gold"].update(sentences=10**300), "must be whole numbers from 1 to"),
        (lambda data: data.update(part_size=0), "must be whole numbers from 1 to"),
        (lambda data: data["gold"].update(fingerprint="nothex"), "its parts are of another gold: sha256 "),
        (lambda data: data["gold"].update(annotators=["5"]), "its parts are of another gold: sha256 "),
        (lambda data: data["evidence"][0].update(version="9.9"), "it belongs to other evidence: expected version '9.9'"),
        (lambda data: data["evidence"][0].update(system_data="x"), "it belongs to other evidence: expected system_data 'x'"),
        (lambda data: data["evidence"][0]["parts"].reverse(), "is not the part that is expected in its place"),
        (lambda data: data["evidence"][0].update(metric="nosuch"), "nosuch"),
        (lambda data: data["evidence"][0].pop("parts"), "parts must be a list, found NoneType"),
    ],
)
def test_a_false_manifest(
    change: Callable[[dict[str, Any]], None], reason: str, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shutil.copytree(whole, tmp_path / "counts")
    change_manifest(folder, change)
    assert reason in refuse(folder, capsys)


def test_a_manifest_without_evidence(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shutil.copytree(whole, tmp_path / "counts")
    change_manifest(folder, lambda data: data["evidence"].clear())
    assert "it has no evidence" in refuse(folder, capsys, 1)


def replace(name: str, values: Any) -> Callable[[pa.Table], pa.Table]:
    return lambda table: table.set_column(table.column_names.index(name), name, values(table))


@pytest.mark.parametrize(
    ("change", "how", "reason"),
    [
        (replace("correct", lambda table: pa.array([-1] * len(table))), {}, "counts must be from 0 to 281,474,976,710,656, found -1 to"),
        (replace("gold", lambda table: pa.array([1 << 62] * len(table))), {}, "counts must be from 0 to"),
        (replace("gold", lambda table: pa.array([0.5] * len(table))), {}, "gold: expected int64, found double"),
        (replace("gold", lambda table: pa.array([None] * len(table), pa.int64())), {}, "gold: expected whole numbers, found gaps"),
        (replace("reference", lambda table: table["reference"].cast(pa.string())), {}, "reference: expected dictionary"),
        (
            replace("sentence", lambda table: pa.array(range(len(table)))),
            {},
            "expected the sentences from 1 on, each once or more, in order",
        ),
        (lambda table: table.slice(2), {}, "expected the sentences from 1 on"),
        (lambda table: table.slice(0, 5), {}, "expected a row or more for 1,024 sentences"),
        (lambda table: table.drop_columns(["gold"]), {}, "expected the columns sentence, reference, correct, proposed, gold"),
        (lambda table: table, {"row_group_size": 100}, "expected one row group"),
        (
            replace("reference", lambda table: pa.array(["x" * 1000] * len(table)).dictionary_encode()),
            {"use_dictionary": False, "compression": "zstd"},
            "bytes after decompression, more than the limit of 1,000,000",
        ),
    ],
)
def test_a_false_part(
    change: Callable[[pa.Table], pa.Table],
    how: dict[str, Any],
    reason: str,
    whole: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(storage, "_MOST_BYTES", 1_000_000)
    folder = shutil.copytree(whole, tmp_path / "counts")
    name = change_part(folder, change, **how)
    message = refuse(folder, capsys)
    assert name in message
    assert reason in message
