"""Teams and annotators in the browser of an organiser: added, given a new token, removed.  A token is shown once, and stored nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse

from errata.errors import ErrataError, UsageError
from errata.event import accounts
from errata.server.failures import NotFoundError, status_of
from errata.server.phase_addresses import site_address
from errata.server.rendering import render_page

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata.event.accounts import Account, AccountRole
    from errata.server.visits import Visit

MANAGED: tuple[AccountRole, ...] = ("team", "annotator")
"""Roles that organisers manage here; organisers themselves are added on the command line."""
RENEW, REMOVE = "renew", "remove"


def show_people(visit: Visit) -> Response:
    """List teams and annotators, with forms to add some."""
    return _show(visit)


def add_person(visit: Visit) -> Response:
    """Add a team or an annotator, and show its token."""
    role, name = visit.form.get("role", ""), visit.form.get("name", "")
    try:
        if role not in MANAGED:
            raise UsageError(f"choose one of {', '.join(MANAGED)}")
        with visit.event.database.write("accounts") as transaction:
            account, token = accounts.add_account(transaction, role, name, visit.moment.now, visit.account.id)
    except ErrataError as error:
        return _show(visit, status_of(error), refusal=str(error), role=role, typed=name)
    return _show_token(visit, account, token)


def ask_change(visit: Visit) -> Response:
    """Ask whether a token is to be renewed, or somebody removed."""
    return render_page("person.html", visit, account=_find(visit), action=_find_action(visit))


def change_person(visit: Visit) -> Response:
    """Renew a token and show it, or remove somebody."""
    account, action = _find(visit), _find_action(visit)
    with visit.event.database.write("accounts") as transaction:
        if action == REMOVE:
            accounts.remove_account(transaction, account, visit.moment.now, visit.account.id)
            return RedirectResponse("/organiser/people", 303)
        token = accounts.renew_token(transaction, account, visit.moment.now, visit.account.id)
    return _show_token(visit, account, token)


def _show(visit: Visit, status: int = 200, refusal: str = "", role: str = "team", typed: str = "") -> Response:
    with visit.event.database.read() as transaction:
        people = {own: accounts.list_accounts(transaction, own) for own in MANAGED}
        removed = accounts.list_removed(transaction)
    return render_page("people.html", visit, status, people=people, removed=removed, refusal=refusal, role=role, typed=typed)


def _show_token(visit: Visit, account: Account, token: str) -> Response:
    return render_page("token.html", visit, account=account, token=token, address=site_address(visit))


def _find(visit: Visit) -> Account:
    number = visit.path("account")
    with visit.event.database.read() as transaction:
        found = [one for role in MANAGED for one in accounts.list_accounts(transaction, role) if str(one.id) == number]
    if not found:
        raise NotFoundError("there is no such team or annotator")
    return found[0]


def _find_action(visit: Visit) -> str:
    action = visit.path("action")
    if action not in {RENEW, REMOVE}:
        raise NotFoundError("there is no such page")
    return action
