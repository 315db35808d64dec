"""The overlap of two HOO edits, pair by pair, as the tasks define it: an oracle for :mod:`errata.metrics.hoo`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from errata.formats.hoo_edits import HooEdit
from errata.metrics.hoo import HooCounts, Rules


def measure_overlap(gold: HooEdit, system: HooEdit, rules: Rules = "2012") -> Fraction:
    """Measure the overlap of two edits, from 0 to 1; it is not symmetric."""
    if (gold.file, gold.part) != (system.file, system.part):
        return Fraction(0)
    if gold.inserts:
        return _of_insertion(gold, system)
    if system.inserts:
        return Fraction(int(gold.start < system.start < gold.end), gold.end - gold.start)
    if rules == "2012" and gold.deletes != system.deletes and _equal_but_for_a_space(gold, system):
        return Fraction(1)
    shared = min(gold.end, system.end) - max(gold.start, system.start)
    united = max(gold.end, system.end) - min(gold.start, system.start)
    return Fraction(max(shared, 0), united) if shared > 0 else Fraction(0)


def _of_insertion(gold: HooEdit, system: HooEdit) -> Fraction:
    if system.inserts:
        return Fraction(int(gold.start == system.start))
    length = system.end - system.start
    if system.start < gold.start < system.end:
        return Fraction(1, length)
    # Adjacent edits overlap if the system's replacement contains the inserted text at that end.
    new = system.corrections[0] if system.corrections else None
    texts = [text for text in gold.corrections if text is not None]
    if system.end == gold.start and (not gold.corrections or (new is not None and any(new.endswith(text) for text in texts))):
        return Fraction(1, length)
    if system.start == gold.start and (not gold.corrections or (new is not None and any(new.startswith(text) for text in texts))):
        return Fraction(1, length)
    return Fraction(0)


def _equal_but_for_a_space(gold: HooEdit, system: HooEdit) -> bool:
    """Tell whether two spans are equal without a space at one end of the deletion."""
    deletion, other = (gold, system) if gold.deletes else (system, gold)
    spans = {(deletion.start, deletion.end)}
    if deletion.original.startswith(" "):
        spans.add((deletion.start + 1, deletion.end))
    if deletion.original.endswith(" "):
        spans.add((deletion.start, deletion.end - 1))
    return (other.start, other.end) in spans


def count_every_pair(gold: Sequence[HooEdit], system: Sequence[HooEdit], rules: Rules) -> HooCounts:
    """Count edits by comparing every pair."""
    detected = recognised = corrected = missed_optional = 0
    for edit in gold:
        overlaps = [(measure_overlap(edit, other, rules), other) for other in system]
        partners = [pair for pair in overlaps if pair[0] > 0]
        strict = [other for share, other in partners if share == 1]
        detected += bool(partners)
        recognised += bool(strict)
        corrected += any(_corrects(edit, other, ignore_case=rules == "2012") for other in strict)
        missed_optional += edit.optional and not partners
    spurious = sum(not any(measure_overlap(edit, other, rules) > 0 for other in gold) for edit in system)
    return HooCounts(len(gold), len(system), detected, recognised, corrected, spurious, missed_optional)


def _corrects(gold: HooEdit, system: HooEdit, *, ignore_case: bool) -> bool:
    if not gold.corrections:
        return True
    new = system.corrections[0] if system.corrections else None
    if new is None:
        return False  # it only marks an error
    texts = [text for text in gold.corrections if text is not None]
    return new.lower() in {text.lower() for text in texts} if ignore_case else new in texts
