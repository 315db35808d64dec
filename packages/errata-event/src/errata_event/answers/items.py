"""Items: what annotators judge when alternative answers are proposed, and the phases that they are about."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from errata.corpus.corpus import FIRST_ANNOTATOR, Annotation, Corpus, Edit, Sentence, apply_in_order, list_applied
from errata.corpus.texts import write_ranges
from errata.display import printable
from errata.errors import RequestError, UsageError, pluralise
from errata.formats.m2 import NONE
from errata.language.types import MEMBERS, ChangedWords, ChangeTyper, has_errant_types
from errata.metrics.registry import metric
from errata.metrics.views import JudgedEdit, ShowsEdits
from errata_event.accounts import require_admitted
from errata_event.instants import to_micros
from errata_event.uploading import require_open

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from errata.corpus.texts import Tokens
    from errata.language.tagging import Tagger
    from errata.metrics.base import Metric
    from errata_event.accounts import Account
    from errata_event.database import DatabaseTransaction
    from errata_event.definition import EventDefinition, Phase
    from errata_event.event import Event, Moment
    from errata_event.golds import GoldVersion
    from errata_event.scoring import PhaseScorer


# --- How addresses and forms name items: by what they propose, so that a name says nothing about who proposed first, nor how many did.

_DIGITS = 16
_KEY = re.compile(rf"([1-9][0-9]{{0,8}})-([0-9a-f]{{{_DIGITS}}})")


def make_item_key(item: Item) -> str:
    """Name an item by its sentence and its edits.

    >>> from errata_event.answers.items import Item, ItemEdit
    >>> make_item_key(Item(7, "answers", 12, (ItemEdit(1, 2, "likes"),)))
    '12-da553551f25a43ab'
    """
    return f"{item.sentence}-{hashlib.sha256(write_edits(item.edits).encode()).hexdigest()[:_DIGITS]}"


def find_by_key(transaction: DatabaseTransaction, phase: str, key: str) -> Item:
    """Find the item of a phase that a key names."""
    match = _KEY.fullmatch(key)
    if match is not None:
        rows = transaction.rows(
            "SELECT id, phase, sentence, edits, sha256 FROM items WHERE phase = ? AND sentence = ?", phase, int(match[1])
        )
        for *columns, sha256 in rows:
            if sha256.startswith(match[2]):
                return make_item(tuple(columns))
    raise RequestError("there is no such proposal")


# --- Corrected sentences as segments, so that source, gold and proposals can be shown side by side.

_SegmentKind = Literal["unchanged", "deleted", "inserted"]


class Segment(NamedTuple):
    """Words of a sentence, with single spaces between them."""

    kind: _SegmentKind
    text: str


class MarkedSentence(NamedTuple):
    """A sentence and how it came from the source."""

    segments: tuple[Segment, ...]

    @property
    def text(self) -> str:
        """The sentence after its corrections."""
        return " ".join(segment.text for segment in self.segments if segment.kind != "deleted")


def correct_sentence(tokens: Tokens, edits: Sequence[Edit]) -> MarkedSentence:
    """Show what edits make of a sentence, with the first correction of each.

    >>> from errata.corpus.corpus import Edit
    >>> shown = correct_sentence(("I", "likes", "cake"), [Edit(1, 2, ("like",)), Edit(3, 3, ("too",))])
    >>> [segment.kind for segment in shown.segments], shown.text
    (['unchanged', 'deleted', 'inserted', 'unchanged', 'inserted'], 'I like cake too')
    """
    segments: list[Segment] = []

    def add(kind: _SegmentKind, text: str) -> None:
        if text:
            segments.append(Segment(kind, text))

    done = 0
    for edit in list_applied(edits):
        add("unchanged", " ".join(tokens[done : edit.start]))
        original, correction = " ".join(tokens[edit.start : edit.end]), edit.corrections[0]
        if original == correction:
            add("unchanged", original)
        else:
            add("deleted", original)
            add("inserted", " ".join(correction.split()))
        done = edit.end
    add("unchanged", " ".join(tokens[done:]))
    return MarkedSentence(tuple(segments))


# --- Items: what annotators judge when alternative answers are proposed.
#
# An item is a sentence and a set of edits that are right in place of the gold edits that they overlap.  What is proposed together is one
# item, and is judged together.  An edit whose correction equals the source text of its span says "leave this as it is": it only removes
# the gold edits that it overlaps.  Equal items, whoever proposes them, are one.

_MOST_EDITS = 200
"""The most edits of an item."""
_LONGEST_CORRECTION = 2_000
"""Characters of a correction."""
_SEPARATOR = "||"
"""M2, in which the gold is written, has no other way to separate corrections."""


class ItemEdit(NamedTuple):
    """A span of the source, and one correction; an empty span is an insertion, an empty correction a deletion."""

    start: int
    end: int
    correction: str

    def leaves(self, tokens: Tokens) -> bool:
        """Whether it says that its span is left as it is.

        >>> ItemEdit(1, 2, "cat").leaves(("a", "cat")), ItemEdit(1, 1, "").leaves(("a", "cat")), ItemEdit(1, 2, "").leaves(("a", "cat"))
        (True, True, False)
        """
        return self.correction == " ".join(tokens[self.start : self.end])


ItemEdits = tuple[ItemEdit, ...]


class Item(NamedTuple):
    """What was proposed, without who proposed it."""

    id: int
    phase: str
    """The phase of alternative answers."""
    sentence: int
    """Its number, from 1."""
    edits: ItemEdits


def spans_overlap(start: int, end: int, other_start: int, other_end: int) -> bool:
    """Whether two edits cannot both be made: they change the same token, one inserts inside the other, or both insert at the same place.

    >>> spans_overlap(1, 3, 2, 4), spans_overlap(1, 1, 1, 1), spans_overlap(1, 1, 1, 2), spans_overlap(2, 2, 1, 3)
    (True, True, False, True)
    """
    if start == end and other_start == other_end:
        return start == other_start
    return start < other_end and other_start < end


def _spans_touch(start: int, end: int, other_start: int, other_end: int) -> bool:
    """Whether an insertion lies at an end of the other edit, so that each may have been meant instead of the other.

    >>> _spans_touch(1, 1, 1, 2), _spans_touch(1, 2, 2, 2), _spans_touch(1, 2, 2, 3)
    (True, True, False)
    """
    return (start == end or other_start == other_end) and start <= other_end and other_start <= end


def _make_item_edits(edits: Iterable[tuple[int, int, str]]) -> ItemEdits:
    """Bring edits into the one order that equal items have."""
    return tuple(sorted({ItemEdit(*edit) for edit in edits}))


def check_edits(tokens: Tokens, edits: ItemEdits) -> None:
    """Raise unless these can be the edits of an item of a sentence."""
    if not edits:
        raise RequestError("nothing is proposed: choose an edit, or change the sentence")
    if len(edits) > _MOST_EDITS:
        raise RequestError(f"a proposal has at most {_MOST_EDITS} edits, found {len(edits):,}")
    for edit in edits:
        if not 0 <= edit.start <= edit.end <= len(tokens):
            raise RequestError(
                f"an edit of {edit.start} to {edit.end} lies outside the sentence, which has {pluralise(len(tokens), 'token')}"
            )
        if not edit.leaves(tokens):  # what the source has is right as it is
            _check_correction(edit.correction, tokens)
    for one, other in pairwise(edits):
        if spans_overlap(one.start, one.end, other.start, other.end):
            raise RequestError(f"the edits of {one.start} to {one.end} and of {other.start} to {other.end} overlap")


def _check_correction(text: str, source: Tokens) -> None:
    """Raise unless a text can be a correction: tokens with single spaces between them, without what gold cannot be written with."""
    if len(text) > _LONGEST_CORRECTION:
        raise RequestError(f"a correction has at most {_LONGEST_CORRECTION:,} characters, found {len(text):,}")
    shown = printable(text[:40])
    if text.split() != (text.split(" ") if text else []):
        raise RequestError(f"the tokens of a correction have single spaces between them, found {shown!r}")
    if any(printable(token) != token and token not in source for token in text.split()):
        raise RequestError(f"a correction has no control characters and no invisible ones, found '{shown}'")
    if _SEPARATOR in text or text == NONE or text.endswith("|"):
        raise RequestError(f"a correction cannot contain {_SEPARATOR}, end in | or be {NONE}, found {shown!r}")


def write_edits(edits: ItemEdits) -> str:
    """Write edits as JSON; equal edits are equal texts."""
    return json.dumps([list(edit) for edit in edits], ensure_ascii=False, separators=(",", ":"))


def read_item_edits(text: str) -> ItemEdits:
    """Read what :func:`write_edits` wrote."""
    return tuple(ItemEdit(*edit) for edit in json.loads(text)) if text else ()


def keep_item(transaction: DatabaseTransaction, phase: str, sentence: int, edits: ItemEdits, now: datetime) -> int:
    """Store an item unless it is known; return its number."""
    written = write_edits(edits)
    sha256 = hashlib.sha256(written.encode()).hexdigest()
    row = transaction.row("SELECT id FROM items WHERE phase = ? AND sentence = ? AND sha256 = ?", phase, sentence, sha256)
    if row is not None:
        return int(row[0])
    return transaction.insert(
        "INSERT INTO items (phase, sentence, edits, sha256, made_at) VALUES (?, ?, ?, ?, ?)",
        phase,
        sentence,
        written,
        sha256,
        to_micros(now),
    )


def find_item(transaction: DatabaseTransaction, phase: str, id_: int) -> Item:
    """Find an item of a phase by its number."""
    row = transaction.row("SELECT id, phase, sentence, edits FROM items WHERE id = ? AND phase = ?", id_, phase)
    if row is None:
        raise RequestError("there is no such proposal")
    return make_item(row)


def make_item(row: tuple[Any, ...]) -> Item:
    """Make an item of the columns ``id, phase, sentence, edits``."""
    return Item(int(row[0]), row[1], int(row[2]), read_item_edits(row[3]))


# --- A phase of alternative answers, with the gold that it is about.


class AnswersPhase(NamedTuple):
    """A phase of alternative answers."""

    definition: EventDefinition
    phase: Phase
    about: Phase
    """The phase whose gold is discussed."""
    version: GoldVersion
    """That gold."""
    scorer: PhaseScorer
    received_at: datetime | None = None
    """When what a team sent had arrived, though it may have waited since; None if it has just arrived."""

    @property
    def gold(self) -> Corpus:
        """The sentences with their annotations."""
        return self.scorer.gold

    def sentence(self, number: int) -> Sentence:
        """The sentence of a number, from 1."""
        if not 1 <= number <= len(self.gold):
            raise UsageError(f"sentences are numbered from 1 to {len(self.gold):,}, found {number}")
        return self.gold[number - 1]


def open_answers(event: Event, phase_name: str, received_at: datetime | None = None) -> AnswersPhase:
    """Find a phase of alternative answers, and prepare its gold.

    Must not be called inside a transaction that writes, because it opens one that reads.
    """
    with event.database.read() as transaction:
        moment = event.moment(transaction)
        phase = moment.definition.phase(phase_name)
        require_answers(phase)
        about = moment.definition.phase(phase.about)
        version = event.newest_gold(transaction, about)
    return AnswersPhase(moment.definition, phase, about, version, event.scorer(version, moment.definition), received_at)


def require_answers(phase: Phase) -> None:
    """Raise unless alternative answers are proposed in a phase."""
    if not phase.is_answers:
        raise RequestError(f"outputs are submitted to the phase {phase.name}, and no alternative answers proposed")


def require_proposing(event: Event, transaction: DatabaseTransaction, answers: AnswersPhase, team: Account) -> Moment:
    """Raise unless a team can propose answers now, or could when they arrived; return the moment."""
    if team.role != "team":
        raise RequestError("only teams propose alternative answers")
    require_admitted(transaction, team)
    moment = event.moment(transaction, answers.received_at)
    require_open(moment, answers.phase)
    return moment


def name_phase_lock(phase: str) -> str:
    """The lock under which proposals and judgments of a phase are stored, so that what they depend on does not change meanwhile."""
    return f"answers {phase}"


# --- From a corrected sentence, or from some edits of an output, to the edits of an item.
#
# A corrected sentence is compared by MaxMatch with each gold annotation.  The annotation with the most edits in common counts, the first
# of
# equals; but if one accepts the sentence as it is, nothing is proposed.
# The item has the edits that are wrong against it, and says of gold edits that were missed that they are not needed.


def list_annotations(sentence: Sentence) -> tuple[Annotation, ...]:
    """List the annotations of a sentence; one without any is correct according to the first annotator."""
    return sentence.annotations or (Annotation(FIRST_ANNOTATOR),)


def _compare_sentence(sentence: Sentence, corrected: Tokens) -> tuple[int, list[JudgedEdit]]:
    """Compare a corrected sentence with each gold annotation; return the index of the nearest, and the edits against it."""
    corpus = Corpus((Sentence(sentence.tokens, list_annotations(sentence)),))
    output = _maxmatch().scorer(corpus).prepare([corrected])
    if not isinstance(output, ShowsEdits):
        raise TypeError("MaxMatch must show edits")
    by_annotation = output.edits(0)
    nearest = max(range(len(by_annotation)), key=lambda index: (_accepts(by_annotation[index]), _count_right(by_annotation[index]), -index))
    return nearest, by_annotation[nearest]


@cache
def _maxmatch() -> Metric:
    return metric("maxmatch")


def _accepts(edits: Sequence[JudgedEdit]) -> bool:
    return all(edit.outcome == "right" or _changes_nothing(edit) for edit in edits)


def _changes_nothing(edit: JudgedEdit) -> bool:
    """Whether a gold edit changes nothing, as some do; such an edit is always missed."""
    return edit.outcome == "missed" and set(edit.corrections) == {edit.original}


def _count_right(edits: Sequence[JudgedEdit]) -> int:
    return sum(edit.outcome == "right" for edit in edits)


def find_item_edits(sentence: Sentence, corrected: Tokens) -> ItemEdits:
    """Turn a corrected sentence into the edits of an item; none if a gold annotation accepts it as it is."""
    _, judged = _compare_sentence(sentence, corrected)
    return combine_edits(sentence.tokens, judged, [edit for edit in judged if edit.outcome != "right"])


def combine_edits(tokens: Tokens, judged: Sequence[JudgedEdit], chosen: Sequence[JudgedEdit]) -> ItemEdits:
    """Make the edits of one item from some wrong and missed edits of an output.

    ``judged`` has all edits of the output in the sentence.  What a wrong edit needs to be right comes with it: a right edit that inserts at
    the same place becomes a part of it, and a missed gold edit beside an insertion is left out, as the output left it out.
    """
    by_place = sorted(
        (edit for edit in judged if edit.outcome != "missed"), key=lambda edit: (edit.start, edit.end, edit.target_start or 0)
    )
    right = [edit for edit in by_place if edit.outcome == "right"]
    wrong = [edit for edit in by_place if edit in chosen and edit.outcome == "wrong"]
    made: list[ItemEdit] = []
    for edit in wrong:
        if edit.start == edit.end:
            beside = [other for other in by_place if other.start == other.end == edit.start and (other in wrong or other in right)]
            made.append(ItemEdit(edit.start, edit.end, " ".join(other.corrections[0] for other in beside)))
        else:
            made.append(ItemEdit(edit.start, edit.end, edit.corrections[0]))
    for edit in judged:
        if edit.outcome != "missed" or _changes_nothing(edit):
            continue
        span = (edit.start, edit.end)
        if edit not in chosen and not any(_spans_touch(*span, other.start, other.end) for other in wrong):
            continue
        # What overlaps a wrong edit is replaced by it, and a gold edit that overlaps a right one would be removed together with that.
        changed = [*((own.start, own.end) for own in made), *((own.start, own.end) for own in right)]
        if any(spans_overlap(*span, *other) for other in changed):
            continue
        made.append(ItemEdit(*span, " ".join(tokens[edit.start : edit.end])))
    return _make_item_edits(made)


# --- The error types of accepted edits: that of the first gold edit that they replace; else what rules say; else that of other errors.
#
# Gold keeps one kind of types: an accepted edit in a gold of ERRANT's types, or of types that only say what is missing, gets such a type
# too.

_OTHERS = "Others"
_SHAPES = {"Missing": "M", "Unnecessary": "U", "Replacement": "R"}
"""Types of edits that were found by comparing texts, and the letters with which ERRANT's types begin."""


class _PlacedEdit(NamedTuple):
    """An accepted edit, and the index of its sentence in the gold."""

    sentence: int
    edit: ItemEdit


class AnswerTypes:
    """Gives accepted edits their types."""

    def __init__(self, gold: Corpus, tagger: Tagger | None, kept: Collection[str] = ()) -> None:
        """``kept`` are the only types that the task has, if it names some: others would be left out when the gold is read again."""
        self._gold, self._tagger, self._kept = gold, tagger, list(kept)
        self._known = {edit.type for sentence in gold for annotation in sentence.annotations for edit in annotation.edits}
        self._guessed: dict[_PlacedEdit, str] = {}

    def prepare(self, edits: Iterable[_PlacedEdit]) -> None:
        """Guess the types of all accepted edits at once."""
        placed = [item for item in dict.fromkeys(edits) if not item.edit.leaves(self._gold[item.sentence].tokens)]
        named = self._classify(placed) if self._takes_rules else [""] * len(placed)
        self._guessed = {item: self._fit(name, item.edit) for item, name in zip(placed, named, strict=True)}

    def find(self, index: int, edit: ItemEdit, replaced: Sequence[Edit]) -> str:
        """Find the type of an edit that was prepared, which replaces some gold edits of its sentence."""
        first = next((gold for gold in replaced if spans_overlap(gold.start, gold.end, edit.start, edit.end)), None)
        return first.type if first is not None else self._guessed[_PlacedEdit(index, edit)]

    @property
    def _takes_rules(self) -> bool:
        """Whether the types of the gold are those that rules for parts of speech give."""
        return self._tagger is not None and not self._is_errant and not self._is_by_shape

    @property
    def _is_errant(self) -> bool:
        return bool(self._known) and has_errant_types(self._gold)

    @property
    def _is_by_shape(self) -> bool:
        return bool(self._known) and self._known <= {*_SHAPES, ""}

    def _classify(self, placed: Sequence[_PlacedEdit]) -> list[str]:

        if self._tagger is None:
            return [""] * len(placed)
        sources, outputs, changes = [], [], []
        for number, (index, edit) in enumerate(placed):
            tokens, words = self._gold[index].tokens, edit.correction.split()
            sources.append(tokens)
            outputs.append(apply_in_order(tokens, [Edit(edit.start, edit.end, (edit.correction,))]))
            changes.append(ChangedWords(number, range(edit.start, edit.end), range(edit.start, edit.start + len(words))))
        return ChangeTyper(self._tagger).classify(changes, sources, outputs)

    def _fit(self, name: str, edit: ItemEdit) -> str:
        """Choose a type that the gold of the task can have, as near to the guess as possible."""
        if self._is_errant or self._is_by_shape:
            shape = "Missing" if edit.start == edit.end else "Replacement" if edit.correction else "Unnecessary"
            candidates = [f"{_SHAPES[shape]}:OTHER" if self._is_errant else "" if self._known == {""} else shape]
        else:
            candidates = [*MEMBERS.get(name, (name,) if name else ()), _OTHERS]
        if not self._kept:
            return candidates[0]
        return next((candidate for candidate in candidates if candidate in self._kept), self._kept[0])


# --- Accepted items become gold: annotations are added that have them in place of the gold edits that they overlap.
#
# The gold's own annotations come first and stay as they are.  Then every gold annotation of the sentence gets one more for every choice
# of
# accepted items that can be made together.  An annotation whose edits exist already is left out.

_MOST_CHOICES = 256
"""The most annotations that the choices of one sentence add; of more choices only the smallest and the largest are taken."""
_LONGEST_LIST = 200

_Key = tuple[tuple[int, int, tuple[str, ...]], ...]


class _Composed(NamedTuple):
    """A gold with accepted items."""

    corpus: Corpus
    limited: tuple[int, ...]
    """The numbers of sentences with too many choices."""

    @property
    def note(self) -> str:
        """What is to be said of the gold, if anything."""
        if not self.limited:
            return ""
        listed = ", ".join(write_ranges(self.limited))
        shown = f": {listed}" if len(listed) <= _LONGEST_LIST else ""
        where = pluralise(len(self.limited), "sentence")
        return (
            f"the accepted proposals of {where} can be combined in more than {_MOST_CHOICES} ways{shown}, "
            "so there each proposal counts alone, and all that fit together"
        )


def compose(gold: Corpus, accepted: Mapping[int, Sequence[ItemEdits]], types: AnswerTypes) -> _Composed:
    """Add annotations with accepted items, by the numbers of their sentences."""
    types.prepare(_PlacedEdit(number - 1, edit) for number, items in accepted.items() for item in items for edit in item)
    names = [int(name) for name in gold.annotators if name.isdecimal()]
    first = max(names, default=int(FIRST_ANNOTATOR)) + 1
    sentences: list[Sentence] = []
    limited: list[int] = []
    for number, sentence in enumerate(gold, start=1):
        items = sorted(set(accepted.get(number, ())))
        if not items:
            sentences.append(sentence)
            continue
        choices, all_taken = _list_choices(items, _MOST_CHOICES // len(list_annotations(sentence)))
        if not all_taken:
            limited.append(number)
        sentences.append(_add_annotations(sentence, choices, first, partial(types.find, number - 1)))
    return _Composed(replace(gold, sentences=tuple(sentences)), tuple(limited))


def _list_choices(items: Sequence[ItemEdits], most: int) -> tuple[list[ItemEdits], bool]:
    """List what can be made together, small choices first, and whether that is all.

    If there are more than ``most``, each item is taken alone, and all that fit together, of those that do not the first.
    """
    found: list[tuple[int, ItemEdits]] = []
    for size, edits in _walk(items):
        found.append((size, edits))
        if len(found) > most:
            largest: ItemEdits = ()
            for item in items:
                if _fit(largest, item):
                    largest = _make_item_edits((*largest, *item))
            return list(dict.fromkeys((*items, largest))), False
    return list(dict.fromkeys(edits for _, edits in sorted(found))), True


def _walk(items: Sequence[ItemEdits]) -> Iterator[tuple[int, ItemEdits]]:
    """Yield all choices, with the number of their items; every choice begins with a smaller one, so few steps lead to each."""
    waiting: list[tuple[int, int, ItemEdits]] = [(0, 0, ())]
    while waiting:
        place, size, edits = waiting.pop()
        for index in range(place, len(items)):
            if _fit(edits, items[index]):
                together = _make_item_edits((*edits, *items[index]))
                yield size + 1, together
                waiting.append((index + 1, size + 1, together))


def _fit(edits: ItemEdits, more: ItemEdits) -> bool:
    """Whether edits can be made together; equal ones can."""
    return not any(one != other and spans_overlap(one.start, one.end, other.start, other.end) for one in edits for other in more)


def apply_item(
    sentence: Sentence, annotation: Annotation, edits: ItemEdits, find_type: Callable[[ItemEdit, Sequence[Edit]], str]
) -> tuple[Edit, ...]:
    """Make the edits of an annotation with an item in place of the gold edits that it overlaps.

    A gold edit that has a correction of the item stays as it is, with its other corrections.
    """
    made = [edit for edit in edits if not edit.leaves(sentence.tokens)]
    kept: list[Edit] = []
    replaced: list[Edit] = []
    present: set[ItemEdit] = set()
    for gold in annotation.edits:
        same = next((edit for edit in made if edit[:2] == (gold.start, gold.end) and edit.correction in gold.corrections), None)
        if same is not None:
            present.add(same)
            kept.append(gold)
        elif any(spans_overlap(gold.start, gold.end, edit.start, edit.end) for edit in edits):
            replaced.append(gold)
        else:
            kept.append(gold)
    new = [Edit(edit.start, edit.end, (edit.correction,), find_type(edit, replaced)) for edit in made if edit not in present]
    return tuple(sorted((*kept, *new), key=lambda edit: (edit.start, edit.end)))


def changes_gold(sentence: Sentence, edits: ItemEdits) -> bool:
    """Whether an item makes an annotation that the gold does not have."""
    annotations = list_annotations(sentence)
    known = {_key(annotation.edits) for annotation in annotations}
    return any(_key(apply_item(sentence, annotation, edits, lambda *_: "")) not in known for annotation in annotations)


def _add_annotations(
    sentence: Sentence, choices: Sequence[ItemEdits], first: int, find_type: Callable[[ItemEdit, Sequence[Edit]], str]
) -> Sentence:
    annotations = list(list_annotations(sentence))
    known = {_key(annotation.edits) for annotation in annotations}
    added: list[Annotation] = []
    for annotation in annotations:
        for choice in choices:
            edits = apply_item(sentence, annotation, choice, find_type)
            if (key := _key(edits)) not in known:
                known.add(key)
                added.append(Annotation(str(first + len(added)), edits))
    return replace(sentence, annotations=(*annotations, *added)) if added else sentence


def _key(edits: Sequence[Edit]) -> _Key:
    return tuple(sorted((edit.start, edit.end, edit.corrections) for edit in edits))
