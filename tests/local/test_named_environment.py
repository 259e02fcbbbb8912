"""What the core and the window are given of an environment: what has a name, on each system, and nothing else."""

import os
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.local.launch import connected
from bigmind.local.runfile import published
from bigmind.named_environment import complete_search_path, core_environment, window_environment
from tests.support import environment, have_ended

SYSTEMS = ("linux", "darwin", "win32")
MADE = (core_environment, window_environment)
RUNS_CODE = [
    *("LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "LD_DEBUG", "LD_PROFILE", "GCONV_PATH", "GLIBC_TUNABLES"),
    *("DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH", "DYLD_FALLBACK_LIBRARY_PATH"),
    *("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONBREAKPOINT", "PYTHONWARNINGS"),
    *("PYTHONPYCACHEPREFIX", "PYTHONUSERBASE", "PYTHONPLATLIBDIR", "PYTHONEXECUTABLE", "PYTHON_PRESITE"),
    *("QTWEBENGINE_REMOTE_DEBUGGING", "QTWEBENGINE_CHROMIUM_FLAGS", "QTWEBENGINEPROCESS_PATH"),
    *(
        "QTWEBENGINE_RESOURCES_PATH",
        "QT_PLUGIN_PATH",
        "QT_QPA_PLATFORM_PLUGIN_PATH",
        "QML2_IMPORT_PATH",
        "QT_DEBUG_PLUGINS",
    ),
    *("WEBVIEW2_ADDITIONAL_BROWSER_ARGUMENTS", "WEBVIEW2_BROWSER_EXECUTABLE_FOLDER", "WEBKIT_INSPECTOR_SERVER"),
    *("GTK_MODULES", "GTK_PATH", "GTK_IM_MODULE_FILE", "GIO_EXTRA_MODULES", "GI_TYPELIB_PATH", "LIBGL_DRIVERS_PATH"),
    *("VK_ICD_FILENAMES", "VK_LAYER_PATH", "SSLKEYLOGFILE", "OPENSSL_CONF", "OPENSSL_MODULES", "MALLOC_PERTURB_"),
    *("NODE_OPTIONS", "BASH_ENV", "ENV", "PYWEBVIEW_GUI", "PYSTRAY_BACKEND", "QT_API", "PYINSTALLER_X", "_PYI_X"),
]
SECRET = ["ANTHROPIC_API_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "HF_TOKEN", "SSH_AUTH_SOCK", "npm_config_token"]
NEEDED = {
    "linux": ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "LC_TIME"],
    "darwin": ["TMPDIR", "__CF_USER_TEXT_ENCODING", "LC_CTYPE"],
    "win32": ["SystemRoot", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "PROCESSOR_ARCHITECTURE", "ProgramFiles(x86)"],
}
ALWAYS = ["PATH", "HOME", "LANG", "TZ", "BIGMIND_HOME", "BIGMIND_PORT"]


@pytest.mark.parametrize("started", [{"PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}, {}])
def test_what_finder_starts_finds_what_homebrew_installed(started: dict[str, str]) -> None:
    made = dict(started)
    complete_search_path(made, "darwin")
    assert made == {"PATH": "/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"}


@pytest.mark.parametrize(
    ("system", "path"), [("darwin", "/nix/bin:/usr/bin:/bin"), ("linux", "/usr/bin:/bin:/usr/sbin:/sbin")]
)
def test_a_search_path_that_somebody_set_is_left_alone(system: str, path: str) -> None:
    made = {"PATH": path}
    complete_search_path(made, system)
    assert made == {"PATH": path}


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("system", SYSTEMS)
def test_what_runs_anothers_code_and_what_is_secret_has_no_name(made, system: str) -> None:
    around = {name: "x" for each in (*RUNS_CODE, *SECRET) for name in (each, each.lower(), each.title())}
    assert made(around, system) == {}


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("system", SYSTEMS)
@given(
    names=st.dictionaries(
        st.from_regex(r"(LD|DYLD|PYTHON|QT|QTWEBENGINE|GTK|WEBVIEW2|[A-Z]+)_?[A-Z_0-9]{0,20}", fullmatch=True),
        st.text(max_size=5),
    )
)
def test_what_has_no_name_is_not_handed_on(made, system: str, names: dict[str, str]) -> None:
    kept = made({**names, "PATH": "p"}, system)
    assert kept["PATH"] == "p"
    assert kept.items() <= {**names, "PATH": "p"}.items()
    assert made({f"X{name}": value for name, value in names.items()}, system).keys() <= {"XDG_" + "x"} | {
        name for name in (f"X{each}" for each in names) if name.startswith("XDG_")
    }


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("system", SYSTEMS)
def test_what_the_system_needs_is_handed_on(made, system: str) -> None:
    around = {name: f"of {name}" for name in (*NEEDED[system], *ALWAYS)}
    assert made(around, system) == around


def test_the_network_is_the_cores_alone() -> None:
    around = dict.fromkeys(("https_proxy", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "CODEX_HOME"), "proxy")
    assert core_environment(around, "linux") == around
    assert window_environment(around, "linux") == {}


@pytest.mark.parametrize(
    ("platform", "is_kept"), [("xcb", True), ("wayland;xcb", True), ("vnc:port=5900", False), ("xcb;vnc", False)]
)
def test_the_screen_is_handed_to_nobody(platform: str, is_kept: bool) -> None:
    assert bool(window_environment({"QT_QPA_PLATFORM": platform}, "linux")) is is_kept


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("system", SYSTEMS)
def test_no_core_is_kept_from_utf_8(made, system: str) -> None:
    assert made({"PYTHONUTF8": "0"}, system) == {}
    assert made({"PYTHONUTF8": "1"}, system) == {"PYTHONUTF8": "1"}


@pytest.mark.skipif(os.name != "posix", reason="reads another process's environment")
def test_the_core_that_a_client_starts_has_nothing_else(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = tmp_path / "ran"
    (tmp_path / "sitecustomize.py").write_text(f"open({str(ran)!r}, 'w').close()", encoding="utf-8")
    handed = {
        name: "x" for name in (*RUNS_CODE, *SECRET) if name.startswith(("QT", "GTK", "WEBVIEW2")) or name in SECRET
    }
    around = environment(home, **handed, PYTHONPATH=str(tmp_path), PYTHONWARNINGS="ignore")
    for name in set(os.environ) - set(around):
        monkeypatch.delenv(name)
    for name, value in around.items():
        monkeypatch.setenv(name, value)
    with connected(home, "cli"):
        core = psutil.Process(published(home).pid)
        given = core.environ()
        core.terminate()
    assert have_ended([core], 60)
    assert given.keys() & {*handed, "PYTHONPATH", "PYTHONWARNINGS"} == set()
    assert given == {**core_environment(around), "BIGMIND_HOME": str(home)}
    assert not ran.exists()
