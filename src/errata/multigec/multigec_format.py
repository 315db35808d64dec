"""Essays of MultiGEC as a corpus format: files of the source, of each reference and of each output."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from errata.errors import UsageError
from errata.formats.registry import CorpusFormat, ReferenceReaders
from errata.multigec.corpora import list_source_units, read_multigec, read_multigec_system

if TYPE_CHECKING:
    from errata.formats.problems import Problems


def _read_alone(path: str, problems: Problems, max_tokens: int) -> NoReturn:  # noqa: ARG001 - as in other formats
    raise UsageError(f"{problems.path} has essays, which need references: --reference FILE (references= in Python)")


ESSAYS_FORMAT = CorpusFormat(
    "multigec", _read_alone, check=list_source_units, with_references=ReferenceReaders(read_multigec, read_multigec_system)
)
