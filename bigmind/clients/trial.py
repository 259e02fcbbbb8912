"""Tries a connection as the client would: with what really stands in its file."""

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from bigmind import VERSION
from bigmind.core.shapes import as_object, is_list, is_object
from bigmind.local.apart import no_window

SECONDS = 15.0
LISTING_SECONDS = 30.0
ENDING_SECONDS = 10.0
MOST_BYTES = 4 * 1024 * 1024
MOST_QUOTED = 200
LISTS, SAYS_CONNECTED = "lists BigMind", "says that BigMind is connected"
GOOD_WORDS = (f"{LISTS}.", f"{SAYS_CONNECTED}.")
"""How a sentence of `listed` ends that is no reason to doubt."""
GOOD = {200, 202}
SESSION = "Mcp-Session-Id"
PROTOCOL = "2025-11-25"
LOOPBACK = {"127.0.0.1", "localhost", "::1"}

BEARER = re.compile(r"Bearer (\S+)")

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": PROTOCOL,
        "capabilities": {},
        "clientInfo": {"name": "bigmind-check", "version": VERSION},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST_TOOLS = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


@dataclass(frozen=True, slots=True)
class Http:
    """A server entry that speaks HTTP."""

    url: str
    token: str


@dataclass(frozen=True, slots=True)
class Stdio:
    """A server entry that starts a command."""

    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrialResult:
    """How a try went: how many tools the client was offered; or why it was not."""

    tools: int
    fault: str = ""


def written(value: Any) -> Http | Stdio | None:
    """What a server entry says, whatever its client calls address, header and command."""
    texts = list(_texts(value))
    url = next((text for text in texts if text.startswith(("http://", "https://"))), None)
    if url is not None:
        token = next((found[1] for text in texts if (found := BEARER.fullmatch(text))), "")
        return Http(url, token)
    if not is_object(value):
        return None
    command = value.get("command", value.get("cmd"))
    if is_list(command):
        return Stdio(tuple(str(each) for each in command))
    arguments = value.get("args")
    return Stdio((command, *map(str, arguments if is_list(arguments) else ()))) if isinstance(command, str) else None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif is_object(value):
        for each in value.values():
            yield from _texts(each)
    elif is_list(value):
        for each in value:
            yield from _texts(each)


def tried(entry: Http | Stdio, environment: Mapping[str, str]) -> TrialResult:
    """Connect as the entry says, and ask for the tools. Takes at most some 15 seconds; never raises.

    A command is started as it stands there: only one that BigMind itself wrote may be handed in.
    """
    return _over_http(entry) if isinstance(entry, Http) else _over_stdio(entry, environment)


def _over_http(entry: Http) -> TrialResult:
    parts = urlsplit(entry.url)
    try:
        host, port = parts.hostname or "", parts.port or 80
    except ValueError:
        return TrialResult(0, f"{entry.url} is no address")
    if parts.scheme != "http" or host not in LOOPBACK:
        return TrialResult(0, f"{entry.url} is not this machine's BigMind")
    with _Endpoint(HTTPConnection(host, port, timeout=SECONDS), parts.path, entry.token) as endpoint:
        try:
            endpoint.post(INITIALIZE)
            endpoint.post(INITIALIZED)
            return TrialResult(_count(endpoint.post(LIST_TOOLS)))
        except (OSError, HTTPException, ValueError) as error:
            return TrialResult(0, f"{entry.url} answered: {error}")


class _Endpoint:
    """A conversation over HTTP, with the session that the server opens for it; both end with the block."""

    def __init__(self, connection: HTTPConnection, path: str, token: str) -> None:
        self._connection = connection
        self._path = path
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": PROTOCOL,
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError, HTTPException):
            if SESSION in self._headers:
                self._connection.request("DELETE", self._path, headers=self._headers)
                self._connection.getresponse().read()
        self._connection.close()

    def post(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Send a message and return what answers it; raises OSError, HTTPException, ValueError with what was said."""
        self._connection.request("POST", self._path, json.dumps(message).encode(), self._headers)
        response = self._connection.getresponse()
        body = response.read(MOST_BYTES).decode("utf-8", "replace")
        if response.status not in GOOD:
            title = as_object(json.loads(body)).get("title") if body.startswith("{") else ""
            raise ValueError(f"{response.status} {title or response.reason}")
        if session := response.getheader(SESSION):
            self._headers[SESSION] = session
        return as_object(json.loads(_message_in(body))) if body.strip() else {}


def _message_in(body: str) -> str:
    """The message of an answer, which may come as an event."""
    lines = [line.removeprefix("data:") for line in body.splitlines() if line.startswith("data:")]
    return next((line for line in lines if line.strip()), body)


def _over_stdio(entry: Stdio, environment: Mapping[str, str]) -> TrialResult:
    asked = "".join(json.dumps(each) + "\n" for each in (INITIALIZE, INITIALIZED, LIST_TOOLS))
    try:
        said, complained = run_for(SECONDS, entry.command, environment, asked.encode())
    except OSError as error:
        return TrialResult(0, f"{entry.command[0]} does not start: {error.strerror}")
    except subprocess.TimeoutExpired:
        return TrialResult(0, f"{entry.command[0]} did not answer within {SECONDS:.0f} seconds")
    for line in said.splitlines():
        with suppress(ValueError):
            if as_object(answer := json.loads(line)).get("id") == LIST_TOOLS["id"]:
                return _counted(answer)
    words = complained.decode("utf-8", "replace").strip().splitlines()
    return TrialResult(0, f"{entry.command[0]} gave no answer{': ' + words[-1][:300] if words else ''}")


def _counted(answer: dict[str, Any]) -> TrialResult:
    try:
        return TrialResult(_count(answer))
    except ValueError as error:
        return TrialResult(0, str(error))


def _count(answer: dict[str, Any]) -> int:
    tools = as_object(answer.get("result")).get("tools")
    if not is_list(tools):
        raise ValueError(as_object(answer.get("error")).get("message") or "no list of tools")
    return len(tools)


def listed(command: Sequence[str], connected: str, folder: Path, environment: Mapping[str, str]) -> str:
    """What the client's own command line says of our server. Never raises.

    Args:
        command: the whole path of the client's program, and what has it list its servers.
        connected: what it prints of one that answers; empty when it does not tell.
        folder: where it is run.
        environment: of the process.

    Returns:
        A sentence.
    """
    named = f"`{' '.join((Path(command[0]).stem, *command[1:]))}`"
    try:
        told = run_for(LISTING_SECONDS, command, environment, folder=folder)
    except (OSError, subprocess.TimeoutExpired):
        return f"{named} did not answer."
    from rich.text import Text  # noqa: PLC0415 - rarely needed

    said = "".join(each.decode("utf-8", "replace") for each in told)
    line = next((line.strip() for line in said.splitlines() if "bigmind" in line.lower()), "")
    if not line:
        return f"{named} does not list BigMind."
    if not connected:
        return f"{named} {LISTS}."
    if connected in line:
        return f"{named} {SAYS_CONNECTED}."
    return f"{named} does not say that it is connected: {Text.from_ansi(line).plain[:MOST_QUOTED]}"


def run_for(
    seconds: float,
    command: Sequence[str],
    environment: Mapping[str, str],
    given: bytes = b"",
    folder: Path | None = None,
) -> tuple[bytes, bytes]:
    """What a program says on standard output and on standard error until it ends.

    Args:
        seconds: how long it may take.
        command: its whole path, and what it is started with.
        environment: of the process.
        given: what it reads on its input.
        folder: where it is run; where this process is, without one.

    Raises:
        OSError: it does not start.
        subprocess.TimeoutExpired: it took longer, and was ended.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=dict(environment),
        creationflags=no_window(),
    )
    with process:
        try:
            return process.communicate(given, seconds)
        except subprocess.TimeoutExpired:
            _end(process)
            raise


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End it. On Windows with all that it started: of a batch file, cmd alone would end, and its pipes stay open."""
    if os.name == "nt":
        ends = Path(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "taskkill.exe")
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(
                [str(ends), "/F", "/T", "/PID", str(process.pid)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=ENDING_SECONDS,
                check=False,
                creationflags=no_window(),
            )
    process.kill()
