"""Measures metrics: a system of a test set, native against twin, growth with every dimension, and the command from a cold start.

Numbers are of one run on one core; compare ratios and growth, not milliseconds of different machines.
With the CoNLL-2014 data (``ERRATA_DATA``, default ../shared/data) real systems are measured, without it the example corpus, repeated.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import coverage
import detection
import errant_commands
import faithfulness
import gate
import gleu
import meta
import mixtures
import page
import resampling
import rewards
import scale
import serving
from errata import Corpus, System, _core, read, read_system
from errata.core import python as python_core
from errata.metrics.maxmatch import MaxMatch, MaxMatchScorer

import imeasure
from measuring import best_of, lightly_edited, show

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ERRATA_DATA", ROOT.parent / "shared" / "data"))
Case = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[int, int, tuple[tuple[str, ...], ...]], ...]]


def test_set() -> tuple[Corpus, list[System], list[str]]:
    """A test set of 1,312 sentences with two annotators, and systems."""
    gold = DATA / "conll14" / "gold" / "official-2014.combined.m2"
    if gold.is_file():
        paths = sorted((DATA / "conll14").glob("[sm]*/*.txt"))
        return read(gold), [read_system(path) for path in paths], [str(gold), *map(str, paths)]
    print(f"no data at {DATA}: the example corpus, repeated to 1,312 sentences, stands in\n")
    gold = ROOT / "examples" / "learner.m2"
    corpus, paths = read(gold), sorted((ROOT / "examples" / "systems").glob("*.txt"))
    size = 1312
    repeated = Corpus((corpus.sentences * (size // len(corpus) + 1))[:size])
    systems = [System(system.name, (system.sentences * (size // len(corpus) + 1))[:size]) for system in map(read_system, paths)]
    return repeated, systems, [str(gold), *map(str, paths)]


def one_system_at_a_time(corpus: Corpus, systems: list[System]) -> None:
    scorer = MaxMatch().scorer(corpus)
    literal = MaxMatch(ignore_case_and_space=True).scorer(corpus)
    rows = []
    for system in systems:
        hypotheses = list(system.sentences)
        seconds = best_of(5, lambda hypotheses=hypotheses: scorer.prepare(hypotheses).rows(0, len(hypotheses)))  # type: ignore[misc]
        slower = best_of(2, lambda hypotheses=hypotheses: literal.prepare(hypotheses).rows(0, len(hypotheses)))  # type: ignore[misc]
        rows.append((system.name, f"{1e3 * seconds:.1f} ms", f"{1e6 * seconds / len(corpus):.1f} µs", f"{1e3 * slower:.1f} ms"))
    show(
        f"Core time for a system of {len(corpus):,} sentences (target: at most 20 ms)",
        ["System", "counts", "a sentence", "with the very edits (ignore_case_and_space)"],
        rows,  # type: ignore[arg-type]
    )


def the_long_sentence(corpus: Corpus, systems: list[System]) -> None:
    scorer = MaxMatch().scorer(corpus)
    number, system = max(
        ((n, s) for s in systems for n in range(len(corpus))),
        key=lambda pair: len(corpus[pair[0]].tokens) * len(pair[1].sentences[pair[0]]),
    )
    bart = next((s for s in systems if s.name == "BART"), system)
    rows = []
    for which in dict.fromkeys((system.name, bart.name)):
        tokens = next(s for s in systems if s.name == which).sentences[number]
        seconds = best_of(20, lambda tokens=tokens: scorer.prepare([tokens], number).rows(number, number + 1))  # type: ignore[misc]
        rows.append((which, number + 1, f"{len(corpus[number].tokens)} × {len(tokens)}", f"{1e3 * seconds:.2f} ms"))
    show("The longest sentence (target: single-digit milliseconds)", ["System", "Sentence", "Tokens", "Time"], rows)  # type: ignore[arg-type]


def native_against_twin(corpus: Corpus, systems: list[System]) -> None:
    sys.path.insert(0, str(ROOT / "tests"))
    from official_rule import official_counts

    sample = [number for number in range(0, len(corpus), 8) if len(corpus[number].tokens) <= 30]
    scorer = MaxMatchScorer(MaxMatch(), corpus)
    cases = core_sentences(scorer, sample)
    rows = []
    for system in systems[:: max(1, len(systems) // 4)]:
        hypotheses = [system.sentences[number] for number in sample]
        native, twin = _core.MaxMatchJudge(cases, 2), python_core.MaxMatchJudge(cases, 2)
        fast = best_of(5, lambda h=hypotheses, j=native: j.counts(0, h))  # type: ignore[misc]
        slow = best_of(1, lambda h=hypotheses, j=twin: j.counts(0, h))  # type: ignore[misc]
        short = [k for k in range(len(sample)) if len(cases[k][0]) * len(hypotheses[k]) <= 400][:40]
        started = time.perf_counter()
        for k in short:
            for gold in cases[k][1]:
                official_counts(cases[k][0], hypotheses[k], gold, 2)
        written_out = time.perf_counter() - started
        alone = best_of(5, lambda h=hypotheses, j=native, s=short: [j.counts(k, [h[k]]) for k in s])  # type: ignore[misc]
        assert native.counts(0, hypotheses) == twin.counts(0, hypotheses)
        rows.append((system.name, f"{slow / fast:,.0f}", f"{written_out / alone:,.0f}"))
    show(
        "Times faster than ... (same counts, one run)",
        ["System", "the plain-Python twin", "the official rule written out (cubic), short sentences"],
        rows,  # type: ignore[arg-type]
    )


def core_sentences(
    scorer: MaxMatchScorer, numbers: list[int]
) -> list[tuple[tuple[str, ...], tuple[tuple[tuple[int, int, tuple[tuple[str, ...], ...]], ...], ...]]]:
    return [
        (
            scorer.corpus[number].tokens,
            tuple(
                tuple((edit.start, edit.end, tuple(tuple(text.split()) for text in edit.corrections)) for edit in annotation.edits)
                for annotation in scorer.annotations[number]
            ),
        )
        for number in numbers
    ]


def random_case(length: int, kind: str, seed: int = 1) -> Case:
    """A sentence whose hypothesis is lightly edited, another sentence of the same words, or shares no word with it."""
    draw = random.Random(seed)
    words = [f"w{k}" for k in range(500)]
    source = tuple(draw.choice(words) for _ in range(length))
    if kind == "lightly edited":
        hypothesis = lightly_edited(source, words, draw)
    elif kind == "another sentence":
        hypothesis = tuple(draw.choice(words) for _ in range(length))
    else:
        hypothesis = tuple(f"x{draw.choice(words)}" for _ in range(length))
    gold = tuple(
        (start, min(length, start + draw.randrange(3)), ((hypothesis[min(start, len(hypothesis) - 1)],), ()))
        for start in range(0, length, 10)
    )
    return source, hypothesis, gold


def growth_with_length() -> None:
    kinds = ["lightly edited", "another sentence", "no word in common"]
    rows = []
    lengths = [125, 250, 500, 1000, 2000]
    before: dict[str, float] = {}
    for length in lengths:
        row: list[str | int] = [length]
        for kind in kinds:
            source, hypothesis, gold = random_case(length, kind)
            judge = _core.MaxMatchJudge([(source, (gold, gold))], 2)
            seconds = best_of(2, lambda j=judge, h=hypothesis: j.counts(0, [h]))  # type: ignore[misc]
            factor = f"  ×{seconds / before[kind]:.1f}" if kind in before else ""
            before[kind] = seconds
            row.append(f"{1e3 * seconds:.1f} ms{factor}")
        rows.append(tuple(row))
    show("Growth with sentence length, two annotators (quadratic: ×4 a line)", ["Tokens", *kinds], rows)  # type: ignore[arg-type]
    code = f"import sys; sys.path.insert(0, {str(ROOT / 'benchmarks')!r}); import run; run.peak_memory()"
    print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def peak_memory() -> None:
    """In a process of its own: the most memory for 2,000 tokens against 2,000."""
    for kind in ("lightly edited", "another sentence", "no word in common"):
        source, hypothesis, gold = random_case(2000, kind)
        _core.MaxMatchJudge([(source, (gold, gold))], 2).counts(0, [hypothesis])
    print(f"Peak memory at 2,000 × 2,000 tokens: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB (target: below 500 MB)")


def growth_with_sentences_and_annotators() -> None:
    cases = [random_case(25, "lightly edited", seed) for seed in range(2000)]
    rows = []
    for count in (500, 1000, 2000, 4000, 8000):
        chosen = [cases[k % len(cases)] for k in range(count)]
        judge = _core.MaxMatchJudge([(source, (gold, gold)) for source, _, gold in chosen], 2)
        hypotheses = [hypothesis for _, hypothesis, _ in chosen]
        seconds = best_of(3, lambda j=judge, h=hypotheses: j.counts(0, h))  # type: ignore[misc]
        rows.append((count, f"{1e3 * seconds:.1f} ms", f"{1e6 * seconds / count:.1f} µs"))
    show("Growth with sentences of 25 tokens, two annotators", ["Sentences", "Time", "A sentence"], rows)  # type: ignore[arg-type]
    rows = []
    hypotheses = [hypothesis for _, hypothesis, _ in cases]
    for annotators in (1, 2, 4, 8, 16):
        judge = _core.MaxMatchJudge([(source, (gold,) * annotators) for source, _, gold in cases], 2)
        seconds = best_of(3, lambda j=judge: j.counts(0, hypotheses))  # type: ignore[misc]
        rows.append((annotators, f"{1e3 * seconds:.1f} ms", f"{1e6 * seconds / len(cases) / annotators:.1f} µs"))
    show("Growth with annotators, 2,000 sentences", ["Annotators", "Time", "A sentence and annotator"], rows)  # type: ignore[arg-type]


def the_whole_command(paths: list[str]) -> None:
    command = [str(Path(sys.executable).parent / "errata"), "score", *paths]

    def run() -> None:
        subprocess.run(command, capture_output=True, check=True)

    version = [command[0], "--version"]
    rows = [
        (f"errata score GOLD and {len(paths) - 1} systems", f"{best_of(5, run):.2f} s"),
        ("errata --version", f"{best_of(5, lambda: subprocess.run(version, capture_output=True, check=True)):.2f} s"),
    ]
    show("The whole command from a cold start (target: at most 0.6 s for 12 systems)", ["Command", "Wall time"], rows)  # type: ignore[arg-type]
    seconds = best_of(3, lambda: read(paths[0]))
    print(f"Reading {Path(paths[0]).name}: {1e3 * seconds:.0f} ms\n")


def essays_to_m2() -> None:
    from errata.formats import read_nucle

    official = DATA / "conll13" / "original" / "data" / "official.sgml"
    path = official if official.is_file() else ROOT / "examples" / "essays.sgml"
    count = path.read_text(encoding="utf-8").count("<DOC ")
    seconds = best_of(3, lambda: read_nucle([path], profile="conll13", warn=lambda _: None))
    print(f"SGML to M2, {count} essays: {seconds:.2f} s (target: at most 1 s for 50)\n")


def main() -> None:
    corpus, systems, paths = test_set()
    one_system_at_a_time(corpus, systems)
    the_long_sentence(corpus, systems)
    native_against_twin(corpus, systems)
    growth_with_sentences_and_annotators()
    growth_with_length()
    if (DATA / "conll14" / "annotators").is_dir():
        mixtures.growth_with_annotators(DATA, systems)
    imeasure.main(corpus, systems)
    resampling.main(corpus, systems)
    rewards.main(corpus, systems)
    gate.main(corpus, systems, gate.FEW_PAIRS)
    detection.main()
    crowd = DATA / "crowd" / "crowd_corrections.tsv"
    coverage.main(corpus, systems, crowd if crowd.is_file() else ROOT / "examples" / "corrections.tsv")
    gleu.main(corpus, systems)
    faithfulness.main()
    errant_commands.main(DATA)
    page.main(paths, systems[0].name, "people")
    scale.measure()
    serving.main()
    meta.measure()
    essays_to_m2()
    the_whole_command(paths)


if __name__ == "__main__":
    main()
