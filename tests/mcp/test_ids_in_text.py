"""Every id that a next call takes stands in the text of an answer, at least its first eight characters."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from bigmind.core.operation import Effect, Operation, Surface
from bigmind.core.toolsets import Toolset
from bigmind.people.token_format import TokenKind
from bigmind.wiring import catalogue
from tests.http.good import GOOD, Owned, ask, own_things
from tests.http.inside import Inside, server_inside

UID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
LEFT_OUT = {"memory_approve_global", "mindspace_submit_output"}
"""A curator's answer is that of an entry, as of a promotion; outputs are their node's holder's to submit."""
TOOLS = [each for each in catalogue().on(Surface.MCP) if each.name not in LEFT_OUT]


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with server_inside(tmp_path_factory.mktemp("ids") / "home") as started:
        yield started


def uids(data: Any, *, writes: bool, field: str = "") -> set[str]:
    """All ids in an answer's data; where a write belongs is known to its caller, or its own answer's first field."""
    if isinstance(data, dict):
        inner = (uids(value, writes=writes, field=name) for name, value in data.items() if name != "context")
        return {each for found in inner for each in found}
    if isinstance(data, list):
        return {each for value in data for each in uids(value, writes=writes, field=field)}
    if not isinstance(data, str) or not UID.fullmatch(data) or (writes and field == "session_id"):
        return set()
    return {data}


@pytest.fixture(scope="module")
def things(inside: Inside) -> Owned:
    """What is only read."""
    return filled(inside)


def filled(inside: Inside) -> Owned:
    """One of each thing, and a session that goes on."""
    ids = own_things(inside, "ada")
    person = inside.caller(inside.token())
    opened = ask(inside, person, "memory_start_session", project="apollo")["session_id"]
    ask(inside, person, "memory_flag_important", content="The door holds", flag_reason="seen", session_id=opened)
    ask(inside, person, "memory_store_fact", category="decision", fact="The door holds")
    entry = {"category": "standard", "title": f"Door {opened}", "content": f"The door holds, says {opened}."}
    ask(inside, person, "memory_promote_to_global", **entry, source_session=opened)
    return ids


@pytest.fixture(scope="module")
def changed(inside: Inside) -> list[Owned]:
    """What may be changed; the last one is not used up, as far as anybody knows."""
    return [filled(inside)]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda each: each.name)
def test_it_stands_there(inside: Inside, things: Owned, changed: list[Owned], tool: Operation) -> None:
    is_read = tool.effect is Effect.READ
    # Who began a run acts in it.
    token = inside.token(kind=TokenKind.CLIENT, client="cli" if tool.toolset == Toolset.PROTOCOL else "reader")
    ids = things if is_read else changed[-1]
    told = inside.rpc(token, "tools/call", name=tool.name, arguments=GOOD[tool.name](ids))["result"]
    if told["isError"] and not is_read:  # another has changed or used up what it is about
        changed.append(filled(inside))
        told = inside.rpc(token, "tools/call", name=tool.name, arguments=GOOD[tool.name](changed[-1]))["result"]
    assert not told["isError"], told
    found = uids(told["structuredContent"], writes=not is_read)
    text = told["content"][0]["text"]
    assert {each for each in found if each[:8] not in text} == set()
    if tool.name in {"memory_list_facts", "memory_semantic_search", "memory_search_chunks", "memory_list_sessions"}:
        assert found
