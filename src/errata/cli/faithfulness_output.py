"""The output of ``errata faithfulness``: tables, JSON and the view unit by unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.cli.printing import flush_warnings, print_json, print_tables
from errata.errors import pluralise
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.corpus.graphs import Graph
    from errata.metrics.meaning import AlignedGraphs, DistSim, MatchCounts
    from errata.stats import Interval
    from errata.studies import Faithfulness
    from errata.studies.faithfulness import Agreement


def print_found(
    options: argparse.Namespace,
    results: Sequence[Faithfulness],
    intervals: Sequence[Interval],
    sources: Sequence[Graph],
    distsim: DistSim | None,
) -> None:
    """Print the results in the requested format."""
    from errata.report.tables import faithfulness as tables

    signature = _signature(results[0].metric.signature, options.source, sources)
    if options.format == "json":
        print_json(_record(options, results, intervals, signature))
        return
    if options.inspect:
        _print_inspection(options, results)
        return
    flat = options.format == "csv"
    only_distsim = distsim is not None and len(options.metric) == 1
    shown = []
    if options.per_pair:
        shown.append(tables.pair_table(results, options.digits))
    elif not only_distsim and not (flat and options.by_category):
        shown.append(tables.faithfulness_table(results, signature, intervals, options.digits, flat=flat))
    if options.by_category:
        shown.append(tables.category_table(results, options.digits))
    if distsim is not None:
        shown.append(tables.distsim_table(results, intervals[0].bootstrap if intervals else None, options.digits, flat=flat))
    print_tables(shown, options.format)


def print_agreement(options: argparse.Namespace, pairs: dict[str, list[tuple[Graph, Graph]]]) -> None:
    """Compare guesses with the expected graphs, and print their agreement."""
    from errata.report.tables import faithfulness as tables
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
    more = [tables.agreement_category_table(agreements, options.digits)] if options.by_category else []
    main = tables.agreement_table(agreements, signature, options.digits)
    print_tables(more if options.format == "csv" and more else [main, *more], options.format)


def _signature(measure: str, path: str, graphs: Sequence[Graph]) -> str:
    from errata.formats import get_file_name
    from errata.formats.graphs import compute_graphs_fingerprint

    what = f"source {get_file_name(path)}, {pluralise(len(graphs), 'graph')}, sha256 {compute_graphs_fingerprint(graphs)}"
    return f"{measure} | {what} | errata {__version__}"


def _print_inspection(options: argparse.Namespace, results: Sequence[Faithfulness]) -> None:
    from errata.report.tables.faithfulness import compared_lines, legend
    from errata.report.writers import printer

    flush_warnings()
    show = printer(options.color)
    for item in results:
        if len(results) > 1:
            show([(item.name, "bold")])
        for pair in item.pairs:
            show(*compared_lines(pair))
    show([(legend(), "")])


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
