"""The public data: gold, outputs, tables, and scores that are computed once."""

from __future__ import annotations

import csv
import gzip
import warnings
from functools import cache
from typing import TYPE_CHECKING

import errata

if TYPE_CHECKING:
    from pathlib import Path

    from errata import Corpus, Evaluator, Score, System

SYSTEMS_OF_2014 = ("AMU", "CUUI", "IITB", "IPN", "PKU", "RAC", "UFC")
"""Systems of CoNLL-2014 whose outputs are in the public folder."""
MODERN_SYSTEMS = ("BART", "GECToR-BERT", "REF-F", "Riken-Tohoku")
ALL_OUTPUTS = ("INPUT", *SYSTEMS_OF_2014, *MODERN_SYSTEMS)
GOLD = {
    "noalt": "official-2014.combined.m2",
    "alt": "official-2014.combined-withalt.m2",
}


class PublicData:
    """The folder that ``ERRATA_DATA`` names."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.gold = cache(self._read_gold)
        self.system = cache(self._read_system)
        self.evaluator = cache(self._make_evaluator)
        self.score = cache(self._score)

    def rows(self, path: str) -> list[dict[str, str]]:
        """Read a table of tab-separated values, which may be compressed."""
        content = (self.folder / path).read_bytes()
        text = (gzip.decompress(content) if path.endswith(".gz") else content).decode("utf-8")
        lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))

    def _read_gold(self, name: str) -> Corpus:
        """Read the gold of CoNLL-2014, without and with alternative answers."""
        return errata.read(self.folder / "conll14/gold" / GOLD[name])

    def _read_system(self, name: str) -> System:
        (path,) = (self.folder / "conll14").glob(f"[sm]*/{name}.txt")
        return errata.read_system(path)

    def _make_evaluator(self, gold: str, metric: str) -> Evaluator:
        return errata.Evaluator(self.gold(gold), metric)

    def _score(self, gold: str, system: str, metric: str = "maxmatch") -> Score:
        """Score an output on CoNLL-2014."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # about outputs that are known
            return self.evaluator(gold, metric)(self.gold(gold).fit(self.system(name=system)))
