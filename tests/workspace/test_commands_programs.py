"""Programs are found in BigMind's own search path, kept by their place and by where it leads, and run as they were."""

import os
import sys
from pathlib import Path

import pytest

from bigmind.workspace.approved_commands import CHANGED, run_command
from bigmind.workspace.programs import Program, find_program, is_same_program, is_script_of_cmd, is_startable
from tests.workspace.checks import LONG, Checks
from tests.workspace.yards import posix


def program_at(path: Path, text: str = 'echo "${0##*/}"') -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    return tmp_path.resolve() / "outside"


def found(checks: Checks, name: str, *folders: object, system: str = "linux") -> Program | None:
    separator = ";" if system == "win32" else os.pathsep
    given = {"PATH": separator.join(map(str, folders)), "PATHEXT": ".BAT;.CMD;.EXE;.COM;.JS;.PS1"}
    return find_program(name, checks.root, given, system)


def test_the_first_of_the_search_path_is_found(checks: Checks, outside: Path):
    first, second = program_at(outside / "a" / "lint"), program_at(outside / "b" / "lint")
    assert found(checks, "lint", first.parent, second.parent) == Program(first, first, is_workspaces=False)
    assert found(checks, "lint", outside / "gone", second.parent) == Program(second, second, is_workspaces=False)
    assert found(checks, "lint", outside) is None


def test_a_script_that_windows_has_cmd_run_is_known_for_one(checks: Checks, outside: Path):
    """Of `npm test` no program is found there, and it is said why."""
    for name in ("npm.cmd", "lint.bat", "npm", "tool.exe"):
        program_at(outside / name)
    given = {"PATH": str(outside)}
    told = [
        each
        for each in ("npm", "lint", "npm.cmd", "./build.bat", "tool", "gone", "./npm", "npm.md")
        if is_script_of_cmd(each, checks.root, given, "win32")
    ]

    assert told == ["npm", "lint", "npm.cmd", "./build.bat"]
    assert not is_script_of_cmd("npm", checks.root, given, "linux")


@posix
def test_neither_the_workspace_nor_a_relative_folder_is_searched(
    checks: Checks, outside: Path, monkeypatch: pytest.MonkeyPatch
):
    program_at(checks.root / "lint")
    program_at(checks.root / "bin" / "lint")
    outside.mkdir()
    (outside / "link").symlink_to(checks.root / "bin")
    (checks.root / "out").symlink_to(program_at(outside / "real" / "lint").parent)
    monkeypatch.chdir(checks.root)
    for folder in (
        "",
        ".",
        "./",
        "bin",
        "./bin",
        "..",
        checks.root,
        checks.root / "bin",
        outside / "link",
        checks.root / "out",
    ):
        assert found(checks, "lint", folder) is None, folder
    assert found(checks, "lint", f"{checks.root}/../workspace/bin", f"{outside}/link/../bin") is None
    assert find_program("lint", checks.root, {}) is None


def test_a_path_is_taken_in_the_workspace(checks: Checks, outside: Path):
    own, other = program_at(checks.root / "tools" / "lint.exe"), program_at(outside / "lint.exe")
    expected = Program(own, own, is_workspaces=True)
    for name in ("tools/lint.exe", "./tools/lint.exe", str(own)):
        assert found(checks, name, system=sys.platform) == expected
    assert found(checks, str(other), system=sys.platform) == Program(other, other, is_workspaces=False)
    for name in ("../outside/lint.exe", "tools/../tools/lint.exe"):
        assert found(checks, name, system=sys.platform) is None


@pytest.mark.parametrize(
    "name", ["", ".", "..", "/", "./", "a\0b", "./a\0b", "x" * 5_000, "\ud800", "./\ud800", "a\nb", "-"]
)
def test_what_is_no_name_is_not_found(checks: Checks, outside: Path, name: str):
    outside.mkdir()
    assert found(checks, name, outside) is None


@posix
def test_what_is_no_ordinary_file_that_can_be_run_is_not_found(checks: Checks, outside: Path):
    (outside / "folder").mkdir(parents=True)
    os.mkfifo(outside / "pipe", 0o755)
    (outside / "text").write_text("#!/bin/sh\n")
    (outside / "dangling").symlink_to(outside / "gone")
    (outside / "circle").symlink_to(outside / "circle")
    for name in ("folder", "pipe", "text", "dangling", "circle"):
        assert found(checks, name, outside) is None, name


@posix
@pytest.mark.parametrize("is_in_path", [True, False])
def test_a_link_into_the_workspace_is_the_workspaces_own(checks: Checks, outside: Path, is_in_path: bool):
    own = program_at(checks.root / "tools" / "lint")
    outside.mkdir()
    (outside / "lint").symlink_to(own)
    name = "lint" if is_in_path else str(outside / "lint")
    assert found(checks, name, outside) == Program(outside / "lint", own, is_workspaces=True)


@posix
def test_a_link_out_of_the_workspace_is_the_workspaces_own_too(checks: Checks, outside: Path):
    other = program_at(outside / "lint")
    (checks.root / "lint").symlink_to(other)
    assert found(checks, "./lint") == Program(checks.root / "lint", other, is_workspaces=True)


@posix
def test_its_folders_are_kept_as_they_really_are(checks: Checks, outside: Path):
    real = program_at(outside / "real" / "lint")
    (outside / "link").symlink_to(outside / "real")
    assert found(checks, "lint", outside / "link") == Program(real, real, is_workspaces=False)


@posix
def test_a_python_of_a_virtual_environment_stays_one(checks: Checks):
    """Its real path would be the Python that it was made from, with other packages."""
    (checks.root / ".venv" / "bin").mkdir(parents=True)
    (checks.root / ".venv" / "bin" / "python").symlink_to(os.path.realpath(sys.executable))
    (checks.root / ".venv" / "pyvenv.cfg").write_text(f"home = {Path(os.path.realpath(sys.executable)).parent}\n")
    command = checks.approve(".venv/bin/python", "-I", "-c", "import sys; print(sys.prefix)")
    assert str(command.leads_to) == os.path.realpath(sys.executable)
    assert run_command(command, checks.root, LONG).output == f"{checks.root}/.venv\n"


@posix
def test_a_program_with_many_names_is_run_by_the_one_that_was_named(checks: Checks, outside: Path):
    program_at(outside / "many")
    for name in ("one", "other"):
        (outside / name).symlink_to("many")
        assert checks.run(str(outside / name)).output == f"{name}\n"


@posix
def test_a_shim_stays_a_file_of_its_own(checks: Checks, outside: Path):
    """As pyenv and asdf write them: a script that starts the version that files of the workspace name."""
    program_at(outside / "versions" / "2" / "lint", "echo version 2")
    shim = program_at(outside / "shims" / "lint", f'exec "{outside}/versions/$(cat .version)/${{0##*/}}" "$@"')
    (checks.root / ".version").write_text("2\n")
    command = checks.approve(str(shim), defined_by=(".version",))
    assert (command.program, command.leads_to, list(command.defined_by)) == (shim, shim, [".version"])
    assert run_command(command, checks.root, LONG).output == "version 2\n"


def replace_by_link(path: Path, other: Path) -> None:
    path.unlink()
    path.symlink_to(other)


def replace_by_folder(path: Path, _other: Path) -> None:
    path.unlink()
    path.mkdir()


def replace_by_pipe(path: Path, _other: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o755)


def replace_folder_by_link(path: Path, other: Path) -> None:
    path.parent.rename(path.parent.with_name("before"))
    path.parent.symlink_to(other.parent)


CHANGES = {
    "gone": lambda path, _other: path.unlink(),
    "a link elsewhere": replace_by_link,
    "a folder": replace_by_folder,
    "a pipe": replace_by_pipe,
    "not to be run": lambda path, _other: path.chmod(0o644),
    "in a folder that became a link": replace_folder_by_link,
}


@posix
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("is_link", [False, True])
def test_a_program_that_is_another_now_is_not_run(checks: Checks, outside: Path, change: str, is_link: bool):
    other = program_at(outside / "others" / "lint", "touch ran")
    place = outside / "tools" / "lint"
    if is_link:
        target = program_at(outside / "targets" / "lint")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)
    else:
        program_at(place)
    command = checks.approve(str(place))
    CHANGES[change](place, other)
    result = run_command(command, checks.root, LONG)
    assert (result.exit_code, result.fault, result.output) == (None, CHANGED, "")
    assert not (checks.root / "ran").exists()


def test_a_program_that_is_gone_or_a_folder_now_is_not_run(checks: Checks):
    for change in (lambda path, _: path.unlink(), replace_by_folder):
        place = program_at(checks.root / "lint.exe")
        command = checks.approve("./lint.exe")
        change(place, place)
        assert run_command(command, checks.root, LONG).fault == CHANGED


@pytest.mark.parametrize("name", ["./lint.exe:other.exe", "./aux.exe", "tools./lint.exe", "./lint.bat:x.exe"])
def test_on_windows_a_program_is_no_stream_and_no_device(checks: Checks, name: str):
    if sys.platform == "win32":
        program_at(checks.root / "lint.exe")
        (checks.root / "tools").mkdir()
        program_at(checks.root / "tools" / "lint.exe")
    else:
        program_at(checks.root / name)
    assert found(checks, name, system="win32") is None


@posix
def test_a_link_that_became_a_file_and_one_whose_target_became_a_link_are_others(outside: Path):
    target, other = program_at(outside / "target"), program_at(outside / "other")
    (outside / "lint").symlink_to(target)
    assert is_same_program(outside / "lint", target)
    replace_by_link(target, other)
    assert not is_same_program(outside / "lint", target)
    (outside / "lint").unlink()
    program_at(outside / "lint")
    assert not is_same_program(outside / "lint", target)


@posix
def test_a_folder_that_became_a_link_is_another_though_all_in_it_leads_to_the_same(outside: Path):
    """As one virtual environment instead of another: its Python is the same file, its packages are not."""
    target = program_at(outside / "python")
    for name in ("mine", "theirs"):
        (outside / name).mkdir()
        (outside / name / "python").symlink_to(target)
    place = outside / "mine" / "python"
    assert is_same_program(place, target)
    replace_folder_by_link(place, outside / "theirs" / "python")
    assert place.resolve() == target
    assert not is_same_program(place, target)


@posix
def test_a_newer_version_in_the_same_place_is_the_same_program(checks: Checks, outside: Path):
    """An update is no other program: what it says of the files is true, as its exit code is."""
    program_at(outside / "lint", "echo 1")
    command = checks.approve(str(outside / "lint"))
    (outside / "lint").unlink()
    program_at(outside / "lint", "echo 2")
    assert run_command(command, checks.root, LONG).output == "2\n"


def test_windows_runs_what_needs_no_shell(checks: Checks, outside: Path):
    for name in ("npm.cmd", "npm", "npm.ps1", "lint.bat", "lint.exe", "tool.COM", "script.js", "both.exe", "both.com"):
        program_at(outside / name)
    asked = ("npm", "npm.cmd", "lint", "LINT", "lint.exe", "lint.bat", "lint.exe.", "lint.bat ", "tool.COM", "script")
    programs = {name: found(checks, name, outside, system="win32") for name in asked}
    names = {name: program.path.name if program else None for name, program in programs.items()}
    assert names.pop("LINT") == ("LINT.exe" if (outside / "LINT.exe").exists() else None)
    assert names == {
        **dict.fromkeys(("npm", "npm.cmd", "lint.bat", "lint.exe.", "lint.bat ", "script")),
        "lint": "lint.exe",
        "lint.exe": "lint.exe",
        "tool.COM": "tool.COM",
    }
    both = found(checks, "both", outside, system="win32")
    assert both is not None
    assert both.path.name == "both.exe"


@pytest.mark.parametrize("name", ["run.bat", "run.CMD", "run.bat.", "run.cmd ", "run.exe:x.bat", "run"])
def test_windows_refuses_scripts_of_its_shell_when_they_are_run_too(tmp_path: Path, name: str):
    path = program_at(tmp_path.resolve() / name)
    assert is_startable(path, "linux")
    assert not is_startable(path, "win32")
    assert not is_same_program(path, path, "win32")
