"""Teams, annotators and organisers, as ``errata serve`` adds, lists and removes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.printing import print_json, print_tables
from errata.cli.serve_event import opening, print_tokens
from errata.errors import FormatError, UsageError
from errata.version import __version__

if TYPE_CHECKING:
    import argparse

    from errata.event.accounts import AccountRole

_LOCK = "accounts"


def add_accounts(options: argparse.Namespace, role: AccountRole, names: list[str]) -> None:
    """Add accounts, all or none, and print their tokens."""
    from errata.event.accounts import add_account

    if options.names is not None:
        names = [*names, *_read_names(options.names)]
    _require_names(role, "add", names)
    with opening(options) as event:
        with event.database.write(_LOCK) as transaction:
            added = [add_account(transaction, role, name, event.clock()) for name in names]
        print_tokens(options, [(role, account.name, token) for account, token in added])


def renew_tokens(options: argparse.Namespace, role: AccountRole, names: list[str]) -> None:
    """Replace the tokens of accounts, all or none, and print the new ones."""
    from errata.event.accounts import find_account, renew_token

    _require_names(role, "renew", names)
    with opening(options) as event:
        with event.database.write(_LOCK) as transaction:
            accounts = [find_account(transaction, role, name) for name in names]
            tokens = [(role, account.name, renew_token(transaction, account, event.clock())) for account in accounts]
        print_tokens(options, tokens)


def remove_accounts(options: argparse.Namespace, role: AccountRole, names: list[str]) -> None:
    """Refuse accounts from now on, all of them or none."""
    from errata.event.accounts import find_account, remove_account

    _require_names(role, "remove", names)
    with opening(options) as event, event.database.write(_LOCK) as transaction:
        accounts = [find_account(transaction, role, name) for name in names]
        for account in accounts:
            remove_account(transaction, account, event.clock())
    for account in accounts:
        print(f"{account.name}: removed")


def print_accounts(options: argparse.Namespace, role: AccountRole, names: list[str]) -> None:
    """Print all accounts of a role."""
    from errata.event import accounts
    from errata.event.aliases import list_aliases
    from errata.report.table import Column, Table

    if names:
        raise UsageError(f"errata serve {role} list takes no name, found {names[0]!r}")
    with opening(options) as event, event.database.read() as transaction:
        listed = accounts.list_accounts(transaction, role)
        removed = accounts.list_removed(transaction)
        phases = [phase.name for phase in event.moment(transaction).definition.phases if not phase.is_answers] if role == "team" else []
        aliases = {phase: list_aliases(transaction, phase, listed) for phase in phases}
    if options.format == "json":
        records = [
            {
                "role": role,
                "name": account.name,
                **({"anonymous_names": {phase: aliases[phase][account.id] for phase in phases}} if role == "team" else {}),
                "removed": account.id in removed,
            }
            for account in listed
        ]
        print_json({"errata": __version__, "accounts": records})
        return
    anonymous = (Column(f"Anonymous in {phase}", key=f"anonymous_in_{phase}") for phase in phases)
    columns = (Column("Name", key="name"), *anonymous, Column("Removed", key="removed"))
    rows = tuple(
        (account.name, *(aliases[phase][account.id] for phase in phases), "yes" if account.id in removed else "no") for account in listed
    )
    print_tables([Table(columns, rows)], options.format)


def _require_names(role: AccountRole, word: str, names: list[str]) -> None:
    if not names:
        raise UsageError(f"errata serve {role} {word} needs one name or more")


def _read_names(path: str) -> list[str]:
    """Read names, one in each line; empty lines are none."""
    from errata.event.accounts import check_name
    from errata.formats.lines import decode_text, display_path, open_bytes

    with open_bytes(path) as file:
        text = decode_text(file.read(), display_path(path))
    names = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                names.append(check_name(line))
            except UsageError as error:
                raise FormatError(display_path(path), number, str(error)) from None
    return names
