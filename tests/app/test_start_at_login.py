"""Start at login: each system's entry as that system itself reads it."""

import ctypes
import plistlib
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desktop import start_at_login
from app.desktop.start_at_login.entry import Entry, Place
from app.desktop.start_at_login.linux import Autostart, autostart_folder, desktop_entry
from app.desktop.start_at_login.macos import LaunchAgent
from app.desktop.start_at_login.windows import APPROVED, RUN, RunKey
from bigmind.core.errors import BigMindError, Code
from tests.app.registry import Registry

HERE = Entry(("/opt/Big Mind/bigmind", "app", "--hidden"))
ELSEWHERE = Entry(("/home/ada/old place/bigmind", "app", "--hidden"))
ODD = Entry(
    ('/opt/100% "Ada\'s" $HOME `x`\\mind;&|<>(){}#*?~/bigmind', "app", "--hidden"), {"BIGMIND_HOME": "/home/ä b/%u $x"}
)


@pytest.fixture(params=["linux", "macos", "windows"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    match request.param:
        case "linux":
            return Autostart(tmp_path / "config" / "autostart")
        case "macos":
            return LaunchAgent(tmp_path / "Library" / "LaunchAgents")
        case _:
            return RunKey(Registry())


def test_it_is_off_until_it_is_enabled_and_after_it_is_disabled(place: Place) -> None:
    assert not place.enabled()

    place.enable(HERE)
    assert place.enabled()

    place.disable()
    assert not place.enabled()
    assert place.program() is None


def test_enabling_twice_is_the_same_as_once_and_disabling_what_is_off_is_fine(place: Place) -> None:
    place.disable()
    place.enable(HERE)
    place.enable(HERE)
    assert place.enabled()

    place.disable()
    place.disable()
    assert not place.enabled()


def test_it_names_the_program_that_would_be_started(place: Place) -> None:
    place.enable(ELSEWHERE)
    assert place.program() == ELSEWHERE.command[0]

    place.enable(HERE)
    assert place.program() == HERE.command[0]


# --- Linux


class GLib:
    """GLib's own reading of an entry: what GNOME, Xfce and others start it by."""

    def __init__(self) -> None:
        self._lib = ctypes.CDLL("libglib-2.0.so.0")
        self._lib.g_key_file_new.restype = ctypes.c_void_p
        self._lib.g_key_file_get_string.restype = ctypes.c_char_p

    def words(self, entry: bytes) -> list[str]:
        """The words of the command, as they reach the program."""
        command = self.string(entry, b"Exec").replace(b"%%", b"%")
        count, words = ctypes.c_int(), ctypes.POINTER(ctypes.c_char_p)()
        assert self._lib.g_shell_parse_argv(command, ctypes.byref(count), ctypes.byref(words), None), command
        return [words[at].decode() for at in range(count.value)]

    def string(self, entry: bytes, name: bytes) -> bytes:
        file = ctypes.c_void_p(self._lib.g_key_file_new())
        assert self._lib.g_key_file_load_from_data(file, entry, ctypes.c_size_t(len(entry)), 0, None), entry
        value = self._lib.g_key_file_get_string(file, b"Desktop Entry", name, None)
        self._lib.g_key_file_free(file)
        assert value is not None
        return value


linux_only = pytest.mark.skipif(sys.platform != "linux", reason="GLib and desktop-file-validate are Linux's")
words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@linux_only
@given(st.lists(words, min_size=1, max_size=4), words)
def test_glib_reads_every_word_of_the_command_as_it_was(command: list[str], home: str) -> None:
    entry = desktop_entry(Entry(tuple(command), {"BIGMIND_HOME": home})).encode()

    assert GLib().words(entry) == ["env", f"BIGMIND_HOME={home}", *command]


@linux_only
@pytest.mark.parametrize("program", ["/usr/lib/bigmind/bigmind", "/home/a da/Größe\\s%/bigmind"])
def test_desktops_pass_an_entry_over_whose_program_is_gone(program: str) -> None:
    entry = desktop_entry(Entry((program, "app"), {"BIGMIND_HOME": "/somewhere"})).encode()

    assert GLib().string(entry, b"TryExec").decode() == program


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1), words)
def test_the_program_is_read_back_from_the_entry(
    tmp_path_factory: pytest.TempPathFactory, name: str, home: str
) -> None:
    place = Autostart(tmp_path_factory.getbasetemp() / "read back")

    place.enable(Entry((f"/{name}", "app")))
    assert place.program() == f"/{name}"

    place.enable(Entry((f"/{name}".replace("=", ""), "app"), {"BIGMIND_HOME": home}))
    assert place.program() == f"/{name}".replace("=", "")


@linux_only
@pytest.mark.parametrize("entry", [HERE, ODD])
def test_the_entry_is_valid(tmp_path: Path, entry: Entry) -> None:
    Autostart(tmp_path).enable(entry)

    checked = subprocess.run(
        ["desktop-file-validate", tmp_path / "bigmind.desktop"], capture_output=True, text=True, check=False
    )

    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_what_the_desktop_turned_off_is_off_until_it_is_enabled_here(tmp_path: Path, line: str) -> None:
    place = Autostart(tmp_path)
    place.enable(HERE)
    file = tmp_path / "bigmind.desktop"
    kept = [each for each in file.read_text().splitlines() if not each.startswith("X-GNOME-Autostart-enabled")]
    file.write_text("\n".join([*kept, line, ""]))

    assert not place.enabled()

    place.enable(HERE)
    assert place.enabled()


@pytest.mark.parametrize(
    "text", ["", "nonsense", "[Desktop Entry]\n", "[Other]\nExec=x\n", "\0\xff[", '[Desktop Entry]\nExec="']
)
def test_what_is_no_entry_starts_nothing_we_know(tmp_path: Path, text: str) -> None:
    (tmp_path / "bigmind.desktop").write_text(text, encoding="latin-1")

    assert Autostart(tmp_path).program() in {None, '"'}


def test_it_is_written_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    Autostart(tmp_path / "autostart").enable(HERE)

    assert [each.name for each in (tmp_path / "autostart").iterdir()] == ["bigmind.desktop"]


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "autostart").write_text("a file")

    with pytest.raises(BigMindError) as raised:
        Autostart(tmp_path / "autostart").enable(HERE)

    assert raised.value.code is Code.UNAVAILABLE
    assert "autostart" in raised.value.message


# --- macOS


def test_the_agent_is_what_launchd_reads(tmp_path: Path) -> None:
    LaunchAgent(tmp_path).enable(ODD)

    agent = plistlib.loads((tmp_path / "app.bigmind.plist").read_bytes())
    assert agent["Label"] == "app.bigmind"
    assert agent["ProgramArguments"] == list(ODD.command)
    assert agent["EnvironmentVariables"] == dict(ODD.environment)
    assert agent["RunAtLoad"] is True
    assert agent["LimitLoadToSessionType"] == "Aqua"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<plist>",
        b"nonsense",
        plistlib.dumps([]),
        plistlib.dumps({"RunAtLoad": True}),
        plistlib.dumps({"RunAtLoad": True, "ProgramArguments": []}),
        plistlib.dumps({"RunAtLoad": False, "ProgramArguments": ["/bigmind"]}),
        plistlib.dumps({"RunAtLoad": True, "Disabled": True, "ProgramArguments": ["/bigmind"]}),
    ],
)
def test_an_agent_that_starts_nothing_is_off(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "app.bigmind.plist").write_bytes(content)

    assert not LaunchAgent(tmp_path).enabled()


# --- Windows


def test_the_run_value_is_a_command_line_of_windows() -> None:
    registry = Registry()
    RunKey(registry).enable(Entry((r"C:\Program Files\Big Mind\bigmind.exe", "app", "--hidden")))

    assert registry.keys[RUN]["BigMind"] == r'"C:\Program Files\Big Mind\bigmind.exe" app --hidden'
    assert registry.kinds["BigMind"] == Registry.REG_SZ, "in another one Windows would replace each %name%"


@pytest.mark.parametrize(("first", "enabled"), [(2, True), (6, True), (3, False), (7, False)])
def test_what_the_task_manager_turned_off_is_off(first: int, *, enabled: bool) -> None:
    registry = Registry()
    RunKey(registry).enable(HERE)

    registry.keys[APPROVED] = {"BigMind": bytes([first]) + bytes(11)}

    assert RunKey(registry).enabled() is enabled


def test_enabling_takes_back_what_the_task_manager_turned_off() -> None:
    registry = Registry()
    registry.keys[APPROVED] = {"BigMind": b"\3" + bytes(11), "Other": b"\3"}

    RunKey(registry).enable(HERE)

    assert RunKey(registry).enabled()
    assert registry.keys[APPROVED] == {"Other": b"\3"}


def test_other_programs_values_stay() -> None:
    registry = Registry()
    registry.keys[RUN] = {"Other": "other.exe"}

    RunKey(registry).enable(HERE)
    RunKey(registry).disable()

    assert registry.keys[RUN] == {"Other": "other.exe"}


def test_a_variable_that_the_account_does_not_set_is_refused_because_the_program_would_not_get_it() -> None:
    registry = Registry()
    entry = Entry((r"C:\bigmind.exe", "app", "--hidden"), {"BIGMIND_HOME": r"D:\memory"})
    for account in ({}, {"BIGMIND_HOME": r"D:\other"}):
        registry.keys["Environment"] = account
        with pytest.raises(BigMindError) as raised:
            RunKey(registry).enable(entry)
        assert raised.value.code is Code.UNAVAILABLE
        assert r"D:\memory" in raised.value.hint
        assert not RunKey(registry).enabled()

    registry.keys["Environment"] = {"BIGMIND_HOME": r"D:\memory"}
    RunKey(registry).enable(entry)
    assert RunKey(registry).enabled()


def test_a_registry_that_takes_nothing_is_said() -> None:
    with pytest.raises(BigMindError) as raised:
        RunKey(Registry(writable=False)).enable(HERE)

    assert raised.value.code is Code.UNAVAILABLE


# --- This system


@pytest.fixture
def autostart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that this system's functions then write to."""
    if sys.platform != "linux":
        pytest.skip("writes where this system really starts programs")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("APPIMAGE", raising=False)
    monkeypatch.delenv("BIGMIND_HOME", raising=False)
    return tmp_path / "autostart"


def test_the_program_that_runs_now_is_what_is_started(autostart: Path) -> None:
    start_at_login.enable()

    assert start_at_login.enabled()
    started = GLib().words((autostart / "bigmind.desktop").read_bytes())
    assert started == [sys.executable, "-P", "-m", "app", "app", "--hidden"]

    start_at_login.disable()
    assert not start_at_login.enabled()


def test_it_is_started_with_the_same_data_folder(autostart: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIGMIND_HOME", "/data/my mind")

    start_at_login.enable()

    assert GLib().words((autostart / "bigmind.desktop").read_bytes())[:2] == ["env", "BIGMIND_HOME=/data/my mind"]


def test_an_appimage_is_started_by_its_own_file(autostart: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPIMAGE", "/home/ada/BigMind 1.AppImage")

    start_at_login.enable()

    started = GLib().words((autostart / "bigmind.desktop").read_bytes())
    assert started == ["/home/ada/BigMind 1.AppImage", "app", "--hidden"]


def test_a_program_that_was_moved_is_said_and_mended(autostart: Path, caplog: pytest.LogCaptureFixture) -> None:
    Autostart(autostart).enable(ELSEWHERE)

    assert start_at_login.mend() is True

    assert Autostart(autostart).program() == sys.executable
    assert ELSEWHERE.command[0] in caplog.text
    assert start_at_login.mend() is False


def test_an_entry_of_another_installation_is_left_alone(autostart: Path) -> None:
    Autostart(autostart).enable(Entry(("/bin/sh", "app")))

    assert start_at_login.mend() is False
    assert Autostart(autostart).program() == "/bin/sh"


def test_an_entry_that_is_off_is_left_alone(autostart: Path) -> None:
    assert start_at_login.mend() is False
    assert not autostart.exists()


def test_a_relative_config_folder_is_ignored_as_the_rules_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")

    assert autostart_folder() == Path.home() / ".config" / "autostart"
