"""One part of somebody's file changes, and nothing else: files as clients and people write them."""

import json
import tomllib

import pytest
import yaml

from bigmind.clients.editing.editor import MISSING
from bigmind.clients.editing.editors import editor
from bigmind.clients.editing.file_text import NotParsedError, decoded, encoded, position
from bigmind.clients.editing.marked_block import BEGIN, END, block_of, with_block, without_block
from bigmind.clients.parts import Format
from tests.clients.editing_files import read_json

JSON, TOML, YAML = editor(Format.JSON), editor(Format.TOML), editor(Format.YAML)
BRIDGE = {"command": "/opt/bigmind", "args": ["mcp"]}

VSCODE = """\
// Place your settings here
{
    "editor.tabSize": 4, // as everybody
    /* servers
       of mine */
    "mcp": {
        "servers": {
            "github": { "url": "https://example.com/mcp" } // "old": {}
        }
        // "disabled": true
    },

    "files.exclude": { "**/.git": true }
}
"""
ZED = """\
{
  "theme": "One Dark",
  "context_servers": {
    "postgres": {
      "command": "pg-mcp",
      "args": [],
    },
  },
  "vim_mode": true,
}
"""
CODEX = """\
# Codex of mine
model = "gpt-5" # the good one
notify = [
  "notify-send", # on the desktop
]

[mcp_servers.docs]
command = "docs"
env = { KEY = "x" }
# args = ["--slow"]

[[profiles]]
name = "fast"

# projects that I trust
[projects."/home/me/a.b"]
trust_level = "trusted"
"""
GOOSE = """\
GOOSE_PROVIDER: anthropic   # mine
defaults: &defaults
    timeout: 300
    enabled: true
extensions:
    developer:
        <<: *defaults
        type: builtin
        # bundled: true
    # memory: off

GOOSE_MODEL:   'sonnet'
"""


def test_vscode_settings_keep_comments_order_and_indentation():
    changed = JSON.with_value(VSCODE, ("mcp", "servers", "bigmind"), BRIDGE)
    assert changed == VSCODE.replace(
        """ } // "old": {}\n""",
        """ }, // "old": {}
            "bigmind": {
                "command": "/opt/bigmind",
                "args": [
                    "mcp"
                ]
            }\n""",
    )
    assert JSON.without_value(changed, ("mcp", "servers", "bigmind")) == VSCODE


def test_zed_settings_keep_trailing_commas():
    changed = JSON.with_value(ZED, ("context_servers", "bigmind"), {"source": "custom"})
    assert changed == ZED.replace(
        '      "args": [],\n    },\n', '      "args": [],\n    },\n    "bigmind": {\n      "source": "custom"\n    },\n'
    )
    assert JSON.without_value(changed, ("context_servers", "bigmind")) == ZED


def test_codex_configuration_gets_a_table_beside_its_relatives():
    changed = TOML.with_value(CODEX, ("mcp_servers", "bigmind"), {**BRIDGE, "env": {"A": "b"}})
    assert changed == CODEX.replace(
        '# args = ["--slow"]\n',
        '# args = ["--slow"]\n\n[mcp_servers.bigmind]\ncommand = "/opt/bigmind"\nargs = ["mcp"]\nenv = { A = "b" }\n',
    )
    assert TOML.without_value(changed, ("mcp_servers", "bigmind")) == CODEX


def test_codex_configuration_gets_an_element_in_a_list_of_several_lines():
    changed = TOML.with_item(CODEX, ("notify",), "bigmind", "bigmind")
    assert changed == CODEX.replace("# on the desktop\n", '# on the desktop\n  "bigmind",\n')
    assert TOML.without_items(changed, ("notify",), "bigmind") == CODEX


def test_codex_configuration_gets_a_switch_in_a_table_that_is_there_and_one_that_is_not():
    steps = ("projects", "/home/me/a.b", "hooks")
    assert TOML.with_value(CODEX, steps, True) == CODEX + "hooks = true\n"
    made = TOML.with_value(CODEX, ("features", "hooks"), True)
    assert made == CODEX + "\n[features]\nhooks = true\n"
    assert TOML.pruned(TOML.without_value(made, ("features", "hooks")), ("features", "hooks"), CODEX) == CODEX


def test_a_key_at_the_top_of_toml_stays_out_of_the_tables():
    changed = TOML.with_value(CODEX, ("zone",), 1)
    assert tomllib.loads(changed) == {**tomllib.loads(CODEX), "zone": 1}
    assert TOML.without_value(changed, ("zone",)) == CODEX
    assert TOML.with_value("[a]\nb = 1\n", ("zone",), 1) == "zone = 1\n[a]\nb = 1\n"


def test_an_older_table_with_tables_in_it_is_replaced_where_it_stood():
    old = "[mcp_servers.bigmind]\nurl = 'x'\n\n[mcp_servers.bigmind.env]\nA = '1'\n\n[z]\nb = 1\n"
    changed = TOML.with_value(old, ("mcp_servers", "bigmind"), {"url": "y"})
    assert changed == '[mcp_servers.bigmind]\nurl = "y"\n\n[z]\nb = 1\n'


def test_hooks_of_toml_are_elements_among_those_of_others():
    old = '[[hooks.Stop]]\ncommand = "mine"\n\n[other]\na = 1\n'
    changed = TOML.with_item(old, ("hooks", "Stop"), {"command": "bigmind hook stop"}, "bigmind hook")
    again = TOML.with_item(changed, ("hooks", "Stop"), {"command": "bigmind hook stop", "timeout": 9}, "bigmind hook")
    assert tomllib.loads(again)["hooks"]["Stop"] == [
        {"command": "mine"},
        {"command": "bigmind hook stop", "timeout": 9},
    ]
    assert TOML.without_items(again, ("hooks", "Stop"), "bigmind hook") == old


def test_toml_of_the_newer_version_is_changed_too():
    text = 'mcp_servers = {\n  docs = { command = "d" }, # mine\n}\n'
    changed = TOML.with_value(text, ("mcp_servers", "bigmind"), {"url": "x"})
    assert changed == text.replace("# mine\n", '# mine\n  bigmind = { url = "x" },\n')


def test_goose_configuration_keeps_comments_anchors_and_spaces():
    changed = YAML.with_value(GOOSE, ("extensions", "bigmind"), BRIDGE)
    assert changed == GOOSE.replace(
        "    # memory: off\n",
        "    # memory: off\n    bigmind:\n        command: /opt/bigmind\n        args:\n            - mcp\n",
    )
    assert yaml.safe_load(changed)["extensions"]["developer"]["timeout"] == 300
    assert YAML.without_value(changed, ("extensions", "bigmind")) == GOOSE


def test_what_several_places_of_a_yaml_file_share_is_not_changed():
    with pytest.raises(NotParsedError, match="line 2, column 13"):
        YAML.with_value("base: &base {a: 1}\nextensions: *base\n", ("extensions", "bigmind"), BRIDGE)
    with pytest.raises(NotParsedError, match="harm to the rest"):
        YAML.with_value("extensions: &x\n  a: 1\nother: *x\n", ("extensions", "bigmind"), BRIDGE)


def test_an_anchor_that_is_used_twice_warns_nobody():
    text = "a: &x 1\nb: &x 2\n"
    assert YAML.without_value(YAML.with_value(text, ("c",), 3), ("c",)) == text


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("final", [True, False])
@pytest.mark.parametrize(("edit", "text"), [(JSON, VSCODE), (JSON, ZED), (TOML, CODEX), (YAML, GOOSE)])
def test_line_endings_byte_order_mark_and_the_end_of_the_file_stay(edit, text, newline, bom, final):
    text = bom + (text if final else text.rstrip("\n")).replace("\n", newline)
    changed = edit.with_value(text, ("extensions", "bigmind"), BRIDGE)
    assert changed.startswith(bom)
    assert changed.count("\n") == changed.count(newline) > text.count("\n")
    assert changed.endswith("\n") == final
    assert edit.pruned(edit.without_value(changed, ("extensions", "bigmind")), ("extensions",), text) == text


def test_tabs_and_lines_with_everything_on_them_stay_what_they_are():
    assert JSON.with_value('{\n\t"a": {\n\t\t"b": 1\n\t}\n}', ("a", "c"), {"d": 2}) == (
        '{\n\t"a": {\n\t\t"b": 1,\n\t\t"c": {\n\t\t\t"d": 2\n\t\t}\n\t}\n}'
    )
    assert JSON.with_value('{"a": {"b": 1}}', ("a", "c"), [2]) == '{"a": {"b": 1, "c": [2]}}'
    assert JSON.with_value('{ "a": 1, }', ("c",), 2) == '{ "a": 1, "c": 2, }'


@pytest.mark.parametrize(
    ("edit", "text"), [(JSON, "{}"), (JSON, '{\n  "s": {}\n}\n'), (TOML, ""), (YAML, ""), (YAML, "{}\n")]
)
def test_an_empty_file_gets_readable_lines(edit, text):
    changed = edit.with_value(text, ("s", "bigmind"), BRIDGE)
    assert len(changed.splitlines()) >= 3
    assert edit.value(changed, ("s", "bigmind")) == BRIDGE
    assert edit.pruned(edit.without_value(changed, ("s", "bigmind")), ("s", "bigmind"), text) == text


def test_a_new_file_ends_with_a_line_break_and_uses_line_feeds():
    assert JSON.with_value("", ("a",), 1) == '{\n  "a": 1\n}\n'
    assert TOML.with_value("", ("a",), 1) == "a = 1\n"
    assert YAML.with_value("", ("a",), 1) == "a: 1\n"


@pytest.mark.parametrize("edit", [JSON, TOML, YAML])
def test_null_and_nothing_differ_and_equal_values_change_nothing(edit):
    text = edit.with_value("", ("a", "b"), {"x": [1, True, "é"], "y": {}})
    assert edit.value(text, ("a", "c")) is MISSING
    assert edit.value(text, ("a", "b", "x")) == [1, True, "é"]
    assert edit.with_value(text, ("a", "b"), {"y": {}, "x": [1, True, "é"]}) == text
    assert edit.with_value(text, ("a", "b", "x"), [1, 1, "é"]) != text
    assert edit.without_value(text, ("a", "c")) == text
    assert edit.without_items(text, ("a", "c"), "bigmind") == text


def test_null_on_the_way_counts_as_nothing_and_comes_back():
    text = '{"mcpServers": null}'
    changed = JSON.with_value(text, ("mcpServers", "bigmind"), 1)
    assert changed == '{"mcpServers": {"bigmind": 1}}'
    assert JSON.pruned(JSON.without_value(changed, ("mcpServers", "bigmind")), ("mcpServers", "bigmind"), text) == text


def test_of_two_equal_keys_the_last_one_counts_and_both_are_taken_out():
    text = '{"a": {"b": 1}, "a": {"b": 2, "b": 3}}'
    assert JSON.value(text, ("a", "b")) == 3
    assert JSON.with_value(text, ("a", "b"), 4) == '{"a": {"b": 1}, "a": {"b": 2, "b": 4}}'
    assert JSON.without_value(text, ("a", "b")) == '{"a": {"b": 1}, "a": {}}'


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (JSON, '{"hooks": {"Stop": [{"c": "mine"}, {"c": "bigmind old"}, 1, {"d": ["bigmind older"]}]}}'),
        (YAML, "hooks:\n  Stop:\n  - c: mine\n  - c: bigmind old\n  - 1\n  - d: [bigmind older]\n"),
        (TOML, '[hooks]\nStop = [{ c = "mine" }, { c = "bigmind old" }, 1, { d = ["bigmind older"] }]\n'),
    ],
)
def test_an_item_takes_the_place_of_the_first_with_its_mark_and_further_ones_go(edit, text):
    changed = edit.with_item(text, ("hooks", "Stop"), {"c": "bigmind new"}, "bigmind")
    assert edit.value(changed, ("hooks", "Stop")) == [{"c": "mine"}, {"c": "bigmind new"}, 1]
    assert edit.value(edit.without_items(changed, ("hooks", "Stop"), "bigmind"), ("hooks", "Stop")) == [
        {"c": "mine"},
        1,
    ]


def test_a_container_that_was_there_before_stays_and_one_that_holds_more_stays():
    before = '{"a": {}}'
    assert JSON.pruned('{"a": {"b": {}}}', ("a", "b", "c"), before) == before
    more = '{"a": {"b": {}, "other": 1}}'
    assert JSON.pruned(more, ("a", "b", "c"), before) == '{"a": {"other": 1}}'


@pytest.mark.parametrize(
    ("edit", "text", "line", "column", "reason"),
    [
        (JSON, '{\n  "a": 1\n  "b": 2\n}', 3, 3, "a comma"),
        (JSON, '{\r\n  "a": tru\r\n}', 2, 8, "value"),
        (JSON, '{"a": NaN}', 1, 7, "NaN"),
        (JSON, '{"a": [1, Infinity]}', 1, 11, "Infinity"),
        (JSON, "[1]", 1, 1, "an object is expected"),
        (JSON, "\ufeff[1]", 1, 1, "an object is expected"),
        (JSON, '// c\n{"a": 1} x', 2, 10, "after the end"),
        (JSON, '{"a": 1 /* never closed', 1, 9, "comment is not closed"),
        (JSON, "{a: 1}", 1, 2, "double quotes"),
        (JSON, '{"a": "b\n"}', 1, 9, "control character"),
        (JSON, '{"a"\n1}', 2, 1, "colon"),
        (JSON, '{"a": {"b": 1}', 1, 1, "not closed"),
        (JSON, '{"mcpServers": [1]}', 1, 16, "a list stands at 'mcpServers'"),
        (TOML, "a = 1\nb = \n", 2, 5, "value"),
        (TOML, 'a = "x', 1, 7, "unterminated"),
        (TOML, "mcpServers = 1\n", 1, 14, "a single value stands"),
        (TOML, "[[mcpServers]]\na = 1\n", 1, 1, "a list stands"),
        (YAML, "a: 1\nb: [\n", 3, 1, "expected"),
        (YAML, "a: 1\n\tb: 2\n", 2, 1, "cannot start any token"),
        (YAML, "- a\n- b\n", 1, 1, "a mapping is expected"),
        (YAML, "a: 1\n---\nb: 2\n", 2, 1, "document"),
        (YAML, "mcpServers: [x]\n", 1, 13, "a list stands"),
    ],
)
def test_what_does_not_parse_is_refused_by_line_and_column(edit, text, line, column, reason):
    with pytest.raises(NotParsedError) as error:
        edit.with_value(text, ("mcpServers", "bigmind"), BRIDGE)
    assert (error.value.line, error.value.column) == (line, column)
    assert reason in error.value.reason


@pytest.mark.parametrize("text", ['{"a": ' + "[" * 100_000, '{"a": ' + '{"b": /* c */' * 5_000, "a = " + "[" * 9_000])
def test_endless_nesting_is_an_error_of_the_file(text):
    with pytest.raises(NotParsedError):
        editor(Format.TOML if text.startswith("a") else Format.JSON).with_value(text, ("b",), 1)


def test_endless_nesting_of_yaml_is_an_error_of_the_file():
    with pytest.raises(NotParsedError, match="deep"):
        YAML.with_value("a: " + "[" * 600 + "]" * 600, ("b",), 1)


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        ('{"a": 1}'.encode("utf-16"), 1, "UTF-16"),
        ('{"a": 1}'.encode("utf-16-le"), 1, "NUL"),
        (b'{\n"a": "\xff"}', 2, "not UTF-8"),
    ],
)
def test_other_encodings_are_refused(data, line, reason):
    with pytest.raises(NotParsedError, match=reason) as error:
        decoded(data)
    assert error.value.line == line


def test_bytes_come_back_as_they_were():
    data = b"\xef\xbb\xbf{}\r\n\n\r"
    assert encoded(decoded(data)) == data
    assert position(decoded(data), 2) == (1, 2)


def test_five_megabytes_are_changed_in_place():
    project = {"history": [{"display": "x" * 200, "pasted": {}}] * 20, "mcpServers": {}}
    text = json.dumps({"projects": {f"/home/me/{number}": project for number in range(900)}}, indent=2)
    changed = JSON.with_value(text, ("mcpServers", "bigmind"), BRIDGE)
    assert changed.startswith(text[:-2])
    assert read_json(changed) == {**json.loads(text), "mcpServers": {"bigmind": BRIDGE}}


def test_a_block_is_put_at_the_end_and_an_older_one_is_replaced_where_it_stands():
    text = "# Mine\n\nBe kind.\n"
    once = with_block(text, "Remember.\n")
    assert once == f"# Mine\n\nBe kind.\n\n{BEGIN}\nRemember.\n{END}\n"
    older = once.replace("v1", "v7") + "After.\n"
    assert with_block(older, "New.\nWords.") == f"# Mine\n\nBe kind.\n\n{BEGIN}\nNew.\nWords.\n{END}\nAfter.\n"
    assert block_of(older) == "Remember."
    assert block_of(text) is None


@pytest.mark.parametrize("text", ["", "\n", "a", "a\n", "a\n\n\n", "a  \r\nb\r\n", "\ufeff", "\ufeffa\n", "  "])
def test_a_text_is_as_it_was_when_the_block_is_gone(text):
    assert without_block(with_block(text, "Words.")) == text


def test_what_a_person_wrote_around_the_block_stays():
    text = f"One.\n{BEGIN}\nWords.\n{END}\nTwo.\n\nThree."
    assert without_block(text) == "One.\nTwo.\n\nThree."
    assert without_block(f"{BEGIN}\nWords.\n{END}\n\nTwo.\n") == "\nTwo.\n"
    assert without_block(f"Write `{BEGIN}` to begin.\n") == f"Write `{BEGIN}` to begin.\n"


BLOCK = f"{BEGIN}\nWords.\n{END}"


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{BLOCK}\n```\n",
        f"~~~ md\r\n{BEGIN}\r\nWords.\r\n{END}\r\n~~~~\r\n",
        f"````\n```\n{BLOCK}\n```\n````\n\nMore.",
        f"```\n{BEGIN}\n```\n",
    ],
)
def test_markers_in_a_code_fence_are_an_example_and_no_block(text):
    assert block_of(text) is None
    assert without_block(text) == text
    once = with_block(text, "Ours.")
    assert once.startswith(text.rstrip("\r\n"))
    assert block_of(once) == "Ours."
    assert with_block(once, "Ours.") == once
    assert without_block(once) == text


@pytest.mark.parametrize("before", ["```\nls\n```\n", "```\nls\n", "```ls``` lists\n", "    ```\n", "~~~\n```\n~~~\n"])
def test_a_block_beside_a_code_fence_is_one(before):
    text = f"{before}\n{BLOCK}\n"
    assert block_of(text) == "Words."
    assert without_block(text) == before


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (f"a\n{BEGIN}\nb\n", 2, "has no end"),
        (f"a\n\n{END}\n", 3, "has not begun"),
        (f"{BEGIN}\n{BEGIN}\n{END}\n", 2, "within another"),
        (f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n", 3, "a second"),
        (f"{BEGIN}\n{END}\n{END}\n", 3, "has not begun"),
    ],
)
def test_markers_that_are_no_pair_are_refused_by_line(text, line, reason):
    for change in (block_of, without_block, lambda words: with_block(words, "x")):
        with pytest.raises(NotParsedError, match=reason) as error:
            change(text)
        assert error.value.line == line
