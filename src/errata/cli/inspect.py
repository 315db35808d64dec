"""``errata inspect``: sentences with what a metric sees in them, right, wrong and missed."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from errata.cli.inputs import add_corpus_arguments, add_systems, numbers_from, subset_record, systems_from, whole_corpus_from
from errata.cli.inspection import Filters
from errata.cli.parse_inputs import with_parses
from errata.cli.printing import flush_warnings, print_json
from errata.cli.vocabulary import add_format, add_one_metric, add_option, add_options
from errata.errors import RequestError, UsageError, pluralise, suggest
from errata.report.tables.edits import MARKS
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from errata.cli.inspection import Inspected
    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus, System
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
      --outcome wrong -o wrong.html
  errata inspect examples/learner.m2 examples/systems/*.txt --digest
  errata inspect examples/learner.m2 examples/systems/eager.txt \\
      --digest --outcome wrong --top 30
  errata inspect examples/learner.m2 examples/systems/*.txt --chosen \\
      -o edits.csv
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
--digest counts equal edits, against the chosen references: of each system, and
of all together if there are several.  Filters then select edits, and --search
the sentences that they are in.  Case matters; types do not, and are listed.
--format csv prints every edit that passes the filters, one in each line.
--format html is the page of errata report, opened at these sentences; their
edits are judged against the chosen references, as with --chosen.
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
    add_corpus_arguments(parser, subset="; all are scored, and these are shown")
    add_systems(parser, "; several need --digest, --format csv or --format html")
    add_options(parser, "--as-subset")
    add_option(parser, "--outcome", "; with --digest and as CSV, only such edits")
    add_options(parser, "--search", "--chosen", "--types")
    add_one_metric(parser, "maxmatch", ", such as 'maxmatch(beta=1)' (default maxmatch)")
    add_options(parser, "--analyser", "--parses", "--jobs", "--digest", "--top", "--lattice")
    add_format(parser, ("text", "json", "csv", "html", "markdown", "latex", "svg"), "; markdown and latex need --digest, svg --lattice")
    add_options(parser, "--spaces", "--color")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print every sentence that passes the filters, or its edits."""
    from errata.metrics import registry

    metric = registry.metric(options.metric)
    _check_format(options)
    corpus = whole_corpus_from(options, also=options.systems)
    filters = _filters_from(options, corpus, metric)
    numbers = list(dict.fromkeys(numbers_from(options, len(corpus))))
    if options.as_subset:
        corpus = corpus.subset(numbers)
    systems = systems_from(options, options.systems, corpus)
    scores = _score(options, metric, corpus, systems)
    if options.digest:
        from errata.cli.inspect_digest import print_digest

        return print_digest(options, scores, numbers, filters)
    if options.format == "html":
        from errata.cli.inspect_page import print_page
        from errata.metrics import ShowsEdits

        if filters.of_edits and not isinstance(scores[0].output, ShowsEdits):
            raise UsageError(
                f"{metric.name} does not show edits; --outcome and --types with --format html need a metric of edits, such as maxmatch"
            )
        return print_page(options, scores, filters)
    if options.format == "csv":
        return _print_edits(scores, numbers, filters, only_chosen=options.chosen)
    return _print_sentences(options, scores[0], numbers, filters)


def _check_format(options: argparse.Namespace) -> None:
    """Raise if what is asked for cannot be printed so."""
    for name, needed in (("svg", "--lattice"), ("markdown", "--digest"), ("latex", "--digest")):
        if options.format == name and not getattr(options, needed.removeprefix("--")):
            raise UsageError(f"--format {name} needs {needed}")
    if len(options.systems) > 1 and not options.digest and options.format not in {"csv", "html"}:
        raise UsageError(
            f"the sentences of one system can be shown, found {len(options.systems)}; several need --digest, --format csv or --format html"
        )


def _print_edits(scores: Sequence[Score], numbers: list[int], filters: Filters, *, only_chosen: bool) -> int:
    """Print every edit that passes the filters, as CSV."""
    from errata.cli.inspect_edits import list_edit_rows
    from errata.metrics import ShowsEdits
    from errata.report.tables.edits import EDIT_COLUMNS
    from errata.report.writers import make_csv_lines

    flush_warnings()
    shown = [(score, score.output) for score in scores if isinstance(score.output, ShowsEdits)]
    if not shown:
        raise UsageError(f"{scores[0].metric.name} does not show edits; --format csv needs a metric of edits, such as maxmatch")
    rows = (row for score, output in shown for row in list_edit_rows(score, output, numbers, filters, only_chosen=only_chosen))
    for line in make_csv_lines(chain([EDIT_COLUMNS], rows)):
        print(line)
    return 0


def _print_sentences(options: argparse.Namespace, score: Score, numbers: list[int], filters: Filters) -> int:
    """Print the sentences of one system, or their lattices."""
    corpus, system = score.evidence.corpus, score.system
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
    from errata.report.writers import printer

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


def _score(options: argparse.Namespace, metric: Metric, corpus: Corpus, systems: Sequence[System]) -> list[Score]:
    from errata.report.progress import ProgressBar
    from errata.scoring import Evaluator, evaluate_many

    if metric.inspected_with:
        raise UsageError(f"to inspect {metric.name}, use {metric.inspected_with}")
    (metric,) = with_parses(options, [metric])
    with ProgressBar("scoring", len(systems) * len(corpus), in_core=True) as bar:
        return list(evaluate_many(Evaluator(corpus, metric, warn=None), systems, options.jobs, bar.advance))


def _inspected(options: argparse.Namespace, score: Score, system: System, numbers: list[int], filters: Filters) -> Iterator[Inspected]:
    from errata.metrics import ShowsAlignment, ShowsEdits, ShowsNgrams

    metric = score.metric
    if isinstance(score.output, ShowsEdits):
        from errata.cli.inspect_edits import inspected_edits
        from errata.corpus.unicode import has_characters, join_characters

        texts = [sentence.tokens for sentence in score.evidence.corpus]
        join = join_characters if options.spaces == "auto" and has_characters(texts) else " ".join
        return inspected_edits(score.evidence, score.output, system, numbers, filters, only_chosen=options.chosen, join=join)
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
