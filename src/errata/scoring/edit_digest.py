"""Edits, counted: which ones are most often right, wrong and missed.

Two edits are the same if their outcome, the original text and the correction are; case matters, because an edit may change only case.
Of a missed edit, all alternatives of gold must be the same.
Types do not matter: annotators may give one edit several, and each is listed with its count.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from errata.metrics.views import EDIT_OUTCOMES, EditOutcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from errata.metrics.views import JudgedEdit


@dataclass(frozen=True, slots=True)
class CountedEdit:
    """An edit, and where it occurs."""

    outcome: EditOutcome
    original: str
    corrections: tuple[str, ...]
    """The systems' text; for a missed edit the gold alternatives."""
    types: tuple[tuple[str, int], ...]
    """Its types with their counts, the most frequent first; edits without a type are not in it."""
    count: int
    """How often it occurs, in all systems together."""
    sentences: tuple[int, ...]
    """The numbers of its sentences, ascending, each once."""
    systems: tuple[int, ...]
    """How often it occurs in each system."""


class EditDigest(NamedTuple):
    """Edits that were counted, and how many others there are."""

    edits: list[CountedEdit]
    """The most frequent first; equally frequent ones are in alphabetical order."""
    left_out: Mapping[EditOutcome, int]
    """The number of different edits with each outcome that are not listed."""


_Key = tuple[EditOutcome, str, tuple[str, ...]]
_Place = tuple[int, int, str | None]
"""A system, the number of a sentence and a type."""


def digest_edits(systems: Sequence[Sequence[Sequence[JudgedEdit]]], numbers: Sequence[int], most: int | None = None) -> EditDigest:
    """Count the edits of systems together; ``most`` is how many are listed of each outcome, by default all.

    For each system, ``systems`` has the edits of each sentence, as :func:`errata.scoring.chosen_edits.list_chosen_edits` returns
    them; ``numbers`` are the numbers of these sentences.

    >>> import errata
    >>> from errata.scoring import list_chosen_edits
    >>> gold = errata.Corpus((errata.Sentence.of("Informations is power .", [errata.Edit(0, 1, ("Information",), "Nn")]),))
    >>> outputs = (["Information is power ."], ["Informations is power ."], ["Informations is power ."])
    >>> edits = [list_chosen_edits(errata.score(gold, output)) for output in outputs]
    >>> [(edit.count, edit.outcome, edit.systems) for edit in digest_edits(edits, gold.numbers).edits]
    [(2, 'missed', (0, 1, 1)), (1, 'right', (1, 0, 0))]
    """
    found: dict[_Key, list[_Place]] = {}
    for system, sentences in enumerate(systems):
        for number, edits in zip(numbers, sentences, strict=True):
            for edit in edits:
                key = (edit.outcome, edit.original, edit.corrections)
                place = (system, number, edit.type)
                if key in found:
                    found[key].append(place)
                else:
                    found[key] = [place]
    keys: dict[EditOutcome, list[_Key]] = {outcome: [] for outcome in EDIT_OUTCOMES}
    for key in found:
        keys[key[0]].append(key)
    chosen = [key for own in keys.values() for key in _choose(own, found, most)]
    chosen.sort(key=lambda key: (-len(found[key]), key[1].casefold(), key[1], key[2], key[0]))
    left_out = {outcome: max(0, len(own) - most) if most is not None else 0 for outcome, own in keys.items()}
    return EditDigest([_count(key, found[key], len(systems)) for key in chosen], left_out)


def _choose(keys: list[_Key], found: Mapping[_Key, list[_Place]], most: int | None) -> list[_Key]:
    """Choose the most frequent edits of an outcome; only those that are as frequent as the last of them are sorted."""
    if most is None or len(keys) <= most:
        return keys
    fewest = nlargest(most, (len(found[key]) for key in keys))[-1] if most else 0
    frequent = [key for key in keys if len(found[key]) >= fewest]
    return sorted(frequent, key=lambda key: (-len(found[key]), key[1].casefold(), key[1], key[2]))[:most]


def _count(key: _Key, places: list[_Place], systems: int) -> CountedEdit:
    counts = [0] * systems
    for system, _, _ in places:
        counts[system] += 1
    types = Counter(type_ for _, _, type_ in places if type_)
    by_frequency = sorted(types.items(), key=lambda item: (-item[1], item[0]))
    return CountedEdit(*key, tuple(by_frequency), len(places), tuple(sorted({number for _, number, _ in places})), tuple(counts))
