"""Three teams that submit the example systems."""

from __future__ import annotations

from errata_event.accounts import Account

from example_events import ExampleEvent

TEAMS = {"Alpha": "eager", "Beta": "cautious", "Gamma": "rewriter"}
"""Teams with the systems that they submit."""


def add_three_teams(made: ExampleEvent, phase: str = "test") -> dict[str, tuple[Account, str]]:
    """Let them submit; return their accounts and tokens."""
    teams = {name: made.add_with_token(name) for name in TEAMS}
    for name, system in TEAMS.items():
        made.upload(teams[name][0], phase, system)
    return teams
