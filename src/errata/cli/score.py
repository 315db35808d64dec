"""``errata score``: a leaderboard of systems, also by error type, with letters, or relative to a perfect corrector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata import __version__
from errata.cli.inputs import (
    add_system_arguments,
    are_counted_in_parts,
    choose_metrics,
    corpus_from,
    count_in_parts,
    gold_record,
    has_evidence,
    is_table,
    open_stored,
    read_crowd,
    require_systems,
    score_evidence,
    skip_single_answers,
    split_name,
    subset_record,
    systems_from,
    with_graphs,
    with_parses,
)
from errata.cli.printing import TABLE, columns_of, print_json, print_tables, print_warning
from errata.cli.vocabulary import (
    add_bootstrap_arguments,
    add_format,
    add_option,
    add_options,
    alpha_from,
    bootstrap_from,
    intervals_wanted,
    suit_tagger,
    tagger_from,
    type_order_from,
    type_system_from,
    type_system_name,
    types_gold,
)
from errata.errors import UsageError
from errata.settings import AUTO

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus, System
    from errata.language.types import TypeSystem
    from errata.metrics.base import Metric
    from errata.metrics.views import JudgedEdit
    from errata.report.table import Table
    from errata.report.tables.scores import TypedScore
    from errata.scoring.scores import Score
    from errata.settings import Detail
    from errata.stats.bootstrap import Bootstrap
    from errata.stats.comparison import Letters
    from errata.stats.intervals import Interval
    from errata.studies.coverage.perfect import PerfectScore


# --- ``errata score``: a leaderboard of systems.

_SCORE_EXAMPLES = """\
examples:
  errata score examples/learner.m2 examples/systems/*.txt
  errata score examples/learner.m2 examples/systems/*.txt -m imeasure
  errata score examples/learner.m2 examples/systems/*.txt -m imeasure \\
      --parts detection
  errata score examples/learner.m2 examples/systems/*.txt \\
      -m gleu -m 'gleu(variant=expectation)'
  errata score examples/learner.m2 best=examples/systems/eager.txt \\
      -m 'maxmatch(beta=1,choice=optimal)'
  errata score examples/learner.m2 examples/systems/*.txt --confidence
  errata score examples/learner.m2 examples/systems/*.txt \\
      -m maxmatch -m 'maxmatch(missing=noop)' --digits 3
  errata score examples/learner.m2 examples/systems/eager.txt --by-type
  errata score examples/learner.m2 examples/systems/eager.txt --by-type \\
      --types errant
  errata score examples/learner.m2 examples/systems/*.txt \\
      --relative-to examples/corrections.tsv
  errata score examples/errant/gold.m2 examples/errant/eager.m2 -m errant
  errata score examples/errant/gold.m2 examples/errant/eager.m2 \\
      -m 'errant(level=ds)' --by-type --type-detail category
  errata score examples/learner.m2 examples/systems/*.txt -o table.tex \\
      --columns system,precision,recall,value --letters
  errata score examples/errant/gold.m2 examples/errant/*er.m2 -m errant \\
      --by-type --pivot
  errata score examples/learner.m2 examples/systems/cautious.txt \\
      --per-sentence --format csv
  errata score examples/graphs/learner.m2 examples/graphs/bold.txt \\
      -m maxmatch -m uccasim --graphs examples/graphs

Every reference text has its own -r:
  errata score dev.src -r dev.ref0 -r dev.ref1 SYSTEM...

A metric is written NAME or NAME(SETTING=VALUE,...).
These are the metrics with the defaults of their settings; errata metrics NAME
explains them.
"""

_WIDTH = 78
"""Of what is said about metrics."""


def _register_score(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "score", help="score systems against gold", description="Score systems against gold and print a leaderboard."
    )
    parser.make_epilog = _epilog
    add_system_arguments(parser, or_evidence=True)
    add_option(parser, "--metric", ", such as 'maxmatch(beta=1)'; several are shown side by side (default maxmatch)", action="append")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--jobs")
    add_option(parser, "--types", type=type_system_name)
    add_options(parser, "--by-type", "--pivot", "--type-detail", "--tagger", "--pos-tags", "--type-order", "--confidence")
    add_bootstrap_arguments(parser)
    add_options(parser, "--relative-to", "--simulations", "--scored-outputs", "--exclude-self", "--tokenise-corrections")
    add_option(parser, "--per-sentence", ": its counts and the annotator chosen for it")
    add_option(parser, "--letters", " (needs two systems or more)")
    add_option(parser, "--test", " (default randomisation)", default="randomisation")
    add_option(parser, "--correction", default="holm")
    add_option(parser, "--per-document", ", and the whole corpus")
    add_options(parser, "--alpha", "--parts", "--columns", "--bold", "--digits")
    add_format(parser, TABLE)
    parser.set_defaults(run=_run_score)


def _epilog() -> str:
    """Examples, and every metric with the defaults of its settings."""
    from textwrap import fill

    from errata.metrics import METRICS
    from errata.settings import list_settings, write_value

    lines = []
    for name, metric in METRICS.load_all()[0].items():
        lines.append(fill(f"{name}: {metric.summary}", _WIDTH, initial_indent="  ", subsequent_indent="    "))
        settings = "  ".join(f"{key}={write_value(setting.default)}" for key, setting in list_settings(metric).items())
        lines += [fill(settings, _WIDTH, initial_indent="    ", subsequent_indent="    ")] if settings else []
    return "\n".join([_SCORE_EXAMPLES.rstrip(), *lines, ""])


def _run_score(options: argparse.Namespace) -> int:
    """Score every system with every metric."""
    from errata.report.tables.scores import flat_scores_table, flatten_parts, per_document_table, per_sentence_table, side_by_side

    if options.seed is not None and options.confidence is None and options.relative_to is None and not options.letters:
        raise UsageError(
            "--seed needs --confidence, which adds intervals, or --relative-to, which simulates test sets, or --letters, which tests pairs"
        )
    if options.bold == "always" and options.format not in {"latex", "markdown"}:
        raise UsageError(f"--bold always needs --format latex or markdown, found {options.format}")
    _check_letters(options)
    metrics = metrics_from(options)
    if options.by_type:
        return _print_by_type(options, metrics)
    bootstrap = intervals_wanted(options)
    corpus, scores = score_systems(options, metrics)
    intervals = intervals_of(scores, bootstrap)
    letters = _letters_of(options, scores, len(metrics))
    perfect = _find_perfect_scores(options, corpus, scores)
    parts = [name.strip() for name in options.parts.split(",")] if options.parts is not None else None
    if options.format == "json":
        views = {"per_sentence": options.per_sentence, "per_document": options.per_document}
        _print_json(corpus, scores, intervals, perfect, letters, **views)
        return 0
    if options.per_sentence:
        tables = [per_sentence_table(scores, options.digits, parts)]
    elif options.per_document:
        tables = [per_document_table(scores, options.digits, parts)]
    elif options.format == "csv":
        tables = [flat_scores_table(scores, intervals, perfect, parts, letters)]
    elif len(metrics) > 1 and parts is None:
        tables = [side_by_side(metrics, scores, options.digits, intervals, perfect, letters)]
    else:
        tables = _leaderboards(scores, len(metrics), options.digits, intervals, perfect, parts, letters)
    possible = [name for score in scores[:: len(scores) // len(metrics)] for name, _ in flatten_parts(score.parts)]
    print_tables(columns_of(options, tables, possible), options.format, bold=options.bold)
    return 0


def _leaderboards(
    scores: list[Score],
    metrics: int,
    digits: int,
    intervals: Sequence[Interval],
    perfect: Sequence[PerfectScore],
    parts: Sequence[str] | None,
    letters: Letters | None,
) -> list[Table]:
    """A table for each metric, with the parts that it has."""
    from errata.report.tables.scores import ALL_PARTS, PartColumns, find_parts, leaderboard

    PartColumns(scores, parts)  # raises if no metric has one of them
    size = len(scores) // metrics
    tables = []
    for first in range(0, len(scores), size):
        own = scores[first : first + size]
        known = PartColumns(own, [ALL_PARTS]).names
        having = None if parts is None else [name for name in parts if find_parts(name, known)]
        lettered = letters._replace(letters=letters.letters[first : first + size]) if letters is not None else None
        tables.append(leaderboard(own, digits, intervals[first : first + size], perfect[first : first + size], having, lettered))
    return tables


def intervals_of(scores: list[Score], bootstrap: Bootstrap | None) -> list[Interval]:
    """The intervals of all scores, in their order; none if none are wanted."""
    if bootstrap is None:
        return []
    from errata.report.progress import ProgressBar
    from errata.stats import compute_intervals

    with ProgressBar("resampling", bootstrap.replicates * len(scores)) as bar:
        return list(compute_intervals([score.evidence for score in scores], bootstrap, progress=bar.advance))


def _print_json(
    corpus: Corpus,
    scores: list[Score],
    intervals: Sequence[Interval],
    perfect: Sequence[PerfectScore],
    letters: Letters | None,
    *,
    per_sentence: bool,
    per_document: bool,
) -> None:
    from dataclasses import asdict

    entries = []
    for index, score in enumerate(scores):
        entry: dict[str, Any] = {
            "system": score.system_name,
            "metric": str(score.metric),
            "value": score.value,
            "parts": score.parts,
            "signature": score.signature,
        }
        if intervals:
            entry["interval"] = {"low": intervals[index].low, "high": intervals[index].high, **asdict(intervals[index].bootstrap)}
        if letters is not None:
            entry |= {"letters": letters.letters[index], "letters_by": letters.how}
        if perfect:
            own = perfect[index]
            entry["relative"] = {
                "value": own.relate(score.value),
                "perfect": own.value,
                **own.shape._asdict(),
                "simulations": own.simulations,
                "signature": own.signature,
            }
        if per_document:
            from errata.scoring import score_documents

            entry["per_document"] = [
                {"document": item.document, "sentences": item.sentences, "value": item.value, "parts": item.parts}
                for item in score_documents(score)
            ]
        if per_sentence:
            entry["per_sentence"] = [
                {"sentence": item.sentence, "annotator": item.reference, "value": item.value, "parts": item.parts}
                for item in score.sentences
            ]
        entries.append(entry)
    print_json({"errata": __version__, "gold": corpus.name, "sentences": len(corpus), **subset_record(corpus), "scores": entries})


# --- Scoring for commands: every system with every metric, with a progress bar.

_DEFAULT = "maxmatch"


def metrics_from(options: argparse.Namespace) -> list[Metric]:
    """The metrics that are asked for, each once."""
    from errata.metrics import registry

    if not options.metric and has_evidence(options):
        return choose_metrics(options)
    metrics = [registry.metric(text) for text in options.metric or [_DEFAULT]]
    if repeated := next((metric for index, metric in enumerate(metrics) if metric in metrics[:index]), None):
        raise UsageError(f"-m {repeated} is given twice")
    return metrics


def one_metric_from(options: argparse.Namespace) -> Metric:
    """The metric that is asked for, by default maxmatch, or the one of the evidence."""
    from errata.metrics import registry

    if options.metric is None and has_evidence(options):
        known = list(open_stored(options).metrics.values())
        if len(known) != 1:
            raise UsageError(f"{options.gold}: there are {len(known)} metrics; choose one with -m from {', '.join(map(str, known))}")
        return known[0]
    return registry.metric(options.metric or _DEFAULT)


def count_systems(options: argparse.Namespace) -> int:
    """The number of systems that are asked for."""
    return len(options.systems) or (len(open_stored(options).systems) if has_evidence(options) else 0)


def score_systems(
    options: argparse.Namespace, metrics: list[Metric], prepare: Callable[[Corpus, Metric], Corpus] | None = None
) -> tuple[Corpus, list[Score]]:
    """The corpus, and the scores of all systems with the first metric, then with the second, and so on.

    ``prepare`` makes the gold of a metric from the corpus.
    """
    if not has_evidence(options):
        require_systems(options)
        if prepare is None and options.takes_evidence and are_counted_in_parts(options, metrics):
            warn_of_references(options.reference, options.systems)
            count_in_parts(options, metrics)
    if has_evidence(options):
        return score_evidence(options, metrics)
    corpus = corpus_from(options, also=list_inputs(options))
    return corpus, score_on(corpus, options, metrics, prepare)


def list_inputs(options: argparse.Namespace) -> list[str]:
    """List the files of systems and documents."""
    return [*options.systems, *([options.documents] if getattr(options, "documents", None) else [])]


def score_on(
    corpus: Corpus,
    options: argparse.Namespace,
    metrics: list[Metric],
    prepare: Callable[[Corpus, Metric], Corpus] | None = None,
    systems: list[System] | None = None,
) -> list[Score]:
    """The scores of all systems on a corpus that was read before, or of those that were read too."""
    from errata.report.progress import ProgressBar
    from errata.scoring import Evaluator, evaluate_many

    warn_of_references(options.reference, options.systems)
    _refuse_graphs(options)
    systems = systems_from(options, options.systems, corpus) if systems is None else systems
    metrics = with_parses(options, with_graphs(options, metrics, corpus, systems))
    scores: list[Score] = []
    with ProgressBar("scoring", len(metrics) * len(systems) * len(corpus), in_core=True) as bar:
        for metric in metrics:
            evaluate = Evaluator(corpus if prepare is None else prepare(corpus, metric), metric, warn=None)
            scores += evaluate_many(evaluate, systems, options.jobs, bar.advance)
    _warn_of_scores(scores)
    return scores


def _refuse_graphs(options: argparse.Namespace) -> None:
    """A pattern after --graphs gives only its first file to it."""
    from errata.formats.lines import without_compression

    for path in options.systems if options.graphs else ():
        if without_compression(path.lower()).endswith((".mrp", ".conllu")):
            raise UsageError(f"{path} looks like a file of graphs, not a system; repeat --graphs for every file, or give a folder")


def group_by_metric(scores: Sequence[Score], metrics: int) -> list[Sequence[Score]]:
    """The scores of each metric, from all scores in one list."""
    size = len(scores) // metrics
    return [scores[first : first + size] for first in range(0, len(scores), size)]


def _warn_of_scores(scores: list[Score]) -> None:
    """Say what metrics want to be known about their scores."""
    for score in {id(score.metric): score for score in scores}.values():
        corpus = score.evidence.corpus
        for warning in score.metric.gold_warnings(corpus):
            print_warning(f"{corpus.path or corpus.name}: {score.metric}: {warning}")
    for score in scores:
        for warning in score.metric.warnings(score.counts):
            print_warning(f"{score.metric} of {score.system_name}: {warning}")


def warn_of_references(references: list[str], systems: list[str]) -> None:
    """A pattern after -r gives only its first file to -r; the others differ from it in their number."""
    import re

    def without_digits(path: str) -> str:
        return re.sub(r"\d+", "#", path)

    known = {without_digits(path) for path in references if without_digits(path) != path}
    for path in (split_name(system)[1] for system in systems):
        if without_digits(path) in known:
            print_warning(f"{path} is scored as a system, although it is named like a reference; repeat --reference for every reference")


# --- ``errata score --letters``: which systems are not significantly different.


def _check_letters(options: argparse.Namespace) -> None:
    """Raise, before anything is scored, if so many systems cannot be tested with these settings."""
    if not options.letters:
        return
    from errata.errors import RequestError
    from errata.stats.comparison import check_replicates

    systems = count_systems(options)
    if systems < 2:  # noqa: PLR2004 - a pair
        raise RequestError(f"--letters needs two systems or more, found {systems}")
    check_replicates(systems, options.test, options.correction, bootstrap_from(options, 1 - alpha_from(options)), options.alpha)


def _letters_of(options: argparse.Namespace, scores: Sequence[Score], metrics: int) -> Letters | None:
    """The letters of all scores, those of each metric alone; None if they are not asked for."""
    if not options.letters:
        return None
    from errata.report.progress import ProgressBar
    from errata.scoring.scores import best_first
    from errata.stats import compare
    from errata.stats.comparison import Letters, assign_letters, find_different

    settings = bootstrap_from(options, 1 - alpha_from(options))
    found: list[str] = []
    systems = len(scores) // metrics
    with ProgressBar("testing pairs", settings.replicates * metrics * systems * (systems - 1) // 2) as bar:
        for own in group_by_metric(scores, metrics):
            comparisons = compare(own, options.test, options.correction, settings, progress=bar.advance)
            ordered = [score.system_name for score in sorted(own, key=best_first)]
            letters = assign_letters(ordered, find_different(comparisons, options.alpha)) or [""] * systems
            given = dict(zip(ordered, letters, strict=True))
            found += [given[score.system_name] for score in own]
    units = settings.describe_resampling() if options.test in {"randomisation", "bootstrap"} else f"by {settings.by}"
    return Letters(found, f"{options.test} test, {options.correction} correction, alpha {options.alpha:g}; {units}")


# --- ``errata score --relative-to``: scores divided by that of a perfect corrector.


def _find_perfect_scores(options: argparse.Namespace, corpus: Corpus, scores: Sequence[Score]) -> list[PerfectScore]:
    """Compute for each score the expected score of a perfect corrector by the same metric; none if none are wanted."""
    if options.relative_to is None:
        return []
    from errata.corpus.tokenisation import tokenise_as_conll
    from errata.report.progress import ProgressBar
    from errata.studies.coverage.perfect import STEPS, RelativeSettings, compute_perfect_score, find_shape

    metrics = list(dict.fromkeys(score.metric for score in scores))
    _refuse_ignored(options, metrics)
    path = options.relative_to
    sentences = skip_single_answers(read_crowd(path))
    shape = find_shape(corpus)
    given = {"simulations": options.simulations, "seed": options.seed, "scored": options.scored_outputs}
    settings = RelativeSettings(
        others=bool(options.exclude_self) or not is_table(path),
        tokenise=tokenise_as_conll if options.tokenise_corrections else None,
        **{name: value for name, value in given.items() if value is not None},
    )
    with ProgressBar("simulating test sets", STEPS * len(metrics), in_core=True) as bar:
        perfect = {metric: compute_perfect_score(metric, shape, sentences, path, settings, bar.advance) for metric in metrics}
    if shape.as_usual < shape.sentences:
        what = f"{shape.references} references, as in {shape.as_usual:,} of {shape.sentences:,} sentences"
        print_warning(f"scores are relative to a perfect corrector with {what}; the others have another number")
    return [perfect[score.metric] for score in scores]


def _refuse_ignored(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse settings of simulations if nothing is simulated."""
    from errata.studies.coverage.estimation import find_sameness

    if any(find_sameness(metric) is None for metric in metrics):
        return
    for name in ("simulations", "scored_outputs", "exclude_self"):
        if getattr(options, name) is not None:
            names = " and ".join(metric.name for metric in metrics)
            raise UsageError(f"--{name.replace('_', '-')} cannot be combined with {names}: nothing is simulated")


# --- ``errata score --by-type``: scores for each error type.

_MEASURES = ("precision", "recall", "f")


def _print_by_type(options: argparse.Namespace, metrics: list[Metric]) -> int:
    """Score every system with every metric and print a table of types."""
    from errata.report.tables.scores import type_scores, type_table

    order = type_order_from(options)
    bootstrap = intervals_wanted(options)
    detail: Detail = options.type_detail or "full"
    if not types_gold(options):
        tagger = tagger_from(options)
        corpus, scores = score_systems(options, metrics)
        typed = type_scores(scores, suit_tagger(tagger, options, corpus), order, detail)
    else:
        if all(metric.types_wrong_edits for metric in metrics):
            raise UsageError(f"--types cannot be combined with -m {metrics[0]}: it types edits itself, and --by-type is enough")
        rules = GivenTypes(type_system_from(options))
        corpus, scores = score_systems(options, metrics, rules.type_gold)
        typed = [rules.type_score(score, corpus, detail) for score in scores]
    if bootstrap is not None:
        from errata.report.progress import ProgressBar
        from errata.scoring.by_type import compute_type_intervals

        with ProgressBar("resampling", bootstrap.replicates * len(typed)) as bar:
            intervals = [compute_type_intervals(item.counts, corpus, item.beta, bootstrap, bar.advance) for item in typed]
        typed = [item._replace(intervals=own, bootstrap=bootstrap) for item, own in zip(typed, intervals, strict=True)]
    if options.format == "json":
        print_json({"errata": __version__, **gold_record(corpus), "scores": [_record(item) for item in typed]})
        return 0
    flat = options.format == "csv"
    tables = [type_table(typed, options.digits, flat=flat)]
    if options.pivot is not None:
        from errata.report.tables.scores import pivot_tables

        tables = pivot_tables(typed, None if options.pivot == AUTO else options.pivot, options.digits, flat=flat)
    print_tables(columns_of(options, tables), options.format, bold=options.bold)
    return 0


def _record(item: TypedScore) -> dict[str, object]:
    from dataclasses import asdict

    types = []
    for index, counts in enumerate(item.counts):
        own = {name: getattr(counts, name) for name in ("type", "matched", "proposed", "gold")}
        own |= dict(zip(_MEASURES, counts.measures(item.beta), strict=True))
        if item.intervals:
            intervals = item.intervals[index]._asdict()
            own["intervals"] = {name: [interval.low, interval.high] if interval else None for name, interval in intervals.items()}
        types.append(own)
    record: dict[str, object] = {
        "system": item.score.system_name,
        "metric": str(item.score.metric),
        "types": types,
        "signature": item.signature,
    }
    if item.bootstrap is not None:
        record["bootstrap"] = asdict(item.bootstrap)
    return record


class GivenTypes:
    """Types of a system for all edits: those of gold on their own spans, and those of systems."""

    def __init__(self, system: TypeSystem) -> None:
        self._system = system
        self._gold: Corpus | None = None

    def type_gold(self, corpus: Corpus, metric: Metric) -> Corpus:
        """The gold with types of the system, made once; a metric that types edits itself gets the gold as it is."""
        from errata.language.errant import type_gold
        from errata.report.progress import ProgressBar

        if metric.types_wrong_edits:
            return corpus
        if self._gold is None:
            with ProgressBar("typing edits", len(corpus)) as bar:
                self._gold = type_gold(corpus, self._system, bar.advance)
        return self._gold

    def find_wrong_types(self, score: Score, edits: Sequence[Sequence[JudgedEdit]]) -> list[str] | None:
        """The type of every wrong edit."""
        from errata.scoring.by_type import find_wrong_types

        return find_wrong_types(score, edits, system=self._system)

    def type_score(
        self,
        score: Score,
        given: Corpus,
        detail: Detail,
        edits: Sequence[Sequence[JudgedEdit]] | None = None,
        wrong_types: Sequence[str] | None = None,
    ) -> TypedScore:
        """A score with its counts by type; ``edits`` and ``wrong_types`` are its own, if they are known."""
        from errata.report.tables.scores import TypedScore
        from errata.scoring.by_type import count_types

        counts = count_types(score, detail=detail, system=self._system, edits=edits, wrong_types=wrong_types)
        return TypedScore(score, counts, "none", detail, given=given, typed_by_system=self._system.name, meanings=self._system.meanings)


COMMANDS = {"score": _register_score}
