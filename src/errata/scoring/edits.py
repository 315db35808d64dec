"""The edits behind scores: of one sentence, of a whole output, counted, and compared with a baseline."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.corpus.unicode import find_direction
from errata.display import Html, Listing, TableRow, element, join_html
from errata.errors import RequestError
from errata.metrics.views import EDIT_OUTCOMES, EditOutcome, JudgedEdit, ShowsChosenEdits, ShowsEdits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from errata.corpus.corpus import Corpus
    from errata.corpus.texts import Tokens
    from errata.metrics.base import Metric
    from errata.scoring.scores import Score


_SIGNS = {"right": "+", "wrong": "×", "missed": "−"}
_STYLES = {
    "right": "background: rgba(46, 160, 67, 0.3)",
    "wrong": "background: rgba(248, 81, 73, 0.3)",
    "missed": "background: rgba(210, 153, 34, 0.3); border-bottom: 1px dashed",
}
"""Transparent, so that the text keeps the colour of a light or a dark page."""
_EMPTY = "∅"


class SentenceEdits(Listing[JudgedEdit]):
    """The right, wrong and missed edits of a sentence."""

    def __init__(self, edits: Iterable[JudgedEdit], sentence: int, tokens: Tokens, title: str) -> None:
        super().__init__(edits)
        self.sentence = sentence
        """The number of the sentence, from 1."""
        self.tokens = tokens
        """The source."""
        self._title = title

    def rows(self) -> list[TableRow]:
        """List the edits with their values by name."""
        return [
            {
                "sentence": self.sentence,
                "outcome": edit.outcome,
                "start": edit.start,
                "end": edit.end,
                "original": edit.original,
                "corrections": list(edit.corrections),
                "type": edit.type,
                "target_start": edit.target_start,
            }
            for edit in self
        ]

    def _repr_html_(self) -> str:
        """Mark the edits in the sentence: those of the system are done, and missed ones are in brackets."""
        legend = [join_html(_mark(outcome, f"{_SIGNS[outcome]} {outcome}"), " ") for outcome in _SIGNS]
        heading = element("div", join_html(self._title, ": ", *legend), style="font-size: smaller; opacity: 0.8")
        return element(
            "div", heading, element("div", *self._list_parts(), dir=find_direction(" ".join(self.tokens)), style="line-height: 1.9")
        )

    def _list_parts(self) -> Iterator[Html]:
        """Yield the words of the source, with edits where they are."""
        done = 0
        for edit in sorted(self, key=lambda edit: (edit.start, edit.end)):
            if edit.start > done:
                yield join_html(" ".join(self.tokens[done : edit.start]), " ")
            done = max(done, edit.end)
            yield join_html(_show_edit(edit), " ")
        yield join_html(" ".join(self.tokens[done:]))


def _show_edit(edit: JudgedEdit) -> Html:
    """Show an edit with its sign, and its type if it has one."""
    missed = edit.outcome == "missed"  # the output still has the original
    original = element("span" if missed or not edit.original else "del", edit.original or _EMPTY, dir=find_direction(edit.original))
    after = [
        part
        for text in edit.corrections
        for part in (" | ", element("ins", text, dir=find_direction(text)) if text else element("span", _EMPTY))
    ][1:]
    kind = element("small", f" {edit.type}", style="opacity: 0.7") if edit.type else None
    parts = (f"{_SIGNS[edit.outcome]} ", original, " → ", *after, kind)
    return _mark(edit.outcome, *(("[", *parts, "]") if missed else parts))


def _mark(outcome: str, *parts: str | Html | None) -> Html:
    return element("span", *parts, style=f"{_STYLES[outcome]}; border-radius: 3px; padding: 1px 3px", title=f"{outcome} edit")


KnownEdits = dict[tuple[int, int, "Tokens"], list["JudgedEdit"]]
"""The edits of an output, by the index of its sentence, the row of the reference and the text."""


def list_chosen_edits(score: Score, numbers: Iterable[int] | None = None, known: KnownEdits | None = None) -> list[list[JudgedEdit]]:
    """List the right, wrong and missed edits of every sentence, or of those with some numbers, which are counted from 1.

    They take longer than scoring, so a caller keeps them.  With ``known``, systems that are scored by the same metric on the same corpus
    share the edits of equal outputs.
    """
    output, chosen = score.output, score.evidence.chosen
    if not isinstance(output, ShowsEdits):
        raise RequestError(f"{score.metric.name} does not show edits; use maxmatch")
    if chosen is None:
        raise RequestError(f"{score.metric} does not choose a reference for a sentence, so its edits cannot be counted; use maxmatch")
    indices = range(len(chosen)) if numbers is None else map(score.evidence.index, numbers)

    def list_edits(index: int, row: int) -> list[JudgedEdit]:
        return output.edits_against(index, row) if isinstance(output, ShowsChosenEdits) else output.edits(index)[row]

    if known is None or score.system.edits is not None:  # a system's own edits do not follow from its text
        return [list_edits(index, chosen[index]) for index in indices]
    found = []
    for index in indices:
        key = (index, chosen[index], score.system.sentences[index])
        if key not in known:
            known[key] = list_edits(index, chosen[index])
        found.append(known[key])
    return found


@dataclass(frozen=True, slots=True)
class CountedEdit:
    """An edit, and where it occurs.

    Two edits are the same if their outcome, the original text and the correction are; case matters, because an edit may change only case.
    Of a missed edit, all alternatives of gold must be the same.
    Types do not matter: annotators may give one edit several, and each is listed with its count.
    """

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

    def to_record(self, systems: Sequence[str] = ()) -> dict[str, object]:
        """Make a record for programs; ``systems`` are the names of several systems that were counted together."""
        record: dict[str, object] = {
            "outcome": self.outcome,
            "original": self.original,
            "corrections": list(self.corrections),
            "types": dict(self.types),
            "count": self.count,
            "sentences": list(self.sentences),
        }
        if systems:
            record["systems"] = {name: count for name, count in zip(systems, self.systems, strict=True) if count}
        return record


class EditDigest(NamedTuple):
    """Edits that were counted, and how many others there are."""

    edits: list[CountedEdit]
    """The most frequent first; equally frequent ones are in alphabetical order."""
    left_out: Mapping[EditOutcome, int]
    """The number of different edits with each outcome that are not listed."""

    def to_record(self, systems: Sequence[str] = ()) -> dict[str, object]:
        """Make a record for programs; ``systems`` are the names of several systems that were counted together."""
        return {"edits": [edit.to_record(systems) for edit in self.edits], "left_out": dict(self.left_out)}


_Key = tuple[EditOutcome, str, tuple[str, ...]]
_Place = tuple[int, int, str | None]
"""A system, the number of a sentence and a type."""


def digest_edits(systems: Sequence[Sequence[Sequence[JudgedEdit]]], numbers: Sequence[int], most: int | None = None) -> EditDigest:
    """Count the edits of systems together; ``most`` is how many are listed of each outcome, by default all.

    For each system, ``systems`` has the edits of each sentence, as :func:`errata.scoring.edits.list_chosen_edits` returns
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


EditChange = Literal["lost", "won", "added", "removed"]
"""Right edits that were lost or won, wrong edits that were added or removed."""
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
    """What two outputs have in common and what not.

    An edit has changed if only one of the two outputs has it, with the same outcome at the same place.
    Each output is judged against the reference chosen for it, so an edit may also change because another reference was chosen.
    """

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
