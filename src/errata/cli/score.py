"""``errata score``: a leaderboard of systems."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from errata.cli.arguments import Parser, add_corpus_arguments, corpus_from, systems_from
from errata.version import __version__

if TYPE_CHECKING:
    import argparse

    from errata.corpus import Corpus
    from errata.metrics import Metric
    from errata.report import Cell, Table, TableFormat
    from errata.scoring import Score

_EXAMPLES = """\
examples:
  errata score examples/learner.m2 examples/systems/*.txt
  errata score examples/learner.m2 examples/systems/eager.txt -m 'maxmatch(beta=1,choice=optimal)'
  errata score examples/learner.m2 examples/systems/*.txt --format latex
  errata score examples/learner.m2 examples/systems/cautious.txt --per-sentence --format csv

A metric is written name or name(setting=value,...).  Settings of maxmatch:
  beta=0.5                     weight of recall against precision
  max_unchanged=2              unchanged tokens that an edit may contain
  ignore_case_and_space=false  leave out edits that change only case or white space
  choice=official              annotator of a sentence: official, optimal or sentence
  missing=absent               annotator without a line in a sentence: absent or noop
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "score", help="score systems against gold", description="Score systems against gold and print a leaderboard.", epilog=_EXAMPLES
    )
    add_corpus_arguments(parser)
    parser.add_argument("systems", metavar="SYSTEM", nargs="+", help="output of a system: one sentence a line, in the order of GOLD")
    parser.add_argument("-m", "--metric", action="append", metavar="METRIC", help="metric to compute; may be repeated (default maxmatch)")
    parser.add_argument(
        "--format",
        dest="output",
        choices=("table", "json", "csv", "markdown", "latex"),
        default="table",
        help="how to print (default table)",
    )
    parser.add_argument("--per-sentence", action="store_true", help="print the counts of every sentence and the annotator chosen for it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score every system with every metric."""
    from errata.metrics import parse
    from errata.report.progress import ProgressBar
    from errata.scoring import Evaluator

    metrics = [parse(text) for text in options.metric or ["maxmatch"]]
    corpus = corpus_from(options)
    systems = systems_from(options, options.systems)
    from errata.corpus import check_same_length

    for system in systems:
        check_same_length(corpus, system)
    scores: list[Score] = []
    with ProgressBar("scoring", len(metrics) * len(systems) * len(corpus)) as bar:
        for metric in metrics:
            evaluate = Evaluator(corpus, metric)
            scores += [evaluate(system, bar.advance) for system in systems]
    if options.output == "json":
        _print_json(corpus, scores, per_sentence=options.per_sentence)
        return 0
    for place, metric in enumerate(metrics):
        own = scores[place * len(systems) : (place + 1) * len(systems)]
        table = (
            per_sentence_table(corpus, metric, own)
            if options.per_sentence
            else leaderboard(corpus, metric, own, ranked=options.output != "csv")
        )
        if place:
            print()
        _print(table, options.output)
    return 0


def leaderboard(corpus: Corpus, metric: Metric, scores: list[Score], *, ranked: bool = True) -> Table:
    """Systems with their counts and measures, the best first."""
    from errata.report import Column, Table

    names = list(scores[0].parts) if scores else []
    columns = (Column("System", key="system"), *(_column(name) for name in names), Column(metric.label, "percent", "value"))
    if ranked:
        scores = sorted(scores, key=lambda score: (-score.value, score.system))
    rows: tuple[tuple[Cell, ...], ...] = tuple((score.system, *score.parts.values(), score.value) for score in scores)
    return Table(columns, rows, notes=(signature(corpus, metric),))


def per_sentence_table(corpus: Corpus, metric: Metric, scores: list[Score]) -> Table:
    """Every sentence of every system, against the annotator chosen for it."""
    from errata.report import Column, Table

    names = list(scores[0].parts) if scores else []
    columns = (
        Column("System", key="system"),
        Column("Sentence", "count", "sentence"),
        Column("Annotator", key="annotator"),
        *(_column(name) for name in names),
        Column(metric.label, "percent", "value"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (score.system, sentence.sentence, sentence.reference, *sentence.parts.values(), sentence.value)
        for score in scores
        for sentence in score.sentences()
    )
    return Table(columns, rows, notes=(signature(corpus, metric),))


def signature(corpus: Corpus, metric: Metric) -> str:
    """Everything that can change the number."""
    from errata.fingerprint import fingerprint

    annotators = ",".join(corpus.annotators)
    return (
        f"{metric.signature} | gold {corpus.name}, {len(corpus):,} sentences, annotators {annotators}, "
        f"sha256 {fingerprint(corpus)} | errata {__version__}"
    )


def _column(name: str) -> Any:
    from errata.report import Column

    headings = {"precision": "P", "recall": "R"}
    return Column(headings.get(name, name.capitalize()), "percent" if name in headings else "count", name)


def _print(table: Table, output: str) -> None:
    from errata.report.writers import print_table, render

    if output == "table":
        print_table(table)
    else:
        format_: TableFormat = output  # type: ignore[assignment]  # argparse admits no other
        sys.stdout.write(render(table, format_))


def _print_json(corpus: Corpus, scores: list[Score], *, per_sentence: bool) -> None:
    import json

    entries = []
    for score in scores:
        entry: dict[str, Any] = {
            "system": score.system,
            "metric": str(score.metric),
            "value": score.value,
            "parts": score.parts,
            "signature": signature(corpus, score.metric),
        }
        if per_sentence:
            entry["per_sentence"] = [
                {"sentence": item.sentence, "annotator": item.reference, "value": item.value, "parts": item.parts}
                for item in score.sentences()
            ]
        entries.append(entry)
    json.dump(
        {"errata": __version__, "gold": corpus.name, "sentences": len(corpus), "scores": entries}, sys.stdout, indent=1, ensure_ascii=False
    )
    print()
