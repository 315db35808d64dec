"""``errata coverage --metric``: the score of a perfect corrector on simulated test sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.inputs import subset_note, subset_record
from errata.cli.printing import print_json, print_tables, print_warning
from errata.errors import RequestError, pluralise
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.report import Cell
    from errata.studies.coverage.estimation import CorrectedSentence
    from errata.studies.coverage.perfect import PerfectCorrector, Simulation


def print_scores(options: argparse.Namespace, sentences: Sequence[CorrectedSentence], numbers: Sequence[int], *, of_corpus: bool) -> int:
    """Simulate test sets, score them and print the result."""
    from errata.corpus.tokenisation import tokenise_as_conll
    from errata.report import Column, Table
    from errata.report.progress import ProgressBar
    from errata.studies.coverage.perfect import SCORED_OUTPUTS, SENTENCES, WITHOUT_ERRORS, PerfectCorrector, make_sampling_signature

    others = bool(options.exclude_self) or of_corpus
    size = options.test_size if options.test_size is not None else SENTENCES
    flawless = options.error_free if options.error_free is not None else 0 if of_corpus else min(WITHOUT_ERRORS, size - 1)
    seed = options.seed or 0
    times = options.simulations if options.simulations is not None else 1000
    if others:
        numbers = _possible(numbers, max(sentence.answers for sentence in sentences) - 1)
    scored = options.scored_outputs if options.scored_outputs is not None else SCORED_OUTPUTS
    with ProgressBar("scoring corrections", len(sentences), in_core=True) as bar:
        tokenise = tokenise_as_conll if options.tokenise_corrections else None
        corrector = PerfectCorrector(sentences, options.metric, tokenise, bar.advance, scored=scored)
    with ProgressBar("simulating test sets", corrector.count_steps(times) * len(numbers), in_core=True) as bar:
        simulations = [
            corrector.simulate(
                number, sentences=size, without_errors=flawless, simulations=times, seed=seed, others=others, progress=bar.advance
            )
            for number in numbers
        ]
    metric = corrector.metric
    sampling = {
        "test_size": size,
        "error_free": flawless,
        "simulations": times,
        "seed": seed,
        "exclude_self": others,
        "tokenise": bool(options.tokenise_corrections),
    }
    signature = make_sampling_signature(corrector, options.gold, sentences, sampling)
    if options.chart:
        from errata.report.charts.coverage import score_chart
        from errata.report.charts.parts import save_chart

        save_chart(score_chart(simulations, metric.label), options.chart)
    if options.format == "json":
        entries = [
            {"references": item.references, "mean": item.mean, "central": item.central(), "bca": [item.interval.low, item.interval.high]}
            for item in simulations
        ]
        settings = {
            "metric": metric.signature,
            **sampling,
            "scored_outputs": None if corrector.counts_references_alone else scored,
            "signature": signature,
        }
        subset = subset_record(options.corpus) if options.corpus is not None else {}
        print_json({"errata": __version__, **settings, **subset, "scores": entries})
        return 0
    columns = (
        Column("References", "count", "references"),
        Column(metric.label, "percent", "mean"),
        *(
            Column(name, "percent", key)
            for name, key in (("95% low", "low"), ("95% high", "high"), ("BCa low", "bca_low"), ("BCa high", "bca_high"))
        ),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (item.references, item.mean, *item.central(), item.interval.low, item.interval.high) for item in simulations
    )
    drawn = f"{pluralise(size, 'sentence')}, {flawless:,} without errors, sampled from {pluralise(len(sentences), 'sentence')}"
    notes = (
        f"Means over {pluralise(times, 'test set')} of {drawn}.",
        "An output is never its own reference."
        if others
        else "Outputs and references are drawn from all answers, so an output can be its own reference, which raises the score; "
        "--exclude-self prevents this.",
        "95%: central range of the simulated scores.  BCa: bootstrap interval of the first simulated test set.",
        *_explain_scored(corrector, size - flawless, times),
        signature,
        _score_in_words(simulations),
        *(subset_note(options.corpus) if options.corpus is not None else ()),
    )
    print_tables([Table(columns, rows, "Score of a perfect corrector", notes)], options.format)
    return 0


def _explain_scored(corrector: PerfectCorrector, size: int, times: int) -> list[str]:
    """Say that outputs were resampled, if they were."""
    if corrector.counts_references_alone or corrector.scored >= size * times:
        return []
    what = f"{pluralise(corrector.scored, 'output')} scored with all references, for each number of references"
    return [f"Test sets are resampled from {what} (--scored-outputs)."]


def _possible(numbers: Sequence[int], most: int) -> list[int]:
    """The numbers of references that sentences can have, if an output is never its own reference."""
    possible = [number for number in numbers if number <= most]
    if not possible:
        raise RequestError(
            f"no sentence has more than {pluralise(most + 1, 'answer')}, so an output has at most {pluralise(most, 'reference')}"
        )
    if len(possible) < len(numbers):
        print_warning(f"no sentence has more than {pluralise(most + 1, 'answer')}; larger numbers of references are left out")
    return possible


def _score_in_words(simulations: Sequence[Simulation]) -> str:
    ends = {
        item.references: f"{100 * item.mean:.0f} with {pluralise(item.references, 'reference')}"
        for item in (simulations[0], simulations[-1])
    }
    return f"In words: a corrector that is always right would score {' and '.join(ends.values())} per sentence, not 100."
