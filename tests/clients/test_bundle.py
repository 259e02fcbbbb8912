"""The bundle for Claude Desktop, judged by the tool of those who made the format."""

import io
import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from bigmind.clients.bundle import bundle
from bigmind.clients.files.locations import System
from tests.clients.real import commands_in, program

COMMANDS = {
    System.LINUX: "/opt/Big Mind/bigmind",
    System.MACOS: "/Applications/BigMind.app/Contents/MacOS/bigmind",
    System.WINDOWS: r"C:\Program Files\BigMind\bigmind.exe",
}


def mcpb(home: Path, *arguments: str | Path) -> str:
    done = subprocess.run(
        [program("mcpb"), *arguments],
        env={"HOME": str(home), "PATH": commands_in(home / "commands")},
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("system", System)
def test_the_makers_tool_takes_the_bundle_apart_and_finds_nothing_wrong(tmp_path: Path, system: System) -> None:
    made = tmp_path / "bigmind.mcpb"
    made.write_bytes(bundle(COMMANDS[system], "1.2.3", system))

    mcpb(tmp_path, "unpack", made, tmp_path / "unpacked")
    assert "passes" in mcpb(tmp_path, "validate", tmp_path / "unpacked")
    assert "bigmind.mcpb" in mcpb(tmp_path, "info", made)

    told = json.loads((tmp_path / "unpacked" / "manifest.json").read_text())
    assert told["manifest_version"] == "0.3"
    assert told["server"]["mcp_config"]["command"] == COMMANDS[system]
    assert told["server"]["mcp_config"]["args"] == ["mcp", "--client", "claude-desktop"]
    assert (tmp_path / "unpacked" / told["server"]["entry_point"]).is_file()


def test_what_the_bundle_names_as_its_entry_starts_the_command_that_made_it(tmp_path: Path) -> None:
    command = tmp_path / "Big Mind" / "bigmind"
    command.parent.mkdir()
    command.write_text('#!/bin/sh\necho "$0" "$@"\n')
    command.chmod(0o755)
    with zipfile.ZipFile(io.BytesIO(bundle(str(command), "1.2.3", System.LINUX))) as opened:
        entry = opened.getinfo("server/bigmind")
        launcher = Path(opened.extract(entry, tmp_path / "unpacked"))
        launcher.chmod(entry.external_attr >> 16)

    done = subprocess.run([launcher], capture_output=True, text=True, check=True)
    assert done.stdout == f"{command} mcp --client claude-desktop\n"


def test_on_windows_its_entry_names_a_folder_as_cmd_reads_it() -> None:
    made = bundle(r"C:\Users\Jürgen\50%temp%\bigmind.exe", "1.2.3", System.WINDOWS)
    with zipfile.ZipFile(io.BytesIO(made)) as opened:
        lines = opened.read("server/bigmind.cmd").decode().splitlines()
    assert r'@"C:\Users\Jürgen\50%%temp%%\bigmind.exe" "mcp" "--client" "claude-desktop" %*' in lines
    assert any(each.endswith('chcp.com" 65001 >nul') for each in lines)


def test_the_same_bundle_is_the_same_bytes() -> None:
    assert bundle("/opt/bigmind", "1.2.3", System.LINUX) == bundle("/opt/bigmind", "1.2.3", System.LINUX)
