"""``errata coverage`` and ``errata conservatism``: how many corrections sentences have, and how much systems change."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from errata import __version__
from errata.cli.inputs import add_corpus_arguments, add_system_arguments, corpus_from, subset_note, subset_record, systems_from
from errata.cli.printing import TABLE, print_json, print_tables, print_warning
from errata.cli.vocabulary import add_format, add_option, add_options, is_given, whole_number
from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.corpus.texts import parse_ranges
from errata.errors import RequestError, UsageError, pluralise

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus, System
    from errata.metrics.base import Metric
    from errata.report.table import Cell
    from errata.scoring.scores import Score
    from errata.studies.conservatism import Conservatism
    from errata.studies.coverage.estimation import CorrectedSentence, Coverage, CoverageIntervals, MatchRule, Range, SentenceEstimate
    from errata.studies.coverage.perfect import PerfectCorrector, PerfectScore, Simulation


_COVERAGE_EXAMPLES = """\
examples:
  errata coverage examples/corrections.tsv
  errata coverage examples/corrections.tsv --match index --reference-counts 1-5
  errata coverage examples/corrections.tsv --confidence --replicates 50
  errata coverage examples/corrections.tsv --matched-sentences 3
  errata coverage examples/corrections.tsv --per-sentence --format csv
  errata coverage examples/corrections.tsv -m maxmatch --simulations 100
  errata coverage examples/corrections.tsv \\
      --chart coverage.svg --worth-chart worth.svg

CORRECTIONS is a table (TSV, CSV, JSON Lines or Parquet) with the columns
sentence, correction and count, perhaps source; or a corpus with several
references.
Two corrections are the same if they are equal after --normalise; with --match
index if they change the same words of the source.
With -m, a perfect corrector is scored by that metric on simulated test sets.
"""
_MOST_DRAWN = 100
_MOST_REFERENCES = 999_999


def _register_coverage(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "coverage",
        help="estimate what a perfect corrector would score",
        description="Estimate how many corrections sentences have, and what a perfect corrector\nwould score with few references.",
        epilog=_COVERAGE_EXAMPLES,
    )
    add_corpus_arguments(parser, name="CORRECTIONS", also="table of corrections; or ")
    add_option(parser, "--missing", "; of a corpus (default: what it is found to follow, else absent)")
    add_options(parser, "--table", "--match", "--normalise", "--positions")
    add_option(parser, "--metric", "; scores a perfect corrector on simulated test sets", default=None)
    add_option(parser, "--reference-counts", default="1,2,5,10,20")
    add_options(parser, "--target-accuracy", "--matched-sentences", "--matched-references", "--test-size", "--error-free")
    add_options(
        parser,
        "--simulations",
        "--scored-outputs",
        "--exclude-self",
        "--tokenise-corrections",
        "--worth-chart",
        "--reward",
        "--penalty",
        "--confidence",
    )
    add_option(parser, "--replicates", " (default 100)", type=whole_number(0, 10_000))
    add_options(parser, "--seed", "--per-sentence", "--chart")
    add_format(parser, TABLE)
    parser.set_defaults(run=_run_coverage, corpus=None)


def _run_coverage(options: argparse.Namespace) -> int:
    from errata.report.progress import ProgressBar
    from errata.report.tables.coverage import CoverageTables, flat_coverage_table
    from errata.studies.coverage.estimation import MatchRule, compute_coverage, estimate_sentences

    numbers = _numbers(options.reference_counts)
    _check(options)
    _wanted(options)
    if options.metric is not None:
        return _print_scores(options, _skip_single_answers(_sentences(options)), numbers, of_corpus=_is_corpus(options))
    same = MatchRule(options.match or "exact", options.normalise or "words", options.positions or "published")
    sentences = _skip_single_answers(_sentences(options))
    with ProgressBar("estimating", len(sentences)) as bar:
        estimates = estimate_sentences(sentences, same, bar.advance)
    coverage = compute_coverage(estimates)
    _warn(estimates)
    if options.chart:
        _draw(options, same, estimates, numbers)
    if options.worth_chart:
        _draw_worth(options, coverage, numbers)
    intervals = _intervals(options, estimates, numbers)
    if options.format == "json":
        print_json(_record_coverage(options, same, estimates, coverage, numbers, intervals))
    elif options.format == "csv" and not options.per_sentence:
        print_tables([flat_coverage_table(_record_coverage(options, same, estimates, coverage, numbers, intervals))], "csv")
    elif options.per_sentence:
        print_tables([CoverageTables(estimates, coverage, numbers, _wanted(options), same).sentence_table()], options.format)
    else:
        matched = (options.matched_sentences, _matched_references(options)) if options.matched_sentences is not None else None
        tables = CoverageTables(estimates, coverage, numbers, _wanted(options), same, intervals, matched).tables()
        if options.corpus is not None:
            tables[-1] = replace(tables[-1], notes=(*tables[-1].notes, *subset_note(options.corpus)))
        print_tables(tables, options.format)
    return 0


def _check(options: argparse.Namespace) -> None:
    """Refuse what would be ignored."""
    from errata.report.charts.parts import check_chart_path

    if options.seed is not None and options.metric is None and options.confidence is None:
        raise UsageError("--seed needs --confidence, which adds intervals, or --metric, which simulates test sets")
    for name in ("reward", "penalty"):
        if (value := getattr(options, name)) is not None and not math.isfinite(value):
            raise UsageError(f"--{name} must be a number, found {value}")
    for path in (options.chart, options.worth_chart):
        if path:
            check_chart_path(path)


def _wanted(options: argparse.Namespace) -> list[float]:
    from errata.report.tables.coverage import LEVELS

    if options.target_accuracy is None:
        return list(LEVELS)
    try:
        shares = [float(part) for part in options.target_accuracy.split(",")]
    except ValueError:
        shares = [0.0]
    if not all(0 < share < 1 for share in shares):
        raise UsageError(f"--target-accuracy must be shares between 0 and 1, such as 0.5,0.9, found {options.target_accuracy[:60]!r}")
    return shares


def _numbers(text: str) -> list[int]:
    expected = f"--reference-counts must be a list of numbers from 1 to {_MOST_REFERENCES:,}, such as 1,2,5 or 1-20"
    numbers: list[int] = []
    for item in parse_ranges(text, expected, "--reference-counts"):
        if not 1 <= item.low <= item.high <= _MOST_REFERENCES:
            raise UsageError(f"{expected}, found {item.text!r}")
        if item.high - item.low > _MOST_DRAWN:
            raise UsageError(f"--reference-counts may have up to {_MOST_DRAWN} numbers in a row, found {item.text}")
        numbers += range(item.low, item.high + 1)
    return list(dict.fromkeys(numbers))


def _sentences(options: argparse.Namespace) -> list[CorrectedSentence]:
    from errata.corpus.annotators import DETECT
    from errata.studies.coverage.estimation import collect_corrections, read_corrections

    if _is_corpus(options):
        options.corpus = corpus_from(options)
        return collect_corrections(options.corpus, options.missing or DETECT)
    if given := next(
        (
            name
            for name in ("--unit", "--lenient", "--max-tokens", "--sentences", "--missing")
            if is_given(options.parser.options[name], options)
        ),
        None,
    ):
        raise UsageError(f"{given} needs a corpus, and {options.gold} is a table of corrections")
    return read_corrections(options.gold, format=options.table, warn=print_warning)


def _is_corpus(options: argparse.Namespace) -> bool:
    return (
        bool(options.reference or options.source)
        or options.input_format is not None
        or (options.table is None and not _is_table(options.gold))
    )


def _is_table(path: str) -> bool:
    """Whether a file is a table of corrections, by its extension; else it is a corpus."""
    from errata.formats.lines import without_compression
    from errata.formats.tables import TABULAR_FORMATS

    return without_compression(path.lower()).rpartition(".")[2] in TABULAR_FORMATS


def _skip_single_answers(sentences: list[CorrectedSentence]) -> list[CorrectedSentence]:
    enough = [sentence for sentence in sentences if sentence.answers > 1]
    if len(enough) < len(sentences):
        print_warning(f"{len(sentences) - len(enough):,} of {pluralise(len(sentences), 'sentence')} skipped: only one answer")
    if not enough:
        raise RequestError("every sentence has only one answer, which says nothing about other corrections")
    return enough


def _matched_references(options: argparse.Namespace) -> int:
    return options.matched_references if options.matched_references is not None else 2


def _draw(options: argparse.Namespace, same: MatchRule, estimates: Sequence[SentenceEstimate], numbers: Sequence[int]) -> None:
    """Draw the accuracy by exact and by index match, unless --match says which; index match needs the sources."""
    from errata.report.charts.coverage import accuracy_chart
    from errata.report.charts.parts import save_chart
    from errata.studies.coverage.estimation import compute_coverage, estimate_sentences

    most = max(20, *numbers)
    if most > _MOST_DRAWN:
        print_warning(f"the chart ends at {_MOST_DRAWN} references")
        most = _MOST_DRAWN
    coverages: dict[str, Coverage] = {same.match: compute_coverage(estimates)}
    sentences = [item.sentence for item in estimates]
    if options.match is None and all(sentence.source for sentence in sentences):
        coverages["index"] = compute_coverage(estimate_sentences(sentences, replace(same, match="index")))
    elif options.match is None:
        print_warning("the chart has no line for index match, which needs the source of every sentence")
    save_chart(accuracy_chart(coverages, most), options.chart)


def _draw_worth(options: argparse.Namespace, coverage: Coverage, numbers: Sequence[int]) -> None:
    from errata.report.charts.coverage import worth_chart
    from errata.report.charts.parts import save_chart

    accuracies = [(number, coverage.accuracy(number)) for number in numbers]
    lines = [(f"{value:.2f} (M = {number})", value) for number, value in accuracies]
    reward, penalty = options.reward if options.reward is not None else 1.0, options.penalty if options.penalty is not None else 0.0
    save_chart(worth_chart(lines, reward, penalty), options.worth_chart)


def _warn(estimates: Sequence[SentenceEstimate]) -> None:
    """One warning for each reason why estimates are unreliable."""
    reasons: dict[str, list[str]] = {}
    for item in estimates:
        if item.warning:
            reasons.setdefault(item.warning, []).append(item.sentence.name)
    for reason, names in reasons.items():
        count = f"{len(names):,} of {pluralise(len(estimates), 'sentence')}"
        print_warning(f"unreliable estimates for {count}, the first is {names[0]!r}: {reason} (--per-sentence lists them)")


def _intervals(options: argparse.Namespace, estimates: Sequence[SentenceEstimate], numbers: Sequence[int]) -> CoverageIntervals | None:
    from errata.report.progress import ProgressBar
    from errata.studies.coverage.estimation import compute_coverage_intervals

    if options.confidence is None:
        return None
    replicates = _replicates(options)
    with ProgressBar("drawing answers anew", replicates * len(estimates)) as bar:
        return compute_coverage_intervals(
            estimates, numbers, level=options.confidence, replicates=replicates, seed=options.seed or 0, progress=bar.advance
        )


def _replicates(options: argparse.Namespace) -> int:
    from errata.studies.coverage.estimation import DEFAULT_REPLICATES

    return options.replicates if options.replicates is not None else DEFAULT_REPLICATES


def _record_coverage(
    options: argparse.Namespace,
    same: MatchRule,
    estimates: Sequence[SentenceEstimate],
    coverage: Coverage,
    numbers: Sequence[int],
    intervals: CoverageIntervals | None,
) -> dict[str, Any]:
    from dataclasses import asdict

    from errata.studies.coverage.estimation import GAMMAS, correct_accuracy, count_accuracy

    def ends(interval: Range | None) -> list[float] | None:
        return list(interval) if interval is not None else None

    distribution = [
        {
            "above": gamma,
            "corrections": coverage.variants(gamma),
            "corrections_interval": ends(intervals.corrections[index] if intervals else None),
            "mass": coverage.mass(gamma),
            "mass_interval": ends(intervals.mass[index] if intervals else None),
        }
        for index, gamma in enumerate(GAMMAS)
    ]
    accuracy = [
        {
            "references": number,
            "counted": counted._asdict() if (counted := count_accuracy(estimates, number)) else None,
            "accuracy": coverage.accuracy(number),
            "accuracy_interval": ends(intervals.accuracy[index] if intervals else None),
            "deviation": coverage.matches(number).deviation,
            "central": list(coverage.matches(number).central()),
            "distinct": coverage.accuracy(number, distinct=True),
            "distinct_interval": ends(intervals.distinct[index] if intervals else None),
        }
        for index, number in enumerate(numbers)
    ]
    record: dict[str, Any] = {
        "errata": __version__,
        "same": asdict(same),
        "sentences": len(estimates),
        **(subset_record(options.corpus) if options.corpus is not None else {}),
        "distribution": distribution,
        "accuracy": accuracy,
        "references_needed": {str(level): coverage.references_for(level) for level in _wanted(options)},
    }
    if intervals is not None:
        record["classical_intervals"] = {
            "chao1": list(intervals.chao1),
            "jackknife": list(intervals.jackknife),
            "good_turing": list(intervals.good_turing),
        }
        record["intervals"] = {"level": options.confidence, "replicates": _replicates(options), "seed": options.seed or 0}
    if options.matched_sentences is not None:
        references = _matched_references(options)
        matches = coverage.matches(references)
        sides = {side: matches.p_value(options.matched_sentences, side) for side in ("less", "greater", "two-sided")}
        corrected = correct_accuracy(options.matched_sentences / len(estimates), matches.accuracy)
        record["matched"] = {"matched": options.matched_sentences, "references": references, "p": sides, "corrected_accuracy": corrected}
    if options.per_sentence:
        record["per_sentence"] = [
            {
                "sentence": item.sentence.name,
                "fingerprint": list(item.frequency_counts),
                "corrections": item.distribution.number_above(),
                "corrections_interval": ends(intervals.sentences[index].corrections if intervals else None),
                "mass_above_0.01": item.distribution.mass_above(0.01),
                "mass_above_0.01_interval": ends(intervals.sentences[index].frequent_mass if intervals else None),
                **item.classical._asdict(),
                "coverage": {str(number): item.distribution.coverage(number) for number in numbers},
                "warning": item.warning,
            }
            for index, item in enumerate(estimates)
        ]
    return record


def _print_scores(options: argparse.Namespace, sentences: Sequence[CorrectedSentence], numbers: Sequence[int], *, of_corpus: bool) -> int:
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


_CONSERVATISM_EXAMPLES = """\
examples:
  errata conservatism examples/learner.m2 examples/systems/*.txt
  errata conservatism examples/learner.m2 examples/systems/*.txt --histogram
  errata conservatism examples/learner.m2 examples/systems/*.txt \\
      --sentence-ends '.?!;'
  errata conservatism examples/learner.m2 examples/systems/*.txt \\
      --chart conservatism.svg

Words are letters and digits in lower case; punctuation does not count.
Words: changed, deleted or added words.
Larger changes: the same without words that differ by at most two letters (one
in short words).
Split, joined: sentences that end in more, or fewer, places, also where they
cross the end of a line.
Order: Spearman's rho of the words' positions; 1 if no word moved.
"""


def _register_conservatism(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "conservatism",
        help="count how much systems and annotators change",
        description="Count what systems change, beside what every annotator changes.",
        epilog=_CONSERVATISM_EXAMPLES,
    )
    add_system_arguments(parser)
    add_option(parser, "--missing", " (default noop, as in the paper)", choices=("same", "noop"), default="noop")
    add_options(parser, "--histogram", "--without-small-changes", "--sentence-ends", "--chart")
    add_format(parser, TABLE)
    parser.set_defaults(run=_run_conservatism)


def _run_conservatism(options: argparse.Namespace) -> int:
    from errata.corpus.annotators import explain_missing
    from errata.report.progress import ProgressBar
    from errata.report.tables.coverage import conservatism_tables
    from errata.studies.conservatism import Conservatism, SentenceChanges, check_sentence_ends

    if options.sentence_ends is not None:
        check_sentence_ends(options.sentence_ends)

    if options.chart:
        from errata.report.charts.parts import check_chart_path

        check_chart_path(options.chart)
    corpus = corpus_from(options)
    systems = systems_from(options, options.systems, corpus)
    for warning in explain_missing(corpus, options.missing):
        print_warning(f"{corpus.path}: {warning}")
    references = Conservatism.of_annotators(corpus, options.missing)
    with ProgressBar("aligning words", len(systems) * len(corpus), in_core=True) as bar:
        results = [Conservatism.of(corpus, system, bar.advance) for system in systems]
    sentences = SentenceChanges.of_all(corpus, systems, options.sentence_ends, options.missing) if options.sentence_ends is not None else []
    extremes = [item.find_extremes(references, corpus.numbers) for item in results]
    if options.chart:
        from errata.report.charts.coverage import conservatism_chart
        from errata.report.charts.parts import save_chart

        ranked = sorted(results, key=lambda item: (-item.words, item.name))
        save_chart(conservatism_chart([*references, *ranked]), options.chart)
    if options.format == "json":
        entries = [_record_conservatism(item, corpus.numbers) for item in references]
        for item, own in zip(results, extremes, strict=True):
            entries.append(
                _record_conservatism(item, corpus.numbers)
                | {"more_than_every_reference": own.more, "fewer_than_every_reference": own.fewer}
            )
        for entry, counts in zip(entries, sentences, strict=bool(sentences)):
            entry["sentence_changes"] = {"sentence_ends": options.sentence_ends, **counts._asdict()}
        gold = {
            "gold": corpus.name,
            "sentences": len(corpus),
            **subset_record(corpus),
            "missing": options.missing,
            "tokenise": options.tokenise,
        }
        print_json({"errata": __version__, **gold, "conservatism": entries})
        return 0
    rows = list(zip(results, extremes, strict=True))
    if options.format != "csv":
        rows.sort(key=lambda row: (-row[0].words, row[0].name))
    names = [item.name for item in (*references, *results)]
    tables = conservatism_tables(
        references,
        rows,
        len(corpus),
        [*subset_note(corpus), *_tokenisation_note(systems)],
        apart=bool(options.without_small_changes) if options.histogram or options.without_small_changes else None,
        changes=list(zip(names, sentences, strict=True)) if sentences else (),
        marks=options.sentence_ends or "",
    )
    print_tables(tables, options.format)
    return 0


def _record_conservatism(item: Conservatism, numbers: Sequence[int]) -> dict[str, Any]:
    names = ("name", "changed", "words", "words_apart", "order", "reordered", "split", "joined")
    record = {name: getattr(item, name) for name in names}
    record |= {name: [numbers[index] for index in sorted(getattr(item, name))] for name in ("split_lines", "joined_lines")}
    record["histogram"] = {str(words): count for words, count in sorted(item.histogram().items())}
    record["histogram_apart"] = {str(words): count for words, count in sorted(item.histogram(apart=True).items())}
    return record


def _tokenisation_note(systems: Sequence[System]) -> tuple[str, ...]:
    """What a table without a signature says about tokenisation: nothing if texts were split at white space."""
    names = dict.fromkeys(system.tokenisation for system in systems if system.tokenisation != WHITESPACE_TOKENS)
    return (f"Outputs tokenised by {', '.join(names)}.",) if names else ()


def find_perfect_scores(options: argparse.Namespace, corpus: Corpus, scores: Sequence[Score]) -> list[PerfectScore]:
    """Compute for each score the expected score of a perfect corrector by the same metric."""
    from errata.corpus.tokenisation import tokenise_as_conll
    from errata.report.progress import ProgressBar
    from errata.studies.coverage.perfect import STEPS, GoldShape, RelativeSettings, compute_perfect_score

    metrics = list(dict.fromkeys(score.metric for score in scores))
    _refuse_ignored(options, metrics)
    path = options.relative_to
    sentences = _skip_single_answers(_read_crowd(path))
    shape = GoldShape.of(corpus)
    given = {"simulations": options.simulations, "seed": options.seed, "scored": options.scored_outputs}
    settings = RelativeSettings(
        others=bool(options.exclude_self) or not _is_table(path),
        tokenise=tokenise_as_conll if options.tokenise_corrections else None,
        **{name: value for name, value in given.items() if value is not None},
    )
    with ProgressBar("simulating test sets", STEPS * len(metrics), in_core=True) as bar:
        perfect = {metric: compute_perfect_score(metric, shape, sentences, path, settings, bar.advance) for metric in metrics}
    if shape.as_usual < shape.sentences:
        what = f"{shape.references} references, as in {shape.as_usual:,} of {shape.sentences:,} sentences"
        print_warning(f"scores are relative to a perfect corrector with {what}; the others have another number")
    return [perfect[score.metric] for score in scores]


def _read_crowd(path: str) -> list[CorrectedSentence]:
    """Read a table of corrections, or the references of a corpus."""
    from errata.formats import read
    from errata.studies.coverage.estimation import collect_corrections, read_corrections

    return read_corrections(path, warn=print_warning) if _is_table(path) else collect_corrections(read(path, warn=print_warning))


def _refuse_ignored(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse settings of simulations if nothing is simulated."""
    from errata.studies.coverage.estimation import MatchRule

    if any(MatchRule.of(metric) is None for metric in metrics):
        return
    for name in ("simulations", "scored_outputs", "exclude_self"):
        if getattr(options, name) is not None:
            names = " and ".join(metric.name for metric in metrics)
            raise UsageError(f"--{name.replace('_', '-')} cannot be combined with {names}: nothing is simulated")


COMMANDS = {"coverage": _register_coverage, "conservatism": _register_conservatism}
