"""List the operations of an alignment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.line_alignment.operations import LineOperation
from errata.line_alignment.words import share_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.line_alignment.alignment import StretchFinder
    from errata.line_alignment.gaps import Stretch
    from errata.line_alignment.operations import OperationKind

_LEAST_WORDS = 3
_SAME_LINE = 0.6
"""Share of equal words by which a missing line is found among those that were left out."""
_MOST_COMPARED = 10_000


def list_operations(
    finder: StretchFinder, found: Sequence[Sequence[Stretch]], sources: Sequence[str], outputs: Sequence[str]
) -> Iterator[LineOperation]:
    """List what is not one line for one line with the same number, in the order of the source; runs of lines are one operation."""
    run: list[LineOperation] = []
    for item in _list_singly(finder, found, sources, outputs):
        if run and not _continues(run[-1], item):
            yield _merge(run)
            run = []
        run.append(item)
    if run:
        yield _merge(run)


def _continues(one: LineOperation, other: LineOperation) -> bool:
    """Whether two operations are a run of missing lines, or of lines that moved as far."""
    if one.kind != other.kind or one.kind not in {"missing", "moved"} or one.note or other.note or one.source.stop != other.source.start:
        return False
    return one.kind == "missing" or one.output.stop == other.output.start


def _merge(run: Sequence[LineOperation]) -> LineOperation:
    source, output = range(run[0].source.start, run[-1].source.stop), range(run[0].output.start, run[-1].output.stop)
    return LineOperation(run[0].kind, source, output, tuple(text for item in run for text in item.texts), run[0].note)


def _list_singly(
    finder: StretchFinder, found: Sequence[Sequence[Stretch]], sources: Sequence[str], outputs: Sequence[str]
) -> Iterator[LineOperation]:
    missing = [number for number, stretches in enumerate(found) if not stretches]
    used = {stretch.line for stretches in found for stretch in stretches}
    left_out = [number for number in range(len(outputs)) if number not in used]
    elsewhere = _find_elsewhere(finder, missing, left_out)
    notes = {number: f"output line {other + 1:,} is similar" for other, number in elsewhere.items()}
    added = [_describe_left_out(finder, outputs, number, elsewhere) for number in left_out]
    position = first = 0
    while first < len(found):
        last, lines = _find_group(found, first)
        while lines and position < len(left_out) and left_out[position] < lines.start:
            yield added[position]
            position += 1
        if lines:
            yield from _describe_group(range(first, last), lines)
        for number in range(first, last):
            if not found[number]:
                yield LineOperation("missing", range(number + 1, number + 2), range(0), (sources[number],), notes.get(number, ""))
        first = last
    yield from added[position:]


def _find_group(found: Sequence[Sequence[Stretch]], first: int) -> tuple[int, range]:
    """Find the end of the lines of the source that share lines of the output, and these."""
    if not found[first]:
        return first + 1, range(0)
    last, end = first + 1, found[first][-1].line
    following = last
    while following < len(found) and (not found[following] or found[following][0].line == end):
        if found[following]:
            last, end = following + 1, found[following][-1].line
        following += 1
    return last, range(found[first][0].line, end + 1)


def _describe_group(source: range, output: range) -> Iterator[LineOperation]:
    kind: OperationKind
    if len(source) == len(output) == 1:
        if source == output:
            return
        kind = "moved"
    else:
        kind = "joined" if len(output) == 1 else "split" if len(source) == 1 else "recut"
    yield LineOperation(kind, range(source.start + 1, source.stop + 1), range(output.start + 1, output.stop + 1))


def _describe_left_out(finder: StretchFinder, outputs: Sequence[str], number: int, elsewhere: dict[int, int]) -> LineOperation:
    line = range(number + 1, number + 2)
    if finder.repeated[number] < number:
        return LineOperation("repeated", range(0), line, (outputs[number],), f"as output line {finder.repeated[number] + 1:,}")
    note = f"source line {elsewhere[number] + 1:,} is similar" if number in elsewhere else ""
    return LineOperation("added", range(0), line, (outputs[number],), note)


def _find_elsewhere(finder: StretchFinder, missing: Sequence[int], left_out: Sequence[int]) -> dict[int, int]:
    """Find missing lines of the source that are similar to lines of the output that were left out: they are in another order there."""
    found: dict[int, int] = {}
    if len(missing) * len(left_out) > _MOST_COMPARED:
        return found
    for number in missing:
        own = finder.sources[number]
        shares = {other: share_words(own, finder.outputs[other]) for other in left_out if other not in found}
        best = max(shares, key=lambda other: shares[other], default=None)
        if len(own) >= _LEAST_WORDS and best is not None and shares[best] >= _SAME_LINE:
            found[best] = number
    return found
