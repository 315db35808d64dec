"""``errata stats --clusters``: the sentences whose edits cannot be clustered into errors clearly."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from errata.cli.inputs import subset_note, subset_record
from errata.cli.printing import flush_warnings, print_json, print_tables
from errata.corpus.texts import write_ranges
from errata.errors import RequestError

if TYPE_CHECKING:
    from errata.corpus.alternatives import Unclear
    from errata.corpus.corpus import Corpus
    from errata.report import Cell, Table

_CLEAR = "clear"
_RULE = "Clear: between errors that all annotators correct to the same text, the same annotators correct every error."


def print_clusters(corpus: Corpus, output_format: str) -> int:
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
