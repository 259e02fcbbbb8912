"""What a person feels while thousands of moments get their vectors: the first question after a start, and all else."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from time import perf_counter

import psutil

from tests.bench.corpus import questions, texts
from tests.bench.embedding import waiting
from tests.bench.filling import FLAGGED, fill
from tests.bench.pages import signed_in
from tests.bench.report import Table, milliseconds, percentile, verdict
from tests.bench.start import memory_of
from tests.bench.wire import HttpClient
from tests.support import Server, process_wait, running_server

MOMENTS = 10_000
PAUSE = 0.3
"""Seconds between two things that are asked for."""
STORED_EACH = 10
"""Of so many things that are asked for, one stores."""
MOST_FIRST = 500.0
LOOKED_AT = ("/", "/sessions", "/search?q=decided", "/health")


@dataclass
class Felt:
    """Seconds.

    Attributes:
        first: of the first question after the start.
        first_by_words: whether it was answered by words alone.
        meaning: from the first question on, until one is answered by meaning too.
        indexing: until nothing waits for its vector.
        taken: of each kind of thing that was asked for meanwhile.
        memory: of the process that embeds, in MB.
    """

    first: float = 0.0
    first_by_words: bool = False
    meaning: float = 0.0
    indexing: float = 0.0
    taken: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list[float]))
    memory: float = 0.0


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """A server is started on moments without vectors, and used as a person would until they have them."""
    moments = 300 if quick else MOMENTS
    fill(folder / "home", moments)
    with running_server(folder / "home", BIGMIND_MEANING="on") as server:
        felt = _felt(server)
    first = Table("The first question after a start", ("what", "value", "target"))
    first.add("first answer, ms", milliseconds(felt.first), verdict(1000 * felt.first, MOST_FIRST, " ms"))
    first.add("by words alone", "yes" if felt.first_by_words else "no", "—")
    first.add("answered by meaning too, s after the first question", f"{felt.meaning:.2f}", "—")
    yield first
    table = Table(f"While {moments:,} moments get their vectors", ("what", "times", "p50 ms", "p95 ms", "longest ms"))
    for name, taken in felt.taken.items():
        table.add(name, len(taken), *(milliseconds(percentile(taken, share)) for share in (0.5, 0.95, 1.0)))
    table.notes.append(f"It took {felt.indexing:.0f} s; the process that embeds had {felt.memory:.0f} MB then.")
    yield table


def _felt(server: Server) -> Felt:
    felt, asked = Felt(), questions(5)
    client = HttpClient(
        server.port, server.call("token_create", client="bench")["token"], modern=False, structured=True
    )
    client.call("memory_start_session", project="bench")
    begin = perf_counter()
    felt.first_by_words = bool(client.call("memory_search_chunks", query=next(asked))["words_only"])
    felt.first = perf_counter() - begin
    while client.call("memory_search_chunks", query=next(asked))["words_only"]:
        process_wait(server.process, 0.05)
    felt.meaning = perf_counter() - begin
    _use(server, client, felt)
    felt.indexing = perf_counter() - begin
    felt.memory = sum(memory_of(each.pid)[0] for each in psutil.Process(server.process.pid).children())
    client.close()
    return felt


def _use(server: Server, client: HttpClient, felt: Felt) -> None:
    """Ask, look at pages and store now and then, until nothing waits."""
    browser, asked, new_texts, pages = signed_in(server), questions(6), texts(99), cycle(LOOKED_AT)
    number = 0
    while waiting(server):
        begin = perf_counter()
        if number % STORED_EACH == 0:
            kind = "a store"
            client.call("memory_flag_important", content=next(new_texts), flag_reason=FLAGGED)
        elif number % 2:
            kind = "a search by meaning"
            client.call("memory_search_chunks", query=next(asked))
        else:
            kind = "a page"
            browser.get(next(pages))
        felt.taken[kind].append(perf_counter() - begin)
        number += 1
        process_wait(server.process, PAUSE)
    browser.close()
