"""How an event stands, and what was done in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.cli.printing import print_json, print_tables
from errata.cli.serve_event import opening
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping
    from datetime import datetime

    from errata.event.answers.verdicts import Status
    from errata.event.database import DatabaseTransaction
    from errata.event.event import Moment
    from errata.event.phases import Phase
    from errata.report.table import Table


def print_status(options: argparse.Namespace) -> None:
    """Print phases with their instants, submissions, and who takes part."""
    from errata.event.accounts import ACCOUNT_ROLES, list_accounts, list_removed
    from errata.event.submissions import count_submissions

    with opening(options) as event, event.database.read() as transaction:
        moment = event.moment(transaction)
        counts = count_submissions(transaction)
        removed = list_removed(transaction)
        people = {role: sum(account.id not in removed for account in list_accounts(transaction, role)) for role in ACCOUNT_ROLES}
        records = [_describe(moment, phase, *counts.get(phase.name, (0, 0)), transaction) for phase in moment.definition.phases]
    record = {"errata": __version__, "title": moment.definition.title, "now": moment.now.isoformat(), "people": people, "phases": records}
    if options.format == "json":
        print_json(record)
    else:
        _print_tables(options, moment, record)


def _describe(moment: Moment, phase: Phase, submissions: int, teams: int, transaction: DatabaseTransaction) -> dict[str, Any]:
    """Describe a phase, for programs."""
    from errata.event.gold_versions import list_newest
    from errata.event.phase_records import make_phase_record

    visibility = moment.visibility
    published = visibility.published(phase)
    common = {
        **make_phase_record(visibility, phase),
        "accepts_until": visibility.accepts_until(phase).isoformat(),
        "publishes": published.isoformat() if published is not None else None,
    }
    if phase.is_answers:
        return {**common, "about": phase.about, "judging": _describe_judging(transaction, phase)}
    golds = {version.variant: version.number for version in list_newest(transaction, phase.name)}
    return {**common, "submissions": submissions, "teams": teams, "gold_versions": golds}


def _describe_judging(transaction: DatabaseTransaction, phase: Phase) -> dict[str, Any]:
    """Describe how far the judging of proposals is, for programs."""
    from errata.event.answers.progress import measure_progress
    from errata.event.export_answers import make_agreement_record

    progress = measure_progress(transaction, phase)
    annotators = {own.annotator.id: own.annotator.name for own in progress.annotators}
    return {
        "items": progress.items,
        "from_teams": progress.from_teams,
        **_name_counts(progress.by_status),
        "agreement": make_agreement_record(progress.agreement, annotators),
        "annotators": [
            {"name": own.annotator.name, "judged": own.queue.done, "left": own.queue.left, "skipped": own.queue.skipped}
            for own in progress.annotators
        ],
        "teams": [{"name": own.team.name, "proposed": own.proposed, **_name_counts(own.by_status)} for own in progress.teams],
    }


def _name_counts(counts: Mapping[Status, int]) -> dict[str, int]:
    return {str(status): count for status, count in counts.items()}


def _print_tables(options: argparse.Namespace, moment: Moment, record: dict[str, Any]) -> None:
    from errata.event.instants import ANYWHERE, show_instant
    from errata.report.table import Column, Table

    zone, visibility = moment.definition.zone, moment.visibility
    phases = Table(
        (
            Column("Phase", key="phase"),
            Column("Stage", key="stage"),
            Column("Submissions", "count", "submissions"),
            Column("Teams", "count", "teams"),
        ),
        tuple((item["name"], item["stage"], item.get("submissions"), item.get("teams")) for item in record["phases"]),
        record["title"],
        (", ".join(f"{role}s: {count}" for role, count in record["people"].items()),),
    )
    rows = []
    for phase in moment.definition.phases:
        instants: dict[str, datetime | None] = {
            "opens": phase.opens,
            "closes": visibility.closes(phase),
            "accepts until": visibility.accepts_until(phase) if phase.grace else None,
            "is published": visibility.published(phase),
        }
        rows += [(phase.name, what, show_instant(at, zone), show_instant(at, ANYWHERE)) for what, at in instants.items() if at is not None]
    times = Table(
        (Column("Phase", key="phase"), Column("What", key="what"), Column("When", key="when"), Column("Anywhere on Earth", key="aoe")),
        tuple(rows),
        notes=(f"It is {show_instant(moment.now.replace(microsecond=0), zone)} now.",),
    )
    judging = [_make_judging_table(item["name"], item["judging"]) for item in record["phases"] if item.get("judging", {}).get("items")]
    print_tables([phases, times, *judging], options.format)


def _make_judging_table(name: str, judging: dict[str, Any]) -> Table:
    """Make a table of what each annotator has done."""
    from errata.report.table import Column, Table

    agreement = judging["agreement"]
    done = ", ".join(f"{judging[status]:,} {status}" for status in ("accepted", "rejected", "disputed", "undecided"))
    notes = [f"{judging['items']:,} proposals, {judging['from_teams']:,} of them by teams: {done}."]
    if agreement["kappa"] is not None:
        notes.append(f"Cohen's kappa {agreement['kappa']:.4f}, of {agreement['items']:,} proposals that two annotators judged.")
    columns = (
        Column("Annotator", key="annotator"),
        Column("Judged", "count", "judged"),
        Column("Left", "count", "left"),
        Column("Skipped", "count", "skipped"),
    )
    rows = tuple((own["name"], own["judged"], own["left"], own["skipped"]) for own in judging["annotators"])
    return Table(columns, rows, f"Judging of {name}", tuple(notes))


def print_log(options: argparse.Namespace) -> None:
    """Print what was done, the newest first."""
    from errata.event.accounts import ACCOUNT_ROLES, list_accounts
    from errata.event.audit import read_log
    from errata.event.export_lists import name_account
    from errata.event.instants import show_instant
    from errata.report.table import Column, Table

    with opening(options) as event, event.database.read() as transaction:
        lines = read_log(transaction)
        known = {account.id: account for role in ACCOUNT_ROLES for account in list_accounts(transaction, role)}
        zone = event.moment(transaction).definition.zone
    if options.format == "json":
        records = [
            {"at": line.at.isoformat(), "who": name_account(known, line.account), "action": line.action, "details": line.details}
            for line in lines
        ]
        print_json({"errata": __version__, "log": records})
        return
    is_for_people = options.format != "csv"
    rows = tuple(
        (
            show_instant(line.at.replace(microsecond=0), zone) if is_for_people else line.at.isoformat(),
            name_account(known, line.account),
            line.action,
            ", ".join(f"{key}={value}" for key, value in line.details.items()),
        )
        for line in lines
    )
    columns = (Column("At", key="at"), Column("Who", key="who"), Column("Action", key="action"), Column("Details", key="details"))
    print_tables([Table(columns, rows)], options.format)
