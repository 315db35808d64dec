"""Edits that a new output of the same sentences has won and lost against a baseline.

An edit has changed if only one of the two outputs has it, with the same outcome at the same place.
Each output is judged against the reference chosen for it, so an edit may also change because another reference was chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from errata.scoring.chosen_edits import list_chosen_edits
from errata.scoring.edit_digest import digest_edits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.corpus import Corpus
    from errata.metrics.base import Metric
    from errata.metrics.views import EditOutcome, JudgedEdit
    from errata.scoring.chosen_edits import KnownEdits
    from errata.scoring.edit_digest import CountedEdit
    from errata.scoring.scores import Score

EditChange = Literal["lost", "won", "added", "removed"]
"""Right edits that were lost or won, wrong edits that were added or removed."""
EDIT_CHANGES: tuple[EditChange, ...] = get_args(EditChange)
"""The changes, in the order in which they are shown."""
_AROUND = 3
"""Tokens on each side of an edit that show where it is."""


@dataclass(frozen=True)
class ChangedEdit:
    """An edit that changed, with its sentences, and where it is in the first of them."""

    edit: CountedEdit
    before: str
    """The tokens before it."""
    after: str


@dataclass(frozen=True)
class ChangedEdits:
    """The edits of one kind of change."""

    total: int
    """How many there are, equal ones counted as often as they occur."""
    edits: tuple[ChangedEdit, ...]
    """The most frequent first."""
    left_out: int
    """The number of different edits that are not listed."""


@dataclass(frozen=True)
class EditChanges:
    """What two outputs have in common and what not."""

    metric: Metric
    changes: dict[EditChange, ChangedEdits]
    sentences: int
    """Sentences whose outputs differ."""
    rejudged: tuple[int, ...]
    """The numbers of sentences with equal outputs whose edits changed, because another reference was chosen."""


def list_edit_changes(baseline: Score, new: Score, most: int | None = None) -> EditChanges:
    """List the edits that changed; ``most`` is how many are listed of each change, by default all.

    >>> import errata
    >>> from errata.scoring import list_edit_changes
    >>> gold = errata.Corpus((errata.Sentence.of("Informations is power .", [errata.Edit(0, 1, ("Information",))]),))
    >>> found = list_edit_changes(errata.score(gold, ["Information is power ."]), errata.score(gold, ["Informations are power ."]))
    >>> {name: [item.edit.original for item in changed.edits] for name, changed in found.changes.items()}
    {'lost': ['Informations'], 'won': [], 'added': ['is'], 'removed': []}
    """
    corpus, texts = new.evidence.corpus, zip(baseline.system.sentences, new.system.sentences, strict=True)
    same_text = dict(zip(corpus.numbers, (one == other for one, other in texts), strict=True))
    numbers = [number for number, same in same_text.items() if not same or not _have_same_reference(baseline, new, number)]
    known: KnownEdits = {}
    before, after = (list_chosen_edits(score, numbers, known) for score in (baseline, new))
    only_before = [_without(own, other) for own, other in zip(before, after, strict=True)]
    only_after = [_without(other, own) for own, other in zip(before, after, strict=True)]
    from_baseline, from_new = (_Side(corpus, numbers, edits, most) for edits in (only_before, only_after))
    changes: dict[EditChange, ChangedEdits] = {
        "lost": from_baseline.collect("right"),
        "won": from_new.collect("right"),
        "added": from_new.collect("wrong"),
        "removed": from_baseline.collect("wrong"),
    }
    changed = [number for number, *edits in zip(numbers, only_before, only_after, strict=True) if any(edits)]
    differing = sum(not same for same in same_text.values())
    return EditChanges(new.metric, changes, differing, tuple(number for number in changed if same_text[number]))


def _have_same_reference(baseline: Score, new: Score, number: int) -> bool:
    """Whether a sentence is judged against the same reference; own edits of a system do not follow from its text."""
    index, chosen = new.evidence.index(number), (baseline.evidence.chosen, new.evidence.chosen)
    if None in chosen or baseline.system.edits is not None or new.system.edits is not None:
        return False
    return chosen[0][index] == chosen[1][index]  # type: ignore[index]  # neither is None


def _without(edits: Sequence[JudgedEdit], others: Sequence[JudgedEdit]) -> list[JudgedEdit]:
    """List the right and wrong edits that are not among others."""
    known = {_key(edit) for edit in others}
    return [edit for edit in edits if edit.outcome != "missed" and _key(edit) not in known]


def _key(edit: JudgedEdit) -> tuple[object, ...]:
    return edit.outcome, edit.start, edit.end, edit.corrections


class _Side:
    """The edits that only one of the outputs has."""

    def __init__(self, corpus: Corpus, numbers: Sequence[int], edits: list[list[JudgedEdit]], most: int | None) -> None:
        self._sentences = dict(zip(corpus.numbers, corpus, strict=True))
        self._edits = dict(zip(numbers, edits, strict=True))
        self._digest = digest_edits([edits], numbers, most)

    def collect(self, outcome: EditOutcome) -> ChangedEdits:
        """Collect those with an outcome."""
        listed = tuple(self._place(edit) for edit in self._digest.edits if edit.outcome == outcome)
        total = sum(edit.outcome == outcome for edits in self._edits.values() for edit in edits)
        return ChangedEdits(total, listed, self._digest.left_out[outcome])

    def _place(self, counted: CountedEdit) -> ChangedEdit:
        """Find an edit in the first of its sentences."""
        number, wanted = counted.sentences[0], (counted.outcome, counted.original, counted.corrections)
        found = next(edit for edit in self._edits[number] if (edit.outcome, edit.original, edit.corrections) == wanted)
        tokens = self._sentences[number].tokens
        before, after = tokens[max(0, found.start - _AROUND) : found.start], tokens[found.end : found.end + _AROUND]
        return ChangedEdit(counted, " ".join(before), " ".join(after))
