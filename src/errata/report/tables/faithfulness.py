"""Tables of faithfulness and agreement, and a source beside its correction unit by unit."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from errata.display import printable
from errata.errors import pluralise
from errata.metrics.meaning import UccaSimSettings, UccaSimValue
from errata.report.table import Cell, Column, Table
from errata.report.tables.scores import shown_interval
from errata.report.writers import width
from errata.stats.bootstrap import format_level
from errata.studies.faithfulness import SCENE, UNIT_MARKS, format_unit, judge_units, list_labels

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from errata.corpus.graphs import Graph
    from errata.metrics.meaning import AlignedGraphs, MatchCounts
    from errata.report.writers import Marked
    from errata.stats.bootstrap import Bootstrap
    from errata.stats.intervals import Interval
    from errata.studies.faithfulness import Agreement, Faithfulness, UnitStatus


_A_AND_D = ("A", "D")
_FEW = 20
"""Fewer pairs than this give only rough intervals."""
_MOST_NAMED = 5
"""Pairs listed in the note if graphs are paired in order."""
_PEOPLE = "83 to 92, 88 on average"
"""UCCASIM of two annotators of seven essays (Choshen and Abend), times 100, with default settings."""


def faithfulness_tables(
    results: Sequence[Faithfulness],
    views: Collection[str],
    signature: str,
    intervals: Sequence[Interval] = (),
    digits: int = 2,
    *,
    flat: bool = False,
) -> list[Table]:
    """Make the tables that ``views`` names: pairs, uccasim (of each correction), categories (units kept) and distsim; flat for programs."""
    tables = []
    if "pairs" in views:
        tables.append(_pair_table(results, digits))
    if "uccasim" in views:
        tables.append(_faithfulness_table(results, signature, intervals, digits, flat=flat))
    if "categories" in views:
        tables.append(_category_table(results, digits))
    if "distsim" in views:
        tables.append(_distsim_table(results, intervals[0].bootstrap if intervals else None, digits, flat=flat))
    return tables


def _faithfulness_table(
    results: Sequence[Faithfulness], signature: str, intervals: Sequence[Interval] = (), digits: int = 2, *, flat: bool = False
) -> Table:
    """Make a table with one row for each correction; with ``flat``, the bounds of intervals are numbers, for programs."""
    columns = [
        Column("Correction", key="correction"),
        Column("Pairs", "count", "pairs"),
        Column("Source", "count", "source_units"),
        Column("kept", "count", "source_kept"),
        Column("Corr.", "count", "correction_units"),
        Column("kept", "count", "correction_kept"),
        Column("P", "percent", "precision", digits),
        Column("R", "percent", "recall", digits),
        Column("UCCASIM", "percent", "uccasim", digits),
        *(_interval_columns(intervals[0].bootstrap, flat=flat, digits=digits) if intervals else []),
        Column("per pair", "percent", "mean_of_pairs", digits),
        Column("s→c", "percent", "from_source", digits),
        Column("c→s", "percent", "from_correction", digits),
        Column("Mean", "percent", "mean", digits),
    ]
    rows: list[tuple[Cell, ...]] = []
    for index, item in enumerate(results):
        value = item.value
        one = value.matched
        interval: list[Cell] = []
        if intervals:
            interval = [intervals[index].low, intervals[index].high] if flat else [shown_interval(intervals[index], digits)]
        rows.append(
            (
                item.name,
                len(item.pairs),
                one.expected,
                one.recalled,
                one.guessed,
                one.precise,
                one.precision,
                one.recall,
                one.f,
                *interval,
                item.mean,
                value.from_source.f,
                value.from_correction.f,
                value.mean,
            )
        )
    notes = [
        (
            "R: share of source units that are kept; P: share of correction units that were in the source; UCCASIM: harmonic mean of "
            "P and R over all pairs; per pair: mean over pairs.  s→c, c→s: F with the best matches of one side only."
        ),
        _meaning_in_words(results),
    ]
    for item in results:
        if any(pair.source.id != pair.correction.id for pair in item.pairs):
            listed = [f"{pair.source.id} → {pair.correction.id}" for pair in item.pairs]
            more = f", ... {listed[-1]}" if len(listed) > _MOST_NAMED else ""
            notes.append(f"{item.name} is paired in order: {', '.join(listed[:_MOST_NAMED])}{more}.")
    if intervals:
        notes.append(str(intervals[0].bootstrap).replace("of sentences", "of pairs"))
        fewest = min(len(item.pairs) for item in results)
        if fewest < _FEW:
            notes.append(f"Intervals from only {pluralise(fewest, 'pair')} are rough.")
    notes.append(signature)
    return Table(tuple(columns), tuple(rows), notes=tuple(note for note in notes if note))


def _interval_columns(bootstrap: Bootstrap, *, flat: bool, digits: int) -> list[Column]:
    if flat:
        return [Column("Low", "percent", "low", digits), Column("High", "percent", "high", digits)]
    return [Column(f"{format_level(bootstrap.level)} interval", "count", "interval")]


def _meaning_in_words(results: Sequence[Faithfulness]) -> str:
    most = max(results, key=lambda item: item.value.matched.recall)
    one = most.value.matched
    if not one.expected:
        return ""
    who = f"{most.name} keeps" if len(results) == 1 else f"{most.name} keeps most:"
    people = ""
    if {graph.framework for pair in most.pairs for graph in (pair.source, pair.correction)} == {"ucca"} and _as_compared(most.settings):
        people = f"  For comparison: two people's graphs of the same essay reach a UCCASIM of {_PEOPLE}."
    return (
        f"{who} {100 * one.recall:.1f}% of the units of the source; "
        f"{one.expected - one.recalled:,} of {one.expected:,} have no counterpart of their category.{people}"
    )


def _as_compared(settings: UccaSimSettings) -> bool:
    """Whether settings give the values of two annotators; they have the same words, so the word alignment does not matter."""
    return replace(settings, word_alignment="assignment", implicit="parents") == UccaSimSettings()


def _distsim_table(results: Sequence[Faithfulness], bootstrap: Bootstrap | None = None, digits: int = 2, *, flat: bool = False) -> Table:
    """Make a table of DISTSIM, with a row for each correction and category."""
    rows: list[tuple[Cell, ...]] = []
    for item in results:
        in_source, in_correction = Counter[str](), Counter[str]()
        for pair in item.distributions:
            in_source.update(pair.source)
            in_correction.update(pair.correction)
        for name, categories in distsim_groups(item):
            value = item.distsim(categories)
            source, correction = (sum(counts[one] for one in categories) for counts in (in_source, in_correction))
            interval: list[Cell] = []
            if bootstrap is not None:
                own = item.distsim_interval(categories, bootstrap)
                if flat:
                    interval = [own.low, own.high] if own is not None else [None, None]
                else:
                    interval = [shown_interval(own, digits) if own is not None else None]
            rows.append((item.name, name, source, correction, value.pooled, *interval, value.overlap, value.difference))
    columns = (
        Column("Correction", key="correction"),
        Column("Category", key="category"),
        Column("Source", "count", "source_units"),
        Column("Corr.", "count", "correction_units"),
        Column("DISTSIM", "percent", "distsim", digits),
        *(_interval_columns(bootstrap, flat=flat, digits=digits) if bootstrap is not None else []),
        Column("per pair", "percent", "mean_of_pairs", digits),
        Column("Difference", "number", "difference"),
    )
    least = results[0].distsim_min_words
    notes = (
        (
            f"Units of {least} or more words.  DISTSIM: 2 · sum of the smaller counts / sum of all counts; per pair: mean over "
            "pairs, as published.  Difference: mean over pairs of the difference of the numbers of edges (0 is best)."
        ),
    )
    return Table(columns, tuple(row for row in rows if row[2] or row[3] or row[-1]), notes=notes)


def distsim_groups(result: Faithfulness) -> list[tuple[str, tuple[str, ...]]]:
    """List the groups of categories: those of the paper, then every category."""
    ucca = {pair.source.framework for pair in result.pairs} == {"ucca"}
    reported: list[tuple[str, tuple[str, ...]]] = [("A+D", _A_AND_D), ("Scene (H)", SCENE)] if ucca else []
    return [*reported, *((name, (name,)) for name in result.categories)]


def _category_table(results: Sequence[Faithfulness], digits: int = 2) -> Table:
    rows = [(item.name, name, *_matched_cells(matched)) for item in results for name, matched in item.by_category]
    return Table((Column("Correction", key="correction"), Column("Category", key="category"), *_matched_columns(digits)), tuple(rows))


def _pair_table(results: Sequence[Faithfulness], digits: int = 2) -> Table:
    columns = (
        Column("Correction", key="correction"),
        Column("Source id", key="source_id"),
        Column("Correction id", key="correction_id"),
        *_matched_columns(digits),
    )
    rows = [
        (item.name, pair.source.id, pair.correction.id, *_matched_cells(UccaSimValue.of(pair.counts).matched))
        for item in results
        for pair in item.pairs
    ]
    return Table(columns, tuple(rows))


def agreement_tables(agreements: Sequence[tuple[str, str, Agreement]], signature: str, digits: int = 2) -> tuple[Table, Table]:
    """Make tables of DAG F, with a row for each kind of edges, and for each category of primary edges.

    An agreement has a name, and how labels are compared.
    """
    return _agreement_table(agreements, signature, digits), _agreement_category_table(agreements, digits)


def _agreement_table(agreements: Sequence[tuple[str, str, Agreement]], signature: str, digits: int = 2) -> Table:
    columns = (
        Column("Graphs", key="graphs"),
        Column("Labels", key="labels"),
        Column("Edges", key="edges"),
        *_matched_columns(digits, "DAG F", ("Guess", "Expected"), ("guessed", "expected")),
    )
    rows = []
    for name, labels, item in agreements:
        for edges, matched in (("primary", item.primary), ("remote", item.remote), ("all", item.pooled)):
            rows.append((name, labels, edges, *_matched_cells(matched)))
    return Table(columns, tuple(rows), notes=(signature,))


def _agreement_category_table(agreements: Sequence[tuple[str, str, Agreement]], digits: int = 2) -> Table:
    columns = (
        Column("Graphs", key="graphs"),
        Column("Labels", key="labels"),
        Column("Category", key="category"),
        *_matched_columns(digits, "DAG F", ("Guess", "Expected"), ("guessed", "expected")),
    )
    rows = [
        (name, labels, category, *_matched_cells(matched)) for name, labels, item in agreements for category, matched in item.categories
    ]
    return Table(columns, tuple(rows))


def _matched_cells(matched: MatchCounts) -> tuple[Cell, ...]:
    one = matched
    return (one.expected, one.recalled, one.guessed, one.precise, one.precision, one.recall, one.f)


def _matched_columns(
    digits: int,
    value: str = "UCCASIM",
    sides: tuple[str, str] = ("Correction units", "Source units"),
    keys: tuple[str, str] = ("correction", "source"),
) -> tuple[Column, ...]:
    kept = "kept" if keys[1] == "source" else "found"
    return (
        Column(sides[1], "count", f"{keys[1]}_units"),
        Column(kept, "count", f"{keys[1]}_{kept}"),
        Column(sides[0], "count", f"{keys[0]}_units"),
        Column(kept, "count", f"{keys[0]}_{kept}"),
        Column("P", "percent", "precision", digits),
        Column("R", "percent", "recall", digits),
        Column(value, "percent", "f", digits),
    )


_UNIT_STYLES: dict[UnitStatus, str] = {"kept": "green", "relabelled": "yellow", "lost": "red", "added": "blue"}
_WIDEST = 60


def compared_lines(results: Sequence[Faithfulness]) -> Iterator[Marked]:
    """Write each source beside its correction unit by unit, and what the marks mean."""
    for item in results:
        if len(results) > 1:
            yield [(item.name, "bold")]
        for pair in item.pairs:
            yield from _compared_lines(pair)
    yield [("= kept   ~ its best match has another category   - has no match (lost)   + has no match (added)", "")]


def _compared_lines(pair: AlignedGraphs) -> list[Marked]:
    """Write the lines of one pair, with an empty line at the end."""
    value = UccaSimValue.of(pair.counts).matched
    head = (
        f"UCCASIM {100 * value.f:.2f}: {value.recalled:,} of {pluralise(value.expected, 'unit')} of the source kept, "
        f"{value.precise:,} of {value.guessed:,} of the correction were in the source"
    )
    name = pair.source.id if pair.source.id == pair.correction.id else f"{pair.source.id} → {pair.correction.id}"
    lines: list[Marked] = [
        [(name, "bold"), (f"  {head}", "")],
        [("  source      ", "dim"), (pair.source.text, "")],
        [("  correction  ", "dim"), (pair.correction.text, "")],
    ]
    rows = judge_units(pair)
    shown = [(row.outcome, _shown(pair.source, row.source), _shown(pair.correction, row.correction)) for row in rows]
    widest = max((width(printable(left)) for _, left, _ in shown), default=0)
    for number, (outcome, left, right) in enumerate(shown):
        if number == len(pair.source_units):
            lines.append([("  units of the correction, with their best matches on the left:", "dim")])
        space = " " * (widest - width(printable(left)))
        style = _UNIT_STYLES[outcome] if outcome == "lost" else ""
        lines.append([(f"  {UNIT_MARKS[outcome]} ", _UNIT_STYLES[outcome]), (left, style), (f"{space}  ", ""), (right, "")])
    return [*lines, []]


def _shown(graph: Graph, unit: int | None) -> str:
    if unit is None:
        return ""
    words = format_unit(graph, unit)
    if len(words) > _WIDEST:
        words = f"{words[: _WIDEST // 2].rpartition(' ')[0]} ... {words[-_WIDEST // 2 :].partition(' ')[2]}"
    return f"{','.join(list_labels(graph, unit)):4} {words}"
