"""``errata stats``: what is in a corpus."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from errata.cli.arguments import Parser, add_corpus_arguments, corpus_from

if TYPE_CHECKING:
    import argparse

    from errata.corpus import Corpus
    from errata.report import Cell, Table

_EXAMPLES = """\
examples:
  errata stats examples/learner.m2
  errata stats examples/learner.m2 --format markdown
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "stats", help="count sentences, tokens, edits and error types", description="Count what is in a corpus.", epilog=_EXAMPLES
    )
    add_corpus_arguments(parser)
    parser.add_argument(
        "--format",
        dest="output",
        choices=("table", "json", "csv", "markdown", "latex"),
        default="table",
        help="how to print (default table); csv has the error types only",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the size of a corpus, its annotators and its error types."""
    from errata.report.writers import print_table, render

    corpus = corpus_from(options)
    if options.output == "json":
        _print_json(corpus)
        return 0
    tables = [type_table(corpus)] if options.output == "csv" else [size_table(corpus), annotator_table(corpus), type_table(corpus)]
    for place, table in enumerate(tables):
        if place:
            print()
        if options.output == "table":
            print_table(table)
        else:
            sys.stdout.write(render(table, options.output))
    return 0


def size_table(corpus: Corpus) -> Table:
    """Sentences, tokens, annotators and edits."""
    from errata.report import Column, Table

    rows = (
        ("sentences", len(corpus)),
        ("tokens", sum(len(sentence.tokens) for sentence in corpus)),
        ("annotators", len(corpus.annotators)),
        ("edits", sum(len(annotation.edits) for sentence in corpus for annotation in sentence.annotations)),
        ("sentences without annotation", sum(not sentence.annotations for sentence in corpus)),
    )
    return Table((Column(corpus.name, key="what"), Column("Count", "count", "count")), rows)


def annotator_table(corpus: Corpus) -> Table:
    """What each annotator did."""
    from errata.report import Column, Table

    columns = (
        Column("Annotator", key="annotator"),
        Column("Sentences", "count", "sentences"),
        Column("With edits", "count", "with_edits"),
        Column("Noop", "count", "noop"),
        Column("Missing", "count", "missing"),
        Column("Edits", "count", "edits"),
    )
    rows = []
    for annotator in corpus.annotators:
        own = [annotation for sentence in corpus for annotation in sentence.annotations if annotation.annotator == annotator]
        corrected = sum(bool(annotation.edits) for annotation in own)
        edits = sum(len(annotation.edits) for annotation in own)
        rows.append((annotator, len(own), corrected, len(own) - corrected, len(corpus) - len(own), edits))
    notes = ("Noop: the annotator found nothing wrong.  Missing: the annotator has no line for the sentence.",)
    return Table(columns, tuple(rows), notes=notes)


def type_table(corpus: Corpus) -> Table:
    """Error types, the most frequent first, for each annotator and in all."""
    from errata.report import Column, Table

    counts = type_counts(corpus)
    total: Counter[str] = Counter()
    for own in counts.values():
        total.update(own)
    several = len(counts) > 1
    columns = (
        Column("Type", key="type"),
        *(Column(f"Annotator {name}", "count", f"annotator_{name}") for name in counts if several),
        Column("Edits", "count", "edits"),
        Column("%", "percent", "share"),
    )
    everything = total.total()
    names = sorted(total, key=lambda name: (-total[name], name))
    rows: list[tuple[Cell, ...]] = [
        (name, *(own[name] for own in counts.values() if several), total[name], total[name] / everything) for name in names
    ]
    rows.append(("all", *(own.total() for own in counts.values() if several), everything, 1.0 if everything else None))
    return Table(columns, tuple(rows))


def type_counts(corpus: Corpus) -> dict[str, Counter[str]]:
    """How often each annotator used each error type."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in corpus.annotators}
    for sentence in corpus:
        for annotation in sentence.annotations:
            counts[annotation.annotator].update(edit.type for edit in annotation.edits)
    return counts


def _print_json(corpus: Corpus) -> None:
    import json

    size = {str(name): count for name, count in size_table(corpus).rows}
    annotators = annotator_table(corpus)
    keys = [column.key for column in annotators.columns]
    record = {
        "corpus": corpus.name,
        **{name.replace(" ", "_"): count for name, count in size.items()},
        "annotators": [dict(zip(keys, row, strict=True)) for row in annotators.rows],
        "types": {name: dict(own) for name, own in type_counts(corpus).items()},
    }
    json.dump(record, sys.stdout, indent=1, ensure_ascii=False)
    print()
