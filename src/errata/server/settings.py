"""How an event is served: where, and within which limits."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from errata.errors import UsageError

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8000
DEFAULT_MAX_UPLOAD = 10_000_000
"""Bytes of an upload, after decompression."""
_MOST_PORT = 65_535


@dataclass(frozen=True)
class ServerSettings:
    """Where the server listens and what it accepts; times are in seconds."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    """0 for any free port."""
    public_url: str = ""
    """How browsers reach the server through a reverse proxy; empty if there is none."""
    max_upload: int = DEFAULT_MAX_UPLOAD
    header_seconds: float = 15.0
    """How long the head of a request may take."""
    body_seconds: float = 120.0
    """How long its body may take."""
    request_seconds: float = 600.0
    """How long a whole request may take, its answer included."""
    max_connections: int = 900
    """More are told to come back; below the usual limit of open files."""
    attempts_per_minute: int = 30
    """Log-ins that one address may try, and requests with a wrong token."""

    def __post_init__(self) -> None:
        if not 0 <= self.port <= _MOST_PORT:
            raise UsageError(f"a port is a number from 0 to {_MOST_PORT:,}, found {self.port}")
        if self.public_url:
            parts = urlsplit(self.public_url)
            if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path not in {"", "/"} or parts.query or parts.fragment:
                raise UsageError(f"a public URL is like https://task.example.org, without a path; found {self.public_url[:100]!r}")

    @property
    def is_https(self) -> bool:
        """Whether browsers use TLS, which the reverse proxy ends."""
        return self.public_url.startswith("https:")

    @property
    def is_local(self) -> bool:
        """Whether only programs on this machine can connect."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("example.org")
    (True, True, True, False, False)
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
