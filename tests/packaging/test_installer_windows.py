"""The installer of Windows: what its script does before files are replaced or removed."""

from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "packaging" / "windows" / "bigmind.nsi"


def steps(begin: str, end: str) -> list[str]:
    """The lines of a section or function, without comments."""
    lines = [line.strip() for line in SCRIPT.read_text(encoding="utf-8").splitlines()]
    first = lines.index(begin)
    return [line for line in lines[first + 1 : lines.index(end, first)] if line and not line.startswith(";")]


def test_an_install_asks_for_the_folder_and_ends_what_runs_there_before_it_removes_and_writes() -> None:
    taken = steps('Section "BigMind"', "SectionEnd")
    assert taken[:2] == ["Call RefuseFolderOfOthers", "Call EndRunning"]
    written = taken.index('File /r "${PAYLOAD}${SEPARATOR}*"')
    assert taken[written - 1 : written + 3] == ["ClearErrors", taken[written], "${If} ${Errors}", "SetErrorLevel 2"]


def test_a_removal_ends_what_runs_there_first_and_no_start_at_login_of_another_installation() -> None:
    taken = steps('Section "Uninstall"', "SectionEnd")
    assert taken[0] == "Call un.EndRunning"
    assert "Call un.EndStartAtLogin" in taken
    assert not any("${LOGIN}" in line for line in taken)
    ours = steps("Function un.EndStartAtLogin", "FunctionEnd")
    compared = ours.index('${If} $0 == "$INSTDIR\\"')
    assert [at for at, line in enumerate(ours) if line.startswith("DeleteRegValue")] == [compared + 1, compared + 2]


def test_a_silent_install_answers_every_message_by_itself() -> None:
    asked = [line for line in SCRIPT.read_text(encoding="utf-8").splitlines() if "MessageBox" in line]
    assert asked
    assert all("/SD IDOK" in line or "is removed." in line for line in asked)
