"""``errata conservatism``: how much systems change, beside how much annotators do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.cli.arguments import Parser, add_output_format, corpus_from, print_json, print_tables, systems_from
from errata.cli.scores import add_system_arguments
from errata.version import __version__

if TYPE_CHECKING:
    import argparse

    from errata.conservatism import Conservatism

_EXAMPLES = """\
examples:
  errata conservatism examples/learner.m2 examples/systems/*.txt
  errata conservatism examples/learner.m2 examples/systems/*.txt --histogram
  errata conservatism examples/learner.m2 examples/systems/eager.txt --format json
  errata conservatism examples/learner.m2 examples/systems/*.txt --chart conservatism.svg

Words are letters and digits in lower case, so punctuation does not count.  Words: changed, deleted or added; apart: without those
that are changed only a little (up to two letters, one in short words).  Order: Spearman's rho, 1 where no word moved.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "conservatism",
        help="show how much systems dare to change",
        description="Count what systems change, beside what every annotator changes.",
        epilog=_EXAMPLES,
    )
    add_system_arguments(parser)
    parser.add_argument("--histogram", action="store_true", help="add how many sentences have how many changed words")
    parser.add_argument("--apart", action="store_true", help="histogram of words that are changed more than a little")
    parser.add_argument("--chart", metavar="FILE", help="draw changed words, order, splits and joins: .svg, .png or .pdf")
    add_output_format(parser)
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Count and print."""
    from errata.conservatism import conservatism_of, conservatism_of_references, extremes_of
    from errata.corpus import check_same_length
    from errata.report.progress import ProgressBar
    from errata.report.tables.conservatism import changes_in_words, changes_table, histogram_table

    if options.chart:
        from errata.report.charts.scores import check_chart_path

        check_chart_path(options.chart)
    corpus = corpus_from(options, also=options.systems)
    systems = systems_from(options, options.systems)
    for system in systems:
        check_same_length(corpus, system)
    references = conservatism_of_references(corpus)
    with ProgressBar("aligning words", len(systems) * len(corpus), in_core=True) as bar:
        found = [conservatism_of(corpus, system, bar.advance) for system in systems]
    extremes = [extremes_of(item, references) for item in found]
    if options.chart:
        from errata.report.charts.coverage import conservatism_chart
        from errata.report.charts.scores import save_chart

        ranked = sorted(found, key=lambda item: (-item.words, item.name))
        save_chart(conservatism_chart([*references, *ranked]), options.chart)
    if options.output == "json":
        entries = [_record(item) for item in references]
        for item, own in zip(found, extremes, strict=True):
            entries.append(_record(item) | {"more_than_every_reference": own.more, "fewer_than_every_reference": own.fewer})
        print_json({"errata": __version__, "gold": corpus.name, "sentences": len(corpus), "conservatism": entries})
        return 0
    rows = list(zip(found, extremes, strict=True))
    if options.output != "csv":
        rows.sort(key=lambda row: (-row[0].words, row[0].name))
    ranked = [item for item, _ in rows]
    tables = [changes_table(references, rows, changes_in_words(references, ranked, len(corpus)))]
    if options.histogram or options.apart:
        tables.append(histogram_table([*references, *ranked], apart=options.apart))
    print_tables(tables, options.output)
    return 0


def _record(item: Conservatism) -> dict[str, Any]:
    names = ("name", "changed", "words", "words_apart", "order", "reordered", "split", "joined")
    record = {name: getattr(item, name) for name in names}
    record["histogram"] = {str(words): count for words, count in sorted(item.histogram().items())}
    record["histogram_apart"] = {str(words): count for words, count in sorted(item.histogram(apart=True).items())}
    return record
