"""What every bundle must do, on every system, wherever it lies. Each step is seen to work, and told."""

import json
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from time import monotonic

from installed import SECONDS, Installed, said

FACT = "Deployments happen on Fridays, after the smoke test has passed"
KEY = "ghp_" + "x7Kq2Lm9Zt4Wc8Rv1Bn6Yp3Dj5Hs0Ga2Fe7U"


def remembers(installed: Installed) -> None:
    """A server that the bridge starts, a conversation over stdio, one over HTTP, both in one memory."""
    assert "BigMind" in installed.run("version")
    with installed.bridge("--client", "claude-code") as bridge:
        tools = {each["name"] for each in bridge.ask("tools/list")["tools"]}
        assert {"memory_start_session", "memory_store_fact"} <= tools
        bridge.tool("memory_start_session")
        bridge.tool("memory_store_fact", category="decision", fact=FACT, confidence=0.9)
        bridge.tool("memory_flag_important", content=f"The old key was {KEY}", flag_reason="it is rotated")
    said("a conversation over stdio, by the bridge")
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    asked = {**request, "params": {"name": "memory_semantic_search", "arguments": {"query": "deployments"}}}
    answer = installed.post("/mcp", asked)
    assert "Fridays" in json.dumps(answer), answer
    said("a conversation over HTTP, of the same memory")
    assert KEY not in json.dumps(installed.operation("memory_search_chunks", query="key"))
    said("a key is masked")


def finds_by_meaning(installed: Installed) -> None:
    """The model is loaded from the bundle, and finds what no word of the question names."""
    until = monotonic() + SECONDS
    while (stats := installed.operation("memory_get_stats"))["waiting"] or not stats["embedded"]:
        assert monotonic() < until, stats
        assert not stats["meaning"].startswith("off"), stats
        installed.operation("memory_semantic_search", query="when do we ship?")
    found = installed.operation("memory_semantic_search", query="on which weekday do we release?", kinds=["fact"])
    assert FACT in json.dumps(found), found
    said(f"search by meaning ({stats['meaning']})")


def backs_up(installed: Installed) -> None:
    """A backup is made, something is forgotten, and the backup brings it back."""
    installed.run("backup", "create")
    [fact] = [each for each in installed.operation("memory_list_facts")["facts"] if each["fact"] == FACT]
    installed.operation("memory_deprecate_fact", fact_id=fact["fact_id"], reason="a test of the backup")
    assert FACT not in json.dumps(installed.operation("memory_list_facts"))
    newest = installed.operation("backup_list")["backups"][0]["name"]
    installed.run("backup", "restore", newest, "--yes")
    assert FACT in json.dumps(installed.operation("memory_list_facts"))
    said("a backup is made and restored")


def connects(installed: Installed) -> None:
    """An IDE is connected, and its entry tried as the IDE would; it is told the program with standard streams."""
    installed.run("clients", "install", "claude-code", "--yes")
    hooks = (installed.person / ".claude" / "settings.json").read_text(encoding="utf-8")
    launchers = [each.read_text(encoding="utf-8") for each in (installed.home / "bin").iterdir()]
    assert "hook session-start" in hooks
    assert not any("bigmind-app" in each for each in (hooks, *launchers)), (hooks, launchers)
    assert "Connected" in installed.run("clients", "doctor")
    installed.run("clients", "remove", "claude-code", "--yes")
    assert not (installed.person / ".claude" / "settings.json").exists()
    said("an IDE is connected, its entry tried, and the connection taken back")


def completes(installed: Installed) -> None:
    """The command line completes itself, and asks which shell it is for."""
    for shell in ("bash", "zsh", "fish"):
        assert "_BIGMIND_COMPLETE" in installed.run(_BIGMIND_COMPLETE=f"source_{shell}")
    words = {"_BIGMIND_COMPLETE": "complete_bash", "COMP_WORDS": "bigmind mem", "COMP_CWORD": "1"}
    assert "memory" in installed.run(**words).split()
    if sys.platform != "win32":
        inner = shlex.join([*installed.command, "--show-completion"])
        shell = subprocess.run(
            ["bash", "-c", f"{inner}; true"],
            env=installed.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert "_BIGMIND_COMPLETE" in shell.stdout, shell.stdout + shell.stderr
    said("shells complete the command line")


def hands_down_no_libraries(installed: Installed) -> None:
    """What it starts, such as a person's browser, loads the system's libraries, and the person's own."""
    if not sys.platform.startswith("linux"):
        return
    told, browser = installed.person / "told", installed.person / "browser"
    browser.write_text(f'#!/bin/sh\nenv >"{told}.part" && mv "{told}.part" "{told}"\n')
    browser.chmod(0o755)
    for own in ("", "/opt/own/lib"):
        told.unlink(missing_ok=True)
        more = {"LD_LIBRARY_PATH": own} if own else {}
        installed.run("open", DISPLAY=":99", BROWSER=f"{browser} %s", **more)
        until = monotonic() + SECONDS
        while not told.exists():
            assert monotonic() < until, "the browser was not started"
        lines = told.read_text().splitlines()
        found = [each for each in lines if each.startswith(("LD_LIBRARY_PATH=", "_PYI_"))]
        assert found == ([f"LD_LIBRARY_PATH={own}"] if own else []), found
    said("a browser that it starts gets the person's path of libraries, and not the bundle's")


def says_nothing_of_installers(installed: Installed) -> None:
    """Nothing can be installed into a bundle."""
    told = installed.run("memory", "use-model", "multilingual-e5-small-q4", code=1)
    assert "pip install" not in told, told
    said("nobody is told to install something into it")


def refuses_a_newer_store(installed: Installed) -> None:
    """A memory that a newer BigMind wrote is left as it is, with a word that says so."""
    newer = Installed(installed.command, installed.person.with_name("newer"), around=installed.around)
    newer.person.mkdir()
    newer.run("token", "list")
    newer.run("stop")
    with closing(sqlite3.connect(newer.home / "bigmind.db")) as store, store:
        store.execute("UPDATE alembic_version SET version_num = '9999'")
    told = newer.run("serve", code=1)
    assert "was written by a newer BigMind" in told, told
    said("a newer store is refused with a clear word")


def ends(installed: Installed) -> None:
    """It ends when it is asked to."""
    installed.run("stop")
    assert not (installed.home / "run.json").exists()
    assert "not running" in installed.run("status", code=1).lower()
    said("it ends when it is asked to")
