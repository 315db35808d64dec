"""``errata report``: everything about systems as one page to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.inputs import add_corpus_arguments, add_systems, numbers_from, whole_corpus_from
from errata.cli.judgment_inputs import read_judged_sentences
from errata.cli.pages import choose_sentences, describe_command, describe_warnings, type_by_rules, watch, write_page
from errata.cli.scores import group_by_metric, list_inputs, metrics_from, score_on
from errata.cli.statistics_arguments import add_bootstrap_arguments, alpha_from, bootstrap_from
from errata.cli.tagger_arguments import suit_tagger, tagger_from, type_order_from
from errata.cli.type_arguments import type_system_name
from errata.cli.vocabulary import add_option, add_options
from errata.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from errata.cli.parser import Parser
    from errata.names import Detail

_EXAMPLES = """\
examples:
  errata report examples/learner.m2 examples/systems/*.txt -o report.html
  errata report examples/learner.m2 examples/systems/*.txt \\
      -m maxmatch -m imeasure -m gleu -o report.html
  errata report examples/learner.m2 examples/systems/*.txt \\
      -m maxmatch -m gleu --judgments examples/judgments/rankings.tsv \\
      -o report.html
  errata report examples/errant/gold.m2 examples/errant/eager.m2 -m errant \\
      -o report.html

The page is one file: open it in a browser, mail it, print it or put it on a
web server.  It needs no network, and loads and sends nothing.
It has a leaderboard with intervals, paired tests, scores by error type, the
most frequent edits, charts, and every sentence with the edits of every system.
With --judgments it also says how far the metrics agree with people.
Edits are judged by the first metric that shows edits, or by maxmatch if none
does.
Tests are by default those of the bootstrap, which take the replicates of the
intervals; --test randomisation is the default of errata compare.
A page has at most 100,000 sentences: of a larger corpus an even sample, or
those that --sentences names.  All numbers are of all sentences.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "report",
        help="write a page with scores, differences, types, edits and sentences",
        description="Write a page (HTML) with everything about systems, to look at in a browser.",
        epilog=_EXAMPLES,
    )
    add_corpus_arguments(parser, subset="; all are scored, and the page lists these")
    add_systems(parser)
    add_options(parser, "--as-subset", "--max-sentences", "--judgments", "--first-sentence")
    add_option(parser, "--metric", ", such as 'maxmatch(beta=1)'; may be repeated (default maxmatch)", action="append")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--jobs")
    add_option(parser, "--types", type=type_system_name)
    add_options(parser, "--type-detail", "--tagger", "--pos-tags", "--type-order")
    add_option(parser, "--test", " (default bootstrap)", default="bootstrap")
    add_option(parser, "--correction", default="holm")
    add_option(parser, "--alpha")
    add_bootstrap_arguments(parser)
    add_options(parser, "--title")
    add_option(parser, "--output", ": .html", required=True)
    parser.set_defaults(run=run, prints=lambda _: False)


def run(options: argparse.Namespace) -> int:
    """Score, test, and write the page."""
    from errata.cli.score_by_type import GivenTypes
    from errata.cli.type_arguments import type_system_from, types_gold
    from errata.report.charts.drawing import DrawingProcess
    from errata.report.page.evaluation import Testing, build_report, type_by_tagger
    from errata.stats.comparison import check_replicates

    if options.output != "-" and not options.output.lower().endswith((".html", ".htm")):
        raise UsageError(f"a page is HTML, so its name ends in .html, found {options.output!r}")
    bootstrap = bootstrap_from(options, 1 - alpha_from(options))
    testing = Testing(options.test, options.correction, options.alpha)
    check_replicates(len(options.systems), testing.test, testing.correction, bootstrap, testing.alpha)
    with DrawingProcess() as drawer:  # it starts while systems are scored
        metrics = metrics_from(options)
        corpus = whole_corpus_from(options, also=list_inputs(options))
        if options.as_subset:
            corpus = corpus.subset(numbers_from(options, len(corpus)))
        shown, sampled = choose_sentences(options, len(corpus))
        rules = GivenTypes(type_system_from(options)) if types_gold(options) else None
        scores = score_on(corpus, options, metrics, rules.type_gold if rules is not None else None)
        systems = [score.system for score in scores[: len(scores) // len(metrics)]]
        judged = read_judged_sentences(options, corpus, systems) if options.judgments else None
        detail: Detail = options.type_detail or "full"
        type_edits = (
            type_by_rules(rules, corpus, detail)
            if rules
            else type_by_tagger(suit_tagger(tagger_from(options), options, corpus), type_order_from(options), detail)
        )
        report = build_report(
            group_by_metric(scores, len(metrics)),
            type_edits,
            bootstrap,
            testing,
            drawer,
            watch,
            judged,
            shown=shown,
            sampled=sampled,
            title=options.title,
            command=describe_command(options),
            warnings=describe_warnings(options),
        )
        write_page(report, options.output)
    return 0
