"""The stream of changes, as a browser's EventSource reads it."""

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import anyio
import httpx
import pytest

from bigmind.core.operation import Presence
from bigmind.memory.sessions.overview import newest_change
from bigmind.people.service import NOBODY, ensure_user
from tests.ui.serving import Running
from ui import event_stream
from ui.event_stream import APART_SECONDS, SERVER, LiveStreams

LISTENING = ": listening"


def _messages(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    message: dict[str, Any] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        if line.startswith(":"):
            yield {"comment": line}
        elif line:
            message[name] = value
        else:
            if "data" in message:
                yield {**message, **json.loads(message["data"])}
            message = {}


def _store(server: Running, fact: str) -> None:
    server.call("memory_store_fact", category="decision", fact=fact, confidence=0.5)


def test_a_write_is_told_by_its_kinds_and_nothing_else(server: Running, client: httpx.Client) -> None:
    with client.stream("GET", "/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.headers["cache-control"] == "no-store"
        messages = _messages(stream.iter_lines())
        assert next(messages) == {"comment": LISTENING}
        _store(server, "a secret word")
        told = next(messages)
    assert told["event"] == "changed"
    assert told["kinds"] == ["fact"]
    assert "secret" not in json.dumps(told)


def test_a_stream_goes_on_where_the_last_one_ended(server: Running, client: httpx.Client) -> None:
    _store(server, "one")
    with client.stream("GET", "/events?after=0") as stream:
        messages = _messages(stream.iter_lines())
        next(messages)
        first = next(messages)
        assert "fact" in first["kinds"]
    _store(server, "while nobody listened")
    with client.stream("GET", "/events?after=0", headers={"Last-Event-ID": first["id"]}) as stream:
        messages = _messages(stream.iter_lines())
        next(messages)
        missed = next(messages)
    assert missed["kinds"] == ["fact"]
    assert int(missed["id"]) == int(first["id"]) + 1


def test_who_knows_everything_is_told_only_what_is_new(server: Running, client: httpx.Client) -> None:
    _store(server, "one")
    with client.stream("GET", "/events?after=0") as stream:
        messages = _messages(stream.iter_lines())
        next(messages)
        known = next(messages)["id"]
    with client.stream("GET", "/events", headers={"Last-Event-ID": known}) as stream:
        messages = _messages(stream.iter_lines())
        next(messages)
        server.call("memory_update_profile", role="Something new")
        assert next(messages)["kinds"] == ["profile"]


@pytest.mark.parametrize("known", ["nonsense", "-1", "9" * 40, "²"])
def test_an_odd_number_counts_as_none(server: Running, client: httpx.Client, known: str) -> None:
    with client.stream("GET", "/events", params={"after": known}) as stream:
        messages = _messages(stream.iter_lines())
        assert next(messages) == {"comment": LISTENING}
        _store(server, "one")
        assert "fact" in next(messages)["kinds"]


def test_nobody_hears_of_another_users_changes(server: Running, client: httpx.Client) -> None:
    with server.mind.store.write(NOBODY, "test") as work:
        bob = replace(server.caller, user_id=ensure_user(work, "bob").id or 0, username="bob")
    operation = server.mind.dispatcher.catalogue.get("memory_add_hypothesis")
    assert operation is not None
    with client.stream("GET", "/events") as stream:
        messages = _messages(stream.iter_lines())
        next(messages)
        server.mind.dispatcher.run(operation, bob, {"hypothesis": "Nobody sees this", "confidence": 0.5})
        server.call("memory_update_profile", role="Mine")
        assert next(messages)["kinds"] == ["profile"]


def test_everybody_hears_of_what_a_user_shares(server: Running, client: httpx.Client) -> None:
    with server.mind.store.write(NOBODY, "test") as work:
        bob = replace(server.caller, user_id=ensure_user(work, "bob").id or 0, username="bob")

    def do(name: str, **arguments: Any) -> Any:
        operation = server.mind.dispatcher.catalogue.get(name)
        assert operation is not None
        return server.mind.dispatcher.run(operation, bob, arguments)

    with client.stream("GET", "/events") as stream:
        messages = _messages(stream.iter_lines())
        next(messages)
        thought = "Refunds over 500 EUR need an idempotency key, because the gateway repeats requests."
        private = do("contribute_to_brain", prompt=thought, space="private").trace.thought_id
        do("memory_promote_to_global", category="standard", title="Refunds", content="Refunds are done twice.")
        assert next(messages)["kinds"] == ["knowledge"]
        do("work_create_task", title="Round refunds to the cent", type="task")
        assert next(messages)["kinds"] == ["work_item"]
        do("brain_share_thought", id=private)
        assert next(messages)["kinds"] == ["thought"]
        do("memory_forget", id=private)
        known = next(messages)
        assert known["kinds"] == ["thought"]
    do("memory_store_fact", category="decision", fact="Bob likes brass")
    do("contribute_to_brain", prompt=f"{thought} Nobody else reads this.", space="private")
    do("work_create_task", title="Round invoices to the cent", type="task")
    with client.stream("GET", "/events", headers={"Last-Event-ID": known["id"]}) as stream:
        messages = _messages(stream.iter_lines())
        next(messages)
        assert next(messages)["kinds"] == ["work_item"]


def test_a_burst_of_writes_is_few_messages_well_apart(server: Running) -> None:
    told: list[tuple[float, int, list[str]]] = []
    writes = 12

    async def listen() -> None:
        streams = LiveStreams(server.mind)
        burst = threading.Thread(target=lambda: [_store(server, f"fact {each}") for each in range(writes)])
        async for message in streams.messages(server.caller, None):
            if message.comment:
                burst.start()
                continue
            if message.event == "ping":  # the last one came before its writer's thread was over
                streams.close()
                continue
            told.append((anyio.current_time(), int(message.id or 0), json.loads(str(message.data))["kinds"]))
            if not burst.is_alive() and told[-1][1] == _newest(server):
                streams.close()

    # On a thread of its own: a browser of another test may have an event loop on this one.
    listener = threading.Thread(target=anyio.run, args=(listen,))
    listener.start()
    listener.join(60)
    assert not listener.is_alive()
    assert len(told) < writes
    assert [number for _, number, _ in told] == sorted({number for _, number, _ in told})
    gaps = [after[0] - before[0] for before, after in pairwise(told)]
    assert all(gap > APART_SECONDS * 0.9 for gap in gaps)


def test_a_window_whose_stream_begins_after_it_was_to_look_again_looks(server: Running) -> None:
    told: dict[Presence, list[str]] = {}

    async def listen(streams: LiveStreams, presence: Presence) -> None:
        async for message in streams.messages(replace(server.caller, presence=presence), None):
            if message.comment and presence is not Presence.WINDOW:
                streams.close()
            elif not message.comment:
                told[presence] = json.loads(str(message.data))["kinds"]
                streams.close()

    async def listen_late() -> None:
        for presence in (Presence.WINDOW, Presence.PAGE):
            streams = LiveStreams(server.mind)
            streams.tell_windows()
            await listen(streams, presence)

    listener = threading.Thread(target=anyio.run, args=(listen_late,))
    listener.start()
    listener.join(60)
    assert not listener.is_alive()
    assert told == {Presence.WINDOW: [SERVER]}


def _newest(server: Running) -> int:
    with server.mind.store.read(server.caller, "test") as work:
        return newest_change(work)


def test_a_silent_stream_is_kept_alive(server: Running, client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "PING_SECONDS", 0.01)
    with client.stream("GET", "/events") as stream:
        messages = _messages(stream.iter_lines())
        assert next(messages) == {"comment": LISTENING}
        assert next(messages)["event"] == "ping"
        _store(server, "still there")
        assert any("fact" in message.get("kinds", ()) for message in messages)


def test_closing_ends_every_stream_and_lets_no_new_one_begin(server: Running, client: httpx.Client) -> None:
    with client.stream("GET", "/events") as stream:
        messages = _messages(stream.iter_lines())
        assert next(messages) == {"comment": LISTENING}
        server.close()
        assert list(messages) == []
    assert client.get("/events").status_code == 503


def test_signing_out_ends_the_stream(server: Running, client: httpx.Client) -> None:
    with client.stream("GET", "/events") as stream:
        messages = _messages(stream.iter_lines())
        next(messages)
        with httpx.Client(base_url=server.url, cookies=dict(client.cookies)) as same_browser:
            token = same_browser.get("/").text.split('name="form_token" value="')[1].split('"')[0]
            assert same_browser.post("/sign-out", data={"form_token": token}).status_code == 303
        assert [message for message in messages if message.get("kinds") not in (None, ["token"])] == []
    assert client.get("/events").status_code == 401


def test_a_browser_that_goes_away_is_forgotten(server: Running, client: httpx.Client) -> None:
    before = len(server.mind.store.events._listeners)
    gone = threading.Event()
    with client.stream("GET", "/events") as stream:
        messages = _messages(stream.iter_lines())
        next(messages)
        assert len(server.mind.store.events._listeners) == before + 1
    while len(server.mind.store.events._listeners) > before:
        assert not gone.wait(0.01)
