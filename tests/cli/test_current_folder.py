"""Files of the current folder are not run, unless the user names them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ERRATA = [sys.executable, "-m", "errata"]
GOLD, ESSAYS, SYSTEM = (str(Path("examples", name).resolve()) for name in ("learner.m2", "essays.sgml", "systems/eager.txt"))
_CONFESS = "import os\nopen(os.environ['RAN'], 'a').write(__name__ + '\\n')\nraise ImportError('from the current folder')\n"


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "RAN": str(folder / "ran")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder with a file for every module of the standard library that Python does not import to find a module, and a plug-in."""
    (tmp_path / "probe.py").write_text("import json, sys; print(json.dumps(list(sys.modules)))")
    known = json.loads(run(tmp_path, sys.executable, "-m", "probe").stdout)
    dependencies = {"numpy", "scipy", "rich", "altair", "vl_convert", "textblob", "spacy", "pyarrow", "shtab", "nltk"}
    for name in (sys.stdlib_module_names | dependencies) - {name.partition(".")[0] for name in known}:
        (tmp_path / f"{name}.py").write_text(_CONFESS)
    package = tmp_path / "hostile-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: hostile\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[errata.metrics]\nhostile = antigravity:x\n[errata.formats]\nodd = antigravity:x\n")
    return tmp_path


@pytest.mark.slow
def test_no_module_comes_from_the_current_folder(hostile: Path) -> None:
    for command in (
        ["--version"],
        ["score", GOLD, SYSTEM, "--by-type", "--format", "csv"],
        ["score", GOLD, SYSTEM, "--confidence", "--replicates", "100", "--format", "json"],
        ["convert", ESSAYS, "-o", "essays.m2.gz"],
        ["chart", "improvement", GOLD, SYSTEM, "-o", "x.svg"],
        ["metrics"],
    ):
        done = run(hostile, *ERRATA, *command)
        assert done.returncode == 0, done.stderr
        assert "hostile" not in done.stdout + done.stderr
    assert not (hostile / "ran").exists()


def test_an_empty_part_of_pythonpath_is_no_reason_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gzip.py").write_text(_CONFESS)
    monkeypatch.setenv("PYTHONPATH", f"{os.pathsep}/nowhere")
    for start in (ERRATA, [str(Path(sys.executable).with_name("errata"))]):
        done = run(tmp_path, *start, "convert", ESSAYS, "-o", "essays.m2.gz")
        assert done.returncode == 0, done.stderr
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "start", [ERRATA, [sys.executable, "-c", "import sys; sys.path.remove(''); from errata.cli import main; sys.exit(main())"]]
)
def test_a_function_of_the_user_is_found_in_the_current_folder_alone(tmp_path: Path, start: list[str]) -> None:
    (tmp_path / "mine.py").write_text("from beside import cut\n\ndef split(text):\n    return cut(text)\n")
    (tmp_path / "beside.py").write_text("def cut(text):\n    return text.split()\n")
    (tmp_path / "gzip.py").write_text(_CONFESS)
    done = run(tmp_path, *start, "convert", ESSAYS, "--tokeniser", "mine:split", "-o", "out.m2.gz")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "ran").exists()
    named = run(tmp_path, *start, "convert", ESSAYS, "--tokeniser", "gzip:compress", "-o", "out.m2.gz")
    assert named.returncode != 0
    assert not (tmp_path / "ran").exists()  # the module of Python has the name


def test_a_removed_folder_is_no_reason_to_fail(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    code = f"import os, sys; os.rmdir(os.getcwd()); os.execv(sys.executable, {[*ERRATA, '--version']!r})"
    assert run(folder, sys.executable, "-c", code).stdout.startswith("errata ")


def test_the_program_of_a_parser_is_not_run_by_a_shell(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("a b\n")
    done = run(tmp_path, *ERRATA, "graphs", "x.txt", "--parser", "command:true; touch ran $(touch ran) | touch ran", "-o", "x.mrp")
    assert done.returncode == 1 or "no graphs found" in done.stderr
    assert not (tmp_path / "ran").exists()
