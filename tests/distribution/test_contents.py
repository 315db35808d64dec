"""What is wrong with a distribution is found."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

import contents

CORE = "errata/_core.abi3.so"
LICENCE = "errata-1.dist-info/licenses/LICENSE"


def wheel(folder: Path, names: set[str], name: str = "errata-1-cp312-abi3-any.whl") -> Path:
    with zipfile.ZipFile(folder / name, "w") as file:
        for each in sorted(names):
            file.writestr(each, "")
    return folder / name


def whole() -> set[str]:
    return {*contents.list_package_files(), CORE, LICENCE}


def test_a_whole_wheel_has_no_faults(tmp_path: Path) -> None:
    assert contents.check_wheel(wheel(tmp_path, whole())) == []
    assert contents.check_wheel(wheel(tmp_path, whole() - {CORE}, "errata-1-py3-none-any.whl")) == []


@pytest.mark.parametrize(
    "missing",
    ["errata/py.typed", "errata/__init__.pyi", "errata/_core.pyi", "errata/report/page/assets/page.js", "errata/core/python/maxmatch.py"],
)
def test_a_missing_file_is_found(missing: str, tmp_path: Path) -> None:
    path = wheel(tmp_path, whole() - {missing})
    assert contents.check_wheel(path) == [f"{path.name} lacks {missing}"]


@pytest.mark.parametrize("more", ["tests/test_core.py", "errata/left_over.py", "errata/native/tokens.hpp"])
def test_a_file_too_many_is_found(more: str, tmp_path: Path) -> None:
    path = wheel(tmp_path, {*whole(), more})
    assert contents.check_wheel(path) == [f"{path.name} should not have {more}"]


def test_a_wheel_has_one_core_and_a_licence(tmp_path: Path) -> None:
    path = wheel(tmp_path, whole() - {CORE, LICENCE})
    assert contents.check_wheel(path) == [f"{path.name} has 0 compiled cores: []", f"{path.name} lacks its licence"]
    path = wheel(tmp_path, {*whole(), "errata/_core.cp311-win_amd64.pyd"})
    assert "has 2 compiled cores" in contents.check_wheel(path)[0]


def test_a_source_distribution_has_what_builds_the_core(tmp_path: Path) -> None:
    path = tmp_path / "errata-1.tar.gz"
    files = {f"src/{name}" for name in contents.list_package_files()}
    with tarfile.open(path, "w:gz") as file:
        for name in sorted({*files, "pyproject.toml", "README.md", "PKG-INFO", "LICENSE", "native/module.cpp", "secret.txt"}):
            file.addfile(tarfile.TarInfo(f"errata-1/{name}"), io.BytesIO())
    faults = contents.check_source_distribution(path)
    assert f"{path.name} lacks CMakeLists.txt" in faults
    assert f"{path.name} lacks native/maxmatch.hpp" in faults
    assert faults[-1] == f"{path.name} should not have secret.txt"
