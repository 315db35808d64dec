"""Edits and types that the package errant found, with the parses that it had."""

from __future__ import annotations

from pathlib import Path

import pytest

from errata.language.errant import Extractor, align_pair, merge_operations
from errata.language.errant_types import classify_span

from errant_recordings import known_words, recorded_m2, recorded_pairs, recorded_parses

pytestmark = pytest.mark.realdata

SYSTEMS = ["AMU", "BART", "CUUI", "GECToR-BERT", "IITB", "IPN", "PKU", "RAC", "REF-F", "Riken-Tohoku", "UFC"]
OPTIONS = {
    "": {},
    ".lev": {"alignment": "lev"},
    ".all-split": {"merge": "all-split"},
    ".all-merge": {"merge": "all-merge"},
    ".all-equal": {"merge": "all-equal"},
}
RECORDINGS = [name + option for name in SYSTEMS for option in (OPTIONS if name in {"AMU", "REF-F"} else [""])]


def texts_of(data: Path, name: str) -> list[tuple[str, ...]]:
    (path,) = (data / "conll14").glob(f"*/{name}.txt")
    return [tuple(line.split()) for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n")]


def test_every_recording_is_tested(data: Path) -> None:
    paths = (data / "expected" / "errant" / "m2").glob("*.m2.gz")
    assert {path.name.removesuffix(".m2.gz") for path in paths if not path.name.startswith("gold")} == set(RECORDINGS)
    assert len(recorded_parses(data)) == 8_780


@pytest.mark.parametrize("name", RECORDINGS)
def test_every_edit_and_type(data: Path, name: str) -> None:
    recorded = list(recorded_m2(data / "expected" / "errant" / "m2" / f"{name}.m2.gz"))
    system, _, option = name.partition(".")
    pairs = [(sentence.source, text) for sentence, text in zip(recorded, texts_of(data, system), strict=True)]
    extractor = Extractor(recorded_parses(data), words=known_words(), **OPTIONS[option and f".{option}"])  # type: ignore[arg-type]
    found = extractor.edits(pairs)
    for sentence, edits in zip(recorded, found, strict=True):
        assert [(edit.start, edit.end, *edit.corrections, edit.type) for edit in edits] == sentence.edits


def test_every_random_pair(data: Path) -> None:
    count = 0
    for source, target, levenshtein, edits in recorded_pairs(data):
        operations = align_pair(source, target, "lev" if levenshtein else "linguistic")
        spans = merge_operations(operations, source, target)
        assert [(*span, classify_span(source, target, span, known_words())) for span in spans] == edits
        count += 1
    assert count == 888
