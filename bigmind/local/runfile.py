"""The run file: where the server of a home is, and what proves that it is the one."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from bigmind.paths import run_file, write_private_file

_HIGHEST_PORT = 65_535


@dataclass(frozen=True, slots=True)
class RunningServer:
    """What a server wrote of itself when it became ready. May be stale: only its proof says that it still runs."""

    pid: int
    port: int
    key: str
    version: str

    @property
    def address(self) -> str:
        """The server's address, without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"


def publish(home: Path, server: RunningServer) -> None:
    """Write the run file, whole or not at all, for this user only."""
    write_private_file(run_file(home), json.dumps(asdict(server)))


def published(home: Path) -> RunningServer | None:
    """What the run file says; None when there is none or it cannot be read as one."""
    try:
        said = json.loads(run_file(home).read_text(encoding="utf-8"))
        server = RunningServer(int(said["pid"]), int(said["port"]), str(said["key"]), str(said["version"]))
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    return server if 0 < server.port <= _HIGHEST_PORT else None


def withdraw(home: Path, server: RunningServer) -> None:
    """Remove the run file, unless another server has written its own meanwhile."""
    if published(home) == server:
        run_file(home).unlink(missing_ok=True)
