"""Evidence that is being written when its program, or a worker, is killed; ``ERRATA_SOAK=1`` (make soak) does it many times."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from errata.scoring.evidence_files.storage import parse_part_name
from errata.settings import BLOCK_SIZE

from evidence_folders import NAMES, LongCorpus, read_folder

SOAK = bool(os.environ.get("ERRATA_SOAK"))
KILLS = 50 if SOAK else 4
WORKER_KILLS = 20 if SOAK else 2
LONG = (60 if SOAK else 12) * BLOCK_SIZE + 300

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> LongCorpus:
    return LongCorpus(tmp_path_factory.mktemp("corpus"), LONG)


def command(corpus: LongCorpus, folder: Path, *options: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "errata",
        "evidence",
        *corpus.columns(),
        "-o",
        str(folder),
        "--part-size",
        str(BLOCK_SIZE),
        "-q",
        *options,
    ]


@pytest.fixture(scope="module")
def whole(corpus: LongCorpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "counts"
    subprocess.run(command(corpus, folder, "--jobs", "1"), check=True)
    return folder


def list_parts(folder: Path) -> dict[Path, int]:
    """The whole parts of a folder, and when each was written."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet") if parse_part_name(path.name) is not None}


def list_workers(parent: int) -> list[int]:
    """The workers of a cluster on this machine, which are children of the program."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            above = int((path / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            words = (path / "cmdline").read_bytes()
        except (OSError, IndexError):
            continue
        if above == parent and b"spawn_main" in words:
            found.append(int(path.name))
    return found


@pytest.mark.parametrize("how", [["--jobs", "2"], ["--engine", "processes", "--jobs", "2"]])
def test_a_killed_program_goes_on(how: list[str], corpus: LongCorpus, whole: Path, tmp_path: Path) -> None:
    draw = random.Random(7)
    expected, everything = read_folder(whole), len(list_parts(whole))
    kills = number = 0
    while kills < KILLS // 2:
        folder = tmp_path / f"counts{number}"
        number += 1
        while kills < KILLS // 2 and len(list_parts(folder)) < everything:
            before = list_parts(folder)
            goal = draw.randint(len(before), everything)
            process = subprocess.Popen(command(corpus, folder, *how))
            while process.poll() is None and len(list_parts(folder)) < goal:
                time.sleep(0.002)
            time.sleep(draw.uniform(0, 0.05))
            process.kill()
            kills += process.wait() == -signal.SIGKILL
            assert before.items() <= list_parts(folder).items()  # nothing that was whole is written twice
            assert not (folder / "manifest.json").exists() or read_folder(folder) == expected
        before = list_parts(folder)
        subprocess.run(command(corpus, folder, *how), check=True)
        assert before.items() <= list_parts(folder).items()
        assert read_folder(folder) == expected


LOGGING = """
import os, sys
from errata.cli import main
from errata.scoring import engines as threads, workers

log, run = os.open(sys.argv.pop(1), os.O_WRONLY | os.O_CREAT | os.O_APPEND), threads.run_in_threads

def run_and_log(do, *arguments, **settings):
    def do_and_log(task):
        os.write(log, b".")
        return do(task)

    return run(do_and_log, *arguments, **settings)

threads.run_in_threads = workers.run_in_threads = run_and_log
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("engine", ["threads", "processes"])
def test_a_kill_costs_one_part_of_each_worker(engine: str, corpus: LongCorpus, tmp_path: Path) -> None:
    draw = random.Random(9)
    for number in range(KILLS // 2):
        folder, log = tmp_path / f"counts{number}", tmp_path / f"log{number}"
        given = command(corpus, folder, "--engine", engine, "--jobs", "2")[3:]
        process = subprocess.Popen([sys.executable, "-c", LOGGING, str(log), *given])
        goal = draw.randint(1, LONG // BLOCK_SIZE)
        while process.poll() is None and len(list_parts(folder)) < goal * len(NAMES):
            time.sleep(0.002)
        process.kill()
        process.wait()
        begun = log.stat().st_size
        written = len(list((folder / "maxmatch" / NAMES[-1]).glob("part-*.parquet")))
        assert written <= begun <= written + 2


def test_killed_workers_of_a_cluster_cost_only_time(corpus: LongCorpus, whole: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    draw = random.Random(8)
    kills = number = 0
    while kills < WORKER_KILLS:
        folder = tmp_path / f"counts{number}"
        number += 1
        process = subprocess.Popen(command(corpus, folder, "--engine", "dask", "--jobs", "2"))
        while process.poll() is None and kills < WORKER_KILLS:
            time.sleep(draw.uniform(0.05, 0.6))
            workers = list_workers(process.pid) if list_parts(folder) else []
            if workers and process.poll() is None:
                os.kill(draw.choice(workers), signal.SIGKILL)
                kills += 1
        assert process.wait() == 0
        assert read_folder(folder) == read_folder(whole)
