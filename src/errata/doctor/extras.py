"""Optional packages: which are installed, and what those that are missing would give."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from errata.doctor.observations import Observation, Section, run_check
from errata.doctor.versions import Requirement, check_version, list_requirements

EXTRAS = {
    "errant": "edits and types of texts by the rules of ERRANT",
    "spacy": "tags, tokens and parses by spaCy",
    "charts": "charts as SVG, PNG and PDF",
    "parquet": "Parquet, files compressed with zstd, evidence as files",
    "dask": "work on a Dask cluster",
    "server": "shared tasks that run themselves (errata serve)",
    "postgresql": "events in PostgreSQL, for several processes",
}
"""What each extra gives; that of developers is not listed."""


def list_extras() -> Section:
    """List the extras and their packages."""
    try:
        requirements = list_requirements()
    except PackageNotFoundError:
        requirements = []
    observations = [_describe(extra, gives, [one for one in requirements if one.extra == extra]) for extra, gives in EXTRAS.items()]
    return Section("extras", "Extras", tuple(observations))


def _describe(extra: str, gives: str, requirements: list[Requirement]) -> Observation:
    missing = [requirement.package for requirement in requirements if not _is_installed(requirement.package)]
    if missing:
        return Observation(extra, f"without {', '.join(missing)}; pip install 'errata[{extra}]' gives {gives}", "missing")
    return run_check(extra, lambda: ", ".join(f"{one.package} {check_version(one)}" for one in requirements))


def _is_installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True
