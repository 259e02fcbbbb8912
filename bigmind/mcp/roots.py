"""Asks a client's session which folder it works in, where it can be asked."""

import logging
from collections import OrderedDict

import anyio.to_thread
import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from pydantic import ValidationError

from bigmind.local.project import folder_of, project_of
from bigmind.mcp.calls import Context, session_of
from bigmind.secrets.client_names_masking import without_secrets

log = logging.getLogger(__name__)

ANSWER_SECONDS = 1.0
MOST_SESSIONS = 1_000


class Roots:
    """The project of each session, as its client's roots name it; asked once, and again after they changed.

    Roots are deprecated since 2026-07-28, which has no sessions to ask on: there, `BigMind-Project` says it.
    """

    def __init__(self) -> None:
        self._projects: OrderedDict[str, str | None] = OrderedDict()

    async def project(self, context: Context) -> str | None:
        """The project of the session that a request came on, asking its client for at most a second."""
        session_id = session_of(context)
        capabilities = context.session.client_capabilities
        if session_id is None or not context.session.can_send_request or not (capabilities and capabilities.roots):
            return None
        if session_id not in self._projects:
            self._projects[session_id] = await _asked(context)
            if len(self._projects) > MOST_SESSIONS:
                self._projects.popitem(last=False)
        return self._projects[session_id]

    async def changed(self, context: Context, given: types.NotificationParams | None) -> None:
        """The client works in other folders now."""
        del given
        self._projects.pop(session_of(context) or "", None)


async def _asked(context: Context) -> str | None:
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
        return None
    folder = next((path for root in answer.roots if (path := folder_of(str(root.uri)))), None)
    project = await anyio.to_thread.run_sync(project_of, folder) if folder else None
    return without_secrets(project) if project else None
