"""What is posted to the MCP endpoint goes past the router: who asks is as ever, and so is what a fault says."""

import json
import logging
from dataclasses import replace
from typing import Any

import anyio
import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller, Role
from bigmind.http import guard
from bigmind.http.problems import answered_or_told
from bigmind.people.authentication import Principal
from bigmind.people.token_format import TokenKind

ADA = Caller(1, "ada", Role.MEMBER, "codex", 7)
HEADERS = [(b"host", b"127.0.0.1"), (b"bigmind-connection", b"c1"), (b"bigmind-project", b"orders")]


def asked(principal: Principal, *more: tuple[bytes, bytes]) -> Caller:
    return guard._on_connection({"headers": [*HEADERS, *more]}, principal)


def test_who_asks_is_told_by_token_and_headers_each_time():
    client = Principal(ADA, TokenKind.CLIENT, None)
    curator = replace(client, caller=replace(ADA, role=Role.CURATOR))
    assert asked(client) == replace(ADA, connection="c1", project="orders")
    assert asked(client) == asked(client, (b"content-length", b"12"))
    assert asked(curator).role is Role.CURATOR
    assert asked(client, (b"bigmind-agent", b"reviewer")).client == "codex/reviewer"
    assert asked(client).client == "codex"
    for _ in range(2):
        with pytest.raises(guard.RefusalError, match="bigmind-project header is not one name"):
            asked(client, (b"bigmind-project", b"another"))


def test_what_is_long_is_not_kept_of_headers():
    client = Principal(ADA, TokenKind.CLIENT, None)
    kept = guard._said_on_connection.cache_info().currsize
    folder = "/" + "f" * guard.MOST_KNOWN
    assert asked(client, (b"bigmind-workspace", folder.encode())).workspace == folder
    assert guard._said_on_connection.cache_info().currsize == kept


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [(BigMindError(Code.NOT_FOUND, "There is none."), 404, "not_found"), (ValueError("inner detail"), 500, "internal")],
)
def test_a_fault_behind_the_guard_is_told_as_the_router_tells_it(
    fault: Exception, status: int, code: str, caplog: pytest.LogCaptureFixture
):
    sent: list[Any] = []

    async def raising(*_: Any) -> None:
        raise fault

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError

    scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": []}
    with caplog.at_level(logging.ERROR):
        anyio.run(answered_or_told, raising, scope, receive, send)
    assert sent[0]["status"] == status
    assert json.loads(sent[1]["body"])["code"] == code
    assert b"inner detail" not in sent[1]["body"]
    assert ("inner detail" in caplog.text) is isinstance(fault, ValueError)
