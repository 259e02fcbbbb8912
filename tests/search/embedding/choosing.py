"""What tests of the choice of a model share: a server that finds by meaning, and waiting for it."""

import time
from collections.abc import Callable
from typing import Any

from bigmind.embedding.models import model_named
from tests.support import Server, process_wait

SECONDS = 120


def until(server: Server, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """What `memory_list_models` says as soon as `holds` holds of it."""
    deadline = time.monotonic() + SECONDS
    while not holds(told := server.call("memory_list_models")):
        assert time.monotonic() < deadline, told
        process_wait(server.process, 0.05)
    return told


def is_done(told: dict[str, Any]) -> bool:
    return told["waiting"] == 0 and told["next"] is None


def refused(server: Server, operation: str, **arguments: object) -> dict[str, Any]:
    """The problem document of a call that must fail."""
    with server.http() as http:
        answer = http.post(f"/api/v1/{operation}", json=arguments)
    assert answer.status_code >= 400, answer.text
    return answer.json()


def found(server: Server, query: str) -> list[str]:
    """The excerpts that a question finds by meaning, if the model reads its script, best first, without marks."""
    told = server.call("memory_semantic_search", query=query, kinds=["fact"], limit=5)
    reads = model_named(server.call("memory_list_models")["active"]).reads(query)
    assert not reads or told["words_only"] == ""
    return [hit["excerpt"].replace("**", "") for hit in told["hits"]]
