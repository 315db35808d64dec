"""Systems that are scored by several processes: everything is as without them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from counting_metric import CALLER, Counting
from errata import Corpus, Evaluator, Sentence, System, read, read_system
from errata.cli import main
from errata.errors import UsageError
from errata.scoring import evaluate_many, evaluator
from errata.scoring.workers import ProcessEngine

from engine_work import is_running
from thoroughness import some

AT_ONCE = evaluator._StartPolicy(before_start=0, start=-1, per_sentence=0, part=0, least_share=0)
GOLD, SYSTEMS = "examples/learner.m2", [f"examples/systems/{name}.txt" for name in ("cautious", "eager", "rewriter")]
METRICS = [
    "maxmatch",
    "maxmatch(references=mix)",
    "maxmatch(ignore_case_and_space=true)",
    "imeasure",
    "gleu",
    "hoo",
    "accuracy",
    "indexmatch",
]
NUMBER = 300
CORPUS = Corpus(tuple(Sentence.of(f"Cat {number}") for number in range(NUMBER)), path="cats.m2")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Processes are started at once; the list has the jobs of each start."""
    begun: list[int] = []
    run = ProcessEngine.run

    def count_starts(self: ProcessEngine, *rest: object) -> object:
        begun.append(self.jobs)
        return run(self, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(evaluator, "_START", AT_ONCE)
    monkeypatch.setattr(ProcessEngine, "run", count_starts)
    monkeypatch.setenv(CALLER, str(os.getpid()))
    return begun


def make_systems(words: dict[int, str], *more: dict[int, str]) -> list[System]:
    """Systems whose sentences are their numbers, or a given word."""
    return [
        System.of(f"system {name}", [own.get(number, f"{number} {name}") for number in range(NUMBER)])
        for name, own in enumerate((words, *more), start=1)
    ]


@pytest.mark.parametrize("metric", METRICS)
def test_rows_labels_and_values_are_the_same(metric: str, gold: Corpus, systems: dict[str, System], started: list[int]) -> None:
    corpus = Corpus(gold.sentences * 3, gold.name)
    outputs = [System(system.name, system.sentences * 3) for system in systems.values()]
    evaluate = Evaluator(corpus, metric)
    done: list[int] = []
    scores = list(evaluate_many(evaluate, outputs, 2, done.append))
    assert [(score.evidence, score.value, score.system) for score in scores] == [
        (score.evidence, score.value, score.system) for score in map(evaluate, outputs)
    ]
    assert started == [2]
    assert sum(done) == 3 * len(corpus)


@pytest.mark.realdata
@pytest.mark.slow
@pytest.mark.parametrize("metric", ["maxmatch", "gleu"])
def test_systems_of_a_shared_task(metric: str, data: Path, started: list[int]) -> None:
    corpus = read(data / "conll14/gold/official-2014.combined.m2")
    outputs = [read_system(path) for path in sorted((data / "conll14").glob("[sm]*/*.txt"))]
    assert len(outputs) == 12
    evaluate = Evaluator(corpus, metric)
    assert [score.evidence for score in evaluate_many(evaluate, outputs, 2)] == [evaluate(output).evidence for output in outputs]
    assert started == [2]


@pytest.mark.slow
def test_json_is_the_same_for_any_number_of_jobs(started: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    names = [name for name in METRICS if "(" not in name]
    arguments = ["score", GOLD, *SYSTEMS, *(word for name in names for word in ("-m", name)), "--format", "json"]
    printed = []
    several = some((2, 8), 1)
    for jobs in (1, *several):
        assert main([*arguments, "--jobs", str(jobs)]) == 0
        printed.append(capsys.readouterr())
    assert all(other == printed[0] for other in printed[1:])
    assert started == [jobs for jobs in several for _ in names]


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "examples/errant/gold.m2", "examples/errant/eager.m2", "-m", "errant"],
        [
            "score",
            "examples/graphs/learner.m2",
            "examples/graphs/bold.txt",
            "-m",
            "uccasim",
            "-m",
            "distsim",
            "--graphs",
            "examples/graphs",
        ],
    ],
)
def test_metrics_with_other_data_start_no_process(arguments: list[str], started: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for jobs in ("1", "8"):
        assert main([*arguments, "--format", "json", "--jobs", jobs]) == 0
        printed.append(capsys.readouterr())
    assert printed[0] == printed[1]
    assert started == []


@pytest.mark.parametrize(
    ("command", "options", "ending"),
    [
        (["compare"], ["--format", "json"], ""),
        (["compare"], ["--against-source", "-m", "imeasure", "--format", "json"], ""),
        (["correlate"], ["-m", "maxmatch", "-m", "gleu", "--format", "json"], ""),
        (["score"], ["--by-type", "--tagger", "none", "--format", "json"], ""),
        (["inspect"], ["--digest", "--format", "json"], ""),
        (["chart", "precision-recall"], [], ".svg"),
        (["report"], ["-m", "gleu"], ".html"),
    ],
)
def test_every_command_that_scores_takes_jobs(
    command: list[str], options: list[str], ending: str, started: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = []
    file = tmp_path / f"out{ending}"
    for jobs in ("1", "2"):
        output = ["-o", str(file)] if ending else []
        assert main([*command, GOLD, *SYSTEMS, *options, *output, "--jobs", jobs]) == 0
        content = file.read_text(encoding="utf-8") if ending else ""
        written.append((capsys.readouterr(), content.partition("<dt>Command</dt>")[0]))  # a page has the command, and data of it
        assert (jobs == "1") == (not started)
    assert written[0] == written[1]


def test_a_task_takes_jobs(started: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = tmp_path / "task.toml"
    names = ", ".join(f'"{Path(path).resolve()}"' for path in SYSTEMS)
    task.write_text(f'gold = "{Path(GOLD).resolve()}"\nsystems = [{names}]\ntagger = "none"\n', encoding="utf-8")
    written = []
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        assert main(["task", "run", str(task), "--allow-outside", "-o", str(folder), "--jobs", jobs]) == 0
        written.append({path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".html"})  # a page has the command
        assert "rewriter" in capsys.readouterr().out
    assert written[0] == written[1]
    assert set(started) == {2}


def fails(action: Callable[[], object]) -> tuple[type[BaseException], str, list[str]]:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - what it is, is compared
        action()
    return caught.type, str(caught.value), getattr(caught.value, "__notes__", [])


@pytest.mark.parametrize(
    "words",
    [
        ({}, {200: "!fail"}, {10: "!fail", 20: "!odd"}),
        ({}, {299: "!odd"}, {10: "!fail"}),
        ({250: "!odd", 260: "!fail"}, {1: "!fail"}),
    ],
)
def test_the_error_is_that_of_the_first_sentence_that_fails(words: tuple[dict[int, str], ...], started: list[int]) -> None:
    outputs, evaluate = make_systems(*words), Evaluator(CORPUS, Counting())
    outputs[-1] = System.of("short", ["too short"]) if len(words) == 2 else outputs[-1]
    there, here = (fails(lambda jobs=jobs: list(evaluate_many(evaluate, outputs, jobs))) for jobs in (3, 1))  # type: ignore[misc]
    assert there == here == fails(lambda: [evaluate(system) for system in outputs])
    assert started == [3]


def test_scores_before_an_error_are_given(started: list[int]) -> None:
    outputs, evaluate = [*make_systems({}, {}), System.of("short", ["too short"])], Evaluator(CORPUS, Counting())
    results = evaluate_many(evaluate, outputs, 2)
    assert [next(results).value, next(results).value] == [600.0, 600.0]
    assert fails(lambda: next(results)) == fails(lambda: evaluate(outputs[2]))
    assert started == [2]


def test_a_worker_that_is_killed_changes_nothing(started: list[int]) -> None:
    """Its part is tried by other processes, all die, and it is counted here."""
    outputs, evaluate = make_systems({5: "!die"}, {}), Evaluator(CORPUS, Counting())
    assert [score.value for score in evaluate_many(evaluate, outputs, 2)] == [599.0, 600.0]
    assert started == [2]


def test_a_metric_that_cannot_be_sent_is_counted_here(started: list[int]) -> None:
    class Local(Counting):
        """Other processes cannot find it."""

    assert [score.value for score in evaluate_many(Evaluator(CORPUS, Local()), make_systems({}, {}), 2)] == [600.0, 600.0]
    assert started == [2]


def test_short_work_starts_no_process(started: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluator, "_START", evaluator._StartPolicy())
    list(evaluate_many(Evaluator(CORPUS, Counting()), make_systems({}, {}), 8))
    monkeypatch.setattr(evaluator, "_START", AT_ONCE)
    list(evaluate_many(Evaluator(CORPUS, Counting()), make_systems({}, {}), 1))
    assert started == []


@pytest.mark.parametrize(
    ("seconds", "busy", "left", "jobs", "worth"),
    [
        (0.4, 0.4, 10**6, 2, False),  # too early to say
        (0.6, 0.6, 100, 2, False),  # almost done
        (0.6, 0.6, 10_000, 2, True),  # 60 seconds are left
        (0.6, 0.3, 10_000, 2, False),  # other work has half the core
        (0.6, 0.6, 150, 2, False),
        (0.6, 0.6, 150, 64, True),
    ],
)
def test_when_processes_are_worth_it(seconds: float, busy: float, left: int, jobs: int, *, worth: bool) -> None:
    helpers = evaluator._Helpers(Evaluator(CORPUS, Counting()), [], jobs)
    helpers._seconds, helpers._busy, helpers._sentences, helpers._left = seconds, busy, 100, left
    assert helpers._is_worth_it(2_000) == worth


def test_jobs_must_be_positive() -> None:
    with pytest.raises(UsageError, match="jobs must be a whole number from 1, found 0"):
        list(evaluate_many(Evaluator(CORPUS, Counting()), [], 0))


COMMAND = """
import sys
from errata.cli.process import run_process
from errata.scoring import evaluator
evaluator._START = evaluator._StartPolicy(before_start=0, start=-1, per_sentence=0, part=0, least_share=0)
sys.exit(run_process())
"""


def test_an_interrupt_ends_a_command_and_its_processes(tmp_path: Path) -> None:
    times = 60
    (tmp_path / "gold.m2").write_text(_repeat(GOLD, times), encoding="utf-8")
    outputs = [tmp_path / f"{number}.txt" for number in range(8)]
    for path in outputs:
        path.write_text(_repeat(SYSTEMS[1], times), encoding="utf-8")
    command = [sys.executable, "-c", COMMAND, "score", str(tmp_path / "gold.m2"), *map(str, outputs), "-m", "hoo", "--jobs", "2"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        while len(children := _list_children(running.pid)) < 2:
            assert running.poll() is None
            time.sleep(0.02)
        os.killpg(running.pid, signal.SIGINT)  # as Ctrl-C does
        assert running.communicate(timeout=60) == ("", "errata: interrupted\n")
    finally:
        running.kill()
    assert running.returncode == 130
    end = time.monotonic() + 20
    while any(map(is_running, children)) and time.monotonic() < end:
        time.sleep(0.02)
    assert not any(map(is_running, children))


def _repeat(path: str, times: int) -> str:
    return Path(path).read_text(encoding="utf-8") * times


def _list_children(process: int) -> list[int]:
    """The processes that the threads of a process have started."""
    listed: list[int] = []
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # the thread has ended
            listed += map(int, path.read_text(encoding="ascii").split())
    return listed
