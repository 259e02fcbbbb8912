"""What an approved command gets, and what is kept of what it prints."""

import json
import os
import signal
import socket
import sys
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.named_environment import command_environment as named_for_commands
from bigmind.workspace import approved_commands, guarded_tree, tree_guard
from bigmind.workspace.approved_commands import (
    CANCELLED,
    NOT_FOUND,
    ONLY_THE_SEARCH_PATH,
    TIMED_OUT,
    changed_definitions,
    command_environment,
    command_for,
    definition_digests,
    run_command,
)
from bigmind.workspace.command_output import FIRST, LAST, CommandOutput, page_of
from tests.workspace.checks import LONG, Checks
from tests.workspace.yards import posix

KILLED = -9 if sys.platform != "win32" else 9
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
LONGEST_WORD = 100_000 if sys.platform != "win32" else 30_000
"""Windows takes so many characters of a whole command."""

HOSTILE = (
    *(
        "",
        " ",
        "  two  words ",
        "a\nb",
        "tab\there",
        "'",
        '"',
        '\\"',
        "\\",
        "\\\\",
        'it\'s "quoted"',
        "*",
        "?",
        "[a-z]*",
    ),
    *("$HOME", "$(touch ran)", "`touch ran`", "${IFS}", "; touch ran", "| cat", "&& true", "> ran", "< /dev/null", "#"),
    *(
        "-",
        "--",
        "-rf",
        "--help",
        "-c",
        "=",
        "%PATH%",
        "%s",
        "^&calc",
        "!x",
        "~",
        "~root",
        "{a,b}",
        "é",
        "日本",
        "\u202e",
    ),
    *("\x1b[31m", "\x7f", "\r\n", "\ud8ff".encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")),
    "x" * LONGEST_WORD,
)


def test_words_arrive_exactly(checks: Checks):
    told = checks.run_script("print([os.fsencode(each).hex() for each in sys.argv[1:]])", *HOSTILE[:-1])
    assert told.output == f"{[os.fsencode(each).hex() for each in HOSTILE[:-1]]}\n"
    assert checks.run_script("print(len(sys.argv[1]))", HOSTILE[-1]).output == f"{LONGEST_WORD}\n"
    assert sorted(each.name for each in checks.root.iterdir()) == ["check.py"]


@posix
@given(
    words=st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30), min_size=1),
    variables=st.dictionaries(st.from_regex(r"\A[A-Z_]{1,8}\Z"), st.text("a =\n$é", max_size=9), max_size=4),
)
def test_an_order_is_read_as_it_was_written(words: list[str], variables: dict[str, str]):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(guarded_tree._order(words, Path("/a b"), variables))
        folder, arguments, environment = tree_guard._order(theirs)
    assert folder == b"/a b"
    assert arguments == [os.fsencode(each) for each in words]
    assert environment == {os.fsencode(name): os.fsencode(value) for name, value in variables.items()}


@pytest.mark.parametrize("word", ["a\0b", "\0"])
def test_a_word_with_a_nul_is_never_started(checks: Checks, word: str):
    result = run_command(checks.nothing(word), checks.root, LONG)
    assert (result.exit_code, result.fault) == (None, "it could not be started: ValueError")


def test_more_words_than_the_system_takes_are_refused(checks: Checks):
    result = run_command(checks.nothing(*["x" * 100_000] * 100), checks.root, LONG)
    assert result.exit_code is None
    told = result.fault.removeprefix("it could not be started: ")
    assert told == os.strerror(7) if sys.platform != "win32" else told != result.fault


@pytest.mark.parametrize(("text", "code"), [("", 0), ("sys.exit(3)", 3), ("os.kill(os.getpid(), 9)", KILLED)])
def test_the_exit_code_is_the_commands_own(checks: Checks, text: str, code: int):
    result = checks.run_script(text)
    assert (result.exit_code, result.fault, result.is_cut) == (code, "", False)


def test_it_runs_in_the_workspace(checks: Checks):
    assert checks.run_script("print(os.getcwd())").output == f"{checks.root}\n"


def test_a_workspace_that_is_gone_is_told(checks: Checks, tmp_path: Path):
    command = checks.nothing()
    assert run_command(command, tmp_path / "gone", LONG).fault == NOT_FOUND


def test_a_file_that_only_looks_like_a_program_is_refused(checks: Checks):
    path = checks.root / "check.exe"
    path.write_text("touch ran\n")
    path.chmod(0o755)
    result = checks.run("./check.exe")
    assert (result.exit_code, result.fault.partition(":")[0]) == (None, "it could not be started")


@posix
def test_a_file_that_no_program_runs_is_refused_and_read_by_no_shell(checks: Checks):
    path = checks.root / "check.sh"
    path.write_text("touch ran\n")
    path.chmod(0o755)
    assert checks.run("./check.sh").fault == f"it could not be started: {os.strerror(8)}"
    path.write_text("#!/nowhere/at/all\ntouch ran\n")
    assert checks.run("./check.sh").fault == NOT_FOUND
    assert not (checks.root / "ran").exists()


@posix
def test_it_has_nothing_to_read_and_no_terminal(checks: Checks):
    result = checks.run_script("""
print(repr(sys.stdin.read()), os.isatty(0), os.isatty(1), os.isatty(2), os.getsid(0) == os.getpid() == os.getpgid(0))
try:
    open('/dev/tty')
except OSError:
    print('no terminal')
""")
    assert result.output == "'' False False False True\nno terminal\n"


@posix
def test_it_runs_at_a_low_priority_and_under_the_same_umask(checks: Checks):
    before = os.umask(0o027)
    try:
        result = checks.run_script("print(os.getpriority(os.PRIO_PROCESS, 0), oct(os.umask(0)))")
    finally:
        os.umask(before)
    assert result.output == f"{min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)} 0o27\n"


OPEN = """
def is_open(handle):
    try:
        return bool(os.fstat(handle))
    except OSError:
        return False
print([each for each in range(1024) if is_open(each)])
"""


@LINUX
def test_it_gets_no_open_files_and_no_signals_set_aside(checks: Checks, tmp_path: Path):
    with (tmp_path / "open").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        assert checks.run_script(OPEN).output == "[0, 1, 2]\n"
    blocked, ignored = checks.run("grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status").output.splitlines()
    ours = sum(1 << each - 1 for each in signal.valid_signals())  # not the two that the C library keeps to itself
    assert (int(blocked.split()[1], 16) & ours, int(ignored.split()[1], 16) & ours) == (0, 0)


CANARIES = (
    *("BIGMIND_TOKEN", "BIGMIND_HOME", "BIGMIND_CHECK", "GITHUB_TOKEN", "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY"),
    *("PYTHONPATH", "PYTHONSTARTUP", "PYTHONUTF8", "VIRTUAL_ENV", "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"),
    *("DYLD_INSERT_LIBRARIES", "NODE_OPTIONS", "GIT_DIR", "GIT_CONFIG_COUNT", "GIT_SSH_COMMAND", "SSH_AUTH_SOCK"),
    *("HTTPS_PROXY", "https_proxy", "BASH_ENV", "ENV", "BASH_FUNC_ls%%", "PERL5OPT", "RUBYOPT", "JAVA_TOOL_OPTIONS"),
    *("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "ld_preload", "MAKEFLAGS", "CDPATH", "IFS", "EDITOR"),
)
NAMED = {"HOME": "/home/of", "LANG": "de_DE.UTF-8", "LC_TIME": "C", "TMPDIR": "/tmp", "TZ": "UTC", "USER": "somebody"}  # noqa: S108


def test_its_environment_is_named(checks: Checks, monkeypatch: pytest.MonkeyPatch):
    for name in CANARIES:
        monkeypatch.setenv(name, "canary")
    for name, value in NAMED.items():
        monkeypatch.setenv(name, value)
    found = json.loads(checks.run_script("import json\nprint(json.dumps(dict(os.environ)))").output)
    assert {name: value for name, value in found.items() if name in NAMED} == NAMED
    assert [name for name, value in found.items() if "canary" in value] == []
    if sys.platform != "win32":  # whose own are many
        assert set(found) <= {
            *NAMED,
            "PATH",
            "LOGNAME",
            "SHELL",
            "TERM",
            "LANGUAGE",
            "TEMP",
            "TMP",
            "LC_ALL",
            "LC_CTYPE",
        }


@pytest.mark.parametrize(
    ("system", "kept"),
    [
        ("linux", {"PATH", "HOME", "LC_ALL"}),
        ("darwin", {"PATH", "HOME", "LC_ALL", "__CF_USER_TEXT_ENCODING"}),
        ("win32", {"PATH", "HOME", "LC_ALL", "SystemRoot", "PATHEXT", "ComSpec", "USERPROFILE"}),
    ],
)
def test_each_system_has_names_of_its_own(system: str, kept: set[str]):
    names = ("PATH", "HOME", "LC_ALL", "__CF_USER_TEXT_ENCODING", "SystemRoot", "PATHEXT", "ComSpec", "USERPROFILE")
    assert set(named_for_commands(dict.fromkeys((*names, *CANARIES), "x"), system)) == kept


def test_its_search_path_leads_neither_into_the_workspace_nor_anywhere_relative(checks: Checks, tmp_path: Path):
    (checks.root / "bin").mkdir()
    inside, good = [".", "", "bin", str(checks.root / "bin")], str(tmp_path / "good")
    if sys.platform != "win32":
        (tmp_path / "link").symlink_to(checks.root / "bin")
        inside.append(str(tmp_path / "link"))
    assert command_environment(checks.root, {"PATH": os.pathsep.join([*inside, good])})["PATH"] == good
    assert command_environment(checks.root, {"PATH": "."}, "linux") == {"PATH": os.defpath}
    assert command_environment(checks.root, {"PATH": "."}, "win32") == {"PATH": "", **ONLY_THE_SEARCH_PATH}


def test_what_it_starts_is_not_found_in_the_workspace(checks: Checks):
    """Windows would look there first; nobody watches who lays a program there."""
    for name in ("laid", "laid.exe"):
        (checks.root / name).write_text("#!/bin/sh\nexit 0\n")
        (checks.root / name).chmod(0o755)
    text = """
import subprocess
try:
    subprocess.run(['laid'], check=False)
except FileNotFoundError:
    print('none')
"""
    assert checks.run_script(text).output == "none\n"


def test_an_environment_that_is_given_is_all_it_gets(checks: Checks):
    text = "print(os.environ.get('ONLY'), os.environ.keys() & {'PATH', 'HOME', 'USERPROFILE'})"
    assert checks.run_script(text, environment={"ONLY": "this"}).output == "this set()\n"


def test_both_streams_come_as_they_were_written(checks: Checks):
    text = "".join(f"os.write({1 + number % 2}, b'{number} ')\n" for number in range(10))
    assert checks.run_script(text).output == "0 1 2 3 4 5 6 7 8 9 "


@posix
def test_control_characters_stay_and_what_is_no_text_is_replaced(checks: Checks):
    result = checks.run_script(r"os.write(1, b'a\xff\xfe\x00\x1b[31m\xe2\x80\xae\xc3\xa9\xe2\x82')")
    assert result.output == "a\ufffd\ufffd\ufffd\x1b[31m\u202eé\ufffd\ufffd"


@pytest.mark.parametrize("more", [0, 1, 200_000])
def test_the_beginning_and_the_end_of_a_long_output_are_kept(checks: Checks, more: int):
    result = checks.run_script(
        f"print('é' * {FIRST} + 'x' * {more} + '日' * {LAST}, end='')", environment={"LC_ALL": "C.UTF-8"}
    )
    middle = f"\n… {more:,} bytes are left out here …\n" if more else ""
    assert result.output == "é" * FIRST + middle + "日" * LAST
    assert result.is_cut == (more > 0)


@posix
def test_a_gigabyte_without_a_line_end_is_bounded(checks: Checks):
    result = checks.run("head", "-c", "1000000000", "/dev/zero")
    assert (result.exit_code, result.is_cut) == (0, True)
    assert f"\n… {1_000_000_000 - FIRST - LAST:,} bytes are left out here …\n" in result.output
    assert len(result.output) < FIRST + LAST + 100


@given(st.lists(st.binary(max_size=60), max_size=40))
def test_nothing_is_lost_of_an_output_that_is_counted(pieces: list[bytes]):
    output, whole = CommandOutput(page=""), b"".join(pieces) * 400
    for begin in range(0, len(whole), 7_001):
        output.take(whole[begin : begin + 7_001])
    shown = whole.decode("utf-8", "surrogateescape")
    assert output.is_cut == (len(shown) > FIRST + LAST)
    if output.is_cut:
        left_out = len(shown[FIRST:-LAST].encode("utf-8", "surrogateescape"))
        assert f"\n… {left_out:,} bytes are left out here …\n" in output.text
    else:
        assert len(output.text) == len(shown)


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ("cp1252", "für é“ … \ufffd"),
        ("", "f\ufffdr é\ufffd … \ufffd"),
    ],
)
def test_what_is_no_text_is_read_by_the_code_page(page: str, told: str):
    output = CommandOutput(page)
    output.take(b"f\xfcr \xc3\xa9\x93 \xe2\x80\xa6 \0")
    assert output.text == told


def test_windows_has_a_code_page():
    assert [page_of(each) for each in ("win32", "linux", "darwin")] == ["mbcs", "", ""]


def test_much_output_takes_little_memory():
    output, piece = CommandOutput(), b"\xf0\x9f\x92\xbe" * 16_384
    tracemalloc.start()
    for _ in range(1_000):
        output.take(piece)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


def test_what_defines_a_check_and_changed_since_is_told(checks: Checks, tmp_path: Path):
    for name in ("same.toml", "changed.toml", "gone.toml"):
        (checks.root / name).write_text("[a]\n")
    outside = list[str]()
    if sys.platform != "win32":
        (checks.root / "out.toml").symlink_to(tmp_path / "elsewhere")
        outside.append("out.toml")
    (tmp_path / "elsewhere").write_text("x")
    files = ("same.toml", "changed.toml", "gone.toml", "new.toml", "never.toml", *outside)
    command = checks.nothing(defined_by=files)
    assert changed_definitions(command, checks.root) == outside
    (checks.root / "changed.toml").write_text("[b]\n")
    (checks.root / "gone.toml").unlink()
    (checks.root / "new.toml").write_text("")
    assert changed_definitions(command, checks.root) == ["changed.toml", "gone.toml", "new.toml", *outside]


def test_a_definition_that_cannot_be_read_is_never_taken_for_the_same(checks: Checks):
    (checks.root / "folder").mkdir()
    if sys.platform != "win32":
        os.mkfifo(checks.root / "pipe")
    with (checks.root / "large").open("wb") as file:
        file.truncate(approved_commands.LARGEST_DEFINITION + 1)
    reasons = {"folder": "no_file", "large": "too_large", "pipe": "no_file", "../check": "outside", "": "outside"}
    if sys.platform == "win32":
        del reasons["pipe"]
    names = tuple(reasons)
    assert definition_digests(names, checks.root) == reasons
    assert changed_definitions(checks.nothing(defined_by=names), checks.root) == sorted(names)


@posix
def test_a_program_of_the_workspace_defines_its_check(checks: Checks):
    path = checks.root / "check.sh"
    path.write_text("#!/bin/sh\necho before\n")
    path.chmod(0o755)
    command = checks.approve("./check.sh")
    assert (command.is_workspaces, list(command.defined_by)) == (True, ["check.sh"])
    path.write_text("#!/bin/sh\necho after\n")
    assert run_command(command, checks.root, LONG).output == "after\n"
    assert changed_definitions(command, checks.root) == ["check.sh"]


def test_what_is_not_found_is_no_command(checks: Checks):
    assert command_for("check", ("no-such-program",), (), checks.root) is None
    assert command_for("check", (), (), checks.root) is None


def test_it_is_ended_at_its_limit(checks: Checks):
    result = checks.run_script("print('begun', flush=True)\nrest()", seconds=1.0)
    assert (result.exit_code, result.fault) == (None, TIMED_OUT)
    assert 1.0 <= result.seconds < 1.0 + tree_guard.GRACE_SECONDS


def test_one_that_was_cancelled_before_it_began_never_runs(checks: Checks):
    program = "open('ran', 'w')"
    result = checks.run(sys.executable, "-S", "-c", program, is_cancelled=lambda: True)
    assert (result.exit_code, result.fault, list(checks.root.iterdir())) == (None, CANCELLED, [])


def test_a_command_goes_through_a_row_and_back(checks: Checks):
    from bigmind.protocol.approvals import command_as_json, command_from  # noqa: PLC0415

    command = checks.script("", "a b", "é")
    assert command_from(json.loads(json.dumps(command_as_json(command)))) == command
