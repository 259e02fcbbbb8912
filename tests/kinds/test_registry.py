"""Every kind is held against every place that must know it; what one leaves out is said with its reason."""

import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from app.process_commands import Kind as Typed
from bigmind.core.events import Kind as Changed
from bigmind.core.kind import Kind
from bigmind.core.operation import Operation
from bigmind.maintenance.forgetting import Forgettable
from bigmind.mcp.subscriptions import _KINDS as HEARD
from bigmind.mcp.subscriptions import CONTEXT
from bigmind.memory.recall.operations import Searchable
from bigmind.portable.format.kind_records import owned_kinds, sections_of
from bigmind.registry import KINDS, OPERATIONS
from bigmind.text.words import folded
from ui.pages import PAGES, search
from ui.pages.things import with_things

DOCS = Path(__file__).parents[2] / "docs"

each_kind = pytest.mark.parametrize("kind", list(KINDS), ids=lambda kind: kind.name)


@each_kind
def test_its_columns_are_of_its_table(kind: Kind):
    columns = set(kind.table.__table__.columns.keys())
    named = {each.column for each in kind.texts} | {each.column for each in (*kind.found_when, *kind.waits_when)}
    named |= {kind.key, kind.owner, kind.time, kind.changed or kind.time, "caution", "accepted_at", *kind.recognized_by}
    assert kind.name == kind.table.__tablename__
    assert named <= columns
    assert ("terms" in columns) == kind.is_searched


REFERENCES = """
from bigmind.registry import KINDS
for kind in KINDS:
    for key in kind.table.__table__.foreign_keys:
        print(key.column)
"""


def test_a_process_that_knows_the_kinds_knows_every_table_they_refer_to():
    """Else the first row of a kind is refused where nothing else has loaded that table, as in an import of runs."""
    told = subprocess.run([sys.executable, "-c", REFERENCES], capture_output=True, text=True, check=False)
    assert told.stderr == ""
    assert {"workspace.id", "user.id"} <= set(told.stdout.split())


OF_NODES = {"phase", "type", "source", "digest", "verifier", "status"}
"""Words of a node's parts that nobody chooses freely; its own `type` is declared."""
OF_RUNS = {"requirement", "severity", "name", "tree", "fault"}
"""Of a run's parts: words of ours, and names of checks, which a person approved."""


@each_kind
def test_every_text_of_its_tables_is_a_declared_one(kind: Kind):
    """Else the scan for secrets, or the caution, would pass it by."""
    declared = {each.column for each in kind.texts} | {"uid", "caution", "terms", "status", "role", "placement"}
    # Ids of our own, a date, and words that nobody chooses freely.
    ours = {"connection", "thought_uid", "temporal_scope"}
    ours |= {"space", "thought_type", "category", "source_type"} if kind.name == "thought" else {"operation", "outcome"}
    # Names of states, roles and agents; the fields stand as texts.
    ours |= {"process", "state", "claimed_from", "worked_by", "worked_as"} if kind.name == "work_item" else set()
    ours |= {"holder", "holder_client"} if kind.name == "work_item" else set()
    if kind.name == "profile":  # computed, and empty
        ours |= {"project", "client"}
    if kind.name == "protocol_run":  # names, ids and states of our own; an agent is as its client
        ours |= {"name", "day", "agent", "memory_session", "protocol", "starting_commit", "state", "commit_sha"}
    text_like = {c.name for c in kind.table.__table__.columns if c.type.python_type is str}
    assert text_like - declared - ours == set()
    for detail in kind.details:
        texts = {c.name for c in detail.table.__table__.columns if c.type.python_type is str}
        assert texts - {*detail.columns, "action", "other_uid", "place"} - OF_NODES - OF_RUNS == set()


@each_kind
def test_it_is_in_the_export_or_says_why_not(kind: Kind):
    assert (kind.exported_as in sections_of(KINDS)) == kind.is_exported == ("export" not in dict(kind.left_out))
    is_owned = not kind.is_single and not kind.is_everybodys and not kind.leaves_row
    assert (owned_kinds(KINDS).get(kind.exported_as) is kind) == (is_owned and kind.is_exported)


@each_kind
def test_it_has_a_page_or_says_why_not(kind: Kind):
    served = {each.path for each in with_things(PAGES, KINDS)}
    assert kind.page in served if kind.page else "page" in dict(kind.left_out)


def test_each_kind_of_today_has_pages_that_were_written_for_it():
    assert with_things(PAGES, KINDS) == PAGES


@each_kind
def test_it_is_searched_or_says_why_not(kind: Kind):
    assert kind.is_searched or "search" in dict(kind.left_out)


@each_kind
def test_people_read_of_it_in_the_docs(kind: Kind):
    told = folded(" ".join(each.read_text(encoding="utf-8") for each in DOCS.glob("*.md")))
    assert kind.words.many in told


def test_who_searches_may_name_every_kind_that_is_searched():
    searched = {each.name for each in KINDS.searched}
    assert set(get_args(Searchable)) == searched
    assert set(search.KINDS.values()) == searched
    assert {each.value for each in Typed} == {each.called for each in KINDS.searched}


def test_who_forgets_may_name_every_kind():
    assert set(get_args(Forgettable)) == {each.name for each in KINDS}


def test_every_kind_is_told_of_when_it_changes():
    names = {each.name for each in KINDS}
    assert names <= {each.value for each in Changed}
    assert names <= HEARD[CONTEXT]


def test_no_operation_stands_twice_in_the_registry():
    names = [_named(each) for each in OPERATIONS]
    assert len(names) == len(set(names))


def _named(operation: Operation) -> Any:
    return operation.name
