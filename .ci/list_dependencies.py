"""Print what errata needs, and what the extras need that are named: they can be installed while the core is compiled."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any


def list_dependencies(project: dict[str, Any], extras: set[str]) -> list[str]:
    """List requirements; an extra may name others, as ``errata[charts]``."""
    found: list[str] = list(project["dependencies"])
    seen: set[str] = set()
    while new := extras - seen:
        seen |= new
        for requirement in (each for extra in sorted(new) for each in project["optional-dependencies"][extra]):
            own = re.fullmatch(rf"{project['name']}\[(.*)\]", requirement)
            if own:
                extras |= set(own[1].split(","))
            else:
                found.append(requirement)
    return found


if __name__ == "__main__":
    print(*list_dependencies(tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"], set(sys.argv[1:])), sep="\n")
