"""Files that a browser sends: written to disk as they come, and nothing is left of one that is cut off."""

import asyncio
import os
import re
import shutil
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePath, PureWindowsPath
from typing import BinaryIO
from urllib.parse import unquote

import anyio.to_thread
from litestar import Response, post
from litestar.handlers import HTTPRouteHandler

from bigmind.core.errors import HTTP_STATUS, BigMindError, Code
from bigmind.core.operation import Caller
from bigmind.disk.windows_paths import is_taken_for_another
from bigmind.http.api import AnyRequest, caller_of
from bigmind.http.guard import UPLOADS
from bigmind.http.problems import PROBLEM_JSON, problem
from bigmind.paths import NO_ROOM, PRIVATE_FILE
from bigmind.text.phrasing import room_needed
from ui.forms.actions import check_form
from ui.page_headers import PAGE_HEADERS
from ui.transfers import TransferFolder

NAME_HEADER = "bigmind-file-name"
LONGEST_NAME = 60
AT_ONCE = 256 * 1024
"""Bytes that are held before they are written."""
SPARE_BYTES = 256 * 1024 * 1024
"""Stay free on the disk: the store needs room beside what is sent."""
ROOM_ASKED_EVERY = 4 * 1024 * 1024
MOST_AT_ONCE = 2
"""Files that one user sends at the same time."""
QUIET_SECONDS = 60.0
"""Without a byte, after which a file counts as broken off."""

PASSING_SECONDS = 5.0
MOST_DROPPED = 64 * 1024 * 1024
"""What a refused sender may still send, so that it is there to hear why."""

_UNUSUAL = re.compile(r"[^\w.,()+@ -]+")


@dataclass(slots=True)
class _Coming:
    """A file on its way: whose, and how many bytes are still promised; of one without a declared size none are."""

    user_id: int
    promised: int


class _Room:
    """The disk, shared by all files that are on their way. Used on the event loop."""

    def __init__(self) -> None:
        self._coming: list[_Coming] = []

    @contextmanager
    def taken(self, caller: Caller, size: int) -> Generator[_Coming]:
        """Count a file for the length of the block.

        Raises:
            BigMindError: `conflict`, when the caller sends as many as one may already.
        """
        if sum(each.user_id == caller.user_id for each in self._coming) >= MOST_AT_ONCE:
            raise BigMindError(
                Code.CONFLICT, f"{MOST_AT_ONCE} files are being sent already.", "Wait until one of them is here."
            )
        coming = _Coming(caller.user_id, size)
        self._coming.append(coming)
        try:
            yield coming
        finally:
            self._coming.remove(coming)

    def require(self, folder: Path) -> None:
        """Refuse to go on unless all that is promised fits; raises BigMindError `storage_full`."""
        free, needed = shutil.disk_usage(folder).free, sum(each.promised for each in self._coming)
        if free < needed + SPARE_BYTES:
            raise _full(room_needed(needed, SPARE_BYTES, "BigMind's folder", free))


def upload_routes(files: TransferFolder, cookie: str) -> list[HTTPRouteHandler]:
    """The route that takes a file; the guard has bounded its size and seen to it that no other page sends one."""
    room = _Room()

    @post(UPLOADS, status_code=200)
    async def upload(request: AnyRequest) -> Response[object]:
        caller, parts = caller_of(request), request.stream()
        try:
            check_form(request, cookie, {})
            with room.taken(caller, int(request.headers.get("content-length", "0"))) as coming:
                path = files.place(caller, safe_name(request.headers.get(NAME_HEADER, "")))
                try:
                    size = await _kept(parts, path, room, coming)
                    files.keep(path)
                except BaseException:
                    files.remove(path)
                    raise
        except BigMindError as error:
            await _let_pass(parts)
            return _refused(error)
        return Response({"path": str(path), "name": path.name, "bytes": size}, headers=PAGE_HEADERS)

    return [upload]


def safe_name(sent: str) -> str:
    """The last part of a file's name, as every system takes it: it is shown again, and read by its ending."""
    last = PureWindowsPath(PurePath(unquote(sent)).name).name
    name = _UNUSUAL.sub("_", last)[-LONGEST_NAME:].strip(" .")
    return name if name and not is_taken_for_another(name, "win32") else "file"


def _full(said: str) -> BigMindError:
    hint = "Make room, or name the file where it is on this machine: it is read in place."
    return BigMindError(Code.STORAGE_FULL, said, hint)


async def _kept(parts: AsyncGenerator[bytes, None], path: Path, room: _Room, coming: _Coming) -> int:
    """Write what comes to a new private file; how many bytes they are."""
    size, waiting, asked_at = 0, bytearray(), 0
    room.require(path.parent)
    with os.fdopen(
        os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), PRIVATE_FILE), "wb"
    ) as file:
        while part := await _next(parts):
            size += len(part)
            waiting += part
            if len(waiting) >= AT_ONCE:
                await anyio.to_thread.run_sync(_write, file, waiting)
                coming.promised = max(0, coming.promised - len(waiting))
                waiting = bytearray()
            if size - asked_at >= ROOM_ASKED_EVERY:
                asked_at = size
                room.require(path.parent)
        await anyio.to_thread.run_sync(_write, file, waiting)
    return size


async def _let_pass(parts: AsyncGenerator[bytes, None]) -> None:
    """Take in some of what is still on its way: a sender that is cut off in the midst of it hears no answer."""
    dropped = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(PASSING_SECONDS):
            async for part in parts:
                dropped += len(part)
                if dropped > MOST_DROPPED:
                    return


async def _next(parts: AsyncGenerator[bytes, None]) -> bytes:
    """What comes next; empty at the end."""
    try:
        async with asyncio.timeout(QUIET_SECONDS):
            while (part := await anext(parts, None)) is not None:
                if part:
                    return part
    except TimeoutError:
        raise BigMindError(
            Code.UNAVAILABLE, f"Nothing came for {QUIET_SECONDS:.0f} seconds; nothing was kept.", "Send it again."
        ) from None
    return b""


def _write(file: BinaryIO, part: bytearray) -> None:
    try:
        file.write(part)
        file.flush()
    except OSError as error:
        if error.errno in NO_ROOM:
            raise _full("There is no room on the disk for this file.") from error
        raise BigMindError(Code.UNAVAILABLE, f"The file cannot be kept: {error.strerror}.", "Try again.") from error


def _refused(error: BigMindError) -> Response[object]:
    """The connection ends with it: what is still being sent is not read."""
    headers = {**PAGE_HEADERS, "Connection": "close"}
    return Response(problem(error), status_code=HTTP_STATUS[error.code], media_type=PROBLEM_JSON, headers=headers)
