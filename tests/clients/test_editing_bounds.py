"""Files that would take a long time, or for ever: they are read a fixed number of times, or refused."""

import json
import tomllib

import pytest

from bigmind.clients.editing import json_text, toml_text, yaml_text
from bigmind.clients.editing.editor import MISSING
from bigmind.clients.editing.editors import editor
from bigmind.clients.editing.file_text import NotParsedError
from bigmind.clients.parts import Format

JSON, TOML, YAML = editor(Format.JSON), editor(Format.TOML), editor(Format.YAML)
BRIDGE = {"command": "/opt/bigmind", "args": ["mcp"]}
BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{depth}: &a{depth} [{', '.join([f'*a{depth - 1}'] * 9)}]\n" for depth in range(1, 12)
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BOMB, "more than 1,000,000 values"),
        (BOMB + "extensions:\n  x: *a11\n", "more than 1,000,000 values"),
        (BOMB + "? *a11\n: 1\n", "more than 1,000,000 values"),
        (BOMB.replace("[", "{<<: [").replace("]", "]}").replace("{<<: [x, x, x, x, x, x, x, x, x]}", "{x: 1}"), "more"),
        (f"a: &a '{'x' * 50_000}'\nb: [{', '.join(['*a'] * 3_000)}]\n", "more than 1,000,000 values"),
        ("a: &a\n  b: *a\n", "within what it stands for"),
        ("extensions: &a\n  b: [*a]\n", "within what it stands for"),
        ("a: *nothing\nb: &b 1\n", "undefined alias"),
    ],
)
def test_yaml_whose_aliases_stand_for_too_much_is_refused_before_anything_walks_it(text, reason):
    for attempt in (
        lambda: YAML.value(text, ("a",)),
        lambda: YAML.with_value(text, ("extensions", "bigmind"), BRIDGE),
        lambda: YAML.with_item(text, ("a1",), "x", "bigmind"),
        lambda: YAML.without_items(text, ("a1",), "bigmind"),
    ):
        with pytest.raises(NotParsedError, match=reason):
            attempt()


def test_yaml_with_some_aliases_is_changed_as_before():
    text = "a: &a [x]\nb: [*a, *a]\nc: &c {d: *a}\nd: &a {d: *c}\ne: *a\n"
    changed = YAML.with_value(text, ("bigmind",), 1)
    assert changed == text + "bigmind: 1\n"
    assert YAML.value(changed, ("e",)) == {"d": {"d": ["x"]}}


def test_a_key_of_ten_thousand_parts_is_refused_before_toml_is_read(monkeypatch):
    monkeypatch.setattr(tomllib, "loads", lambda _: pytest.fail("it was read"))
    with pytest.raises(NotParsedError, match="more than 200 deep"):
        TOML.with_value(f"a = 1\n{'.'.join(['b'] * 10_000)} = 1\n", ("c",), 1)


def test_a_long_value_with_dots_is_no_deep_key():
    text = f'a = "{"b." * 500}"\n'
    assert TOML.with_value(text, ("c",), 1) == f"{text}c = 1\n"


MANY = {
    "json": (JSON, lambda items: json.dumps({"hooks": {"Stop": items}})),
    "json of several lines": (JSON, lambda items: json.dumps({"hooks": {"Stop": items}}, indent=2)),
    "json with commas at the end": (
        JSON,
        lambda items: '{"hooks": {"Stop": [' + "".join(f"\n{json.dumps(item)}, // c" for item in items) + "\n]}}",
    ),
    "toml": (TOML, lambda items: "[hooks]\nStop = [" + ", ".join(f"{{c = '{item['c']}'}}" for item in items) + "]\n"),
    "toml of tables": (TOML, lambda items: "".join(f"[[hooks.Stop]]\nc = '{item['c']}'\n\n" for item in items)),
    "yaml": (YAML, lambda items: "hooks:\n  Stop:\n" + "".join(f"  - c: {item['c']}\n" for item in items)),
    "yaml in brackets": (
        YAML,
        lambda items: "hooks: {Stop: [" + ", ".join(f"{{c: {item['c']}}}" for item in items) + "]}\n",
    ),
}


@pytest.mark.parametrize("kind", MANY)
@pytest.mark.parametrize("pattern", ["oo", "omo", "mom", "oomoo", "mooom", "ommoo", "o"])
def test_all_items_with_our_mark_go_at_once_and_the_others_stay(kind, pattern):
    edit, written = MANY[kind]
    items = [{"c": f"bigmind {place}" if who == "o" else f"mine {place}"} for place, who in enumerate(pattern)]
    mine = [item for item in items if item["c"].startswith("mine")]
    steps = ("hooks", "Stop")
    gone = edit.without_items(written(items), steps, "bigmind")
    assert edit.value(gone, steps) == (MISSING if kind == "toml of tables" and not mine else mine)
    once = edit.value(edit.with_item(written(items), steps, {"c": "bigmind new"}, "bigmind"), steps)
    first = pattern.index("o")
    assert once == [*mine[:first], {"c": "bigmind new"}, *mine[first:]]


@pytest.mark.parametrize("kind", MANY)
def test_many_items_are_cut_with_as_few_readings_as_two(kind, monkeypatch):
    edit, written = MANY[kind]
    readings = {}
    for count in (2, 90):
        with monkeypatch.context() as patched:
            readings[count] = counted(patched)
            edit.without_items(written([{"c": "bigmind"}] * count), ("hooks", "Stop"), "bigmind")
            edit.with_item(written([{"c": "bigmind"}] * count), ("hooks", "Stop"), {"c": "bigmind 2"}, "bigmind")
    assert readings[2] == readings[90] != []


def counted(patched):
    """Notes every reading of a whole text from now on: the list that it fills, one name each."""
    read = []

    def note(module, name):
        original = getattr(module, name)
        patched.setattr(module, name, lambda *arguments: (read.append(name), original(*arguments))[1])

    note(json_text, "_along")
    note(json_text, "_root")
    note(toml_text, "statements")
    note(yaml_text, "root_of")
    return read


@pytest.mark.parametrize("kind", MANY)
def test_more_items_of_ours_than_ever_came_from_here_are_refused(kind):
    edit, written = MANY[kind]
    text = written([{"c": "bigmind"}] * 4_000 if edit is JSON else [{"c": "bigmind"}] * 150)
    for attempt in (
        lambda: edit.without_items(text, ("hooks", "Stop"), "bigmind"),
        lambda: edit.with_item(text, ("hooks", "Stop"), "bigmind new", "bigmind"),
    ):
        with pytest.raises(NotParsedError, match="take out all but 100 by hand"):
            attempt()


def test_equal_keys_go_at_once_and_too_many_of_them_are_refused(monkeypatch):
    text = '{"other": 1, ' + ", ".join(['"bigmind": 1'] * 90) + ', "last": 2}'
    read = counted(monkeypatch)
    assert JSON.without_value(text, ("bigmind",)) == '{"other": 1, "last": 2}'
    assert len(read) < 6
    with pytest.raises(NotParsedError, match="take out all but 100 by hand"):
        JSON.without_value("{" + ", ".join(['"bigmind": 1'] * 5_000) + "}", ("bigmind",))
