"""The recorded numbers are those of other programs and of rules written out, and what errata gives now."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

from errata import Accuracy, MaxMatch, score
from errata.cli.diagnosis import _DATA, _load_example, _load_numbers
from errata.language.types import find_word_list
from errata.metrics import METRICS
from errata.metrics.maxmatch import _make_core_edit

from official_rule import official_counts
from record_doctor_numbers import ORIGINS, record, write

NUMBERS = json.loads((_DATA / "numbers.json").read_text(encoding="utf-8"))


def test_every_metric_has_numbers_with_their_origin() -> None:
    own = {name for name in METRICS if METRICS.is_own(name)}
    assert set(NUMBERS["metrics"]) == own == set(ORIGINS)
    assert {name: one["origin"] for name, one in NUMBERS["metrics"].items()} == ORIGINS


def test_numbers_of_maxmatch_are_those_of_the_official_rule() -> None:
    """The rule counts every annotator of every sentence as the rows that the choice is made among."""
    gold, system = _load_example()
    result = score(gold, system)
    for index, sentence in enumerate(gold):
        for annotation, row in zip(sentence.annotations, result.evidence.rows[index], strict=True):
            edits = tuple(map(_make_core_edit, annotation.edits))
            assert row == official_counts(sentence.tokens, system.sentences[index], edits, MaxMatch().max_unchanged)
    assert NUMBERS["metrics"]["maxmatch"]["counts"] == list(result.counts)


def test_sentences_that_equal_a_reference_are_counted_by_hand() -> None:
    """Sentence 8, with the first annotator, and 11, with the first; all others have an error more or less."""
    gold, system = _load_example()
    equal = [index + 1 for index, row in enumerate(score(gold, system, Accuracy()).evidence.rows) if any(one[0] for one in row)]
    assert equal == [8, 11]
    assert NUMBERS["metrics"]["accuracy"]["counts"] == [2, 12]


def test_numbers_of_errant_are_those_of_its_own_command() -> None:
    try:
        distribution("errant")
    except PackageNotFoundError:
        pytest.skip("the package errant is not installed: pip install 'errata[errant]'")
    program = Path(sys.executable).with_name("errant_compare")
    command = [sys.executable, str(program), "-ref", str(_DATA / "gold.m2"), "-hyp", str(_DATA / "system.m2")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert [int(count) for count in printed.splitlines()[3].split()[:3]] == NUMBERS["metrics"]["errant"]["counts"] == [14, 8, 10]


def test_the_edits_of_the_system_are_the_recorded_ones() -> None:
    _, system = _load_example()
    assert system.edits is not None
    written = [[[edit.start, edit.end, edit.type, *edit.corrections] for edit in edits] for edits in system.edits]
    assert written == _load_numbers()["edits"]["edits"]


@pytest.mark.slow
@pytest.mark.parametrize("core", ["native", "python"])
def test_both_cores_give_the_recorded_numbers(core: str) -> None:
    code = "from errata.cli.diagnosis import _check_metrics\nprint({one.name: one.state for one in _check_metrics().observations})"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "ERRATA_CORE": core}, capture_output=True, text=True, check=True)
    assert set(ast.literal_eval(done.stdout).values()) == {"ok"}


@pytest.fixture
def _fresh() -> Iterator[None]:
    find_word_list.cache_clear()
    yield
    find_word_list.cache_clear()


@pytest.mark.usefixtures("_fresh")
def test_nothing_was_recorded_by_hand() -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'errata[errant]'")
    pytest.importorskip("errant", reason="the package errant is not installed")
    if find_word_list().fingerprint != NUMBERS["word_list"]["hash"]:
        pytest.skip("another release of errant is installed")
    assert write(record()) == (_DATA / "numbers.json").read_text(encoding="utf-8")
