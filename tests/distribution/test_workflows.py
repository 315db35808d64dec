"""The workflows name what exists; zizmor, in ``make lint``, checks the rest."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from errata import __version__

yaml = pytest.importorskip("yaml", reason="pyyaml is not installed")
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(Path(".github/workflows").glob("*.yml"))}


def steps(workflow: str) -> list[dict[str, Any]]:
    return [step for job in WORKFLOWS[workflow]["jobs"].values() for step in job.get("steps", [])]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_commands_exist(name: str) -> None:
    makefile = Path("Makefile").read_text(encoding="utf-8")
    commands = "\n".join(step["run"] for step in steps(name) if "run" in step)
    for target in re.findall(r"^make (\S+)", commands, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for path in re.findall(r"python (\S+\.py)|^(\.ci/\S+)", commands, re.MULTILINE):
        assert Path("".join(path)).is_file(), path
    assert "${{" not in commands  # a text from elsewhere would become a command


@pytest.mark.parametrize("name", WORKFLOWS)
def test_permissions_are_those_that_are_needed(name: str) -> None:
    workflow = WORKFLOWS[name]
    assert workflow["permissions"] == {}
    given = {job: rights["permissions"] for job, rights in workflow["jobs"].items()}
    publishing = {"attestations": "write", "id-token": "write"}
    assert given == {job: publishing if job == "publish" else {"contents": "read"} for job in given}
    checkouts = [step for step in steps(name) if step.get("uses", "").startswith("actions/checkout@")]
    assert all(step["with"] == {"persist-credentials": False} for step in checkouts)


def test_only_a_tag_of_a_version_is_published() -> None:
    release = WORKFLOWS["release"]
    assert release[True] == {"push": {"tags": ["v*"]}}  # YAML reads the key on as true
    needs = {name: job.get("needs") for name, job in release["jobs"].items()}
    assert needs == {"version": None, "build": "version", "test": "version", "publish": ["build", "test"]}
    (compare,) = (step["run"] for step in release["jobs"]["version"]["steps"] if "run" in step)
    sh = shutil.which("sh")
    if sh is None:
        pytest.skip("no sh")
    tags = [f"v{__version__}", f"v{__version__}.1", f"v{__version__.replace('.', 'x')}", "v", "v.*"]
    statuses = []
    for tag in tags:
        environment = {"PATH": "/usr/bin:/bin", "GITHUB_REF_NAME": tag}
        statuses.append(subprocess.run([sh, "-c", compare], env=environment, check=False).returncode)
    assert statuses == [0, 1, 1, 1, 1]


def test_pythons_are_those_that_the_project_supports() -> None:
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    oldest = project["project"]["requires-python"].removeprefix(">=")
    assert WORKFLOWS["test"]["jobs"]["lint-and-test"]["strategy"]["matrix"]["python"][0] == oldest
    first_stable = project["tool"]["scikit-build"]["wheel"]["py-api"]
    assert project["tool"]["cibuildwheel"]["build"] == [f"cp{oldest.replace('.', '')}-*", f"{first_stable}-*"]


def test_the_linter_of_workflows_can_fail(tmp_path: Path) -> None:
    """It finds a title of a pull request that becomes a command, and a key that workflows do not have."""
    program = Path(sys.executable).with_name("zizmor")
    if not program.is_file():
        pytest.skip("zizmor is not installed; make lint installs it")
    workflow = Path(".github/workflows/test.yml").read_text(encoding="utf-8")
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)

    def lint(text: str) -> tuple[int, str]:
        (folder / "test.yml").write_text(text, encoding="utf-8")
        command = [str(program), "--offline", "--no-progress", "--strict-collection", "--config", ".github/zizmor.yml", str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    assert lint(workflow)[0] == 0
    status, said = lint(workflow.replace("run: .ci/run", "run: echo ${{ github.event.pull_request.title }}"))
    assert status != 0
    assert "template-injection" in said
    assert lint(workflow.replace("runs-on:", "runs-at:"))[0] != 0
