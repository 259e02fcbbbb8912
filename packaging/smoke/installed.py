"""A BigMind that is installed somewhere, driven as its person and assistants do. Only Python's standard library."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

SECONDS = 120
LOCAL = build_opener(ProxyHandler({}))


@dataclass
class Installed:
    """One program, and one person's home.

    Attributes:
        command: starts it: the program, behind what leads into its system (`chroot …`).
        person: the person's home folder, as this process sees it.
        seen: the same folder as the program sees it.
        around: the program's environment, beside the person's.
        place: of the data folder in the home; none is where BigMind puts it by itself on Linux.
    """

    command: Sequence[str]
    person: Path
    seen: str = ""
    around: dict[str, str] = field(default_factory=dict)
    place: str = "memory"

    @property
    def home(self) -> Path:
        """The data folder, as this process sees it."""
        return self.person / (self.place or ".local/share/BigMind")

    def environment(self) -> dict[str, str]:
        """All that its processes are told: nothing of whoever runs this."""
        seen = self.seen or str(self.person)
        kept = {
            name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR") if name in os.environ
        }
        own = {"HOME": seen, "USERPROFILE": seen, "LOCALAPPDATA": seen, "APPDATA": seen, "LANG": "C.UTF-8"}
        chosen = {"BIGMIND_HOME": f"{seen}/{self.place}"} if self.place else {}
        return {**kept, **own, **chosen, "BIGMIND_USER": "ada", "BIGMIND_PORT": "0", **self.around}

    def run(self, *arguments: str, code: int = 0, **more: str) -> str:
        """Run a command to its end; what it says. Raises AssertionError when it ends otherwise than expected."""
        done = subprocess.run(
            [*self.command, *arguments],
            env={**self.environment(), **more},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == code, f"{arguments} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def running(self) -> dict[str, Any]:
        """What the run file says of its server."""
        return json.loads((self.home / "run.json").read_text(encoding="utf-8"))

    def post(self, path: str, body: dict[str, Any], client: str = "cli") -> dict[str, Any]:
        """A request over HTTP, with the token of a client."""
        token = (self.home / "tokens" / client).read_text(encoding="utf-8").strip()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "Accept": "application/json"}
        request = Request(f"http://127.0.0.1:{self.running()['port']}{path}", json.dumps(body).encode(), headers)
        with LOCAL.open(request, timeout=SECONDS) as answer:
            return json.loads(answer.read())

    def operation(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Run an operation over the JSON API."""
        return self.post(f"/api/v1/{name}", arguments)

    @contextmanager
    def bridge(self, *arguments: str) -> Iterator["Bridge"]:
        """The stdio bridge, for the length of a block; it starts the server when none runs."""
        process = subprocess.Popen(
            [*self.command, "mcp", *arguments],
            env=self.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            bridge = Bridge(process)
            bridge.greet()
            yield bridge
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait(SECONDS) == 0
        finally:
            process.kill()
            process.wait(SECONDS)
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()


class Bridge:
    """A client's end of the bridge."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self._numbers = count(1)

    def greet(self) -> None:
        """The handshake."""
        about = {"name": "smoke", "version": "1"}
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=about)
        self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def tool(self, name: str, **arguments: Any) -> str:
        """Call a tool that must succeed; its words."""
        result = self.ask("tools/call", name=name, arguments=arguments)
        assert not result.get("isError"), result
        return "\n".join(each["text"] for each in result["content"])

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a request, and wait for its answer."""
        number = next(self._numbers)
        self._say({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            said = json.loads(line)
            if said.get("id") == number and "method" not in said:
                assert "result" in said, said
                return said["result"]
        stderr = self._process.stderr.read().decode(errors="replace") if self._process.stderr else ""
        raise AssertionError(f"the bridge ended without an answer to {method}: {stderr}")

    def _say(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()


def said(step: str) -> None:
    """Tell that a step was seen to work."""
    print(f"ok: {step}", flush=True)
    sys.stdout.flush()
