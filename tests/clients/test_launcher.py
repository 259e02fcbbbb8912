"""A client that knows no BIGMIND_HOME reaches the memory that connected it."""

import json
import os
import subprocess
from pathlib import Path

from bigmind.clients.launcher import command_of
from bigmind.local.program import own_command
from bigmind.paths import data_folder
from tests.clients.machine import machine_in


def test_the_usual_data_folder_needs_no_program_of_its_own() -> None:
    assert command_of(data_folder({})) == own_command()


def test_what_is_written_reaches_this_memory_from_an_environment_that_does_not_name_it(tmp_path: Path) -> None:
    with machine_in(tmp_path) as machine:
        machine.install("claude-desktop")
        entry = json.loads((machine.home / ".config" / "Claude" / "claude_desktop_config.json").read_text())
        command = entry["mcpServers"]["bigmind"]["command"]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("BIGMIND_")}

        said = subprocess.run(
            [command, "status"], env={**kept, "HOME": str(machine.home)}, capture_output=True, text=True, check=True
        ).stdout

        assert machine.server.address in said
        assert (Path(command).stat().st_mode & 0o777) == 0o700


def test_it_is_there_once_the_server_runs_and_looking_at_the_clients_writes_none(tmp_path: Path) -> None:
    with machine_in(tmp_path) as machine:
        program = tmp_path / "data" / "bin" / "bigmind"
        assert program.is_file()
        program.unlink()
        assert any(each["paste"] for each in machine.server.call("clients_list")["clients"])
        assert not program.exists()
