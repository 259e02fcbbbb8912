"""Half of the load: one process with several lean clients. Started by `load.py`, which speaks to it over its pipes.

Reads its orders as one JSON line, says that it is ready, and begins when it is told to.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Barrier
from time import monotonic, perf_counter, process_time

from tests.bench.corpus import natural_questions, questions, texts
from tests.bench.filling import FLAGGED
from tests.bench.wire import HttpClient, StdioClient, bridge

PROJECT = "load"


def main() -> None:
    orders = json.loads(sys.stdin.readline())
    barrier = Barrier(orders["threads"] + 1)
    with ThreadPoolExecutor(orders["threads"]) as pool:
        running = [pool.submit(work, orders, orders["seed"] + number, barrier) for number in range(orders["threads"])]
        barrier.wait(60)
        print("ready", flush=True)
        sys.stdin.readline()
        before = process_time()
        barrier.wait(60)
        done = [each.result() for each in running]
    print(json.dumps({"cpu": process_time() - before, "clients": done}), flush=True)


def work(orders: dict, seed: int, barrier: Barrier) -> dict:
    """One client: stores and searches by the toss of a coin, or searches only, until the time is over."""
    client = _client(orders)
    client.call("memory_start_session", project=PROJECT)
    random, new_texts = Random(seed), texts(1_000 + seed)
    asked = natural_questions(2_000 + seed) if orders["only_asks"] else questions(2_000 + seed)
    search = "memory_semantic_search" if orders["only_asks"] else "memory_search_chunks"
    prepared = [(next(new_texts), next(asked)) for _ in range(200)]
    taken: dict[str, list[float]] = {"store": [], "search": []}
    acknowledged: list[str] = []
    errors: list[str] = []
    by_words = 0
    barrier.wait(60)
    barrier.wait(60)
    end = monotonic() + orders["seconds"]
    number = 0
    while monotonic() < end:
        text, query = prepared[number % len(prepared)]
        number += 1
        kind = "search" if orders["only_asks"] else random.choice(("store", "search"))
        begin = perf_counter()
        try:
            if kind == "store":
                content = f"{seed}/{number}: {text}"
                kept = client.call("memory_flag_important", content=content, flag_reason=FLAGGED)
                acknowledged.append(kept["chunk_id"])
            else:
                by_words += bool(client.call(search, query=query)["words_only"])
        except Exception as error:  # noqa: BLE001 - every kind of failure is counted, none ends the load
            errors.append(repr(error)[:200])
        taken[kind].append(perf_counter() - begin)
    client.close()
    return {"taken": taken, "acknowledged": acknowledged, "errors": errors, "by_words": by_words}


def _client(orders: dict) -> HttpClient | StdioClient:
    if orders["bridge_of"]:
        return bridge(Path(orders["bridge_of"]), structured=True)
    return HttpClient(orders["port"], orders["token"], modern=orders["modern"], structured=True)


if __name__ == "__main__":
    main()
