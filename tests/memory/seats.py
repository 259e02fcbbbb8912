"""People at their desks: the same request of one person over every surface there is, and what came of it."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from typer.testing import CliRunner

from bigmind import VERSION
from bigmind.cli.commands import add_operations
from bigmind.cli.operation_commands.command_words import command_words
from bigmind.core.errors import BigMindError
from bigmind.core.operation import Role, Surface
from bigmind.local.runfile import RunningServer, publish
from bigmind.paths import token_file, write_private_file
from bigmind.people.service import NOBODY, ensure_user
from bigmind.people.token_format import TokenKind
from bigmind.wiring import catalogue
from tests.http.inside import Inside

NOT_OFFERED = "not offered"


@dataclass
class Seat:
    """A user with a role and a token of each kind, and a folder in which their command line finds the server."""

    inside: Inside
    username: str
    home: Path
    tokens: dict[TokenKind, str]
    user_id: int

    @property
    def address(self) -> str:
        return self.inside.address

    def token(self, client: str = "cli") -> str:
        return self.tokens[TokenKind(client)]

    def over_dispatcher(self, operation: str, arguments: dict[str, Any], kind: TokenKind) -> dict[str, Any] | str:
        found = self.inside.mind.dispatcher.catalogue.get(operation)
        assert found is not None
        caller = self.inside.caller(self.tokens[kind])
        try:
            return self.inside.mind.dispatcher.run(found, caller, arguments).model_dump(mode="json")
        except BigMindError as error:
            return str(error.code)

    def over_api(self, operation: str, arguments: dict[str, Any], kind: TokenKind) -> dict[str, Any] | str:
        with self.inside.http(self.tokens[kind]) as http:
            said = http.post(f"/api/v1/{operation}", json=arguments)
        return said.json() if said.status_code == 200 else said.json()["code"]

    def over_mcp(self, operation: str, arguments: dict[str, Any], kind: TokenKind) -> dict[str, Any] | str:
        if Surface.MCP not in _offered(operation):
            return NOT_OFFERED
        answered = self.inside.rpc(self.tokens[kind], "tools/call", name=operation, arguments=arguments)["result"]
        data = answered["structuredContent"]
        return data["error"]["code"] if answered["isError"] else data

    def over_cli(self, operation: str, arguments: dict[str, Any], kind: TokenKind) -> dict[str, Any] | str:
        if kind is not TokenKind.CLI:
            return NOT_OFFERED
        app = typer.Typer()
        add_operations(app, lambda: self.home)
        feature, verb = command_words(operation)
        found = catalogue().get(operation)
        assert found is not None
        words = [feature, verb, "--json"]
        for name, value in arguments.items():
            is_required = found.input_model.model_fields[name].is_required()
            words += [str(value)] if is_required else [f"--{name.replace('_', '-')}", str(value)]
        result = CliRunner().invoke(app, words)
        if isinstance(result.exception, BigMindError):
            return str(result.exception.code)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)


def _offered(operation: str) -> frozenset[Surface]:
    found = catalogue().get(operation)
    assert found is not None
    return found.surfaces


Way = Callable[[Seat, str, dict[str, Any], TokenKind], dict[str, Any] | str]
WAYS: dict[str, Way] = {
    "dispatcher": Seat.over_dispatcher,
    "api": Seat.over_api,
    "mcp": Seat.over_mcp,
    "cli": Seat.over_cli,
}


def seat(inside: Inside, username: str, role: Role, folder: Path) -> Seat:
    """Give a user of that role a seat."""
    with inside.mind.store.write(NOBODY, "test") as work:
        user = ensure_user(work, username)
        user.role = role
        work.session.add(user)
    tokens = {kind: inside.token(username, kind) for kind in TokenKind}
    home = folder / username
    publish_to(home, inside, tokens[TokenKind.CLI])
    return Seat(inside, username, home, tokens, user.id or 0)


def publish_to(home: Path, inside: Inside, secret: str) -> None:
    """Let a folder look like the home of the running server to the command line of one user."""
    token_file(home, "cli").parent.mkdir(parents=True)
    write_private_file(token_file(home, "cli"), secret)
    publish(home, RunningServer(os.getpid(), inside.port, inside.key, VERSION))
