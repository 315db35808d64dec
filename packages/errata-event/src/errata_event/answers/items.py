"""Items: what annotators judge when alternative answers are proposed, and the phases that they are about."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from errata.corpus.corpus import FIRST_ANNOTATOR, Annotation, Corpus, Edit, Sentence, list_applied
from errata.errors import RequestError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from errata.corpus.texts import Tokens
    from errata_event.database import DatabaseTransaction
    from errata_event.definition import EventDefinition, Phase
    from errata_event.event import Event
    from errata_event.golds import GoldVersion
    from errata_event.scoring import PhaseScorer


_SegmentKind = Literal["unchanged", "deleted", "inserted"]


class Segment(NamedTuple):
    """Words of a sentence, with single spaces between them."""

    kind: _SegmentKind
    text: str


class MarkedSentence(NamedTuple):
    """A sentence and how it came from the source, so that source, gold and proposals can be shown side by side."""

    segments: tuple[Segment, ...]

    @classmethod
    def of(cls, tokens: Tokens, edits: Sequence[Edit]) -> MarkedSentence:
        """Show what edits make of a sentence, with the first correction of each.

        >>> from errata.corpus.corpus import Edit
        >>> shown = MarkedSentence.of(("I", "likes", "cake"), [Edit(1, 2, ("like",)), Edit(3, 3, ("too",))])
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
        return cls(tuple(segments))

    @property
    def text(self) -> str:
        """The sentence after its corrections."""
        return " ".join(segment.text for segment in self.segments if segment.kind != "deleted")


# An item is a sentence and a set of edits that are right in place of the gold edits that they overlap.  What is proposed together is one
# item, and is judged together.  An edit whose correction equals the source text of its span says "leave this as it is": it only removes
# the gold edits that it overlaps.  Equal items, whoever proposes them, are one.


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


_KEY_DIGITS = 16
_KEY = re.compile(rf"([1-9][0-9]{{0,8}})-([0-9a-f]{{{_KEY_DIGITS}}})")
NO_PROPOSAL = "there is no such proposal"


class Item(NamedTuple):
    """What was proposed, without who proposed it."""

    id: int
    phase: str
    """The phase of alternative answers."""
    sentence: int
    """Its number, from 1."""
    edits: ItemEdits

    @classmethod
    def of_row(cls, row: tuple[Any, ...]) -> Item:
        """Make an item of the columns ``id, phase, sentence, edits``."""
        return cls(int(row[0]), row[1], int(row[2]), read_edits(row[3]))

    @classmethod
    def find(cls, transaction: DatabaseTransaction, phase: str, id_: int) -> Item:
        row = transaction.row("SELECT id, phase, sentence, edits FROM items WHERE id = ? AND phase = ?", id_, phase)
        if row is None:
            raise RequestError(NO_PROPOSAL)
        return cls.of_row(row)

    @classmethod
    def find_by_key(cls, transaction: DatabaseTransaction, phase: str, key: str) -> Item:
        if match := _KEY.fullmatch(key):
            query = "SELECT id, phase, sentence, edits, sha256 FROM items WHERE phase = ? AND sentence = ?"
            for *columns, sha256 in transaction.rows(query, phase, int(match[1])):
                if sha256.startswith(match[2]):
                    return cls.of_row(tuple(columns))
        raise RequestError(NO_PROPOSAL)

    @property
    def key(self) -> str:
        """Its name in addresses and forms, by what it proposes: it says nothing about who proposed first, nor how many did.

        >>> Item(7, "answers", 12, (ItemEdit(1, 2, "likes"),)).key
        '12-da553551f25a43ab'
        """
        return f"{self.sentence}-{hashlib.sha256(write_edits(self.edits).encode()).hexdigest()[:_KEY_DIGITS]}"


def spans_overlap(start: int, end: int, other_start: int, other_end: int) -> bool:
    """Whether two edits cannot both be made: they change the same token, one inserts inside the other, or both insert at the same place.

    >>> spans_overlap(1, 3, 2, 4), spans_overlap(1, 1, 1, 1), spans_overlap(1, 1, 1, 2), spans_overlap(2, 2, 1, 3)
    (True, True, False, True)
    """
    if start == end and other_start == other_end:
        return start == other_start
    return start < other_end and other_start < end


def make_edits(edits: Iterable[tuple[int, int, str]]) -> ItemEdits:
    """Bring edits into the one order that equal items have."""
    return tuple(sorted({ItemEdit(*edit) for edit in edits}))


def write_edits(edits: ItemEdits) -> str:
    """Write edits as JSON; equal edits are equal texts."""
    return json.dumps([list(edit) for edit in edits], ensure_ascii=False, separators=(",", ":"))


def read_edits(text: str) -> ItemEdits:
    """Read what :func:`write_edits` wrote."""
    return tuple(ItemEdit(*edit) for edit in json.loads(text)) if text else ()


class AnswersPhase(NamedTuple):
    """A phase of alternative answers, with the gold that it is about."""

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
    def lock(self) -> str:
        """The lock under which proposals and judgments are stored, so that what they depend on does not change meanwhile."""
        return f"answers {self.phase.name}"

    @property
    def gold(self) -> Corpus:
        """The sentences with their annotations."""
        return self.scorer.gold

    def sentence(self, number: int) -> Sentence:
        """The sentence of a number, from 1."""
        if not 1 <= number <= len(self.gold):
            raise UsageError(f"sentences are numbered from 1 to {len(self.gold):,}, found {number}")
        return self.gold[number - 1]

    @classmethod
    def open(cls, event: Event, phase_name: str, received_at: datetime | None = None) -> AnswersPhase:
        """Find a phase of alternative answers, and prepare its gold.

        Must not be called inside a transaction that writes, because it opens one that reads.
        """
        with event.database.read() as transaction:
            moment = event.moment(transaction)
            phase = moment.definition.phase(phase_name)
            phase.require_answers()
            about = moment.definition.phase(phase.about)
            version = event.newest_gold(transaction, about)
        return cls(moment.definition, phase, about, version, event.scorer(version, moment.definition), received_at)


def list_annotations(sentence: Sentence) -> tuple[Annotation, ...]:
    """List the annotations of a sentence; one without any is correct according to the first annotator."""
    return sentence.annotations or (Annotation(FIRST_ANNOTATOR),)


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


def make_key(edits: Sequence[Edit]) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
    """Make what equal annotations have in common: their edits without types."""
    return tuple(sorted((edit.start, edit.end, edit.corrections) for edit in edits))
