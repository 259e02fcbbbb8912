"""Eight agents at once through a real server: no count, weight or row of the log is lost, nor when it is killed."""

import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import pytest

from bigmind.paths import store_file
from bigmind.store.sqlite.driver import sound_driver
from tests.support import Server
from tests.thorough import often

AGENTS = 8
SECONDS, BEFORE_THE_PLUG = often(30, 2), often(5, 1)
LEAST = 2
"""Lines of each agent, however slow the machine is."""
BIRDS = (
    *("albatross", "bittern", "cormorant", "dunlin", "egret", "falcon", "goshawk", "heron", "ibis", "jackdaw"),
    *("kestrel", "lapwing", "magpie", "nuthatch", "osprey", "plover", "quail", "redshank", "siskin", "turnstone"),
    *(
        "umbrellabird",
        "vulture",
        "warbler",
        "xenops",
        "yellowhammer",
        "zosterops",
        "avocet",
        "brambling",
        "curlew",
        "dotterel",
    ),
)


@dataclass
class Load:
    """One agent: what it was answered, by the texts that it sent."""

    number: int
    address: str
    token: str
    answered: list[str] = field(default_factory=list[str])
    stored: list[str] = field(default_factory=list[str])
    sources: Counter[str] = field(default_factory=Counter[str])
    contributed: Counter[str] = field(default_factory=Counter[str])
    session: dict[str, str] = field(default_factory=dict[str, str])
    unanswered: int = 0
    errors: list[str] = field(default_factory=list[str])

    def run(self, until: float, together: threading.Barrier) -> None:
        headers = {"Authorization": f"Bearer {self.token}"}
        with httpx.Client(base_url=self.address, headers=headers, timeout=60, trust_env=False) as http:
            together.wait(60)
            number = 0
            while number < LEAST or monotonic() < until:
                number += 1
                try:
                    self.once(http, number)
                except httpx.HTTPError:  # the plug was pulled
                    self.unanswered += 1
                    return

    def once(self, http: httpx.Client, number: int) -> None:
        bird = BIRDS[(7 * self.number + number) % len(BIRDS)]
        operation = "contribute_to_brain" if number % 4 == 0 else "query_brain"
        text = f"Agent {self.number} said in its line {number} of the {bird} service: it was seen on the roof."
        answered = http.post(f"/api/v1/{operation}", json={"prompt": text, **self.session})
        if answered.status_code != 200:
            self.errors.append(answered.text)
            return
        told = answered.json()
        self.answered.append(text)
        self.session = {"session_id": told["trace"]["session_id"]}
        if operation == "contribute_to_brain":
            self.stored.append(told["trace"]["thought_id"])
            self.contributed.update(self.sources.keys())
        self.sources.update(each["thought_id"] for each in told["result"]["sources"])


def agents_of(server: Server) -> list[Load]:
    """Agents with a token each, and something known of each bird."""
    for bird in BIRDS:
        text = f"Learned: the {bird} service answers at port {BIRDS.index(bird) + 4000}."
        server.call("contribute_to_brain", prompt=text)
    tokens = [server.call("token_create", client=f"agent {number}")["token"] for number in range(AGENTS)]
    return [Load(number, server.address, token) for number, token in enumerate(tokens)]


def begun(agents: list[Load], seconds: float) -> list[threading.Thread]:
    """All agents at work for so long at most, from one moment on."""
    together, until = threading.Barrier(len(agents)), monotonic() + seconds
    threads = [threading.Thread(target=each.run, args=(until, together)) for each in agents]
    for each in threads:
        each.start()
    return threads


def rows(home: Path, statement: str) -> list[Any]:
    """Rows of the store's file, whoever has it."""
    connection = sound_driver().connect(str(store_file(home)))
    try:
        return connection.execute(statement).fetchall()
    finally:
        connection.close()


COUNTS = (
    "SELECT uid, reads, (SELECT ifnull(sum(reads), 0) FROM thought_reader WHERE thought_id = id),"
    " (SELECT count(*) FROM brain_query_source WHERE thought_id = id), weight"
    " FROM thought JOIN thought_use ON thought_id = id"
)


def test_nothing_is_lost_of_counts_weights_and_log(server: Server) -> None:
    agents = agents_of(server)
    before = {uid: reads for uid, reads, *_ in rows(server.home, COUNTS)}
    known = len(rows(server.home, "SELECT id FROM brain_query"))
    for each in begun(agents, SECONDS):
        each.join(SECONDS + 60)
    assert [error for each in agents for error in each.errors] == []
    answered = [text for each in agents for text in each.answered]
    assert len(answered) > AGENTS
    log = [text for (text,) in rows(server.home, "SELECT text FROM brain_query ORDER BY id")][known:]
    assert Counter(log) == Counter(answered)
    sources = sum((each.sources for each in agents), Counter[str]())
    contributed = sum((each.contributed for each in agents), Counter[str]())
    for uid, reads, of_readers, of_sources, weight in rows(server.home, COUNTS):
        expected = before.get(uid, 0) + sources[uid]
        assert (reads, of_readers, of_sources) == (expected,) * 3
        added = 0.05 * expected + 0.02 * contributed[uid]
        assert weight == pytest.approx(min(10.0, 1 + added), rel=0.002)
    stored = {uid for each in agents for uid in each.stored}
    assert {uid for (uid,) in rows(server.home, "SELECT uid FROM thought")} == stored | before.keys()


def test_every_answered_call_is_in_the_log_when_the_plug_is_pulled(server: Server) -> None:
    agents = agents_of(server)
    known = len(rows(server.home, "SELECT id FROM brain_query"))
    threads = begun(agents, 60)
    while threads[0].is_alive() and sum(len(each.answered) for each in agents) <= AGENTS:
        threads[0].join(BEFORE_THE_PLUG)  # they are at work until the plug is pulled
    server.kill()
    for each in threads:
        each.join(60)
    assert [error for each in agents for error in each.errors] == []
    answered = Counter(text for each in agents for text in each.answered)
    log = Counter([text for (text,) in rows(server.home, "SELECT text FROM brain_query ORDER BY id")][known:])
    assert sum(answered.values()) > AGENTS
    assert answered - log == Counter()
    assert sum((log - answered).values()) <= sum(each.unanswered for each in agents) == AGENTS
    assert max(log.values()) == 1
    for _, reads, of_readers, of_sources, _ in rows(server.home, COUNTS):
        assert reads == of_readers == of_sources
    stored = {uid for each in agents for uid in each.stored}
    assert stored <= {uid for (uid,) in rows(server.home, "SELECT uid FROM thought")}
