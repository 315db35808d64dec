"""Measures rewards and utilities: samples per second, with the whole call in Python; and the time of a matrix of utilities.

Samples are the outputs of all systems of a test set, each distinct one of a source once, with the correction of the first annotator as the
only reference.  Caches are empty: every source is prepared anew.
"""

from __future__ import annotations

import os
import pickle
import random
import time
from collections.abc import Sequence
from typing import NamedTuple

from errata import Corpus, Rewards, System, utilities
from errata.corpus.corpus import Annotation

from measuring import Row, best_of, lightly_edited, show


def distinct_samples(corpus: Corpus, systems: list[System]) -> tuple[list[str], list[str], list[str]]:
    """Outputs, sources and references."""
    samples: list[tuple[str, str, str]] = []
    for number, sentence in enumerate(corpus):
        annotation = next(iter(sentence.annotations), Annotation("0"))
        reference = " ".join(sentence.corrected(annotation))
        texts = dict.fromkeys(" ".join(system.sentences[number]) for system in systems)
        samples += ((text, sentence.text, reference) for text in texts)
    outputs, sources, references = map(list, zip(*samples, strict=True))
    return outputs, sources, references


def write_raw(text: str) -> str:
    """Write a tokenised text as people write it, about."""
    for token in (".", ",", "?", "!", "n't", "'s", ";", ":"):
        text = text.replace(f" {token}", token)
    return text


class Case(NamedTuple):
    name: str
    reward: Rewards
    outputs: list[str]
    references: Sequence[object]
    rounds: int = 7


def rewards_per_second(corpus: Corpus, systems: list[System]) -> None:
    outputs, sources, references = distinct_samples(corpus, systems)
    raw = list(map(write_raw, outputs))
    pairs = list(zip(references, sources, strict=True))
    cases = [
        Case("maxmatch", Rewards(), outputs, references),
        Case("maxmatch", Rewards(jobs=2), outputs, references),
        Case("maxmatch, kind=corpus", Rewards(kind="corpus"), outputs, references),
        Case("maxmatch, two references", Rewards(), outputs, pairs),
        Case("maxmatch, tokenise=source", Rewards(tokenise="source"), raw, references),
        Case("gleu", Rewards("gleu"), outputs, references, 2),
    ]
    rows: list[Row] = []
    for case in cases:
        wall, work = float("inf"), float("inf")
        for _ in range(case.rounds):
            reward = pickle.loads(pickle.dumps(case.reward))  # with an empty cache
            started, began = time.perf_counter(), time.process_time()
            assert len(reward(case.outputs, sources, case.references)) == len(outputs)
            wall, work = min(wall, time.perf_counter() - started), min(work, time.process_time() - began)
        speeds = [f"{len(outputs) / seconds:,.0f}" for seconds in (wall, work)]
        rows.append((case.name, case.reward.jobs, len(outputs), f"{1e6 * wall / len(outputs):.1f} µs", *speeds))
    show(
        f"Rewards (target: at least 20,000 samples per second on one core for MaxMatch with one reference; load {os.getloadavg()[0]:.1f})",
        ["Reward", "Jobs", "Samples", "A sample", "Samples per second", "per second of a core"],
        rows,
    )


def time_of_utilities(corpus: Corpus) -> None:
    draw = random.Random(1)
    sentence = min((one.tokens for one in corpus), key=lambda tokens: abs(len(tokens) - 23))
    words = sorted(set(sentence))
    rows: list[Row] = []
    for count in (8, 16, 64):
        samples = [" ".join(lightly_edited(sentence, words, draw)) for _ in range(count)]
        seconds = best_of(7, lambda samples=samples: utilities(samples, " ".join(sentence)))  # type: ignore[misc]
        slower = best_of(2, lambda samples=samples: utilities(samples, " ".join(sentence), "gleu"))  # type: ignore[misc]
        rows.append((f"{count} × {count}", f"{1e3 * seconds:.2f} ms", f"{1e6 * seconds / count**2:.1f} µs", f"{1e3 * slower:.1f} ms"))
    show(f"Utilities of samples of {len(sentence)} tokens", ["Matrix", "maxmatch", "A value", "gleu"], rows)


def main(corpus: Corpus, systems: list[System]) -> None:
    rewards_per_second(corpus, systems)
    time_of_utilities(corpus)
