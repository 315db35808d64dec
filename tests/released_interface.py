"""The public interface: names of Python, options and metrics.

``make interface`` writes it to ``tests/released_interface.json`` when a version is published; the tests compare later versions with it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import errata
from errata.cli import _build_parser
from errata.formats import FORMATS
from errata.lazy import _list_names
from errata.metrics import METRICS

RECORD = Path(__file__).parent / "released_interface.json"


def describe_interface() -> dict[str, Any]:
    """What docs/stability.md calls public."""
    source = Path(str(errata.__file__)).parent
    packages = [".".join(path.parent.relative_to(source.parent).parts) for path in sorted(source.rglob("__init__.pyi"))]
    return {
        "names": {package: sorted(_list_names(package)) for package in packages},
        "options": {command: sorted(parser.options) for command, parser in sorted(_build_parser().commands.items())},
        "metrics": {name: METRICS[name]().signature for name in sorted(METRICS) if METRICS.is_own(name)},
        "formats": sorted(name for name in FORMATS if FORMATS.is_own(name)),
    }


if __name__ == "__main__":
    RECORD.write_text(json.dumps(describe_interface(), indent=1) + "\n", encoding="utf-8")
