"""``errata coverage``: how many corrections sentences have, and what a perfect corrector would score with few references."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from errata.cli.combinations import is_given
from errata.cli.crowd_inputs import is_table, skip_single_answers
from errata.cli.inputs import add_corpus_arguments, corpus_from, subset_note, subset_record
from errata.cli.parser import whole_number
from errata.cli.printing import TABLE, print_json, print_tables, print_warning
from errata.cli.vocabulary import add_format, add_one_metric, add_option, add_options
from errata.corpus.texts import parse_ranges
from errata.errors import UsageError, pluralise
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.parser import Parser
    from errata.studies.coverage.estimation import CorrectedSentence, Coverage, CoverageIntervals, Range, Sameness, SentenceEstimate

_EXAMPLES = """\
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


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "coverage",
        help="estimate what a perfect corrector would score",
        description="Estimate how many corrections sentences have, and what a perfect corrector\nwould score with few references.",
        epilog=_EXAMPLES,
    )
    add_corpus_arguments(parser, name="CORRECTIONS", also="table of corrections; or ")
    add_option(parser, "--missing", "; of a corpus (default: what it is found to follow, else absent)")
    add_options(parser, "--table", "--match", "--normalise", "--positions")
    add_one_metric(parser, None, "; scores a perfect corrector on simulated test sets")
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
    parser.set_defaults(run=run, corpus=None)


def run(options: argparse.Namespace) -> int:
    """Read, estimate, print."""
    from errata.report.progress import ProgressBar
    from errata.report.tables.coverage import coverage_table, distribution_table, flat_coverage_table, matched_table, sentence_table
    from errata.studies.coverage.estimation import Sameness, compute_coverage, estimate_sentences

    numbers = _numbers(options.reference_counts)
    _check(options)
    _wanted(options)
    if options.metric is not None:
        from errata.cli.perfect_scores import print_scores

        return print_scores(options, skip_single_answers(_sentences(options)), numbers, of_corpus=_is_corpus(options))
    same = Sameness(options.match or "exact", options.normalise or "words", options.positions or "published")
    sentences = skip_single_answers(_sentences(options))
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
        print_json(_record(options, same, estimates, coverage, numbers, intervals))
    elif options.format == "csv" and not options.per_sentence:
        print_tables([flat_coverage_table(_record(options, same, estimates, coverage, numbers, intervals))], "csv")
    elif options.per_sentence:
        print_tables([sentence_table(estimates, numbers, same)], options.format)
    else:
        tables = [
            distribution_table(estimates, coverage, (intervals.corrections, intervals.mass) if intervals else None, same),
            coverage_table(estimates, coverage, numbers, _wanted(options), (intervals.accuracy, intervals.distinct) if intervals else None),
        ]
        if options.matched_sentences is not None:
            tables.append(matched_table(coverage, options.matched_sentences, _matched_references(options)))
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
        or (options.table is None and not is_table(options.gold))
    )


def _matched_references(options: argparse.Namespace) -> int:
    return options.matched_references if options.matched_references is not None else 2


def _draw(options: argparse.Namespace, same: Sameness, estimates: Sequence[SentenceEstimate], numbers: Sequence[int]) -> None:
    """Draw the accuracy by exact and by index match, unless --match says which; index match needs the sources."""
    from errata.report.charts.coverage import accuracy_chart, make_accuracy_lines
    from errata.report.charts.parts import save_chart
    from errata.studies.coverage.estimation import compute_coverage, estimate_sentences

    most = max(20, *numbers)
    if most > _MOST_DRAWN:
        print_warning(f"the chart ends at {_MOST_DRAWN} references")
        most = _MOST_DRAWN
    coverages = {same.match: compute_coverage(estimates)}
    sentences = [item.sentence for item in estimates]
    if options.match is None and all(sentence.source for sentence in sentences):
        coverages["index"] = compute_coverage(estimate_sentences(sentences, replace(same, match="index")))
    elif options.match is None:
        print_warning("the chart has no line for index match, which needs the source of every sentence")
    save_chart(accuracy_chart([line for match, own in coverages.items() for line in make_accuracy_lines(match, own, most)]), options.chart)


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


def _record(
    options: argparse.Namespace,
    same: Sameness,
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
