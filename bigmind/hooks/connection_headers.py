"""`bigmind hook connection`: on which connection a client speaks, as a header that it sends with every request.

MCP 2026-07-28 has no sessions: without it, what two windows of one client tell at once cannot be kept apart. The token
stays where it is, in the client's own file. Asks no server, and says nothing of a folder: Claude Code runs it in that
of its own settings.
"""

import json
import os

CONNECTION = "connection"
"""Ours, beside the hooks: the client connects."""


def connection_headers() -> str:
    """The header of a new connection, in a JSON object."""
    return json.dumps({"BigMind-Connection": os.urandom(16).hex()})
