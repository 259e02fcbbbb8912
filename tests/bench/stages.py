"""Where the processor's time of a store and of a search goes: the thread's time within each of some functions."""

import importlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from itertools import islice
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any

from bigmind.core.operation import Caller
from bigmind.paths import token_file
from bigmind.wiring import Mind, open_mind
from tests.bench.baseline import RawSqlite
from tests.bench.corpus import questions, texts
from tests.bench.filling import FLAGGED, fill
from tests.bench.report import Table, milliseconds, ratio

SIZES = (1_000, 10_000)
TIMES = 200
WARM = 20
STAGES = (
    ("input", "bigmind.operations.dispatch:validated"),
    ("secrets", "bigmind.operations.dispatch:_without_secrets"),
    ("receipt: looked up", "bigmind.operations.dispatch:answered_before"),
    ("receipt: kept", "bigmind.operations.request_receipts:Receipts.keep"),
    ("session of the caller", "bigmind.memory.sessions.choice:_found"),
    ("caution", "bigmind.kinds:judge"),
    ("split terms", "bigmind.kinds:_derive"),
    ("row", "bigmind.store.prepared_statements:add"),
    ("change", "bigmind.store.work:Work.changed"),
    ("commit", "bigmind.store.transaction:Transaction.commit"),
    ("statements of a search, until their first row", "bigmind.store.sqlite.statements:opened"),
    ("candidates and fusion", "bigmind.memory.recall.service:find_respelled"),
    ("rows of the hits", "bigmind.memory.recall.service:kept_rows"),
    ("excerpts", "bigmind.memory.recall.service:shown"),
)
"""What is told apart, outermost first; what a stage calls that is one too is not counted twice. One that a later tree
has no more is left out."""

_WORDS = " ".join(f"word{number % 37} tool_{number % 11} the" for number in range(150))


class Stages:
    """The seconds of a thread within each stage, without those of the stages within it."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._inner: list[float] = []

    @contextmanager
    def told_apart(self) -> Iterator[None]:
        """Have each stage measured for the length of a block."""
        bare = [(name, *place, getattr(*place)) for name, place in found()]
        for name, holder, attribute, function in bare:
            setattr(holder, attribute, self._measured(name, function))
        try:
            yield
        finally:
            for _, holder, attribute, function in bare:
                setattr(holder, attribute, function)

    def _measured(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def measured(*given: Any, **named: Any) -> Any:
            began = thread_time()
            self._inner.append(0.0)
            try:
                return function(*given, **named)
            finally:
                took = thread_time() - began
                self.seconds[name] += took - self._inner.pop()
                if self._inner:
                    self._inner[-1] += took

        return measured


def found() -> list[tuple[str, tuple[Any, str]]]:
    """The stages that there are, each with what holds it and the name that it has there."""
    there: list[tuple[str, tuple[Any, str]]] = []
    for stage, address in STAGES:
        module, _, path = address.partition(":")
        holder, *names = path.split(".")
        place: Any = importlib.import_module(module)
        for name in (holder, *names)[:-1]:
            place = getattr(place, name)
        if hasattr(place, path.rpartition(".")[2]):
            there.append((stage, (place, path.rpartition(".")[2])))
    return there


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """A table for stores and one for searches by words, at each size: in this process, without any surface."""
    for size in (200,) if quick else SIZES:
        texts_of_home = list(fill(folder / str(size), size))
        raw = RawSqlite(folder / f"raw {size}.db")
        for text in texts_of_home:
            raw.store(text)
        costs = measured(folder / str(size), raw, TIMES // 10 if quick else TIMES)
        for operation, (stages, whole, bare) in costs.items():
            table = Table(f"One {operation} at {size:,} moments, without a surface", ("stage", "CPU ms", "share"))
            for name, seconds in sorted(stages.items(), key=lambda each: -each[1]):
                table.add(name, milliseconds(seconds), f"{seconds / whole:.0%}")
            table.add("all else", milliseconds(whole - sum(stages.values())), "")
            table.add("**whole**", milliseconds(whole), ratio(whole, bare))
            table.add("raw SQLite", milliseconds(bare), ratio(bare, bare))
            yield table
        raw.close()


def measured(home: Path, raw: RawSqlite, times: int) -> dict[str, tuple[dict[str, float], float, float]]:
    """Of each operation: seconds of the thread in each stage, in all, and of the same in raw SQLite; of one."""
    mind = open_mind(home, "ada")
    try:
        caller, costs = _caller(mind, home), dict[str, tuple[dict[str, float], float, float]]()
        for operation, given in (("store", _stores()), ("search", _searches())):
            name = "memory_flag_important" if operation == "store" else "memory_search_chunks"
            declared = mind.dispatcher.catalogue.get(name)
            assert declared is not None
            act = raw.store if operation == "store" else raw.search
            stages, whole, bare = Stages(), list[float](), list[float]()
            with stages.told_apart():
                for number, arguments in enumerate(islice(given, WARM + times)):
                    if number == WARM:
                        stages.seconds.clear()
                    key = f"{operation} {number}" if operation == "store" else None
                    took = _seconds(lambda: mind.dispatcher.run(declared, caller, arguments, key))  # noqa: B023 - at once
                    words = str(arguments.get("content") or arguments["query"])
                    bare_took = _seconds(lambda: act(words))  # noqa: B023
                    if number >= WARM:
                        whole.append(took)
                        bare.append(bare_took)
            spent = {name: seconds / times for name, seconds in stages.seconds.items()}
            costs[operation] = spent, sum(whole) / times, sum(bare) / times
        return costs
    finally:
        mind.close()


def _caller(mind: Mind, home: Path) -> Caller:
    """Who asks as the bridge does: from a project's folder, on a connection."""
    principal = mind.authenticator.principal(token_file(home, "cli").read_text())
    assert principal is not None
    return replace(principal.caller, connection="bench", project="bench", workspace=str(home))


def _stores() -> Iterator[dict[str, str]]:
    return ({"content": f"{number}: {text}", "flag_reason": FLAGGED} for number, text in enumerate(texts(71)))


def _searches() -> Iterator[dict[str, str]]:
    return ({"query": question} for question in questions(72))


def _seconds(action: Callable[[], object]) -> float:
    began = thread_time()
    action()
    return thread_time() - began


def dearer(home: Path, raw: RawSqlite, times: int, rounds: int) -> dict[str, float]:
    """How many times the processor's time of a yardstick a store and a search take: the least of some rounds.

    The yardstick is the same in raw SQLite and a little work of the interpreter: how fast one of the two is beside the
    other differs from machine to machine by half. Each is measured at once after ours, so that it has the same core.
    """
    found: dict[str, list[float]] = defaultdict(list)
    mind = open_mind(home, "ada")
    try:
        caller = _caller(mind, home)
        given = {"memory_flag_important": _stores(), "memory_search_chunks": _searches()}
        for number in range(rounds + 1):  # the first warms
            for name, arguments in given.items():
                declared = mind.dispatcher.catalogue.get(name)
                assert declared is not None
                ratios: list[float] = []
                for each in islice(arguments, times):
                    words = str(each.get("content") or each["query"])
                    act = raw.store if "flag_reason" in each else raw.search
                    ours = _seconds(lambda: mind.dispatcher.run(declared, caller, each))  # noqa: B023 - at once
                    bare = _seconds(lambda: act(words))  # noqa: B023
                    ratios.append(ours / (bare + _seconds(_interpreter_work)))
                if number:
                    found[name].append(median(ratios))
        return {name: min(ratios) for name, ratios in found.items()}
    finally:
        mind.close()


def _interpreter_work() -> object:
    """Some hundred microseconds of Python: words counted, told as JSON and read again, and put in order."""
    counted = Counter(_WORDS.split())
    told = json.loads(json.dumps([{"word": word, "times": times} for word, times in counted.items()]))
    return sorted(told, key=lambda each: (-each["times"], each["word"]))
