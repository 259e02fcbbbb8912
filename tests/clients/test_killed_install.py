"""A BigMind that is killed while it connects a client or takes that back leaves whole files, and a way back."""

import signal
import subprocess
import sys
from pathlib import Path

from bigmind.clients.connecting import install, plan_install, plan_removal, remove
from bigmind.clients.files.locations import Places, System
from bigmind.clients.install_site import Site
from bigmind.clients.targets.claude_code import CLAUDE_CODE
from bigmind.paths import token_file, token_sent_for
from bigmind.people.service import active_tokens, person
from bigmind.people.token_format import TokenKind
from bigmind.store.access import Access
from bigmind.wiring import Mind, open_mind
from tests.clients.machine import tree_of
from tests.thorough import often

BEFORE = {
    ".claude.json": '{\n  "numStartups": 7, // mine\n  "mcpServers": { "other": { "command": "x" } }\n}\n',
    ".claude/settings.json": '{ "hooks": { "Stop": [ { "hooks": [ { "command": "say" } ] } ] } }\r\n',
}

CHILD = """
import sys
from pathlib import Path
from tests.clients.test_killed_install import connect, disconnect, opened
with_home, data = Path(sys.argv[1]), Path(sys.argv[2])
access, site, mind = opened(with_home, data)
print("ready", flush=True)
while True:
    connect(access, site)
    disconnect(access, site)
"""


def opened(home: Path, data: Path):
    """A memory, and Claude Code in a home of this system."""
    mind = open_mind(data, "ada")
    site = Site(CLAUDE_CODE, Places(System.LINUX, home, {}))
    return Access(mind.store, person(mind.store, "ada"), "test"), site, mind


def connect(access: Access, site: Site) -> None:
    with access.read() as work:
        plan = plan_install(work, site).digest
    install(access, site, plan)


def disconnect(access: Access, site: Site) -> None:
    with access.read() as work:
        plan = plan_removal(work, site).digest
    remove(access, site, plan)


def tokens(access: Access) -> list[int | None]:
    """The valid tokens of clients."""
    with access.read() as work:
        return [each.id for each in active_tokens(work) if each.kind == TokenKind.CLIENT]


def principal_of(data: Path, mind: Mind) -> str:
    """Whose token the client's bridge and hooks would send."""
    found = mind.authenticator.principal(token_file(data, token_sent_for(data, "claude-code")).read_text())
    return found.caller.client if found is not None else ""


def contents(home: Path) -> dict[str, bytes]:
    """The files that clients read; what a killed process left of a file in the making is none of them."""
    return {name: data for name, data in tree_of(home).items() if data is not None and ".bigmind-" not in name}


def test_a_killed_install_leaves_whole_files_and_a_way_back(tmp_path: Path) -> None:
    home, data = tmp_path / "ada", tmp_path / "data"
    for name, text in BEFORE.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(text.encode())
    before = contents(home)
    seen: set[str] = set()

    for number in range(often(100, 2)):
        command = [sys.executable, "-c", CHILD, str(home), str(data)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            _watch(home / ".claude.json", number % 7)
            process.send_signal(signal.SIGKILL)
        now = contents(home)
        seen.add("connected" if b"bm_" in now[".claude.json"] else "as it was")
        for name, was in before.items():
            assert now[name] == was or _is_whole(name, now[name]), now[name]

        access, site, mind = opened(home, data)
        connect(access, site)  # whatever was left, it can be completed
        assert len(tokens(access)) == 1
        assert principal_of(data, mind) == "claude-code"
        assert all(_is_whole(name, each) for name, each in contents(home).items() if name in before)
        disconnect(access, site)  # and taken back
        assert tokens(access) == []
        assert {each.name for each in (data / "tokens").iterdir()} == {"cli", "bridge"}
        mind.close()
        assert contents(home) == before

    assert seen <= {"connected", "as it was"}


def _watch(path: Path, changes: int) -> None:
    """Return after the file was replaced so many times, at once for none."""
    last = path.stat().st_ino
    while changes:
        now = path.stat().st_ino
        changes -= now != last
        last = now


def _is_whole(name: str, data: bytes) -> bool:
    """Whether a file is what an install makes of it: its own end, and all of ours."""
    ours = b"bm_" if name == ".claude.json" else b"session-end --client claude-code"
    return ours in data and data.rstrip().endswith(b"}")
