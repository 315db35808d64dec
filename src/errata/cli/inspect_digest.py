"""``errata inspect --digest``: equal edits, counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.inputs import gold_record
from errata.cli.printing import flush_warnings, print_json, print_tables
from errata.cli.vocabulary import TOP_EDITS
from errata.errors import UsageError
from errata.metrics import ShowsEdits
from errata.report.tables.edits import describe_digest, digest_table, flat_digest_table
from errata.scoring import digest_edits, join_signatures, list_chosen_edits
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.inspection import Filters
    from errata.metrics import JudgedEdit
    from errata.report import Table
    from errata.scoring import EditDigest, Score

_ALL = "all systems"


def print_digest(options: argparse.Namespace, scores: Sequence[Score], numbers: Sequence[int], filters: Filters) -> int:
    """Print the most frequent edits that pass the filters, of each system and of all together."""
    if not isinstance(scores[0].output, ShowsEdits):
        raise UsageError(f"{scores[0].metric.name} does not show edits; --digest needs a metric of edits, such as maxmatch")
    for_programs = options.format in {"json", "csv"}
    top = options.top if options.top is not None or for_programs else TOP_EDITS
    edits = [_list_passing(score, numbers, filters) for score in scores]
    digests = [digest_edits([own], numbers, top) for own in edits]
    together = digest_edits(edits, numbers, top) if len(scores) > 1 else None
    names = [score.system_name for score in scores]
    if options.format == "json":
        head = {"errata": __version__, **gold_record(scores[0].evidence.corpus), "metric": options.metric}
        systems = [
            {"system": score.system_name, "signature": score.signature, **describe_digest(digest)}
            for score, digest in zip(scores, digests, strict=True)
        ]
        print_json({**head, "systems": systems, **({"all": describe_digest(together, names)} if together is not None else {})})
    elif options.format == "csv":
        both = [*zip(names, digests, strict=True), *([(None, together)] if together is not None else [])]
        print_tables([flat_digest_table(both)], "csv")
    else:
        _print_for_people(options, _make_tables(scores, digests, together))
    return 0


def _list_passing(score: Score, numbers: Sequence[int], filters: Filters) -> list[list[JudgedEdit]]:
    """List the edits of sentences that pass the filters."""
    corpus, outputs = score.evidence.corpus, score.system.sentences
    indices = {number: score.evidence.index(number) for number in numbers}
    passing = [number for number, index in indices.items() if filters.pass_text(corpus[index], outputs[index])]
    edits = dict(zip(passing, list_chosen_edits(score, passing), strict=True))
    return [list(filter(filters.pass_edit, edits.get(number, ()))) for number in numbers]


def _make_tables(scores: Sequence[Score], digests: Sequence[EditDigest], together: EditDigest | None) -> list[Table]:
    """Make a table of each system and one of all; the last has the notes on all of them."""
    listed = [*digests, *([together] if together is not None else [])]
    more = "  --top N shows more, --format csv all." if any(any(digest.left_out.values()) for digest in listed) else ""
    notes = [f"Edits against the chosen references.{more}", join_signatures(scores)]
    if together is None:
        return [digest_table(digests[0], "", notes)]
    tables = [digest_table(digest, score.system_name) for score, digest in zip(scores, digests, strict=True)]
    return [*tables, digest_table(together, _ALL, notes, several=True)]


def _print_for_people(options: argparse.Namespace, tables: Sequence[Table]) -> None:
    from errata.report.writers import output_width, printer, table_lines

    if options.format != "text":
        print_tables(tables, options.format)
        return
    flush_warnings()
    show = printer(options.color)
    for number, table in enumerate(tables):
        show(*([[]] if number else []), *table_lines(table, output_width()))
