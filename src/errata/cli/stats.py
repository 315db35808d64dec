"""``errata stats``: counts of a corpus."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from errata.cli.inputs import (
    add_corpus_arguments,
    check_standard_input,
    corpus_from,
    refuse_lenient,
    subset_from,
    subset_note,
    subset_record,
)
from errata.cli.printing import TABLE, flush_warnings, print_json, print_tables, print_warning
from errata.cli.vocabulary import add_format, add_options
from errata.corpus.annotators import MISSING
from errata.corpus.texts import write_ranges
from errata.errors import RequestError, UsageError, pluralise, suggest

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Iterable, Sequence

    from errata.cli.parser import Parser
    from errata.corpus.alternatives import Unclear
    from errata.corpus.annotators import Missing
    from errata.corpus.corpus import Corpus
    from errata.formats.nucle import MistakeCounts
    from errata.report.table import Cell, Table


_STATS_EXAMPLES = """\
examples:
  errata stats examples/learner.m2
  errata stats examples/learner.m2 --format markdown
  errata stats examples/essays.sgml --types ArtOrDet,Prep,Nn,Vform,SVA
  errata stats examples/learner.m2 --clusters
  errata stats examples/learner.m2 --clusters -o clear.list
  errata score examples/learner.m2 examples/systems/*.txt -m imeasure \\
      --sentences clear.list

Essays (SGML) are counted as they are written and as they are converted:
a mistake that does not lie inside a single sentence becomes no edit.
--types chooses the rows of the table of types, and adds their sum.
The format list has the numbers of the other sentences, whose edits can be
clustered clearly, as --sentences takes them.
"""


_DROPPED = (
    "Mistakes: as they are written.  Kept: not dropped; dropped are those that cross a sentence boundary and, unless the "
    "profile is conll13, those that change nothing."
)
_MOST_COLUMNS = 12
"""The most annotators that get their own column."""


def _register_stats(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "stats", help="count sentences, tokens, edits and error types", description="Count what is in a corpus.", epilog=_STATS_EXAMPLES
    )
    add_corpus_arguments(parser)
    add_options(parser, "--profile", "--types", "--clusters")
    add_format(parser, (*TABLE, "list"), "; csv has the error types only, or with --clusters every sentence; list needs --clusters")
    parser.set_defaults(run=_run_stats)


def _run_stats(options: argparse.Namespace) -> int:
    """Print the size of a corpus, its annotators and its error types."""
    if options.format == "list" and not options.clusters:
        raise UsageError("--format list needs --clusters")
    if options.clusters:
        return _print_clusters(_read(options)[0], options.format)
    corpus, mistakes = _read(options)
    types = _types_from(options, corpus, mistakes)
    if options.format == "json":
        print_json(_record(corpus, mistakes, types))
    elif options.format == "csv":
        print_tables([_corpus_type_table(corpus, mistakes, types, total=False)], options.format)
    else:
        tables = [_corpus_size_table(corpus, mistakes), _annotator_table(corpus), _corpus_type_table(corpus, mistakes, types)]
        print_tables(tables, options.format)
    return 0


def _read(options: argparse.Namespace) -> tuple[Corpus, MistakeCounts | None]:
    """Read a corpus; whole essays also with the counts of their mistakes, which are not those of single sentences."""
    from errata.formats import find_input_format

    if options.reference or options.source or (options.input_format or find_input_format(options.gold)) != "sgml":
        if options.profile:
            raise UsageError(f"--profile needs essays (SGML), but {options.gold} is not SGML")
        return corpus_from(options), None
    from errata.formats import read_with_mistakes

    refuse_lenient(options, options.gold)
    check_standard_input(options)
    corpus, mistakes = read_with_mistakes(
        options.gold, profile=options.profile or "conll14", max_tokens=options.max_tokens, warn=print_warning
    )
    return (corpus, mistakes) if options.sentences is None else (subset_from(options, corpus), None)


def _types_from(options: argparse.Namespace, corpus: Corpus, mistakes: MistakeCounts | None) -> list[str]:
    """The types that the user asks for, in that order; none if all."""
    if options.types is None:
        return []
    types = list(dict.fromkeys(name.strip() for name in options.types.split(",")))
    known = sorted({*(mistakes.written if mistakes else ()), *(name for own in _type_counts(corpus).values() for name in own)})
    if unknown := next((name for name in types if name not in known), None):
        listed = ", ".join(known) or "no edits"
        raise UsageError(f"no edit of {corpus.path} has the type {unknown!r}; it has {listed}{suggest(unknown, known)}")
    return types


def _corpus_size_table(corpus: Corpus, mistakes: MistakeCounts | None = None) -> Table:
    """Make a table of the numbers of sentences, tokens, annotators and edits; of essays also those of essays and mistakes."""
    from errata.report import Column, Table

    edits = [edit for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits]
    optional = sum(edit.status == "OPTIONAL" for edit in edits)
    rows: list[tuple[Cell, ...]] = [
        ("sentences", len(corpus)),
        ("tokens", sum(len(sentence.tokens) for sentence in corpus)),
        ("annotators", len(corpus.annotators)),
        ("edits", len(edits)),
        *([("optional edits", optional)] if optional else []),
        ("sentences without annotation", sum(not sentence.annotations for sentence in corpus)),
    ]
    if mistakes is not None:
        raw = [("mistakes as written", mistakes.written.total()), ("mistakes kept", mistakes.kept.total())]
        rows = [("essays", mistakes.essays), *rows[:3], *raw, *rows[3:]]
    return Table((Column(corpus.name, key="what"), Column("Count", "count", "count")), tuple(rows), notes=subset_note(corpus))


def _annotator_table(corpus: Corpus) -> Table:
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
    notes = ["Noop: the annotator found nothing wrong.  Missing: the annotator has no line for the sentence."]
    for policy, names in _find_missing_policies(corpus).items():
        who = f"annotator{'s' if len(names) > 1 else ''} {', '.join(names)}"
        notes.append(f"Where others have a line, a missing one of {who} means: {MISSING[policy]} ({policy}).")
    return Table(columns, tuple(rows), notes=tuple(notes))


def _find_missing_policies(corpus: Corpus) -> dict[Missing, list[str]]:
    """Find what a missing line means, where it can be told, with the annotators."""
    found = corpus.missing
    return {policy: names for policy in MISSING if (names := found.select(policy))}


def _corpus_type_table(corpus: Corpus, mistakes: MistakeCounts | None = None, types: Sequence[str] = (), *, total: bool = True) -> Table:
    """Make a table of error types, the most frequent first, by annotator and in total; ``total`` adds rows of sums.

    Of essays it also has the mistakes as they are written, and those that are kept.  ``types`` are the only rows, in their order.
    """
    from errata.report import Column, Table

    counts = _type_counts(corpus)
    together = sum(counts.values(), Counter[str]())
    several = 1 < len(counts) <= _MOST_COLUMNS
    raw = (Column("Mistakes", "count", "mistakes"), Column("% of mistakes", "percent", "mistake_share"), Column("Kept", "count", "kept"))
    columns = (
        Column("Type", key="type"),
        *(raw if mistakes is not None else ()),
        *(Column(f"Annotator {name}", "count", f"annotator_{name}") for name in counts if several),
        Column("Edits", "count", "edits"),
        Column("%", "percent", "share"),
    )
    everything = together.total()

    def row(title: str, names: Collection[str]) -> tuple[Cell, ...]:
        cells: list[Cell] = [title]
        if mistakes is not None:
            written = _count(mistakes.written, names)
            cells += [written, written / mistakes.written.total() if mistakes.written else None, _count(mistakes.kept, names)]
        cells += [_count(own, names) for own in counts.values() if several]
        own = _count(together, names)
        return (*cells, own, own / everything if everything else None)

    known = together if mistakes is None else mistakes.written
    names = list(types) or sorted({*together, *known}, key=lambda name: (-known[name], name))
    rows = [row(name, [name]) for name in names]
    if total:
        rows += [row(f"these {pluralise(len(types), 'type')}", types)] if types else []
        rows.append(row("all", {*together, *known}))
    notes = (_DROPPED,) if mistakes is not None else ()
    return Table(columns, tuple(rows), notes=notes)


def _count(counts: Counter[str], names: Iterable[str]) -> int:
    return sum(counts[name] for name in names)


def _type_counts(corpus: Corpus) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {name: Counter() for name in corpus.annotators}
    for sentence in corpus:
        for annotation in sentence.annotations:
            counts[annotation.annotator].update(edit.type for edit in annotation.edits)
    return counts


def _record(corpus: Corpus, mistakes: MistakeCounts | None, types: Sequence[str]) -> dict[str, object]:
    annotators = _annotator_table(corpus)
    keys = [column.key for column in annotators.columns]
    record: dict[str, object] = {
        "corpus": corpus.name,
        **subset_record(corpus),
        **{str(name).replace(" ", "_"): count for name, count in _corpus_size_table(corpus, mistakes).rows},
        "annotators": [dict(zip(keys, row, strict=True)) for row in annotators.rows],
        "missing_means": {name: policy for policy, names in _find_missing_policies(corpus).items() for name in names},
        "types": {name: _only(own, types) for name, own in _type_counts(corpus).items()},
    }
    if mistakes is not None:
        record["mistakes"] = {"written": _only(mistakes.written, types), "kept": _only(mistakes.kept, types)}
    return record


def _only(counts: Counter[str], types: Sequence[str]) -> dict[str, int]:
    return {name: counts[name] for name in types} if types else dict(counts)


_CLEAR = "clear"
_RULE = "Clear: between errors that all annotators correct to the same text, the same annotators correct every error."


def _print_clusters(corpus: Corpus, output_format: str) -> int:
    """Print the unclear sentences with reasons, or the numbers of the clear ones."""
    from errata.corpus.alternatives import list_unclear

    unclear = list_unclear(corpus)
    clear = [number for number in corpus.numbers if number not in unclear]
    if output_format == "list":
        if not clear:
            raise RequestError(f"{corpus.path or corpus.name}: no sentence has edits that can be clustered clearly, so there is no list")
        flush_warnings()
        print(*write_ranges(clear), sep="\n")
    elif output_format == "json":
        listed = [{"sentence": number, "kind": item.kind, "reason": item.reason} for number, item in unclear.items()]
        print_json(
            {
                "corpus": corpus.name,
                "sentences": len(corpus),
                **subset_record(corpus),
                "clear": ",".join(write_ranges(clear)),
                "clear_sentences": len(clear),
                "unclear": listed,
            }
        )
    elif output_format == "csv":
        print_tables([_flat_table(corpus, unclear)], output_format)
    else:
        print_tables([_summary_table(corpus, unclear), *([_unclear_table(unclear)] if unclear else [])], output_format)
    return 0


def _summary_table(corpus: Corpus, unclear: dict[int, Unclear]) -> Table:
    from errata.report import Column, Table

    kinds = Counter(item.kind for item in unclear.values())
    rows = ((_CLEAR, len(corpus) - len(unclear)), *((f"unclear: {kind}", count) for kind, count in kinds.most_common()))
    return Table((Column(corpus.name), Column("Sentences", "count")), rows, notes=(_RULE, *subset_note(corpus)))


def _unclear_table(unclear: dict[int, Unclear]) -> Table:
    from errata.report import Column, Table

    rows = tuple((number, item.reason) for number, item in unclear.items())
    return Table((Column("Sentence", "count"), Column("Why it is unclear")), rows)


def _flat_table(corpus: Corpus, unclear: dict[int, Unclear]) -> Table:
    from errata.report import Column, Table

    columns = (
        Column("Sentence", "count", "sentence"),
        Column("Clear", "count", _CLEAR),
        Column("Kind", key="kind"),
        Column("Reason", key="reason"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (number, int(number not in unclear), *unclear.get(number, (None, None))) for number in corpus.numbers
    )
    return Table(columns, rows)


COMMANDS = {"stats": _register_stats}
