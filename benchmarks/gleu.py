"""Measures GLEU: all systems with 500 draws, growth with sentences and references, and against a plain implementation with counters."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from errata import Corpus, Evaluator, Sentence, System
from errata.corpus.corpus import extract_edits
from errata.metrics import draws
from errata.metrics.gleu import Gleu, _GleuScorer

from measuring import Row, best_of, lightly_edited, show

Tokens = tuple[str, ...]
_ITERATIONS = 500


def count_plainly(source: Tokens, reference: Tokens, hypothesis: Tokens) -> list[int]:
    """A row as the definition has it, with counters that are made anew for every system."""
    row = [len(hypothesis), len(reference)]
    for length in range(1, 5):
        own, before, wanted = (
            Counter(tokens[start : start + length] for start in range(len(tokens) - length + 1))
            for tokens in (hypothesis, source, reference)
        )
        punished = sum(min(times, before[ngram]) for ngram, times in own.items() if ngram not in wanted)
        row += [max(0, (own & wanted).total() - punished), max(0, len(hypothesis) + 1 - length)]
    return row


def score_plainly(sources: Sequence[Tokens], references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens]) -> list[list[int]]:
    """The sums of 500 draws, in loops."""
    rows = [[count_plainly(s, r, h) for r in own] for s, own, h in zip(sources, references, hypotheses, strict=True)]
    sums = []
    for iteration in range(_ITERATIONS):
        draw = random.Random(101 * iteration)
        total = [0] * 10
        for own in rows:
            total = [a + b for a, b in zip(total, own[int(draw.random() * len(own))], strict=True)]
        sums.append(total)
    return sums


def made(sentences: int, references: int) -> tuple[Corpus, System]:
    """Random sentences of 25 words with lightly edited references, and a system."""
    draw = random.Random(1)
    words = ["".join(draw.choice("aeioubcdfgklmnprst") for _ in range(draw.randint(2, 9))) for _ in range(5_000)]
    sources = [tuple(draw.choice(words) for _ in range(25)) for _ in range(sentences)]
    gold = [Sentence.of(text, *(extract_edits(text, lightly_edited(text, words, draw)) for _ in range(references))) for text in sources]
    return Corpus(tuple(gold)), System("made", tuple(lightly_edited(text, words, draw) for text in sources))


def main(corpus: Corpus, systems: Sequence[System]) -> None:
    def score_all() -> list[float]:
        draws._draw_shared.cache_clear()  # so that drawing is measured
        evaluate = Evaluator(corpus, "gleu")
        return [evaluate(system).value for system in systems]

    score_all()  # imports
    seconds = best_of(3, score_all)
    scorer = _GleuScorer(Gleu(), corpus)
    sources, references = [sentence.tokens for sentence in corpus], [list(own.values()) for own in scorer.references]
    plain = best_of(1, lambda: score_plainly(sources, references, systems[0].sentences))
    rows: list[Row] = [
        (f"{len(systems)} systems, 500 draws", f"{seconds:.2f} s", "at most 1 s for 12"),
        ("one of them", f"{1e3 * seconds / len(systems):.0f} ms", ""),
        ("one with counters, in plain loops", f"{plain:.2f} s", f"×{plain / (seconds / len(systems)):.0f}"),
    ]
    show("GLEU", ["What", "Time", "Target or ratio"], rows)
    growth = []
    for sentences, count in ((500, 2), (1000, 2), (2000, 2), (4000, 2), (1000, 1), (1000, 4), (1000, 8)):
        gold, system = made(sentences, count)
        prepared = best_of(2, lambda g=gold: Evaluator(g, "gleu"))  # type: ignore[misc]
        evaluate = Evaluator(gold, "gleu")
        evaluate(system)
        taken = best_of(2, lambda e=evaluate, s=system: e(s))  # type: ignore[misc]
        growth.append((sentences, count, f"{1e3 * prepared:.0f} ms", f"{1e3 * taken:.0f} ms", f"{1e6 * taken / sentences:.0f} µs"))
    show("Growth of GLEU, sentences of 25 tokens", ["Sentences", "References", "Gold", "A system", "A sentence"], growth)  # type: ignore[arg-type]
