"""The real clients, from the npm registry: where their programs are, and an environment in which they know one home."""

import os
from pathlib import Path

from tests.support import own_environment

NODE = Path(__file__).parents[1] / "node" / "node_modules"
PROGRAMS = {
    # The npm packages of these two move the program into place when they are installed; their scripts are not run.
    "claude": NODE / "@anthropic-ai" / "claude-code-linux-x64" / "claude",
    "opencode": NODE / "opencode-linux-x64" / "bin" / "opencode",
    "codex": NODE / ".bin" / "codex",
    "gemini": NODE / ".bin" / "gemini",
    "copilot": NODE / ".bin" / "copilot",
    "mcpb": NODE / ".bin" / "mcpb",
}


def program(name: str) -> str:
    """The whole path of a client's program; an error where it is not installed, for `make test` installs it."""
    found = PROGRAMS[name]
    if not found.exists():
        raise FileNotFoundError(f"{found}: `python3 packaging/node_tools.py` installs it")
    return str(found)


def commands_in(folder: Path) -> str:
    """A search path that has the clients by their own names, Node, and what tests may start of the system."""
    folder.mkdir(exist_ok=True)
    for name in PROGRAMS:
        link = folder / name
        if not link.exists():
            link.symlink_to(program(name))
    return os.pathsep.join([str(folder), os.environ["PATH"]])


def client_environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a client: its home, and no wish to reach anything beyond this machine."""
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TMPDIR") if name in os.environ}
    nothing_else = {
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DO_NOT_TRACK": "1",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "NO_COLOR": "1",
        "TERM": "dumb",
    }
    return {**kept, **own_environment(home), "PATH": commands_in(home.parent / "programs"), **nothing_else, **more}
