"""A person's machine: a home of their own, in which a real server connects real files of clients."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.support import Server, own_environment, running_server


@dataclass
class Machine:
    """A home with a server that runs as its owner."""

    home: Path
    server: Server

    def file(self, name: str, text: str) -> Path:
        """Write a file below the home."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def tree(self) -> dict[str, bytes | None]:
        """Everything below the home, by name: folders have no bytes."""
        return tree_of(self.home)

    def post(self, operation: str, **arguments: object) -> httpx.Response:
        """Ask for an operation as the person at the command line."""
        with self.server.http() as http:
            return http.post(f"/api/v1/{operation}", json=arguments)

    def show(self, client: str, **more: object) -> dict[str, Any]:
        return self.server.call("clients_show", client=client, **more)

    def install(self, client: str, **more: object) -> dict[str, Any]:
        """Show, and say yes."""
        plan = self.show(client, **more)["plan"]
        return self.server.call("clients_install", client=client, plan=plan, **more)

    def remove(self, client: str, **more: object) -> dict[str, Any]:
        """Show what goes, and say yes."""
        plan = self.show(client, remove=True, **more)["plan"]
        return self.server.call("clients_remove", client=client, plan=plan, **more)

    def repair(self) -> dict[str, Any]:
        """Show what a repair of all clients would change, and say yes."""
        return self.server.call("clients_repair", plan=self.server.call("clients_show_repair")["plan"])

    def state(self, client: str) -> dict[str, Any]:
        """How a client stands to BigMind."""
        rows = self.server.call("clients_list")["clients"]
        return next(each for each in rows if each["client"] == client)

    def tokens(self, client: str) -> list[dict[str, Any]]:
        """The valid tokens of a client."""
        return [each for each in self.server.call("token_list")["tokens"] if each["client"] == client]


def tree_of(folder: Path) -> dict[str, bytes | None]:
    """Everything below a folder, by name."""
    return {
        str(each.relative_to(folder)): each.read_bytes() if each.is_file() else None
        for each in sorted(folder.rglob("*"))
    }


@contextmanager
def machine_in(folder: Path, **more: str) -> Iterator[Machine]:
    """A machine below a folder, for the length of a block; BigMind's own data lies beside the home."""
    home = folder / "ada"
    home.mkdir(exist_ok=True)
    with running_server(folder / "data", **own_environment(home), **more) as server:
        yield Machine(home, server)
