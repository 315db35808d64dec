"""The lists of an export as tables: accounts, submissions, scores, versions of the gold, and the audit log.

None has a token or the hash of one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from errata.report.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from errata.event.accounts import Account
    from errata.event.audit import AuditLine
    from errata.event.gold_versions import GoldVersion
    from errata.event.results import ShownScore
    from errata.event.submissions import Submission
    from errata.report.table import Cell


def name_account(accounts: Mapping[int, Account], id_: int | None) -> str:
    """Name who did something; the command line is used by organisers only."""
    if id_ is None:
        return "command line"
    return f"{accounts[id_].role} {accounts[id_].name}" if id_ in accounts else f"account {id_}"


def make_accounts_table(accounts: Iterable[Account], removed: set[int], aliases: Mapping[str, Mapping[int, str]]) -> Table:
    """List who takes part, with what the anonymous board of each phase calls a team."""
    rows = tuple(
        (account.role, account.name, *(names.get(account.id, "") for names in aliases.values()), _yes(account.id in removed))
        for account in accounts
    )
    return _table(("role", "name", *(f"anonymous_in_{phase}" for phase in aliases), "removed"), rows)


def make_submissions_table(
    submissions: Sequence[Submission], teams: Mapping[int, str], entries: set[int], paths: Mapping[int, str]
) -> Table:
    """List the submissions of a phase, in the order in which they were accepted; ``entries`` are those that count."""
    columns = ("team", "number", "received_at", "sha256", "entry", "primary", "withdrawn", "description", "file")
    rows = tuple(
        (
            teams[item.team],
            item.number,
            item.received_at.isoformat(),
            item.sha256,
            _yes(item.id in entries),
            _yes(item.is_primary),
            _yes(item.is_withdrawn),
            item.description,
            paths[item.id],
        )
        for item in submissions
    )
    return _table(columns, rows)


def make_scores_table(scored: Iterable[tuple[Submission, GoldVersion, Sequence[ShownScore]]], teams: Mapping[int, str]) -> Table:
    """List the scores of submissions, one row for each metric; ``parts`` is JSON."""
    columns = ("team", "number", "gold", "gold_version", "metric", "value", "parts", "signature", "problem")
    rows = tuple(
        (
            teams[submission.team],
            submission.number,
            version.file_name,
            version.number,
            score.metric,
            score.value,
            json.dumps(score.parts, sort_keys=True),
            score.signature,
            score.problem,
        )
        for submission, version, scores in scored
        for score in scores
    )
    return _table(columns, rows)


def make_versions_table(versions: Iterable[tuple[GoldVersion, str]]) -> Table:
    """List the versions of the gold of a phase with their files."""
    rows = tuple(
        (version.variant, version.number, version.made_at.isoformat(), version.sha256, version.reason, file) for version, file in versions
    )
    return _table(("variant", "version", "made_at", "sha256", "reason", "file"), rows)


def make_audit_table(lines: Iterable[AuditLine], accounts: Mapping[int, Account]) -> Table:
    """List what was done; ``details`` is JSON."""
    rows = tuple(
        (
            line.at.isoformat(),
            name_account(accounts, line.account),
            line.action,
            json.dumps(line.details, sort_keys=True, ensure_ascii=False),
        )
        for line in lines
    )
    return _table(("at", "who", "action", "details"), rows)


def _table(names: Sequence[str], rows: tuple[tuple[Cell, ...], ...]) -> Table:
    return Table(tuple(Column(name) for name in names), rows)


def _yes(value: bool) -> str:  # noqa: FBT001 - what is written
    return "yes" if value else "no"
