"""``errata stats``: counts of a corpus."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from errata.cli.inputs import add_corpus_arguments, corpus_from
from errata.cli.printing import TABLE, print_json, print_tables
from errata.cli.vocabulary import add_format

if TYPE_CHECKING:
    import argparse

    from errata.cli.parser import Parser
    from errata.corpus import Corpus
    from errata.report import Cell, Table

_EXAMPLES = """\
examples:
  errata stats examples/learner.m2
  errata stats examples/learner.m2 --format markdown
"""


_MOST_COLUMNS = 12
"""The most annotators that get their own column."""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "stats", help="count sentences, tokens, edits and error types", description="Count what is in a corpus.", epilog=_EXAMPLES
    )
    add_corpus_arguments(parser)
    add_format(parser, TABLE, "; csv has the error types only")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the size of a corpus, its annotators and its error types."""
    corpus = corpus_from(options)
    if options.format == "json":
        print_json(_record(corpus))
    elif options.format == "csv":
        print_tables([corpus_type_table(corpus, total=False)], options.format)
    else:
        print_tables([corpus_size_table(corpus), annotator_table(corpus), corpus_type_table(corpus)], options.format)
    return 0


def corpus_size_table(corpus: Corpus) -> Table:
    """Make a table of the numbers of sentences, tokens, annotators and edits."""
    from errata.report import Column, Table

    edits = [edit for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits]
    optional = sum(edit.status == "OPTIONAL" for edit in edits)
    rows = (
        ("sentences", len(corpus)),
        ("tokens", sum(len(sentence.tokens) for sentence in corpus)),
        ("annotators", len(corpus.annotators)),
        ("edits", len(edits)),
        *([("optional edits", optional)] if optional else []),
        ("sentences without annotation", sum(not sentence.annotations for sentence in corpus)),
    )
    return Table((Column(corpus.name, key="what"), Column("Count", "count", "count")), rows)


def annotator_table(corpus: Corpus) -> Table:
    """Make a table of the sentences and edits of each annotator."""
    from errata.report import Column, Table

    columns = (
        Column("Annotator", key="annotator"),
        Column("Sentences", "count", "sentences"),
        Column("With edits", "count", "with_edits"),
        Column("Noop", "count", "noop"),
        Column("Missing", "count", "missing"),
        Column("Edits", "count", "edits"),
    )
    own: dict[str, list[int]] = {name: [] for name in corpus.annotators}
    for sentence in corpus:
        for annotation in sentence.annotations:
            own[annotation.annotator].append(len(annotation.edits))
    rows = []
    for annotator, edits in own.items():
        corrected = sum(map(bool, edits))
        rows.append((annotator, len(edits), corrected, len(edits) - corrected, len(corpus) - len(edits), sum(edits)))
    notes = ("Noop: the annotator found nothing wrong.  Missing: the annotator has no line for the sentence.",)
    return Table(columns, tuple(rows), notes=notes)


def corpus_type_table(corpus: Corpus, *, total: bool = True) -> Table:
    """Make a table of error types, the most frequent first, by annotator and in total; ``total`` adds a row of sums."""
    from errata.report import Column, Table

    counts = type_counts(corpus)
    together: Counter[str] = Counter()
    for own in counts.values():
        together.update(own)
    several = 1 < len(counts) <= _MOST_COLUMNS
    columns = (
        Column("Type", key="type"),
        *(Column(f"Annotator {name}", "count", f"annotator_{name}") for name in counts if several),
        Column("Edits", "count", "edits"),
        Column("%", "percent", "share"),
    )
    everything = together.total()
    names = sorted(together, key=lambda name: (-together[name], name))
    rows: list[tuple[Cell, ...]] = [
        (name, *(own[name] for own in counts.values() if several), together[name], together[name] / everything) for name in names
    ]
    if total:
        rows.append(("all", *(own.total() for own in counts.values() if several), everything, 1.0 if everything else None))
    return Table(columns, tuple(rows))


def type_counts(corpus: Corpus) -> dict[str, Counter[str]]:
    """Count the error types of each annotator."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in corpus.annotators}
    for sentence in corpus:
        for annotation in sentence.annotations:
            counts[annotation.annotator].update(edit.type for edit in annotation.edits)
    return counts


def _record(corpus: Corpus) -> dict[str, object]:
    annotators = annotator_table(corpus)
    keys = [column.key for column in annotators.columns]
    return {
        "corpus": corpus.name,
        **{str(name).replace(" ", "_"): count for name, count in corpus_size_table(corpus).rows},
        "annotators": [dict(zip(keys, row, strict=True)) for row in annotators.rows],
        "types": {name: dict(own) for name, own in type_counts(corpus).items()},
    }
