"""``errata conservatism``: how much systems change, compared with annotators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.cli.inputs import add_system_arguments, corpus_from, subset_note, subset_record, systems_from, tokenisation_note
from errata.cli.printing import TABLE, print_json, print_tables, print_warning
from errata.cli.vocabulary import add_format, add_option, add_options
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.parser import Parser
    from errata.studies.conservatism import Conservatism

_EXAMPLES = """\
examples:
  errata conservatism examples/learner.m2 examples/systems/*.txt
  errata conservatism examples/learner.m2 examples/systems/*.txt --histogram
  errata conservatism examples/learner.m2 examples/systems/*.txt \\
      --sentence-ends '.?!;'
  errata conservatism examples/learner.m2 examples/systems/*.txt \\
      --chart conservatism.svg

Words are letters and digits in lower case; punctuation does not count.
Words: changed, deleted or added words.
Larger changes: the same without words that differ by at most two letters (one
in short words).
Split, joined: sentences that end in more, or fewer, places, also where they
cross the end of a line.
Order: Spearman's rho of the words' positions; 1 if no word moved.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "conservatism",
        help="count how much systems and annotators change",
        description="Count what systems change, beside what every annotator changes.",
        epilog=_EXAMPLES,
    )
    add_system_arguments(parser)
    add_option(parser, "--missing", " (default noop, as in the paper)", choices=("same", "noop"), default="noop")
    add_options(parser, "--histogram", "--without-small-changes", "--sentence-ends", "--chart")
    add_format(parser, TABLE)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Count and print."""
    from errata.corpus.annotators import explain_missing
    from errata.report.progress import ProgressBar
    from errata.report.tables.coverage import changes_in_words, changes_table, histogram_table, sentence_changes_table
    from errata.studies.conservatism import (
        check_sentence_ends,
        count_sentence_changes,
        find_extremes,
        measure_conservatism,
        measure_reference_conservatism,
    )

    if options.sentence_ends is not None:
        check_sentence_ends(options.sentence_ends)

    if options.chart:
        from errata.report.charts.parts import check_chart_path

        check_chart_path(options.chart)
    corpus = corpus_from(options, also=options.systems)
    systems = systems_from(options, options.systems, corpus)
    for warning in explain_missing(corpus, options.missing):
        print_warning(f"{corpus.path}: {warning}")
    references = measure_reference_conservatism(corpus, options.missing)
    with ProgressBar("aligning words", len(systems) * len(corpus), in_core=True) as bar:
        results = [measure_conservatism(corpus, system, bar.advance) for system in systems]
    sentences = count_sentence_changes(corpus, systems, options.sentence_ends, options.missing) if options.sentence_ends is not None else []
    extremes = [find_extremes(item, references, corpus.numbers) for item in results]
    if options.chart:
        from errata.report.charts.coverage import conservatism_chart
        from errata.report.charts.parts import save_chart

        ranked = sorted(results, key=lambda item: (-item.words, item.name))
        save_chart(conservatism_chart([*references, *ranked]), options.chart)
    if options.format == "json":
        entries = [_record(item, corpus.numbers) for item in references]
        for item, own in zip(results, extremes, strict=True):
            entries.append(_record(item, corpus.numbers) | {"more_than_every_reference": own.more, "fewer_than_every_reference": own.fewer})
        for entry, counts in zip(entries, sentences, strict=bool(sentences)):
            entry["sentence_changes"] = {"sentence_ends": options.sentence_ends, **counts._asdict()}
        gold = {
            "gold": corpus.name,
            "sentences": len(corpus),
            **subset_record(corpus),
            "missing": options.missing,
            "tokenise": options.tokenise,
        }
        print_json({"errata": __version__, **gold, "conservatism": entries})
        return 0
    rows = list(zip(results, extremes, strict=True))
    if options.format != "csv":
        rows.sort(key=lambda row: (-row[0].words, row[0].name))
    ranked = [item for item, _ in rows]
    tables = [
        changes_table(
            references, rows, [*changes_in_words(references, ranked, len(corpus)), *subset_note(corpus), *tokenisation_note(systems)]
        )
    ]
    if options.histogram or options.without_small_changes:
        tables.append(histogram_table([*references, *ranked], apart=options.without_small_changes))
    if sentences:
        names = [item.name for item in (*references, *results)]
        tables.append(sentence_changes_table(list(zip(names, sentences, strict=True)), options.sentence_ends))
    print_tables(tables, options.format)
    return 0


def _record(item: Conservatism, numbers: Sequence[int]) -> dict[str, Any]:
    names = ("name", "changed", "words", "words_apart", "order", "reordered", "split", "joined")
    record = {name: getattr(item, name) for name in names}
    record |= {name: [numbers[index] for index in sorted(getattr(item, name))] for name in ("split_lines", "joined_lines")}
    record["histogram"] = {str(words): count for words, count in sorted(item.histogram().items())}
    record["histogram_apart"] = {str(words): count for words, count in sorted(item.histogram(apart=True).items())}
    return record
