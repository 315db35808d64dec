"""``errata inspect``: sentences with what a metric sees in them, right, wrong and missed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from errata.cli.inputs import add_one_system, numbers_from, subset_record, systems_from, whole_corpus_from
from errata.cli.inspection import MARKS, Filters
from errata.cli.parse_inputs import with_parses
from errata.cli.printing import TEXT, flush_warnings, print_json
from errata.cli.vocabulary import add_format, add_one_metric, add_options
from errata.errors import RequestError, UsageError
from errata.suggestions import suggest
from errata.version import __version__
from errata.words import pluralise

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from errata.cli.inspection import Inspected
    from errata.cli.parser import Parser
    from errata.corpus import Corpus, System
    from errata.metrics import Metric
    from errata.scoring import Score

_EXAMPLES = """\
examples:
  errata inspect examples/learner.m2 examples/systems/eager.txt \\
      --sentences 3,10-12
  errata inspect examples/learner.m2 examples/systems/eager.txt --outcome wrong
  errata inspect examples/learner.m2 examples/systems/cautious.txt \\
      --outcome missed --types ArtOrDet,Prep --chosen
  errata inspect examples/learner.m2 examples/systems/eager.txt \\
      -m imeasure --sentences 3
  errata inspect examples/learner.m2 examples/systems/eager.txt \\
      -m gleu --sentences 3
  errata inspect examples/errant/gold.m2 examples/errant/eager.m2 -m errant \\
      --outcome wrong --types R:PREP
  errata inspect examples/learner.m2 examples/systems/rewriter.txt \\
      --search lonely --format json
  errata inspect examples/learner.m2 examples/systems/eager.txt \\
      --sentences 3 --lattice
  errata inspect examples/learner.m2 examples/systems/eager.txt \\
      --sentences 3 --lattice --chosen -o lattice.svg

MaxMatch shows edits.  GLEU shows the n-grams that count for and against the
system, for every reference.
I-measure shows source, system and reference aligned token by token, with the
class of every column: TP, TN, FP, FN, or FPN where source, system and reference
all differ; and which annotators made the corrections of the reference.
Sentences are numbered from 1, as the lines of the system's file.
All sentences are scored, and --sentences only says which are shown; with
--as-subset only these are scored, which may change the chosen references.
Filters are combined: with --outcome and --types, one edit must pass both.
Only gold edits have a type, so --types shows right and missed edits; with
errant, wrong edits have one too.
--lattice shows the edit lattice of MaxMatch: the Levenshtein matrix, every arc
with its cost, and the path that is scored; as a picture, of one sentence.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "inspect",
        help="show sentences with right, wrong and missed edits",
        description="Show sentences with the edits of gold and system, or aligned token by token.",
        epilog=_EXAMPLES,
    )
    add_one_system(parser)
    add_options(parser, "--as-subset", "--outcome", "--search", "--chosen", "--types")
    add_one_metric(parser, "maxmatch", ", such as 'maxmatch(beta=1)' (default maxmatch)")
    add_options(parser, "--analyser", "--parses", "--lattice")
    add_format(parser, (*TEXT, "svg"), "; svg needs --lattice")
    add_options(parser, "--color")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print every sentence that passes the filters."""
    from errata.metrics import registry

    metric = registry.metric(options.metric)
    corpus = whole_corpus_from(options, also=[options.system])
    filters = _filters_from(options, corpus, metric)
    numbers = list(dict.fromkeys(numbers_from(options, len(corpus))))
    if options.as_subset:
        corpus = corpus.subset(numbers)
    (system,) = systems_from(options, [options.system], corpus)
    if options.format == "svg" and not options.lattice:
        raise UsageError("--format svg needs --lattice")
    score = _score(options, metric, corpus, system)
    passing = _inspected(options, score, system, numbers, filters)
    if options.lattice:
        from errata.cli.inspect_lattice import print_lattices

        found = [item.record["sentence"] for item in passing]
        return print_lattices(score, found, options.format, options.color, only_chosen=options.chosen)
    if options.format == "json":
        records = [item.record for item in passing]
        head = {"errata": __version__, "gold": corpus.name, "system": system.name, "metric": options.metric}
        print_json({**head, **subset_record(corpus), "signature": score.signature, "sentences": records})
        return 0
    from errata.report.markup import printer

    flush_warnings()
    show = printer(options.color)
    shown = elsewhere = 0
    totals, matching = Counter[str](), Counter[str]()
    for item in passing:
        show(*item.lines)
        shown += 1
        totals.update(item.outcomes)
        matching.update(item.matching)
        elsewhere += item.elsewhere
    show([(f"{shown:,} of {pluralise(len(corpus), 'sentence')} shown; {_summary(score, filters, totals, matching, elsewhere)}", "")])
    if corpus.part is not None:
        show([(f"scored as a subset: {corpus.extent}", "")])
    return 0


def _summary(score: Score, filters: Filters, totals: Counter[str], matching: Counter[str], elsewhere: int) -> str:
    """What is counted in the sentences that are shown: everything, or what passes the filters and of how much."""
    against = "against the chosen references" if score.evidence.chosen is not None else "against all references"
    outcomes = [outcome for outcome in MARKS if not filters.outcomes or outcome in filters.outcomes]
    counted = ", ".join(f"{MARKS[outcome]} {matching[outcome]:,} {outcome}" for outcome in outcomes)
    if not filters.of_edits:
        return f"{against} {counted}"
    others = f", and {elsewhere:,} against other annotators" if elsewhere else ""
    return f"the filters match {counted} (of {totals.total():,}) {against}{others}"


def _score(options: argparse.Namespace, metric: Metric, corpus: Corpus, system: System) -> Score:
    from errata.report.progress import ProgressBar
    from errata.scoring import Evaluator

    if metric.inspected_with:
        raise UsageError(f"to inspect {metric.name}, use {metric.inspected_with}")
    (metric,) = with_parses(options, [metric])
    with ProgressBar("scoring", len(corpus), in_core=True) as bar:
        return Evaluator(corpus, metric)(system, bar.advance)


def _inspected(options: argparse.Namespace, score: Score, system: System, numbers: list[int], filters: Filters) -> Iterator[Inspected]:
    from errata.metrics import ShowsAlignment, ShowsEdits, ShowsNgrams

    metric = score.metric
    if isinstance(score.output, ShowsEdits):
        from errata.cli.inspect_edits import inspected_edits

        return inspected_edits(score.evidence, score.output, system, numbers, filters, only_chosen=options.chosen)
    if isinstance(score.output, ShowsAlignment):
        from errata.cli.inspect_columns import inspected_columns

        if filters.types:
            raise UsageError(f"{metric.name} judges tokens, which have no type; --types needs a metric of edits, such as maxmatch")
        return inspected_columns(score, score.output, system, numbers, filters)
    if isinstance(score.output, ShowsNgrams):
        from errata.cli.inspect_ngrams import inspected_ngrams

        if filters.types:
            raise UsageError(f"{metric.name} judges n-grams, which have no type; --types needs a metric of edits, such as maxmatch")
        return inspected_ngrams(score, score.output, system, numbers, filters, only_chosen=options.chosen)
    raise RequestError(f"{metric.name} has neither edits nor an alignment nor n-grams to show; maxmatch, imeasure and gleu do")


def _filters_from(options: argparse.Namespace, corpus: Corpus, metric: Metric) -> Filters:
    types = {name.strip() for name in options.types.split(",")} if options.types is not None else set()
    known = {edit.type for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits} | metric.own_types
    if unknown := sorted(types - known):
        listed = ", ".join(sorted(known)) or "no edits"
        raise UsageError(f"no edit of {corpus.path} has the type {unknown[0]!r}; it has {listed}{suggest(unknown[0], known)}")
    outcomes = set(options.outcome or ())
    if types and outcomes == {"wrong"} and not metric.types_wrong_edits:
        raise UsageError("a wrong edit has no type, because only gold edits have one; combine --types with --outcome right or missed")
    return Filters(outcomes, types, options.search.lower())
