"""Each part of a bundle comes with the text of its licence: nearly all licences ask for that."""

import re
import runpy
import sys
from importlib.metadata import PackageNotFoundError, PathDistribution, distribution
from pathlib import Path

import pytest

from tests.system_programs import ROOT

BUNDLE = ROOT / "packaging" / "bundle"
SCRIPT = runpy.run_path(str(BUNDLE / "licence_texts.py"))
texts_of, is_text = SCRIPT["texts_of"], SCRIPT["is_text"]


def pinned() -> list[str]:
    """What a bundle is made of, by name."""
    folder = ROOT / "packaging" / "requirements"
    told = "\n".join((folder / f"{each}.txt").read_text() for each in ("runtime", "desktop"))
    return sorted(set(re.findall(r"(?m)^([\w.-]+)==", told)))


def licence_of(name: str) -> str:
    about = distribution(name).metadata
    named = [each for each in about.get_all("Classifier") or () if each.startswith("License ::")]
    return about.get("License-Expression") or about.get("License") or ", ".join(named)


def test_there_is_a_text_of_everything_that_is_pinned() -> None:
    without = []
    for name in pinned():
        try:
            texts = texts_of(distribution(name), licence_of(name))
        except PackageNotFoundError:
            continue  # another system's
        if max((each.stat().st_size for each in texts.values()), default=0) < 500:
            without.append(name)
    assert without == []


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("onnxruntime", "onnxruntime-ThirdPartyNotices.txt", "Eigen"),
        ("typer", "typer-_click-LICENSE.txt", "Pallets"),
        ("tokenizers", "Apache-2.0.txt", "Apache License"),
        ("loguru", "loguru.txt", "Delgan"),
        *([("PySide6_Essentials", "LGPL-3.0.txt", "LESSER")] if sys.platform == "linux" else []),
    ],
)
def test_texts_that_do_not_lie_where_most_do_are_found(name: str, text: str, says: str) -> None:
    assert says in texts_of(distribution(name), licence_of(name))[text].read_text(encoding="utf-8", errors="replace")


def test_the_licence_of_python_is_found_beside_its_program_where_windows_puts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "LICENSE.txt").touch()
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "path", [str(BUNDLE), *sys.path])
    for name in ("materials", "licence_texts"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    itself = runpy.run_path(str(BUNDLE / "materials.py"))["python_itself"]()
    assert itself.texts["LICENSE.txt"] == tmp_path / "LICENSE.txt"


@pytest.mark.parametrize("spelt", ["proxy-tools", "proxy_tools", "Proxy.Tools"])
def test_a_text_that_is_kept_here_is_found_however_the_name_is_spelt(spelt: str, tmp_path: Path) -> None:
    about = tmp_path / "proxy_tools-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {spelt}\nVersion: 0.1.0\n", encoding="utf-8")
    assert [*texts_of(PathDistribution(about), "")] == ["proxy-tools.txt"]


@pytest.mark.parametrize(("name", "is_one"), [("LICENSE", True), ("NOTICE.md", True), ("license.py", False)])
def test_modules_are_no_texts(name: str, *, is_one: bool) -> None:
    assert is_text(name) is is_one
