"""The scorers of the Helping Our Own tasks, on a system that applies the first correction of every gold edit of 2011 (an oracle)."""

from __future__ import annotations

import csv
import re
from functools import cache
from typing import TYPE_CHECKING

import errata
from errata.formats import HooCounts, HooScores, count_edits
from errata.formats.hoo import HooDocument, read_documents

from reproducing.blocks import Grid, Listing, Missing, Recordings, Section
from reproducing.figures import Absent, Figure, Recording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reproducing.public_data import PublicData

_SCORES = ("detection", "recognition", "correction")
_PARTS = {"precision": "precision", "recall": "recall", "f": "fscore"}
_LETTERS = {"precision": "P", "recall": "R", "f": "F"}
_MEANS_OF_2011 = ("0.8840", "0.8851", "0.8842", "0.6323", "0.6095", "0.6201", "0.6181", "0.5964", "0.6065")
"""P, R and F of detection, recognition and correction, as the tool of 2011 prints their means with bonus."""


@cache
def score_oracle(data: PublicData) -> tuple[float, float]:
    """Compute the correction F1 (in %) of the oracle without bonus: edits by wdiff, and by MaxMatch."""
    folder = data.folder / "hoo2011"
    gold = errata.read(folder / "gold", source=folder / "raw", warn=lambda _: None)
    oracle = errata.read_system(folder / "oracle", gold=gold, source=folder / "raw")
    wdiff = HooScores.of(_count(data, "oracle"), bonus=False).correction.f
    return 100 * wdiff, 100 * errata.score(gold, oracle, "maxmatch(beta=1)").value


def make_section(data: PublicData) -> Section:
    """Compare the figures that the original tools print."""
    found = _count(data, "oracle")
    nothing = HooCounts()
    for document in _read(data, "oracle-edits"):
        nothing = nothing.plus(count_edits(document.gold, []))
    rewarded = HooScores.of(nothing, bonus=True).correction
    rows = [("oracle", name.replace("_", " "), Figure(text, found._asdict()[name])) for name, text in _read_counts(data).items()]
    rows += [
        ("no change", "missed optional", Figure("73", nothing.missed_optional)),
        ("no change", "recall of correction, with bonus", Figure("0.07178", rewarded.recall)),
        ("no change", "F of correction, with bonus", Figure("0.13394", rewarded.f)),
    ]
    return Section(
        "HOO",
        "The original tools of 2011 and 2012, on the 18 documents of HOO 2011; the metric is [`hoo`](shared-tasks.md#hoo).\n"
        "The system is an oracle: it applies the first correction of every gold edit.",
        [
            Listing("Counts of HOO", rows),
            Grid(
                "Scores of the oracle",
                ("", *(f"{name} {part}" for name in _SCORES for part in _LETTERS.values())),
                list(_compare_scores(data)),
            ),
            Recordings("Edits and single documents", [_compare_edits(data), *_compare_documents(data)]),
            Missing(
                "Not recomputed of HOO",
                [Absent("HOO 2011, HOO 2012", "results of the teams", None, "the teams' outputs; the test set of 2012 is not public")],
            ),
        ],
    )


def _compare_scores(data: PublicData) -> Iterator[tuple[str, list[Figure]]]:
    """Compare P, R and F as the tools print them: over all documents, and averaged as in 2011."""
    counts = _count(data, "oracle")
    for regime, bonus in (("nobonus", False), ("bonus", True)):
        recorded, scores = _read_results(data, regime), HooScores.of(counts, bonus=bonus)
        yield (
            f"2012, {'with' if bonus else 'without'} bonus",
            [Figure(recorded[name, _PARTS[part]], getattr(getattr(scores, name), part)) for name in _SCORES for part in _PARTS],
        )
    documents = [count_edits(document.gold, document.system, "2011") for document in _read(data, "oracle")]
    scores = HooScores.mean(HooScores.of(own, bonus=True, of_nothing=0.0) for own in documents)
    values = [getattr(getattr(scores, name), part) for name in _SCORES for part in _PARTS]
    yield "2011, mean of documents, with bonus", [Figure(text, value) for text, value in zip(_MEANS_OF_2011, values, strict=True)]


def _read(data: PublicData, system: str) -> list[HooDocument]:
    folder = data.folder / "hoo2011"
    source = [str(folder / "raw")] if system == "oracle" else []
    return read_documents([str(folder / "gold")], [str(folder / system)], source, warn=lambda _: None)


def _count(data: PublicData, system: str) -> HooCounts:
    total = HooCounts()
    for document in _read(data, system):
        total = total.plus(count_edits(document.gold, document.system))
    return total


def _read_counts(data: PublicData) -> dict[str, str]:
    text = (data.folder / "hoo2011/oracle.bonus.xml").read_text(encoding="utf-8")
    return {name: text.partition(f"<{name}>")[2].partition("<")[0] for name in HooCounts._fields}


def _read_results(data: PublicData, regime: str) -> dict[tuple[str, str], str]:
    """Read what the tool of 2012 printed, shortened to four digits."""
    text = (data.folder / f"hoo2011/oracle.{regime}.xml").read_text(encoding="utf-8")
    found: dict[tuple[str, str], str] = {}
    for name in _SCORES:
        own = text.partition(f"<{name}>")[2].partition(f"</{name}>")[0]
        found |= {(name, part): f"{float(value):.4f}" for part, value in re.findall(r"<(\w+)>([\d.]+)<", own)}
    return found


def _compare_edits(data: PublicData) -> Recording:
    pairs: list[tuple[object, object]] = []
    for one, other in zip(_read(data, "oracle-edits"), _read(data, "oracle"), strict=True):
        recorded, found = ([(e.start, e.end, e.original, e.corrections) for e in document.system] for document in (one, other))
        pairs += zip(recorded, found, strict=True) if len(recorded) == len(found) else [(edit, None) for edit in recorded]
    return Recording.of("edits of the oracle that wdiff extracts: offsets, text and correction", pairs)


def _compare_documents(data: PublicData) -> Iterator[Recording]:
    for regime, bonus in (("nobonus", False), ("bonus", True)):
        with (data.folder / f"hoo2011/oracle.2011-macro.{regime}.csv").open(encoding="utf-8", newline="") as file:
            recorded = {row["File"]: row for row in csv.DictReader(file, skipinitialspace=True)}
        pairs: list[tuple[object, object]] = []
        for document in _read(data, "oracle-edits"):
            scores = HooScores.of(count_edits(document.gold, document.system, "2011"), bonus=bonus, of_nothing=0.0)
            for name in _SCORES:
                for part, written in (("precision", "precision"), ("recall", "recall"), ("f", "score")):
                    value = float(recorded[document.name][f"{name}{written}"])
                    pairs.append((round(value, 9), round(getattr(getattr(scores, name), part), 9)))
        yield Recording.of(f"P, R and F of single documents, rules of 2011, {'with' if bonus else 'without'} bonus", pairs)
