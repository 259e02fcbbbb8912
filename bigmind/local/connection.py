"""A connection to the server of this machine, that sends the token only after the server proved who it is."""

import json
import os
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from bigmind.core.errors import BigMindError, Code
from bigmind.core.shapes import as_object
from bigmind.local.http_client import HttpConnection, ResponseReader
from bigmind.local.memory_claim import refuse_other_memory
from bigmind.local.proof import is_proof, new_challenge
from bigmind.local.runfile import RunningServer, published
from bigmind.local.store_owner import Holder
from bigmind.paths import OF_CLIENT, read_private_file, token_file

PROBE_SECONDS = 1.8
"""What answers at all answers this at once; who asks is to hear within two seconds that nothing does."""
MOST_PROBED_BYTES = 64 * 1024
"""Of an answer that proves something: a few hundred, with all that frames them."""
REQUEST_SECONDS = 3_600.0
"""A restore takes minutes, and one sent again would be done again. A server that dies breaks off at once."""


class Response(NamedTuple):
    """An HTTP response, read to its end."""

    status: int
    content_type: str
    body: bytes


class NotRunningError(BigMindError):
    """No server answers for this home, or what answers is not the one that wrote the run file."""

    def __init__(self, message: str) -> None:
        super().__init__(Code.UNAVAILABLE, message, "`bigmind serve` starts it.")


class UnresponsiveError(NotRunningError):
    """A process owns the store of this home, and no server of it answers."""

    def __init__(self, home: Path, held: Holder) -> None:
        said, hint = _WORDS[held.state]
        BigMindError.__init__(self, Code.UNAVAILABLE, said.format(holder=held, home=home), hint)
        self.holder = held


_WORDS = {
    "starting": (
        "BigMind is still starting: {holder} has the memory in {home}.",
        "Try again in a moment. An upgrade of a large memory takes minutes; the log in that folder tells of it.",
    ),
    "ready": (
        "BigMind runs and does not answer: {holder} has the memory in {home}.",
        "Try again when the machine is less busy; else end it with `bigmind stop`, and start it again.",
    ),
    "ending": (
        "BigMind is still ending: {holder} has the memory in {home}.",
        "Try again in a moment: what was acknowledged is stored, and a backup that is being made is finished first.",
    ),
}


class TokenRefusedError(BigMindError):
    """The own token of a connected client is no good; no other is tried in its place."""

    def __init__(self, token: str, fault: str = "it was revoked, or is of another memory") -> None:
        """The refusal of a token, by its name in `paths.token_file`; `fault` says what is wrong with it."""
        client = token.removeprefix(OF_CLIENT)
        hint = f"Connect it again: on BigMind's page Assistants, or by `bigmind clients install {client}`."
        super().__init__(Code.UNAUTHENTICATED, f"BigMind does not accept the token of {client}: {fault}.", hint)


def _token(home: Path, client: str) -> str:
    """The token of a client of ours, or of a connected one; raises BigMindError when its file holds none."""
    try:
        return _in_header(read_private_file(token_file(home, client)).strip())
    except (OSError, ValueError) as error:
        if client.startswith(OF_CLIENT):
            raise TokenRefusedError(client, f"its file cannot be read: {error}") from error
        raise BigMindError(
            Code.UNAUTHENTICATED,
            f"BigMind runs, but its token cannot be read: {error}.",
            "Stop BigMind and start it again: it writes the file anew.",
        ) from error


def _in_header(token: str) -> str:
    """A token, if a header can carry it; raises ValueError else."""
    if not token.isascii() or not token.isprintable():
        raise ValueError("it holds something else")
    return token


class ServerConnection:
    """One kept-alive connection. Not for use by two threads at once."""

    def __init__(self, home: Path, client: str, seconds: float | None = None) -> None:
        """Connect to the server that the run file names, and let it prove itself.

        Args:
            home: the data folder.
            client: whose token to use: `cli`, `bridge`, or that of a connected client (`paths.token_sent_for`).
            seconds: how long to wait each time for the server to say something; None: as long as an ordinary client.

        Raises:
            NotRunningError: when no server is there; a stranger on its port is never sent the token.
            BigMindError: `unauthenticated`, when the server is there and the token's file is not; `forbidden`, when it
                has another memory than this process's environment names.
        """
        server = published(home)
        if server is None:
            raise NotRunningError("BigMind is not running.")
        self.server: RunningServer = server
        try:
            self._http = HttpConnection(server.port, seconds or PROBE_SECONDS)
        except OSError as error:
            raise self._silent(error) from error
        self._prove()
        self._claim()
        try:
            token = _token(home, client)
        except BigMindError:
            self.close()
            raise
        self._authorization = f"Bearer {token}"
        self._http.wait(seconds or REQUEST_SECONDS)

    def _prove(self) -> None:
        challenge = new_challenge()
        try:
            said = self._http.send("GET", f"/livez?challenge={challenge}", None, {}).read(MOST_PROBED_BYTES)
            answer = as_object(json.loads(said))
        except (OSError, ValueError, RecursionError) as error:
            self.close()
            raise self._silent(error) from error
        if not is_proof(answer.get("proof"), self.server.key, challenge, self.server.port):
            self.close()
            raise NotRunningError(f"What answers on port {self.server.port} is not this BigMind.")

    def _silent(self, error: Exception) -> NotRunningError:
        return NotRunningError(f"BigMind does not answer on port {self.server.port}: {error}.")

    def _claim(self) -> None:
        try:
            refuse_other_memory(self.server, os.environ)
        except BigMindError:
            self.close()
            raise

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Response:
        """Send one request and read its response.

        Raises:
            OSError: when the connection broke; whether the request was served is then unknown.
        """
        response = self.stream(method, path, body, headers or {})
        return Response(response.status, response.content_type, response.read())

    def stream(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> ResponseReader:
        """Send one request and return its response unread; until it is read, the connection serves nothing else.

        Raises:
            OSError: as `request`; reading the response raises it too.
        """
        sent = {"Authorization": self._authorization, "Content-Type": "application/json", **headers}
        return self._http.send(method, path, body, sent)

    def end_requests(self) -> None:
        """Send nothing any more, from any thread: what is under way and can be stopped stops, and says what it left."""
        self._http.end_requests()

    def abort(self) -> None:
        """Break the connection off, from any thread: who is reading from it gets to its end at once."""
        self._http.abort()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
