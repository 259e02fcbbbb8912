"""A real server within the test's own process: real sockets, and a store and a clock that the test can look into."""

import hashlib
import os
import re
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
from litestar.routes import BaseRoute

from app.assembly import assemble
from app.desktop.control import PersonsDesktop
from app.listening_port import bind
from app.server_host import SignInLinks, server_host
from app.web_server.serving import ServerThread
from bigmind import VERSION
from bigmind.core.clock import Clock, system_clock
from bigmind.core.operation import Caller, Mode
from bigmind.host import Host
from bigmind.local.proof import new_key
from bigmind.local.runfile import RunningServer
from bigmind.people.passphrases import Passphrases
from bigmind.people.service import NOBODY, ensure_user, mint_token
from bigmind.people.sign_in_codes import SignIn
from bigmind.people.token_format import TokenKind
from bigmind.settings.precedence import read_settings
from bigmind.store.sqlite.snapshots import connected
from bigmind.wiring import Mind, open_mind
from tests.homes import begin
from tests.ticking import tick_fast

# Derived from the rows beside them, or kept by SQLite for itself.
_NOT_ROWS = re.compile("sqlite_|.*_(fts|grams)(_|$)|embedding|row_seal")


# Loading the machine's certificates for each client would cost more than most tests.
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class FakeClock:
    """Stands until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 30, 9, 15, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, by: timedelta) -> None:
        self.now += by


class RowDigests:
    """Of each table of a store, a digest of its rows; taken anew when anybody has written since."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: Any = None
        self._known: tuple[object, ...] = ()
        self._digests: dict[str, str] = {}

    def now(self) -> dict[str, str]:
        """As they are; of which connection the change was does not matter, and a file that was replaced is another."""
        file = self._path.stat().st_ino
        if self._connection is None or self._known[0] != file:
            self.close()
            self._connection = connected(self._path, read_only=True)
        [version] = self._connection.execute("PRAGMA data_version").fetchone()
        if self._known != (file, version):
            self._known, self._digests = (file, version), dict(self._read())
        return dict(self._digests)

    def _read(self) -> Iterator[tuple[str, str]]:
        names = self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
        for (name,) in names:
            if not _NOT_ROWS.match(name):
                rows = self._connection.execute(f'SELECT * FROM "{name}"').fetchall()
                yield name, f"{len(rows)} rows, {hashlib.sha256(repr(rows).encode()).hexdigest()}"

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@dataclass
class Inside:
    """The running server, and what stands behind it."""

    home: Path
    mind: Mind
    links: SignInLinks
    routes: list[BaseRoute]
    port: int
    key: str
    rows: RowDigests
    stops: list[str] = field(default_factory=list)

    @property
    def host(self) -> Host:
        return self.mind.store.host

    @property
    def sign_in(self) -> SignIn:
        return self.links.sign_in

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def cookie(self) -> str:
        return f"bigmind_{self.port}"

    def token(self, username: str = "ada", kind: TokenKind = TokenKind.CLI, **more: Any) -> str:
        """A fresh token of a user, who is made when there is none."""
        with self.mind.store.write(NOBODY, "test") as work:
            user = ensure_user(work, username).id or 0
        with self.mind.store.write(Caller(user, username, NOBODY.role, "test", 0), "test") as work:
            return mint_token(work, user, more.pop("client", kind.value), kind, **more).secret

    def caller(self, secret: str) -> Caller:
        principal = self.mind.authenticator.principal(secret)
        assert principal is not None
        return principal.caller

    def http(self, secret: str = "", **more: Any) -> httpx.Client:
        """A plain client that sends `secret` as a bearer token."""
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        return httpx.Client(
            base_url=self.address,
            headers={**headers, **more.pop("headers", {})},
            timeout=60,
            trust_env=False,
            verify=_NO_TLS,
            **more,
        )

    def browser(self, secret: str, **more: Any) -> httpx.Client:
        """A client that sends `secret` as the browser's cookie."""
        return self.http(cookies={self.cookie: secret}, **more)

    def rpc(self, secret: str, method: str, **params: Any) -> dict[str, Any]:
        """One JSON-RPC request to the endpoint that stands alone; the whole answer."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        with self.http(secret) as http:
            answered = http.post("/mcp?structured=1", json=message)
        assert answered.status_code == 200, answered.text
        return answered.json()

    def everything(self) -> dict[str, str]:
        """A digest of the rows of each table, and of what there is beside the store."""
        digests = self.rows.now()
        digests["codes"] = repr(sorted(self.sign_in._codes))
        digests["stops"] = repr(self.stops)
        digests["backups"] = repr(sorted(each.name for each in (self.home / "backups").glob("*")))
        key = self.home / "backup.key"
        digests["backup key"] = hashlib.sha256(key.read_bytes()).hexdigest() if key.exists() else ""
        known = Passphrases(self.home)
        digests["passphrases"] = repr([(each and each.hash) for each in map(known.of, ("ada", "bob"))])
        return digests


@contextmanager
def server_inside(home: Path, clock: Clock = system_clock, mode: Mode = Mode.PERSONAL) -> Iterator[Inside]:
    """A server for the length of a block; a new store is a copy, as of `living`. `server_stop` is noted, not obeyed."""
    if clock is system_clock or (isinstance(clock, FakeClock) and clock.now == FakeClock().now):
        name = f"inside-{mode.value}-{type(clock).__name__}"
        begin(home, name, lambda made: open_mind(made, "ada", clock, mode=mode).close())
    tick_fast()
    mind = open_mind(home, "ada", clock, mode=mode)
    listener = bind(read_settings({"BIGMIND_HOME": str(home), "BIGMIND_PORT": "0", "BIGMIND_USER": "ada"}))
    port = listener.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    desktop = PersonsDesktop(None, address, is_there=True)
    links, stops = SignInLinks(SignIn(mind.store, clock), address), list[str]()
    mind.store.host = server_host(mind.store, links, desktop=desktop, stop=lambda: stops.append("stop"))
    server = RunningServer(os.getpid(), port, new_key(), VERSION)
    assembled = assemble(mind, links.sign_in, port, server.key)
    inside = Inside(home, mind, links, assembled.routes(), port, server.key, RowDigests(mind.store.path), stops)
    thread = ServerThread(assembled, listener, lambda: None)
    with ExitStack() as stack:
        # What starts at login is a file in there, and what clients are told too.
        own = {"XDG_CONFIG_HOME": str(home.parent / "config"), "HOME": str(home.parent)}
        stack.enter_context(patch.dict(os.environ, own))
        stack.callback(mind.close)
        stack.callback(inside.rows.close)
        stack.callback(listener.close)
        stack.callback(thread.stop)
        thread.start()
        yield inside
