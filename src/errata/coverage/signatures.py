"""Signatures of what was computed from the answers of a crowd."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from errata.coverage.corrections import fingerprint_corrections
from errata.errors import pluralise
from errata.scoring.scores import name_package
from errata.settings import write_value
from errata.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from errata.coverage.corrections import CorrectedSentence
    from errata.coverage.perfect import PerfectCorrector


def describe_corrections(path: str, sentences: Sequence[CorrectedSentence]) -> str:
    """Name a table of corrections, with its size and hash."""
    answers = pluralise(sum(sentence.answers for sentence in sentences), "answer")
    size = f"{pluralise(len(sentences), 'sentence')}, {answers}"
    return f"corrections {PurePath(path).name}, {size}, sha256 {fingerprint_corrections(sentences)}"


def make_sampling_signature(
    corrector: PerfectCorrector, path: str, sentences: Sequence[CorrectedSentence], settings: Mapping[str, bool | int]
) -> str:
    """Name everything that can change the score of a perfect corrector: metric, settings of test sets, corrections and version."""
    given = dict(settings)
    if not corrector.counts_references_alone:
        given["scored_outputs"] = corrector.scored
    written = ",".join(f"{name}={write_value(value)}" for name, value in given.items())
    corrections = describe_corrections(path, sentences)
    return f"{corrector.metric.signature}{name_package(corrector.metric)} | {written} | {corrections} | errata {__version__}"
