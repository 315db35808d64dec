"""Dahlmeier and Ng 2012, *Better Evaluation for Grammatical Error Correction*."""

from __future__ import annotations

from typing import TYPE_CHECKING

import errata
from errata import Corpus, Edit, Sentence

from reproducing.blocks import Listing, Missing, Section
from reproducing.figures import Absent, Claim, Figure
from reproducing.hoo_tool import score_oracle

if TYPE_CHECKING:
    from reproducing.public_data import PublicData

_SOURCE = "Our baseline system feeds word into PB-SMT pipeline ."
_OUTPUT = "Our baseline system feeds a word into PB-SMT pipeline ."
_TEAMS = "the outputs of the teams of HOO 2011"


def make_section(data: PublicData) -> Section:
    """Compare the figures of the paper."""
    gold = Corpus((Sentence.of(_SOURCE, [Edit(4, 5, ("a word", "words"))]),))
    hoo, maxmatch = (errata.score(gold, [_OUTPUT], metric).parts for metric in ("hoo", "maxmatch(beta=1)"))
    wdiff, best = score_oracle(data)
    rows: list[tuple[str, str, Figure | Claim]] = [
        ("Section 1", "*feeds word* → *feeds a word*: right edits by the HOO script", Figure("0", hoo["corrected"])),
        ("Section 2", "the same by MaxMatch, as *word* → *a word*", Figure("1", maxmatch["correct"])),
        (
            "Section 3",
            "correction F1 by MaxMatch and by the HOO scorer, without bonus",
            Claim("higher by MaxMatch for all systems", f"{best:.2f} and {wdiff:.2f} for the [oracle](#hoo)", best > wdiff),
        ),
    ]
    missing = [
        Absent("Section 3", "valid edits of UI: 155 and 141; of NU: 83 and 78", 4, _TEAMS),
        Absent(
            "Table 1", "P, R and F1 of the best run of each team, by both scorers", None, f"{_TEAMS}; the text that we have lacks the table"
        ),
        Absent("Table 2", "edits of both scorers in examples", None, "the same"),
        Absent("Figures 1, 2", "Levenshtein matrix and lattice of the example", None, "no numbers in the text that we have"),
    ]
    return Section(
        "MaxMatch: Dahlmeier and Ng (2012)",
        "*Better Evaluation for Grammatical Error Correction*; the metric is [`maxmatch`](maxmatch.md).",
        [Listing("Example and claim", rows), Missing("Not recomputed of Dahlmeier and Ng", missing)],
    )
