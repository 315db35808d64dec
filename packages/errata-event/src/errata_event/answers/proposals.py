"""Proposals: which team proposed which item, by edits of its entry, a corrected sentence, or a file."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.corpus.corpus import Annotation, Corpus, Sentence, describe_other_source
from errata.corpus.tokenisation import find_tokeniser
from errata.corpus.unicode import normalise_tokens
from errata.display import printable
from errata.errors import FormatError, InputError, RequestError, pluralise
from errata.formats.lines import GivenFile, find_compression
from errata.formats.m2 import NONE, read_m2
from errata.formats.problems import CHANGES_NOTHING, AllProblems, Problem
from errata.metrics.registry import metric
from errata.metrics.views import ShowsEdits
from errata.scoring.edits import list_chosen_edits
from errata.scoring.evaluator import Evaluator
from errata.task.running import RefusalError
from errata_event import audit, contents
from errata_event.answers.items import (
    NO_PROPOSAL,
    AnswersPhase,
    Item,
    ItemEdit,
    apply_item,
    list_annotations,
    make_edits,
    make_key,
    spans_overlap,
    write_edits,
)
from errata_event.boards import list_entries
from errata_event.event import LOCK
from errata_event.instants import from_micros, to_micros
from errata_event.scoring import NamedBytes
from errata_event.submissions import LimitError, choose_entries, list_submissions
from errata_event.uploading import FILE_NAME, require_open

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import datetime

    from errata.corpus.texts import Tokens
    from errata.metrics.base import Metric
    from errata.metrics.views import JudgedEdit
    from errata.scoring.scores import Score
    from errata_event.accounts import Account
    from errata_event.answers.items import ItemEdits
    from errata_event.boards import Entry
    from errata_event.database import DatabaseTransaction
    from errata_event.definition import Phase
    from errata_event.event import Event, Moment


# The unmatched edits of a team's entry: the wrong ones, which it may hold to be right, and the gold edits that it missed.  They are those
# of the metric that ranks, if it shows edits; else those of MaxMatch.


class UnmatchedEdit(NamedTuple):
    """A wrong edit of an output, or a gold edit that it missed."""

    key: str
    """Names it in its sentence, for forms."""
    edit: JudgedEdit
    item: ItemEdits
    """What is proposed if it is chosen alone."""


class EntrySentence(NamedTuple):
    """A sentence of an output with its unmatched edits."""

    number: int
    tokens: Tokens
    """The source."""
    output: Tokens
    edits: list[JudgedEdit]
    """All edits, right ones included."""

    @property
    def unmatched(self) -> list[UnmatchedEdit]:
        return [
            UnmatchedEdit(_key(edit), edit, item)
            for edit in self.edits
            if edit.outcome != "right" and (item := _combine_edits(self.tokens, self.edits, [edit]))
        ]

    def choose(self, keys: Collection[str]) -> ItemEdits:
        """Make the edits of one item from those with these keys."""
        chosen = [edit for edit in self.edits if edit.outcome != "right" and _key(edit) in keys]
        if missing := next((key for key in keys if key not in {_key(edit) for edit in chosen}), None):
            raise RequestError(f"sentence {self.number:,} of the output has no such edit: {missing[:40]!r}")
        return _combine_edits(self.tokens, self.edits, chosen)


def _key(edit: JudgedEdit) -> str:
    return f"{edit.outcome}-{edit.start}-{edit.end}-{'' if edit.target_start is None else edit.target_start}"


def find_entry(event: Event, answers: AnswersPhase, team: Account) -> list[EntrySentence]:
    """List the sentences of a team's entry that have unmatched edits; none if the team has no entry that can be scored."""
    with event.database.read() as transaction:
        entry = choose_entries(list_submissions(transaction, answers.about.name, team.id)).get(team.id)
        if entry is None:
            return []
        content = contents.get(transaction, entry.sha256)
    return list(_read_output(answers, content, entry.sha256, team.name))


def _read_output(answers: AnswersPhase, content: bytes, sha256: str, name: str) -> Iterator[EntrySentence]:
    try:
        score = _find_score(answers, content, sha256, name)
    except RefusalError:
        return
    for index, edits in enumerate(list_chosen_edits(score)):
        if any(edit.outcome != "right" for edit in edits):
            yield EntrySentence(index + 1, answers.gold[index].tokens, score.system.sentences[index], edits)


def _find_score(answers: AnswersPhase, content: bytes, sha256: str, name: str) -> Score:
    ranking = answers.scorer.score(content, sha256, name)[0]
    if isinstance(ranking.output, ShowsEdits) and ranking.evidence.chosen is not None:
        return ranking
    return Evaluator(answers.gold, "maxmatch", warn=None)(ranking.system)


# A proposal of no team is one that was pooled from the unmatched edits of all teams.  A team that proposes the same twice has one proposal.
# It may withdraw it while the phase accepts proposals, and propose it again.  Withdrawn proposals count for the limit of the phase, as
# withdrawn submissions do, so the limit also bounds what is stored.

_MOST_EDITS = 200
"""The most edits of an item."""
_LONGEST_CORRECTION = 2_000
"""Characters of a correction."""
_SEPARATOR = "||"
"""M2, in which the gold is written, has no other way to separate corrections."""
_WITHDRAWN = "proposal withdrawn"
_MOST_WITHDRAWALS = 5_000
"""Of a team; each can be proposed again, and both are in the log for ever."""


class Proposal(NamedTuple):
    """An item that a team proposed."""

    item: Item
    at: datetime
    is_withdrawn: bool


class PlacedItem(NamedTuple):
    """The edits of an item to be proposed, and the number of its sentence."""

    sentence: int
    edits: ItemEdits


class ProposalQuota(NamedTuple):
    """What a team has used of a phase."""

    total: int
    per_phase: int

    @property
    def left(self) -> int | None:
        """How many proposals are left; None for any number."""
        return max(0, self.per_phase - self.total) if self.per_phase else None

    def require(self, new: int) -> None:
        """Raise unless so many new ones are left."""
        if new and self.left is not None and new > self.left:
            raise LimitError(
                f"this phase accepts {pluralise(self.per_phase, 'proposal')} of a team; {self.total:,} were made before, "
                f"and {new:,} would be new"
            )

    @classmethod
    def measure(cls, transaction: DatabaseTransaction, phase: Phase, team: int) -> ProposalQuota:
        """Count the proposals of a team in a phase, withdrawn ones included."""
        row = transaction.row(
            "SELECT count(*) FROM proposals p JOIN items i ON i.id = p.item WHERE p.team = ? AND i.phase = ?", team, phase.name
        )
        return cls(int(row[0]) if row is not None else 0, phase.per_phase)


class Sources(NamedTuple):
    """Where an item comes from."""

    teams: frozenset[int]
    """The teams whose proposal it is, and who have not withdrawn it."""
    is_pooled: bool


def _keep_proposals(event: Event, answers: AnswersPhase, team: Account, placed: Sequence[PlacedItem]) -> list[tuple[Proposal, bool]]:
    """Store the proposals of a team, all or none; return each with whether it is new.

    Raises if the phase is not open, or its limit would be passed.
    """
    kept: list[tuple[Proposal, bool]] = []
    changed = False
    with event.database.write(answers.lock, shared=LOCK) as transaction:
        moment = _require_proposing(event, transaction, answers, team)
        quota = ProposalQuota.measure(transaction, answers.phase, team.id)
        for sentence, edits in placed:
            id_ = _keep_item(transaction, answers.phase.name, sentence, edits, moment.now)
            done = _keep(transaction, id_, team.id, moment.now)
            changed = changed or done != "known"
            kept.append((Proposal(Item(id_, answers.phase.name, sentence, edits), moment.now, False), done == "new"))
        new = sum(is_new for _, is_new in kept)
        quota.require(new)  # else all is rolled back
        if changed:
            audit.record(transaction, moment.now, team.id, "answers proposed", phase=answers.phase.name, proposals=len(kept), new=new)
    return kept


def _keep(transaction: DatabaseTransaction, item: int, team: int | None, now: datetime) -> Literal["new", "again", "known"]:
    """Store a proposal, or take back its withdrawal; return whether it is new, or was withdrawn."""
    of_team, values = ("team IS NULL", (item,)) if team is None else ("team = ?", (item, team))
    row = transaction.row(f"SELECT id, withdrawn_at FROM proposals WHERE item = ? AND {of_team}", *values)  # noqa: S608 - constants
    if row is None:
        transaction.insert("INSERT INTO proposals (item, team, at) VALUES (?, ?, ?)", item, team, to_micros(now))
        return "new"
    if row[1] is None:
        return "known"
    transaction.run("UPDATE proposals SET withdrawn_at = NULL WHERE id = ?", row[0])
    return "again"


def withdraw_proposal(event: Event, answers: AnswersPhase, team: Account, item_id: int) -> None:
    """Withdraw the proposal of a team; the item stays if another team proposes it, or it was pooled."""
    with event.database.write(answers.lock, shared=LOCK) as transaction:
        moment = _require_proposing(event, transaction, answers, team)
        item = Item.find(transaction, answers.phase.name, item_id)
        row = transaction.row("SELECT id, withdrawn_at FROM proposals WHERE item = ? AND team = ?", item.id, team.id)
        if row is None:
            raise RequestError(NO_PROPOSAL)  # as if the item did not exist: others' proposals are not told
        if row[1] is None:
            done = transaction.row("SELECT count(*) FROM audit WHERE account = ? AND action = ?", team.id, _WITHDRAWN)
            if done is not None and done[0] >= _MOST_WITHDRAWALS:
                raise LimitError(f"a team can withdraw proposals {_MOST_WITHDRAWALS:,} times")
            transaction.run("UPDATE proposals SET withdrawn_at = ? WHERE id = ?", to_micros(moment.now), row[0])
            audit.record(transaction, moment.now, team.id, _WITHDRAWN, phase=answers.phase.name, item=item.id)


def _keep_pooled(transaction: DatabaseTransaction, phase: Phase, placed: Sequence[PlacedItem], now: datetime) -> int:
    """Make these the pooled proposals of a phase, and withdraw all others of no team; return how many are new."""
    ids = {_keep_item(transaction, phase.name, sentence, edits, now): None for sentence, edits in placed}
    new = sum(_keep(transaction, id_, None, now) == "new" for id_ in ids)
    query = (
        "SELECT p.id, p.item FROM proposals p JOIN items i ON i.id = p.item WHERE i.phase = ? AND p.team IS NULL AND p.withdrawn_at IS NULL"
    )
    for id_, item in transaction.rows(query, phase.name):
        if item not in ids:
            transaction.run("UPDATE proposals SET withdrawn_at = ? WHERE id = ?", to_micros(now), id_)
    return new


def list_proposals(transaction: DatabaseTransaction, phase: str, team: int) -> list[Proposal]:
    """List the proposals of a team, withdrawn ones included, by sentence."""
    rows = transaction.rows(
        "SELECT i.id, i.phase, i.sentence, i.edits, p.at, p.withdrawn_at FROM proposals p JOIN items i ON i.id = p.item "
        "WHERE i.phase = ? AND p.team = ? ORDER BY i.sentence, p.id",
        phase,
        team,
    )
    return [Proposal(Item.of_row(row), from_micros(row[4]), row[5] is not None) for row in rows]


def list_proposed_items(transaction: DatabaseTransaction, phase: str, sentence: int | None = None) -> dict[Item, Sources]:
    """List the items of a phase, or of one of its sentences, that somebody proposes, with where they come from, by sentence.

    This is for organisers and for golds: annotators must not see it.  Teams that were removed propose nothing, as they have no entry.
    """
    found: dict[Item, Sources] = {}
    of_sentence, values = ("", (phase,)) if sentence is None else ("AND i.sentence = ? ", (phase, sentence))
    rows = transaction.rows(
        "SELECT i.id, i.phase, i.sentence, i.edits, p.team FROM items i JOIN proposals p ON p.item = i.id "  # noqa: S608 - constants
        f"LEFT JOIN accounts a ON a.id = p.team WHERE i.phase = ? {of_sentence}AND p.withdrawn_at IS NULL AND a.disabled_at IS NULL "
        "ORDER BY i.sentence, i.id, p.id",
        *values,
    )
    known: dict[int, Item] = {}
    for row in rows:
        item = known.get(row[0]) or known.setdefault(row[0], Item.of_row(row))
        before = found.get(item, Sources(frozenset(), is_pooled=False))
        own = Sources(frozenset(), is_pooled=True) if row[4] is None else Sources(frozenset({int(row[4])}), is_pooled=False)
        found[item] = Sources(before.teams | own.teams, before.is_pooled or own.is_pooled)
    return found


def count_proposers(transaction: DatabaseTransaction, phase: str) -> dict[int, int]:
    """Count the proposals of each team that has some and has not withdrawn them; these teams are marked in tables."""
    rows = transaction.rows(
        "SELECT p.team, count(*) FROM accounts a JOIN proposals p ON p.team = a.id WHERE a.disabled_at IS NULL AND p.withdrawn_at IS NULL "
        "AND EXISTS (SELECT 1 FROM items i WHERE i.id = p.item AND i.phase = ?) GROUP BY p.team",
        phase,
    )
    return {int(team): int(count) for team, count in rows}


def _keep_item(transaction: DatabaseTransaction, phase: str, sentence: int, edits: ItemEdits, now: datetime) -> int:
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


def _require_proposing(event: Event, transaction: DatabaseTransaction, answers: AnswersPhase, team: Account) -> Moment:
    """Raise unless a team can propose answers now, or could when they arrived; return the moment."""
    if team.role != "team":
        raise RequestError("only teams propose alternative answers")
    team.require_admitted(transaction)
    moment = event.moment(transaction, answers.received_at)
    require_open(moment, answers.phase)
    return moment


# From a corrected sentence, or from some edits of an output, to the edits of an item.  A corrected sentence is compared by MaxMatch with
# each gold annotation.  The annotation with the most edits in common counts, the first of equals; but if one accepts the sentence as it
# is, nothing is proposed.  The item has the edits that are wrong against it, and says of missed gold edits that they are not needed.


def _compare_sentence(sentence: Sentence, corrected: Tokens) -> tuple[int, list[JudgedEdit]]:
    """Compare a corrected sentence with each gold annotation; return the index of the nearest, and the edits against it."""
    corpus = Corpus((Sentence(sentence.tokens, list_annotations(sentence)),))
    output = _maxmatch().scorer(corpus).prepare([corrected])
    if not isinstance(output, ShowsEdits):
        raise TypeError("MaxMatch must show edits")
    by_annotation = output.edits(0)

    def rate(index: int) -> tuple[bool, int, int]:
        edits = by_annotation[index]
        is_accepted = all(edit.outcome == "right" or _changes_nothing(edit) for edit in edits)
        return is_accepted, sum(edit.outcome == "right" for edit in edits), -index

    nearest = max(range(len(by_annotation)), key=rate)
    return nearest, by_annotation[nearest]


@cache
def _maxmatch() -> Metric:
    return metric("maxmatch")


def _changes_nothing(edit: JudgedEdit) -> bool:
    """Whether a gold edit changes nothing, as some do; such an edit is always missed."""
    return edit.outcome == "missed" and set(edit.corrections) == {edit.original}


def _find_item_edits(sentence: Sentence, corrected: Tokens) -> ItemEdits:
    """Turn a corrected sentence into the edits of an item; none if a gold annotation accepts it as it is."""
    _, judged = _compare_sentence(sentence, corrected)
    return _combine_edits(sentence.tokens, judged, [edit for edit in judged if edit.outcome != "right"])


def _spans_touch(start: int, end: int, other_start: int, other_end: int) -> bool:
    """Whether an insertion lies at an end of the other edit, so that each may have been meant instead of the other.

    >>> _spans_touch(1, 1, 1, 2), _spans_touch(1, 2, 2, 2), _spans_touch(1, 2, 2, 3)
    (True, True, False)
    """
    return (start == end or other_start == other_end) and start <= other_end and other_start <= end


def _combine_edits(tokens: Tokens, judged: Sequence[JudgedEdit], chosen: Sequence[JudgedEdit]) -> ItemEdits:
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
    return make_edits(made)


# Pooled items: every wrong edit of every team's entry, each an item of its own, whoever made it.  A table with the accepted ones favours no
# team, because annotators judge the edits of all.
# Entries are final when the phase of answers opens, because the phase that it is about has closed.  So they are pooled once, when somebody
# first asks.  They are pooled again only if the gold, the settings or the entries have changed, as when organisers correct the gold or
# remove a team: new items are added, and those that nobody makes any more are withdrawn.  Judgments stay, and nothing changes after
# publication.


class _Pool(NamedTuple):
    placed: list[PlacedItem]
    left_out: int
    """Edits that cannot be written into a gold."""


def ensure_pooled(event: Event, phase_name: str) -> None:
    """Pool the unmatched edits of all entries, if the phase does so, is open or being judged, and they are not pooled already."""
    with event.database.read() as transaction:
        moment = event.moment(transaction)
        phase = moment.definition.phase(phase_name)
        if not _is_asked(moment, phase) or _is_pooled(transaction, phase, _compute_state(event, transaction, moment, phase)):
            return
    answers = AnswersPhase.open(event, phase_name)
    with event.database.read() as transaction:
        moment = event.moment(transaction)
        entries = list_entries(transaction, answers.about.name, named=True)
        state = _compute_state(event, transaction, moment, phase)
        texts = [(entry, contents.get(transaction, entry.submission.sha256)) for entry in entries]
    pool = _collect(answers, texts)
    with event.database.write(answers.lock, shared=LOCK) as transaction:
        moment = event.moment(transaction)
        # Another process may have done the same meanwhile, or something may have changed; then the next who asks pools again.
        if (
            not _is_asked(moment, phase)
            or _compute_state(event, transaction, moment, phase) != state
            or _is_pooled(transaction, phase, state)
        ):
            return
        new = _keep_pooled(transaction, phase, pool.placed, moment.now)
        transaction.insert("INSERT INTO pools (phase, state, at) VALUES (?, ?, ?)", phase.name, state, to_micros(moment.now))
        audit.record(
            transaction,
            moment.now,
            None,
            "edits pooled",
            phase=phase.name,
            entries=len(entries),
            items=len(pool.placed),
            new=new,
            left_out=pool.left_out,
        )


def _is_asked(moment: Moment, phase: Phase) -> bool:
    about_is_open = phase.is_answers and moment.visibility.accepts(moment.definition.phase(phase.about))
    return phase.is_answers and phase.pool and moment.visibility.stage(phase) in {"open", "closed"} and not about_is_open


def _compute_state(event: Event, transaction: DatabaseTransaction, moment: Moment, phase: Phase) -> str:
    """Hash all that the pool depends on."""
    about = moment.definition.phase(phase.about)
    made_of = [
        event.newest_gold(transaction, about).sha256,
        moment.definition.settings_hash,
        sorted(entry.submission.sha256 for entry in list_entries(transaction, phase.about, named=True)),
    ]
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()


def _is_pooled(transaction: DatabaseTransaction, phase: Phase, state: str) -> bool:
    return transaction.row("SELECT state FROM pools WHERE phase = ? ORDER BY id DESC LIMIT 1", phase.name) == (state,)


def _collect(answers: AnswersPhase, texts: list[tuple[Entry, bytes]]) -> _Pool:
    """List every wrong edit that gold does not have, each once, by sentence."""
    found: dict[PlacedItem, None] = {}
    left_out = 0
    for entry, content in texts:
        for sentence in _read_output(answers, content, entry.submission.sha256, entry.name):
            for unmatched in sentence.unmatched:
                if unmatched.edit.outcome != "wrong" or not _changes_gold(answers.sentence(sentence.number), unmatched.item):
                    continue
                try:
                    _check_edits(sentence.tokens, unmatched.item)
                except RequestError:
                    left_out += 1
                    continue
                found[PlacedItem(sentence.number, unmatched.item)] = None
    return _Pool(sorted(found), left_out)


# Files of proposals: a text with one line for each sentence of the source, or M2 with the same sentences.
# In a text, a line that equals the source, or is empty, proposes nothing.  In M2, every annotation with edits is a proposal for its
# sentence; of an edit with several corrections, each further one makes a proposal of its own.  An annotation without edits proposes
# nothing, because tools write it for every sentence that was not changed; an edit whose correction is the source text proposes to leave
# the text as it is.
# Types are not read: gold has its own.
# All problems are listed with their lines, as ``errata check`` does.

_ProposalFormat = Literal["text", "m2"]
_M2_EDIT = re.compile(rb"^A -?\d+ -?\d+\|\|\|", re.MULTILINE)
_MOST_CORRECTIONS = 50
"""Corrections of one sentence, of all its annotations together; each may be a proposal, which somebody has to judge."""
_BEGINNING = 4
"""Bytes that say whether a file is compressed."""


class _CorrectedLine(NamedTuple):
    """A corrected sentence of a file."""

    number: int
    """The number of its sentence."""
    line: int
    tokens: Tokens


def _read_corrected_lines(
    answers: AnswersPhase,
    content: bytes,
    format: _ProposalFormat | None = None,  # noqa: A002 - the word users know
) -> tuple[list[_CorrectedLine], list[Problem]]:
    """Read the sentences that a file corrects, as far as it can be read, and all its problems.

    There are at most as many as the phase accepts proposals of a team, which may have been made already, and one more for each sentence,
    because the gold may accept many.
    """
    if find_compression(content[:_BEGINNING]) is not None:
        return [], [Problem(FILE_NAME, None, "error", "it is compressed; send the text itself")]
    if (format or _guess_format(content)) == "m2":
        return _read_m2(answers, content)
    return _read_text(answers, content)


def _guess_format(content: bytes) -> _ProposalFormat:
    return "m2" if content.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"S ") and _M2_EDIT.search(content) else "text"


def _read_text(answers: AnswersPhase, content: bytes) -> tuple[list[_CorrectedLine], list[Problem]]:
    """Read a text; lines that propose nothing are given the source, so that they are not taken for empty sentences."""
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    empty = {index for index, line in enumerate(lines[: len(answers.gold)]) if not line.strip()}
    filled = [answers.gold[index].text.encode() if index in empty else line for index, line in enumerate(lines)]
    checked = answers.scorer.check(b"".join(line + b"\n" for line in filled), FILE_NAME, source_only=False)
    if checked.errors:
        return [], checked.problems
    found = [
        _CorrectedLine(number, number, tokens)
        for number, (sentence, tokens) in enumerate(zip(answers.gold, checked.system.sentences, strict=True), start=1)
        if tokens != sentence.tokens
    ]
    return found, checked.problems


def _read_m2(answers: AnswersPhase, content: bytes) -> tuple[list[_CorrectedLine], list[Problem]]:
    problems = AllProblems(FILE_NAME)
    found: list[_CorrectedLine] = []
    most = (answers.phase.per_phase or _MOST_CORRECTIONS * len(answers.gold)) + len(answers.gold)
    read = 0
    unchanged: list[int] = []
    try:
        for line, sentence in read_m2(GivenFile.of(NamedBytes(content, FILE_NAME)), problems):
            read += 1
            if read > len(answers.gold):
                problems.error(line, f"more sentences than the {len(answers.gold):,} of the gold; the rest is not read")
                break
            if any(not annotation.edits for annotation in sentence.annotations) and _is_changed(answers.gold[read - 1]):
                unchanged.append(line)
            found += (
                _CorrectedLine(read, line, tokens) for tokens in _read_block(sentence, line, answers.gold[read - 1], answers, problems)
            )
            if len(found) > most:
                accepted = pluralise(answers.phase.per_phase, "proposal")
                problems.error(line, f"more than {most:,} corrections, and this phase accepts {accepted} of a team; the rest is not read")
                break
    except FormatError as error:
        problems.error(error.line, error.message)
    except InputError as error:
        problems.error(None, str(error).removeprefix(f"{FILE_NAME}: "))
    else:
        if read < len(answers.gold):
            problems.error(None, f"{pluralise(read, 'sentence')}, but the gold has {len(answers.gold):,}")
    if unchanged:
        where = pluralise(len(unchanged), "sentence")
        problems.warning(
            unchanged[0],
            f"in {where}, of which this is the first, an annotation has no edits where the gold has some, which proposes nothing; an edit "
            "whose correction is the source text proposes that nothing is wrong",
        )
    return found, [problem for problem in problems.found if problem.message != CHANGES_NOTHING]  # here it says something


def _read_block(sentence: Sentence, line: int, gold: Sentence, answers: AnswersPhase, problems: AllProblems) -> Iterator[Tokens]:
    """Yield the corrected sentences of a block of M2, or report what is wrong with it."""
    if normalise_tokens(sentence.tokens, answers.gold.unicode) != gold.tokens:
        problems.error(line, describe_other_source(gold.tokens, sentence.tokens))
        return
    if (count := sum(len(edit.corrections) for own in sentence.annotations for edit in own.edits)) > _MOST_CORRECTIONS:
        problems.error(line, f"a sentence has at most {_MOST_CORRECTIONS:,} corrections in a file of proposals, found {count:,}")
        return
    for annotation in sentence.annotations:
        if sentence.unapplied(annotation):
            problems.error(line, f"annotator {annotation.annotator} has edits that overlap; what is proposed must be one sentence")
        else:
            yield from _list_texts(sentence, annotation, answers)


def _is_changed(sentence: Sentence) -> bool:
    """Whether all gold annotators find something wrong."""
    return all(annotation.edits for annotation in list_annotations(sentence))


def _list_texts(sentence: Sentence, annotation: Annotation, answers: AnswersPhase) -> Iterator[Tokens]:
    """Yield the corrected sentence of an annotation, and one for each further correction of an edit; none without edits."""
    if not annotation.edits:
        return
    yield normalise_tokens(sentence.corrected(annotation), answers.gold.unicode)
    for index, edit in enumerate(annotation.edits):
        for correction in edit.corrections[1:]:
            edits = (*annotation.edits[:index], replace(edit, corrections=(correction,)), *annotation.edits[index + 1 :])
            yield normalise_tokens(sentence.corrected(replace(annotation, edits=edits)), answers.gold.unicode)


def _check_edits(tokens: Tokens, edits: ItemEdits) -> None:
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


def _changes_gold(sentence: Sentence, edits: ItemEdits) -> bool:
    """Whether an item makes an annotation that the gold does not have."""
    annotations = list_annotations(sentence)
    known = {make_key(annotation.edits) for annotation in annotations}
    return any(make_key(apply_item(sentence, annotation, edits, lambda *_: "")) not in known for annotation in annotations)


# There are three ways to propose alternative answers: edits of one's own entry, a corrected sentence, or a file.
# Whatever the way, what is proposed together is one item, and nothing is proposed that the gold has already.
# ``received_at`` is when all that a team sent had arrived; it may have waited since.

LONGEST_SENTENCE = 10_000
"""Characters of a corrected sentence in a form."""
_ACCEPTED = "the gold accepts this already"


class AcceptedError(RequestError):
    """What is proposed is right by the gold as it is."""

    def __init__(self) -> None:
        super().__init__(_ACCEPTED)


class _ProposalReceipt(NamedTuple):
    """The answer to a file of proposals."""

    proposals: list[tuple[Proposal, bool]]
    """What is proposed now, each with whether it is new; nothing if there is an error."""
    problems: list[Problem]

    @property
    def is_accepted(self) -> bool:
        return not any(problem.severity == "error" for problem in self.problems)


def propose_edits(
    event: Event, team: Account, phase_name: str, number: int, keys: Collection[str], received_at: datetime | None = None
) -> tuple[Proposal, bool]:
    """Propose unmatched edits of one sentence of the team's entry, named by their keys, as one item; also return whether it is new."""
    answers = AnswersPhase.open(event, phase_name, received_at)
    _require_open(event, answers, team)
    answers.sentence(number)
    sentence = next((own for own in find_entry(event, answers, team) if own.number == number), None)
    if sentence is None:
        raise RequestError(f"sentence {number:,} of the team's entry has no unmatched edits")
    return _propose(event, answers, team, number, sentence.choose(keys))


def propose_sentence(
    event: Event, team: Account, phase_name: str, number: int, text: str, received_at: datetime | None = None
) -> tuple[Proposal, bool]:
    """Propose a corrected sentence; also return whether it is new."""
    answers = AnswersPhase.open(event, phase_name, received_at)
    _require_open(event, answers, team)
    return _propose(event, answers, team, number, read_sentence(answers, number, text))


def propose_file(
    event: Event,
    team: Account,
    phase_name: str,
    content: bytes,
    format: _ProposalFormat | None = None,  # noqa: A002 - the word users know
    received_at: datetime | None = None,
) -> _ProposalReceipt:
    """Propose what a file has, all of it or nothing; what the gold has already is only warned of."""
    answers = AnswersPhase.open(event, phase_name, received_at)
    _require_open(event, answers, team)
    lines, problems = _read_corrected_lines(answers, content, format)
    placed: list[PlacedItem] = []
    for line in lines:
        sentence = answers.sentence(line.number)
        edits = _find_item_edits(sentence, line.tokens)
        try:
            if edits:
                _check_edits(sentence.tokens, edits)
        except RequestError as error:
            problems.append(Problem(FILE_NAME, line.line, "error", str(error)))
            continue
        if edits and _changes_gold(sentence, edits):
            placed.append(PlacedItem(line.number, edits))
        else:
            problems.append(Problem(FILE_NAME, line.line, "warning", f"{_ACCEPTED}, so it is no proposal"))
    problems.sort(key=lambda problem: problem.line or 0)
    if not placed and not any(problem.severity == "error" for problem in problems):
        problems.append(
            Problem(FILE_NAME, None, "error", "nothing is proposed: no sentence has a correction that the gold does not accept")
        )
    receipt = _ProposalReceipt([], problems)
    if receipt.is_accepted:
        _require_left(event, answers, team, placed)
    return receipt._replace(proposals=_keep_proposals(event, answers, team, placed)) if receipt.is_accepted else receipt


def _require_left(event: Event, answers: AnswersPhase, team: Account, placed: Collection[PlacedItem]) -> None:
    """Raise early if a file has more than is left, before others wait for its transaction; it is asked again there."""
    with event.database.read() as transaction:
        quota = ProposalQuota.measure(transaction, answers.phase, team.id)
        known = {PlacedItem(own.item.sentence, own.item.edits) for own in list_proposals(transaction, answers.phase.name, team.id)}
    quota.require(len({*placed} - known))


def read_sentence(answers: AnswersPhase, number: int, text: str) -> ItemEdits:
    """Turn a corrected sentence, tokenised as outputs are, into the edits of an item; raise if it cannot be one."""
    sentence = answers.sentence(number)
    edits = _find_item_edits(sentence, _tokenise(answers, sentence.tokens, text))
    if not edits or not _changes_gold(sentence, edits):
        raise AcceptedError
    _check_edits(sentence.tokens, edits)
    return edits


def _tokenise(answers: AnswersPhase, source: Tokens, text: str) -> Tokens:
    if len(text) > LONGEST_SENTENCE:
        raise RequestError(f"a corrected sentence has at most {LONGEST_SENTENCE:,} characters, found {len(text):,}")
    tokens = normalise_tokens(tuple(text.split()), answers.gold.unicode)
    if bad := next((token for token in tokens if printable(token) != token and token not in source), None):
        raise RequestError(f"a sentence has no control characters and no invisible ones, found '{printable(bad)[:40]}'")
    return find_tokeniser(answers.scorer.task.tokenise, answers.gold)(" ".join(tokens), source)


def _propose(event: Event, answers: AnswersPhase, team: Account, number: int, edits: ItemEdits) -> tuple[Proposal, bool]:
    sentence = answers.sentence(number)
    _check_edits(sentence.tokens, edits)
    if not _changes_gold(sentence, edits):
        raise AcceptedError
    return _keep_proposals(event, answers, team, [PlacedItem(number, edits)])[0]


def _require_open(event: Event, answers: AnswersPhase, team: Account) -> None:
    """Raise early, before anything is computed; it is asked again in the transaction that stores."""
    with event.database.read() as transaction:
        _require_proposing(event, transaction, answers, team)
