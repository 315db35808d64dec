"""Plug-ins: how many errata has itself, and each of other packages, with whether it loads."""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING, Any

from errata.doctor.observations import Observation, Section
from errata.errors import pluralise

if TYPE_CHECKING:
    from errata.plugins import Plugins


def list_plugins() -> Section:
    """Load all plug-ins, and list those of other packages."""
    return Section("plugins", "Plug-ins", tuple(observation for group in _list_groups() for observation in _check_group(group)))


def _list_groups() -> list[Plugins[Any]]:
    from errata.corpus.parses import ANALYSERS
    from errata.formats.registry import FORMATS
    from errata.language.graphs import PARSERS
    from errata.language.tagging import TAGGERS
    from errata.language.types import TYPE_SYSTEMS
    from errata.metrics.registry import METRICS

    return [METRICS, FORMATS, TAGGERS, TYPE_SYSTEMS, PARSERS, ANALYSERS]


def _check_group(group: Plugins[Any]) -> list[Observation]:
    try:
        with redirect_stdout(StringIO()):
            loaded, reasons = group.load_all()
    except Exception as error:  # noqa: BLE001 - a broken installation may raise anything
        return [Observation(f"{group.kind}s", f"{type(error).__name__}: {error}", "failed", is_foreign=True)]
    own = [name for name in loaded if group.is_own(name)]
    observations = [Observation(f"{group.kind}s of errata", pluralise(len(own), group.kind), "ok" if own else "failed")]
    observations += [Observation(f"{group.kind} {name}", group.package(name), "ok") for name in loaded if name not in own]
    return observations + [Observation(f"{group.kind} {name}", reason, "failed", is_foreign=True) for name, reason in reasons.items()]
