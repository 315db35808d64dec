"""Both cores compared, and the files of the package compared with what was packed."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from typing import TYPE_CHECKING, Any

from errata.doctor.core_calls import CORE_CALLS
from errata.doctor.observations import CheckFailedError, Observation, Section, expect, run_check
from errata.doctor.versions import is_editable
from errata.errors import pluralise

if TYPE_CHECKING:
    from importlib.metadata import Distribution
    from types import ModuleType

_MOST_NAMED = 3
_NATIVE = "errata._core"


def disable_crashing_core() -> str:
    """Load the compiled core in a process of its own; if that crashes, leave the core out of this one, and say so.

    A file that is cut off can end Python by a signal, of which no exception tells.
    """
    if _NATIVE in sys.modules:
        return ""
    done = subprocess.run([sys.executable, "-P", "-c", f"import {_NATIVE}"], capture_output=True, check=False)  # noqa: S603 - our own code
    if done.returncode in (0, 1):  # loaded, or an exception, which is caught where it is raised
        return ""
    sys.modules[_NATIVE] = None  # type: ignore[assignment]  # it is looked for no more
    return f"loading it ends Python with status {done.returncode}: install errata again"


def check_core(crash: str = "") -> Section:
    """Compare the compiled core and its twin, function by function, and look at the files of the package."""
    cores = [Observation("native core", crash, "failed")] if crash else _compare_cores()
    return Section("core", "Core and files", (*cores, _check_files()))


def _compare_cores() -> list[Observation]:
    try:
        native = import_module(_NATIVE)
    except ModuleNotFoundError as error:
        if error.name == _NATIVE:
            return [Observation("native core", "not installed, so plain Python computes; a compiler gives it", "missing")]
        return [Observation("native core", str(error), "failed", is_foreign=True)]
    except ImportError as error:
        return [Observation("native core", f"cannot be loaded: {error}; install errata again", "failed", is_foreign=True)]
    twin = import_module("errata.core.python")
    observations = [run_check(f"function {name}", lambda name=name: _compare(name, native, twin)) for name in CORE_CALLS]  # type: ignore[misc]
    failed = [observation for observation in observations if observation.state == "failed"]
    return failed or [Observation("both cores", f"{pluralise(len(observations), 'function')} with the same results", "ok")]


def _compare(name: str, native: ModuleType, twin: ModuleType) -> str:
    call = CORE_CALLS[name]
    expect("native and python core differ", call(twin), call(native))
    return "same results"


def _check_files() -> Observation:
    """Compare the installed files with the hashes that were made when they were packed."""
    name = "files of errata"
    try:
        package = distribution("errata")
    except PackageNotFoundError:
        return Observation(name, "not compared: errata is not installed as a package")
    if is_editable(package):
        return Observation(name, "not compared: they are those of a source folder")
    return run_check(name, lambda: compare_files(package))


def compare_files(package: Distribution) -> str:
    """Compare the files of an installed package with their hashes."""
    listed = [(file, file.hash.value) for file in package.files or () if file.hash is not None and file.hash.mode == "sha256"]
    wrong = [file.as_posix() for file, value in listed if _hash(file.locate()) != value]
    if wrong:
        named = ", ".join(wrong[:_MOST_NAMED]) + (", …" if len(wrong) > _MOST_NAMED else "")
        raise CheckFailedError(f"{pluralise(len(wrong), 'file')} missing or changed since installation ({named}): install errata again")
    if not listed:
        raise CheckFailedError("the installation lists no files: install errata again")
    return f"{pluralise(len(listed), 'file')} as packed"


def _hash(path: Any) -> str:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - what importlib.metadata gives is no Path for all types
            digest = hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return ""
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
