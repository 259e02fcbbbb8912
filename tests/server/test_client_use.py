"""What is kept of clients' use: calls, tokens and when, over restarts, without a write per call."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, text
from sqlmodel import select

from bigmind.core.deliveries import SAMPLE
from bigmind.core.operation import Caller, Mode, Role
from bigmind.core.toolsets import DEFAULT_TOOLS, UNLESS_CHOSEN, Toolset
from bigmind.operations.tools import tool_table
from bigmind.people.service import NOBODY, person
from bigmind.people.token_format import TokenKind
from bigmind.store.store import Store
from bigmind.text.tokens import about_tokens, count_tokens
from bigmind.usage.counts import ClientUse, client_use, clients_lately
from bigmind.usage.keeper import MOST_CLIENTS, UseKeeper, keep_use
from bigmind.usage.tables import ClientState
from bigmind.wiring import Mind, catalogue, open_mind
from tests.http.inside import FakeClock, Inside, server_inside
from tests.support import Server, running_server

pytestmark = pytest.mark.xdist_group("client_use")

TABLE = tool_table(catalogue(), Mode.PERSONAL)
EVERY = TABLE.every()
DEFAULT_COST = sum(EVERY[name].tokens for name in DEFAULT_TOOLS)
DOORS = "Doors are shut."


@pytest.fixture
def inside(home: Path) -> Iterator[Inside]:
    with server_inside(home) as started:
        yield started


def use_of(mind: Mind, username: str = "ada") -> dict[str, ClientUse]:
    with mind.store.read(person(mind.store, username), "test") as work:
        return client_use(work)


def rows(store: Store) -> dict[str, tuple[int, int]]:
    with store.read(NOBODY, "test") as work:
        return {each.client: (each.calls, each.tokens) for each in work.session.exec(select(ClientState))}


def called(mind: Mind, client: str, *, is_person: bool = False) -> None:
    user = person(mind.store, "ada").user_id
    mind.store.host.activity.note(Caller(user, "ada", Role.ADMIN, client, 0, is_person=is_person))


def test_calls_and_tokens_are_counted_over_mcp(inside: Inside) -> None:
    cursor = inside.token(kind=TokenKind.CLIENT, client="cursor")
    tools = inside.rpc(cursor, "tools/list")["result"]["tools"]
    assert len(tools) == len(DEFAULT_TOOLS)
    assert use_of(inside.mind)["cursor"].tokens == DEFAULT_COST
    assert use_of(inside.mind)["cursor"].calls == 0
    answers = [
        inside.rpc(cursor, "tools/call", name="memory_store_fact", arguments=given)["result"]
        for given in ({"category": "rule", "fact": DOORS}, {"category": "rule"})
    ]
    texts = [answer["content"][0]["text"] for answer in answers]
    assert [answer["isError"] for answer in answers] == [False, True]
    read = inside.rpc(cursor, "resources/read", uri="memory://profile")["result"]["contents"][0]["text"]
    prompt = inside.rpc(cursor, "prompts/get", name="bigmind_end")["result"]["messages"][0]["content"]["text"]
    used = use_of(inside.mind)["cursor"]
    assert used.calls == len(answers)
    assert used.tokens == DEFAULT_COST + sum(about_tokens(each) for each in (*texts, read, prompt))
    assert used.last_at is not None
    assert used.toolsets == ()


def test_people_are_no_clients(inside: Inside) -> None:
    secret = inside.token()
    inside.rpc(secret, "tools/list")
    inside.rpc(secret, "tools/call", name="memory_list_facts", arguments={})
    assert use_of(inside.mind) == {}
    assert keep_use(inside.mind.store) == 0


def test_what_is_kept_adds_up_and_is_still_there_when_the_store_is_opened_again(home: Path) -> None:
    clock = FakeClock()
    mind = open_mind(home, "ada", clock)
    for _ in range(3):
        called(mind, "cursor")
    assert keep_use(mind.store) == 1
    assert use_of(mind)["cursor"].calls == 3
    clock.forward(timedelta(days=2))
    called(mind, "cursor")
    assert (use_of(mind)["cursor"].calls, rows(mind.store)["cursor"][0]) == (4, 3)
    assert keep_use(mind.store) == 1
    assert keep_use(mind.store) == 0
    mind.close()
    at = clock.now
    clock.forward(timedelta(days=3))
    mind = open_mind(home, "ada", clock)
    try:
        kept = use_of(mind)["cursor"]
        assert kept.last_at is not None
        assert (kept.calls, kept.last_at.date()) == (4, at.date())
        with mind.store.read(person(mind.store, "ada"), "test") as work:
            assert [(each.name, each.calls) for each in clients_lately(work)] == [("cursor", 4)]
    finally:
        mind.close()


def test_keeping_it_is_no_change_and_no_event_and_goes_on_while_paused(mind: Mind) -> None:
    heard: list[object] = []
    mind.store.events.subscribe(heard.append)
    mind.store.host.activity.pause(paused=True)

    def changes() -> int:
        with mind.store.read(NOBODY, "test") as work:
            return work.session.execute(text("SELECT count(*) FROM change")).scalar_one()

    before = changes()
    called(mind, "cursor")
    assert keep_use(mind.store) == 1
    assert (changes(), heard, rows(mind.store)) == (before, [], {"cursor": (1, 0)})


def test_without_any_use_nothing_is_written(mind: Mind) -> None:
    called(mind, "cli", is_person=True)
    committed: list[object] = []

    def hear(connection: object) -> None:
        committed.append(connection)

    event.listen(Engine, "commit", hear)
    try:
        keeper = UseKeeper(mind.store)
        keeper.start()
        keeper.stop()
    finally:
        event.remove(Engine, "commit", hear)
    assert committed == []


def test_it_is_kept_now_and_then_while_it_runs(mind: Mind) -> None:
    kept = threading.Event()

    def hear(_: object) -> None:
        kept.set()

    called(mind, "cursor")
    event.listen(Engine, "commit", hear)
    keeper = UseKeeper(mind.store, apart=0.01)
    keeper.start()
    try:
        assert kept.wait(30)
    finally:
        event.remove(Engine, "commit", hear)
        keeper.stop()
    assert rows(mind.store) == {"cursor": (1, 0)}


def test_what_could_not_be_kept_is_kept_later(mind: Mind, caplog: pytest.LogCaptureFixture) -> None:
    def do(statement: str) -> None:
        with mind.store.write(NOBODY, "test") as work:
            work.session.execute(text(statement))

    called(mind, "cursor")
    do("CREATE TRIGGER no_more BEFORE INSERT ON client_state BEGIN SELECT RAISE(ABORT, 'no more'); END")
    keeper = UseKeeper(mind.store)
    keeper.stop()
    assert "kept later" in caplog.text
    assert rows(mind.store) == {}
    assert use_of(mind)["cursor"].calls == 1
    do("DROP TRIGGER no_more")
    keeper.stop()
    assert rows(mind.store) == {"cursor": (1, 0)}


def test_a_client_of_many_names_pushes_out_the_oldest_but_no_choice(mind: Mind) -> None:
    dispatcher, ada = mind.dispatcher, person(mind.store, "ada")
    operation = dispatcher.catalogue.get("clients_toolsets")
    assert operation is not None
    dispatcher.run(operation, ada, {"client": "chosen", "toolsets": "all"})
    for each in ("chosen", "first", *(f"name {number}" for number in range(MOST_CLIENTS - 1))):
        called(mind, each)
        if each == "first":
            keep_use(mind.store)
    keep_use(mind.store)
    assert "first" in rows(mind.store)
    called(mind, "one more")
    keep_use(mind.store)
    kept = rows(mind.store)
    assert len(kept) == MOST_CLIENTS + 1
    assert {"chosen", "one more"} <= kept.keys()
    assert use_of(mind)["chosen"].toolsets == (Toolset.ALL,)


def test_one_users_clients_are_not_anothers(inside: Inside) -> None:
    ada, bob = (inside.token(name, TokenKind.CLIENT, client="cursor") for name in ("ada", "bob"))
    for secret, times in ((ada, 1), (bob, 2)):
        for _ in range(times):
            inside.rpc(secret, "tools/call", name="memory_list_facts", arguments={})
    with inside.http(inside.token("bob")) as http:
        assert http.post("/api/v1/clients_toolsets", json={"client": "cursor", "toolsets": "all"}).status_code == 200
    for _ in ("counted", "kept"):
        assert [use_of(inside.mind, name)["cursor"].calls for name in ("ada", "bob")] == [1, 2]
        keep_use(inside.mind.store)
    assert [len(inside.rpc(each, "tools/list")["result"]["tools"]) for each in (ada, bob)] == [
        len(DEFAULT_TOOLS),
        len(EVERY),
    ]


def test_the_choice_of_a_client_is_read_once_and_again_when_it_changed(inside: Inside) -> None:
    asked: list[str] = []

    def hear(_connection: object, _cursor: object, statement: str, *_more: Any) -> None:
        if "client_state" in statement:
            asked.append(statement)

    cursor = inside.token(kind=TokenKind.CLIENT, client="cursor")
    event.listen(Engine, "before_cursor_execute", hear)
    try:
        for _ in range(3):
            assert len(inside.rpc(cursor, "tools/list")["result"]["tools"]) == len(DEFAULT_TOOLS)
        assert len(asked) == 1
        with inside.http(inside.token()) as http:
            http.post("/api/v1/clients_toolsets", json={"client": "cursor", "toolsets": "all"}).raise_for_status()
        asked.clear()
        for _ in range(3):
            assert len(inside.rpc(cursor, "tools/list")["result"]["tools"]) == len(EVERY)
        assert len(asked) == 1
    finally:
        event.remove(Engine, "before_cursor_execute", hear)


def test_the_same_choice_again_changes_nothing_and_a_name_that_nobody_has_is_pointed_out(inside: Inside) -> None:
    heard: list[object] = []
    inside.mind.store.events.subscribe(heard.append)
    inside.rpc(inside.token(kind=TokenKind.CLIENT, client="cursor"), "tools/list")
    heard.clear()

    def choose(client: str, toolsets: list[str]) -> dict[str, Any]:
        with inside.http(token) as http:
            return http.post("/api/v1/clients_toolsets", json={"client": client, "toolsets": toolsets}).json()

    token = inside.token()
    heard.clear()
    assert choose("curser", [])["seen"] == ["cursor"]
    assert heard == []
    assert choose("cursor", ["memory"])["seen"] == []
    assert choose("cursor", ["memory"])["toolsets"] == ["memory"]
    assert len(heard) == 1
    assert use_of(inside.mind).keys() == {"cursor"}


def test_a_server_that_stops_keeps_it_and_one_that_is_killed_harms_nothing(home: Path) -> None:
    def served(server: Server) -> None:
        with server.http("bridge") as http:
            http.post("/api/v1/memory_list_facts", json={}, headers={"BigMind-Client": "cursor"}).raise_for_status()

    def calls() -> int:
        mind = open_mind(home, "ada")
        try:
            return use_of(mind)["cursor"].calls
        finally:
            mind.close()

    with running_server(home) as server:
        for _ in range(2):
            served(server)
        assert server.stop() == 0
    assert calls() == 2
    with running_server(home) as server:
        served(server)
        server.kill()
    assert calls() in {2, 3}


def test_a_long_text_is_judged_by_its_beginning() -> None:
    sentence = "The pool has fifty connections; getUserById waits for one, up to 30 seconds. "
    assert about_tokens(DOORS) == count_tokens(DOORS)
    assert about_tokens("") == 0
    for times in (SAMPLE // len(sentence), 200, 1_000):
        whole = count_tokens(sentence * times)
        assert 0.95 * whole <= about_tokens(sentence * times) <= 1.05 * whole
        assert about_tokens((sentence * times)[:SAMPLE], len(sentence) * times) == about_tokens(sentence * times)


def test_offered_tools_are_those_of_the_toolsets_without_what_is_off() -> None:
    assert TABLE.offered(UNLESS_CHOSEN).keys() == {*DEFAULT_TOOLS}
    assert TABLE.offered([Toolset.ALL], off={"memory_vacuum"}).keys() == EVERY.keys() - {"memory_vacuum"}
    assert len(TABLE.offered([Toolset.PROTOCOL])) == 6
