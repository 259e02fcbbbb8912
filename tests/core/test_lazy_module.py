"""A lazy module is imported with the first thing that is asked of it."""

import sys

import pytest

from bigmind.core.lazy_module import LazyModule


def test_it_is_imported_when_something_of_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    lazy = LazyModule("colorsys")
    assert "colorsys" not in sys.modules
    assert lazy.rgb_to_hls(1.0, 1.0, 1.0) == (0.0, 1.0, 0.0)
    assert "colorsys" in sys.modules


def test_what_is_not_there_is_said_as_the_module_says_it() -> None:
    with pytest.raises(AttributeError, match="module 'colorsys' has no attribute 'nothing'"):
        _ = LazyModule("colorsys").nothing
    with pytest.raises(ModuleNotFoundError, match="No module named"):
        _ = LazyModule("bigmind.nowhere").anything
