"""Where the client of a bridge works: in the first of its roots when it offers them, else where it started the bridge.

Imports almost nothing, like the bridge.
"""

import json
import os
import threading
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from bigmind.core.shapes import as_object, is_list, is_object

ROOTS_SECONDS = 0.2
"""How long the start of a memory session waits for the client's answer; nothing else waits."""


class Workspace:
    """The project of one client, and its folder. Heard on the bridge's reading thread, asked for on any."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        """A workspace whose client is asked by `send`, which takes one message."""
        self._send = send
        self._rooted: str | None = None
        self._root: Path | None = None
        self._offers_roots = False
        self._asked = 0
        self._is_known = threading.Event()
        self._is_known.set()

    def meet(self, capabilities: object) -> None:
        """Learn what the client offers, from its `initialize`."""
        self._offers_roots = is_object(as_object(capabilities).get("roots"))

    def ask(self) -> None:
        """Ask the client for its roots, where it offers them."""
        if not self._offers_roots:
            return
        self._asked += 1
        self._is_known.clear()
        self._send(json.dumps({"jsonrpc": "2.0", "id": self._question(), "method": "roots/list"}).encode())

    def hear(self, answer: dict[str, Any]) -> None:
        """Take in the client's answer; one to an older question is of no interest."""
        if answer.get("id") != self._question():
            return
        roots = as_object(answer.get("result")).get("roots")
        addresses = [as_object(root).get("uri") for root in roots] if is_list(roots) else []
        from bigmind.local.project import folder_of, project_of  # noqa: PLC0415 - clients wait for the bridge's start

        folders = [folder for uri in addresses if isinstance(uri, str) and (folder := folder_of(uri))]
        self._rooted, self._root = (project_of(folders[0]), folders[0]) if folders else (None, None)
        self._is_known.set()

    def project(self, *, patient: bool) -> str | None:
        """The project, as far as it is known; the patient wait a moment for an answer that is due."""
        if patient:
            self._is_known.wait(ROOTS_SECONDS)
        return self._rooted or self._started_in

    def folder(self) -> str:
        """The folder, as far as it is known; empty where it is gone."""
        return str(self._root or self._here or "")

    @cached_property
    def _here(self) -> Path | None:
        # Not PWD: who starts a bridge in another folder often leaves it as it was.
        try:
            return Path(os.getcwd())  # noqa: PTH109 - Path.cwd() is the same
        except OSError:  # the folder is gone
            return None

    @cached_property
    def _started_in(self) -> str | None:
        from bigmind.local.project import project_of  # noqa: PLC0415 - clients wait for the bridge's start

        try:
            return project_of(self._here) if self._here is not None else None
        except OSError:
            return None

    def _question(self) -> str:
        return f"bigmind-roots-{self._asked}"
