"""A server whose MCP endpoint cannot be loaded, as in a bundle that lacks a module: who calls is told, at once."""

from pathlib import Path

from bigmind.mcp.addresses import PATH
from tests.support import running_server

LACKED = "mcp.server.streamable_http_manager"
SHUT_OUT = f"""
import sys
class ShutOut:
    def find_spec(self, name, path=None, target=None):
        if name == {LACKED!r}:
            raise ModuleNotFoundError("No module named 'streamable'", name=name)
sys.meta_path.insert(0, ShutOut())
"""
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
"""Answered without the part that is lacking."""
LIST = {"jsonrpc": "2.0", "id": 1, "method": "resources/list"}


def test_who_waits_for_an_endpoint_that_cannot_be_loaded_is_refused_and_health_says_why(
    home: Path, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(SHUT_OUT)
    with running_server(home, PYTHONPATH=str(tmp_path)) as server, server.http() as http:
        assert http.post(PATH, json=PING).json()["result"] == {}
        for answer in (http.post(PATH, json=LIST), http.post(PATH, json=LIST)):
            assert answer.status_code == 500
            assert answer.json()["code"] == "internal"
            assert "No module named 'streamable'" in answer.json()["title"]
            assert answer.json()["hint"].startswith("Install BigMind again")

        [found] = [each for each in server.call("memory_health_check")["findings"] if each["code"] == "part_failed"]
        assert found["severity"] == "problem"
        assert "endpoint" in found["meaning"]
        assert "No module named 'streamable'" in found["meaning"]
        assert server.stop() == 0
    assert "streamable" in (home / "logs" / "server.log").read_text()


def test_a_server_whose_endpoint_works_lacks_nothing(server) -> None:
    assert server.call("memory_health_check")["findings"] == []
    with server.http() as http:
        assert http.post(PATH, json=LIST).json()["result"]["resources"]
    assert server.call("memory_health_check")["findings"] == []
