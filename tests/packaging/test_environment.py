"""Where a fresh clone finds what it installs."""

import runpy

import pytest

from tests.system_programs import ROOT

SCRIPT = runpy.run_path(str(ROOT / "packaging" / "environment.py"))


@pytest.mark.parametrize("purpose", SCRIPT["LISTS"])
def test_each_purpose_has_its_lists_with_every_package_pinned_by_hash(purpose: str) -> None:
    for file in SCRIPT["pinned"](purpose):
        pins = [block for block in file.read_text(encoding="utf-8").split("\n") if "==" in block]
        assert pins
        assert all(pin.endswith("\\") for pin in pins)
