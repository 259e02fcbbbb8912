"""The bundle of macOS as far as that goes elsewhere: what its settings name is there, and goes into the app.

Two seconds: the settings themselves are run. Nothing cheaper shows that a build on macOS gets past them.
"""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.system_programs import ROOT

BUNDLE = ROOT / "packaging" / "bundle"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """What build.py lays out before PyInstaller runs, as small as can be."""
    about = tmp_path / "stage" / "bigmind-0.1.0.dist-info"
    (tmp_path / "stage" / "bigmind").mkdir(parents=True)
    (about / "licenses").mkdir(parents=True)
    (tmp_path / "stage" / "bigmind" / "__init__.py").write_text("")
    (about / "licenses" / "LICENSE").write_text("the licence")
    (about / "METADATA").write_text("Name: bigmind\nVersion: 0.1.0\nLicense-Expression: Apache-2.0\n")
    (about / "RECORD").write_text("bigmind/__init__.py,,\nbigmind-0.1.0.dist-info/licenses/LICENSE,,\n")
    return tmp_path


def settings_run(work: Path, patched: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run the settings of PyInstaller as it does on macOS; what it was told to make."""
    made: dict[str, Any] = {"programs": []}
    hooks, reader = ModuleType("PyInstaller.utils.hooks"), ModuleType("PyInstaller.depend.bindepend")
    hooks.__dict__.update(
        {name: lambda *_, **__: [] for name in ("collect_data_files", "collect_submodules", "copy_metadata")}
    )
    reader.__dict__["get_imports"] = lambda _: set()
    names = ("PyInstaller", "PyInstaller.utils", "PyInstaller.depend")
    for module in (hooks, reader, *map(ModuleType, names)):
        patched.setitem(sys.modules, module.__name__, module)
    for name in ("contents", "trimming", "materials", "properties", "licence_texts"):
        patched.delitem(sys.modules, name, raising=False)
    patched.setattr(sys, "platform", "darwin")
    patched.setattr(sys, "path", [*sys.path])
    patched.setenv("BIGMIND_BUNDLE", "window")
    patched.setenv("BIGMIND_BUNDLE_WORK", str(work))
    package = str(work / "stage" / "bigmind" / "__init__.py")
    found = SimpleNamespace(
        datas=[], binaries=[], scripts=[], pathex=[str(ROOT)], pure=[("bigmind", package, "PYMODULE")]
    )
    words = {
        "SPECPATH": str(BUNDLE),
        "Analysis": lambda *_, **__: found,
        "PYZ": lambda _: "archive",
        "EXE": lambda *_, **told: made["programs"].append(told),
        "COLLECT": lambda *_, **__: "folder",
        "BUNDLE": lambda *parts, **told: made.update(parts=parts, told=told),
    }
    exec(compile((BUNDLE / "bundle.spec").read_text(), "bundle.spec", "exec"), words)  # noqa: S102 - as PyInstaller does
    return made


def test_the_settings_of_macos_name_what_is_there(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = settings_run(work, monkeypatch)
    assert [each["name"] for each in made["programs"]] == ["bigmind", "bigmind-app"]
    assert all(Path(each["entitlements_file"]).is_file() for each in made["programs"])
    assert made["told"]["info_plist"]["CFBundleExecutable"] == "bigmind-app"
    assert Path(made["told"]["icon"]).parts[-3:] == ("assets", "icons", "bigmind.icns")
    assert made["told"]["info_plist"]["LSUIElement"] is True, "a second icon in the Dock, of what has no window"
    inside = {place: source for place, source, _ in made["parts"][1]}
    assert {"bigmind.cdx.json", "licenses/README.md", "licenses/bigmind-0.1.0/LICENSE"} <= set(inside)
    assert all(Path(each).is_file() for each in inside.values())
