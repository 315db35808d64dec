"""Print what errata needs, and what the extras need that are named: they can be installed while the core is compiled.

``python .ci/list_dependencies.py dev``; packages of this repository are installed from it, so their own requirements are listed instead.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any


def list_dependencies(projects: dict[str, dict[str, Any]], name: str, extras: set[str]) -> list[str]:
    """List the requirements of a project and of its extras; one may name another project, or extras, as ``errata[charts]``."""
    found: list[str] = []
    waiting, seen = [(name, ""), *((name, extra) for extra in sorted(extras))], set()
    for project, extra in waiting:
        if (project, extra) in seen:
            continue
        seen.add((project, extra))
        for requirement in projects[project]["optional-dependencies"][extra] if extra else projects[project]["dependencies"]:
            match = re.fullmatch(r"([\w-]+)(?:\[(.*?)\])?(==.*)?", requirement)
            if match and match[1] in projects:
                waiting += [(match[1], ""), *((match[1], each.strip()) for each in (match[2] or "").split(",") if each)]
            else:
                found.append(requirement)
    return list(dict.fromkeys(found))


if __name__ == "__main__":
    files = [Path("pyproject.toml"), *sorted(Path("packages").glob("*/pyproject.toml"))]
    own = [tomllib.loads(path.read_text(encoding="utf-8"))["project"] for path in files]
    print(*list_dependencies({project["name"]: project for project in own}, own[0]["name"], set(sys.argv[1:])), sep="\n")
