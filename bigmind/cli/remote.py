"""Calls operations of the server of this machine, and starts it when it does not run."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from bigmind.cli.interruptible import Interruptible
from bigmind.core.errors import BigMindError, Code, FieldProblem
from bigmind.disk.data_place import check_data_folder
from bigmind.local.connection import NotRunningError, Response, ServerConnection
from bigmind.local.headers import AGENT, WORKSPACE, header_value
from bigmind.local.launch import TOO_MANY, connected, reached
from bigmind.settings.variables import check_variables

if TYPE_CHECKING:
    from pydantic import BaseModel

    from bigmind.cli.progress_line import Follower
    from bigmind.local.http_client import ResponseReader

Read = TypeVar("Read", bound="BaseModel")
OK, MISSING, REFUSED = 200, 404, 409
JSON_LINES, PROBLEM = "application/x-ndjson", "application/problem+json"
"""How what takes long answers who wants to follow it: bigmind/http/long_calls.py."""
ANSWER = "application/json"
"""What an answer is, also one that says that nothing was done; a fault is a problem."""


class LostConnectionError(NotRunningError):
    """The server went away before it answered, so that nobody knows what it did."""

    def __init__(self, *, reads: bool) -> None:
        """`reads` says that the operation changes nothing."""
        hint = "Try again: the next command starts BigMind."
        if not reads:
            hint = (
                "What you asked for may have been done, in whole or in part, or not at all: look before you do it "
                "again. The next command starts BigMind."
            )
        said = "BigMind ended, or the connection to it was lost, before it answered."
        BigMindError.__init__(self, Code.UNAVAILABLE, said, hint)


class OtherVersionError(BigMindError):
    """The server that runs is of another version than this command: mostly an older one, after an upgrade."""

    def __init__(self, fault: str, *, reads: bool = True) -> None:
        """`fault` says in what that shows; `reads`, that nothing was to be changed."""
        hint = "`bigmind stop` ends it, and the next command starts this version."
        if not reads:
            hint = f"What you asked for may have been done: look before you do it again. {hint}"
        super().__init__(Code.UNAVAILABLE, f"An older version of BigMind, or another one, still runs: {fault}.", hint)


UNREADABLE = "this command cannot read its answer"


class Told(dict[str, Any]):
    """An object of an answer; who reads a field that it lacks is told why."""

    def __missing__(self, field: str) -> NoReturn:
        raise OtherVersionError(UNREADABLE)


def read_as(model: type[Read], answer: dict[str, Any], *, reads: bool) -> Read:
    """An answer as what its operation answers.

    Args:
        model: what that is in this version.
        answer: as `call` returned it.
        reads: whether the operation changes nothing.

    Raises:
        OtherVersionError: when it is none.
    """
    from pydantic import ValidationError  # noqa: PLC0415 - who has a model has loaded it; the app has none

    try:
        return model.model_validate(answer)
    except ValidationError as error:
        raise OtherVersionError(UNREADABLE, reads=reads) from error


def call(
    home: Path,
    operation: str,
    arguments: dict[str, Any],
    *,
    start: bool = True,
    agent: str | None = None,
    follower: "Follower | None" = None,
    reads: bool = False,
) -> dict[str, Any]:
    """Run an operation and return its answer as data.

    Args:
        home: the data folder.
        operation: its name.
        arguments: the input's fields.
        start: whether to start the server when there is none.
        agent: what the caller calls itself, behind the name of the command line's token.
        follower: is told how far one that takes long has come, and stops it; None for any other.
        reads: whether it changes nothing.

    Raises:
        BigMindError: what the operation says, that no server can be reached, or that the one that runs lacks it.
    """
    check_variables(os.environ)
    check_data_folder(home)
    headers = {AGENT: header_value(agent)} if agent else {}
    with suppress(OSError):  # the folder is gone
        headers[WORKSPACE] = header_value(str(Path.cwd()))
    route = f"/api/v1/{operation}"
    with connected(home, "cli") if start else reached(home, "cli") as server:
        try:
            if follower is not None:
                response = _followed(server, route, arguments, headers, follower)
            else:
                response = server.request("POST", route, json.dumps(arguments).encode(), headers)
        except OSError as error:
            raise LostConnectionError(reads=reads) from error
    if response.status not in {OK, REFUSED} or not response.content_type.startswith(ANSWER):
        raise _error_of(response, route)
    return json.loads(response.body, object_hook=Told)


def _followed(
    server: ServerConnection, route: str, arguments: dict[str, Any], headers: dict[str, str], follower: "Follower"
) -> Response:
    """The response to what takes long; its progress is told until then. Who is interrupted stops it: see JSON_LINES."""
    asked = {**headers, "Accept": JSON_LINES}
    coming = server.stream("POST", route, json.dumps(arguments).encode(), asked)
    if not coming.content_type.startswith(JSON_LINES):
        return Response(coming.status, coming.content_type, coming.read())
    waiting = Interruptible(lambda: _last_line(coming, follower))

    def give_up() -> None:
        server.abort()  # on Windows, who is reading may go on: nobody waits for it
        waiting.give_up()

    with follower.stoppable(server.end_requests, give_up):
        return waiting.result()


def _last_line(coming: "ResponseReader", follower: "Follower") -> Response:
    for line in coming.lines():
        said = json.loads(line)
        if "progress" in said:
            follower.progress(**said["progress"])
        elif "answer" in said:
            return Response(said["status"], ANSWER, json.dumps(said["answer"]).encode())
        else:
            return Response(said["status"], PROBLEM, json.dumps(said["problem"]).encode())
    raise ConnectionResetError("the server ended in the middle of it")


def _error_of(response: Response, route: str) -> BigMindError:
    try:
        problem = json.loads(response.body)
        # Its code is that of a fact that is not there: only the words, which begin with the request, tell them apart.
        if response.status == MISSING and problem["title"].startswith(f"POST {route}: "):
            return OtherVersionError("it does not know this command")
        fields = tuple(FieldProblem(**each) for each in problem.get("fields", ()))
        return BigMindError(Code(problem["code"]), problem["title"], problem.get("hint", ""), fields)
    except (ValueError, KeyError, TypeError, AttributeError):
        if response.body == TOO_MANY.encode():
            return BigMindError(Code.UNAVAILABLE, "Too many connections to BigMind are open.", "Try again in a moment.")
        return BigMindError(Code.INTERNAL, f"BigMind answered with HTTP status {response.status}.", "See its log.")
