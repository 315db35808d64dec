"""``errata faithfulness``: how much of the meaning of a source corrections keep, by semantic graphs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from errata.cli.graph_inputs import cut_by_text, parse_texts
from errata.cli.inputs import name_files
from errata.cli.printing import TABLE, print_warning
from errata.cli.statistics_arguments import intervals_wanted
from errata.cli.vocabulary import add_format, add_option, add_options
from errata.errors import MismatchError, UsageError, pluralise

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.parser import Parser
    from errata.corpus.graphs import Graph
    from errata.metrics.meaning import DistSim, UccaSim
    from errata.stats import Interval

_EXAMPLES = """\
examples:
  errata faithfulness examples/graphs/source.mrp examples/graphs/careful.mrp
  errata faithfulness examples/graphs/source.mrp examples/graphs/bold.mrp \\
      -m uccasim -m distsim --by-category
  errata faithfulness examples/graphs/source.mrp examples/graphs/bold.mrp \\
      -m 'uccasim(labels=strict)' --per-pair --format csv
  errata faithfulness examples/graphs/source.mrp examples/graphs/bold.mrp \\
      --inspect --pairs 2
  errata faithfulness examples/graphs/source.mrp examples/graphs/bold.mrp \\
      --pairs 5 --picture rain.svg
  errata faithfulness examples/graphs/source.mrp examples/graphs/source.mrp \\
      --agreement weak

Graphs are UCCA XML (.xml), MRP (.mrp, .jsonl) or CoNLL-U (.conllu).
A source or a correction is one file, or a folder of files.
Graphs are paired by their ids, or in order if the two sides share no id.
With --parser, files are texts of one sentence per line.
--text is given once for the source and once for every correction.
With --agreement, all are graphs of one text, by people or parsers: SOURCE is
what is expected, the others are compared with it.
"""
_MOST_NAMED = 10
_ALIKE, _LONG = 0.5, 20
"""Words that a text and its correction share at the least, as a share; asked of texts that have so many."""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "faithfulness",
        help="show how much of the meaning of a source corrections keep",
        description="Compare semantic graphs of a source and of its corrections, without references.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("source", metavar="SOURCE", help="graphs of the source: a file or a folder")
    parser.add_argument(
        "corrections", metavar="CORRECTION", nargs="+", help="graphs of a corrected text: a file or a folder; NAME=FILE names it"
    )
    add_option(parser, "--from", ": ucca, mrp or conllu (default: by extension)")
    add_option(parser, "--metric", ", such as 'uccasim(labels=strict)': uccasim (default), distsim or both", action="append")
    add_options(parser, "--max-tokens", "--parser", "--agreement", "--pairs", "--confidence")
    add_option(parser, "--text", "; may be repeated", action="append")
    add_option(parser, "--interval", choices=("bca", "percentile"))
    add_option(parser, "--replicates", " (default 10,000)")
    add_options(parser, "--seed", "--by-category", "--per-pair", "--inspect", "--picture", "--digits", "--color")
    add_format(parser, TABLE)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read, pair, compare, print."""
    from errata.cli.faithfulness_output import print_agreement, print_found
    from errata.formats import display_path
    from errata.language import GraphBank
    from errata.report.progress import ProgressBar
    from errata.studies import evaluate_faithfulness

    _check(options)
    uccasim, distsim = _metrics(options.metric)
    bootstrap = intervals_wanted(options)
    named = name_files(options.corrections)
    sides = _sides(options, [options.source, *named.values()])
    pairs = {
        name: _select(options, _pair(options, sides[0], side, display_path(path)))
        for (name, path), side in zip(named.items(), sides[1:], strict=True)
    }
    if options.agreement:
        print_agreement(options, pairs)
        return 0
    for name, own in pairs.items():
        _warn_of_unlike(name, own)
    bank = GraphBank(graph for own in pairs.values() for pair in own for graph in pair)
    metric = uccasim.with_data(graphs=bank)
    with ProgressBar("comparing graphs", sum(map(len, pairs.values())), in_core=True) as bar:
        results = [evaluate_faithfulness(name, own, metric, bar.advance) for name, own in pairs.items()]
    if distsim is not None:
        results = [replace(item, distsim_min_words=distsim.min_words) for item in results]
    sources = [source for source, _ in next(iter(pairs.values()))]
    if options.picture:
        from errata.report.charts.pictures import save_picture

        drawn = [pair for item in results for pair in item.pairs]
        if len(drawn) != 1:
            raise UsageError(f"a picture shows one pair, and there are {len(drawn):,}; choose one with --pairs, and one correction")
        save_picture(drawn[0], options.picture)
    intervals: list[Interval] = []
    if bootstrap is not None:
        from errata.stats import compute_intervals

        with ProgressBar("resampling", bootstrap.replicates * len(results)) as bar:
            evidence = [item.evidence(display_path(options.source)) for item in results]
            intervals = list(compute_intervals(evidence, bootstrap, progress=bar.advance))
    print_found(options, results, intervals, sources, distsim)
    return 0


def _check(options: argparse.Namespace) -> None:
    """Refuse what does not go together."""
    if options.picture and not options.picture.lower().endswith(".svg"):
        raise UsageError(f"a picture of graphs is SVG, so its name ends in .svg, found {options.picture!r}")
    count = 1 + len(options.corrections)
    if options.text and len(options.text) != count:
        raise UsageError(
            f"--text is given once for the source and once for every correction, {count} times in all, found {len(options.text)}"
        )
    if options.format != "json":
        _check_text(options)


def _check_text(options: argparse.Namespace) -> None:
    """Refuse what only JSON can hold together."""
    if options.inspect and options.format != "table":
        raise UsageError(f"--inspect prints text or JSON, not {options.format}")
    distsim = any(text.startswith("distsim") for text in options.metric)
    if options.format == "csv" and options.by_category + options.per_pair + distsim + (distsim and len(options.metric) > 1) > 1:
        raise UsageError("CSV holds one table; ask for one of --by-category, -m distsim and --per-pair")
    if options.format == "csv" and options.by_category and options.confidence is not None:
        raise UsageError("--by-category has no intervals; use --confidence without it")


def _metrics(texts: Sequence[str]) -> tuple[UccaSim, DistSim | None]:
    """UCCASIM, by default as it is, and DISTSIM if it is asked for."""
    from errata.metrics import registry
    from errata.metrics.meaning import DistSim, UccaSim

    uccasim, distsim = None, None
    for text in texts:
        metric = registry.metric(text)
        if isinstance(metric, UccaSim) and uccasim is None:
            uccasim = metric
            if metric.direction != UccaSim().direction:
                raise UsageError("faithfulness reports UCCASIM in every direction; direction= is for errata score -m uccasim")
        elif isinstance(metric, DistSim) and distsim is None:
            distsim = metric
            if metric.categories != DistSim().categories:
                raise UsageError("faithfulness reports DISTSIM of every category; categories= is for errata score -m distsim")
        else:
            raise UsageError(f"faithfulness is measured with uccasim and distsim, each once, found -m {text}")
    return uccasim or UccaSim(), distsim


def _sides(options: argparse.Namespace, paths: list[str]) -> list[tuple[Graph, ...]]:
    """The graphs of the source and of every correction."""
    from errata.formats import display_path
    from errata.formats.graphs import read_graphs

    if options.graph_parser:
        return parse_texts(options.graph_parser, paths, options.max_tokens, paired=True)
    sides = [read_graphs(path, format=options.input_format, max_tokens=options.max_tokens, warn=print_warning) for path in paths]
    if not options.text:
        return sides
    return [
        cut_by_text(side, text, display_path(path), options.max_tokens) for side, text, path in zip(sides, options.text, paths, strict=True)
    ]


def _pair(options: argparse.Namespace, sources: Sequence[Graph], corrections: Sequence[Graph], what: str) -> list[tuple[Graph, Graph]]:
    """The pairs; sentences of texts go line by line."""
    from errata.corpus.corpus import share_tokens
    from errata.studies import pair_graphs

    if not options.text:
        return pair_graphs(sources, corrections, what)
    if len(sources) != len(corrections):
        apart = next(
            (
                number
                for number, pair in enumerate(zip(sources, corrections, strict=False))
                if share_tokens(*(graph.tokens for graph in pair)) < _ALIKE
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


def _select(options: argparse.Namespace, pairs: list[tuple[Graph, Graph]]) -> list[tuple[Graph, Graph]]:
    if options.pairs is None:
        return pairs
    known = {source.id: (source, correction) for source, correction in pairs}
    wanted = list(dict.fromkeys(name.strip() for name in options.pairs.split(",")))
    for name in wanted:
        if name not in known:
            more = ", ..." if len(known) > _MOST_NAMED else ""
            raise UsageError(f"--pairs: the source has no graph {name!r}; it has {', '.join(list(known)[:_MOST_NAMED])}{more}")
    return [known[name] for name in wanted]


def _warn_of_unlike(name: str, pairs: Sequence[tuple[Graph, Graph]]) -> None:
    """Pairs of texts that have little in common are perhaps no pairs."""
    from errata.corpus.corpus import share_tokens

    unlike = [
        pair
        for pair in pairs
        if max(len(graph.tokens) for graph in pair) >= _LONG and share_tokens(*(graph.tokens for graph in pair)) < _ALIKE
    ]
    if unlike:
        source, correction = unlike[0]
        print_warning(
            f"{name}: less than half of the words shared in {len(unlike):,} of {pluralise(len(pairs), 'pair')}, such as "
            f"{source.id!r} and {correction.id!r}; are they of the same text?"
        )
