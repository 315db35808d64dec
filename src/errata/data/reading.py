"""Read data sets that are on this machine."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.data.folder import find_data_folder
from errata.data.store import find_installed
from errata.data.table import find_data_set
from errata.errors import InputWarning, RequestError
from errata.formats.files import read
from errata.formats.lines import display_path
from errata.formats.problems import warn_in_python

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from errata.corpus.corpus import Corpus
    from errata.data.store import InstalledSet
    from errata.formats.problems import Problem


def locate_data_set(name: str, *, folder: str | os.PathLike[str] | None = None) -> InstalledSet:
    """Find a data set on this machine, and check that its files are as they were when it came here.

    Nothing is downloaded: a set that is not here raises :class:`RequestError`, which says how to get it.
    """
    wanted = find_data_set(name)
    where = find_data_folder(folder)
    installed = find_installed(name, where)
    if installed is None:
        raise RequestError(f"the data set {name} is not in {display_path(str(where))}; to get it: {wanted.how}")
    installed.check()
    return installed


def describe_doubts(installed: InstalledSet) -> str:
    """Say why a data set is not verified."""
    return f"the data set {installed.name} is not verified: {'; '.join(installed.doubts)}"


def read_data_set(
    name: str,
    *,
    folder: str | os.PathLike[str] | None = None,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    warn: Callable[[Problem], None] = warn_in_python,
) -> Corpus:
    """Read a data set that ``errata data get`` or ``errata data add`` has brought to this machine.

    A name is never the name of a file here, and :func:`errata.read` never reads a data set.
    ``folder`` is where data sets are kept, if that is not the usual folder.
    One that is not verified gives an :class:`errata.InputWarning`.
    """
    installed = locate_data_set(name, folder=folder)
    if not installed.is_verified:
        import warnings

        warnings.warn(describe_doubts(installed), InputWarning, stacklevel=2)
    source, *references = installed.paths
    return read(source, references=references, max_tokens=max_tokens, warn=warn)


def read_contents(contents: Mapping[str, bytes]) -> Corpus:
    """Read the files of a data set from memory, by their names: the gold, or the source and its references."""
    first, *references = (open_content(name, content) for name, content in contents.items())
    return read(first, references=references, warn=lambda _: None)


def open_content(name: str, content: bytes) -> io.BytesIO:
    """Open what is in memory as a file with a name."""
    file = io.BytesIO(content)
    file.name = name  # messages have it
    return file
