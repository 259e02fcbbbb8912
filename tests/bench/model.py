"""What the default embedding model costs beside the default of earlier versions: processor time, and memory."""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any

import psutil
from tokenizers import Tokenizer

from bigmind.embedding.loader import load
from bigmind.embedding.models import MINILM, MINILM_FLOAT
from bigmind.paths import asset, token_file
from bigmind.search.model_state import change_model
from bigmind.wiring import open_mind
from tests.bench.corpus import questions, texts
from tests.bench.filling import FLAGGED, fill
from tests.bench.load import embedded
from tests.bench.report import Table, median, milliseconds, verdict
from tests.bench.start import memory_of
from tests.bench.wire import HttpClient
from tests.support import Server, running_server

MODELS = (MINILM_FLOAT.name, MINILM.name)
TURNS = 40
CHUNKS = 1_000
ASKED, STORED = 100, 20
MOST = {8: 2.5, 30: 0.0, 150: 10.0, 256: 0.0}
"""Milliseconds that a text of so many tokens may take, with those that mark its beginning and end; 0: no target. A
question has 8."""
MOST_MEGABYTES = 180
LANES = {8: "question"}


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """Processor time in the bench's process, the models in turns; then memory of the process that a server starts."""
    yield _times(4 if quick else TURNS)
    yield _memory(folder, 50 if quick else CHUNKS)


def _times(turns: int) -> Table:
    loaded = [load(name) for name in MODELS]
    table = Table(
        "Processor time of one vector",
        ("tokens", f"{MODELS[0]} ms", f"{MODELS[1]} ms", "÷", "target"),
    )
    for tokens, most in MOST.items():
        told = texts_of(tokens, turns + 1)
        ways: list[Callable[[str], Any]] = [
            each.query if tokens in LANES else lambda text, model=each: model.documents([("", text)]) for each in loaded
        ]
        taken = [[_seconds(way, text) for way in ways] for text in told][1:]
        former, new = (median(each[place] for each in taken) for place in (0, 1))
        share = median(each[1] / each[0] for each in taken)
        target = verdict(round(new * 1000, 1), most, " ms") if most else "—"
        name = f"{tokens}, a {LANES.get(tokens, 'text')}"
        table.add(name, milliseconds(former), milliseconds(new), f"{share:.2f}", target)
    table.notes.append(f"Medians of {turns} texts, each embedded by both models, one after the other.")
    return table


def texts_of(tokens: int, number: int) -> list[str]:
    """So many different texts of so many tokens, with the two that mark beginning and end."""
    tokenizer: Any = Tokenizer.from_file(str(asset("model") / "tokenizer.json"))
    told = texts(seed=5)
    found: list[str] = []
    while len(found) < number:
        text = " ".join(islice(told, 6))
        ends = tokenizer.encode(text, add_special_tokens=False).offsets
        found.append(text[: ends[tokens - 3][1]])
    return found


def _seconds(way: Callable[[str], Any], text: str) -> float:
    begin = process_time()
    way(text)
    return process_time() - begin


def _memory(folder: Path, chunks: int) -> Table:
    table = Table(
        f"Memory of the process that embeds and searches, {chunks:,} moments",
        ("model", "RSS MB", "PSS MB", "target RSS"),
    )
    for name in MODELS:
        home = folder / name
        fill(home, chunks)
        choose(home, name)
        with running_server(home, BIGMIND_MEANING="on") as server:
            embedded(server)
        with running_server(home, BIGMIND_MEANING="on") as server:
            rss, pss = _used(server)
        target = verdict(round(rss), MOST_MEGABYTES) if name == MINILM.name else "—"
        table.add(name, f"{rss:.0f}", f"{pss:.0f}", target)
    table.notes.append(f"After a start with the vectors there, {ASKED} questions and {STORED} stores, embedded too.")
    return table


def choose(home: Path, model: str) -> None:
    """Let a home's things be embedded with a model, as a person who chose it."""
    mind = open_mind(home, "ada")
    caller = mind.authenticator.principal(token_file(home, "cli").read_text()).caller
    with mind.store.write(caller, "bench") as work:
        change_model(work, model)
    mind.close()


def _used(server: Server) -> tuple[float, float]:
    client = HttpClient(server.port, server.call("token_create", client="bench")["token"], modern=False)
    client.call("memory_start_session", project="bench")
    for query in islice(questions(seed=3), ASKED):
        client.call("memory_search_chunks", query=query)
    for text in islice(texts(seed=4), STORED):
        client.call("memory_flag_important", content=text, flag_reason=FLAGGED)
    client.close()
    embedded(server)
    (searcher,) = psutil.Process(server.process.pid).children()
    return memory_of(searcher.pid)
