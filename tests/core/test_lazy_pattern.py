"""Patterns that are compiled at their first use."""

import re
import subprocess
import sys
from copy import copy

import pytest

from bigmind.text.lazy_pattern import lazy_pattern

COMPILED = """
import re, sys
compiled, compile_pattern = [], re.compile
def noted(pattern, flags=0):
    compiled.append(sys._getframe(1).f_globals["__name__"])
    return compile_pattern(pattern, flags)
re.compile = noted
import app.running
print(*sorted({each for each in compiled if each.startswith("bigmind.")}))
print(len([each for each in compiled if each.startswith("bigmind.")]))
"""


def test_it_finds_what_a_compiled_pattern_finds() -> None:
    written, text = r"(?P<word>[a-z]+)-(\d+)", "Ab-12, cd-3; ef-"
    lazy, plain = lazy_pattern(written, re.IGNORECASE), re.compile(written, re.IGNORECASE)
    for _ in range(2):  # the second time, with what the first one found
        assert [each.groups() for each in lazy.finditer(text)] == [each.groups() for each in plain.finditer(text)]
        assert lazy.sub(r"\2", text) == plain.sub(r"\2", text)
        assert lazy.split(text) == plain.split(text)
        assert (lazy.fullmatch(text), lazy.pattern, lazy.flags) == (None, plain.pattern, plain.flags)
        assert lazy.match(text, 7) is not None


def test_it_is_compiled_at_its_first_use_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_pattern = re.compile

    def noted(pattern: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(pattern)
        return compile_pattern(pattern, flags)

    monkeypatch.setattr(re, "compile", noted)
    lazy = lazy_pattern("one|two")
    assert compiled == []
    assert [each is not None for each in (lazy.search("two"), lazy.match("one"), lazy.search("three"))] == [1, 1, 0]
    assert compiled == ["one|two"]


def test_a_wrong_one_is_told_where_it_is_used() -> None:
    wrong = lazy_pattern("(")
    with pytest.raises(re.error, match="unterminated"):
        wrong.search("")


def test_what_looks_at_objects_finds_no_pattern_to_compile() -> None:
    assert copy(lazy_pattern("one")).search("one")
    assert not hasattr(lazy_pattern("("), "__wrapped__")


def test_a_start_compiles_few_patterns_of_ours() -> None:
    """Hundreds of them were a fifteenth of a start."""
    told = subprocess.run([sys.executable, "-c", COMPILED], capture_output=True, text=True, check=True).stdout
    rooms, many = told.splitlines()
    later = ("bigmind.caution.", "bigmind.secrets.", "bigmind.text.lazy_pattern")
    assert not {each for each in rooms.split() if each.startswith(later)}
    assert int(many) < 80
