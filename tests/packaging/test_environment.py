"""Where a fresh clone finds what it installs."""

import os
import re
import runpy
import sysconfig
from importlib.metadata import distributions

import pytest

from packaging.requirements import Requirement
from tests.system_programs import ROOT

SCRIPT = runpy.run_path(str(ROOT / "packaging" / "environment.py"))


@pytest.mark.parametrize("purpose", SCRIPT["LISTS"])
def test_each_purpose_has_its_lists_with_every_package_pinned_by_hash(purpose: str) -> None:
    for file in SCRIPT["pinned"](purpose):
        pins = [block for block in file.read_text(encoding="utf-8").split("\n") if "==" in block]
        assert pins
        assert all(pin.endswith("\\") for pin in pins)


def test_a_package_that_is_asked_for_with_extras_is_pinned_with_them() -> None:
    """An older pip takes `coverage==7` for no pin of `coverage[toml]`: it refuses to install beside a newer release."""
    pins = [
        pin for file in SCRIPT["pinned"]("test") for pin in re.findall(r"(?m)^[\w.\[\],-]+(?===)", file.read_text())
    ]
    with_extras = {
        re.sub(r"[-_.]+", "-", asked.name).lower(): asked.extras
        for package in distributions()
        for asked in map(Requirement, package.requires or [])
        if asked.extras and (asked.marker is None or asked.marker.evaluate({"extra": ""}))
    }
    assert with_extras
    pinned = {re.sub(r"[-_.]+", "-", each.name).lower(): each.extras for each in map(Requirement, pins)}
    assert {name: pinned[name] for name in with_extras if name in pinned} == with_extras


@pytest.mark.parametrize(
    ("options", "schemes", "is_optimized"),
    [
        ("'--prefix=/opt' '--enable-optimizations' '--with-lto'", ("posix_prefix",), True),
        ("'--prefix=/usr' '--enable-shared'", ("posix_prefix", "deb_system"), True),
        ("'--prefix=/home/ada/.pyenv/versions/3.11.7'", ("posix_prefix",), os.name == "nt"),
        (None, ("nt",), os.name == "nt"),
    ],
)
def test_a_python_that_was_built_without_optimizations_is_told_from_others(
    options: str | None, schemes: tuple[str, ...], is_optimized: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sysconfig, "get_config_var", lambda _: options)
    monkeypatch.setattr(sysconfig, "get_scheme_names", lambda: schemes)
    assert SCRIPT["is_optimized"]() is is_optimized
