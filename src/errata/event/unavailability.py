"""What both databases raise if they cannot be used."""

from __future__ import annotations

from errata.errors import RequestError


class DatabaseUnavailableError(RequestError):
    """The database cannot be used now, as when its disk is full.

    What it says is for anybody; ``detail`` also says where the database is, for organisers.
    """

    def __init__(self, detail: str) -> None:
        super().__init__("the server cannot use its database now, and has stored nothing; try again later")
        self.detail = detail
