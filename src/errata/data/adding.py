"""Take the copy of a data set that a user has."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from errata.data.candidates import collect_candidates
from errata.data.folder import find_data_folder
from errata.data.joining import join_annotators
from errata.data.reading import read_contents
from errata.data.recognition import make_filter, recognise
from errata.data.store import changing, find_installed, install
from errata.data.table import find_data_set
from errata.errors import InputError, UsageError, pluralise
from errata.formats.given_files import check_path
from errata.formats.lines import display_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from errata.data.recognition import Recognised
    from errata.data.store import InstalledSet
    from errata.data.table import DataSet


def add_data_set(
    name: str,
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    unverified: bool = False,
    folder: str | os.PathLike[str] | None = None,
    tell: Callable[[str], object] = lambda _: None,
) -> InstalledSet:
    """Add a copy of a data set: files, a folder or an archive.

    Its files are recognised by their checksums, whatever their names, also with other line ends.
    A copy that is not recognised is refused, unless it is taken as ``unverified``; then everybody who uses it is warned.
    ``tell`` is told what takes time.
    """
    wanted = find_data_set(name)
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths) if _is_iterable(paths) else [paths]
    listed = [check_path(path) for path in given]
    if not listed:
        raise UsageError(f"no file of {name} is given: {', '.join(member.name for member in wanted.members)}")
    where = find_data_folder(folder)
    shown = ", ".join(map(display_path, listed))
    found = recognise(wanted, collect_candidates(listed, make_filter([wanted])), shown)
    try:
        contents, doubts = prepare(wanted, found)
    except InputError as error:
        if unverified or not found.doubts:
            raise
        contents, doubts = {}, (*found.doubts, str(error))
    if doubts and not unverified:
        raise InputError(
            f"{shown}: not recognised as {name}: {'; '.join(doubts)}; --unverified (unverified=True in Python) takes a copy as it is"
        )
    with changing(where, tell):
        install(where, name, contents, doubts, os.path.abspath(listed[0]))  # noqa: PTH100 - never raises
    return _installed(name, where)


def _is_iterable(paths: object) -> bool:
    return hasattr(paths, "__iter__") and not isinstance(paths, (bytes, bytearray))


def _installed(name: str, where: Path) -> InstalledSet:
    installed = find_installed(name, where)
    if installed is None:
        raise InputError(f"{display_path(str(where))}: {name} has disappeared")
    return installed


def prepare(wanted: DataSet, found: Recognised) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Make the files that are kept of a data set, and say what is doubtful about them; raise if they cannot be read."""
    contents = found.contents
    if wanted.kind == "joined":
        contents = {f"{wanted.name}.m2": join_annotators(contents)}
    corpus = read_contents(contents)
    doubts = list(found.doubts)
    if wanted.sentences is not None and len(corpus) != wanted.sentences:
        doubts.append(f"expected {pluralise(wanted.sentences, 'sentence')}, found {len(corpus):,}")
    if doubts and wanted.annotators is not None and len(corpus.annotators) != wanted.annotators:
        doubts.append(f"expected {pluralise(wanted.annotators, 'annotator')}, found {len(corpus.annotators):,}")
    return contents, tuple(doubts)
