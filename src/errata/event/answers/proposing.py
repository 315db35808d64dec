"""The three ways to propose alternative answers: edits of one's own entry, a corrected sentence, or a file.

Whatever the way, what is proposed together is one item, and nothing is proposed that the gold has already.
``received_at`` is when all that a team sent had arrived; it may have waited since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.tokenisation import find_tokeniser
from errata.corpus.unicode import normalise_tokens
from errata.errors import RequestError
from errata.event.answers.answer_phases import open_answers, require_proposing
from errata.event.answers.composing import changes_gold
from errata.event.answers.corrected_sentences import find_item_edits
from errata.event.answers.entry_edits import find_entry
from errata.event.answers.items import check_edits
from errata.event.answers.proposal_files import read_corrected_lines
from errata.event.answers.proposals import PlacedItem, keep_proposals, list_proposals, measure_proposal_quota
from errata.event.uploading import FILE_NAME
from errata.formats import Problem
from errata.html import printable

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from errata.corpus.texts import Tokens
    from errata.event.accounts import Account
    from errata.event.answers.answer_phases import AnswersPhase
    from errata.event.answers.items import ItemEdits
    from errata.event.answers.proposal_files import ProposalFormat
    from errata.event.answers.proposals import Proposal
    from errata.event.event import Event

LONGEST_SENTENCE = 10_000
"""Characters of a corrected sentence in a form."""
_ACCEPTED = "the gold accepts this already"


class AcceptedError(RequestError):
    """What is proposed is right by the gold as it is."""

    def __init__(self) -> None:
        super().__init__(_ACCEPTED)


class ProposalReceipt(NamedTuple):
    """The answer to a file of proposals."""

    proposals: list[tuple[Proposal, bool]]
    """What is proposed now, each with whether it is new; nothing if there is an error."""
    problems: list[Problem]

    @property
    def is_accepted(self) -> bool:
        """Whether there is no error."""
        return not any(problem.severity == "error" for problem in self.problems)


def propose_edits(
    event: Event, team: Account, phase_name: str, number: int, keys: Collection[str], received_at: datetime | None = None
) -> tuple[Proposal, bool]:
    """Propose unmatched edits of one sentence of the team's entry, named by their keys, as one item; also return whether it is new."""
    answers = open_answers(event, phase_name, received_at)
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
    answers = open_answers(event, phase_name, received_at)
    _require_open(event, answers, team)
    return _propose(event, answers, team, number, read_sentence(answers, number, text))


def propose_file(
    event: Event,
    team: Account,
    phase_name: str,
    content: bytes,
    format: ProposalFormat | None = None,  # noqa: A002 - the word users know
    received_at: datetime | None = None,
) -> ProposalReceipt:
    """Propose what a file has, all of it or nothing; what the gold has already is only warned of."""
    answers = open_answers(event, phase_name, received_at)
    _require_open(event, answers, team)
    lines, problems = read_corrected_lines(answers, content, format)
    placed: list[PlacedItem] = []
    for line in lines:
        sentence = answers.sentence(line.number)
        edits = find_item_edits(sentence, line.tokens)
        try:
            if edits:
                check_edits(sentence.tokens, edits)
        except RequestError as error:
            problems.append(Problem(FILE_NAME, line.line, "error", str(error)))
            continue
        if edits and changes_gold(sentence, edits):
            placed.append(PlacedItem(line.number, edits))
        else:
            problems.append(Problem(FILE_NAME, line.line, "warning", f"{_ACCEPTED}, so it is no proposal"))
    problems.sort(key=lambda problem: problem.line or 0)
    if not placed and not any(problem.severity == "error" for problem in problems):
        problems.append(
            Problem(FILE_NAME, None, "error", "nothing is proposed: no sentence has a correction that the gold does not accept")
        )
    receipt = ProposalReceipt([], problems)
    if receipt.is_accepted:
        _require_left(event, answers, team, placed)
    return receipt._replace(proposals=keep_proposals(event, answers, team, placed)) if receipt.is_accepted else receipt


def _require_left(event: Event, answers: AnswersPhase, team: Account, placed: Collection[PlacedItem]) -> None:
    """Raise early if a file has more than is left, before others wait for its transaction; it is asked again there."""
    with event.database.read() as transaction:
        quota = measure_proposal_quota(transaction, answers.phase, team.id)
        known = {PlacedItem(own.item.sentence, own.item.edits) for own in list_proposals(transaction, answers.phase.name, team.id)}
    quota.require(len({*placed} - known))


def read_sentence(answers: AnswersPhase, number: int, text: str) -> ItemEdits:
    """Turn a corrected sentence, tokenised as outputs are, into the edits of an item; raise if it cannot be one."""
    sentence = answers.sentence(number)
    edits = find_item_edits(sentence, _tokenise(answers, sentence.tokens, text))
    if not edits or not changes_gold(sentence, edits):
        raise AcceptedError
    check_edits(sentence.tokens, edits)
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
    check_edits(sentence.tokens, edits)
    if not changes_gold(sentence, edits):
        raise AcceptedError
    return keep_proposals(event, answers, team, [PlacedItem(number, edits)])[0]


def _require_open(event: Event, answers: AnswersPhase, team: Account) -> None:
    """Raise early, before anything is computed; it is asked again in the transaction that stores."""
    with event.database.read() as transaction:
        require_proposing(event, transaction, answers, team)
