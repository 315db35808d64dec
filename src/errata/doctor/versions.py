"""Versions: of errata and how it was installed, Python, the platform, the core, and the packages that errata needs."""

from __future__ import annotations

import os
import platform
import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path
from typing import NamedTuple

from errata.doctor.observations import CheckFailedError, Observation, Section, run_check
from errata.version import __version__

_REQUIREMENT = re.compile(r"([\w.-]+)(?:\[[^\]]*\])?\s*\(?([^;)]*)\)?\s*(?:;(.*))?")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")
_PLATFORM = re.compile(r"sys_platform\s*==\s*['\"]([^'\"]+)['\"]")
_OWN = "errata"
"""An extra may need another extra of errata, which has a line of its own."""


class Requirement(NamedTuple):
    """A package that errata needs, always or for an extra."""

    package: str
    versions: str
    extra: str


def list_requirements() -> list[Requirement]:
    """List what the installed package declares for this platform."""
    requirements = []
    for line in distribution(_OWN).requires or ():
        match = _REQUIREMENT.match(line)
        if match is not None and match[1] != _OWN:
            extra, only = _EXTRA.search(match[3] or ""), _PLATFORM.search(match[3] or "")
            if only is not None and only[1] != sys.platform:
                continue
            requirements.append(Requirement(match[1], match[2].replace(" ", ""), extra[1] if extra else ""))
    return requirements


def check_version(requirement: Requirement) -> str:
    """Return the installed version of a package, if it is one of those that errata needs."""
    found = version(requirement.package)
    if not _fits(found, requirement.versions):
        raise CheckFailedError(f"{found}, but errata needs {requirement.versions}")
    return found


def _fits(found: str, versions: str) -> bool:
    """Tell whether a version is in a range such as ``>=3.0.2,<4``.

    >>> _fits("3.10.1", ">=3.9,<4"), _fits("4.0", ">=3.9,<4")
    (True, False)
    """
    tests = {
        ">=": lambda difference: difference >= 0,
        "<": lambda difference: difference < 0,
    }
    for part in filter(None, versions.split(",")):
        match = re.fullmatch(r"(>=|<)([\d.]+)", part)
        if match is not None and not tests[match[1]](_compare(_numbers(found), _numbers(match[2]))):
            return False
    return True


def _numbers(text: str) -> tuple[int, ...]:
    release = re.match(r"\d+(\.\d+)*", text)
    return tuple(map(int, release[0].split("."))) if release else ()


def _compare(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    length = max(len(one), len(other))
    first, second = (numbers + (0,) * (length - len(numbers)) for numbers in (one, other))
    return (first > second) - (first < second)


def list_versions(*, paths: bool) -> Section:
    """List the versions of everything that errata always needs."""
    observations = [
        run_check("errata", _check_errata),
        Observation("installed", _describe_installation()),
        Observation("Python", f"{platform.python_version()} ({platform.python_implementation()}, {platform.python_compiler()})"),
        Observation("platform", platform.platform()),
        run_check("core", _check_core),
    ]
    if paths:
        observations += [Observation("package", str(Path(__file__).parent.parent)), Observation("interpreter", sys.executable)]
    try:
        needed = [requirement for requirement in list_requirements() if not requirement.extra]
    except PackageNotFoundError:
        needed = []  # the first observation says so
    observations += [run_check(requirement.package, lambda one=requirement: check_version(one)) for requirement in needed]  # type: ignore[misc]
    return Section("versions", "Versions", tuple(observations))


def _check_errata() -> str:
    installed = version("errata")
    if installed != __version__:
        raise CheckFailedError(f"the code is {__version__}, but the installed package is {installed}: install errata again")
    return __version__


def is_editable(package: Distribution) -> bool:
    """Tell whether a package runs from its source folder."""
    return '"editable": true' in (package.read_text("direct_url.json") or "")


def _describe_installation() -> str:
    try:
        package = distribution("errata")
    except PackageNotFoundError:
        return "not as a package"
    tags = re.findall(r"^Tag: (.+)$", package.read_text("WHEEL") or "", re.MULTILINE)
    installer = (package.read_text("INSTALLER") or "an unknown program").strip()
    return f"{', '.join(tags) or 'without tags'}, by {installer}{', editable' if is_editable(package) else ''}"


def _check_core() -> str:
    from errata import core

    chosen = ", chosen by ERRATA_CORE" if os.environ.get("ERRATA_CORE") else ""
    if core.NAME == "python":
        return f"python: slower, with the same numbers{chosen}"
    from errata import _core

    return f"{core.NAME}, compiled by {_core.__compiler__()}{chosen}"
