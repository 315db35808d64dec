from __future__ import annotations

import subprocess
import sys

import pytest

from fuzz.__main__ import Campaign, try_for
from fuzz.growth import GROWTH
from fuzz.inputs import Input
from fuzz.recipes import RECIPES
from fuzz.undo import UNDO

from thoroughness import THOROUGH, often

pytestmark = pytest.mark.slow


def test_a_short_run_finds_nothing() -> None:
    """``make fuzz`` runs longer, with a seed of your choice."""
    tried = try_for(Campaign(seed=1), seconds=600, first=0, step=1, most=often(300, 60))
    assert [(finding.number, finding.problem, finding.given.arguments) for finding in tried.findings] == []
    assert sum(tried.recipes.values()) == often(300, 60)
    assert tried.compared > often(100, 20)


QUICK = frozenset({"old_entry", "task_file_named", "unknown_elements"})
"""Fixes that are found soonest; the work without some others takes very long."""


@pytest.mark.parametrize("name", sorted(UNDO))
def test_a_fix_that_is_taken_back_is_found(name: str) -> None:
    if name not in QUICK and not THOROUGH:
        pytest.skip("takes long; make fuzz and make thorough run it")
    undo = UNDO[name]
    tried = try_for(Campaign(seed=1, only=undo.recipe, undone=(name,), twin=False), seconds=60, first=0, step=1, most=300, finds=undo.finds)
    assert [finding.problem for finding in tried.findings if finding.problem.startswith(undo.finds)]


def test_every_fix_names_a_recipe() -> None:
    assert set(UNDO) > QUICK
    for undo in UNDO.values():
        kind, _, name = undo.recipe.partition(":")
        assert kind in RECIPES
        assert not name or name in GROWTH


def test_every_fix_can_be_taken_back() -> None:
    """Also those that take too long to be found here; all in one process, which is lost afterwards."""
    script = "from fuzz.server import _load; _load(); from fuzz.undo import UNDO; print(len([undo.take_back() for undo in UNDO.values()]))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == (f"{len(UNDO)}\n", "")


def test_an_input_can_be_saved_and_read_again() -> None:
    given = Input("a", ["score", "\udcff"], {"x": b"\0\xff"}, {"link": "x"}, outputs=("out",), settings={"cold": True})
    assert Input.from_json(given.to_json()) == given
