"""Corrections of many people, as arguments name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.printing import print_warning
from errata.errors import RequestError, pluralise

if TYPE_CHECKING:
    from errata.studies.coverage.estimation import CorrectedSentence


def is_table(path: str) -> bool:
    """Whether a file is a table of corrections, by its extension; else it is a corpus."""
    from errata.formats.lines import without_compression
    from errata.formats.tables import TABULAR_FORMATS

    return without_compression(path.lower()).rpartition(".")[2] in TABULAR_FORMATS


def read_crowd(path: str) -> list[CorrectedSentence]:
    """Read a table of corrections, or the references of a corpus."""
    from errata.formats import read
    from errata.studies.coverage.estimation import collect_corrections, read_corrections

    return read_corrections(path, warn=print_warning) if is_table(path) else collect_corrections(read(path, warn=print_warning))


def skip_single_answers(sentences: list[CorrectedSentence]) -> list[CorrectedSentence]:
    """Skip sentences with only one answer."""
    enough = [sentence for sentence in sentences if sentence.answers > 1]
    if len(enough) < len(sentences):
        print_warning(f"{len(sentences) - len(enough):,} of {pluralise(len(sentences), 'sentence')} skipped: only one answer")
    if not enough:
        raise RequestError("every sentence has only one answer, which says nothing about other corrections")
    return enough
