"""What goes in comes out again: generated files of every format are byte for byte the same afterwards."""

import random

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as some

from bigmind.clients.editing.editors import editor
from bigmind.clients.editing.file_text import NotParsedError, decoded, encoded
from bigmind.clients.editing.marked_block import block_of, with_block, without_block
from bigmind.clients.parts import Format
from tests.clients.editing_files import (
    JsonFile,
    MarkdownFile,
    TomlFile,
    YamlFile,
    read_json,
    read_toml,
    read_yaml,
)
from tests.thorough import often

SEED = some.integers(0, 2**48)
SERVER = {"type": "http", "url": "http://127.0.0.1:1/mcp", "headers": {"Authorization": "Bearer x"}, "args": ["a", "é"]}
HOOK = {"hooks": [{"type": "command", "command": "/opt/bigmind hook stop", "timeout": 10}]}
MARK = "bigmind hook"
FILES = {Format.JSON: JsonFile, Format.TOML: TomlFile, Format.YAML: YamlFile}
READERS = {Format.JSON: read_json, Format.TOML: read_toml, Format.YAML: read_yaml}
ENTRY = {
    Format.JSON: ("mcpServers", "bigmind"),
    Format.TOML: ("mcp_servers", "bigmind"),
    Format.YAML: ("extensions", "bigmind"),
}
ITEM = ("hooks", "Stop")


def examples(full, gate):
    quiet = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
    return settings(max_examples=often(full, gate), deadline=None, database=None, suppress_health_check=quiet)


def comes_and_goes(form, seed):
    text = FILES[form](seed).text()
    note(text)
    edit, read = editor(form), READERS[form]
    steps, before = ENTRY[form], read(text)
    with_entry = edit.with_value(text, steps, SERVER)
    note(with_entry)
    with_both = edit.with_item(with_entry, ITEM, HOOK, MARK)
    note(with_both)
    assert edit.with_item(edit.with_value(with_both, steps, SERVER), ITEM, HOOK, MARK) == with_both
    assert edit.value(with_both, steps) == SERVER
    assert read(with_both) == expected(before, steps)
    without_entry = edit.pruned(edit.without_value(with_both, steps), steps, text)
    without_both = edit.pruned(edit.without_items(without_entry, ITEM, MARK), ITEM, text)
    assert encoded(without_both) == encoded(text)
    assert edit.pruned(edit.without_value(with_entry, steps), steps, text) == text
    assert decoded(encoded(with_both)) == with_both


def expected(before, steps):
    """What the file says with our two parts in it, and nothing else changed."""
    server, hook = steps[0], ITEM[0]
    after = {**before, server: {**(before.get(server) or {}), steps[1]: SERVER}}
    hooks = before.get(hook) or {}
    return {**after, hook: {**hooks, ITEM[1]: [*(hooks.get(ITEM[1]) or []), HOOK]}}


@examples(1000, 250)
@given(SEED)
def test_json_is_byte_for_byte_the_same_after_install_and_remove(seed):
    comes_and_goes(Format.JSON, seed)


@examples(1000, 60)
@given(SEED)
def test_toml_is_byte_for_byte_the_same_after_install_and_remove(seed):
    comes_and_goes(Format.TOML, seed)


@examples(1000, 15)
@given(SEED)
def test_yaml_is_byte_for_byte_the_same_after_install_and_remove(seed):
    comes_and_goes(Format.YAML, seed)


@examples(1000, 1000)
@given(SEED)
def test_a_text_is_byte_for_byte_the_same_after_its_block_came_and_went(seed):
    text = MarkdownFile(seed).text()
    once = with_block(text, "Remember.\n\nAlways.")
    assert with_block(once, "Remember.\n\nAlways.") == once
    assert block_of(once) == "Remember.\n\nAlways."
    assert set(text.removeprefix("\ufeff").split()) <= set(once.removeprefix("\ufeff").split())
    assert without_block(with_block(once, "Other words.")) == text
    assert without_block(text) == text


def harmed(text, chance):
    """The text with a few letters gone, doubled or put in."""
    for _ in range(chance.randint(1, 3)):
        at, size = chance.randint(0, len(text)), chance.randint(0, 4)
        put = chance.choice(
            ("", "", text[at : at + 9], *'{}[]",:/*#=-&!|>%@`\t\n\r\x01\x85\ufeff', "- ", ": ", "*a", "[[")
        )
        text = text[:at] + put + text[at + size :]
    return text


def says_where(error, lines):
    assert 1 <= error.line <= lines
    assert error.column >= 1
    assert error.reason


def tried(form, text):
    """Everything that an editor does: it works, or the error says where."""
    edit = editor(form)
    steps = ENTRY[form]
    for change in (
        lambda: edit.value(text, steps),
        lambda: edit.with_value(text, steps, SERVER),
        lambda: edit.without_value(text, steps[:1]),
        lambda: edit.with_item(text, ITEM, HOOK, MARK),
        lambda: edit.without_items(text, ITEM, "a"),
        lambda: edit.pruned(text, steps, text),
        lambda: edit.pruned(text, ITEM, ""),
    ):
        try:
            change()
        except NotParsedError as error:
            says_where(error, len(text.splitlines()) + 1)


@pytest.mark.parametrize(("form", "share"), [(Format.JSON, 1.0), (Format.TOML, 1.0), (Format.YAML, 0.2)])
def test_a_harmed_file_is_changed_rightly_or_refused_by_line_and_column(form, share):
    @examples(int(2000 * share), int(200 * share))
    @given(SEED)
    def run(seed):
        text = harmed(FILES[form](seed).text(), random.Random(seed))
        note(repr(text))
        tried(form, text)

    run()


@examples(500, 30)
@given(some.text(), some.sampled_from(Format))
def test_any_text_at_all_is_changed_rightly_or_refused(text, form):
    tried(form, text)


@examples(1000, 200)
@given(some.binary())
def test_any_bytes_at_all_are_text_or_refused(data):
    try:
        assert encoded(decoded(data)) == data
    except NotParsedError as error:
        says_where(error, len(data) + 1)
