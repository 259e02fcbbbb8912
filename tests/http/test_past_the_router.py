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
from bigmind.http.asgi import Send
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


def told_of(fault: Exception, sent: list[Any], before: tuple[Any, ...] = ()) -> None:
    """Put into `sent` what is answered where the application raises that, after it sent what is `before`."""

    async def raising(_scope: Any, _receive: Any, send: Send) -> None:
        for message in before:
            await send(message)
        raise fault

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError

    scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": []}
    anyio.run(answered_or_told, raising, scope, receive, send)


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [(BigMindError(Code.NOT_FOUND, "There is none."), 404, "not_found"), (ValueError("inner detail"), 500, "internal")],
)
def test_a_fault_behind_the_guard_is_told_as_the_router_tells_it(
    fault: Exception, status: int, code: str, caplog: pytest.LogCaptureFixture
):
    sent: list[Any] = []
    with caplog.at_level(logging.ERROR):
        told_of(fault, sent)
    assert sent[0]["status"] == status
    assert json.loads(sent[1]["body"])["code"] == code
    assert b"inner detail" not in sent[1]["body"]
    assert ("inner detail" in caplog.text) is isinstance(fault, ValueError)


@pytest.mark.parametrize("fault", [BigMindError(Code.STORAGE_FULL, "The disk is full."), ValueError("inner detail")])
def test_a_fault_after_an_answer_began_is_logged_and_ends_it(fault: Exception, caplog: pytest.LogCaptureFixture):
    sent: list[Any] = []
    start: dict[str, Any] = {"type": "http.response.start", "status": 200, "headers": []}
    with caplog.at_level(logging.ERROR), pytest.raises(type(fault)) as raised:
        told_of(fault, sent, (start,))
    assert raised.value is fault
    assert sent == [start]
    [logged] = caplog.records
    assert logged.exc_info is not None
    assert str(fault) in caplog.text


def test_who_rests_on_the_brain_is_told_when_to_ask_again():
    sent: list[Any] = []
    told_of(BigMindError(Code.BRAIN_UNAVAILABLE, "The brain is down."), sent)
    assert (b"retry-after", b"30") in sent[0]["headers"]
    assert sent[0]["status"] == 503
