"""Choshen and Abend, section 3: how many corrections a sentence has, and what a perfect corrector scores."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

import errata
from errata.corpus.tokenisation import tokenise_as_conll
from errata.studies.coverage import (
    Coverage,
    Distribution,
    MatchRule,
    compute_coverage,
    count_frequencies,
    estimate,
    estimate_sentences,
    read_corrections,
)
from errata.studies.coverage.perfect import GoldShape, PerfectCorrector

from reproducing.blocks import Grid, Listing, Recordings
from reproducing.figures import Cause, Claim, Figure, Recording
from reproducing.public_data import SYSTEMS_OF_2014

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.studies.coverage import CorrectedSentence

    from reproducing.blocks import Block
    from reproducing.public_data import PublicData

Row = tuple[str, str, Figure | Claim]
_TABLE_1 = {0.0: ("1351.24", "1"), 0.001: ("74.34", "0.75"), 0.01: ("8.72", "0.58"), 0.1: ("1.35", "0.37")}
SHORTEST, LONGEST = 6, 15
"""Tokens of a sentence, by the paper."""
_IGNORING = "maxmatch(ignore_case_and_space=true)"
_SAMPLED = Cause("random numbers", "The authors drew references at random; errata computes the expectation.")
_DIFFERENT = Cause(
    "another method",
    "The authors drew references until M were different; errata takes the number of draws that gives M different ones on average.",
)
_FEW = Cause(
    "unknown",
    "With up to three references the authors' samples differ from the expectation by three standard errors of 1,000 samples and more.",
)
_COLLISIONS = Cause(
    "error in the paper",
    "The authors named files by the first six letters of a sentence, so that 52 sentences gave 48 files; none was left out.",
)
_FEW_REFERENCES = 3
_INSERTIONS = Cause(
    "not specified",
    "The published counts of index matches distinguish inserted words. "
    "By the formal definition of the paper, which does not, it is {:.2f}.",
)
_OTHER_INDEX = Cause("unknown", "The counts of some files were made otherwise; no rule is known that gives all of them.")
_EXACT_ONLY = Cause("not specified", "It holds for index match, not for exact match.")
_EDITS = Cause(
    "not specified",
    "The authors extracted edits of the answers with rules of their own, from texts that were not tokenised; "
    "errata tokenises them and takes the edits that match best.",
)
_BOOTSTRAP = Cause("random numbers", "Bootstrap replicates of the authors, and others of errata.")


def list_coverage_blocks(data: PublicData) -> list[Block]:
    """Compare the figures of section 3."""
    table_1 = [
        (f"more probable than {gamma:g}", [Figure(variants, _estimate(data).variants(gamma)), Figure(mass, _estimate(data).mass(gamma))])
        for gamma, (variants, mass) in _TABLE_1.items()
    ]
    return [
        Listing("Crowd-sourced corrections", list(_compare_data(data))),
        Grid("Table 1", ("Corrections", "Mean number", "Mass"), table_1, "Estimated from the published counts of corrections."),
        Recordings("Released counts and estimates", [_compare_estimates(data), *_compare_answers(data), _compare_index(data)]),
        Grid("Figure 2", ("References", *_list_columns()), list(_compare_figure_2(data)), _FIGURE_2_TEXT),
        Listing("Sections 3.4 to 3.6", list(_compare_text(data))),
        Grid("Figure 3: the released sample", ("F0.5", "Low", "High"), [_compare_sample(data)], _SAMPLE_TEXT),
        Listing("Figure 3: simulated test sets", list(_compare_simulations(data))),
        Grid("Figure 4", ("System", "F0.5, low", "F0.5, high"), list(_compare_figure_4(data)), _FIGURE_4_TEXT),
    ]


_FIGURE_2_TEXT = "*Sampled with replacement*: references may repeat; *without*: they are all different."
_SAMPLE_TEXT = "The authors released the test set with two references (M = 2); bounds are BCa intervals, 95%."
_FIGURE_4_TEXT = "Case and white space are ignored, as in the authors' scores; bounds are BCa intervals, 95%, in %."


@cache
def _estimate(data: PublicData) -> Coverage:
    """Estimate the distributions from the published counts of corrections."""
    rows = data.rows("crowd/unseenest/fingerprints_of_published_exact.tsv")
    return Coverage(tuple(estimate([int(n) for n in row["fingerprint"].split(",")], row["file_prefix"]) for row in rows))


def _read_published(data: PublicData, match: str) -> dict[str, Distribution]:
    """Read the published estimates of distributions."""
    found: dict[str, list[tuple[float, float]]] = {}
    for row in data.rows(f"crowd/unseenest/published_output_{match}.tsv"):
        found.setdefault(row["file_prefix"], []).append((float(row["frequency"]), float(row["variants"])))
    return {name: Distribution(*np.array(rows).T) for name, rows in found.items()}


@cache
def _read_answers(data: PublicData) -> Sequence[CorrectedSentence]:
    return read_corrections(data.folder / "crowd/crowd_corrections.tsv")


def _compare_data(data: PublicData) -> Iterator[Row]:
    rows = data.rows("crowd/sentences.tsv")
    lengths = [len(row["source"].split()) for row in rows]
    answers = [sum(sentence.corrections.values()) for sentence in _read_answers(data)]
    yield "Section 3.2", "sentences", Figure("52", len(rows))
    holds = min(lengths) >= SHORTEST and max(lengths) <= LONGEST
    yield "Section 3.2", "tokens of a sentence", Claim(f"{SHORTEST} to {LONGEST}", f"{min(lengths)} to {max(lengths)}", holds)
    yield "Section 3.2", "corrections of a sentence (median)", Figure("50", float(np.median(answers)))
    yield "Section 3.2", "distributions that were estimated", Figure("48", len(_estimate(data).distributions))
    files = len({row["file_prefix"] for row in rows})
    published = Claim("4 sentences that need no correction", f"{files} file names for {len(rows)} sentences", files != 48, _COLLISIONS)
    yield "Section 3.2", "what was left out", published
    shape = GoldShape.of(data.gold("noalt"))
    yield "Section 3.4", "sentences of the test set", Figure("1312", shape.sentences)
    yield "Section 3.4", "of these without corrections", Figure("136", shape.without_errors)


def _compare_estimates(data: PublicData) -> Recording:
    ours = dict(zip(_read_published(data, "exact"), _estimate(data).distributions, strict=True))
    published = _read_published(data, "exact")
    differences = [
        np.abs(own.frequencies * own.variants - published[name].frequencies * published[name].variants).sum() / 2
        for name, own in ours.items()
    ]
    return Recording.of(
        "distributions of 48 files that differ by a total variation of at most .001", [(True, bool(d <= 0.001)) for d in differences]
    )


def _compare_answers(data: PublicData) -> Iterator[Recording]:
    """Compare how many corrections were given once, twice, ..., after each normalisation."""
    recorded = data.rows("crowd/unseenest/fingerprints_from_corrections.tsv")
    for released, name in (("norm2016", "words2016"), ("norm_final", "words")):
        own = {sentence.name: _count_times(sentence, MatchRule(normalise=name)) for sentence in _read_answers(data)}  # type: ignore[arg-type]
        pairs = [(row["fingerprint"], own[row["sentence_id"]]) for row in recorded if row["normalisation"] == released]
        yield Recording.of(f"how many corrections were given once, twice, ...: 52 sentences, `normalise={name}`", pairs)


def _count_times(sentence: CorrectedSentence, sameness: MatchRule) -> str:
    """Write how many different corrections were given once, twice, and so on."""
    key = sameness.key(sentence)
    counts: Counter[object] = Counter()
    for text, times in sentence.corrections.items():
        counts[key(text)] += times
    return ",".join(str(number) for number in count_frequencies(counts.values()))


def _compare_index(data: PublicData) -> Recording:
    """Compare the counts of index matches; a file that several sentences share is equal if it is that of one of them."""
    prefixes = {row["sentence_id"]: row["file_prefix"] for row in data.rows("crowd/sentences.tsv")}
    sameness = MatchRule("index", "words2016")
    own: dict[str, set[str]] = {}
    for sentence in _read_answers(data):
        own.setdefault(prefixes[sentence.name], set()).add(_count_times(sentence, sameness))
    rows = data.rows("crowd/unseenest/fingerprints_of_published_index.tsv")
    return Recording.of(
        "the same by index match: 48 files", [(True, row["fingerprint"] in own[row["file_prefix"]]) for row in rows], _OTHER_INDEX
    )


def _list_columns() -> list[str]:
    return [f"{match}, {how}" for match in ("exact", "index") for how in ("with replacement", "without")]


def _compare_figure_2(data: PublicData) -> Iterator[tuple[str, list[Figure | None]]]:
    coverages = {"exact": _estimate(data), "index": Coverage(tuple(_read_published(data, "index").values()))}
    printed: dict[int, list[Figure | None]] = {}
    for row in data.rows("published/figure2_accuracy.tsv"):
        number, coverage = int(row["M"]), coverages[row["match"]]
        for column, distinct in (("authors_sampled_with_replacement", False), ("authors_sampled_without_replacement", True)):
            few = number <= (1 if distinct else _FEW_REFERENCES)
            cause = _FEW if few else _DIFFERENT if distinct else _SAMPLED
            figure = Figure(f"{float(row[column]):.3f}", coverage.accuracy(number, distinct=distinct), cause)
            printed.setdefault(number, []).append(figure)
    for number, figures in printed.items():
        yield str(number), figures


def _compare_text(data: PublicData) -> Iterator[Row]:
    exact, index = _estimate(data), Coverage(tuple(_read_published(data, "index").values()))
    many = exact.variants()
    yield "Section 1", "corrections of a sentence", Claim("over 1000", f"{many:.0f}", many > 1000)
    twenty = exact.accuracy(20)
    yield "Section 3.4", "accuracy with 20 references", Figure("0.5", twenty)
    yield "Section 3.4", "slope around 20 references", Figure("0.004", twenty - exact.accuracy(19))
    five = index.accuracy(5)
    formal = compute_coverage(estimate_sentences(_read_answers(data), MatchRule("index", "words2016", "formal"))).accuracy(5)
    cause = _INSERTIONS._replace(text=_INSERTIONS.text.format(formal))
    yield "Section 3.4", "index match with 5 references", Claim("no less than 0.5", f"{five:.2f}", five >= 0.5, cause)
    distinct = exact.accuracy(20, distinct=True), index.accuracy(20, distinct=True)
    text = "{:.2f} exact, {:.2f} index".format(*distinct)
    yield "Section 3.4", "20 references without replacement", Claim("above 0.7", text, min(distinct) > 0.7, _EXACT_ONLY)
    two = exact.accuracy(2)
    yield "Section 3.6", "accuracy with 2 references", Claim("lower than 0.5", f"{two:.2f}", two < 0.5)
    yield "Section 3.4", "F0.5 of a perfect corrector, 2 references (released sample)", Figure("0.42", _score_sample(data).value)


@cache
def _score_sample(data: PublicData) -> errata.Score:
    folder = data.folder / "bootstrap"
    gold = errata.read(folder / "perfect_M2_gold.m2", lenient=True, warn=lambda _: None)
    return errata.score(gold, errata.read_system(folder / "perfect_M2_output.txt"), _IGNORING)


def _read_intervals(data: PublicData) -> dict[str, tuple[float, float]]:
    rows = data.rows("published/authors_bca_intervals.tsv")
    return {row["name"]: (100 * float(row["F05_low"]), 100 * float(row["F05_high"])) for row in rows}


def _compare_bounds(score: errata.Score, published: tuple[float, float]) -> list[Figure]:
    (found,) = errata.compute_intervals([score.evidence])
    return [Figure(f"{bound:.1f}", 100 * own, _BOOTSTRAP) for bound, own in zip(published, (found.low, found.high), strict=True)]


def _compare_sample(data: PublicData) -> tuple[str, list[Figure]]:
    return "M = 2", _compare_bounds(_score_sample(data), _read_intervals(data)["perfect_output_for_2_sgss.m2"])


def _compare_simulations(data: PublicData) -> Iterator[Row]:
    published = _read_intervals(data)
    corrector = PerfectCorrector(_read_answers(data), "maxmatch", tokenise_as_conll)
    for number in range(1, 11):
        low, high = published[f"perfect_output_for_{number}_sgss.m2"]
        mean = 100 * corrector.simulate(number, simulations=100).mean
        what = f"F0.5 with {number} {'reference' if number == 1 else 'references'}: mean of 100 test sets"
        yield "Figure 3", what, Claim(f"{low:.1f} to {high:.1f}", f"{mean:.1f}", low <= mean <= high, _EDITS)


def _compare_figure_4(data: PublicData) -> Iterator[tuple[str, list[Figure | None]]]:
    published = _read_intervals(data)
    for name in SYSTEMS_OF_2014:
        yield name, [*_compare_bounds(data.score("noalt", name, _IGNORING), published[name])]
