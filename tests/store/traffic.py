"""Clients that write until their server is gone, and what it acknowledged to them."""

import json
import threading
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from bigmind.paths import token_file
from tests.store.judge import Promises

WRITERS = 4
ARGUMENTS = {
    "fact": ("memory_store_fact", "fact", {"category": "decision"}),
    "chunk": ("memory_append_chunk", "content", {"role": "user", "flag_reason": "a reason"}),
    "hypothesis": ("memory_add_hypothesis", "hypothesis", {}),
}


class Traffic:
    """Clients that write until their server is gone, and what it acknowledged to them."""

    def __init__(self, home: Path, port: int, session_id: str, prefix: str, *, patient: bool = False) -> None:
        """Begin to write; one that is patient asks again where it is told that the store is busy."""
        self.promises = Promises()
        self.refusals: list[str] = []
        self._headers = {
            "Authorization": f"Bearer {token_file(home, 'cli').read_text()}",
            "Content-Type": "application/json",
        }
        self._port = port
        self._patient = patient
        self._session_id = session_id
        self._acknowledged = threading.Condition()
        self._threads = [threading.Thread(target=self._write, args=(f"{prefix}x{n}",)) for n in range(WRITERS)]
        for thread in self._threads:
            thread.start()

    def _write(self, prefix: str) -> None:
        http = HTTPConnection("127.0.0.1", self._port, timeout=60)
        for number in range(10_000):
            kind = ("fact", "chunk", "hypothesis")[number % 3]
            text = f"{prefix}x{number}"
            try:
                status, body = self._post(http, kind, text)
            except (OSError, HTTPException):
                break
            if status == 503 and self._patient:
                continue
            if status != 200:
                self.refusals.append(body.decode())
                break
            with self._acknowledged:
                self.promises.made[kind].append(text)
                self._acknowledged.notify_all()
        http.close()

    def _post(self, http: HTTPConnection, kind: str, text: str) -> tuple[int, bytes]:
        operation, name, arguments = ARGUMENTS[kind]
        given = {**arguments, name: text, **({"session_id": self._session_id} if kind == "chunk" else {})}
        http.request("POST", f"/api/v1/{operation}", json.dumps(given), self._headers)
        response = http.getresponse()
        return response.status, response.read()

    def wait_for(self, writes: int) -> None:
        with self._acknowledged:
            enough = self._acknowledged.wait_for(lambda: len(self.promises) >= writes or self.refusals, 60)
        assert enough, "no write was acknowledged for a minute"

    def end(self) -> Promises:
        for thread in self._threads:
            thread.join(60)
        assert self.refusals == []
        return self.promises
