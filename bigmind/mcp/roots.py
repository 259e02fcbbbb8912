"""Asks a client's session which folder it works in, where it can be asked."""

import logging
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import anyio.to_thread
import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from pydantic import ValidationError

from bigmind.local.project import folder_of
from bigmind.mcp.calls import Context, session_of
from bigmind.mcp.tool_calls import NOWHERE, Place
from bigmind.secrets.client_names_masking import without_secrets

log = logging.getLogger(__name__)

ANSWER_SECONDS = 1.0
MOST_SESSIONS = 1_000


class Roots:
    """The folder of each session, and its project, as its client's roots name it; asked once, and after each change.

    Roots are deprecated since 2026-07-28, which has no sessions to ask on: there, `BigMind-Project` says it.

    Args:
        project_of: the project of a folder.
    """

    def __init__(self, project_of: Callable[[Path], str | None]) -> None:
        self._project_of = project_of
        self._places: OrderedDict[str, Place] = OrderedDict()

    async def place(self, context: Context) -> Place:
        """Where the session that a request came on works, asking its client for at most a second."""
        session_id = session_of(context)
        capabilities = context.session.client_capabilities
        if session_id is None or not context.session.can_send_request or not (capabilities and capabilities.roots):
            return NOWHERE
        if session_id not in self._places:
            self._places[session_id] = await _asked(context, self._project_of)
            if len(self._places) > MOST_SESSIONS:
                self._places.popitem(last=False)
        return self._places[session_id]

    async def changed(self, context: Context, given: types.NotificationParams | None) -> None:
        """The client works in other folders now."""
        del given
        self._places.pop(session_of(context) or "", None)


async def _asked(context: Context, project_of: Callable[[Path], str | None]) -> Place:
    try:
        answer = await context.session.send_request(
            types.ListRootsRequest(),
            types.ListRootsResult,
            request_read_timeout_seconds=ANSWER_SECONDS,
            # On the stream of the request that waits: not every client opens the other one.
            metadata=ServerMessageMetadata(related_request_id=context.request_id),
        )
    except (MCPError, ValidationError) as error:
        log.info("the client did not say where it works: %s", error)
        return NOWHERE
    folder = next((path for root in answer.roots if (path := folder_of(str(root.uri)))), None)
    if folder is None:
        return NOWHERE
    project = await anyio.to_thread.run_sync(project_of, folder)
    return Place(without_secrets(project) if project else None, str(folder))
