"""A home with so many chunks, stored the way they are stored in life: one transaction each, in sessions of 25."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

from bigmind.core.operation import Caller
from bigmind.paths import token_file
from bigmind.wiring import Mind, open_mind
from tests.bench.corpus import texts

CHUNKS_PER_SESSION = 25
FLAGGED = "A decision of the bench."
SEED = 7


def fill(home: Path, chunks: int) -> list[str]:
    """Store texts in this process, before a server owns the home; returns them."""
    stored = list(islice(texts(SEED), chunks))
    mind = open_mind(home, "ada")
    principal = mind.authenticator.principal(token_file(home, "cli").read_text())
    caller = replace(principal.caller, connection="filling")
    for start in range(0, chunks, CHUNKS_PER_SESSION):
        _session(mind, caller, stored[start : start + CHUNKS_PER_SESSION])
    mind.close()
    return stored


def _session(mind: Mind, caller: Caller, contents: list[str]) -> None:
    def run(name: str, **arguments: object) -> None:
        mind.dispatcher.run(mind.dispatcher.catalogue.get(name), caller, arguments)

    run("memory_start_session", project="bench", topics=["bench"])
    for content in contents:
        run("memory_flag_important", content=content, flag_reason=FLAGGED)
    run("memory_end_session", one_liner=contents[0][:80], topics=["bench"], outcome="Stored.", summary=contents[-1])
