"""What ``errata faithfulness`` prints: tables, JSON and the view unit by unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.cli.arguments import print_json, print_tables
from errata.version import __version__
from errata.words import pluralise

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.faithfulness import Agreement, Compared, Faithfulness, Matched
    from errata.graphs import Graph
    from errata.report import Table
    from errata.stats import Interval


def print_found(options: argparse.Namespace, found: Sequence[Faithfulness], sure: Sequence[Interval], sources: Sequence[Graph]) -> None:
    """Print what was found, as the options want it."""
    from errata.report.tables import faithfulness as tables

    signature = _signature(found[0].metric.signature, options.source, sources)
    if options.output == "json":
        print_json(_record(options, found, sure, signature))
        return
    if options.inspect:
        _print_inspection(options, found)
        return
    flat = options.output == "csv"
    main = tables.pair_table(found, options.digits) if options.per_pair else None
    main = main or tables.faithfulness_table(found, signature, sure, options.digits, flat=flat)
    more = [
        *([tables.category_table(found, options.digits)] if options.by_category else []),
        *([tables.distsim_table(found, sure[0].bootstrap if sure else None, options.digits, flat=flat)] if options.distsim else []),
    ]
    _print(options, main, more)


def print_agreement(options: argparse.Namespace, pairs: dict[str, list[tuple[Graph, Graph]]]) -> None:
    """Compare guesses with what is expected, and print it."""
    from errata.faithfulness import Agreement, agreement
    from errata.report.tables import faithfulness as tables

    found: list[tuple[str, str, Agreement]] = []
    for name, own in pairs.items():
        each = [(source.id, agreement(source, guess, options.tags)) for source, guess in own]
        if options.per_pair:
            found += [(f"{name} {place}", options.tags, item) for place, item in each]
        found.append((name, options.tags, Agreement.pool(item for _, item in each)))
    expected = [source for source, _ in next(iter(pairs.values()))]
    signature = _signature(f"dag f(tags={options.tags})", options.source, expected)
    if options.output == "json":
        entries = [{"graphs": name, "tags": tags, **_agreed(item)} for name, tags, item in found]
        print_json({"errata": __version__, "expected": options.source, "agreement": entries, "signature": signature})
        return
    more = [tables.agreement_category_table(found, options.digits)] if options.by_category else []
    _print(options, tables.agreement_table(found, signature, options.digits), more)


def _print(options: argparse.Namespace, main: Table, more: list[Table]) -> None:
    """Print tables; CSV holds one, the only one that was asked for."""
    print_tables(more if options.output == "csv" and more else [main, *more], options.output)


def _signature(measure: str, path: str, graphs: Sequence[Graph]) -> str:
    from errata.formats import file_name
    from errata.graphs.fingerprint import graphs_fingerprint

    what = f"source {file_name(path)}, {pluralise(len(graphs), 'graph')}, sha256 {graphs_fingerprint(graphs)}"
    return f"{measure} | {what} | errata {__version__}"


def _print_inspection(options: argparse.Namespace, found: Sequence[Faithfulness]) -> None:
    from errata.report.faithfulness_lines import compared_lines, legend
    from errata.report.markup import printer

    show = printer(options.color)
    for item in found:
        if len(found) > 1:
            show([(item.name, "bold")])
        for pair in item.pairs:
            show(*compared_lines(pair))
    show([(legend(), "")])


def _agreed(item: Agreement) -> dict[str, Any]:
    named = {"primary": item.primary, "remote": item.remote, "all": item.pooled}
    shares = {name: _matched(matched) for name, matched in named.items()}
    return shares | {"categories": {name: _matched(matched) for name, matched in item.categories}}


def _matched(matched: Matched) -> dict[str, float]:
    return {**matched._asdict(), "precision": matched.precision, "recall": matched.recall, "f": matched.f}


def _record(options: argparse.Namespace, found: Sequence[Faithfulness], sure: Sequence[Interval], signature: str) -> dict[str, Any]:
    from dataclasses import asdict

    from errata.report.tables.faithfulness import distsim_groups

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
            "distsim": {name: _distsim(item, categories, sure) for name, categories in distsim_groups(item)},
        }
        if sure:
            entry["interval"] = {"low": sure[place].low, "high": sure[place].high, **asdict(sure[place].bootstrap)}
        if options.per_pair or options.inspect:
            entry["per_pair"] = [_pair_record(pair, units=options.inspect) for pair in item.pairs]
        entries.append(entry)
    settings = asdict(found[0].settings)
    return {"errata": __version__, "source": options.source, "settings": settings, "corrections": entries, "signature": signature}


def _distsim(item: Faithfulness, categories: Sequence[str], sure: Sequence[Interval]) -> dict[str, Any]:
    from dataclasses import asdict

    record: dict[str, Any] = asdict(item.distsim(categories))
    own = item.distsim_interval(categories, sure[0].bootstrap) if sure else None
    if own is not None:
        record["interval"] = {"low": own.low, "high": own.high}
    return record


def _pair_record(pair: Compared, *, units: bool) -> dict[str, Any]:
    from errata.faithfulness import UccaSimValue, outcomes
    from errata.faithfulness.evaluation import labels_of
    from errata.faithfulness.outcomes import words_of

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
