"""Tables of what systems and annotators change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.report.table import Cell, Column, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.studies.conservatism import Conservatism, Extremes, SentenceChanges

_MANY = 4
"""Changed words from which on a sentence counts as much changed."""
_MOST_COLUMNS = 6
"""Numbers of changed words that have their own column."""


def changes_table(references: Sequence[Conservatism], systems: Sequence[tuple[Conservatism, Extremes]], notes: Sequence[str]) -> Table:
    """Make a table of annotators, then of systems with the sentences in which they change more, or less, than all annotators."""
    headings = (
        ("Sentences changed", "changed"),
        ("Words", "words"),
        ("Larger changes", "words_apart"),
        ("Reordered", "reordered"),
        ("Split", "split"),
        ("Joined", "joined"),
    )
    columns = [Column("Text", key="name"), *(Column(name, "count", key) for name, key in headings), Column("Order", "number", "order")]
    columns += [Column("More than all", "count", "more"), Column("Fewer than all", "count", "fewer")]
    rows: list[tuple[Cell, ...]] = []
    for item, own in [*((item, None) for item in references), *systems]:
        counts: list[Cell] = [getattr(item, key) for _, key in headings]
        rows.append((item.name, *counts, item.order, *((len(own.more), len(own.fewer)) if own is not None else (None, None))))
    return Table(tuple(columns), tuple(rows), notes=tuple(notes))


def changes_in_words(references: Sequence[Conservatism], systems: Sequence[Conservatism], sentences: int) -> list[str]:
    """Summarise the table in words."""
    fewest = min(references, key=lambda item: item.words)
    notes = [f"More/Fewer than all: sentences (of {sentences:,}) in which a system changes more, or fewer, words than every annotator."]
    timid = [item for item in systems if item.words < fewest.words]
    if systems and len(timid) == len(systems):
        most = max(systems, key=lambda item: item.words)
        share = most.words / fewest.words
        notes.append(
            f"Every system changes fewer words than any annotator; "
            f"even {most.name}, which changes most, changes only {share:.0%} as many as {fewest.name}."
        )
    elif timid:
        notes.append(
            f"Systems that change fewer words than any annotator ({len(timid)} of {len(systems)}): "
            f"{', '.join(item.name for item in timid)}."
        )
    else:
        notes.append("No system changes fewer words than every annotator.")
    return notes


def sentence_changes_table(changes: Sequence[tuple[str, SentenceChanges]], marks: str) -> Table:
    """Make a table of all splits and joins of sentences."""
    headings = (("Split", "split"), ("Joined", "joined"), ("Split at line end", "split_lines"), ("Joined with next line", "joined_lines"))
    columns = (Column("Text", key="name"), *(Column(name, "count", key) for name, key in headings))
    rows = tuple((name, *counts) for name, counts in changes)
    notes = (
        f"Sentence ends: {' '.join(marks)}",
        "Split, Joined: ends added and removed inside lines, each counted.",
    )
    return Table(columns, rows, "Sentences split and joined", notes)


def histogram_table(items: Sequence[Conservatism], *, apart: bool) -> Table:
    """Make a table of the number of sentences for each number of changed words."""
    last = f"{_MOST_COLUMNS}+"
    columns = (
        Column("Text"),
        *(Column(str(words), "count") for words in range(_MOST_COLUMNS)),
        Column(last, "count"),
        Column("Most", "count"),
    )
    rows: list[tuple[Cell, ...]] = []
    for item in items:
        counts = item.histogram(apart=apart)
        more = sum(count for words, count in counts.items() if words >= _MOST_COLUMNS)
        rows.append((item.name, *(counts[words] for words in range(_MOST_COLUMNS)), more, max(counts, default=0)))
    what = "words with larger changes" if apart else "changed words"
    many = sorted((sum(count for words, count in item.histogram(apart=apart).items() if words >= _MANY), item.name) for item in items)
    ends = f"{many[0][0]:,} ({many[0][1]}) to {many[-1][0]:,} ({many[-1][1]})"
    words = f"In words: sentences with {_MANY} or more {what} range from {ends}."
    return Table(columns, tuple(rows), f"Sentences by their number of {what}", (words,))
