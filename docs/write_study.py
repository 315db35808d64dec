"""Writes ``metrics-and-people.md``: which metric agrees with people, on which data, with which settings.

It reads the public data that ``ERRATA_DATA`` names (default ``../shared/data``).  ``make study`` runs it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from errata.studies.meta.evaluation import _list_decided_pairs

from progress import tell
from study_results import BOTH, DataSet, Row
from study_texts import (
    Compared,
    conclude,
    correct_rows,
    describe_best,
    describe_needed,
    write_comparisons,
    write_interval,
    write_number,
    write_table,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PAGE = Path(__file__).parent / "metrics-and-people.md"
DATA_SETS = ("GJG15", "SEEDA-E", "SEEDA-S")
_MIX, _SINGLE = "references=mix", "references=single"
METRICS = (
    "maxmatch",
    *(f"maxmatch(beta={beta})" for beta in ("0.1", "0.2", "1")),
    *(f"maxmatch(choice={choice})" for choice in ("sentence", "optimal")),
    f"maxmatch({_MIX})",
    *(f"maxmatch({more},{_MIX})" for more in ("beta=0.1", "beta=0.2", "beta=1", "choice=optimal")),
    "errant",
    *(f"errant({more})" for more in ("beta=1", "choice=optimal", "gold=text", "level=ds", "level=ds,beta=1", "level=ds,gold=text")),
    *(f"errant(level={level})" for level in ("dt", "cse")),
    "hoo",
    *(f"hoo({more})" for more in ("score=detection", "score=recognition", "edits=maxmatch")),
    "gleu",
    *(f"gleu(variant={name})" for name in ("official_py3", "expectation", "expected_counts", "best_reference", "corrected")),
    *(f"gleu(variant={name})" for name in ("gleuofficial", "official_2016may", "original_2016mar", "original_2015jun")),
    "imeasure",
    *(f"imeasure({more})" for more in (_SINGLE, "baseline=existing", f"{_SINGLE},baseline=existing")),
    "accuracy",
    *(f"accuracy({more})" for more in (_MIX, "normalise=words")),
    "indexmatch",
    "indexmatch(positions=formal)",
)
"""All rows of the tables, by metric; what is not written is as by default."""
DEFAULTS = tuple(name for name in METRICS if "(" not in name)


class Question(NamedTuple):
    """A question that comparisons answer: pairs of metrics, each with its annotators; the first of a pair is the one asked about."""

    title: str
    text: str
    pairs: tuple[tuple[tuple[str, str], tuple[str, str]], ...]


def _both(*pairs: tuple[str, str]) -> tuple[tuple[tuple[str, str], tuple[str, str]], ...]:
    return tuple(((one, BOTH), (other, BOTH)) for one, other in pairs)


QUESTIONS = (
    Question(
        "Does mixing references help?",
        "The corrections of both annotators are mixed, error by error, or each annotator is a reference.",
        _both(
            (f"maxmatch({_MIX})", "maxmatch"),
            ("imeasure", f"imeasure({_SINGLE})"),
            (f"accuracy({_MIX})", "accuracy"),
        ),
    ),
    Question(
        "Does the optimal choice help?",
        "A reference is chosen for each sentence: as the official scorer does, the best for the corpus, or the best for the sentence.\n"
        "Scores of single sentences are those of the best reference, whatever the choice, so accuracies do not differ.",
        _both(
            ("maxmatch(choice=optimal)", "maxmatch"),
            ("maxmatch(choice=sentence)", "maxmatch"),
            (f"maxmatch(choice=optimal,{_MIX})", f"maxmatch({_MIX})"),
            ("errant(choice=optimal)", "errant"),
        ),
    ),
    Question(
        "Does the baseline of I-measure matter?",
        "The source is aligned with the reference alone, as in the public scorer, or together with the output, as in the paper.",
        _both(
            ("imeasure(baseline=existing)", "imeasure"),
            (f"imeasure({_SINGLE},baseline=existing)", f"imeasure({_SINGLE})"),
        ),
    ),
    Question(
        "Which beta?",
        "Less than 1 gives precision more weight than recall; 0.5 is the default.",
        _both(
            *((f"maxmatch(beta={beta})", "maxmatch") for beta in ("0.1", "0.2", "1")),
            ("errant(beta=1)", "errant"),
        ),
    ),
    Question(
        "Are two references better than one?",
        "The corrections of both annotators, against those of one of them.",
        tuple(((metric, BOTH), (metric, one)) for metric in ("maxmatch", "gleu", "imeasure", "accuracy") for one in ("0", "1")),
    ),
    Question(
        "How should gold be prepared for ERRANT?",
        "Edits of gold are extracted one by one (the default), or from reference texts.\n"
        "Levels compare spans with corrections (the default) or spans alone.",
        _both(("errant(gold=text)", "errant"), ("errant(level=ds)", "errant")),
    ),
)


def find_data() -> Path:
    """Find the folder of public data."""
    return Path(os.environ.get("ERRATA_DATA", Path(__file__).parents[2] / "shared" / "data"))


def write_row(row: Row) -> list[str]:
    """Write the cells of a metric."""
    r = row.correlations["pearson"]
    own = row.sentences
    return [
        f"`{row.metric}`",
        write_interval(r.value, r.low, r.high),
        write_number(row.without_copy),
        *(write_number(row.correlations[name].value) for name in ("spearman", "kendall")),
        write_interval(own.accuracy, own.accuracy_low, own.accuracy_high),
        write_number(row.tied),
        write_interval(own.tau, own.tau_low, own.tau_high),
    ]


ROW_HEADER = ("Metric", "Pearson", "without INPUT", "Spearman", "Kendall", "Accuracy", "Ties", "Tau")


def write_page(data_sets: Sequence[DataSet]) -> str:
    """Compute everything, and write the page."""
    rows = {own.name: _describe_all(own) for own in data_sets}
    by_data: dict[str, list[Compared]] = {}
    best, answers, tables = [], [], []
    for own in data_sets:
        tell(f"{own.name}: comparing defaults")
        by_data[own.name] = own.compare_all(DEFAULTS)
        best += [*_describe_best(own.name, rows[own.name], by_data[own.name]), ""]
        tables += [f"### {own.name}", "", write_table(ROW_HEADER, map(write_row, rows[own.name]), 1), ""]
    for question in QUESTIONS:
        tell(question.title)
        found = correct_rows([own.compare(*pair) for pair in question.pairs for own in data_sets])
        for row in found:
            by_data[row.data].append(row)
        answers += [f"### {question.title}", "", question.text, "", *conclude(found), "", write_comparisons(found), ""]
    needed = [describe_needed(own.name, len(own.systems), by_data[own.name]) for own in data_sets]
    parts = [
        _BEGINNING,
        _describe_data(data_sets),
        _BEST,
        _write_defaults(rows),
        "",
        *best,
        _ANSWERS,
        *answers,
        _NEEDED,
        *needed,
        _TABLES,
        *tables,
    ]
    return "\n".join(parts).rstrip("\n") + "\n"


def _describe_all(own: DataSet) -> list[Row]:
    found = []
    for number, metric in enumerate(METRICS, start=1):
        tell(f"{own.name}: {metric} ({number} of {len(METRICS)})")
        found.append(own.describe(metric))
    return found


def _write_defaults(rows: Mapping[str, Sequence[Row]]) -> str:
    """Write the values of all metrics as by default, on all data sets."""
    header = ["Metric", *(f"{name} {what}" for name in rows for what in ("Pearson", "accuracy", "tau"))]
    cells = []
    for metric in DEFAULTS:
        own = [next(row for row in every if row.metric == metric) for every in rows.values()]
        values = [(row.correlations["pearson"].value, row.sentences.accuracy, row.sentences.tau) for row in own]
        cells.append([f"`{metric}`", *(write_number(value) for three in values for value in three)])
    return write_table(header, cells, 1)


def _describe_best(name: str, every: Sequence[Row], compared: Sequence[Compared]) -> list[str]:
    """Say which metrics are the best on a data set: as by default, and of all settings."""
    rows = [row for row in every if row.metric in DEFAULTS]
    r, accuracy = ({row.metric: measure(row) for row in rows} for measure in (_find_r, _find_accuracy))
    over = max(rows, key=_find_r).correlations["pearson"]
    own = max(rows, key=_find_tau)
    most, fewest = (choose(rows, key=lambda row: row.tied) for choose in (max, min))
    best_r, best_tau = max(every, key=_find_r), max(every, key=_find_tau)
    tau = write_interval(own.sentences.tau, own.sentences.tau_low, own.sentences.tau_high)
    return [
        f"**{name}.**",
        describe_best("correlation", r, compared, lambda row: row.williams, "Williams' test"),
        f"Its interval over systems is {write_interval(over.value, over.systems_low, over.systems_high)}.",
        describe_best("accuracy on sentences", accuracy, compared, lambda row: row.p, "test by swapping"),
        f"`{own.metric}` has the highest tau on sentences, {tau}.",
        f"`{fewest.metric}` ties {write_number(fewest.tied)} of the pairs, `{most.metric}` {write_number(most.tied)}.",
        f"Of all {len(every)} settings, `{best_r.metric}` has the highest correlation, {write_number(_find_r(best_r))}.",
        f"Of all {len(every)} settings, `{best_tau.metric}` has the highest tau, {write_number(_find_tau(best_tau))}.",
    ]


def _find_r(row: Row) -> float:
    return _or_lowest(row.correlations["pearson"].value)


def _find_accuracy(row: Row) -> float:
    return _or_lowest(row.sentences.accuracy)


def _find_tau(row: Row) -> float:
    return _or_lowest(row.sentences.tau)


def _or_lowest(value: float | None) -> float:
    """What is undefined is never the best."""
    return -1.0 if value is None else value


def _describe_data(data_sets: Sequence[DataSet]) -> str:
    rows = []
    for own in data_sets:
        items = own.judged.items
        names = sorted((system.name for system in own.systems), key=own.human.values.__getitem__, reverse=True)
        pairs = _list_decided_pairs(items, own.judged.places, names, "collapsed", "neither")
        counts = (len(own.judged.numbers), len(own.judged.judged_numbers), len(items), len({item.judge for item in items}))
        everyone = len(own.human.values)
        rows.append(
            [
                own.name,
                ", ".join(names),
                f"{len(names)} of {everyone}",
                *(f"{count:,}" for count in (*counts, len(pairs.outcome), pairs.tied)),
            ]
        )
    header = (
        "Data",
        "Systems, by people from best to worst",
        "Public",
        "Sentences scored",
        "Judged",
        "Items",
        "Judges",
        "Pairs",
        "Ties of people",
    )
    return write_table(header, rows, 2)


_BEGINNING = """\
# Which metric agrees with people

This page has every metric of errata, with its settings, on three sets of public judgments of the CoNLL-2014 test set.
[Metrics against people](meta.md) explains correlations, agreement on sentences, intervals and tests.

`make study` writes this page, tables and conclusions, in some minutes.
It needs `errata[errant]`, which it installs, and the public data in the folder that `ERRATA_DATA` names (default `../shared/data`).
Random numbers have fixed seeds, so a repetition gives the same page.
`errata meta` computes single rows, here the first ones of two [tables](#tables):

```sh
cd ../shared/data
errata meta conll14/gold/official-2014.combined.m2 conll14/systems/*.txt --judgments judgments/gjg15.tsv.gz --first-sentence 0 -m maxmatch
errata meta conll14/gold/official-2014.combined.m2 conll14/systems/INPUT.txt conll14/modern/*.txt \\
    --judgments judgments/seeda-edit.tsv.gz --first-sentence 0 --judged-only -m maxmatch
```

## Data

GJG15 are the judgments of Grundkiewicz et al. (2015), SEEDA-E and SEEDA-S those of Kobayashi et al. (2024), of edits and of sentences.
Gold has two annotators.
INPUT is the source text, unchanged, and REF-F was written by experts, who rewrote sentences to be fluent.
SEEDA judged a part of the sentences, and metrics are computed on these alone.

**Only the outputs of these systems are public here, so the tables below have fewer systems than the papers.**
[Published correlations](reproduction.md#metrics-against-people) with all 13 systems (GJG15) or 12 (SEEDA) need published scores.
Scores by people use all judgments, those of other systems too.
"""
_TABLES = """
## Tables

What a name does not say is as by default; `errata metrics NAME` lists the settings.

| Column | Meaning |
| --- | --- |
| Pearson, Spearman, Kendall | correlation with expected wins; the interval (95%) is what other sentences would give for the same systems |
| without INPUT | Pearson's r without the system that changes nothing |
| Accuracy | share of pairs of outputs of which metric and judge prefer the same one; a tie of the metric does not agree |
| Ties | share of pairs that the metric ties, for example because both outputs have no right edit |
| Tau | share of pairs that agree less the share that disagrees |

UCCASIM and DISTSIM are not in the tables, because they need semantic graphs of the outputs, which are not public.
"""
_BEST = """
## Which metric?

All metrics as by default; [tables](#tables) with all settings and intervals are below.
Pearson's r is over systems, accuracy and tau are over pairs of outputs of a sentence.
A tie lowers accuracy as much as a wrong preference, and tau half as much.
They are compared in pairs, and p-values are corrected by Holm's method over all pairs of a data set.
What is the best of all settings was chosen with a look at the judgments, so on other data it may not be.
"""
_ANSWERS = """\
## Which settings?

Each question has planned comparisons on all data sets.
Δ is the difference, with its interval (95%) over sentences; more than 0 means that *Metric* agrees better with people than *Compared with*.
p-values below .05 are called significant; they are corrected by Holm's method over all comparisons of a question.
Intervals are not corrected.
*Systems needed* is with how many systems Williams' test would be significant, without correction, if correlations stayed the same.
It is missing if this test is significant with the present systems, or with no number up to 10,000.
"""
_NEEDED = """\
## What so few systems cannot decide

Intervals over sentences say nothing about other systems; intervals over systems and the two tests on systems do.
Williams' test assumes normal distributions, which so few systems cannot show.
If two metrics are similar, it may be significant for a very small difference.
SEEDA-E and SEEDA-S judge the same outputs, so they are not independent.
"""


def main() -> None:
    """Write the page."""
    data = find_data()
    if not data.is_dir():
        raise SystemExit(f"no data at {data}; set ERRATA_DATA")
    PAGE.write_text(write_page([DataSet(name, data) for name in DATA_SETS]), encoding="utf-8")
    tell(f"written: {PAGE.name}")


if __name__ == "__main__":
    main()
