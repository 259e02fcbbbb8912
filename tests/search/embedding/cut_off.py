"""Run by test_without_a_network.py in a namespace without routes: a fresh install stores, embeds and finds.

The arguments are the installation's Python and a home. It prints what it found, as JSON.
"""

import json
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path


def main(python: str, home: Path) -> None:
    try:
        socket.create_connection(("192.0.2.1", 80), 2).close()  # of TEST-NET-1: leads nowhere anywhere
        raise SystemExit("there is a network")
    except OSError as error:
        unreachable = str(error)
    server = subprocess.Popen([python, "-P", "-m", "app", "serve", "--background"], cwd="/")
    try:
        said = json.loads(waited_for(server, home / "run.json"))
        token = (home / "tokens" / "cli").read_text(encoding="utf-8").strip()

        def call(operation: str, **arguments: object) -> dict:
            request = urllib.request.Request(
                f"http://127.0.0.1:{said['port']}/api/v1/{operation}",
                json.dumps(arguments).encode(),
                {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
            )
            with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - loopback
                return json.load(answer)

        for fact in ("Postgres is our main database", "The office cat sleeps on the keyboard all day"):
            call("memory_store_fact", category="team", fact=fact)
        deadline = time.monotonic() + 100
        while (told := call("memory_list_models"))["waiting"]:
            assert time.monotonic() < deadline, told
            paused(server)
        found = call("memory_semantic_search", query="a pet lying on a computer")
        print(json.dumps({"unreachable": unreachable, "models": told, "found": found}))
    finally:
        server.terminate()
        server.wait(30)


def waited_for(server: subprocess.Popen[bytes], file: Path) -> str:
    deadline = time.monotonic() + 60
    while not file.exists():
        assert server.poll() is None, "the server ended"
        assert time.monotonic() < deadline
        paused(server)
    return file.read_text(encoding="utf-8")


def paused(server: subprocess.Popen[bytes]) -> None:
    try:
        server.wait(0.05)
    except subprocess.TimeoutExpired:
        return


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
