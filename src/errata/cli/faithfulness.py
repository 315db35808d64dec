"""``errata faithfulness``: how much of the meaning of a source corrections keep, by semantic graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.cli.arguments import Parser, add_output_format, print_json, print_tables, print_warning, whole_number
from errata.cli.bootstrap_arguments import add_draw_arguments, intervals_wanted
from errata.cli.graph_arguments import add_parser_argument, cut_by_text, numbered, sentences_of
from errata.errors import UsageError
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.faithfulness import Agreement, Faithfulness
    from errata.faithfulness.uccasim import Compared
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

Graphs are UCCA XML (.xml), MRP (.mrp, .jsonl) or CoNLL-U (.conllu), or a folder of such files.  They are paired by their ids, or
in order where no id is the same.  With --parser, texts of one sentence a line are parsed.
--text cuts passages into sentences: the text of the source, then that of every correction, one sentence a line.
With --agreement both are graphs of one text by two people or parsers: the first is what is expected, the others are guesses.
"""
_MOST_NAMED = 10


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
    parser.add_argument("--text", metavar="FILE", nargs="+", default=[], help="cut passages by these texts, one sentence a line")
    add_parser_argument(parser)
    parser.add_argument(
        "--words", choices=("assignment", "monotone"), default="assignment", help="how words are aligned (default assignment)"
    )
    parser.add_argument("--partner", choices=("f1", "share"), default="f1", help="what the best match of a unit is (default f1)")
    parser.add_argument("--tags", choices=("weak", "strict", "none"), default="weak", help="when categories are the same (default weak)")
    parser.add_argument(
        "--implicit", choices=("parents", "none"), default="parents", help="how units without words are matched (default by parents)"
    )
    parser.add_argument("--least", type=whole_number(0, 1_000), default=0, metavar="N", help="words a unit must have (default 0)")
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
    from errata.faithfulness import Comparing, evaluate, paired
    from errata.formats import display_path, system_names
    from errata.report.progress import ProgressBar

    _check(options)
    bootstrap = intervals_wanted(options)
    paths = [options.source, *options.corrections]
    if options.text and len(options.text) != len(paths):
        raise UsageError(f"--text names a text for the source and for every correction, {len(paths)} in all, found {len(options.text)}")
    texts = options.text or [None] * len(paths)
    sides = _parsed(options, paths) if options.graph_parser else [_graphs(options, *both) for both in zip(paths, texts, strict=True)]
    names = system_names(options.corrections)
    pairs = [_selected(options, paired(sides[0], side, display_path(path))) for path, side in zip(paths[1:], sides[1:], strict=True)]
    if options.agreement:
        return _agreement(options, dict(zip(names, pairs, strict=True)))
    settings = Comparing(options.words, options.partner, options.tags, options.implicit, options.least)
    with ProgressBar("comparing graphs", sum(map(len, pairs))) as bar:
        found = [evaluate(name, own, settings, bar.advance) for name, own in zip(names, pairs, strict=True)]
    if options.picture:
        _draw(options, found)
    sure: list[Interval] = []
    if bootstrap is not None:
        from errata.stats import intervals

        sure = intervals([item.evidence(display_path(options.source)) for item in found], bootstrap)
    if options.output == "json":
        _print_json(options, found, sure)
    elif options.inspect:
        _inspect(options, found)
    else:
        _print_tables(options, found, sure)
    return 0


def _check(options: argparse.Namespace) -> None:
    """Refuse what does not go together."""
    if options.picture and not options.picture.lower().endswith(".svg"):
        raise UsageError(f"a picture of graphs is SVG, so its name ends in .svg, found {options.picture!r}")
    if options.inspect and options.output not in {"table", "json"}:
        raise UsageError(f"--inspect prints text or JSON, not {options.output}")
    if options.graph_parser and (options.text or options.format):
        raise UsageError("--parser makes graphs of texts, one sentence a line, so there is nothing to cut (--text) or to read (--from)")
    if options.agreement:
        for name in ("inspect", "picture", "distsim", "confidence", "least"):
            if getattr(options, name):
                raise UsageError(f"--{name} compares a source with a correction, --agreement two graphs of one text; give one of them")


def _parsed(options: argparse.Namespace, paths: Sequence[str]) -> list[Sequence[Graph]]:
    """The graphs of texts, all parsed at once."""
    from errata.graphs import GraphBank
    from errata.graphs.parsers import find_parser

    bank = GraphBank(parser=find_parser(options.graph_parser))
    texts = [sentences_of(path) for path in paths]
    bank.prepare(texts)
    return [numbered(bank.find(text, path)) for text, path in zip(texts, paths, strict=True)]


def _graphs(options: argparse.Namespace, path: str, text: str | None) -> Sequence[Graph]:
    """The graphs of a file, cut by a text if there is one."""
    from errata.formats import display_path
    from errata.graphs import read_graphs

    graphs = read_graphs(path, format=options.format, warn=print_warning)
    if text is None:
        return graphs
    return cut_by_text(graphs, text, display_path(path))


def _selected(options: argparse.Namespace, pairs: list[tuple[Graph, Graph]]) -> list[tuple[Graph, Graph]]:
    if options.pair is None:
        return pairs
    wanted = [name.strip() for name in options.pair.split(",")]
    known = {source.id: (source, correction) for source, correction in pairs}
    for name in wanted:
        if name not in known:
            more = ", ..." if len(known) > _MOST_NAMED else ""
            raise UsageError(f"--pair: the source has no graph {name!r}; it has {', '.join(list(known)[:_MOST_NAMED])}{more}")
    return [known[name] for name in wanted]


def _draw(options: argparse.Namespace, found: Sequence[Faithfulness]) -> None:
    from errata.report.graph_picture import save_picture

    pairs = [pair for item in found for pair in item.pairs]
    if len(pairs) != 1:
        raise UsageError(f"a picture shows one pair, and there are {len(pairs):,}; choose one with --pair, and one correction")
    save_picture(pairs[0], options.picture)


def _inspect(options: argparse.Namespace, found: Sequence[Faithfulness]) -> None:
    from errata.report.faithfulness_lines import compared_lines, legend
    from errata.report.markup import printer

    show = printer(options.color)
    for item in found:
        if len(found) > 1:
            show([(item.name, "bold")])
        for pair in item.pairs:
            show(*compared_lines(pair))
    print(legend())


def _print_tables(options: argparse.Namespace, found: Sequence[Faithfulness], sure: Sequence[Interval]) -> None:
    from errata.report import faithfulness_tables as tables

    shown = [tables.pair_table(found, options.digits) if options.per_pair else tables.faithfulness_table(found, sure, options.digits)]
    if options.by_category:
        shown.append(tables.category_table(found, options.digits))
    if options.distsim:
        shown.append(tables.distsim_table(found, options.digits))
    if options.output == "csv" and len(shown) > 1:
        raise UsageError("CSV holds one table; give one of --by-category and --distsim with --format json, or none")
    print_tables(shown, options.output)


def _agreement(options: argparse.Namespace, pairs: dict[str, list[tuple[Graph, Graph]]]) -> int:
    from errata.faithfulness import Agreement, agreement
    from errata.report import faithfulness_tables as tables

    found: list[tuple[str, str, Agreement]] = []
    for name, own in pairs.items():
        each = [(source.id, agreement(guess, source, options.tags)) for source, guess in own]
        if options.per_pair:
            found += [(f"{name} {place}", options.tags, item) for place, item in each]
        found.append((name, options.tags, Agreement.pool(item for _, item in each)))
    if options.output == "json":
        entries = [{"graphs": name, "tags": tags, **_agreed(item)} for name, tags, item in found]
        print_json({"errata": __version__, "expected": options.source, "agreement": entries})
        return 0
    shown = [tables.agreement_table(found, options.digits)]
    if options.by_category:
        shown.append(tables.agreement_category_table(found, options.digits))
    if options.output == "csv" and len(shown) > 1:
        raise UsageError("CSV holds one table; --by-category goes with other formats")
    print_tables(shown, options.output)
    return 0


def _agreed(item: Agreement) -> dict[str, Any]:
    named = {"primary": item.primary, "remote": item.remote, "all": item.pooled}
    return {name: _matched(matched) for name, matched in named.items()} | {
        "categories": {name: _matched(matched) for name, matched in item.categories}
    }


def _matched(matched: Any) -> dict[str, float]:
    return {**matched._asdict(), "precision": matched.precision, "recall": matched.recall, "f": matched.f}


def _print_json(options: argparse.Namespace, found: Sequence[Faithfulness], sure: Sequence[Interval]) -> None:
    from dataclasses import asdict

    from errata.report.faithfulness_tables import distsim_groups

    entries = []
    for place, item in enumerate(found):
        value = item.value
        entry: dict[str, Any] = {
            "correction": item.name,
            "pairs": len(item.pairs),
            "uccasim": {
                **_matched(value.matched),
                "mean_of_pairs": item.mean,
                "from_source": _matched(value.from_source),
                "from_correction": _matched(value.from_correction),
                "mean": value.mean,
            },
            "categories": {name: _matched(matched) for name, matched in item.by_category()},
            "distsim": {name: asdict(item.distsim(categories)) for name, categories in distsim_groups(item)},
        }
        if sure:
            entry["interval"] = {"low": sure[place].low, "high": sure[place].high, **asdict(sure[place].bootstrap)}
        if options.per_pair or options.inspect:
            entry["per_pair"] = [_pair_record(pair, units=options.inspect) for pair in item.pairs]
        entries.append(entry)
    settings = asdict(found[0].settings)
    print_json({"errata": __version__, "source": options.source, "settings": settings, "corrections": entries})


def _pair_record(pair: Compared, *, units: bool) -> dict[str, Any]:
    from errata.faithfulness import UccaSimValue
    from errata.faithfulness.evaluation import labels_of
    from errata.faithfulness.outcomes import outcomes, words_of

    record: dict[str, Any] = {"source": pair.source.id, "correction": pair.correction.id, **_matched(UccaSimValue.of(pair.counts).matched)}
    if units:
        sides = (("source", pair.source), ("correction", pair.correction))
        record["texts"] = {side: graph.text for side, graph in sides}
        record["units"] = [
            {"outcome": row.outcome}
            | {
                side: {"id": graph.units[unit].id, "categories": labels_of(graph, unit), "words": words_of(graph, unit)}
                for side, graph in sides
                if (unit := getattr(row, side)) is not None
            }
            for row in outcomes(pair)
        ]
    return record
