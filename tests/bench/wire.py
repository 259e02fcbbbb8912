"""Lean MCP clients: as little as possible between the clock and the server."""

import json
import os
import subprocess
from http.client import HTTPConnection
from pathlib import Path

import psutil

from tests.support import bridge_command, environment

HANDSHAKE, MODERN = "2025-11-25", "2026-07-28"
ABOUT_US = {"name": "bench", "version": "1"}


class CallFailedError(Exception):
    """The tool, or the way to it, gave an error."""


def message(tool: str, arguments: dict[str, object], *, modern: bool = False) -> bytes:
    """A `tools/call`, as one line."""
    params: dict[str, object] = {"name": tool, "arguments": arguments}
    if modern:
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": ABOUT_US,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()


def initialize() -> bytes:
    """The first message of a handshake."""
    params = {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": ABOUT_US}
    return json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).encode()


def result_of(answer: bytes) -> dict:
    """The structured content of an answer, where it was asked for."""
    said = json.loads(answer)
    if "result" not in said or said["result"].get("isError"):
        raise CallFailedError(answer.decode()[:300])
    return said["result"].get("structuredContent", {})


class HttpClient:
    """One kept-alive connection; each call is a request of its own, answered as JSON."""

    def __init__(self, port: int, token: str, *, modern: bool, structured: bool = False) -> None:
        self._modern = modern
        self._path = "/mcp?structured=1" if structured else "/mcp"
        self._http = HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept": "application/json",
            "MCP-Protocol-Version": MODERN if modern else HANDSHAKE,
            "BigMind-Connection": os.urandom(8).hex(),
        }
        if modern:
            self._headers["Mcp-Method"] = "tools/call"

    def call(self, tool: str, **arguments: object) -> dict:
        """Run a tool."""
        headers = {**self._headers, "Mcp-Name": tool} if self._modern else self._headers
        self._http.request("POST", self._path, message(tool, arguments, modern=self._modern), headers)
        response = self._http.getresponse()
        body = response.read()
        if response.status != 200:
            raise CallFailedError(f"{response.status} {body[:300]!r}")
        return result_of(body)

    def close(self) -> None:
        self._http.close()


class StdioClient:
    """A server behind a pipe: the bridge, or what it is compared with."""

    def __init__(self, command: list[str], home: Path, **more: str) -> None:
        self.process = subprocess.Popen(
            command,
            env=environment(home, **more),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, line: bytes) -> bytes:
        """Send one message and read the next line."""
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise CallFailedError(f"the process ended with {self.process.wait(30)}")
        return answer

    def call(self, tool: str, **arguments: object) -> dict:
        """Run a tool."""
        return result_of(self.ask(message(tool, arguments)))

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


def bridge(home: Path, *, structured: bool = False) -> StdioClient:
    """The bridge, after its handshake; `structured` as for `HttpClient`."""
    client = StdioClient(bridge_command(), home, **({"BIGMIND_STRUCTURED": "1"} if structured else {}))
    client.ask(initialize())
    return client


def cpu_seconds(pid: int) -> float:
    """The CPU time that a process has used."""
    used = psutil.Process(pid).cpu_times()
    return used.user + used.system
