"""The one description of what goes into a bundle: it names what is there, for every system, and no more."""

import plistlib
import re
import runpy
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.system_programs import ROOT

BUNDLE = ROOT / "packaging" / "bundle"
SCRIPT = runpy.run_path(str(BUNDLE / "contents.py"))
contents, keeps_qt, stripped = (SCRIPT[name] for name in ("contents", "keeps_qt", "stripped"))
SYSTEMS = ("linux", "darwin", "win32")
WINDOW_ALONE = {"webview", "qtpy", "PySide6", "shiboken6", "Xlib", "dbus_fast", "pystray"}


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_servers_bundle_has_nothing_of_the_window(system: str) -> None:
    server, window = contents("server", system), contents("window", system)
    named = {each.partition(".")[0] for each in (*server.modules, *server.whole_packages, *server.data_packages)}
    assert named & WINDOW_ALONE == set()
    assert set(server.left_out) >= WINDOW_ALONE
    assert "webview" in window.modules
    assert not WINDOW_ALONE & set(window.left_out)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("kind", ["window", "server"])
def test_what_goes_in_is_not_left_out_as_well(kind: str, system: str) -> None:
    told = contents(kind, system)
    assert set(told.modules) & set(told.left_out) == set()
    assert {"app", "ui", "bigmind"} <= set(told.whole_packages)


@pytest.mark.skipif(sys.platform != "linux", reason="what other systems bring is not installed here")
def test_every_package_that_is_named_is_there() -> None:
    told = contents("window", "linux")
    named = {*told.modules, *told.whole_packages, *told.data_packages, *told.open_modules}
    unbuilt = ["betterleaks"] if sys.version_info >= (3, 14) else []
    assert [each for each in sorted(named) if find_spec(each.partition(".")[0]) is None] == unbuilt
    assert [each for each in told.open_modules if find_spec(each) is None] == []
    assert all((ROOT / each).is_dir() for each in told.source_folders)


def test_every_module_that_is_loaded_by_its_name_is_of_a_package_that_goes_in_whole() -> None:
    whole = tuple(f"{each}." for each in contents("server", "linux").whole_packages)
    named = {
        name
        for top in ("app", "ui", "bigmind")
        for file in (ROOT / top).rglob("*.py")
        for name in re.findall(r'LazyModule\("([\w.]+)"\)', file.read_text(encoding="utf-8"))
    }
    assert len(named) > 5
    assert [each for each in sorted(named) if not each.startswith(whole)] == []


@pytest.mark.parametrize(
    ("place", "stays"),
    [
        ("PySide6/QtCore.abi3.so", True),
        ("PySide6/QtQuick3D.abi3.so", False),
        ("PySide6/Qt/lib/libQt6WebEngineCore.so.6", False),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", False),
        ("PySide6/Qt/plugins/sqldrivers/libqsqlite.so", False),
        ("PySide6/Qt/resources/icudtl.dat", True),
        ("PySide6/Qt/resources/qtwebengine_devtools_resources.pak", False),
        ("PySide6/Qt/translations/qtwebengine_locales/en-US.pak", True),
        ("PySide6/Qt/translations/qtwebengine_locales/de.pak", False),
        ("PySide6/Qt/libexec/QtWebEngineProcess", True),
        ("PySide6/Qt/qml/QtQuick/qmldir", False),
        ("PySide6/libpyside6.abi3.so.6.12", True),
    ],
)
def test_of_qt_stays_what_a_window_needs(place: str, *, stays: bool) -> None:
    assert keeps_qt(place) is stays


def test_what_stripping_breaks_is_left_as_it_is() -> None:
    for place in ("numpy.libs/libscipy_openblas64_.so", "pillow.libs/libjpeg.so", "onnxruntime/capi/x.so"):
        assert stripped(place) == []
    assert stripped("PySide6/Qt/lib/libQt6Core.so.6") == []
    assert stripped("libpython3.13.so.1.0") == ["--strip-all"]
    assert stripped("python3.13/lib-dynload/_json.cpython-313.so") == ["--strip-unneeded"]
    assert stripped("cryptography/hazmat/bindings/_rust.abi3.so") == ["--strip-unneeded"]


LINKED = {
    "/usr/lib/python3.13/lib-dynload/_ssl.cpython-313.so": ["libssl.so.3", "libc.so.6"],
    "/usr/lib/libssl.so.3": ["libcrypto.so.3"],
    "/usr/lib/libpython3.13.so.1.0": ["libexpat.so.1"],
}
"""What stands in files of a distribution's Python, as PyInstaller reads it."""


@pytest.fixture
def trimming(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The script, which PyInstaller runs: of that it needs alone what a library is linked against."""
    reader = ModuleType("PyInstaller.depend.bindepend")
    reader.__dict__["get_imports"] = lambda source: {(each, f"/usr/lib/{each}") for each in LINKED.get(source, ())}
    names = ("PyInstaller", "PyInstaller.depend")
    for name, module in ((reader.__name__, reader), *((each, ModuleType(each)) for each in names)):
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.syspath_prepend(str(BUNDLE))
    monkeypatch.delitem(sys.modules, "contents", raising=False)
    return runpy.run_path(str(BUNDLE / "trimming.py"))


def test_a_bundle_brings_pythons_own_and_what_it_needs_and_leaves_the_distributions(trimming: dict[str, Any]) -> None:
    python = [
        ("libpython3.13.so.1.0", "/usr/lib/libpython3.13.so.1.0", "BINARY"),
        ("python3.13/lib-dynload/_ssl.cpython-313.so", next(iter(LINKED)), "EXTENSION"),
        ("libssl.so.3", "/usr/lib/libssl.so.3", "BINARY"),
        ("libcrypto.so.3", "/usr/lib/libcrypto.so.3", "BINARY"),
        ("libexpat.so.1", "/usr/lib/libexpat.so.1", "BINARY"),
    ]
    wheels = [("numpy/core.so", "/home/ada/venv/numpy/core.so", "EXTENSION")]
    desktop = [(name, f"/lib/{name}", "BINARY") for name in ("libX11.so.6", "libgtk-3.so.0", "libstdc++.so.6")]
    analysis = SimpleNamespace(binaries=[*desktop, *python, *wheels])
    trimming["trim_system_libraries"](analysis)
    assert analysis.binaries == [*python, *wheels]


def test_where_links_lead_in_a_package_is_looked_up_in_the_bundle() -> None:
    # In the checkout `bigmind` is a folder: bigmind-app, which leads to it, became an empty one.
    told = (ROOT / "packaging" / "linux" / "nfpm.yaml").read_text()
    files = re.findall(r'(?m)\b(?:src|pre\w+|post\w+): "?([^",\s]+)', told)
    assert len(files) > 5
    assert [each for each in files if not each.startswith(("/", "${"))] == []
    assert "cwd=bundle" in (ROOT / "packaging" / "linux" / "packages.py").read_text()


def test_the_desktop_entry_names_what_the_package_installs() -> None:
    linux = ROOT / "packaging" / "linux"
    entry = (linux / "bigmind.desktop").read_text()
    about = ET.parse(linux / "app.bigmind.BigMind.metainfo.xml").getroot()  # noqa: S314 - our own
    assert about.findtext("launchable") == "bigmind.desktop"
    assert "\nExec=bigmind app\n" in entry
    assert "\nIcon=bigmind\n" in entry
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert next(about.iter("release")).get("version") == version


def test_the_installer_of_windows_takes_nothing_of_a_folder_that_holds_no_bigmind() -> None:
    told = (ROOT / "packaging" / "windows" / "bigmind.nsi").read_text()
    install = told[told.index('Section "BigMind"') : told.index('Section "Uninstall"')]
    guard = '  ${If} ${FileExists} "$INSTDIR\\bigmind.cdx.json"\n    RMDir /r "$INSTDIR\\lib"\n  ${EndIf}\n'
    assert install.replace(guard, "").count("RMDir") == 0
    assert guard in install
    # A call of a plugin is several steps: a jump over so many would land in the midst of it.
    assert "IfFileExists" not in told


def test_the_installer_of_windows_says_why_it_takes_no_folder_with_others_files() -> None:
    told = (ROOT / "packaging" / "windows" / "bigmind.nsi").read_text(encoding="ascii")
    # That callback grays the button out, and has no words.
    assert "Function .onVerifyInstDir" not in told
    leave = "!define MUI_PAGE_CUSTOMFUNCTION_LEAVE RefuseUnfitFolder\n!insertmacro MUI_PAGE_DIRECTORY\n"
    assert leave in told
    refusal = told[told.index("Function RefuseFolderOfOthers") : told.index('Section "BigMind"')]
    said = re.search(r'MessageBox MB_OK\|MB_ICONEXCLAMATION "BigMind cannot be installed in [^"]+" /SD IDOK\n', refusal)
    assert said is not None
    assert refusal[said.end() :].split("\n")[3].strip() == "Abort"  # behind the exit code of a silent install


def test_property_list_and_entitlements_of_macos_are_ones() -> None:
    told = runpy.run_path(str(ROOT / "packaging" / "macos" / "properties.py"))["PROPERTIES"]
    assert plistlib.loads(plistlib.dumps(told)) == told
    assert told["CFBundleIdentifier"] == "app.bigmind"
    assert told["CFBundleExecutable"] == "bigmind-app"
    entitlements = plistlib.loads((ROOT / "packaging" / "macos" / "entitlements.plist").read_bytes())
    assert set(entitlements.values()) == {True}
    assert all(each.startswith("com.apple.security.cs.") for each in entitlements)


@pytest.mark.parametrize("command", ["bundle", "smoke", "distributions"])
def test_the_commands_are_told_to_who_works_on_it(command: str) -> None:
    assert re.search(rf"(?m)^{command}: ##", (ROOT / "Makefile").read_text())
    assert f"make {command}" in (ROOT / "CONTRIBUTING.md").read_text()


def test_what_differs_by_system_names_files_and_tests_that_are_there() -> None:
    told = (ROOT / "docs" / "bundles.md").read_text()
    rows = re.findall(r"(?m)^\| [^|]+ \| `([\w/.]+)` \| `(tests/[\w/.]+)` \|$", told)
    assert len(rows) > 12
    assert [each for row in rows for each in row if not (ROOT / each).is_file()] == []


def test_a_package_without_a_file_does_not_stop_what_is_built(trimming: dict[str, Any], tmp_path: Path) -> None:
    """PyInstaller calls its file `-`; pywin32 has every Python of Windows import one."""
    (tmp_path / "fileless" / "part").mkdir(parents=True)
    (tmp_path / "entrance.py").write_text("import fileless\n")
    fileless = ("fileless", "-", "PYMODULE")
    entrance = ("entrance", str(tmp_path / "entrance.py"), "PYMODULE")
    analysis = SimpleNamespace(pathex=[tmp_path], pure=[fileless, entrance])
    made = trimming["open_modules"](analysis, ["entrance"], tmp_path / "open")
    assert [each[0] for each in made] == ["entrance.pyc"]
    assert analysis.pure == [fileless]
