"""The whole event as a folder, from which ``errata task run`` gives the tables of the site again.

Everything is of one moment: what is accepted while the folder is written is not in it.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError
from errata.event import accounts, audit
from errata.event.accounts import ACCOUNT_ROLES, Account
from errata.event.aliases import list_aliases
from errata.event.answers.golds import ensure_answer_golds
from errata.event.export_answers import AnswersState, read_answers, write_answers
from errata.event.export_lists import make_accounts_table, make_audit_table
from errata.event.export_phase import PhaseExport, PhaseState, read_phase
from errata.event.export_readme import write_readme
from errata.event.new_folder import refuse_used_folder, writing_new_folder
from errata.report.charts.drawing import DrawingProcess
from errata.report.page.data import watch_nothing
from errata.report.writers import csv

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.event.audit import AuditLine
    from errata.event.database import DatabaseTransaction
    from errata.event.event import Event, Moment
    from errata.report.page.data import Watch


class EventState(NamedTuple):
    """What an event had at one moment."""

    moment: Moment
    accounts: list[Account]
    removed: set[int]
    aliases: dict[str, dict[int, str]]
    """What the anonymous board of each phase with submissions calls a team."""
    phases: list[PhaseState]
    """Those with submissions."""
    answers: list[AnswersState]
    """Those of alternative answers."""
    log: list[AuditLine]


def read_event(transaction: DatabaseTransaction, event: Event) -> EventState:
    """Read the state of an event, without what is stored by its hash."""
    moment = event.moment(transaction)
    teams = accounts.list_accounts(transaction, "team")
    return EventState(
        moment,
        [account for role in ACCOUNT_ROLES for account in accounts.list_accounts(transaction, role)],
        accounts.list_removed(transaction),
        {phase.name: list_aliases(transaction, phase.name, teams) for phase in moment.definition.phases if not phase.is_answers},
        [read_phase(transaction, phase) for phase in moment.definition.phases if not phase.is_answers],
        [read_answers(transaction, phase) for phase in moment.definition.phases if phase.is_answers],
        audit.read_log(transaction),
    )


def export_event(
    event: Event, path: str, watch: Watch = watch_nothing, warn: Callable[[str], None] = lambda _: None, *, draw: bool = True
) -> list[str]:
    """Write an event into a folder that does not exist yet, or is empty; all files or none.  Return their names.

    ``warn`` is told of tables that cannot be made; everything else is written then.
    ``draw`` says whether pages have charts, as they have if ``errata task run`` writes them.
    """
    refuse_used_folder(path)
    for phase in event.moment().definition.phases:
        if not phase.is_answers:
            ensure_answer_golds(event, phase)
    with event.database.read() as transaction:
        state = read_event(transaction, event)
    definition = state.moment.definition
    known = {account.id: account for account in state.accounts}
    teams = {account.id: account.name for account in state.accounts if account.role == "team"}
    with writing_new_folder(path) as folder:
        has_entries = any(phase.entries for phase in state.phases)
        with DrawingProcess() if draw and has_entries else nullcontext() as drawer:
            export = PhaseExport(event, definition, teams, folder)
            for own in state.phases:
                export.write(own, drawer, watch)
        for problem in export.problems:
            warn(problem)
        for answers in state.answers:
            write_answers(folder, answers, {account.id: account.name for account in state.accounts})
        folder.write("event.toml", definition.toml)
        folder.write("accounts.csv", csv(make_accounts_table(state.accounts, state.removed, state.aliases)))
        folder.write("audit.csv", csv(make_audit_table(state.log, known)))
        folder.write("README.txt", write_readme(state.moment, state.phases, [answers.phase.name for answers in state.answers]))
        if event.moment().definition.sha256 != definition.sha256:
            raise RequestError("the definition of the event was changed while it was exported; export it again")
        return folder.names
