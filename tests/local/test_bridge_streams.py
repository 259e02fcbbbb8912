"""The bridge passes on what the server tells by itself, over restarts of the server too."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from bigmind.mcp.addresses import LONGEST_URI, MOST_URIS, TOOLS_CHANGED
from bigmind.mcp.bridge import MOST_STREAMS
from bigmind.mcp.bridge_streams import ACKNOWLEDGED, Stream, SubscriptionSet
from tests.local.wire import SECONDS, Bridge, bridge, servers_of
from tests.mcp.clients import new_word
from tests.support import Server, process_wait, running_server, start_server

pytestmark = pytest.mark.xdist_group("shared_server")

KEY = "io.modelcontextprotocol/"
MODERN = {
    f"{KEY}protocolVersion": "2026-07-28",
    f"{KEY}clientInfo": {"name": "wire", "version": "1"},
    f"{KEY}clientCapabilities": {},
}
CONTEXT, PROFILE, HYPOTHESES = "memory://context", "memory://profile", "memory://hypotheses"


@pytest.fixture
def client(shared_server: Server) -> Iterator[Bridge]:
    with bridge(shared_server.home) as opened:
        opened.initialize()
        yield opened


def subscribe(client: Bridge, *uris: str) -> None:
    for uri in uris:
        assert client.ask("resources/subscribe", uri=uri)["result"] == {}


def listen(client: Bridge, *uris: str) -> int:
    """Open a stream of the era without sessions; returns its id."""
    number = client.send("subscriptions/listen", notifications={"resourceSubscriptions": list(uris)}, _meta=MODERN)
    begun = client.next_answer()
    assert begun["method"] == "notifications/subscriptions/acknowledged"
    assert begun["params"]["notifications"]["resourceSubscriptions"] == list(uris)
    assert begun["params"]["_meta"][f"{KEY}subscriptionId"] == number
    return number


def cancel(client: Bridge, number: int) -> None:
    about = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}
    client.line(json.dumps(about).encode())


def told(client: Bridge, many: int) -> list[dict[str, Any]]:
    """The params of so many notifications of changes."""
    messages = [client.next_answer() for _ in range(many)]
    assert {message["method"] for message in messages} == {"notifications/resources/updated"}, messages
    return [message["params"] for message in messages]


def answered_and_told(client: Bridge) -> tuple[dict[str, Any], dict[str, Any]]:
    """An answer and the params of a notification, in either order: the stream has a thread of its own."""
    both = [client.next_answer() for _ in range(2)]
    [answer] = [each for each in both if "id" in each]
    [notification] = [each for each in both if "id" not in each]
    assert notification["method"] == "notifications/resources/updated"
    return answer, notification["params"]


def fact(server: Server) -> None:
    server.call("memory_store_fact", category="decision", fact=new_word())


def hypothesis(server: Server) -> None:
    server.call("memory_add_hypothesis", hypothesis=new_word())


def test_a_client_is_told_of_what_it_subscribed_to_until_it_unsubscribes(shared_server: Server, client: Bridge) -> None:
    subscribe(client, PROFILE, HYPOTHESES, "memory://no/such")
    fact(shared_server)
    assert told(client, 1) == [{"uri": PROFILE}]
    assert client.ask("resources/unsubscribe", uri=PROFILE)["result"] == {}
    fact(shared_server)
    hypothesis(shared_server)
    assert told(client, 1) == [{"uri": HYPOTHESES}]
    for uri in (HYPOTHESES, "memory://no/such", "memory://never"):
        assert client.ask("resources/unsubscribe", uri=uri)["result"] == {}
    fact(shared_server)
    hypothesis(shared_server)
    assert client.ask("ping")["result"] == {}  # and not: something before it
    subscribe(client, PROFILE)
    fact(shared_server)
    assert told(client, 1) == [{"uri": PROFILE}]


def test_a_session_is_told_of_under_the_name_it_was_subscribed_to(shared_server: Server, client: Bridge) -> None:
    opened = client.ask_tool("memory_start_session")["session_id"]
    other = shared_server.call("memory_start_session")["session_id"]
    full, short = f"memory://sessions/{opened}", f"memory://sessions/{opened[:8].upper()}"
    subscribe(client, full, short, "memory://sessions", f"memory://sessions/{opened[:7]}")
    ending = {"one_liner": "Cards repeat.", "topics": ["cards"], "outcome": "Found."}
    shared_server.call("memory_end_session", **ending, session_id=other)
    assert told(client, 1) == [{"uri": "memory://sessions"}]
    shared_server.call("memory_end_session", **ending, session_id=opened)
    assert {each["uri"] for each in told(client, 3)} == {full, short, "memory://sessions"}


@pytest.mark.parametrize("uri", [None, 7, "x" * (LONGEST_URI + 1)])
def test_what_cannot_be_subscribed_to_is_told(client: Bridge, uri: object) -> None:
    error = client.ask("resources/subscribe", uri=uri)["error"]
    assert error["code"] == -32602
    assert str(MOST_URIS) in error["message"]


def test_subscriptions_are_bounded(client: Bridge) -> None:
    subscribe(client, *(f"memory://sessions/{number:08}" for number in range(MOST_URIS)))
    assert client.ask("resources/subscribe", uri=PROFILE)["error"]["code"] == -32602


def test_a_stream_goes_on_until_it_is_cancelled(shared_server: Server, client: Bridge) -> None:
    first, second = listen(client, PROFILE), listen(client, PROFILE, CONTEXT)
    fact(shared_server)
    by_stream = {(each["_meta"][f"{KEY}subscriptionId"], each["uri"]) for each in told(client, 3)}
    assert by_stream == {(first, PROFILE), (second, PROFILE), (second, CONTEXT)}
    cancel(client, second)
    fact(shared_server)
    assert [each["_meta"][f"{KEY}subscriptionId"] for each in told(client, 1)] == [first]
    cancel(client, first)
    cancel(client, 12_345)
    fact(shared_server)
    assert client.ask("ping")["result"] == {}


def test_streams_are_bounded_and_a_cancelled_one_makes_room(client: Bridge) -> None:
    numbers = [listen(client, PROFILE) for _ in range(MOST_STREAMS)]
    wanted = {"notifications": {"resourceSubscriptions": [PROFILE]}, "_meta": MODERN}
    refused = client.ask("subscriptions/listen", **wanted)
    assert str(MOST_STREAMS) in refused["error"]["message"]
    cancel(client, numbers[0])
    again = {"jsonrpc": "2.0", "id": numbers[1], "method": "subscriptions/listen", "params": wanted}
    client.line(json.dumps(again).encode())
    assert client.next_answer()["error"]["code"] == -32600  # the id is one that is still open
    listen(client, PROFILE)


def test_a_stream_that_the_server_refuses_is_answered_and_makes_room(client: Bridge) -> None:
    for _ in range(MOST_STREAMS + 1):
        refused = client.ask("subscriptions/listen", notifications="everything", _meta=MODERN)
        assert refused["error"]["code"] == -32602, refused


def test_the_older_eras_have_no_such_stream(client: Bridge) -> None:
    assert client.ask("subscriptions/listen", notifications={})["error"]["code"] == -32601


def test_the_server_is_started_for_a_subscription(home: Path) -> None:
    with bridge(home) as client:
        client.initialize()
        [server] = servers_of(home)
        server.terminate()
        server.wait(30)
        subscribe(client, PROFILE)
        asked = client.tool("memory_store_fact", category="decision", fact="Fifty digits.")
        answer, change = answered_and_told(client)
        assert (answer["id"], change) == (asked, {"uri": PROFILE})


def test_a_server_that_cannot_be_reached_is_told(home: Path) -> None:
    in_the_way = home.parent / "a-file"
    in_the_way.write_text("x")
    with bridge(home, BIGMIND_HOME=str(in_the_way / "home")) as client:
        for _ in range(2):
            refused = client.ask("resources/subscribe", uri=PROFILE)
            assert "cannot be used: there is a file in its place" in refused["error"]["message"]
            refused = client.ask("subscriptions/listen", notifications={}, _meta=MODERN)
            assert "cannot be used: there is a file in its place" in refused["error"]["message"]


def test_after_a_restart_a_client_is_told_of_everything_it_may_have_missed(home: Path) -> None:
    with running_server(home) as first, bridge(home) as client:
        client.initialize()
        subscribe(client, PROFILE, HYPOTHESES)
        number = listen(client, CONTEXT)
        first.stop()
        with running_server(home) as second:
            missed = told(client, 3)
            assert {each["uri"] for each in missed} == {PROFILE, HYPOTHESES, CONTEXT}
            assert [each["_meta"][f"{KEY}subscriptionId"] for each in missed if "_meta" in each] == [number]
            fact(second)
            assert {each["uri"] for each in told(client, 2)} == {PROFILE, CONTEXT}


def test_a_killed_server_is_like_a_restarted_one(home: Path) -> None:
    first = start_server(home)
    with bridge(home) as client:
        client.initialize()
        subscribe(client, PROFILE)
        first.kill()
        first.process.stderr.close()
        asked = client.tool("memory_get_stats")  # starts the next
        answer, missed = answered_and_told(client)
        assert answer["id"] == asked
        assert missed == {"uri": PROFILE}


def test_a_subscription_does_not_start_a_server_that_was_stopped(home: Path) -> None:
    with running_server(home) as server, bridge(home) as client:
        client.initialize()
        subscribe(client, PROFILE)
        server.stop()
        process_wait(client.process, 1)
        assert servers_of(home) == []
        asked = client.send("ping")  # a request does
        answer, missed = answered_and_told(client)
        assert answer == {"jsonrpc": "2.0", "id": asked, "result": {}}
        assert missed == {"uri": PROFILE}


def test_a_bridge_with_open_streams_ends_with_its_input(home: Path) -> None:
    with running_server(home), bridge(home) as client:
        client.initialize()
        subscribe(client, PROFILE)
        listen(client, CONTEXT)
        assert client.close() == 0


WRITING = """
import sys, threading
from pathlib import Path
from bigmind.mcp.bridge import Bridge

bridge = Bridge(Path(sys.argv[1]), "wire")
begun = threading.Event()


def tell():
    with bridge._output:
        begun.set()
        sys.stdout.buffer.write(b"a" * 1_000_000 + b"\\n")


threading.Thread(target=tell, daemon=True).start()
begun.wait()
bridge.end()
"""


@pytest.mark.parametrize("reads", [True, False])
def test_a_bridge_that_ends_while_a_stream_writes_ends_well_and_lets_it_finish(home: Path, reads: bool) -> None:
    """A thread that holds the output while the interpreter takes itself down aborts the process."""
    command = [sys.executable, "-c", WRITING, str(home)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        if reads:
            assert process.stdout is not None
            assert len(process.stdout.read()) >= 1_000_000
        assert process.wait(SECONDS) == 0


class Opened:
    """A stream that tells what a test says, when it says it."""

    def start(self) -> None: ...

    def end(self) -> None: ...


@pytest.mark.parametrize("have_changed", [True, False])
def test_tools_that_changed_before_changes_were_heard_of_are_told_once(have_changed: bool) -> None:
    """Between the list of the tools and the stream nobody tells: a person's choice of that moment was lost."""
    takers: list[Callable[[dict[str, Any]], None]] = []
    told: list[str] = []

    def opened(_: bytes, take: Callable[[dict[str, Any]], None]) -> Stream:
        takers.append(take)
        return cast("Stream", Opened())

    subscribed = SubscriptionSet(opened, lambda message: told.append(message["method"]))
    subscribed.follow_tools(lambda: have_changed)
    assert told == []
    [take] = takers
    take({"method": ACKNOWLEDGED})
    assert told == [TOOLS_CHANGED] * have_changed
    subscribed.follow_tools(lambda: True)  # the stream tells of all that comes after it
    take({"method": ACKNOWLEDGED})
    assert told == [TOOLS_CHANGED] * have_changed
