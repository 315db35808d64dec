"""Read judgments from files: XML of Appraise, or tables of items or pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import InputError, UsageError
from errata.formats.lines import display_path, without_compression
from errata.formats.problems import WarnOnce, warn_in_python
from errata.formats.tables import find_repeated
from errata.judgments.appraise_xml import read_appraise
from errata.judgments.items import HumanJudgments
from errata.judgments.judgment_tables import read_judgment_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from errata.formats.problems import Problem


def read_judgments(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]], *, warn: Callable[[Problem], None] = warn_in_python
) -> HumanJudgments:
    """Read one or several files of the same campaign: ``.xml`` as Appraise writes it, ``.csv`` or ``.tsv``, also compressed.

    Items that judges skipped, and items without a ranking, are counted.
    """
    given = [paths] if not isinstance(paths, (list, tuple)) else list(paths)
    if not given:
        raise UsageError("there is no file of judgments")
    if (twice := find_repeated([str(path) for path in given])) is not None:  # its items would count twice
        raise UsageError(f"{display_path(twice)} is given twice")
    read = [_read(str(path), warn) for path in given]
    items = tuple(item for judgments in read for item in judgments.items)
    if not items:
        raise InputError(f"{', '.join(display_path(str(path)) for path in given)}: there are no ranked items")
    return HumanJudgments(items, *(sum(getattr(judgments, name) for judgments in read) for name in ("skipped", "empty", "single")))


def _read(path: str, warn: Callable[[Problem], None]) -> HumanJudgments:
    problems = WarnOnce(display_path(path), warn)
    if without_compression(path.lower()).endswith(".xml"):
        return read_appraise(path, problems)
    return read_judgment_table(path, problems)
