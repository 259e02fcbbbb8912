"""What tests share: a real server in a throw-away home, and clients of it."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from bigmind.local.connection import NotRunningError, ServerConnection
from bigmind.local.launch import server_command
from bigmind.local.runfile import published
from bigmind.paths import token_file

READY_SECONDS = 60


@dataclass
class Server:
    """A server process of our own."""

    home: Path
    process: subprocess.Popen[bytes]
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def token(self, client: str = "cli") -> str:
        return token_file(self.home, client).read_text().strip()

    def http(self, client: str = "cli") -> httpx.Client:
        """A plain HTTP client with the token of `client`."""
        return httpx.Client(
            base_url=self.address,
            headers={"Authorization": f"Bearer {self.token(client)}"},
            timeout=60,
            trust_env=False,
        )

    def call(self, operation: str, **arguments: object) -> dict:
        """Run an operation over the JSON API."""
        with self.http() as http:
            response = http.post(f"/api/v1/{operation}", json=arguments)
        assert response.status_code == 200, response.text
        return response.json()

    def kill(self) -> None:
        """Pull the plug."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)

    def stop(self) -> int:
        """Ask it to end, and wait."""
        self.process.terminate()
        return self.process.wait(30)


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a BigMind process that knows only this home.

    By words alone, unless BIGMIND_MEANING="on" is passed: loading the model costs each server half a second.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BIGMIND_")}
    kept.pop("DISPLAY", None)
    kept.pop("PYTHONDONTWRITEBYTECODE", None)  # who sets it compiles all of BigMind anew at each start
    return {
        **kept,
        "BIGMIND_HOME": str(home),
        "BIGMIND_PORT": "0",
        "BIGMIND_USER": "ada",
        "BIGMIND_MEANING": "off",
        **more,
    }


def start_server(home: Path, **more: str) -> Server:
    """Start a server and wait until it proved itself."""
    before = published(home)
    process = subprocess.Popen(
        server_command(), env=environment(home, **more), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise AssertionError(f"the server ended with {process.returncode}: {process.stderr.read().decode()}")
        said = published(home)
        if said is not None and said != before and said.pid == process.pid:
            try:
                ServerConnection(home, "cli").close()
            except NotRunningError:
                pass
            else:
                return Server(home, process, said.port)
        process_wait(process, 0.02)
    process.kill()
    raise AssertionError("the server did not become ready")


def process_wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Give a process a moment: returns at once when it ends."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


@contextmanager
def running_server(home: Path, **more: str):
    """A server for the length of a block."""
    server = start_server(home, **more)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
        server.process.stderr.close()


def bridge_command(*arguments: str) -> list[str]:
    """The stdio bridge, as an IDE starts it."""
    return [str(Path(sys.executable).with_name("bigmind")), "mcp", *arguments]
