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
    assert taken[:2] == ["Call RefuseUnfitFolder", "Call EndRunning"]
    written = taken.index('File /r "${PAYLOAD}${SEPARATOR}*"')
    assert taken[written - 1 : written + 3] == ["ClearErrors", taken[written], "${If} ${Errors}", "SetErrorLevel 2"]


def test_a_removal_ends_what_runs_there_first_and_no_start_at_login_of_another_installation() -> None:
    taken = steps('Section "Uninstall"', "SectionEnd")
    assert taken[3] == "Call un.EndRunning"
    assert not any("RMDir" in line or "Delete" in line for line in taken[:3])
    assert "Call un.EndStartAtLogin" in taken
    assert not any("${LOGIN}" in line for line in taken)
    ours = steps("Function un.EndStartAtLogin", "FunctionEnd")
    compared = ours.index('${If} $0 == "$INSTDIR\\"')
    assert [at for at, line in enumerate(ours) if line.startswith("DeleteRegValue")] == [compared + 1, compared + 2]


def test_a_silent_install_answers_every_message_by_itself() -> None:
    asked = [line for line in SCRIPT.read_text(encoding="utf-8").splitlines() if "MessageBox" in line]
    assert asked
    assert all("/SD IDOK" in line for line in asked)


def test_nothing_is_started_of_the_folder_while_it_is_replaced_or_removed() -> None:
    taken = steps("Function ${un}EndRunning", "FunctionEnd")
    renamed = [at for at, line in enumerate(taken) if line.startswith("Rename")]
    asked, looked = (
        next(at for at, line in enumerate(taken) if word in line) for word in ('bigmind.exe" stop', "CreateToolhelp32")
    )
    assert len(renamed) == 2
    assert all(asked < at < looked for at in renamed)
    assert taken[-1] == "Call ${un}DeleteOld"
    ours = [rf'Delete "$INSTDIR\{name}.exe.old"' for name in ("bigmind", "bigmind-app")]
    assert steps("Function ${un}DeleteOld", "FunctionEnd") == ours  # others of that ending are somebody's


def test_a_folder_that_was_installed_into_before_leaves_the_search_path_before_the_new_one_comes() -> None:
    taken = steps('Section "BigMind"', "SectionEnd")
    read = taken.index('ReadRegStr $0 HKCU "${ABOUT}" "InstallLocation"')
    removed, added = (
        taken.index(f"nsExec::Exec '\"{folder}\\bigmind.exe\" search-path {act}'")
        for folder, act in (("$0", "remove"), ("$INSTDIR", "add"))
    )
    written = next(
        at for at, line in enumerate(taken) if line.startswith('WriteRegStr HKCU "${ABOUT}" "InstallLocation"')
    )
    assert read < removed < added < written


def test_a_folder_that_may_not_be_written_to_is_refused_before_anything_is_ended() -> None:
    asked = ["Call RefuseFolderOfAdministrators", "Call RefuseFolderOfOthers"]
    assert steps("Function RefuseUnfitFolder", "FunctionEnd") == asked
    taken = steps("Function RefuseFolderOfAdministrators", "FunctionEnd")
    tried, told = taken.index("${If} ${Errors}"), taken.index('${If} $0 == ""')
    assert taken[tried + 1] == 'StrCpy $0 ""'
    assert tried < told < taken.index("Abort")


def test_a_folder_that_is_tried_leaves_none_behind_that_was_not_there() -> None:
    taken = steps("Function RefuseFolderOfAdministrators", "FunctionEnd")
    made, removed = taken.index('CreateDirectory "$INSTDIR"'), taken.index('RMDir "$2"')
    assert '${OrIf} ${FileExists} "$1\\*.*"' in taken[:made]
    around = ['StrCpy $2 "$INSTDIR"', "${DoWhile} $2 != $1", taken[removed], '${GetParent} "$2" $2', "${Loop}"]
    assert taken[removed - 2 : removed + 3] == around
    assert removed < taken.index("Abort")


def test_a_removal_tells_where_the_memory_is_also_where_a_person_chose_the_folder() -> None:
    taken = steps('Section "Uninstall"', "SectionEnd")
    assert 'ReadEnvStr $0 "BIGMIND_HOME"' in taken
    assert "stays in $0" in taken[-1]


def test_the_command_is_in_the_search_path_while_it_is_installed() -> None:
    added, removed = (f"nsExec::Exec '\"$INSTDIR\\bigmind.exe\" search-path {word}'" for word in ("add", "remove"))
    taken = steps('Section "BigMind"', "SectionEnd")
    assert taken.index(added) > taken.index('File /r "${PAYLOAD}${SEPARATOR}*"')
    assert steps('Section "Uninstall"', "SectionEnd")[0] == removed, "while the program is there"
