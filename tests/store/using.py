"""Uses a store in this process, and looks into its file as another program would."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from bigmind.core.operation import Caller, Surface
from bigmind.paths import store_file, token_file
from bigmind.store.sqlite.driver import sound_driver
from bigmind.wiring import Mind, open_mind

Run = Callable[..., dict[str, Any]]


def caller_of(mind: Mind, home: Path) -> Caller:
    """Ada's command line, on a connection of its own."""
    principal = mind.authenticator.principal(token_file(home, "cli").read_text())
    assert principal is not None
    return replace(principal.caller, connection="connection-of-the-test")


def runner(mind: Mind, caller: Caller) -> Run:
    """Runs operations for `caller`, in a session."""
    operations = {each.name: each for each in mind.dispatcher.catalogue.on(Surface.API)}

    def run(operation: str, **arguments: object) -> dict[str, Any]:
        return mind.dispatcher.run(operations[operation], caller, arguments).model_dump(mode="json")

    run("memory_start_session")
    return run


@contextmanager
def opened(home: Path) -> Generator[Run]:
    """A memory for the length of a block, closed at its end."""
    mind = open_mind(home, "ada")
    try:
        yield runner(mind, caller_of(mind, home))
    finally:
        mind.close()


def raw_connection(home: Path) -> Any:
    """A connection of another program to the store's file; waits for no lock."""
    return sound_driver().connect(str(store_file(home)), timeout=0, isolation_level=None)


def keep(run: Run, content: str) -> str:
    """Keep a chunk; returns its id."""
    return run("memory_append_chunk", role="user", content=content, flag_reason="a reason")["chunk_id"]


def found(run: Run, query: str) -> list[str]:
    """The ids of the chunks that a search finds."""
    return [hit["chunk_id"] for hit in run("memory_search_chunks", query=query, limit=100)["hits"]]
