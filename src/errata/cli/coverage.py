"""``errata coverage``: how many corrections sentences have, and what a perfect corrector would get with few references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.cli.arguments import (
    Parser,
    add_corpus_arguments,
    add_output_format,
    corpus_from,
    print_json,
    print_tables,
    print_warning,
    whole_number,
)
from errata.errors import RequestError, UsageError
from errata.version import __version__
from errata.words import pluralise

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.coverage.corrections import CorrectedSentence, Sameness
    from errata.coverage.estimation import Coverage, SentenceEstimate
    from errata.coverage.intervals import CoverageIntervals, Range

_EXAMPLES = """\
examples:
  errata coverage examples/corrections.tsv
  errata coverage examples/corrections.tsv --match index --references 1,2,5,10,20
  errata coverage examples/corrections.tsv --confidence --replicates 50
  errata coverage examples/corrections.tsv --matched 3 --with 2
  errata coverage examples/corrections.tsv --per-sentence --format csv
  errata coverage examples/corrections.tsv --score maxmatch --simulations 100
  errata coverage examples/corrections.tsv --chart coverage.svg --worth worth.svg

CORRECTIONS is a table with the columns sentence, correction and count, perhaps source (TSV, CSV, JSON Lines, Parquet), or a corpus
with several references.  Corrections are the same after --normalise: tokens, case, words or words2016; with --match index they
are if they change the same words of the source.
"""
_WORTH_A_WARNING = 5
_MOST_DRAWN = 100
_DIGITS = 7


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "coverage",
        help="show what a perfect corrector would get",
        description="Estimate how many corrections sentences have, and what a perfect corrector would get with few references.",
        epilog=_EXAMPLES,
    )
    add_corpus_arguments(parser, name="CORRECTIONS", also="table of corrections, or a ")
    parser.add_argument("--table", choices=("csv", "tsv", "jsonl", "parquet"), help="CORRECTIONS is a table of this format")
    parser.add_argument("--match", choices=("exact", "index"), help="when corrections are the same (default exact)")
    parser.add_argument("--normalise", choices=("tokens", "case", "words", "words2016"), help="(default words)")
    parser.add_argument("--places", choices=("published", "formal"), help="of index match (default published)")
    parser.add_argument("--references", dest="numbers", default="1,2,5,10,20", metavar="NUMBERS", help="(default 1,2,5,10,20)")
    parser.add_argument("--wanted", metavar="SHARES", help="accuracies for which the references needed are counted (default 0.5,0.8,0.9)")
    parser.add_argument(
        "--matched", type=whole_number(0, 10**9), metavar="K", help="how probable it is that a perfect corrector matches K sentences"
    )
    parser.add_argument("--with", dest="with_", type=whole_number(0, 10**6), metavar="M", help="... with M references (default 2)")
    parser.add_argument("--confidence", nargs="?", type=float, const=0.95, metavar="LEVEL", help="add intervals, of 95%% or another level")
    parser.add_argument("--replicates", type=whole_number(0, 10_000), metavar="N", help="draws of all answers (default 100)")
    parser.add_argument("--seed", type=whole_number(0, 10**18), metavar="N", help="seed of the draws (default 0)")
    parser.add_argument("--per-sentence", action="store_true", help="print the estimates of every sentence")
    parser.add_argument("--score", metavar="METRIC", help="what a perfect corrector scores by this metric on test sets that are drawn")
    parser.add_argument("--sentences", type=whole_number(1, 10**6), metavar="N", help="... of so many sentences (default 1,312)")
    parser.add_argument(
        "--without-errors", type=whole_number(0, 10**6), metavar="N", help="... of which so many have no errors (default 136)"
    )
    parser.add_argument("--simulations", type=whole_number(1, 100_000), metavar="N", help="... so many times (default 1,000)")
    parser.add_argument(
        "--others", action="store_true", default=None, help="... with references by others than who wrote the output (default of a corpus)"
    )
    parser.add_argument("--tokenise", action="store_true", default=None, help="... with corrections tokenised as in the CoNLL tasks")
    parser.add_argument("--worth", metavar="FILE", help="draw when a corrector should correct, with so many references: .svg, .png or .pdf")
    parser.add_argument(
        "--reward", type=float, metavar="R", help="... where a correction that is found among the references earns R (default 1)"
    )
    parser.add_argument("--penalty", type=float, metavar="P", help="... and one that is not costs P (default 0)")
    parser.add_argument("--chart", metavar="FILE", help="draw accuracy, or the score, against references: .svg, .png or .pdf")
    add_output_format(parser)
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Read, estimate, print."""
    from errata.coverage.corrections import Sameness
    from errata.coverage.estimation import coverage_of, estimate_sentences
    from errata.report.progress import ProgressBar
    from errata.report.tables.coverage import coverage_table, distribution_table, flat_table, matched_table, sentence_table

    numbers = _numbers(options.numbers)
    _check(options)
    _wanted(options)
    if options.score is not None:
        from errata.cli.perfect_scores import print_scores

        return print_scores(options, _enough(_sentences(options)), numbers, of_corpus=_is_corpus(options))
    same = Sameness(options.match or "exact", options.normalise or "words", options.places or "published")
    sentences = _enough(_sentences(options))
    with ProgressBar("estimating", len(sentences)) as bar:
        estimates = estimate_sentences(sentences, same, bar.advance)
    coverage = coverage_of(estimates)
    _warn(estimates)
    if options.chart:
        _draw(options.chart, same, coverage, numbers)
    if options.worth:
        _draw_worth(options, coverage, numbers)
    sure = _intervals(options, estimates, numbers)
    if options.output == "json":
        print_json(_record(options, same, estimates, coverage, numbers, sure))
    elif options.output == "csv" and not options.per_sentence:
        print_tables([flat_table(_record(options, same, estimates, coverage, numbers, sure))], "csv")
    elif options.per_sentence:
        print_tables([sentence_table(estimates, numbers, same)], options.output)
    else:
        tables = [
            distribution_table(estimates, coverage, (sure.corrections, sure.mass) if sure else None, same),
            coverage_table(estimates, coverage, numbers, _wanted(options), (sure.accuracy, sure.distinct) if sure else None),
        ]
        if options.matched is not None:
            tables.append(matched_table(coverage, options.matched, options.with_ if options.with_ is not None else 2))
        print_tables(tables, options.output)
    return 0


def _check(options: argparse.Namespace) -> None:
    """Refuse what would be ignored."""
    from errata.report.charts.scores import check_chart_path

    if options.score is not None:
        _check_score(options)
    elif given := [
        name for name in ("sentences", "without_errors", "simulations", "tokenise", "others") if getattr(options, name) is not None
    ]:
        raise UsageError(f"--{given[0].replace('_', '-')} goes with --score, which draws test sets")
    elif options.confidence is None and (given := [name for name in ("replicates", "seed") if getattr(options, name) is not None]):
        raise UsageError(f"--{given[0]} goes with --confidence, which adds intervals")
    if options.places is not None and options.match != "index":
        raise UsageError("--places goes with --match index")
    for option, value, other in (
        ("--with", options.with_, "matched"),
        ("--reward", options.reward, "worth"),
        ("--penalty", options.penalty, "worth"),
    ):
        if value is not None and getattr(options, other) is None:
            raise UsageError(f"{option} goes with --{other}")
    if options.per_sentence and options.output != "json" and (options.matched is not None or options.confidence is not None):
        raise UsageError("--per-sentence prints estimates alone; with --matched or --confidence only JSON has both")
    for path in (options.chart, options.worth):
        if path:
            check_chart_path(path)


def _wanted(options: argparse.Namespace) -> list[float]:
    from errata.report.tables.coverage import LEVELS

    if options.wanted is None:
        return list(LEVELS)
    try:
        found = [float(part) for part in options.wanted.split(",")]
    except ValueError:
        found = [0.0]
    if not all(0 < share < 1 for share in found):
        raise UsageError(f"--wanted is a list of shares between 0 and 1, such as 0.5,0.9, found {options.wanted[:60]!r}")
    return found


def _check_score(options: argparse.Namespace) -> None:
    if options.match or options.normalise:
        raise UsageError("--score asks a metric what is equal, not --match or --normalise")
    names = ("matched", "confidence", "replicates", "worth", "wanted")
    if options.per_sentence or any(getattr(options, name) is not None for name in names):
        raise UsageError("--score draws test sets; --matched, --confidence, --per-sentence and --worth are about single corrections")


def _numbers(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    found: list[int] = []
    for part in parts:
        first, dash, last = part.partition("-")
        ends = [first, last if dash else first]
        if not all(end.isascii() and end.isdecimal() and len(end) < _DIGITS and int(end) > 0 for end in ends):
            raise UsageError(f"--references is a list of numbers from 1 to 999,999, such as 1,2,5 or 1-20, found {text[:60]!r}")
        if int(ends[1]) - int(ends[0]) > _MOST_DRAWN:
            raise UsageError(f"--references has up to {_MOST_DRAWN} numbers in a row, found {part}")
        found += range(int(ends[0]), int(ends[1]) + 1)
    return list(dict.fromkeys(found))


def _sentences(options: argparse.Namespace) -> list[CorrectedSentence]:
    from errata.coverage.corrections import corrections_of, read_corrections

    if _is_corpus(options):
        return corrections_of(corpus_from(options))
    return read_corrections(options.gold, format=options.table)


def _is_corpus(options: argparse.Namespace) -> bool:
    from errata.formats.tables import TABULAR_FORMATS

    ending = options.gold.lower().removesuffix(".gz").rpartition(".")[2]
    if options.table is not None and (options.reference or options.format is not None):
        raise UsageError("--table says that CORRECTIONS is a table, --from and --reference that it is a corpus")
    return bool(options.reference) or options.format is not None or (ending not in TABULAR_FORMATS and options.table is None)


def _enough(sentences: list[CorrectedSentence]) -> list[CorrectedSentence]:
    """Those with two answers or more."""
    enough = [sentence for sentence in sentences if sentence.answers > 1]
    if len(enough) < len(sentences):
        print_warning(f"{len(sentences) - len(enough):,} of {pluralise(len(sentences), 'sentence')} left out: only one correction")
    if not enough:
        raise RequestError("every sentence has one correction only, which says nothing about others")
    return enough


def _draw(path: str, same: Sameness, coverage: Coverage, numbers: Sequence[int]) -> None:
    from errata.report.charts.coverage import AccuracyLine, accuracy_chart
    from errata.report.charts.scores import save_chart

    most = max(20, *numbers)
    if most > _MOST_DRAWN:
        print_warning(f"the chart ends at {_MOST_DRAWN} references")
        most = _MOST_DRAWN
    lines = [
        AccuracyLine(
            f"{same.match} match, {how}", [(number, coverage.accuracy(number, distinct=distinct)) for number in range(1, most + 1)]
        )
        for how, distinct in (("references as they come", False), ("all different", True))
    ]
    save_chart(accuracy_chart(lines), path)


def _draw_worth(options: argparse.Namespace, coverage: Coverage, numbers: Sequence[int]) -> None:
    from errata.report.charts.coverage import worth_chart
    from errata.report.charts.scores import save_chart

    found = [(number, coverage.accuracy(number)) for number in numbers]
    lines = [(f"{value:.2f} (M = {number})", value) for number, value in found]
    reward, penalty = options.reward if options.reward is not None else 1.0, options.penalty if options.penalty is not None else 0.0
    save_chart(worth_chart(lines, reward, penalty), options.worth)


def _warn(estimates: Sequence[SentenceEstimate]) -> None:
    doubtful = [(item.sentence.name, item.warning) for item in estimates if item.warning]
    for name, warning in doubtful[:_WORTH_A_WARNING]:
        print_warning(f"{name}: {warning}; its estimate is unreliable")
    if len(doubtful) > _WORTH_A_WARNING:
        print_warning(
            f"and {len(doubtful) - _WORTH_A_WARNING:,} more of {pluralise(len(estimates), 'sentence')} (--per-sentence lists them)"
        )


def _intervals(options: argparse.Namespace, estimates: Sequence[SentenceEstimate], numbers: Sequence[int]) -> CoverageIntervals | None:
    from errata.coverage.intervals import coverage_intervals
    from errata.report.progress import ProgressBar

    if options.confidence is None:
        return None
    replicates = _replicates(options)
    with ProgressBar("drawing answers anew", replicates * len(estimates)) as bar:
        return coverage_intervals(
            estimates, numbers, level=options.confidence, replicates=replicates, seed=options.seed or 0, progress=bar.advance
        )


def _replicates(options: argparse.Namespace) -> int:
    from errata.coverage.intervals import DEFAULT_REPLICATES

    return options.replicates if options.replicates is not None else DEFAULT_REPLICATES


def _record(
    options: argparse.Namespace,
    same: Sameness,
    estimates: Sequence[SentenceEstimate],
    coverage: Coverage,
    numbers: Sequence[int],
    sure: CoverageIntervals | None,
) -> dict[str, Any]:
    from dataclasses import asdict

    from errata.coverage.estimation import GAMMAS, counted_accuracy

    def ends(interval: Range | None) -> list[float] | None:
        return list(interval) if interval is not None else None

    distribution = [
        {
            "above": gamma,
            "corrections": coverage.variants(gamma),
            "corrections_interval": ends(sure.corrections[place] if sure else None),
            "mass": coverage.mass(gamma),
            "mass_interval": ends(sure.mass[place] if sure else None),
        }
        for place, gamma in enumerate(GAMMAS)
    ]
    accuracy = [
        {
            "references": number,
            "counted": counted._asdict() if (counted := counted_accuracy(estimates, number)) else None,
            "accuracy": coverage.accuracy(number),
            "accuracy_interval": ends(sure.accuracy[place] if sure else None),
            "deviation": coverage.matches(number).deviation,
            "central": list(coverage.matches(number).central()),
            "distinct": coverage.accuracy(number, distinct=True),
            "distinct_interval": ends(sure.distinct[place] if sure else None),
        }
        for place, number in enumerate(numbers)
    ]
    record: dict[str, Any] = {
        "errata": __version__,
        "same": asdict(same),
        "sentences": len(estimates),
        "distribution": distribution,
        "accuracy": accuracy,
        "references_needed": {str(level): coverage.references_for(level) for level in _wanted(options)},
    }
    if sure is not None:
        record["classical_intervals"] = {
            "chao1": list(sure.chao1),
            "jackknife": list(sure.jackknife),
            "good_turing": list(sure.good_turing),
        }
        record["intervals"] = {"level": options.confidence, "replicates": _replicates(options), "seed": options.seed or 0}
    if options.matched is not None:
        references = options.with_ if options.with_ is not None else 2
        matches = coverage.matches(references)
        sides = {side: matches.p_value(options.matched, side) for side in ("less", "greater", "two-sided")}
        record["matched"] = {"matched": options.matched, "references": references, "p": sides}
    if options.per_sentence:
        record["per_sentence"] = [
            {
                "sentence": item.sentence.name,
                "fingerprint": list(item.fingerprint),
                "corrections": item.distribution.number_above(),
                "corrections_interval": ends(sure.sentences[place].corrections if sure else None),
                "mass_above_0.01": item.distribution.mass_above(0.01),
                "mass_above_0.01_interval": ends(sure.sentences[place].frequent_mass if sure else None),
                **item.classical._asdict(),
                "coverage": {str(number): item.distribution.coverage(number) for number in numbers},
                "warning": item.warning,
            }
            for place, item in enumerate(estimates)
        ]
    return record
