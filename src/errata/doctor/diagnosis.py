"""All sections together, without what is private."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from errata.doctor.core_checks import check_core, disable_crashing_core
from errata.doctor.extras import list_extras
from errata.doctor.metric_checks import check_metrics
from errata.doctor.models import check_models
from errata.doctor.plugin_packages import list_plugins
from errata.doctor.privacy import hide_private
from errata.doctor.surroundings import list_surroundings
from errata.doctor.versions import list_versions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.doctor.observations import Observation, Section


@dataclass(frozen=True)
class Diagnosis:
    """What was found; an installation is sound if no check fails."""

    sections: tuple[Section, ...]

    def __iter__(self) -> Iterator[Observation]:
        return (observation for section in self.sections for observation in section.observations)

    @property
    def failed(self) -> list[Observation]:
        """List the checks that fail."""
        return [observation for observation in self if observation.state == "failed"]

    @property
    def passed(self) -> list[Observation]:
        """List the checks that pass."""
        return [observation for observation in self if observation.state == "ok"]


def diagnose(*, paths: bool = False) -> Diagnosis:
    """Look at everything; ``paths`` keeps folders and names in the messages of errors."""
    crash = disable_crashing_core()
    sections = (
        list_versions(paths=paths),
        list_extras(),
        list_plugins(),
        list_surroundings(),
        check_core(crash),
        check_metrics(),
        check_models(),
    )
    return Diagnosis(sections if paths else tuple(map(_hide, sections)))


def _hide(section: Section) -> Section:
    observations = (replace(one, found=hide_private(one.found)) if one.is_foreign else one for one in section.observations)
    return replace(section, observations=tuple(observations))
