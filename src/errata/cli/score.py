"""``errata score`` and ``errata evidence``: systems scored, from texts or from counts in files, and these files."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from errata import __version__
from errata.cli.inputs import (
    add_system_arguments,
    bank_from,
    check_data,
    check_standard_input,
    corpus_from,
    gold_record,
    name_files,
    split_name,
    subset_record,
    systems_from,
    whole_corpus_from,
    with_graphs,
    with_parses,
)
from errata.cli.methods import (
    ERRANT,
    NUCLE,
    add_bootstrap_arguments,
    alpha_from,
    bootstrap_from,
    suit_tagger,
    tagger_from,
    type_order_from,
    type_system_name,
)
from errata.cli.printing import TABLE, print_json, print_tables, print_warning
from errata.cli.vocabulary import (
    ESSAYS,
    GRAPHS,
    INPUT,
    OF_HOO_EDITS,
    OPTIONS,
    PERFECT,
    TYPES,
    add_format,
    add_option,
    add_options,
    is_given,
)
from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.corpus.unicode import AS_GIVEN
from errata.errors import UsageError, pluralise
from errata.formats.registry import MULTIGEC, find_input_format, find_system_format
from errata.report.progress import print_to_stderr
from errata.settings import AUTO

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus, System
    from errata.language.types import TypeSystem
    from errata.metrics.base import Metric
    from errata.metrics.views import JudgedEdit
    from errata.report.tables.scores import TypedScore
    from errata.scoring.engines import Engine
    from errata.scoring.evidence_files.making import Making
    from errata.scoring.evidence_files.reading import StoredEvidence
    from errata.scoring.evidence_files.storage import Manifest, Storage
    from errata.scoring.scores import Score
    from errata.settings import Detail
    from errata.stats.bootstrap import Bootstrap
    from errata.stats.comparison import Letters
    from errata.stats.intervals import Interval
    from errata.studies.coverage.perfect import PerfectScore


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
    from errata.report.tables.scores import PartColumns, flat_scores_table, leaderboards, side_by_side, unit_table

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
    bootstrap = None if options.confidence is None else bootstrap_from(options, options.confidence)
    corpus, scores = score_systems(options, metrics)
    intervals = intervals_of(scores, bootstrap)
    letters = _letters_of(options, scores, len(metrics))
    perfect: list[PerfectScore] = []
    if options.relative_to is not None:
        from errata.cli.coverage import find_perfect_scores

        perfect = find_perfect_scores(options, corpus, scores)
    parts = [name.strip() for name in options.parts.split(",")] if options.parts is not None else None
    if options.format == "json":
        views = {"per_sentence": options.per_sentence, "per_document": options.per_document}
        _print_json(corpus, scores, intervals, perfect, letters, **views)
        return 0
    if options.per_sentence:
        tables = [unit_table(scores, "sentence", options.digits, parts)]
    elif options.per_document:
        tables = [unit_table(scores, "document", options.digits, parts)]
    elif options.format == "csv":
        tables = [flat_scores_table(scores, intervals, perfect, parts, letters)]
    elif len(metrics) > 1 and parts is None:
        tables = [side_by_side(metrics, scores, options.digits, intervals, perfect, letters)]
    else:
        tables = leaderboards(len(metrics), scores, options.digits, intervals, perfect, parts, letters)
    print_tables(tables, options.format, bold=options.bold, columns=options.columns, parts=PartColumns(scores, ()).known)
    return 0


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


def count_systems(options: argparse.Namespace) -> int:
    """The number of systems that are asked for."""
    if options.systems:
        return len(options.systems)
    return len(stored.systems) if (stored := evidence_from(options)) is not None else 0


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


_MEASURES = ("precision", "recall", "f")


def _print_by_type(options: argparse.Namespace, metrics: list[Metric]) -> int:
    """Score every system with every metric and print a table of types."""
    from errata.report.tables.scores import type_scores, type_table

    order = type_order_from(options)
    bootstrap = None if options.confidence is None else bootstrap_from(options, options.confidence)
    detail: Detail = options.type_detail or "full"
    if not _types_gold(options):
        tagger = tagger_from(options)
        corpus, scores = score_systems(options, metrics)
        typed = type_scores(scores, suit_tagger(tagger, options, corpus), order, detail)
    else:
        if all(metric.types_wrong_edits for metric in metrics):
            raise UsageError(f"--types cannot be combined with -m {metrics[0]}: it types edits itself, and --by-type is enough")
        rules = GivenTypes(_type_system_from(options))
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
    print_tables(tables, options.format, bold=options.bold, columns=options.columns)
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


def _types_gold(options: argparse.Namespace) -> bool:
    """Whether --types names a system that types gold too; the rules of NUCLE, with any tagger, type wrong edits only."""
    return options.types is not None and options.types.partition(":")[0] != NUCLE


def _type_system_from(options: argparse.Namespace) -> TypeSystem:
    """The system that --types names; ERRANT has the parses of --analyser and --parses."""
    if options.types == ERRANT:
        from errata.language.errant import ErrantTypes

        return ErrantTypes(bank_from(options))
    from errata.language.types import find_type_system

    return find_type_system(options.types)


def given_types_from(options: argparse.Namespace) -> GivenTypes | None:
    """The types that --types asks for, if it names a system that types gold too."""
    return GivenTypes(_type_system_from(options)) if _types_gold(options) else None


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


# --- Scoring for commands: every system with every metric, with a progress bar.

DEFAULT_METRIC = "maxmatch"


def metrics_from(options: argparse.Namespace) -> list[Metric]:
    """The metrics that are asked for, each once."""
    from errata.metrics import registry

    if not options.metric and _has_evidence(options):
        return _choose_metrics(options)
    metrics = [registry.metric(text) for text in options.metric or [DEFAULT_METRIC]]
    if repeated := next((metric for index, metric in enumerate(metrics) if metric in metrics[:index]), None):
        raise UsageError(f"-m {repeated} is given twice")
    return metrics


def score_systems(
    options: argparse.Namespace, metrics: list[Metric], prepare: Callable[[Corpus, Metric], Corpus] | None = None
) -> tuple[Corpus, list[Score]]:
    """The corpus, and the scores of all systems with the first metric, then with the second, and so on.

    ``prepare`` makes the gold of a metric from the corpus.
    """
    if not _has_evidence(options):
        _require_systems(options)
        if prepare is None and options.takes_evidence and _are_counted_in_parts(options, metrics):
            _warn_of_references(options.reference, options.systems)
            _count_in_parts(options, metrics)
    if _has_evidence(options):
        return _score_evidence(options, metrics)
    corpus = corpus_from(options)
    return corpus, score_on(corpus, options, metrics, prepare)


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

    _warn_of_references(options.reference, options.systems)
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


def _warn_of_references(references: list[str], systems: list[str]) -> None:
    """A pattern after -r gives only its first file to -r; the others differ from it in their number."""
    import re

    def without_digits(path: str) -> str:
        return re.sub(r"\d+", "#", path)

    known = {without_digits(path) for path in references if without_digits(path) != path}
    for path in (split_name(system)[1] for system in systems):
        if without_digits(path) in known:
            print_warning(f"{path} is scored as a system, although it is named like a reference; repeat --reference for every reference")


# --- Evidence instead of gold and texts: what errata evidence wrote.

_TEXTS = frozenset({INPUT, TYPES, GRAPHS, PERFECT, ESSAYS})
"""Groups of options that are about texts."""
_MORE_TEXTS = frozenset({"--analyser", "--parses", "--per-document"})


def _has_evidence(options: argparse.Namespace) -> bool:
    """Whether the first argument is a folder of evidence; it need not be complete."""
    if hasattr(options, "stored_evidence"):
        return True
    if not getattr(options, "takes_evidence", False) or options.gold is None or not os.path.isdir(options.gold):  # noqa: PTH112 - never raises
        return False
    from errata.scoring.evidence_files import is_evidence

    return is_evidence(options.gold)


def evidence_from(options: argparse.Namespace) -> StoredEvidence | None:
    """The evidence that is scored instead of texts, if the first argument is a folder of it."""
    return _open_stored(options) if _has_evidence(options) else None


def _open_stored(options: argparse.Namespace) -> StoredEvidence:
    """Open the folder of evidence that is the first argument; refuse options that need texts."""
    from errata.scoring.evidence_files import open_evidence

    known: StoredEvidence | None = getattr(options, "stored_evidence", None)
    if known is not None:
        return known
    for name, action in options.parser.options.items():
        about_texts = name in OPTIONS and (OPTIONS[name].group in _TEXTS or name in _MORE_TEXTS)
        if about_texts and is_given(action, options):
            raise UsageError(f"{name} cannot be combined with evidence, which has no texts")
    opened: StoredEvidence
    opened = options.stored_evidence = open_evidence(options.gold)
    return opened


def _choose_metrics(options: argparse.Namespace) -> list[Metric]:
    """The metrics that all systems have, or those that are named; others are told."""
    stored = _open_stored(options)
    names = set(options.systems or stored.systems)
    having = {text: {entry.system for entry in stored.manifest.entries if entry.metric == text} for text in stored.metrics}
    complete = [metric for text, metric in stored.metrics.items() if names <= having[text]]
    if not complete:
        raise UsageError(f"{options.gold}: no metric has all of these systems; choose one with -m from {', '.join(having)}")
    for text, own in having.items():
        if not names <= own:
            print_warning(f"{options.gold}: {text} is left out: it has no evidence of {', '.join(sorted(names - own))}; -m shows it")
    return complete


def _score_evidence(options: argparse.Namespace, metrics: Sequence[Metric]) -> tuple[Corpus, list[Score]]:
    """The gold of a folder of evidence, and the scores of the systems that are named, or of all."""
    from errata.report.progress import ProgressBar

    folder = _open_stored(options)
    for warning in folder.list_warnings(metrics):
        print_warning(warning)
    with ProgressBar("reading evidence", None) as bar:
        scores = folder.score(metrics, getattr(options, "evidence_systems", options.systems), bar.advance)
    for score in scores:
        for warning in score.metric.warnings(score.counts):
            print_warning(f"{score.metric} of {score.system_name}: {warning}")
    return cast("Corpus", folder.gold), list(scores)  # the gold has what tables use of a corpus


def _require_systems(options: argparse.Namespace) -> None:
    """Refuse a gold without systems."""
    if options.systems:
        return
    if os.path.isdir(options.gold) and not options.source:  # noqa: PTH112 - never raises
        from errata.scoring.evidence_files.storage import Manifest

        Manifest.of_folder(Path(options.gold))  # says why it is no evidence
    else:
        raise UsageError("the following arguments are required: SYSTEM; only a folder that errata evidence wrote needs none")


# --- Long texts, and columns of tables: they are counted part by part, and only counts are kept.

_LONG = 1 << 22
"""Bytes of a source text that is counted part by part."""
_ABOUT_SENTENCES = ("by_type", "relative_to", "per_sentence", "per_document", "unit", "rechoose", "documents", "sentences")
_NEED_SENTENCES = (*_ABOUT_SENTENCES, "graphs", "analyser", "parses", "max_lines", "max_bytes")
"""Options that need all sentences in memory."""


def _are_counted_in_parts(options: argparse.Namespace, metrics: Sequence[Metric]) -> bool:
    """Whether texts are counted part by part: columns of tables always, texts if they are long and nothing needs their sentences."""
    if options.source or options.input_format not in {None, "parallel"}:
        return False
    _check_columns(options, metrics)
    if not options.reference or _find_column(options) is not None:
        return bool(options.reference)
    if find_input_format(options.gold) == MULTIGEC:
        return False
    edited = any(find_system_format(split_name(system)[1]) == "m2" for system in options.systems)
    return _is_long(options.gold) and not edited and not list(_list_needing(options, metrics))


def _check_columns(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse columns of tables without references, and with what needs all sentences."""
    column = _find_column(options)
    if column is None:
        return
    if not options.reference:
        raise UsageError(f"{column}: columns of texts need the references of the source: -r COLUMN")
    if (needing := next(_list_needing(options, metrics), None)) is not None:
        raise UsageError(f"{column}: {needing} cannot be combined with columns of tables, which are read part by part; use texts")


def _list_needing(options: argparse.Namespace, metrics: Sequence[Metric]) -> Iterator[str]:
    """Yield the metrics and options that need all sentences in memory."""
    yield from (str(metric) for metric in metrics if not metric.in_parts)
    yield from (f"--{name.replace('_', '-')}" for name in _NEED_SENTENCES if getattr(options, name, None))
    if options.tokenise != WHITESPACE_TOKENS:
        yield "--tokenise"
    if getattr(options, "unicode", None) not in {None, AS_GIVEN}:
        yield "--unicode"
    if getattr(options, "resample", None) == "document":
        yield "--resample document"


def _find_column(options: argparse.Namespace) -> str | None:
    """Find the first argument that names a column of a table; JSON Lines without references is annotated gold."""
    given: list[str] = [options.gold, *options.reference, *(split_name(system)[1] for system in options.systems)]
    for path in given:
        ending = path.lower().endswith
        if not ending((".parquet", ".jsonl", ".ndjson")) and ":" not in path:
            continue
        from errata.formats.columns import find_kind, split_column

        file, column = split_column(path)
        if column is not None or (find_kind(file) != "text" and (options.reference or ending(".parquet"))):
            return path
    return None


def _is_long(path: str) -> bool:
    from importlib.util import find_spec

    return os.path.isfile(path) and os.path.getsize(path) > _LONG and find_spec("pyarrow") is not None  # noqa: PTH113, PTH202


def _count_in_parts(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Count texts, which are evidence in memory from now on."""
    from errata.scoring.evidence_files import MemoryStorage, StoredEvidence

    storage = MemoryStorage(options.gold)
    options.stored_evidence = StoredEvidence(storage, _make_from_columns(options, storage, metrics))
    options.evidence_systems = list(name_files(options.systems))


def _make_from_columns(
    options: argparse.Namespace, storage: Storage, metrics: Sequence[Metric], *, warn_of_outputs: bool = True
) -> Manifest:
    """Make evidence of texts; threads are fastest if the core counts them without objects."""
    from errata.formats.columns import open_text_column, split_column
    from errata.formats.lines import is_special
    from errata.scoring import make_engine
    from errata.scoring.evidence_files.making import make_from_texts

    check_standard_input(options)
    in_core = all(metric.counts_texts for metric in metrics)
    engine = make_engine(getattr(options, "engine", None), options.jobs, "threads" if in_core else "processes")
    systems = name_files(options.systems)
    total = None
    if options.gold != "-" and not is_special(split_column(options.gold)[0]):  # opening a pipe takes its beginning
        with open_text_column(options.gold, max_tokens=options.max_tokens) as source:
            total = source.sentences and source.sentences * len(systems) * len(metrics)
    with _making_evidence(options, engine, total) as making:
        told = replace(making, warn_of_outputs=warn_of_outputs)
        return make_from_texts(storage, options.gold, options.reference, systems, metrics, told)


@contextmanager
def _making_evidence(options: argparse.Namespace, engine: Engine, total: int | None) -> Iterator[Making]:
    """Say how evidence is made, by the arguments, and show how far it is."""
    from errata.report.progress import ProgressBar
    from errata.scoring.evidence_files.making import Making
    from errata.scoring.evidence_files.storage import WHOLE, Share
    from errata.settings import PART_SIZE

    part, size = getattr(options, "part", None), getattr(options, "part_size", PART_SIZE)
    with ProgressBar("counting", total, in_core=True, counted="sentences") as bar:
        share = WHOLE if part is None else Share.parse(part)
        yield Making(engine, size, share, bar.advance, print_warning, options.max_tokens, strict=options.strict)


_EVIDENCE_EXAMPLES = """\
examples:
  errata evidence examples/learner.m2 examples/systems/*.txt -o counts
  errata score counts
  errata compare counts

Source, references and outputs may be texts with one sentence per line, also
compressed with gzip or zstd, keys of JSON Lines (FILE.jsonl:KEY), columns of
Parquet (FILE.parquet:COLUMN) or of a folder of such files (FOLDER:COLUMN):
  errata evidence corpus.src.zst -r corpus.ref.zst run7.txt.gz -o counts
  errata evidence corpus.parquet:source -r corpus.parquet:target \\
      mine=outputs.parquet:prediction -o counts
With --reference they are read part by part, so that memory does not grow
with the corpus.  Other gold, and metrics that need all sentences, are held in
memory.

Several jobs can share the work:
  errata evidence corpus.src -r corpus.ref run7.txt -o job1 --part 1/2
  errata evidence corpus.src -r corpus.ref run7.txt -o job2 --part 2/2
  errata evidence merge job1 job2 -o counts

A command that was stopped goes on where it was if it is given again.
Parts that are whole are not counted again, and other systems and metrics can be
added later.
"""
_MERGE = "merge"
_OF_MERGE = frozenset({"output", "quiet", "verbose"})
_FEW = 20_000
"""Sentences of all systems for which other processes would take longer to start than the work."""


def _register_evidence(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "evidence",
        help="write counts to files, for corpora of any length",
        description="Write counts to Parquet files, which score, compare and correlate read.",
        epilog=_EVIDENCE_EXAMPLES,
    )
    parser.add_argument("gold", metavar="GOLD", help="gold; with --reference, the source; or merge, to put folders of evidence together")
    parser.add_argument("systems", metavar="SYSTEM", nargs="+", help="output of a system, NAME=FILE names it; after merge, folders")
    add_option(parser, "--reference")
    add_option(parser, "--from", " (default: by its extension)")
    add_option(parser, "--source", OF_HOO_EDITS)
    add_options(parser, "--unit", "--lenient", "--max-tokens", "--tokenise", "--strict")
    add_option(parser, "--metric", "; may be repeated (default maxmatch)", action="append")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--engine", "--jobs", "--part", "--part-size")
    add_option(parser, "--output", ": a folder, created if it does not exist", required=True)
    parser.set_defaults(run=_run_evidence, prints=lambda _: False, sentences=None)


def _run_evidence(options: argparse.Namespace) -> int:
    if options.output == "-":
        raise UsageError("evidence is several files, so --output must be a folder")
    folder = Path(options.output)
    try:
        manifest = _merge(options, folder) if options.gold == _MERGE else _make(options, folder)
    except KeyboardInterrupt:
        if folder.is_dir():  # else nothing was written yet
            print_to_stderr(f"{options.output}: what was counted is kept; the same command goes on with it")
        raise
    systems = len({entry.system for entry in manifest.entries})
    metrics = len({entry.metric for entry in manifest.entries})
    content = f"{pluralise(systems, 'system')}, {pluralise(metrics, 'metric')}, {pluralise(manifest.gold.sentences, 'sentence')}"
    share = "" if manifest.whole else f", job {manifest.share}"
    print_to_stderr(f"{options.output}: {content}{share}")
    return 0


def _merge(options: argparse.Namespace, folder: Path) -> Manifest:
    for name, action in options.parser.options.items():
        if action.dest not in _OF_MERGE and is_given(action, options):
            raise UsageError(f"{name} cannot be combined with merge")
    from errata.report.progress import ProgressBar
    from errata.scoring.evidence_files import merge_evidence

    with ProgressBar("merging", None) as bar:
        return merge_evidence([Path(path) for path in options.systems], folder, bar.advance)


def _make(options: argparse.Namespace, folder: Path) -> Manifest:
    """Count metrics that can read texts part by part, then those that need the whole gold."""
    from errata.scoring.evidence_files import FolderStorage

    _warn_of_references(options.reference, options.systems)
    metrics, manifest = metrics_from(options), None
    of_texts = options.reference and options.input_format in {None, "parallel"} and options.tokenise == WHITESPACE_TOKENS
    of_texts = of_texts and find_input_format(options.gold) != MULTIGEC
    of_texts = of_texts and not options.source and options.unit is None  # which readers of whole files refuse or use
    in_parts = [metric for metric in metrics if metric.in_parts and of_texts]
    whole = [metric for metric in metrics if metric not in in_parts]
    if in_parts and any(find_system_format(split_name(path)[1]) == "m2" for path in options.systems):
        in_parts, whole = [], metrics
    _check_columns(options, whole)
    check_data(options, metrics)
    if in_parts and (limit := next((name for name in ("max_lines", "max_bytes") if getattr(options, name) is not None), None)):
        option = f"--{limit.replace('_', '-')}"
        raise UsageError(f"{option} cannot be combined with --reference: texts are read part by part, so they may have any length")
    if in_parts:
        manifest = _make_from_columns(options, FolderStorage(folder), in_parts, warn_of_outputs=not whole)
    return _make_from_corpus(options, folder, whole) if whole or manifest is None else manifest


def _make_from_corpus(options: argparse.Namespace, folder: Path, metrics: list[Metric]) -> Manifest:
    """Read all into memory."""
    from errata.scoring import make_engine
    from errata.scoring.evidence_files import FolderStorage, make_from_corpus

    if options.engine is not None and (parsing := next((metric for metric in metrics if metric.needs), None)):
        raise UsageError(f"--engine cannot be combined with {parsing}, whose parses or graphs are made by the command itself")
    corpus = whole_corpus_from(options)
    systems = systems_from(options, options.systems, corpus)
    total = len(corpus) * len(systems) * len(metrics)
    few = any(metric.needs for metric in metrics) or (total <= _FEW and options.engine is None and options.jobs is None)
    engine = make_engine(options.engine, 1 if few else options.jobs, "processes")
    metrics = with_parses(options, with_graphs(options, metrics, corpus, systems))
    with _making_evidence(options, engine, total) as making:
        return make_from_corpus(FolderStorage(folder), corpus, systems, metrics, making)


COMMANDS = {"score": _register_score, "evidence": _register_evidence}
