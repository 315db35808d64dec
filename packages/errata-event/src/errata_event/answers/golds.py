"""Accepted items become gold: of what teams proposed, and of all items, those from the unmatched edits of all teams included.

These golds follow from the gold, the proposals and the judgments, so they are the same whenever they are made.
They are made once when a phase of alternative answers is published, by a decision or because its instant has passed.
Then they change only if the gold is corrected or a team is removed.  Organisers can make them before, to look at the tables.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import FIRST_ANNOTATOR, Annotation, Corpus, Edit, Sentence
from errata.corpus.texts import write_ranges
from errata.errors import pluralise
from errata.language.types import MEMBERS, ChangedWords, ChangeTyper, has_errant_types
from errata_event import golds
from errata_event.accounts import list_removed
from errata_event.answers.items import AnswersPhase, apply_item, list_annotations, make_edits, make_key, spans_overlap
from errata_event.answers.judging import Decision, decide, list_judgments
from errata_event.answers.proposals import list_proposed_items
from errata_event.boards import list_entries, score_entries
from errata_event.event import LOCK
from errata_event.golds import GoldVariant, GoldVersion, add_version, write_m2
from errata_event.instants import to_micros
from errata_event.scoring import PhaseScorer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from errata.language.tagging import Tagger
    from errata.task.tables import TaskTable
    from errata_event.answers.items import Item, ItemEdit, ItemEdits
    from errata_event.answers.proposals import Sources
    from errata_event.database import DatabaseTransaction
    from errata_event.definition import EventDefinition, Phase
    from errata_event.event import Event, Moment

_SETTLED = timedelta(minutes=10)
"""So long after publication what arrived before it may still be stored; a request takes five minutes at most."""
_SECONDS = 2.0
"""How long golds are known to be made until then."""
_RULES = 1
"""Raised when the same judgments make another gold than before."""


class _Judged(NamedTuple):
    item: Item
    sources: Sources
    decision: Decision


def _make_answer_golds(event: Event, phase_name: str) -> list[GoldVersion]:
    """Make the golds with accepted answers of a phase as they are now, unless they are made; return them.

    What is undecided is not accepted.
    """
    answers = AnswersPhase.open(event, phase_name)
    with event.database.read() as transaction:
        state = _compute_state(transaction, answers.definition, answers.phase, answers.version)
        made = _write_golds(transaction, answers)
    with event.database.write(answers.lock, shared=LOCK) as transaction:
        now_state = _compute_state(transaction, answers.definition, answers.phase, answers.version)
        if now_state != state:  # somebody judged meanwhile
            state = now_state
            made = _write_golds(transaction, answers)
        now = event.clock()
        versions = [add_version(transaction, answers.about.name, variant, m2, now, reason)[0] for variant, (m2, reason) in made.items()]
        if _find_state(transaction, answers.phase) != state:
            transaction.insert("INSERT INTO answer_golds (phase, state, at) VALUES (?, ?, ?)", answers.phase.name, state, to_micros(now))
    return versions


def _write_golds(transaction: DatabaseTransaction, answers: AnswersPhase) -> dict[GoldVariant, tuple[bytes, str]]:
    """Write the golds with accepted answers as they are now, as M2, each with what it was made of."""
    judged = _list_judged(transaction, answers.phase)
    return {variant: _make(answers, [own for own in judged if _belongs(own, variant)]) for variant in _list_variants(answers.phase)}


def ensure_answer_golds(event: Event, phase: Phase) -> None:
    """Make the golds with accepted answers of a phase with submissions, if its answers are published and they are not made."""
    answers = _find_unmade(event, phase)
    if answers is not None:
        _make_answer_golds(event, answers.name)


def _find_unmade(event: Event, phase: Phase) -> Phase | None:
    """Find the phase of answers about a phase with submissions, if it is published and its golds are not made.

    Every reader of a board asks, so once they are made only what can change later is looked at: gold, definition, and who was removed.
    """
    with event.database.read() as transaction:
        moment = event.moment(transaction)
        answers = moment.definition.answers_about(phase)
        if answers is None or moment.visibility.stage(answers) != "published":
            return None
        version = golds.find_newest(transaction, phase.name)
        published = moment.visibility.published(answers)
        if version is None or published is None:
            return None
        changing = (version.id, moment.definition.sha256, published, frozenset(list_removed(transaction)))
        if event.made_golds.get(phase.name) == changing:
            return None
        if _find_state(transaction, answers) != _compute_state(transaction, moment.definition, answers, version):
            return answers
    event.made_golds.put(phase.name, changing, ttl=math.inf if moment.now - published >= _SETTLED else _SECONDS)
    return None


def list_golds(event: Event, moment: Moment, phase: Phase, until: float) -> tuple[list[GoldVersion], bool]:
    """List the golds of a phase; also return whether those with accepted answers are still pending.

    They are waited for until an instant of :meth:`errata_event.caching.Maker.wait_until`.
    """
    is_pending = False
    if (unmade := _find_unmade(event, phase)) is not None:
        event.maker.make(("golds", unmade.name), lambda: _make_answer_golds(event, unmade.name), until)
        is_pending = _find_unmade(event, phase) is not None
    answers = moment.definition.answers_about(phase)
    variants = ["gold", "given", *(_list_variants(answers) if answers is not None else [])]
    with event.database.read() as transaction:
        listed = [version for version in golds.list_gold_versions(transaction, phase.name) if version.variant in variants]
    return listed, is_pending


def _list_variants(phase: Phase) -> list[GoldVariant]:
    phase.require_answers()
    return ["proposed", "pooled"] if phase.pool else ["proposed"]


def _belongs(judged: _Judged, variant: GoldVariant) -> bool:
    """Whether an item counts for a variant: with those of teams, pooled ones do not."""
    return variant == "pooled" or bool(judged.sources.teams)


def _list_judged(transaction: DatabaseTransaction, phase: Phase) -> list[_Judged]:
    judgments = list_judgments(transaction, phase.name)
    return [
        _Judged(item, sources, decide(item, judgments.get(item.id, []), phase.judges))
        for item, sources in list_proposed_items(transaction, phase.name).items()
    ]


def _make(answers: AnswersPhase, judged: Iterable[_Judged]) -> tuple[bytes, str]:
    """Write a gold with what was accepted, and say what it was made of."""
    accepted: dict[int, list[ItemEdits]] = {}
    counts: Counter[str] = Counter()
    for own in judged:
        counts[own.decision.status] += 1
        if own.decision.status == "accepted":
            accepted.setdefault(own.item.sentence, []).append(own.decision.edits)
    types = _AnswerTypes(answers.gold, answers.scorer.prepared.tagger, answers.scorer.task.types)
    composed = _compose(answers.gold, accepted, types)
    undecided = counts["undecided"] + counts["disputed"]
    reason = (
        f"made of version {answers.version.number} of the gold: {pluralise(counts.total(), 'proposal')}, "
        f"{counts['accepted']:,} accepted, {counts['rejected']:,} rejected, {undecided:,} undecided"
    )
    return write_m2(composed.corpus), f"{reason}; {composed.note}" if composed.note else reason


def _compute_state(transaction: DatabaseTransaction, definition: EventDefinition, phase: Phase, version: GoldVersion) -> str:
    """Hash all that the golds depend on, by the numbers of rows that are only added."""
    judged = transaction.row("SELECT coalesce(max(j.id), 0) FROM judgments j JOIN items i ON i.id = j.item WHERE i.phase = ?", phase.name)
    proposed = transaction.rows(
        "SELECT p.id FROM proposals p JOIN items i ON i.id = p.item LEFT JOIN accounts a ON a.id = p.team "
        "WHERE i.phase = ? AND p.withdrawn_at IS NULL AND a.disabled_at IS NULL ORDER BY p.id",
        phase.name,
    )
    types = [definition.settings.get(key) for key in ("types", "tagger")]  # which accepted edits get
    made_of = [_RULES, version.sha256, phase.judges, phase.pool, types, judged, [id_ for (id_,) in proposed]]
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()


def _find_state(transaction: DatabaseTransaction, phase: Phase) -> str:
    row = transaction.row("SELECT state FROM answer_golds WHERE phase = ? ORDER BY id DESC LIMIT 1", phase.name)
    return str(row[0]) if row is not None else ""


_NO_ID = 0
"""No version of a gold has this number, so no score that is kept is taken for one of a preview."""


class AnswerPreview(NamedTuple):
    """The tables with one variant of the gold."""

    variant: GoldVariant
    reason: str
    """What the gold is made of."""
    tables: dict[str, TaskTable]
    """None without a team that can be scored."""


def preview_tables(event: Event, phase_name: str) -> list[AnswerPreview]:
    """Make the tables with what is accepted so far, as they would be now; nothing of them is kept."""
    answers = AnswersPhase.open(event, phase_name)
    with event.database.read() as transaction:
        written = _write_golds(transaction, answers)
        entries = list_entries(transaction, answers.about.name, named=True)
        now = event.moment(transaction).now
    previews: list[AnswerPreview] = []
    for variant, (m2, reason) in written.items():
        version = GoldVersion(_NO_ID, answers.about.name, variant, 1, hashlib.sha256(m2).hexdigest(), now, reason)
        scorer = PhaseScorer(answers.definition, answers.about, version, m2)
        previews.append(AnswerPreview(variant, reason, score_entries(event, scorer, entries).make_tables(scorer)))
    return previews


# Accepted items become gold: annotations are added that have them in place of the gold edits that they overlap.  The gold's own
# annotations come first and stay as they are.  Then every gold annotation of the sentence gets one more for every choice of accepted items
# that can be made together.  An annotation whose edits exist already is left out.

_MOST_CHOICES = 256
"""The most annotations that the choices of one sentence add; of more choices only the smallest and the largest are taken."""
_LONGEST_LIST = 200


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


def _compose(gold: Corpus, accepted: Mapping[int, Sequence[ItemEdits]], types: _AnswerTypes) -> _Composed:
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
                    largest = make_edits((*largest, *item))
            return list(dict.fromkeys((*items, largest))), False
    return list(dict.fromkeys(edits for _, edits in sorted(found))), True


def _walk(items: Sequence[ItemEdits]) -> Iterator[tuple[int, ItemEdits]]:
    """Yield all choices, with the number of their items; every choice begins with a smaller one, so few steps lead to each."""
    waiting: list[tuple[int, int, ItemEdits]] = [(0, 0, ())]
    while waiting:
        place, size, edits = waiting.pop()
        for index in range(place, len(items)):
            if _fit(edits, items[index]):
                together = make_edits((*edits, *items[index]))
                yield size + 1, together
                waiting.append((index + 1, size + 1, together))


def _fit(edits: ItemEdits, more: ItemEdits) -> bool:
    """Whether edits can be made together; equal ones can."""
    return not any(one != other and spans_overlap(one.start, one.end, other.start, other.end) for one in edits for other in more)


def _add_annotations(
    sentence: Sentence, choices: Sequence[ItemEdits], first: int, find_type: Callable[[ItemEdit, Sequence[Edit]], str]
) -> Sentence:
    annotations = list(list_annotations(sentence))
    known = {make_key(annotation.edits) for annotation in annotations}
    added: list[Annotation] = []
    for annotation in annotations:
        for choice in choices:
            edits = apply_item(sentence, annotation, choice, find_type)
            if (key := make_key(edits)) not in known:
                known.add(key)
                added.append(Annotation(str(first + len(added)), edits))
    return replace(sentence, annotations=(*annotations, *added)) if added else sentence


_OTHERS = "Others"
_SHAPES = {"Missing": "M", "Unnecessary": "U", "Replacement": "R"}
"""Types of edits that were found by comparing texts, and the letters with which ERRANT's types begin."""


class _PlacedEdit(NamedTuple):
    """An accepted edit, and the index of its sentence in the gold."""

    sentence: int
    edit: ItemEdit


class _AnswerTypes:
    """Gives accepted edits their types: that of the first gold edit that they replace; else what rules say; else that of other errors.

    Gold keeps one kind of types: an accepted edit in a gold of ERRANT's types, or of types that only say what is missing, gets such a
    type too.
    """

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
            outputs.append((*tokens[: edit.start], *words, *tokens[edit.end :]))
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
