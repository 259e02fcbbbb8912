"""`bigmind hook`, run as an IDE runs it: a process, with the client's input on stdin."""

import json
import subprocess
import sys
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from bigmind.local.runfile import published
from bigmind.paths import token_file
from tests.support import environment

PATIENT = {"BIGMIND_HOOK_MILLISECONDS": "60000"}
"""On a machine that is busy with tests, the answer comes when it comes."""

_numbers = count(1)


def new_key() -> str:
    """The id of a conversation that no hook spoke of."""
    return f"conversation-{next(_numbers)}"


def hook_command(event: str, client: str) -> list[str]:
    return [str(Path(sys.executable).with_name("bigmind")), "hook", event, "--client", client]


@dataclass
class Hooks:
    """The hooks of the clients of one home."""

    home: Path

    def run(
        self, client: str, event: str, said: object, cwd: Path | None = None, **more: str
    ) -> subprocess.CompletedProcess[bytes]:
        """Run one with `said` on stdin, as JSON unless it is bytes."""
        return subprocess.run(
            hook_command(event, client),
            input=said if isinstance(said, bytes) else json.dumps(said).encode(),
            capture_output=True,
            env=environment(self.home, **(PATIENT | more)),
            cwd=cwd,
            timeout=120,
            check=False,
        )

    def __call__(self, client: str, event: str, said: object, cwd: Path | None = None) -> str:
        """Run one that must end well: what it printed."""
        done = self.run(client, event, said, cwd)
        assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
        return done.stdout.decode()

    def ask(self, operation: str, **arguments: object) -> Any:
        """Run an operation of the server that the hooks find, as a person."""
        said = published(self.home)
        assert said is not None
        headers = {"Authorization": f"Bearer {token_file(self.home, 'cli').read_text().strip()}"}
        answered = httpx.post(f"{said.address}/api/v1/{operation}", json=arguments, headers=headers, trust_env=False)
        return answered.raise_for_status().json()

    def json(self, client: str, event: str, said: object, cwd: Path | None = None) -> Any:
        return json.loads(self(client, event, said, cwd))
