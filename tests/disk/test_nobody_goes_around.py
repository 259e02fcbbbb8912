"""A file is replaced, renamed and removed by the module that waits, on Windows, while another program has it open."""

import ast
from pathlib import Path

import pytest

import bigmind

ROOT = Path(bigmind.__file__).parents[1]
MODULES = [each for folder in ("bigmind", "app", "ui") for each in (ROOT / folder).rglob("*.py")]
AT_ONCE = {
    "bigmind/disk/open_files.py": "it is that module",
    "bigmind/clients/files/writer.py": "the new file's name has nothing, on a POSIX disk that has no links",
    "bigmind/portable/transfer_paths.py": "the same",
    "bigmind/local/runfile.py": "a folder in a file's place, which no scanner has open",
    "app/logs.py": "the log of crashes is BigMind's own and closed by then",
}
CALLS = {"unlink": 0, "rename": 1, "replace": 1}
"""How many arguments a path's own method has; a text's `replace` has two."""


def goes_around(module: ast.Module) -> set[str]:
    """The methods of paths that a module calls by itself."""
    calls = (each for each in ast.walk(module) if isinstance(each, ast.Call))
    return {
        f"{call.func.attr}, line {call.lineno}"
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and CALLS.get(call.func.attr) == len(call.args)
        and not {each.arg for each in call.keywords} - {"missing_ok"}
    }


def test_paths_that_another_program_may_have_open_are_left_to_it():
    found = {
        str(each.relative_to(ROOT).as_posix()): around
        for each in MODULES
        if (around := goes_around(ast.parse(each.read_text(encoding="utf-8"))))
    }
    assert set(found) <= set(AT_ONCE), found


@pytest.mark.parametrize("line", ["p.unlink()", "p.unlink(missing_ok=True)", "p.rename(q)", "f(x).replace(q)"])
def test_such_a_call_is_seen(line: str):
    assert goes_around(ast.parse(line))
    assert not goes_around(ast.parse("a.replace('b', 'c'); now.replace(hour=1)"))
