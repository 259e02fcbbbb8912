"""Learning with the command line alone, against a real server that runs as the person."""

import re
import shlex
from pathlib import Path

from tests.clients.learnt import OF_WORKSPACE, OWN, chat, packed, write
from tests.support import completed, running_server


def test_a_person_learns_and_takes_it_back_in_a_terminal(tmp_path: Path) -> None:
    me, home = tmp_path / "me", tmp_path / "home"
    write(me, {".claude/CLAUDE.md": OWN, "apollo/CLAUDE.md": OF_WORKSPACE})
    packed(me / "chats.zip", {"conversations.json": [chat(1)]})
    own = {"HOME": str(me), "USERPROFILE": str(me), "XDG_CONFIG_HOME": str(me / ".config")}

    def bigmind(*words: str) -> str:
        ran = completed(home, "learn", *words, folder=me, **own)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    with running_server(home, **own) as server:
        assert "~/.claude/CLAUDE.md (Claude Code" in bigmind("sources")
        proposed = bigmind("proposals", "--workspace", "apollo")
        line = next(line for line in proposed.splitlines() if "psycopg" in line)
        name = line.split()[1]
        assert "Learned: 1 fact." in bigmind("accept", "--digests", name, "--workspace", "apollo")
        assert name not in bigmind("proposals", "--workspace", "apollo")
        told = bigmind("proposals", "--file", "chats.zip")
        shown = re.search("`bigmind learn (accept --all --shown [0-9a-f]+ --file [^`]+)`", told)
        assert shown is not None
        assert "Learned: 1 past session." in bigmind(*shlex.split(shown[1]))
        assert server.call("memory_get_stats")["facts"] == 1
        decided = bigmind("decided", "--limit", "5")
        assert "2 accepted, 0 dismissed." in decided
        assert re.search(rf"{name} .*accepted, fact.*psycopg 3", decided)
        assert "`bigmind learn undo --digests NAMES`" in decided
        assert "Taken back: 1." in bigmind("undo", "--digests", name)
        assert server.call("memory_get_stats")["facts"] == 0
        assert name in bigmind("proposals", "--workspace", "apollo")
