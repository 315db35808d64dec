"""Measures corpora of any length: time and memory from Parquet to evidence and from evidence to a score, on one core and on all.

The corpus repeats CoNLL-2014, or the example corpus if that is not there.  ``make soak`` goes up to ten million sentences.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
from pyarrow import parquet

from errata import read
from errata.formats.reading import _make_parallel_columns
from errata.scoring.engines import count_cores

from measuring import Row, show

_ROOT = Path(__file__).resolve().parent.parent
_DATA = Path(os.environ.get("ERRATA_DATA", _ROOT.parent / "shared" / "data"))
_ERRATA = str(Path(sys.executable).parent / "errata")
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
_SIZES = (1_000, 10_000, 100_000, 1_000_000)
_MORE = 10_000_000
_ROUNDS = 3


class _Used(NamedTuple):
    seconds: float
    processor: float
    """Seconds of all cores."""
    memory: int
    """Kilobytes of the process, at most."""


def _run(*arguments: str) -> _Used:
    """Run a command; the memory of each child is measured alone, because the largest of all would hide the others."""
    started = time.perf_counter()
    process = subprocess.Popen([_ERRATA, *arguments], env=_ENVIRONMENT, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"errata {' '.join(arguments)} failed")
    return _Used(time.perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss)


def _read_columns() -> dict[str, list[str]]:
    """Source, two references and two systems."""
    gold, folder = _DATA / "conll14" / "gold" / "official-2014.combined.m2", _DATA / "conll14" / "systems"
    names = ("AMU", "CUUI")
    if not gold.is_file():
        gold, folder, names = _ROOT / "examples" / "learner.m2", _ROOT / "examples" / "systems", ("eager", "cautious")
    columns = {name: list(texts) for name, texts in _make_parallel_columns(read(gold)).items()}
    for number, name in enumerate(names):
        columns[f"system{number}"] = (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return columns


def _write_corpus(path: Path, sentences: int) -> None:
    once = pa.table(_read_columns())
    together = pa.concat_tables([once] * max(1, 65_536 // len(once))).combine_chunks()
    with parquet.ParquetWriter(path, once.schema, compression="zstd", use_dictionary=False) as writer:
        for first in range(0, sentences, len(together)):
            writer.write_table(together.slice(0, sentences - first))


def _count(corpus: Path, folder: Path, *options: str, references: int = 1, systems: int = 1) -> _Used:
    shutil.rmtree(folder, ignore_errors=True)
    given = [word for number in range(references) for word in ("-r", f"{corpus}:ref{number}")]
    outputs = [f"system{number}={corpus}:system{number}" for number in range(systems)]
    return _run("evidence", f"{corpus}:src", *given, *outputs, "-o", str(folder), "-q", *options)


def measure_growth(folder: Path, sizes: tuple[int, ...]) -> None:
    """One reference and one system on one core; then the score with an interval."""
    rows: list[Row] = []
    for size in sizes:
        corpus, counts = folder / "corpus.parquet", folder / "counts"
        _write_corpus(corpus, size)
        made = _count(corpus, counts, "--jobs", "1")
        scored = _run("score", str(counts), "--confidence", "--replicates", "1000")
        disk = sum(path.stat().st_size for path in counts.rglob("*") if path.is_file())
        own: Row = (f"{made.seconds:.2f} s", f"{size / made.processor:,.0f}", f"{made.memory / 1024:.0f} MB", f"{disk / size:.1f}")
        rows.append((f"{size:,}", *own, f"{scored.seconds:.2f} s", f"{scored.memory / 1024:.0f} MB"))
    headings = ["sentences", "to evidence", "sentences a second and core", "memory", "bytes a sentence", "score and interval", "memory"]
    show("From Parquet to evidence, MaxMatch, one reference, one core (with start-up)", headings, rows)


def measure_cores(folder: Path, size: int) -> None:
    """Two references and two systems, with one job and with all cores, by every engine."""
    corpus, counts = folder / "corpus.parquet", folder / "counts"
    _write_corpus(corpus, size)
    cores = count_cores()
    start = min(_run("evidence", "--help").seconds for _ in range(_ROUNDS))
    hows = {"one core": ["--jobs", "1"], "threads": ["--engine", "threads"], "processes": ["--engine", "processes"]}
    seconds = {}
    for how, options in hows.items():
        seconds[how] = min(_count(corpus, counts, *options, references=2, systems=2).seconds for _ in range(_ROUNDS))
    rows: list[Row] = []
    for how, own in seconds.items():
        times = seconds["one core"] / own
        share = "" if how == "one core" else f"{times / cores:.2f}"
        rows.append((how, f"{own:.2f} s", f"{2 * size / own:,.0f}", f"{times:.2f}", share))
    title = f"{size:,} sentences, two references, two systems, {cores} cores (start-up of {start:.2f} s included)"
    show(title, ["how", "seconds", "sentences a second", "times as fast", "share of linear"], rows)


def measure_inputs(folder: Path, size: int) -> None:
    """The same corpus as Parquet, text, and compressed text, on one core."""
    corpus, counts = folder / "corpus.parquet", folder / "counts"
    _write_corpus(corpus, size)
    table = parquet.read_table(corpus)
    rows: list[Row] = [("Parquet", f"{_count(corpus, counts, '--jobs', '1').seconds:.2f} s")]
    for name, ending, codec in (("text", "", None), ("gzip", ".gz", "gzip"), ("zstd", ".zst", "zstd")):
        paths = {column: folder / f"{column}.txt{ending}" for column in ("src", "ref0", "system0")}
        for column, path in paths.items():
            content = "".join(f"{text}\n" for text in table.column(column).to_pylist()).encode("utf-8")
            with pa.output_stream(str(path), compression=codec) as file:
                file.write(content)
        shutil.rmtree(counts, ignore_errors=True)
        texts = (str(paths["src"]), "-r", str(paths["ref0"]), str(paths["system0"]))
        rows.append((name, f"{_run('evidence', *texts, '-o', str(counts), '-q', '--jobs', '1').seconds:.2f} s"))
    show(f"{size:,} sentences from other formats", ["input", "to evidence"], rows)


def measure(*, thorough: bool = False) -> None:
    """Print all tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure_growth(folder, (*_SIZES, _MORE) if thorough else _SIZES)
        measure_cores(folder, 1_000_000 if thorough else 400_000)
        measure_inputs(folder, 200_000)


if __name__ == "__main__":
    measure(thorough="--thorough" in sys.argv)
