"""The unmatched edits of a team's entry: the wrong ones, which it may hold to be right, and the gold edits that it missed.

They are those of the metric that ranks, if it shows edits; else those of MaxMatch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError
from errata.event import contents
from errata.event.answers.corrected_sentences import combine_edits
from errata.event.submissions import choose_entries, list_submissions
from errata.metrics.views import ShowsEdits
from errata.scoring import Evaluator
from errata.scoring.edits import list_chosen_edits
from errata.task.preparation import RefusalError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from errata.corpus.texts import Tokens
    from errata.event.accounts import Account
    from errata.event.answers.answer_phases import AnswersPhase
    from errata.event.answers.items import ItemEdits
    from errata.event.event import Event
    from errata.metrics.views import JudgedEdit
    from errata.scoring import Score


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
        """The edits that can be proposed."""
        return [
            UnmatchedEdit(_key(edit), edit, item)
            for edit in self.edits
            if edit.outcome != "right" and (item := combine_edits(self.tokens, self.edits, [edit]))
        ]

    def choose(self, keys: Collection[str]) -> ItemEdits:
        """Make the edits of one item from those with these keys."""
        chosen = [edit for edit in self.edits if edit.outcome != "right" and _key(edit) in keys]
        if missing := next((key for key in keys if key not in {_key(edit) for edit in chosen}), None):
            raise RequestError(f"sentence {self.number:,} of the output has no such edit: {missing[:40]!r}")
        return combine_edits(self.tokens, self.edits, chosen)


def _key(edit: JudgedEdit) -> str:
    return f"{edit.outcome}-{edit.start}-{edit.end}-{'' if edit.target_start is None else edit.target_start}"


def find_entry(event: Event, answers: AnswersPhase, team: Account) -> list[EntrySentence]:
    """List the sentences of a team's entry that have unmatched edits; none if the team has no entry that can be scored."""
    with event.database.read() as transaction:
        entry = choose_entries(list_submissions(transaction, answers.about.name, team.id)).get(team.id)
        if entry is None:
            return []
        content = contents.get(transaction, entry.sha256)
    return list(read_output(answers, content, entry.sha256, team.name))


def read_output(answers: AnswersPhase, content: bytes, sha256: str, name: str) -> Iterator[EntrySentence]:
    """Yield the sentences of an output that have unmatched edits."""
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
