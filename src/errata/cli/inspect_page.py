"""``errata inspect --format html``: the page of ``errata report``, opened at the sentences that pass the filters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.pages import choose_sentences, describe_command, describe_warnings, watch
from errata.cli.printing import flush_warnings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.inspection import Filters
    from errata.scoring import Score


def print_page(options: argparse.Namespace, scores: Sequence[Score], filters: Filters) -> int:
    """Print the page of some systems; filters are its first view, and can be changed there."""
    from errata.language.types import ORDER
    from errata.report.charts.drawing import DrawingProcess
    from errata.report.page.document import make_page
    from errata.report.page.evaluation import build_report, type_by_tagger

    with DrawingProcess() as drawer:
        shown, sampled = choose_sentences(options, len(scores[0].evidence.corpus))
        report = build_report(
            [scores],
            type_by_tagger(None, ORDER, "full"),
            drawer=drawer,
            watch=watch,
            shown=shown,
            sampled=sampled,
            command=describe_command(options),
            warnings=describe_warnings(options),
            start=_write_view(filters, scores),
        )
        flush_warnings()
        print(make_page(report, watch), end="")
    return 0


def _write_view(filters: Filters, scores: Sequence[Score]) -> str:
    """Write the view that the filters ask for, as in the address of the page."""
    from errata.report.page.sections import write_view

    system = scores[0].system_name if len(scores) == 1 and filters.of_edits else ""
    view = {"system": system, "outcome": sorted(filters.outcomes), "type": sorted(filters.types), "q": filters.search}
    return write_view(view) or "sort=number"
