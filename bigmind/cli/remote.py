"""Calls operations of the server of this machine, and starts it when it does not run."""

import json
import os
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

from bigmind.core.errors import BigMindError, Code, FieldProblem
from bigmind.local.connection import NotRunningError, Response
from bigmind.local.headers import AGENT, WORKSPACE, header_value
from bigmind.local.launch import connected, reached
from bigmind.settings.variables import check_variables

OK, REFUSED = 200, 409
ANSWER = "application/json"
"""What an answer is, also one that says that nothing was done; a fault is a problem."""


def call(
    home: Path, operation: str, arguments: dict[str, Any], *, start: bool = True, agent: str | None = None
) -> dict[str, Any]:
    """Run an operation and return its answer as data.

    Args:
        home: the data folder.
        operation: its name.
        arguments: the input's fields.
        start: whether to start the server when there is none.
        agent: what the caller calls itself, behind the name of the command line's token.

    Raises:
        BigMindError: what the operation says, or that no server can be reached.
    """
    check_variables(os.environ)
    headers = {AGENT: header_value(agent)} if agent else {}
    with suppress(OSError):  # the folder is gone
        headers[WORKSPACE] = header_value(str(Path.cwd()))
    with connected(home, "cli") if start else reached(home, "cli") as server:
        try:
            response = server.request("POST", f"/api/v1/{operation}", json.dumps(arguments).encode(), headers)
        except (OSError, HTTPException) as error:
            raise NotRunningError(f"The connection to BigMind broke: {error!r}.") from error
    if response.status not in {OK, REFUSED} or not response.content_type.startswith(ANSWER):
        raise _error_of(response)
    return json.loads(response.body)


def _error_of(response: Response) -> BigMindError:
    try:
        problem = json.loads(response.body)
        fields = tuple(FieldProblem(**each) for each in problem.get("fields", ()))
        return BigMindError(Code(problem["code"]), problem["title"], problem.get("hint", ""), fields)
    except (ValueError, KeyError, TypeError):
        return BigMindError(Code.INTERNAL, f"BigMind answered with HTTP status {response.status}.", "See its log.")
