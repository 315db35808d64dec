"""``errata faithfulness`` and ``errata graphs``: meaning by semantic graphs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from errata import __version__
from errata.cli.inputs import name_files, parse_graphs
from errata.cli.methods import bootstrap_from
from errata.cli.printing import TABLE, flush_warnings, print_json, print_tables, print_warning
from errata.cli.vocabulary import add_format, add_option, add_options
from errata.errors import MismatchError, UsageError, pluralise
from errata.formats.registry import find_input_format

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from errata.cli.parser import Parser
    from errata.corpus.graphs import Graph
    from errata.corpus.texts import Tokens
    from errata.metrics.meaning import AlignedGraphs, DistSim, MatchCounts, UccaSim
    from errata.report.table import Cell, Table
    from errata.stats.intervals import Interval
    from errata.studies.faithfulness import Agreement, Faithfulness


_FAITHFULNESS_EXAMPLES = """\
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


def _register_faithfulness(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "faithfulness",
        help="show how much of the meaning of a source corrections keep",
        description="Compare semantic graphs of a source and of its corrections, without references.",
        epilog=_FAITHFULNESS_EXAMPLES,
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
    parser.set_defaults(run=_run_faithfulness)


def _run_faithfulness(options: argparse.Namespace) -> int:
    from errata.formats import display_path
    from errata.language import GraphBank
    from errata.report.progress import ProgressBar
    from errata.studies import evaluate_faithfulness

    _check(options)
    uccasim, distsim = _metrics(options.metric)
    bootstrap = None if options.confidence is None else bootstrap_from(options, options.confidence)
    named = name_files(options.corrections)
    sides = _sides(options, [options.source, *named.values()])
    pairs = {
        name: _select(options, _pair(options, sides[0], side, display_path(path)))
        for (name, path), side in zip(named.items(), sides[1:], strict=True)
    }
    if options.agreement:
        _print_agreement(options, pairs)
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
        from errata.formats.writing import write_files
        from errata.report.charts.pictures import picture_lines

        drawn = [pair for item in results for pair in item.pairs]
        if len(drawn) != 1:
            raise UsageError(f"a picture shows one pair, and there are {len(drawn):,}; choose one with --pairs, and one correction")
        write_files({options.picture: picture_lines(drawn[0])})
    intervals: list[Interval] = []
    if bootstrap is not None:
        from errata.stats import compute_intervals

        with ProgressBar("resampling", bootstrap.replicates * len(results)) as bar:
            evidence = [item.evidence(display_path(options.source)) for item in results]
            intervals = list(compute_intervals(evidence, bootstrap, progress=bar.advance))
    _print_found(options, results, intervals, sources, distsim)
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
        return _parse_texts(options.graph_parser, paths, options.max_tokens, paired=True)
    sides = [read_graphs(path, format=options.input_format, max_tokens=options.max_tokens, warn=print_warning) for path in paths]
    if not options.text:
        return sides
    return [
        _cut_by_text(side, text, display_path(path), options.max_tokens)
        for side, text, path in zip(sides, options.text, paths, strict=True)
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


def _print_found(
    options: argparse.Namespace,
    results: Sequence[Faithfulness],
    intervals: Sequence[Interval],
    sources: Sequence[Graph],
    distsim: DistSim | None,
) -> None:
    from errata.report.tables.faithfulness import faithfulness_tables

    signature = _signature(results[0].metric.signature, options.source, sources)
    if options.format == "json":
        print_json(_record(options, results, intervals, signature))
        return
    if options.inspect:
        _print_inspection(options, results)
        return
    flat = options.format == "csv"
    only_distsim = distsim is not None and len(options.metric) == 1
    views = []
    if options.per_pair:
        views.append("pairs")
    elif not only_distsim and not (flat and options.by_category):
        views.append("uccasim")
    views += [*(["categories"] if options.by_category else []), *(["distsim"] if distsim is not None else [])]
    print_tables(faithfulness_tables(results, views, signature, intervals, options.digits, flat=flat), options.format)


def _print_agreement(options: argparse.Namespace, pairs: dict[str, list[tuple[Graph, Graph]]]) -> None:
    """Compare guesses with the expected graphs, and print their agreement."""
    from errata.report.tables.faithfulness import agreement_tables
    from errata.studies.faithfulness import Agreement, measure_agreement

    labels = options.agreement
    agreements: list[tuple[str, str, Agreement]] = []
    for name, own in pairs.items():
        each = [(source.id, measure_agreement(source, guess, labels)) for source, guess in own]
        if options.per_pair:
            agreements += [(f"{name} {index}", labels, item) for index, item in each]
        agreements.append((name, labels, Agreement.pool(item for _, item in each)))
    expected = [source for source, _ in next(iter(pairs.values()))]
    signature = _signature(f"dag_f(labels={labels})", options.source, expected)
    if options.format == "json":
        entries = [{"graphs": name, "labels": labels, **_agreed(item)} for name, labels, item in agreements]
        print_json({"errata": __version__, "expected": options.source, "agreement": entries, "signature": signature})
        return
    tables = agreement_tables(agreements, signature, options.digits)
    print_tables(tables[:1] if not options.by_category else tables[1:] if options.format == "csv" else tables, options.format)


def _signature(measure: str, path: str, graphs: Sequence[Graph]) -> str:
    from errata.formats import get_file_name
    from errata.formats.graphs import compute_graphs_fingerprint

    what = f"source {get_file_name(path)}, {pluralise(len(graphs), 'graph')}, sha256 {compute_graphs_fingerprint(graphs)}"
    return f"{measure} | {what} | errata {__version__}"


def _print_inspection(options: argparse.Namespace, results: Sequence[Faithfulness]) -> None:
    from errata.report.tables.faithfulness import compared_lines
    from errata.report.writers import printer

    flush_warnings()
    printer(options.color)(*compared_lines(results))


def _agreed(item: Agreement) -> dict[str, Any]:
    named = {"primary": item.primary, "remote": item.remote, "all": item.pooled}
    shares = {name: _matched(matched) for name, matched in named.items()}
    return shares | {"categories": {name: _matched(matched) for name, matched in item.categories}}


def _units(matched: MatchCounts) -> dict[str, float]:
    return {
        "source_units": matched.expected,
        "source_kept": matched.recalled,
        "correction_units": matched.guessed,
        "correction_kept": matched.precise,
        "precision": matched.precision,
        "recall": matched.recall,
        "f": matched.f,
    }


def _matched(matched: MatchCounts) -> dict[str, float]:
    return {**matched._asdict(), "precision": matched.precision, "recall": matched.recall, "f": matched.f}


def _record(options: argparse.Namespace, results: Sequence[Faithfulness], intervals: Sequence[Interval], signature: str) -> dict[str, Any]:
    from dataclasses import asdict

    from errata.report.tables.faithfulness import distsim_groups

    entries = []
    for index, item in enumerate(results):
        value = item.value
        entry: dict[str, Any] = {
            "correction": item.name,
            "pairs": len(item.pairs),
            "uccasim": {
                **_units(value.matched),
                "mean_of_pairs": item.mean,
                "from_source": _units(value.from_source),
                "from_correction": _units(value.from_correction),
                "mean": value.mean,
            },
            "categories": {name: _units(matched) for name, matched in item.by_category},
            "distsim": {name: _distsim(item, categories, intervals) for name, categories in distsim_groups(item)},
        }
        if intervals:
            entry["interval"] = {"low": intervals[index].low, "high": intervals[index].high, **asdict(intervals[index].bootstrap)}
        if options.per_pair or options.inspect:
            entry["per_pair"] = [_pair_record(pair, units=options.inspect) for pair in item.pairs]
        entries.append(entry)
    settings = asdict(results[0].settings)
    return {"errata": __version__, "source": options.source, "settings": settings, "corrections": entries, "signature": signature}


def _distsim(item: Faithfulness, categories: Sequence[str], intervals: Sequence[Interval]) -> dict[str, Any]:
    from dataclasses import asdict

    record: dict[str, Any] = asdict(item.distsim(categories))
    own = item.distsim_interval(categories, intervals[0].bootstrap) if intervals else None
    if own is not None:
        record["interval"] = {"low": own.low, "high": own.high}
    return record


def _pair_record(pair: AlignedGraphs, *, units: bool) -> dict[str, Any]:
    from errata.metrics.meaning import UccaSimValue
    from errata.studies import judge_units
    from errata.studies.faithfulness import format_unit, list_labels

    record: dict[str, Any] = {"source_id": pair.source.id, "correction_id": pair.correction.id}
    record |= _units(UccaSimValue.of(pair.counts).matched)
    if units:
        sides = (("source", pair.source), ("correction", pair.correction))
        record["texts"] = {side: graph.text for side, graph in sides}
        record["units"] = [
            {"outcome": row.outcome}
            | {
                side: {"id": graph.units[unit].id, "categories": list_labels(graph, unit), "words": format_unit(graph, unit)}
                for side, graph in sides
                if (unit := getattr(row, side)) is not None
            }
            for row in judge_units(pair)
        ]
    return record


_GRAPHS_EXAMPLES = """\
examples:
  errata graphs examples/graphs/source.mrp examples/graphs/bold.mrp
  errata graphs examples/graphs/essay.xml --to mrp -o essay.mrp
  errata graphs examples/graphs/essay.xml --to mrp \\
      --text examples/graphs/essay.txt
  errata graphs examples/graphs/source.mrp --to ucca -o source.xml

Reads UCCA XML (.xml), MRP (.mrp, .jsonl) and CoNLL-U (.conllu), or folders of
such files.  Writes UCCA XML and MRP: -o FILE.mrp holds all graphs, -o FOLDER/ a
UCCA XML file for each passage.
With --parser, FILE is a text of one sentence per line:
  errata graphs source.txt --parser spacy -o source.mrp
"""
_WRITTEN = (".mrp", ".jsonl", ".xml", ".conllu")
"""Endings of files that graphs are written to; CoNLL-U is refused later."""


def _register_graphs(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "graphs",
        help="count, convert and cut semantic graphs",
        description="Count semantic graphs, convert them, or cut passages into sentences.",
        epilog=_GRAPHS_EXAMPLES,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="graphs: files or folders")
    add_option(parser, "--from", ": ucca, mrp or conllu (default: by extension)")
    add_options(parser, "--max-tokens", "--text", "--parser")
    add_option(parser, "--to", " (default: by the extension of --output)", choices=("ucca", "mrp"))
    add_format(parser, TABLE, "; csv has the sizes only")
    add_option(parser, "--output", ": graphs if it ends in .mrp, .xml or /, else the table")
    parser.set_defaults(run=_run_graphs, prints=lambda options: not _writes_graphs(options))


def _run_graphs(options: argparse.Namespace) -> int:
    from errata.formats import name_systems
    from errata.formats.graphs import read_graphs

    if _writes_graphs(options):
        return _write(options)
    names = name_systems(options.files)
    if options.graph_parser:
        graphs = _parse_texts(options.graph_parser, options.files, options.max_tokens)
    else:
        graphs = [
            read_graphs(path, format=options.input_format, max_tokens=options.max_tokens, warn=print_warning) for path in options.files
        ]
    graphs_by_file = dict(zip(names, graphs, strict=True))
    if options.text:
        if len(graphs_by_file) > 1:
            raise UsageError(f"--text is the text of one file or folder, found {len(graphs_by_file)}; or write the graphs with --to")
        graphs_by_file = {name: _cut_by_text(own, options.text, name, options.max_tokens) for name, own in graphs_by_file.items()}
    if options.format == "json":
        entries = [
            {"graphs_of": name, **_counts_of(graphs), "categories": dict(_edges_by_category(graphs))}
            for name, graphs in graphs_by_file.items()
        ]
        print_json({"errata": __version__, "files": entries})
    else:
        tables = [_graph_size_table(graphs_by_file), _categories_table(graphs_by_file)]
        print_tables(tables[:1] if options.format == "csv" else tables, options.format)
    return 0


def _writes_graphs(options: argparse.Namespace) -> bool:
    """Whether graphs are written, not a table about them."""
    from errata.formats import get_file_name

    path = options.output or ""
    return bool(options.to) or path.endswith("/") or get_file_name(path).lower().endswith(_WRITTEN)


def _write(options: argparse.Namespace) -> int:
    """Convert, and cut if there is a text."""
    from errata.formats import display_path
    from errata.formats.graphs import guess_graph_format, list_graph_losses, read_graphs, write_graphs

    if options.format != "table":
        raise UsageError(f"--format {options.format} is for what is counted; graphs are written as ucca or mrp (--to)")
    folder = (options.output or "").endswith("/")
    target = options.to or ("ucca" if folder else guess_graph_format(options.output))
    if target == "conllu" or (folder and target != "ucca"):
        raise UsageError(
            "CoNLL-U is read, not written; say --to ucca or --to mrp"
            if target == "conllu"
            else "a folder holds UCCA XML, a file for each passage"
        )
    if options.graph_parser:
        if len(options.files) > 1:
            raise UsageError("graphs of several texts would have the same ids; parse one text after the other")
        (graphs,) = _parse_texts(options.graph_parser, options.files, options.max_tokens)
    else:
        graphs = read_graphs(*options.files, format=options.input_format, max_tokens=options.max_tokens, warn=print_warning)
    if options.text:
        graphs = _cut_by_text(graphs, options.text, ", ".join(map(display_path, options.files)), options.max_tokens)
    for loss in list_graph_losses(graphs, target) if not folder else ():
        print_warning(loss)
    flush_warnings()
    write_graphs(graphs, options.output or "-", target)
    return 0


def _counts_of(graphs: Sequence[Graph]) -> dict[str, int]:
    return {
        "graphs": len(graphs),
        "words": sum(len(graph.tokens) for graph in graphs),
        "units": sum(len(graph.counted) for graph in graphs),
        "implicit": sum(unit.implicit for graph in graphs for unit in graph.units),
        "edges": sum(not edge.remote for graph in graphs for unit in graph.counted for edge in graph.incoming[unit]),
        "remote": sum(edge.remote for graph in graphs for unit in graph.counted for edge in graph.incoming[unit]),
        "linkages": sum(unit.kind == "linkage" for graph in graphs for unit in graph.units),
    }


def _edges_by_category(graphs: Sequence[Graph]) -> list[tuple[str, int]]:
    """How many edges have each category, the most frequent first."""
    counts = Counter(label for graph in graphs for unit in graph.counted for edge in graph.incoming[unit] for label in edge.labels)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _graph_size_table(graphs_by_file: Mapping[str, Sequence[Graph]]) -> Table:
    """A row for each file."""
    from errata.report import Column, Table

    rows: list[tuple[Cell, ...]] = [(name, *_counts_of(graphs).values()) for name, graphs in graphs_by_file.items()]
    names = _counts_of(())
    return Table((Column("Graphs of", key="graphs_of"), *(Column(name.capitalize(), "count", name) for name in names)), tuple(rows))


def _categories_table(graphs_by_file: Mapping[str, Sequence[Graph]]) -> Table:
    """A row for each category, a column for each file."""
    from errata.report import Column, Table

    counts = {name: dict(_edges_by_category(graphs)) for name, graphs in graphs_by_file.items()}
    names = sorted(
        {name for own in counts.values() for name in own}, key=lambda name: (-sum(own.get(name, 0) for own in counts.values()), name)
    )
    columns = (Column("Category", key="category"), *(Column(name, "count") for name in graphs_by_file))
    return Table(columns, tuple((name, *(own.get(name, 0) for own in counts.values())) for name in names))


def _parse_texts(parser: str, paths: Sequence[str], max_tokens: int, *, paired: bool = False) -> list[tuple[Graph, ...]]:
    """The graphs of texts, all parsed at once, with the numbers of sentences as their ids; if ``paired``, the first is the source."""
    from errata.formats import display_path
    from errata.language import GraphBank
    from errata.language.graphs import find_parser

    bank = GraphBank(parser=find_parser(parser))
    first = _sentences_of(paths[0], max_tokens)
    source = (paths[0], len(first)) if paired else None
    texts = [first, *(_sentences_of(path, max_tokens, source) for path in paths[1:])]
    parse_graphs(bank, texts)
    parsed = (bank.find(text, display_path(path)) for text, path in zip(texts, paths, strict=True))
    return [tuple(replace(graph, id=str(number)) for number, graph in enumerate(graphs, start=1)) for graphs in parsed]


def _sentences_of(path: str, max_tokens: int, source: tuple[str, int] | None = None) -> list[Tokens]:
    """The sentences of a text, or the source of M2; not more than ``source``, a path and its number of sentences, has."""
    from errata.corpus.corpus import take_at_most
    from errata.formats import Problems, display_path, read
    from errata.formats.lines import read_text

    if find_input_format(path) == "m2":
        return [sentence.tokens for sentence in read(path, max_tokens=max_tokens, warn=print_warning)]
    sentences = read_text(path, Problems(display_path(path)), max_tokens)
    if source is None:
        return list(sentences)
    return take_at_most(sentences, source[1], display_path(path), f"{pluralise(source[1], 'sentence')} of {display_path(source[0])}")


def _cut_by_text(graphs: Sequence[Graph], text: str, what: str, max_tokens: int) -> tuple[Graph, ...]:
    """The graphs of the sentences of a text; units that have words in several are told of, and no graph may be left over."""
    from errata.formats import display_path
    from errata.language.graphs import count_divided_units, match_graphs

    matched = match_graphs(graphs, _sentences_of(text, max_tokens), display_path(text))
    lengths: dict[str, list[int]] = {}
    for piece in matched:
        lengths.setdefault(piece.location, []).append(len(piece.tokens))
    unused = [graph for graph in graphs if graph.location not in lengths]
    if unused:
        raise MismatchError(
            f"{display_path(text)} is the text of {len(graphs) - len(unused):,} of the {pluralise(len(graphs), 'graph')} of {what}; "
            f"it has no sentence of {unused[0].name}"
        )
    cut = sum(count_divided_units(graph, own) for graph in graphs if sum(own := lengths[graph.location]) == len(graph.tokens))
    if cut:
        print_warning(f"{what}: {pluralise(cut, 'unit')} with words in several sentences, counted in each of them")
    return _with_own_ids(matched)


def _with_own_ids(graphs: Sequence[Graph]) -> tuple[Graph, ...]:
    """Graphs of sentences whose ids differ; one that stands for several sentences gets their numbers too."""
    given = {graph.id for graph in graphs}
    seen: set[str] = {""}
    renamed = []
    for number, graph in enumerate(graphs, start=1):
        name = graph.id
        if name in seen:
            name = f"{graph.id or 'empty'}-{number}"
            while name in given or name in seen:
                name += "-"
        seen.add(name)
        renamed.append(replace(graph, id=name))
    return tuple(renamed)


COMMANDS = {"faithfulness": _register_faithfulness, "graphs": _register_graphs}
