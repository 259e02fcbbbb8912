"""A look-alike of Hugging Face on loopback that has one model of fastembed's: the default's files under its name."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from bigmind.embedding.engine_interface import weights
from bigmind.embedding.models import MINILM
from bigmind.paths import asset

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
REPOSITORY = "Qdrant/all-MiniLM-L6-v2-onnx"
COMMIT = "5f1b8cd78bc4fb444dd171e59b18f3a3af89a079"


def files() -> dict[str, bytes]:
    found = {file.name: file.read_bytes() for file in asset("model").iterdir()}
    return {**found, "model.onnx": weights(MINILM).read_bytes()}


class Hub:
    """What it was asked; `gate` holds back the weights, and `is_broken` refuses them."""

    def __init__(self) -> None:
        self.files = files()
        self.asked: list[str] = []
        self.tokens: set[str] = set()
        self.gate = threading.Event()
        self.gate.set()
        self.is_asked_for_weights = threading.Event()
        self.is_broken = False
        self.address = ""


@contextmanager
def hub() -> Iterator[Hub]:
    told = Hub()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            told.asked.append(f"{self.command} {path}")
            told.tokens.add(self.headers.get("Authorization", ""))
            if path.split("/revision/")[0] == f"/api/models/{REPOSITORY}":
                siblings = [{"rfilename": name} for name in told.files]
                self.say(json.dumps({"id": REPOSITORY, "sha": COMMIT, "siblings": siblings}).encode())
            elif path.startswith(f"/api/models/{REPOSITORY}/tree/"):
                tree = [
                    {"type": "file", "path": name, "size": len(content), "oid": hashlib.sha256(content).hexdigest()}
                    for name, content in told.files.items()
                ]
                self.say(json.dumps(tree).encode())
            elif path.startswith(f"/{REPOSITORY}/resolve/") and path.rpartition("/")[2] in told.files:
                self.file(path.rpartition("/")[2])
            else:
                self.say(b"{}", status=404)

        def file(self, name: str) -> None:
            content = told.files[name]
            if name == "model.onnx" and self.command == "GET":
                told.is_asked_for_weights.set()
                told.gate.wait(60)
                if told.is_broken:
                    self.say(b"{}", status=503)
                    return
            self.say(content, ETag=f'"{hashlib.sha256(content).hexdigest()}"', **{"X-Repo-Commit": COMMIT})

        def say(self, content: bytes, status: int = 200, **headers: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                with suppress(OSError):  # the one who asked may have been killed
                    self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield told
    finally:
        told.gate.set()
        server.shutdown()
        thread.join()
        server.server_close()
