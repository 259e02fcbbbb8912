"""What takes long, beside somebody who stores: how long that one waits, and how much memory the server takes for it."""

import json
import os
import threading
import uuid
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from itertools import islice
from pathlib import Path
from random import Random
from time import monotonic, perf_counter
from typing import Any, Self

from bigmind.kinds import terms_of_texts
from bigmind.paths import store_file
from bigmind.portable.format.document import header
from bigmind.store.sqlite.driver import sound_driver
from tests.bench.corpus import texts
from tests.bench.report import Table, percentile, verdict
from tests.bench.rows import insert_together, written_at_once
from tests.bench.scale_filling import BEGINNING, uid, written
from tests.portable.generator import Sizes, fill
from tests.portable.peak import MEGABYTE, MOST_MEGABYTES, peak_megabytes
from tests.support import Server, running_server

SIZES = (50, 500)
"""Megabytes of text."""
QUICK = (5,)
FACTS, THOUGHTS = 20_000, 2_000
CHUNK_TEXTS, SESSION_CHUNKS = 8, 25
POOL = 3_000
"""Different texts, of which each moment has some: to draw all of them anew takes longer than everything else."""
AT_ONCE = 500
PAGE = 4_096
"""Bytes."""
SECONDS = 3_600
APART_SECONDS = 0.02
MOST_WAITED = 250.0
"""Milliseconds that another store may wait."""

_CHUNK = (
    "INSERT INTO chunk(uid, user_id, session_id, project, client, role, content, flag_reason, terms, seq, created_at)"
    " VALUES (?, 1, ?, 'bench', 'bench', 'assistant', ?, '', ?, ?, ?)"
)
_SESSION = (
    "INSERT INTO session(id, uid, user_id, project, client, started_at, ended_at, one_liner, outcome, importance,"
    " has_detail, told, updated_at) VALUES (?, ?, 1, 'bench', 'bench', ?, ?, ?, 'Stored.', 5, 0, ?, ?)"
)


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """Each long operation, at each size of the memory, while a client stores fifty facts a second."""
    yield import_of_facts(folder / "empty", FACTS // 10 if quick else FACTS)
    yield import_of_thoughts(folder / "thoughts", THOUGHTS // 10 if quick else THOUGHTS)
    for size in QUICK if quick else SIZES:
        home = folder / str(size)
        fill_with_text(home, size)
        yield beside_a_writer(home, size)


def import_of_facts(home: Path, facts: int) -> Table:
    """Bring facts into a memory that is nearly empty, and then a later version of a tenth of them."""
    table = _table(f"An import of {facts:,} facts")
    file, later = home.with_suffix(".json"), home.with_suffix(".later.json")
    file.parent.mkdir(parents=True, exist_ok=True)
    write_facts(file, facts)
    write_facts(later, facts // 10, version=2)
    with running_server(home):
        pass
    _add(table, home, "import", "memory_import", path=str(file))
    _add(table, home, "import of later versions of a tenth", "memory_import", path=str(later))
    return table


def import_of_thoughts(home: Path, thoughts: int) -> Table:
    """Bring thoughts into a memory that is empty; half of them are shared, and most rest on others."""
    table = _table(f"An import of {thoughts:,} thoughts")
    file, source = home.with_suffix(".json"), home.with_name(f"{home.name}-source")
    fill(source, Sizes(0, 0, 0, 0, 0, thoughts, 600))
    with running_server(source) as server, server.http() as http:
        http.post("/api/v1/memory_export", json={"output_path": str(file)}, timeout=SECONDS).raise_for_status()
    with running_server(home):
        pass
    _add(table, home, "import", "memory_import", path=str(file))
    return table


def beside_a_writer(home: Path, size: int) -> Table:
    """Each of them in a memory with so many megabytes of text."""
    table = _table(f"{size} MB of text, {store_file(home).stat().st_size / MEGABYTE:.0f} MB on disk")
    with running_server(home):
        pass
    file = home.with_suffix(".json")
    file.unlink(missing_ok=True)
    _add(table, home, "export", "memory_export", output_path=str(file))
    _add(table, home, "forget a session", "memory_forget", id=some_session(home), confirm=True)
    _add(table, home, "reindex", "memory_reindex")
    _add(table, home, "prune the older half", "memory_vacuum", days=days_to_the_middle(home))
    empty = home.with_name(f"{home.name}-again")
    with running_server(empty):
        pass
    _add(table, empty, "import it all", "memory_import", path=str(file))
    return table


def _table(title: str) -> Table:
    waits = "another store waits, longest", "p99", "target", "the disk alone, longest"
    return Table(title, ("what", "seconds", *waits, "peak over idle MB", "target"))


class Repeated:
    """Does something fifty times a second, in a thread of its own, and notes how long each took."""

    def __init__(self) -> None:
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.seconds: list[float] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join()

    def _run(self) -> None:
        with self._begun() as do:
            while not self._ending.wait(APART_SECONDS):
                begin = perf_counter()
                do()
                self.seconds.append(perf_counter() - begin)

    def _begun(self) -> AbstractContextManager[Callable[[], None]]:
        raise NotImplementedError


class Writer(Repeated):
    """Stores a fact, over a connection of its own."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self._server = server

    @contextmanager
    def _begun(self) -> Generator[Callable[[], None]]:
        with self._server.http() as http:

            def store() -> None:
                fact = {"fact": f"What was stored beside it has the number {uuid.uuid4()}.", "category": "bench"}
                http.post("/api/v1/memory_store_fact", json=fact, timeout=SECONDS).raise_for_status()

            yield store


class Disk(Repeated):
    """Brings a page of a file of its own to the disk: whoever waits longer waits for more than that."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._file = folder / "page"

    @contextmanager
    def _begun(self) -> Generator[Callable[[], None]]:
        with self._file.open("wb", buffering=0) as page:

            def bring() -> None:
                page.seek(0)
                page.write(bytes(PAGE))
                os.fsync(page.fileno())

            yield bring
        self._file.unlink()


def _add(table: Table, home: Path, what: str, operation: str, **arguments: Any) -> None:
    with running_server(home) as server, server.http() as http:
        _begin_peak(server)
        idle = peak_megabytes(server.process.pid)
        with Writer(server) as writer, Disk(home.parent) as disk:
            until = monotonic() + 1
            while monotonic() < until or not writer.seconds:
                pass
            before, before_on_disk = len(writer.seconds), len(disk.seconds)
            begin = perf_counter()
            answered = http.post(f"/api/v1/{operation}", json=arguments, timeout=SECONDS)
            seconds = perf_counter() - begin
        assert answered.status_code == 200, answered.text
        waited = [each * 1000 for each in writer.seconds[before:]]
        over = peak_megabytes(server.process.pid) - idle
    longest = max(waited)
    alone = max(disk.seconds[before_on_disk:], default=0.0) * 1000
    told = (
        verdict(longest, MOST_WAITED, " ms"),
        f"{alone:.0f} ms",
        f"{over:.0f}",
        verdict(over, MOST_MEGABYTES, " MB"),
    )
    table.add(what, f"{seconds:.1f}", f"{longest:.0f} ms", f"{percentile(waited, 0.99):.0f} ms", *told)


def _begin_peak(server: Server) -> None:
    """Have the peak of what it holds begin anew, where the system can."""
    marks = Path(f"/proc/{server.process.pid}/clear_refs")
    if marks.exists():
        marks.write_text("5")


def fill_with_text(home: Path, megabytes: int, seed: int = 3) -> None:
    """Make a home with so much text in moments of about two kilobytes; without vectors."""
    random, number, size = Random(seed), 0, 0
    pool = list(islice(texts(seed), POOL))
    with written_at_once(home) as connection:
        while size < megabytes * MEGABYTE:
            sessions, chunks = list[tuple[object, ...]](), list[tuple[object, ...]]()
            for _ in range(AT_ONCE):
                content = " ".join(random.choices(pool, k=CHUNK_TEXTS)).strip()
                terms = terms_of_texts([content])
                at = written(BEGINNING + timedelta(minutes=number))
                session, place = divmod(number, SESSION_CHUNKS)
                if place == 0:
                    sessions.append((session + 1, uid(), at, at, content[:80].strip(), content[:300], at))
                chunks.append((uid(), session + 1, content, terms, place + 1, at))
                number, size = number + 1, size + len(content)
            connection.execute("BEGIN")
            insert_together(connection, _SESSION, sessions)
            insert_together(connection, _CHUNK, chunks)
            connection.execute("COMMIT")
        connection.execute("DELETE FROM embedding_queue")


def some_session(home: Path) -> str:
    with sound_driver().connect(str(store_file(home))) as database:
        return database.execute("SELECT uid FROM session ORDER BY id LIMIT 1 OFFSET 7").fetchone()[0]


def days_to_the_middle(home: Path) -> int:
    with sound_driver().connect(str(store_file(home))) as database:
        query = "SELECT julianday('now') - (julianday(min(created_at)) + julianday(max(created_at))) / 2 FROM chunk"
        return int(database.execute(query).fetchone()[0])


def write_facts(file: Path, facts: int, seed: int = 5, version: int = 1) -> None:
    """Write an export that holds so many facts, each with its history; a later version has other texts and times."""
    random, contents = Random(seed), texts(seed)
    with file.open("w", encoding="utf-8") as target:
        target.write('{"header": ' + header(BEGINNING, "the bench").model_dump_json(by_alias=True) + ',\n"facts": [')
        for number in range(facts):
            at = f"{(BEGINNING + timedelta(seconds=number)).isoformat()}"
            changed_at = f"{(BEGINNING + timedelta(seconds=number, days=version - 1)).isoformat()}"
            record = {
                "id": str(uuid.UUID(int=random.getrandbits(128), version=4)),
                "user": None,
                "session": None,
                "project": None,
                "client": "bench",
                "category": "bench",
                "text": next(contents) if version == 1 else f"{version}: {next(contents)}",
                "confidence": 0.9,
                "created_at": at,
                "updated_at": changed_at,
                "deprecated_at": None,
                "deprecation_reason": "",
                "accepted_at": None,
                "placement": None,
                "history": [
                    {"at": at, "client": "bench", "action": "stored", "other": None, "reason": "", "confidence": 0.9}
                ],
            }
            target.write(("," if number else "") + "\n" + json.dumps(record))
        target.write("\n]\n}\n")
