"""The page about hooks says what the table in the code says."""

import re
from pathlib import Path

from bigmind.hooks.client_events import EVENTS, HOOKS, HookReply
from bigmind.hooks.formats import neutral
from bigmind.wiring import catalogue

PAGE = Path(__file__).parents[2] / "docs" / "hooks.md"
ROW = re.compile(r"^\| (?:`([\w-]+)`)? ?\| ([\w.]+) \| ([\w-]+) \| (— \||[\d,]+ m?s \|) (.+) \|$", re.MULTILINE)


def documented() -> list[tuple[str, str, str, int | None]]:
    rows, client = [], ""
    for named, event, ours, timeout, _ in ROW.findall(PAGE.read_text(encoding="utf-8")):
        client = named or client
        number = timeout.split(" ")[0].replace(",", "")
        rows.append((client, event, ours, None if number == "—" else int(number)))
    return rows


def test_the_page_names_every_hook_of_every_client() -> None:
    known = [(client, each.name, each.event, each.timeout) for client, hooks in HOOKS.items() for each in hooks]
    assert documented() == known


def test_the_page_says_of_each_whether_anything_is_made_of_its_answer() -> None:
    listened = [more != "—" for *_, more in ROW.findall(PAGE.read_text(encoding="utf-8"))]
    used = [
        each.says is not HookReply.NOTHING or "continue" in neutral(client, each)
        for client, known in HOOKS.items()
        for each in known
    ]
    assert listened == used


def test_every_event_has_its_operation_for_the_hooks_alone() -> None:
    names = {operation.name for operation in catalogue() if operation.toolset == "hooks"}
    assert names == {f"hook_{event.replace('-', '_')}" for event in EVENTS} | {"hook_given", "hook_edit"}
