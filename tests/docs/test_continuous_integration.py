"""The workflow and the hook that the page on continuous integration shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from errata.cli import _build_parser, main

yaml = pytest.importorskip("yaml", reason="pyyaml is not installed")
PAGE = Path("docs/continuous-integration.md")


def blocks() -> list[Any]:
    return [
        yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    ]


def test_the_workflow_runs_a_gate() -> None:
    workflow, more, *_ = blocks()
    assert workflow[True] == "pull_request"  # YAML reads the key on as true
    steps = [*workflow["jobs"]["gate"]["steps"], *more["steps"]]
    commands = [step["run"] for step in steps if step.get("run", "").startswith("errata ")]
    assert len(commands) == 2
    for command in commands:
        words = shlex.split(command.partition(" >>")[0])[1:]
        options = _build_parser().parse_args(words)
        assert (options.command, options.gold, options.baseline, options.new, options.drop) == (
            "gate",
            "dev.m2",
            "baseline.txt",
            "new.txt",
            0.5,
        )
    assert more["permissions"] == {"contents": "read", "pull-requests": "write"}


def test_the_hook_checks_the_example_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """As pre-commit does: the entry, the arguments, and the files that match the pattern."""
    (hook,) = yaml.safe_load(Path(".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert (hook["id"], hook["language"], set(hook)) == (
        "errata-check",
        "python",
        {"id", "name", "description", "entry", "language", "files"},
    )
    program, *words = shlex.split(hook["entry"])
    matching = sorted(str(path) for path in Path("examples").rglob("*") if re.search(hook["files"], str(path)))
    assert program == "errata"
    assert "examples/learner.m2" in matching
    assert main([*words, *matching]) == 0
    broken = tmp_path / "broken.m2"
    broken.write_text("S a\nA 0 9|||T|||y|||R|||-|||0\n")
    assert main([*words, str(broken)]) == 2
    assert f"error: {broken}:2: " in capsys.readouterr().out


def test_the_snippets_use_the_hook() -> None:
    hooks = [hook for block in blocks()[2:] for repository in block["repos"] for hook in repository["hooks"]]
    assert {hook["id"] for hook in hooks} == {"errata-check"}
    for hook in hooks:
        re.compile(hook.get("files", ""))
        _build_parser().parse_args(["check", *hook.get("args", ()), "x.txt"])
    against = next(hook for hook in hooks if "args" in hook)
    assert re.search(against["files"], "outputs/system.txt")
