"""After all kinds of use, no token and no sign-in code stands anywhere but where it belongs."""

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from bigmind.people.token_format import new_secret
from tests.http.raw import Raw, exchange
from tests.support import Server, bridge_command, completed, environment, running_server

FACT = "a canary that is meant to be kept"


def files_with(home: Path, needle: bytes) -> set[str]:
    files = [file for file in home.rglob("*") if file.is_file()]
    return {file.relative_to(home).as_posix() for file in files if needle in file.read_bytes()}


def use_as_program(server: Server, secrets: set[str]) -> None:
    with server.http() as person:
        made = person.post("/api/v1/token_create", json={"client": "ide"}, headers={"Idempotency-Key": "k"}).json()
        person.post("/api/v1/memory_store_fact", json={"category": "decision", "fact": FACT}).raise_for_status()
        person.post("/api/v1/token_list", json={})
        person.post("/api/v1/token_revoke", json={"token_id": made["token"][:30]})
    secrets.add(made["token"])
    unknown = new_secret()
    secrets.add(unknown)
    with httpx.Client(base_url=server.address, trust_env=False) as client:
        for headers in ({"Authorization": f"Bearer {made['token']}"}, {"Authorization": f"Bearer {unknown}"}):
            for path in ("/api/v1/memory_get_stats", "/api/v1/nothing", f"/mcp?token={made['token']}", "/mcp"):
                client.post(path, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=headers)
                client.post(path, content=b"[" * 1_000, headers={**headers, "Content-Type": "application/json"})
                client.get(path, headers={**headers, "Host": "evil.com"})
            client.get(f"/api/v1/openapi.json?token={made['token']}", headers=headers)
    # Trouble in the HTTP parser, with a token in it.
    broken = Raw("POST", "/api/v1/memory_get_stats", (("Host", f"127.0.0.1:{server.port}".encode()),))
    assert exchange(server.port, replace(broken, length=made["token"].encode())).status == 400
    assert exchange(server.port, f"GET /{made['token']}\r\n\r\n".encode()).status == 421


def use_as_browser(server: Server, secrets: set[str]) -> None:
    links = [server.call("server_sign_in_link")["url"] for _ in range(3)]
    secrets.update(link.partition("code=")[2] for link in links)
    with httpx.Client(base_url=server.address, trust_env=False, headers={"Accept": "text/html"}) as browser:
        assert browser.get(links[0]).status_code == 303
        assert browser.get(links[0]).status_code == 401
        browser.get(links[1], headers={"Sec-Fetch-Site": "cross-site"})
        cookie = next(value for name, value in browser.cookies.items() if not name.endswith("_form"))
        secrets.add(cookie)
        for path in ("/", "/sessions", "/nowhere", f"/sessions/{cookie[:36]}", f"/?token={cookie}"):
            browser.get(path)
        form = re.search(r'name="form_token" value="([^"]+)"', browser.get("/profile").text)
        assert form is not None
        secrets.add(form[1])
        browser.post("/sign-out", data={"form_token": "wrong"})
        browser.post("/sign-out", data={"form_token": form[1]})


def use_by_commands(home: Path, secrets: set[str]) -> None:
    opened = completed(home, "open")
    assert opened.returncode == 0, opened.stderr
    secrets.add(opened.stdout.strip().partition("code=")[2])
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "memory_open_profile"}}
    said = json.dumps(message).encode() + b"\n"
    subprocess.run(bridge_command(), input=said, env=environment(home), capture_output=True, timeout=60, check=True)


def test_no_secret_stands_in_a_file_of_the_home_but_the_token_files(home: Path) -> None:
    secrets: set[str] = set()
    with running_server(home, by_command=True) as server:
        secrets |= {server.token("cli"), server.token("bridge")}
        use_as_program(server, secrets)
        use_as_browser(server, secrets)
        use_by_commands(home, secrets)
        assert len(secrets) >= 10
        assert "" not in secrets
        assert_clean(home, secrets)
        assert_clean_process(server.process.pid, secrets)
    assert_clean(home, secrets)
    log = (home / "logs" / "server.log").read_text()
    assert "ready at" in log, "the log was not read at all"
    assert "sign-in" not in log
    assert "code=" not in log
    assert "bm_" not in log


def assert_clean(home: Path, secrets: set[str]) -> None:
    assert files_with(home, FACT.encode()), "the search finds nothing, whatever there is"
    for secret in secrets:
        where = files_with(home, secret.encode()) - {"tokens/cli", "tokens/bridge"}
        assert where == set(), f"{secret[:6]}… stands in {where}"
    # Nor of any token that is not known here.
    found = {name for name in files_with(home, b"bm_") if not name.startswith("tokens/")}
    assert found == set()


def assert_clean_process(pid: int, secrets: set[str]) -> None:
    """The command line and the environment of the server, which other programs can read."""
    process = Path("/proc") / str(pid)
    if not process.exists():
        pytest.skip("this operating system shows processes in another way")
    for name in ("cmdline", "environ"):
        shown = (process / name).read_bytes()
        assert not any(secret.encode() in shown for secret in secrets)
