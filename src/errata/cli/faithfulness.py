"""``errata faithfulness``: how much of the meaning of a source corrections keep, by semantic graphs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from errata.cli.arguments import Parser, add_output_format, print_warning, whole_number
from errata.cli.bootstrap_arguments import add_draw_arguments, intervals_wanted
from errata.cli.graph_arguments import add_parser_argument, cut_by_text, parsed_texts
from errata.errors import MismatchError, UsageError
from errata.words import pluralise

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.graphs import Graph
    from errata.stats import Interval

_EXAMPLES = """\
examples:
  errata faithfulness examples/graphs/source.mrp examples/graphs/careful.mrp examples/graphs/bold.mrp
  errata faithfulness examples/graphs/source.mrp examples/graphs/bold.mrp --by-category --distsim
  errata faithfulness examples/graphs/source.mrp examples/graphs/bold.mrp --inspect --pair 2
  errata faithfulness examples/graphs/source.mrp examples/graphs/bold.mrp --pair 5 --picture rain.svg
  errata faithfulness examples/graphs/source.mrp examples/graphs/bold.mrp --per-pair --format csv
  errata faithfulness examples/graphs/source.mrp examples/graphs/source.mrp --agreement

Graphs are UCCA XML (.xml), MRP (.mrp, .jsonl) or CoNLL-U (.conllu).  Several files of one side are in a folder of their own, or
made one: errata graphs FILE... --to mrp -o ALL.mrp
They are paired by their ids, or in order where no id is the same.  With --parser, texts of one sentence a line are parsed.
--text cuts passages into sentences: once for the source, then once for every correction, one sentence a line.
With --agreement all are graphs of one text by people or parsers: the first is what is expected, the others are guesses.
"""
_MOST_NAMED = 10
_ALIKE, _LONG = 0.5, 20
"""Words that a text and its correction share at the least, as a share; asked of texts that have so many."""
_OF_FAITHFULNESS = ("inspect", "picture", "distsim", "confidence", "words", "partner", "implicit", "least")


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "faithfulness",
        help="show how much of the meaning of a source corrections keep",
        description="Compare semantic graphs of a source and of its corrections, without references.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("source", metavar="SOURCE", help="graphs of the source: a file or a folder")
    parser.add_argument("corrections", metavar="CORRECTION", nargs="+", help="graphs of a corrected text, in the same way")
    parser.add_argument("--from", dest="format", choices=("ucca", "mrp", "conllu"), help="format of all graphs (default: by their names)")
    parser.add_argument(
        "--text", metavar="FILE", action="append", default=[], help="cut passages by a text, one sentence a line; one --text for each side"
    )
    add_parser_argument(parser)
    parser.add_argument("--words", choices=("assignment", "monotone"), help="how words are aligned (default assignment)")
    parser.add_argument("--partner", choices=("f1", "share"), help="what the best match of a unit is (default f1)")
    parser.add_argument(
        "--tags",
        choices=("weak", "strict", "none"),
        default="weak",
        help="when categories are the same (default weak; none, with --agreement, compares spans alone)",
    )
    parser.add_argument("--implicit", choices=("parents", "none"), help="how units without words are matched (default by parents)")
    parser.add_argument("--least", type=whole_number(0, 1_000), metavar="N", help="words a unit must have (default 0)")
    parser.add_argument("--agreement", action="store_true", help="DAG F of graphs of one text, instead")
    parser.add_argument("--by-category", action="store_true", help="add the units kept of each category")
    parser.add_argument("--distsim", action="store_true", help="add how similar the numbers of units of each category are")
    parser.add_argument("--per-pair", action="store_true", help="print every pair of graphs")
    parser.add_argument("--inspect", action="store_true", help="print every pair, unit by unit: what was kept, lost and added")
    parser.add_argument("--pair", metavar="IDS", help="only the pairs of these sources, by their ids, separated by commas")
    parser.add_argument("--picture", metavar="FILE", help="draw one pair of graphs with its alignment (.svg)")
    add_output_format(parser)
    parser.add_argument("--digits", type=whole_number(0, 15), default=2, metavar="N", help="digits after the point in tables (default 2)")
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="colours of --inspect (default: on a terminal)"
    )
    parser.add_argument(
        "--confidence", nargs="?", type=float, const=0.95, metavar="LEVEL", help="add confidence intervals, of 95%% or of another level"
    )
    add_draw_arguments(parser)
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Read, pair, compare, print."""
    from errata.cli.faithfulness_output import print_agreement, print_found
    from errata.faithfulness import evaluate
    from errata.formats import display_path, system_names
    from errata.graphs import GraphBank
    from errata.metrics.uccasim import UccaSim
    from errata.report.progress import ProgressBar

    _check(options)
    bootstrap = intervals_wanted(options)
    sides = _sides(options)
    names = system_names(options.corrections)
    pairs = {
        name: _selected(options, _paired(options, sides[0], side, display_path(path)))
        for name, path, side in zip(names, options.corrections, sides[1:], strict=True)
    }
    if options.agreement:
        print_agreement(options, pairs)
        return 0
    for name, own in pairs.items():
        _warn_of_unlike(name, own)
    given = {name: getattr(options, name) for name in ("words", "partner", "tags", "implicit", "least")}
    bank = GraphBank(graph for own in pairs.values() for pair in own for graph in pair)
    metric = UccaSim(**{name: value for name, value in given.items() if value is not None}, graphs=bank)
    with ProgressBar("comparing graphs", sum(map(len, pairs.values())), in_core=True) as bar:
        found = [evaluate(name, own, metric, bar.advance) for name, own in pairs.items()]
    if options.least is not None:
        found = [replace(item, least_in_distsim=options.least) for item in found]
    sources = [source for source, _ in next(iter(pairs.values()))]
    if options.picture:
        from errata.report.charts.graph_picture import save_picture

        drawn = [pair for item in found for pair in item.pairs]
        if len(drawn) != 1:
            raise UsageError(f"a picture shows one pair, and there are {len(drawn):,}; choose one with --pair, and one correction")
        save_picture(drawn[0], options.picture)
    sure: list[Interval] = []
    if bootstrap is not None:
        from errata.stats import intervals

        with ProgressBar("resampling", bootstrap.replicates * len(found)) as bar:
            sure = intervals([item.evidence(display_path(options.source)) for item in found], bootstrap, progress=bar.advance)
    print_found(options, found, sure, sources)
    return 0


def _check(options: argparse.Namespace) -> None:
    """Refuse what does not go together."""
    if options.picture and not options.picture.lower().endswith(".svg"):
        raise UsageError(f"a picture of graphs is SVG, so its name ends in .svg, found {options.picture!r}")
    if options.graph_parser and (options.text or options.format):
        raise UsageError("--parser makes graphs of texts, one sentence a line, so there is nothing to cut (--text) or to read (--from)")
    count = 1 + len(options.corrections)
    if options.text and len(options.text) != count:
        raise UsageError(
            f"--text is given once for the source and once for every correction, {count} times in all, found {len(options.text)}"
        )
    if options.agreement:
        for name in _OF_FAITHFULNESS:
            if getattr(options, name) not in (None, False):
                raise UsageError(f"--{name} compares a source with a correction, --agreement two graphs of one text; give one of them")
    elif options.tags == "none":
        raise UsageError("--tags none goes with --agreement; a source and a correction match nearly everywhere without categories")
    if options.output != "json":
        _check_text(options)


def _check_text(options: argparse.Namespace) -> None:
    """Refuse what only JSON can hold together."""
    if options.inspect and options.output != "table":
        raise UsageError(f"--inspect prints text or JSON, not {options.output}")
    if options.output == "csv" and options.by_category + options.distsim + options.per_pair > 1:
        raise UsageError("CSV holds one table; ask for one of --by-category, --distsim and --per-pair")
    if options.output == "csv" and options.by_category and options.confidence is not None:
        raise UsageError("--by-category has no intervals; --confidence goes with --distsim or with the main table")
    for one, others in (("inspect", ("per_pair", "by_category", "distsim", "confidence")), ("per_pair", ("confidence",))):
        for other in others:
            if getattr(options, one) and getattr(options, other) not in (None, False):
                raise UsageError(f"--{one.replace('_', '-')} and --{other.replace('_', '-')} go together in JSON only")


def _sides(options: argparse.Namespace) -> list[tuple[Graph, ...]]:
    """The graphs of the source and of every correction."""
    from errata.formats import display_path
    from errata.graphs import read_graphs

    paths = [options.source, *options.corrections]
    if options.graph_parser:
        return parsed_texts(options.graph_parser, paths)
    sides = [read_graphs(path, format=options.format) for path in paths]
    if not options.text:
        return sides
    return [cut_by_text(side, text, display_path(path)) for side, text, path in zip(sides, options.text, paths, strict=True)]


def _paired(options: argparse.Namespace, sources: Sequence[Graph], corrections: Sequence[Graph], what: str) -> list[tuple[Graph, Graph]]:
    """The pairs; sentences of texts go line by line."""
    from errata.corpus import in_common
    from errata.faithfulness import paired

    if not options.text:
        return paired(sources, corrections, what)
    if len(sources) != len(corrections):
        apart = next(
            (
                number
                for number, pair in enumerate(zip(sources, corrections, strict=False))
                if in_common(*(graph.tokens for graph in pair)) < _ALIKE
            ),
            None,
        )
        where = (
            ""
            if apart is None
            else f"; they go apart at line {apart + 1}: {sources[apart].text[:60]!r} and {corrections[apart].text[:60]!r}"
        )
        raise MismatchError(f"the text of {what} has {pluralise(len(corrections), 'sentence')} for {len(sources):,} of the source{where}")
    return list(zip(sources, corrections, strict=True))


def _selected(options: argparse.Namespace, pairs: list[tuple[Graph, Graph]]) -> list[tuple[Graph, Graph]]:
    if options.pair is None:
        return pairs
    known = {source.id: (source, correction) for source, correction in pairs}
    wanted = list(dict.fromkeys(name.strip() for name in options.pair.split(",")))
    for name in wanted:
        if name not in known:
            more = ", ..." if len(known) > _MOST_NAMED else ""
            raise UsageError(f"--pair: the source has no graph {name!r}; it has {', '.join(list(known)[:_MOST_NAMED])}{more}")
    return [known[name] for name in wanted]


def _warn_of_unlike(name: str, pairs: Sequence[tuple[Graph, Graph]]) -> None:
    """Pairs of texts that have little in common are perhaps no pairs."""
    from errata.corpus import in_common

    unlike = [
        pair
        for pair in pairs
        if max(len(graph.tokens) for graph in pair) >= _LONG and in_common(*(graph.tokens for graph in pair)) < _ALIKE
    ]
    if unlike:
        source, correction = unlike[0]
        print_warning(
            f"{name}: less than half of the words shared in {len(unlike):,} of {pluralise(len(pairs), 'pair')}, such as "
            f"{source.id!r} and {correction.id!r}; are they of the same text?"
        )
