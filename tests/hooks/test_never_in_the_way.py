"""Whatever BigMind or the client does, the hook ends well, in time, and says nothing wrong."""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from filelock import FileLock

from bigmind.hooks.client_events import HOOKS, hook_of
from bigmind.hooks.formats import read
from bigmind.hooks.requests import HookCall, ask
from bigmind.local.runfile import RunningServer, publish, published
from bigmind.paths import lock_file, make_private_folder, token_file, write_private_file
from tests.hooks.documented import DOCUMENTED, claude_code
from tests.hooks.running import PATIENT, Hooks, hook_command, new_key
from tests.local.wire import home_in, servers_of
from tests.support import environment
from tests.thorough import spread

HEAVY = {"pydantic", "sqlmodel", "sqlalchemy", "litestar", "mcp", "typer", "rich", "uvicorn", "anyio", "alembic"}
NEUTRAL = {"gemini-cli": b"{}", "cursor": b"{}"}
WAITED = 0.2
SECRET = "a-token-that-nobody-may-hear"


@pytest.fixture
def home(tmp_path: Path) -> Generator[Path]:
    with home_in(tmp_path) as folder:
        yield folder


@contextmanager
def silent_listener() -> Generator[tuple[int, bytearray]]:
    """A port that takes everything and says nothing, with what it heard."""
    listener, heard = socket.create_server(("127.0.0.1", 0)), bytearray()

    def listen(connection: socket.socket) -> None:
        with connection:
            while received := connection.recv(65_536):
                heard.extend(received)

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=listen, args=(connection,), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listener.getsockname()[1], heard
    finally:
        listener.close()


def stands_for_a_server(home: Path, port: int) -> None:
    make_private_folder(home)
    publish(home, RunningServer(1, port, "0" * 64, "0"))
    token = token_file(home, "bridge")
    make_private_folder(token.parent)
    write_private_file(token, SECRET)


@pytest.mark.parametrize("client", spread(HOOKS, 3))
def test_a_server_that_never_answers_is_not_waited_for_and_never_sent_the_token(home: Path, client: str) -> None:
    with silent_listener() as (port, heard):
        stands_for_a_server(home, port)
        for event, said in DOCUMENTED[client](new_key()).items():
            done = Hooks(home).run(client, event, said, BIGMIND_HOOK_MILLISECONDS="")
            expected = b'{"continue": true}' if (client, event) == ("cursor", "prompt") else NEUTRAL.get(client, b"")
            assert (done.returncode, done.stdout, done.stderr) == (0, expected, b"")
        assert SECRET.encode() not in heard
    assert servers_of(home) == []


def test_an_input_that_never_ends_is_not_waited_for(home: Path) -> None:
    hook = subprocess.Popen(
        hook_command("stop", "gemini-cli"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(home)
    )
    assert hook.stdin is not None
    assert hook.stdout is not None
    assert hook.stdout.read() == b"{}"  # while its stdin is still open
    assert hook.wait(60) == 0
    hook.stdin.close()
    hook.stdout.close()


def test_with_no_server_a_conversation_that_starts_starts_one_and_waits_for_nothing(home: Path) -> None:
    hooks = Hooks(home)
    for event in ("prompt", "pre-compact", "stop", "session-end"):
        assert hooks("claude-code", event, claude_code("a")[event]) == ""
    assert servers_of(home) == []
    assert hooks("claude-code", "session-start", claude_code("a")["session-start"]) == ""
    [server] = servers_of(home)
    while published(home) is None:
        with suppress(psutil.TimeoutExpired):
            server.wait(0.05)
            raise AssertionError("the server ended")
    context = hooks.json("claude-code", "session-start", claude_code("b")["session-start"])
    assert "memory_start_session" in context["hookSpecificOutput"]["additionalContext"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only there a queue that is full keeps one waiting")
def test_a_conversation_starts_a_server_also_where_windows_does_not_say_in_time_that_the_last_is_gone(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIGMIND_HOME", str(home))
    moment = read(claude_code("a")["session-start"])
    call = HookCall("claude-code", hook_of("claude-code", "session-start"), moment, attended=True)
    with socket.socket() as gone, socket.socket() as first:
        gone.bind(("127.0.0.1", 0))
        gone.listen(0)
        first.connect(gone.getsockname())
        stands_for_a_server(home, gone.getsockname()[1])
        assert not ask(call, 0.2, lambda *_: True, "linux")
        assert servers_of(home) == []
        assert not ask(call, 0.2, lambda *_: True, "win32")
        assert len(servers_of(home)) == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only there a queue that is full keeps one waiting")
def test_a_server_that_has_the_store_and_is_busy_is_asked_as_ever(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIGMIND_HOME", str(home))
    moment = read(claude_code("a")["session-start"])
    call = HookCall("claude-code", hook_of("claude-code", "session-start"), moment, attended=True)
    with socket.socket() as busy, socket.socket() as first:
        busy.bind(("127.0.0.1", 0))
        busy.listen(0)
        first.connect(busy.getsockname())
        stands_for_a_server(home, busy.getsockname()[1])
        begun = time.monotonic()
        with FileLock(lock_file(home)):
            assert not ask(call, WAITED, lambda *_: True, "win32")
        assert time.monotonic() - begun > WAITED
        assert servers_of(home) == []


NONSENSE = {
    "nothing": b"",
    "no JSON": b"\xff\xfe not JSON",
    "a list": b"[]",
    "a text": b'"stop"',
    "deep": b"[" * 100_000,
    "endless": b'{"session_id": "' + b"x" * (5 * 1024 * 1024),
}


@pytest.mark.parametrize("said", NONSENSE.values(), ids=NONSENSE.keys())
def test_nonsense_is_answered_with_nothing(hooks: Hooks, said: bytes) -> None:
    for client in ("claude-code", "gemini-cli"):
        for event in ("session-start", "stop"):
            done = hooks.run(client, event, said)
            assert (done.returncode, done.stdout, done.stderr) == (0, NEUTRAL.get(client, b""), b"")


def test_fields_of_another_shape_are_as_if_they_were_not_there(hooks: Hooks) -> None:
    said = {
        "session_id": ["a"],
        "cwd": {"path": "/"},
        "source": 7,
        "last_assistant_message": {"text": "no"},
        "loop_count": "many",
        "workspace_roots": [3],
        "tool_info": "none",
    }
    printed = hooks.json("claude-code", "session-start", said)
    assert "memory_start_session" in printed["hookSpecificOutput"]["additionalContext"]
    assert hooks("claude-code", "stop", said) == ""


@pytest.mark.parametrize("key", ["k" * 5_000, "\ud800 \u0000 ü", "  two  words  "])
def test_an_odd_id_is_one_conversation_all_the_same(hooks: Hooks, key: str) -> None:
    said = {"session_id": f"{key}{new_key()}", "last_assistant_message": "x" * 100_000 + "\ud800"}
    before = hooks.ask("memory_list_sessions")["total"]
    for _ in range(3):
        assert hooks("claude-code", "stop", said) == ""
    assert hooks.ask("memory_list_sessions")["total"] == before + 1


@pytest.mark.parametrize("folder", ["/no/such/folder", "\u0000", "x" * 10_000, "/home/ada/\ud800"])
def test_an_odd_folder_does_no_harm(hooks: Hooks, folder: str) -> None:
    printed = hooks.json("claude-code", "session-start", {"session_id": new_key(), "cwd": folder})
    assert printed["hookSpecificOutput"]["additionalContext"]


def test_the_project_is_that_of_the_folder_the_client_names_else_its_own(hooks: Hooks, tmp_path: Path) -> None:
    there, here = tmp_path / "Zwölf", tmp_path / "here"
    there.mkdir()
    here.mkdir()
    last = {"last_assistant_message": "Done."}
    for client, said in (
        ("claude-code", {"session_id": new_key(), "cwd": str(there), **last}),
        ("claude-code", {"session_id": new_key(), **last}),
        ("cursor", {"conversation_id": new_key(), "workspace_roots": [str(there)], **last}),
    ):
        hooks(client, "stop", said, cwd=here)
        hooks(client, "stop", said, cwd=here)
    rows = hooks.ask("memory_list_sessions", limit=3)["sessions"]
    assert [row["project"] for row in rows] == ["Zwölf", "here", "Zwölf"]


def test_nobody_listens_to_the_answer(hooks: Hooks) -> None:
    hook = subprocess.Popen(
        hook_command("session-start", "claude-code"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(hooks.home, **PATIENT),
    )
    assert hook.stdout is not None
    hook.stdout.close()
    hook.stdout = None
    _, errors = hook.communicate(json.dumps(claude_code(new_key())["session-start"]).encode(), 120)
    assert (hook.returncode, errors) == (0, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes the streams")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
def test_streams_that_are_closed_from_the_beginning(hooks: Hooks, closed: str) -> None:
    command = hook_command("session-start", "claude-code")
    done = subprocess.run(
        ["sh", "-c", f'"$@" {closed}', "sh", *command],
        input=b"{}",
        capture_output=True,
        env=environment(hooks.home, **PATIENT),
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "arguments", [[], ["stop"], ["bogus", "--client", "claude-code"], ["stop", "--client", "emacs"]]
)
def test_a_command_that_is_no_hook_says_how_it_is_used_and_breaks_nothing(home: Path, arguments: list[str]) -> None:
    command = [hook_command("stop", "x")[0], "hook", *arguments]
    done = subprocess.run(
        command, input=b"{}", capture_output=True, env=environment(home, **PATIENT), timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.startswith(b"usage: bigmind hook")


def test_help_is_that_of_the_command_line(home: Path) -> None:
    done = subprocess.run(
        [hook_command("stop", "x")[0], "hook", "--help"],
        capture_output=True,
        env=environment(home),
        timeout=120,
        check=True,
    )
    assert b"session-start" in done.stdout


def test_it_imports_almost_nothing(hooks: Hooks, tmp_path: Path) -> None:
    script = tmp_path / "imports.py"
    script.write_text(
        "import os, sys\n"
        "left, os._exit = os._exit, lambda code: (os.write(2, '\\n'.join(sys.modules).encode()), left(code))\n"
        "sys.argv = ['bigmind', 'hook', 'session-start', '--client', 'claude-code']\n"
        "from app.main import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        input=json.dumps(claude_code(new_key())["session-start"]).encode(),
        capture_output=True,
        env=environment(hooks.home, **PATIENT),
        timeout=120,
        check=False,
    )
    assert b"additionalContext" in done.stdout
    modules = set(done.stderr.decode().split())
    assert modules & HEAVY == set()
    ours = {name for name in modules if name.startswith("bigmind.")}
    assert {name.split(".")[1] for name in ours} == {"core", "disk", "hooks", "local", "paths"}
    assert "subprocess" not in modules


def test_a_home_that_is_no_path_breaks_nothing(tmp_path: Path) -> None:
    done = Hooks(tmp_path / "home").run("claude-code", "stop", claude_code("a")["stop"], BIGMIND_HOME="~nobody-here/x")
    assert (done.returncode, done.stdout) == (0, b"")
