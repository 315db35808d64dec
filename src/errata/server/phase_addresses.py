"""Phases as addresses name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.server.failures import NotFoundError

if TYPE_CHECKING:
    from errata.event.event import Moment
    from errata.event.phases import Phase
    from errata.server.visits import Visit


def find_phase(moment: Moment, name: str) -> Phase:
    """Find a phase by the name in an address."""
    for phase in moment.definition.phases:
        if phase.name == name:
            return phase
    raise NotFoundError("there is no such phase")


def site_address(visit: Visit) -> str:
    """How programs reach the server: at its public address, or where it listens; never what a request says."""
    if visit.site.settings.public_url:
        return visit.site.settings.public_url.rstrip("/")
    host, port = visit.request.scope.get("server") or (visit.site.settings.host, visit.site.settings.port)
    return f"http://[{host}]:{port}" if ":" in str(host) else f"http://{host}:{port}"
