"""What stands in a client's files, used as the client would use it: its server entries, started and asked."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx

from bigmind.clients.files.locations import Places, System
from bigmind.clients.parts import Entry
from bigmind.clients.plan import standing
from bigmind.clients.target import ConnectionSpec, Target
from bigmind.clients.trial import Http, Stdio, written
from bigmind.paths import client_token, token_file
from tests.clients.machine import Machine
from tests.support import environment

PROTOCOL = "2025-11-25"
SECONDS = 60


def own_file(machine: Machine, client: str) -> Path:
    """The file of the client's token."""
    return token_file(machine.server.home, client_token(client))


def entries(machine: Machine, target: Target, workspace: Path | None) -> list[Http | Stdio]:
    """The server entries that stand in the client's files, and the one that a person pastes."""
    places, wanted = Places(System.LINUX, machine.home), ConnectionSpec("", "", "", "", workspace)
    parts = target.parts(places, wanted) if (target.for_user or workspace) else ()
    found = [standing(each, _read) for each in parts if isinstance(each, Entry)]
    if pasted := machine.state(target.name)["paste"]:
        found.append(json.loads(pasted)["mcpServers"]["bigmind"])
    return [entry for each in found if (entry := written(each)) is not None]


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def stores(machine: Machine, entry: Http | Stdio, fact: str) -> str:
    """Store a fact over a connection; returns the client that it is kept of, or what was said instead."""
    arguments = {"category": "decision", "fact": fact}
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "memory_store_fact", "arguments": arguments},
    }
    answer = _over_http(entry, message) if isinstance(entry, Http) else _over_stdio(machine, entry, message)
    if "result" not in answer:
        return str(answer["error"]["message"])
    assert not answer["result"].get("isError"), answer
    facts = machine.server.call("memory_list_facts", limit=100)["facts"]
    return next(each["client"] for each in facts if each["fact"] == fact)


def _over_http(entry: Http, message: dict[str, Any]) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {entry.token}", "Accept": "application/json"}
    answer = httpx.post(entry.url, json=message, headers=headers, trust_env=False, timeout=SECONDS)
    said = answer.json()
    return said if answer.status_code == 200 else {"error": {"message": said["title"]}}


def _over_stdio(machine: Machine, entry: Stdio, message: dict[str, Any]) -> dict[str, Any]:
    return started(machine, entry.command, message)[0]


def started(machine: Machine, command: Sequence[str], *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """Start a bridge as its client does, and return its answers to some messages."""
    done = subprocess.run(
        command,
        input="".join(json.dumps(each) + "\n" for each in messages),
        env=environment(machine.server.home),
        capture_output=True,
        text=True,
        check=True,
        timeout=SECONDS,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]
