"""Measures coverage and conservatism: estimates, test sets that are drawn, and word alignments of systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus.tokenisation import tokenise_as_conll
from errata.studies.conservatism import Conservatism
from errata.studies.coverage import MatchRule, estimate_sentences, read_corrections
from errata.studies.coverage.perfect import PerfectCorrector

from measuring import best_of

if TYPE_CHECKING:
    from pathlib import Path

    from errata import Corpus, System


def main(corpus: Corpus, systems: list[System], table: Path) -> None:
    sentences = read_corrections(table)
    seconds = best_of(2, lambda: estimate_sentences(sentences, MatchRule()))
    print(f"Distributions of {len(sentences)} sentences by linear program: {seconds:.2f} s (target: at most 2 s for 52)\n")
    corrector = PerfectCorrector(sentences, "maxmatch", tokenise_as_conll)
    seconds = best_of(1, lambda: [corrector.simulate(number, simulations=1000) for number in range(1, 21)])
    print(f"F of a perfect corrector, 1 to 20 references, 1,000 test sets each: {seconds:.0f} s (target: at most 180 s on 2 cores)\n")
    seconds = best_of(1, lambda: [Conservatism.of_annotators(corpus), *(Conservatism.of(corpus, system) for system in systems)])
    print(f"Conservatism of {len(systems)} systems and the annotators: {seconds:.1f} s (target: at most 5 s for 12 systems)\n")
