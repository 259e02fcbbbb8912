"""An embedder in a process of its own whose vectors are digests: for tests of what is around a model.

As a program it serves like `bigmind.embedding.worker`, one request after the other, and writes down what it was
asked. Words in a text make it misbehave:

- POISON: an error; CRASH: the process ends.
- HOLD and a path: it goes on when that FIFO was written; when there is no such file, the process ends.
- A model whose name begins with `broken` fails with every text.
"""

import json
import os
import sys
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import shake_128
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bigmind.embedding.limits import Limits

DIMENSION = 32


def digest(text: str, dimension: int = DIMENSION) -> bytes:
    """The vector of a text."""
    return shake_128(text.encode()).digest(dimension)


def serve(written_down: Path, dimension: int) -> None:
    """Answer until the input ends."""
    requests: SimpleQueue[dict] = SimpleQueue()

    def work() -> None:
        while True:
            request = requests.get()
            with written_down.open("a", encoding="utf-8") as file:
                file.write(json.dumps([head + text[:200] for head, text in request["texts"]]) + "\n")
            print(json.dumps({"id": request["id"], **answer(request, dimension)}), flush=True)

    threading.Thread(target=work, daemon=True).start()
    for line in sys.stdin:
        requests.put(json.loads(line))
    os._exit(0)


def answer(request: dict, dimension: int) -> dict:
    texts = [text for _, text in request["texts"]]
    for text in texts:
        if "CRASH" in text:
            os._exit(3)
        if "HOLD" in text:
            gate = Path(text.split("HOLD ")[1].split()[0])
            _ = gate.read_text(encoding="utf-8") if gate.exists() else os._exit(3)
    if request["model"].startswith("broken") or any("POISON" in text for text in texts):
        return {"error": "ValueError: it chokes"}
    found = [digest(head + text, dimension) for head, text in request["texts"]]
    return {
        "pieces": [
            [[0, len(text), b64encode(vector).decode()]] if text else []
            for text, vector in zip(texts, found, strict=True)
        ]
    }


class Tiny:
    """The embedder, and what it was asked."""

    def __init__(self, folder: Path, dimension: int = DIMENSION, limits: "Limits | None" = None) -> None:
        from bigmind.embedding.embedder import Embedder  # noqa: PLC0415 - the program needs none of it

        self.written_down = folder / f"asked-{dimension}.jsonl"
        command = [sys.executable, __file__, str(self.written_down), str(dimension)]
        self.embedder = Embedder(command, folder / "models", limits=limits)

    def asked(self) -> list[list[str]]:
        """The texts of each request, behind their heads, shortened."""
        if not self.written_down.exists():
            return []
        return [json.loads(line) for line in self.written_down.read_text(encoding="utf-8").splitlines()]


@contextmanager
def tiny(folder: Path, dimension: int = DIMENSION, limits: "Limits | None" = None) -> Iterator[Tiny]:
    made = Tiny(folder, dimension, limits)
    try:
        yield made
    finally:
        made.embedder.close()


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]))
