"""The bodies of requests: bounded in bytes and in time before memory is spent, and decompressed piece by piece.

A body of any size is read into a file without a name; only its beginning is in memory.
"""

from __future__ import annotations

import asyncio
import zlib
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request
    from starlette.types import Message, Receive

SMALL = 1 << 17
"""Bytes of a body that is no upload."""
_IN_MEMORY = 1 << 14
"""Bytes of a body that wait in memory; there may be hundreds that arrive slowly."""
_DECOMPRESSED = 1 << 16
"""Bytes that are decompressed at once."""
_DRAINED = 1 << 25
"""Bytes that are read and forgotten after a refusal, so that the client reads it before it sees a closed connection."""
_DRAINING_SECONDS = 5.0
_GZIP_WINDOW = 31
STATE = "errata.body"
"""The key of the scope of a request that has its :class:`LimitedBody`."""


class LimitedBody:
    """Receives the body of a request within a limit, which handlers of uploads raise."""

    def __init__(self, receive: Receive, declared: int | None, seconds: float, upload_seconds: float) -> None:
        self._receive, self._declared = receive, declared
        self._begun_at = asyncio.get_running_loop().time()
        self._ends_at = self._begun_at + seconds
        self._upload_seconds = upload_seconds
        self._read = 0
        self.most = SMALL
        self.is_complete = False

    def allow(self, most: int) -> None:
        """Set the limit; a body that may be large may also take longer."""
        self.most = most
        if most > SMALL:
            self._ends_at = self._begun_at + self._upload_seconds

    async def __call__(self) -> Message:
        """Receive the next piece; raise if the body is too large or takes too long."""
        if (self._declared or 0) > self.most:
            raise too_large(self.most)
        if self.is_complete:
            return await self._receive()  # waits until the client goes away
        try:
            async with asyncio.timeout_at(self._ends_at):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(408, "the request took too long to arrive", {"Connection": "close"}) from None
        if message["type"] == "http.request":
            self._read += len(message.get("body", b""))
            self.is_complete = not message.get("more_body", False)
            if self._read > self.most:
                raise too_large(self.most)
        return message

    async def drain(self, seconds: float = _DRAINING_SECONDS) -> None:
        """Read some of what a refused client still sends."""
        read = 0
        try:
            async with asyncio.timeout(seconds):
                while not self.is_complete and read < _DRAINED:
                    message = await self._receive()
                    if message["type"] != "http.request":
                        return
                    read += len(message.get("body", b""))
                    self.is_complete = not message.get("more_body", False)
        except TimeoutError:
            return


def allow_body(request: Request, most: int) -> None:
    """Let a request have a body of so many bytes."""
    request.scope[STATE].allow(most)


async def read_upload(request: Request, most: int) -> IO[bytes]:
    """Read an upload that is the whole body, which may be compressed by gzip, into a file; raise if it has more bytes than allowed."""
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in {"identity", "gzip"}:
        raise HTTPException(415, f"the body may be sent as it is or with Content-Encoding: gzip, found {encoding[:40]!r}", _CLOSE)
    allow_body(request, most)
    file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - who reads it closes it
    try:
        unpack = _Gunzip(most) if encoding == "gzip" else None
        async for piece in request.stream():
            if unpack is None:
                file.write(piece)
            else:
                for unpacked in unpack.add(piece):
                    file.write(unpacked)
                    await asyncio.sleep(0)  # others are served meanwhile
        if unpack is not None:
            unpack.end()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return file


_CLOSE = {"Connection": "close"}
MultiPartParser.spool_max_size = _IN_MEMORY
"""The files of forms too are on disk."""


class _Gunzip:
    """Decompresses one member of gzip, never more than allowed."""

    def __init__(self, most: int) -> None:
        self._unpack = zlib.decompressobj(_GZIP_WINDOW)
        self._left = most
        self._most = most

    def add(self, piece: bytes) -> Iterator[bytes]:
        """Decompress a piece, a part at a time."""
        try:
            while piece and not self._unpack.eof:
                unpacked = self._unpack.decompress(piece, _DECOMPRESSED)
                piece = self._unpack.unconsumed_tail
                self._left -= len(unpacked)
                if self._left < 0:
                    raise too_large(self._most)
                yield unpacked
        except zlib.error:
            raise HTTPException(400, "the body is not compressed by gzip, as its Content-Encoding says", _CLOSE) from None
        if self._unpack.eof and (piece or self._unpack.unused_data):
            raise HTTPException(400, "the body has something after its gzip data", _CLOSE)

    def end(self) -> None:
        """Raise if something is missing."""
        if not self._unpack.eof:
            raise HTTPException(400, "the gzip data of the body are not complete", _CLOSE)


def too_large(most: int) -> HTTPException:
    """Make the error about a body that is too large."""
    return HTTPException(413, f"expected at most {most:,} bytes, found more", _CLOSE)
