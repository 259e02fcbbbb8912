"""A client that knows no BIGMIND_HOME reaches the memory that connected it."""

import json
import os
import subprocess
import sys
from pathlib import Path

from bigmind.clients.launcher import command_of, launcher_text
from bigmind.local.program import installed_command, own_command
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


def test_on_windows_it_tells_its_folder_by_its_place_and_leaves_nothing_to_the_terminal() -> None:
    told = {"BIGMIND_HOME": r"C:\Users\Jürgen\50%", "BIGMIND_DB_PATH": r"D:\100%\bigmind.db"}
    assert launcher_text(told, [r"C:\Big Mind\bigmind.exe"], "win32").splitlines(keepends=True) == [
        "@setlocal EnableExtensions DisableDelayedExpansion\r\n",
        '@for %%I in ("%~dp0..") do @set "BIGMIND_HOME=%%~fI"\r\n',
        '@set "BIGMIND_DB_PATH=D:\\100%%\\bigmind.db"\r\n',
        '@"C:\\Big Mind\\bigmind.exe" %*\r\n',
    ]


def test_on_windows_letters_of_the_program_are_read_in_a_code_page_that_goes_with_it() -> None:
    code_page = '"%SystemRoot%\\System32\\chcp.com"'
    assert launcher_text({}, [r"C:\Users\Jürgen\bigmind.exe"], "win32").splitlines() == [
        "@setlocal EnableExtensions DisableDelayedExpansion",
        f"@for /f \"tokens=2 delims=:.\" %%P in ('{code_page}') do @set code_page=%%P",
        f"@{code_page} 65001 >nul",
        '@"C:\\Users\\Jürgen\\bigmind.exe" %*',
        "@set exit_code=%ERRORLEVEL%",
        f"@if defined code_page {code_page} %code_page% >nul",
        "@exit /b %exit_code%",
    ]


if sys.platform == "win32":

    def test_what_lies_in_the_current_folder_is_not_run_in_place_of_the_systems_own(tmp_path: Path) -> None:
        launcher, workspace = tmp_path / "launcher.cmd", tmp_path / "workspace"
        workspace.mkdir()
        (workspace / "chcp.bat").write_text("@echo ran> ran\r\n", encoding="ascii", newline="")
        says = [sys.executable, "-c", "import sys; print(sys.argv[-1]); sys.exit(3)", "Jürgen"]
        launcher.write_text(launcher_text({}, says), encoding="utf-8", newline="")
        done = subprocess.run([launcher, "status"], cwd=workspace, capture_output=True, check=False)
        assert done.stdout.split() == [b"status"]
        assert done.returncode == 3
        assert [each.name for each in workspace.iterdir()] == ["chcp.bat"]


def test_elsewhere_every_value_and_word_is_quoted_for_the_shell() -> None:
    told = launcher_text({"BIGMIND_HOME": "/it's $here"}, ["/Big Mind/python", "-m", "app"], "linux")
    assert told == "#!/bin/sh\nexport BIGMIND_HOME='/it'\"'\"'s $here'\nexec '/Big Mind/python' -m app \"$@\"\n"


def test_a_command_that_pip_put_elsewhere_than_python_is_found_where_the_package_is_that_runs(tmp_path: Path) -> None:
    for_all, own = ({"purelib": str(tmp_path / each), "scripts": str(tmp_path / each / "Scripts")} for each in "ab")
    for each in (for_all, own):
        Path(each["scripts"]).mkdir(parents=True)
        (Path(each["scripts"]) / "bigmind.exe").touch()

    schemes = [for_all, own]
    assert installed_command("bigmind.exe", tmp_path / "b", schemes) == tmp_path / "b" / "Scripts" / "bigmind.exe"
    assert installed_command("bigmind.exe", tmp_path / "checkout", schemes) is None
    assert installed_command("bigmind", tmp_path / "b", schemes) is None
