"""A client's program is found on the search path alone: BigMind may be in a repository that somebody else wrote."""

import os
from pathlib import Path

import pytest

from bigmind.clients.files.locations import Places, System


def program(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.touch()
    file.chmod(0o755)
    return file


@pytest.mark.parametrize(
    ("system", "name"), [(System.LINUX, "claude"), (System.WINDOWS, "claude.CMD"), (System.WINDOWS, "claude.EXE")]
)
def test_not_in_the_folder_that_this_process_is_in(
    system: System, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs, programs = tmp_path / "repository", tmp_path / "programs"
    program(theirs, name)
    monkeypatch.chdir(theirs)
    around = {"PATH": os.pathsep.join(["", ".", str(programs)])}

    assert Places(system, tmp_path, around).command("claude") is None
    own = program(programs, name)
    assert Places(system, tmp_path, around).command("claude") == str(own)


def test_on_windows_what_the_person_calls_a_program_is_one(tmp_path: Path) -> None:
    own = program(tmp_path, "claude.PY")
    around = {"PATH": str(tmp_path), "PATHEXT": ".EXE;.PY"}
    assert Places(System.WINDOWS, tmp_path, around).command("claude") == str(own)
    assert Places(System.WINDOWS, tmp_path, {**around, "PATHEXT": ".EXE"}).command("claude") is None
