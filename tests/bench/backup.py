"""How long a writer waits while a large store is backed up: in the server's own process, and over HTTP."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from threading import Event, Thread
from time import monotonic, perf_counter

from sqlalchemy import insert

from bigmind.backup.service import backup_now
from bigmind.core.ids import new_id
from bigmind.memory.tables import Chunk, MemorySession
from bigmind.paths import store_file
from bigmind.people.service import person
from bigmind.text.words import index_terms
from bigmind.wiring import open_mind
from tests.bench.corpus import texts
from tests.bench.filling import FLAGGED
from tests.bench.report import Table, milliseconds, percentile, verdict
from tests.bench.wire import HttpClient
from tests.support import Server, running_server

MEBIBYTES = 120
SECONDS = 20
WRITERS = 2
MOST_MILLISECONDS = 250
BATCH = 1_000
HEAD = ("while", "writes", "p50 / p95 / longest ms", "target", "backups", "a backup, s")


@dataclass
class Phase:
    """What writers saw while something was done, or nothing."""

    name: str
    waits: list[float] = field(default_factory=list)
    backups: list[float] = field(default_factory=list)


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """The longest wait of a writer while nothing is backed up, and while one backup is made after the other."""
    size = fill(folder / "home", MEBIBYTES // 10 if quick else MEBIBYTES)
    seconds = 3 if quick else SECONDS
    inside = Table(f"A thread writes to a store of {size / 1_048_576:.0f} MiB, {seconds} s each", HEAD)
    for phase in within(folder / "home", seconds):
        add(inside, phase)
    inside.notes.append("No request around it: what the store itself lets a writer wait, with the commit to the disk.")
    yield inside
    table = Table(f"{WRITERS} clients write to a store of {size / 1_048_576:.0f} MiB, {seconds} s each", HEAD)
    with running_server(folder / "home", BIGMIND_BACKUP_HOURS="0") as server:
        phases = [run(server, "nothing else happens", seconds, backing_up=False)]
        phases.append(run(server, "backups are made", seconds, backing_up=True))
        server.call("backup_encrypt")
        phases.append(run(server, "encrypted backups are made", seconds, backing_up=True))
    for each in phases:
        add(table, each)
    table.notes.append("Each backup is copied, written, restored to a scratch file and checked before it counts.")
    yield table


def add(table: Table, phase: Phase) -> None:
    """One line of figures."""
    longest = max(phase.waits)
    spread = (percentile(phase.waits, 0.5), percentile(phase.waits, 0.95), longest)
    took = f"{sum(phase.backups) / len(phase.backups):.2f}" if phase.backups else "—"
    target = verdict(longest * 1_000, MOST_MILLISECONDS)
    table.add(phase.name, len(phase.waits), " / ".join(map(milliseconds, spread)), target, len(phase.backups), took)


def within(home: Path, seconds: float) -> Iterator[Phase]:
    """One thread writes through the dispatcher, another makes backups of the same store."""
    mind = open_mind(home, "ada")
    caller, source = person(mind.store, "ada"), texts(31)
    operation = mind.dispatcher.catalogue.get("memory_flag_important")

    def keep_one() -> None:
        mind.dispatcher.run(operation, caller, {"content": next(source), "flag_reason": FLAGGED})

    def keep(phase: Phase, end: Event) -> None:
        while not end.is_set():
            begin = perf_counter()
            keep_one()
            phase.waits.append(perf_counter() - begin)

    keep_one()  # loads the rules of masking
    for name in ("nothing else happens", "backups are made"):
        phase, end, finish = Phase(name), Event(), monotonic() + seconds
        thread = Thread(target=keep, args=(phase, end))
        thread.start()
        while monotonic() < finish:
            if name == "backups are made":
                begin = perf_counter()
                backup_now(mind.store, "before-prune")
                phase.backups.append(perf_counter() - begin)
            else:
                end.wait(finish - monotonic())
        end.set()
        thread.join(60)
        yield phase
    mind.close()


def fill(home: Path, mebibytes: int) -> int:
    """Put moments into a store until it is so large; returns its size in bytes."""
    mind = open_mind(home, "ada")
    caller, source = person(mind.store, "ada"), texts(11)
    number = 0
    while store_file(home).stat().st_size < mebibytes * 1_048_576:
        with mind.store.write(caller, "bench") as work:
            session = MemorySession(
                uid=new_id(), user_id=caller.user_id, client="bench", started_at=work.now, updated_at=work.now
            )
            work.session.add(session)
            work.session.flush()
            rows = [
                {
                    "uid": new_id(),
                    "user_id": caller.user_id,
                    "session_id": session.id,
                    "client": "bench",
                    "role": "user",
                    "content": text,
                    "flag_reason": FLAGGED,
                    "terms": index_terms(text),
                    "seq": place,
                    "created_at": work.now,
                }
                for place, text in enumerate(islice(source, BATCH))
            ]
            work.session.execute(insert(Chunk), rows)
        number += 1
        if number % 10 == 0:
            with mind.store.alone() as writer:
                writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    mind.close()
    return store_file(home).stat().st_size


def run(server: Server, name: str, seconds: float, *, backing_up: bool) -> Phase:
    """Write as fast as the clients can for so long, and meanwhile make one backup after the other, or none."""
    phase, end = Phase(name), Event()
    token = server.call("token_create", client="bench")["token"]
    writers = [Thread(target=write, args=(server.port, token, number, phase, end)) for number in range(WRITERS)]
    for each in writers:
        each.start()
    finish = monotonic() + seconds
    while monotonic() < finish:
        if backing_up:
            begin = perf_counter()
            server.call("backup_create")
            phase.backups.append(perf_counter() - begin)
        else:
            end.wait(finish - monotonic())
    end.set()
    for each in writers:
        each.join(60)
    for made in (server.home / "backups").glob("*"):
        made.unlink()
    return phase


def write(port: int, token: str, seed: int, phase: Phase, end: Event) -> None:
    """One client that stores texts until it is told to end."""
    client, source = HttpClient(port, token, modern=True), texts(5_000 + seed)
    client.call("memory_start_session", project="bench")
    while not end.is_set():
        content = next(source)
        begin = perf_counter()
        client.call("memory_flag_important", content=content, flag_reason=FLAGGED)
        phase.waits.append(perf_counter() - begin)
    client.close()
