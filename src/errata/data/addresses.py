"""Which addresses are opened: HTTPS, and plain HTTP on the loopback interface only."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from errata.errors import RequestError

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def is_loopback(address: str) -> bool:
    """Tell whether an address is of this machine.

    >>> is_loopback("http://127.0.0.1:8000/x"), is_loopback("https://example.org/")
    (True, False)
    """
    try:
        return (urlsplit(address).hostname or "") in _LOOPBACK
    except ValueError:
        return False


def check_address(address: str) -> str:
    """Return an address that may be opened; raise :class:`RequestError` if it may not.

    >>> check_address("ftp://example.org/x")
    Traceback (most recent call last):
    ...
    errata.errors.RequestError: ftp://example.org/x: expected an address that begins with https://
    """
    try:
        parts = urlsplit(address)
        usable = bool(parts.hostname) and (parts.port or 1) > 0 and address.isascii() and address.isprintable() and " " not in address
    except ValueError:
        usable = False
    if not usable or not (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(address))):
        raise RequestError(f"{address[:200]}: expected an address that begins with https://")
    return address


def follow_redirect(address: str, location: str | None) -> str:
    """Find where a redirection leads; only HTTPS, and from this machine to this machine, is followed."""
    if not location:
        raise RequestError(f"{address}: the server redirects, but does not say where to")
    try:
        target = check_address(urljoin(address, location))
    except (RequestError, ValueError) as error:
        raise RequestError(f"{address}: the server redirects to an address that is not opened: {error}") from None
    if is_loopback(target) and not is_loopback(address):
        raise RequestError(f"{address}: the server redirects to this machine ({target[:200]}), which is not followed")
    return target
