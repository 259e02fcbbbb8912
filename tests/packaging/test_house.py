"""The shape of the house: its floors as docs/architecture.md draws them, rooms of a size, names that mean one thing."""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import grimp

ROOT = Path(__file__).parents[2]
PRODUCT = ("app", "ui", "bigmind")
MOST_MODULES = 20
SAME_IN_EVERY_FEATURE = frozenset({"tables", "kinds", "rules", "service", "listing", "answers", "operations"})
PARALLEL = (
    "ui/pages",  # each page is called what it shows
    "bigmind/store/sqlite",  # a database's own, under the names that every database has
    "bigmind/store/migrations",
    "app/desktop/start_at_login",  # one module per operating system, here and in web_view
)


@cache
def contract() -> dict[str, Any]:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [floors] = [each for each in contracts if each.get("containers") == ["bigmind"]]
    return floors


def modules() -> Iterator[Path]:
    for top in PRODUCT:
        yield from (each.relative_to(ROOT) for each in (ROOT / top).rglob("*.py") if each.name != "__init__.py")


@cache
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(*PRODUCT)


@cache
def floor_of(room: str) -> int:
    """The number of a room's floor, 0 for the highest."""
    [found] = [number for number, floor in enumerate(contract()["layers"]) if room in floor.split(" | ")]
    return found


def test_the_floors_are_those_of_the_document() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    block = text.partition("```floors\n")[2].partition("```")[0]
    drawn = [re.split(r"\s{2,}", line.strip())[0] for line in block.splitlines() if not line.startswith(" " * 8)]
    assert drawn == contract()["layers"]


def test_every_room_is_on_a_floor() -> None:
    rooms = {each.stem for each in (ROOT / "bigmind").iterdir() if each.suffix == ".py" and each.stem != "__init__"}
    rooms |= {each.name for each in (ROOT / "bigmind").iterdir() if (each / "__init__.py").exists()}
    assert rooms == {room for floor in contract()["layers"] for room in floor.split(" | ")}


def test_no_module_is_in_a_circle() -> None:
    """Imports that are made later count too: a circle that is walked later is one."""
    imports = {each: graph().find_modules_directly_imported_by(each) for each in graph().modules}
    reach: dict[str, set[str]] = {}
    for start, first in imports.items():
        found: set[str] = set()
        waiting = [*first]
        while waiting:
            if (here := waiting.pop()) not in found:
                found.add(here)
                waiting.extend(imports.get(here, ()))
        reach[start] = found
    assert sorted(each for each, reached in reach.items() if each in reached) == []


def test_no_folder_holds_more_modules_than_one_reads_at_a_look() -> None:
    sizes: dict[str, int] = defaultdict(int)
    for each in modules():
        sizes[str(each.parent)] += 1
    assert {folder: size for folder, size in sizes.items() if size > MOST_MODULES} == {}


def test_a_base_name_means_one_thing_in_the_whole_tree() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for each in modules():
        if not each.parent.as_posix().startswith(PARALLEL) and each.stem not in SAME_IN_EVERY_FEATURE | {"__main__"}:
            places[each.stem].append(str(each))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_an_import_that_is_made_later_goes_down_or_stays_in_its_room() -> None:
    """It buys time at the start. What would have to be deferred to avoid a circle stands on the wrong floor."""
    wrong: list[str] = []
    for path in (each for each in modules() if each.parts[0] == "bigmind"):
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        at_top = {id(each) for each in tree.body}
        room = path.parts[1].removesuffix(".py")
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.ImportFrom)
                and id(node) not in at_top
                and (node.module or "").startswith("bigmind.")
            ):
                other = (node.module or "").split(".")[1]
                if other != room and floor_of(other) <= floor_of(room):
                    wrong.append(f"{path}:{node.lineno}")
    assert wrong == []


def test_operations_load_what_they_do_by_one_door() -> None:
    """A room's operations import nothing in a function: what they load later is one module of their own room."""
    for path in (each for each in modules() if each.name == "operations.py"):
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
        late = [each for one in functions for each in ast.walk(one) if isinstance(each, ast.Import | ast.ImportFrom)]
        assert late == [], path
        doors = [each for each in ast.walk(tree) if isinstance(each, ast.Call) and _named(each) == "LazyModule"]
        room = ".".join(path.parent.parts)
        assert [ast.literal_eval(each.args[0]) for each in doors] in ([], [f"{room}.service"]), path


def test_a_lazy_door_leads_where_its_imports_for_types_say() -> None:
    """What type checkers and the drawing of the house read is what is loaded."""
    found = 0
    for path in modules():
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        for branch in (each for each in tree.body if isinstance(each, ast.If) and each.orelse):
            typed = {
                alias.asname or alias.name: f"{each.module}.{alias.name}"
                for each in branch.body
                if isinstance(each, ast.ImportFrom)
                for alias in each.names
            }
            for each in branch.orelse:
                if isinstance(each, ast.Assign) and _named(each.value) == "LazyModule":
                    [target] = each.targets
                    assert typed[target.id] == ast.literal_eval(each.value.args[0]), path
                    found += 1
    assert found >= 5


def _named(call: ast.expr) -> str:
    return call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
