"""What the wheels and source distributions of errata and errata-event must have, and must not have: ``contents.py FOLDER``."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
PROJECTS = {"errata": CHECKOUT, "errata_event": CHECKOUT / "packages" / "errata-event"}
"""The packages and the folders of their projects."""
_SOURCES = ["LICENSE", "README.md", "pyproject.toml", "PKG-INFO"]


def list_package_files(package: str = "errata") -> set[str]:
    """List the files of a package that the checkout has, as a wheel names them."""
    source = PROJECTS[package] / "src"
    found = (path for path in (source / package).rglob("*") if path.is_file() and path.suffix not in {".so", ".pyd", ".pyc"})
    return {path.relative_to(source).as_posix() for path in found}


def check_wheel(wheel: Path) -> list[str]:
    """List what is wrong with a wheel: it has its package, the licence, for errata one compiled core, and nothing else."""
    own = wheel.name.partition("-")[0]
    with zipfile.ZipFile(wheel) as file:
        names = {name for name in file.namelist() if not name.endswith("/")}
    package = {name for name in names if name.startswith(f"{own}/")}
    cores = {name for name in package if re.fullmatch(r"errata/_core\.(.+\.)?(so|pyd)", name)}
    info = {name for name in names if re.match(rf"{own}-[^/]+\.dist-info/", name)}
    expected = list_package_files(own)
    faults = [f"{wheel.name} lacks {name}" for name in sorted(expected - package)]
    faults += [f"{wheel.name} should not have {name}" for name in sorted(names - expected - cores - info)]
    if len(cores) != (0 if wheel.name.endswith("-none-any.whl") else 1):
        faults.append(f"{wheel.name} has {len(cores)} compiled cores: {sorted(cores)}")
    if not any(name.endswith("/licenses/LICENSE") for name in info):
        faults.append(f"{wheel.name} lacks its licence")
    return faults


def check_source_distribution(archive: Path) -> list[str]:
    """List what is wrong with a source distribution: it has what the core is built from, and the package."""
    with tarfile.open(archive) as file:
        roots, names = zip(*(member.name.split("/", 1) for member in file.getmembers() if member.isfile()), strict=True)
    own = archive.name.partition("-")[0]
    project = PROJECTS[own]
    expected = {*_SOURCES, *(f"src/{name}" for name in list_package_files(own))}
    if own == "errata":
        expected |= {
            "CMakeLists.txt",
            *(path.relative_to(project).as_posix() for path in (project / "native").rglob("*") if path.is_file()),
        }
    faults = [f"{archive.name} lacks {name}" for name in sorted(expected - set(names))]
    tracked = set(subprocess.run(["git", "ls-files"], cwd=project, capture_output=True, text=True, check=True).stdout.splitlines())  # noqa: S607
    faults += [f"{archive.name} should not have {name}" for name in sorted(set(names) - expected - tracked)]
    if len(set(roots)) != 1:
        faults.append(f"{archive.name} has several folders: {sorted(set(roots))}")
    return faults


def check_all(folder: Path) -> list[str]:
    """List what is wrong with the distributions of a folder."""
    wheels, archives = sorted(folder.glob("*.whl")), sorted(folder.glob("*.tar.gz"))
    faults = [fault for wheel in wheels for fault in check_wheel(wheel)]
    return [*faults, *(fault for archive in archives for fault in check_source_distribution(archive))]


if __name__ == "__main__":
    if faults := check_all(Path(sys.argv[1])):
        raise SystemExit("\n".join(faults))
