"""How an event is served: where, and within which limits."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from errata.errors import UsageError

_DEFAULT_HOST = "127.0.0.1"
_DEFAULT_PORT = 8000
_DEFAULT_MAX_UPLOAD = 10_000_000
"""Bytes of an upload, after decompression."""
_MOST_PORT = 65_535


@dataclass(frozen=True)
class ServerSettings:
    """Where the server listens and what it accepts; times are in seconds."""

    host: str = _DEFAULT_HOST
    port: int = _DEFAULT_PORT
    """0 for any free port."""
    public_url: str = ""
    """How browsers reach the server through a reverse proxy; empty if there is none."""
    max_upload: int = _DEFAULT_MAX_UPLOAD
    header_seconds: float = 15.0
    """How long the head of a request may take."""
    body_seconds: float = 120.0
    """How long the body of an upload may take; other bodies are small, and may take as long as a head."""
    request_seconds: float = 300.0
    """How long a whole request may take, its answer included."""
    max_connections: int = 900
    """More are told to come back; those that wait for their client are closed before."""
    attempts_per_minute: int = 30
    """Log-ins that one address may try, and requests with a wrong token."""

    def __post_init__(self) -> None:
        if not 0 <= self.port <= _MOST_PORT:
            raise UsageError(f"a port is a number from 0 to {_MOST_PORT:,}, found {self.port}")
        if self.public_url:
            parts = urlsplit(self.public_url)
            if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path not in {"", "/"} or parts.query or parts.fragment:
                raise UsageError(f"a public URL is like https://task.example.org, without a path; found {self.public_url[:100]!r}")

    def allows_host(self, host: str) -> bool:
        """Whether a request that names this host is meant for this server; other names may be those of a site that leads browsers here.

        >>> local, public = ServerSettings(), ServerSettings(public_url="https://task.example.org")
        >>> [settings.allows_host(host) for settings in (local, public) for host in ("localhost:8000", "task.example.org", "evil.test")]
        [True, False, False, True, True, False]
        """
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if _is_local_host(name):
            return True
        if self.public_url:
            return name == urlsplit(self.public_url).hostname
        return not self.is_local  # nobody has said how others reach it

    @property
    def is_https(self) -> bool:
        """Whether browsers use TLS, which the reverse proxy ends."""
        return self.public_url.startswith("https:")

    @property
    def is_local(self) -> bool:
        """Whether only programs on this machine can connect."""
        return _is_local_host(self.host)


def _is_local_host(host: str) -> bool:
    """Whether a host is this machine.

    >>> (
    ...     _is_local_host("127.0.0.1"),
    ...     _is_local_host("::1"),
    ...     _is_local_host("localhost"),
    ...     _is_local_host("0.0.0.0"),
    ...     _is_local_host("example.org"),
    ... )
    (True, True, True, False, False)
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
