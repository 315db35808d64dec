"""The official scorer (m2scorer, release 3.2) on CoNLL-2014: published scores, and counts that were recorded from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import errata

from reproducing.blocks import Grid, Missing, Recordings, Section
from reproducing.figures import Absent, Figure, Recording
from reproducing.public_data import MODERN_SYSTEMS, SYSTEMS_OF_2014

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reproducing.public_data import PublicData

_SEEDA = ("SEEDA", "M2")
_IGNORING = "maxmatch(ignore_case_and_space=true)"


def make_section(data: PublicData) -> Section:
    """Compare published scores and recorded counts."""
    published = {row["team"]: row for row in data.rows("published/conll2014_results.tsv")}
    columns = ("System", *(f"{name}{end}" for end in ("", ", alternative answers") for name in ("P", "R", "F0.5")))
    rows = [
        (name, [figure for gold in ("noalt", "alt") for figure in _compare(data, name, gold, published[name])]) for name in SYSTEMS_OF_2014
    ]
    later = {
        row["system"]: row["score"]
        for row in data.rows("expected/metaevaluation/published_scores.tsv")
        if (row["benchmark"], row["metric"]) == _SEEDA
    }
    modern = [(name, [Figure(later[name], 100 * data.score("noalt", name).value)]) for name in ("INPUT", *MODERN_SYSTEMS)]
    hidden = [name for name in published if name not in SYSTEMS_OF_2014]
    missing = [
        Absent("Ng et al. 2014", f"P, R and F0.5 of {', '.join(hidden)}", 6 * len(hidden), "their outputs; that of NARA was never public"),
        Absent("SEEDA", "F0.5 of the other systems", len(later) - len(modern), "their outputs"),
    ]
    return Section(
        "Official scorer: CoNLL-2014",
        "Release 3.2 of m2scorer; the metric is [`maxmatch`](maxmatch.md).\n"
        "Published scores are those of the shared task (Ng et al. 2014) and of SEEDA (Kobayashi et al. 2024), in %.",
        [
            Grid("Results of the shared task", columns, rows),
            Grid("Later systems", ("System", "F0.5"), modern),
            Recordings("Counts of the official scorer", [*_compare_counts(data), *_compare_ignoring(data)], _RECORDED_TEXT),
            Missing("Not recomputed of CoNLL-2014", missing),
        ],
    )


_RECORDED_TEXT = """\
Correct, proposed and gold edits of every sentence and annotator, and the annotator that was chosen.
The recordings lack sentence 333 of BART, which the official scorer did not finish in 90 s, and the choices after it."""


def _compare(data: PublicData, name: str, gold: str, row: dict[str, str]) -> list[Figure]:
    parts, value = data.score(gold, name).parts, data.score(gold, name).value
    found = (parts["precision"], parts["recall"], value)
    return [Figure(row[f"{column}_{gold}"], 100 * own) for column, own in zip(("P", "R", "F05"), found, strict=True)]


def _compare_counts(data: PublicData) -> Iterator[Recording]:
    for gold, what in (("noalt", "two annotators"), ("alt", "with alternative answers")):
        counts: list[tuple[object, object]] = []
        choices: list[tuple[object, object]] = []
        paths = sorted((data.folder / "expected/maxmatch").glob(f"*.{gold}.tsv"))
        for path in paths:
            evidence = data.score(gold, path.name.split(".")[0]).evidence
            chosen = evidence.chosen or ()
            known = True
            for row in data.rows(f"expected/maxmatch/{path.name}"):
                if row["correct"] == "NA":
                    known = False
                    continue
                number = int(row["sentence"])
                place = evidence.labels[number].index(row["annotator"])
                counts.append((tuple(int(row[key]) for key in ("correct", "proposed", "gold")), evidence.rows[number][place]))
                if known:
                    choices.append((row["chosen"] == "1", chosen[number] == place))
        yield Recording.of(f"{len(paths)} outputs, {what}: counts", counts)
        yield Recording.of(f"{len(paths)} outputs, {what}: choices", choices)


def _compare_ignoring(data: PublicData) -> Iterator[Recording]:
    pairs: list[tuple[object, object]] = []
    for name in SYSTEMS_OF_2014:
        evidence = data.score("noalt", name, _IGNORING).evidence
        for row in data.rows(f"bootstrap/{name}.tsv"):
            number = int(row["sentence"])
            own = evidence.rows[number][evidence.labels[number].index(row["annotator"])]
            pairs.append((tuple(int(row[key]) for key in ("correct", "proposed", "gold")), own))
    yield Recording.of("7 outputs, case and white space ignored: counts", pairs)
    folder = data.folder / "bootstrap"
    gold = errata.read(folder / "perfect_M2_gold.m2", lenient=True, warn=lambda _: None)
    rows = errata.score(gold, errata.read_system(folder / "perfect_M2_output.txt"), _IGNORING).evidence.rows
    recorded: dict[int, list[tuple[int, ...]]] = {}
    for row in data.rows("bootstrap/perfect-2.tsv"):
        recorded.setdefault(int(row["sentence"]), []).append(tuple(int(row[key]) for key in ("correct", "proposed", "gold")))
    sample = [(recorded[number], list(own)) for number, own in enumerate(rows)]
    yield Recording.of("released sample of a perfect corrector, case and white space ignored: sentences", sample)
