"""Kill -9 while clients write and BigMind restores, imports, forgets, embeds or serves a bridge: nothing is lost.

Whatever was acknowledged is in the store afterwards, or, where a restore took its place, in the copy that the restore
kept aside; what was asked for and not answered was done whole or not at all.
"""

import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import httpx
import psutil
import pytest

from bigmind.paths import backups_folder, store_file
from bigmind.store.sqlite.snapshots import connected
from tests.killing import KILL
from tests.local.wire import Bridge
from tests.store.judge import Promises, judged
from tests.store.traffic import Traffic
from tests.support import Server, have_ended, process_wait, running_server, start_server
from tests.thorough import THOROUGH, often

ROUNDS = often(80, 1)
LONGEST_SECONDS = 3.0
"""An activity that takes longer is killed in its first seconds: the rest is more of the same."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_800)]


@dataclass
class Round:
    """One life of a server: what it acknowledged, what was asked of it beside, and whether a process does that yet."""

    server: Server
    session_id: str
    number: int
    promises: Promises
    done: dict[str, Any] = field(default_factory=dict[str, Any])
    has_victim: threading.Event = field(default_factory=threading.Event)


@dataclass
class Story:
    """What happens beside the writes of every round, and what holds after it.

    Attributes:
        act: asks for it, and notes in the round's `done` what was acknowledged.
        judge: what is wrong afterwards, given the home and the round.
        victim: the process that is killed first; the server's own dies in every round.
        prepare: what has to be there before the first round.
        environment: of the server.
    """

    act: Callable[[Round], None]
    judge: Callable[[Path, Round], list[str]]
    victim: Callable[[Round], int | None] = lambda _: None
    prepare: Callable[[Path], None] = lambda _: None
    environment: dict[str, str] = field(default_factory=dict[str, str])


def texts(database: Path, kind: str) -> set[str]:
    column = {"fact": "text", "chunk": "content", "hypothesis": "text"}[kind]
    with closing(connected(database, read_only=True)) as connection:
        return {text for (text,) in connection.execute(f"SELECT {column} FROM {kind}")}


def asks(round_: Round, operation: str, **arguments: Any) -> dict[str, Any]:
    with round_.server.http() as http:
        answer = http.post(f"/api/v1/{operation}", json=arguments)
    assert answer.status_code == 200, answer.text
    return answer.json()


def restores(round_: Round) -> None:
    round_.done["backup"] = asks(round_, "backup_create")["name"]
    asks(round_, "memory_store_fact", category="decision", fact=f"after backup {round_.number}")
    round_.promises.made["fact"].append(f"after backup {round_.number}")
    asks(round_, "backup_restore", backup=round_.done["backup"])
    round_.done["restored"] = True


def what_a_restore_took_is_kept_aside(home: Path, round_: Round) -> list[str]:
    """Promises that are gone from the store are taken out of them, once they are found in a backup."""
    store = store_file(home)
    problems: list[str] = []
    for kind, made in round_.promises.made.items():
        here = texts(store, kind)
        gone = [text for text in made if text not in here]
        if gone and "backup" not in round_.done:
            problems += [f"{kind} lost without a restore: {text}" for text in gone]
        aside = set[str]().union(*(texts(each, kind) for each in backups_folder(home).glob("*-before-restore*.db")))
        problems += [f"{kind} in no copy: {text}" for text in gone if text not in aside]
        made[:] = [text for text in made if text in here]
    if "restored" in round_.done and f"after backup {round_.number}" in texts(store, "fact"):
        problems.append("a restore that was acknowledged did not take place")
    return problems


def exports(folder: Path) -> None:
    """A file with two hundred facts of another memory."""
    folder.mkdir()
    with running_server(folder / "other") as other, other.http() as http:
        for number in range(200):
            fact = {"category": "decision", "fact": f"imported {number}"}
            assert http.post("/api/v1/memory_store_fact", json=fact).status_code == 200
        other.call("memory_export", output_path=str(folder / "other.json"))


def imports(round_: Round) -> None:
    asks(round_, "memory_import", path=str(round_.server.home.parent / "given" / "other.json"), mode="merge")
    round_.done["imported"] = True


def an_import_is_whole_or_can_be_asked_for_again(home: Path, round_: Round) -> list[str]:
    """`judged` finds what is there twice; here, that nothing is missing once it was acknowledged."""
    here = {text for text in texts(store_file(home), "fact") if text.startswith("imported ")}
    return [f"{len(here)} of 200 imported facts"] if "imported" in round_.done and len(here) != 200 else []


def forgets(round_: Round) -> None:
    round_.done["asked"], round_.done["forgotten"] = [], []
    for number in range(1_000):
        text = f"secret {round_.number} {number}"
        fact = asks(round_, "memory_store_fact", category="decision", fact=text)["fact"]["fact_id"]
        round_.done["asked"].append(text)
        asks(round_, "memory_forget", id=fact, kind="fact", confirm=True)
        round_.done["forgotten"].append(text)


def what_is_forgotten_is_gone(home: Path, round_: Round) -> list[str]:
    here = texts(store_file(home), "fact")
    doubtful = {*round_.done["asked"]} - {*round_.done["forgotten"]}
    problems = [f"back again: {text}" for text in round_.done["forgotten"] if text in here]
    return problems if len(doubtful) <= 1 else [*problems, f"doubtful: {doubtful}"]


def searches(round_: Round) -> None:
    """By meaning, so that the embedder is asked while it embeds what is written."""
    for number in range(1_000):
        asks(round_, "memory_semantic_search", query=f"wheels {number}", limit=3)


def embedder(round_: Round) -> int | None:
    children = psutil.Process(round_.server.process.pid).children()
    return children[0].pid if children else None


def every_vector_has_its_moment(home: Path, _: Round) -> list[str]:
    with closing(connected(store_file(home), read_only=True)) as connection:
        of_none = "SELECT count(*) FROM embedding WHERE kind = 'chunk' AND item NOT IN (SELECT id FROM chunk)"
        known = "SELECT item FROM {} WHERE kind = 'chunk'"
        missing = " AND ".join(f"id NOT IN ({known.format(name)})" for name in ("embedding", "embedding_queue"))
        asked = (of_none, f"SELECT count(*) FROM chunk WHERE {missing}")
        found = [connection.execute(each).fetchone()[0] for each in asked]
    return [f"vectors of nothing, and moments that wait for none: {found}"] if any(found) else []


def bridges(round_: Round) -> None:
    bridge = Bridge(round_.server.home)
    round_.done["bridge"] = bridge.process.pid
    round_.has_victim.set()
    with suppress(AssertionError, BrokenPipeError):  # its end, in the middle of a call
        bridge.initialize()
        for number in range(1_000):
            text = f"by bridge {round_.number} {number}"
            bridge.ask_tool("memory_store_fact", category="decision", fact=text)
            round_.promises.made["fact"].append(text)
    with suppress(BrokenPipeError):
        bridge.close()


def bridge_of(round_: Round) -> int:
    """A bridge that outlived its server would start another one."""
    assert round_.has_victim.wait(30)
    return round_.done["bridge"]


STORIES = {
    "restore": Story(restores, what_a_restore_took_is_kept_aside),
    "import": Story(
        imports,
        an_import_is_whole_or_can_be_asked_for_again,
        prepare=lambda folder: exports(folder / "given"),
    ),
    "forget": Story(forgets, what_is_forgotten_is_gone),
    "embedder": Story(searches, every_vector_has_its_moment, embedder, environment={"BIGMIND_MEANING": "on"}),
    "bridge": Story(bridges, lambda *_: [], bridge_of),
}


@contextmanager
def beside(story: Story, round_: Round) -> Iterator[list[Exception]]:
    """The activity on a thread of its own, until its server is gone."""
    failures: list[Exception] = []

    def run() -> None:
        try:
            story.act(round_)
        except (httpx.TransportError, OSError):
            pass  # killed
        except Exception as error:  # noqa: BLE001 - told by the test
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    yield failures
    thread.join(60)
    assert not thread.is_alive()


def how_long(story: Story, home: Path, session_id: str) -> float:
    """Seconds that it takes when nobody kills it; what does not end by itself has the longest."""
    if not THOROUGH or story.act not in (restores, imports):
        return LONGEST_SECONDS / 3
    with running_server(home, **story.environment) as server:
        begun = perf_counter()
        story.act(Round(server, session_id, -1, Promises()))
        took = perf_counter() - begun
    return min(LONGEST_SECONDS, took * 1.5)


def life(story: Story, round_: Round, dice: random.Random, seconds: float) -> None:
    """Write, act, kill whom the story is about, and then the server."""
    server = round_.server
    traffic = Traffic(server.home, server.port, round_.session_id, f"round{round_.number}", patient=True)
    traffic.wait_for(2)
    with beside(story, round_) as failures:
        process_wait(server.process, dice.random() * seconds)
        victim = story.victim(round_)
        if victim is not None:
            with suppress(ProcessLookupError):
                os.kill(victim, KILL)
            process_wait(server.process, dice.random() * 0.05)
        left = psutil.Process(server.process.pid).children()
        server.kill()
        server.process.stderr.close()
        assert have_ended(left, 30)
    round_.promises.add(traffic.end())
    assert failures == []


@pytest.mark.parametrize("name", STORIES)
def test_what_was_acknowledged_outlives_a_kill_at_work(name: str, home: Path, tmp_path: Path) -> None:
    story, seed = STORIES[name], random.randrange(2**32)
    dice = random.Random(seed)
    with running_server(home) as server:
        session_id = server.call("memory_start_session")["session_id"]
        story.prepare(tmp_path)
    seconds = how_long(story, home, session_id)
    promises = Promises()
    for number in range(ROUNDS):
        round_ = Round(start_server(home, **story.environment), session_id, number, promises)
        life(story, round_, dice, seconds)
        problems = [*story.judge(home, round_), *judged(home, tmp_path / "copy", promises, Promises())]
        assert problems == [], f"seed {seed}, round {number}: {problems[:5]}"
    assert len(promises) >= ROUNDS or name == "restore"
    with running_server(home, **story.environment) as server:
        assert server.call("memory_health_check")
