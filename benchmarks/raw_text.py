"""Measures texts as models write them: scores of outputs that were detokenised and tokenised again, and the time of checks and tokenisers.

``python benchmarks/raw_text.py FOLDER...`` takes the outputs of CoNLL-2014 in folders, and needs sacremoses (``ERRATA_DATA`` has the gold).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from errata import Evaluator, read, read_system
from errata.corpus import find_tokeniser
from errata.corpus.checks import OutputChecks

from measuring import Row, best_of, show

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ERRATA_DATA", ROOT.parent / "shared" / "data")) / "conll14"
TOKENISERS = ("source", "ptb", "spacy", "whitespace")


def main(folders: list[str]) -> None:
    from sacremoses import MosesDetokenizer

    detokenise = MosesDetokenizer("en").detokenize
    gold = read(DATA / "gold" / "official-2014.combined.m2")
    official, checks = Evaluator(gold, warn=None), OutputChecks(gold)
    tokenisers = {name: find_tokeniser(name, gold) for name in TOKENISERS}
    sources = [sentence.tokens for sentence in gold]
    scores: list[Row] = []
    times: list[Row] = []
    for path in sorted(path for folder in folders for path in Path(folder).glob("*.txt")):
        system = read_system(path)
        texts = [detokenise(list(tokens)) for tokens in system.sentences]
        value = 100 * official(system).value
        row: list[str] = []
        spent: list[str] = [f"{1000 * best_of(5, lambda own=system: checks.find(own)):.1f}"]  # type: ignore[misc]
        for tokenise in tokenisers.values():

            def tokenise_all(tokenise: object = tokenise, texts: list[str] = texts) -> list[tuple[str, ...]]:
                return [tokenise(text, source) for text, source in zip(texts, sources, strict=True)]  # type: ignore[operator]

            made = tokenise_all()
            differing = sum(one != other for one, other in zip(made, system.sentences, strict=True))
            row.append(f"{100 * official(made).value - value:+.2f} ({differing:,})")
            spent.append(f"{1e6 * best_of(3, tokenise_all) / len(texts):.0f}")
        scores.append((path.stem, f"{value:.2f}", *row))
        times.append((path.stem, *spent))
    names = [tokenise.name for tokenise in tokenisers.values()]
    show("F0.5, and its difference after detokenising and tokenising (sentences with other tokens)", ["system", "F0.5", *names], scores)
    show("milliseconds of the checks, and microseconds of a tokeniser for a sentence", ["system", "checks", *names], times)


if __name__ == "__main__":
    main(sys.argv[1:] or [str(DATA / "systems"), str(DATA / "modern")])
