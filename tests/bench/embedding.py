"""What embedding costs whoever stores: the time of a store without it, with it, and while thousands wait for it."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from shutil import copytree
from time import perf_counter

import psutil

from bigmind.paths import store_file
from bigmind.store.sqlite.driver import sound_driver
from tests.bench.corpus import texts
from tests.bench.filling import FLAGGED, fill
from tests.bench.report import Table, median, milliseconds, percentile, ratio, verdict
from tests.bench.wire import HttpClient
from tests.support import Server, process_wait, running_server

CHUNKS = 1_500
MOST = 1.1
HEAD = (
    "stores",
    "server",
    "p50 ms",
    "p95 ms",
    "CPU ms",
    "× off, p50",
    "× off, p95",
    "× off, CPU",
    "embedded meanwhile",
    "target p50",
)
MOMENT = 0.05


@dataclass(frozen=True)
class Pace:
    """How stores follow each other: so many in one turn of a server, and seconds between them."""

    name: str
    step: int
    apart: float
    rounds: int


PACES = (Pace("one after the other", 20, 0.0, 20), Pace("1.5 s apart", 1, 1.5, 16))


@dataclass
class Contender:
    """A server, the stores that were measured, the CPU time it took for them, and how much it embedded meanwhile."""

    name: str
    server: Server
    client: HttpClient
    is_busy: bool
    seconds: list[float] = field(default_factory=list)
    cpu: float = 0.0
    embedded: int = 0

    def run(self, contents: list[str], apart: float) -> None:
        """Store each text. What is waiting is worked on meanwhile, and only then: others shall not feel it."""
        embedders = psutil.Process(self.server.process.pid).children() if self.is_busy else []
        for each in embedders:
            each.resume()
        before, cpu = waiting(self.server), cpu_seconds(self.server)
        for content in contents:
            process_wait(self.server.process, apart)
            begin = perf_counter()
            self.client.call("memory_flag_important", content=content, flag_reason=FLAGGED)
            self.seconds.append(perf_counter() - begin)
        self.cpu += cpu_seconds(self.server) - cpu
        self.embedded += before + len(contents) - waiting(self.server)
        for each in embedders:
            each.suspend()


def cpu_seconds(server: Server) -> float:
    """What the server's own process took so far."""
    times = psutil.Process(server.process.pid).cpu_times()
    return times.user + times.system


def waiting(server: Server) -> int:
    """How many things wait for their vectors."""
    with closing(sound_driver().connect(f"{store_file(server.home).as_uri()}?mode=ro", uri=True)) as database:
        return database.execute("SELECT count(*) FROM embedding_queue").fetchone()[0]


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """One table: a server without meaning, one whose queue is empty, one whose queue is long; at either pace."""
    table = Table("Storing while things are embedded", HEAD)
    chunks = 400 if quick else CHUNKS
    fill(folder / "filled", chunks)
    with ExitStack() as stack:
        contenders = [
            _contender(stack, folder, "off", meaning="off"),
            _contender(stack, folder, "on, nothing waits"),
            _contender(stack, folder, f"on, {chunks:,} waited at first", is_busy=True),
        ]
        speed = _speed(contenders[2].server, 2 if quick else 10)
        new_texts = texts(seed=21)
        for pace in PACES:
            rounds = 2 if quick else pace.rounds
            _in_turns(contenders, new_texts, pace, rounds)
            _add(table, contenders, pace)
            table.notes.append(f"{pace.name}: {rounds * pace.step} stores each, in turns of {pace.step}.")
        for each in psutil.Process(contenders[2].server.process.pid).children():
            each.resume()
    table.notes.append(f"Through MCP over HTTP. While nobody stores, {speed:.0f} things a second get their vectors.")
    yield table


def _contender(stack: ExitStack, folder: Path, name: str, *, meaning: str = "on", is_busy: bool = False) -> Contender:
    home = folder / name.replace(" ", "-").replace(",", "")
    copytree(folder / "filled", home)
    if not is_busy:
        with closing(sound_driver().connect(str(store_file(home)), isolation_level=None)) as database:
            database.execute("DELETE FROM embedding_queue")  # as if all had their vectors
    server = stack.enter_context(running_server(home, BIGMIND_MEANING=meaning))
    client = HttpClient(server.port, server.call("token_create", client="bench")["token"], modern=False)
    stack.callback(client.close)
    client.call("memory_start_session", project="bench")
    return Contender(name, server, client, is_busy)


def _speed(server: Server, seconds: float) -> float:
    """How many things a second get their vectors while nobody stores."""
    first = waiting(server)
    while waiting(server) == first:  # the model is being loaded
        process_wait(server.process, MOMENT)
    before, begin = waiting(server), perf_counter()
    process_wait(server.process, seconds)
    return (before - waiting(server)) / (perf_counter() - begin)


def _in_turns(contenders: list[Contender], new_texts: Iterator[str], pace: Pace, rounds: int) -> None:
    for each in contenders:  # warm, unmeasured
        each.run(list(islice(new_texts, pace.step)), pace.apart)
        each.seconds.clear()
        each.cpu, each.embedded = 0.0, 0
    for number in range(rounds):
        contents = list(islice(new_texts, pace.step))
        turn = number % len(contenders)
        for each in contenders[turn:] + contenders[:turn]:
            each.run(contents, pace.apart)
            while each.name.endswith("nothing waits") and waiting(each.server):
                process_wait(each.server.process, MOMENT)  # the next one's turn is its own


def _add(table: Table, contenders: list[Contender], pace: Pace) -> None:
    off = contenders[0]
    for each in contenders:
        slower = _in_each_turn(each.seconds, off.seconds, pace.step)
        table.add(
            pace.name,
            each.name,
            milliseconds(percentile(each.seconds, 0.5)),
            milliseconds(percentile(each.seconds, 0.95)),
            milliseconds(each.cpu / len(each.seconds)),
            f"{slower:.2f} ×",
            ratio(percentile(each.seconds, 0.95), percentile(off.seconds, 0.95)),
            ratio(each.cpu, off.cpu),
            each.embedded,
            "—" if each is off else verdict(round(slower, 2), MOST, " ×"),
        )


def _in_each_turn(seconds: list[float], baseline: list[float], step: int) -> float:
    """The median of the ratios of the turns, whose neighbours had the same noise around them."""
    starts = range(0, len(seconds), step)
    return median(median(seconds[at : at + step]) / median(baseline[at : at + step]) for at in starts)
