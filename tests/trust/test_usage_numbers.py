"""Every number of the page Usage against a count over the raw rows, which is written without any of its functions."""

import csv
import io
import json
import sqlite3
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bigmind.paths import store_file
from bigmind.trust.service import as_csv, as_json, period_of, report
from bigmind.trust.usage_report import COLUMNS, AgentUse, UsageReport
from tests.trust.month import Month

LONG = 60
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def counted(month: Month) -> UsageReport:
    caller = month.workshop.office.person.memory.caller
    with month.workshop.office.memory.mind.store.read(caller, "test") as work:
        return report(work, period_of(work.now, LONG))


@pytest.fixture(scope="module")
def raw(month: Month) -> dict[str, Rows]:
    connection = sqlite3.connect(f"{store_file(month.home).as_uri()}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    names = (
        *("session", "change", "conversation", "brain_query", "chunk", "session_summary", "work_ledger", "work_item"),
        *("work_confirmation", "protocol_run", "protocol_violation", "usage_day"),
    )
    try:
        return {name: [dict(each) for each in connection.execute(f'SELECT * FROM "{name}"')] for name in names}
    finally:
        connection.close()


def sums(counted: UsageReport, name: str) -> dict[tuple[str, str], int]:
    """A number by agent and project, without the zeros."""
    return {(each.agent, each.project): value for each in counted.agents if (value := getattr(each, name))}


def is_agent(client: str) -> bool:
    return client.split("/", maxsplit=1)[0] in {"claude-code", "codex", "cursor", "tester", "planner"}


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def openers(raw: dict[str, Rows]) -> dict[str, str]:
    return {
        each["entity"]: each["operation"]
        for each in raw["change"]
        if (each["kind"], each["action"]) == ("session", "created")
    }


@pytest.mark.parametrize("name", ["by_model", "by_hook", "by_write"])
def test_sessions_by_who_started_them(counted: UsageReport, raw: dict[str, Rows], name: str):
    wanted: Counter[tuple[str, str]] = Counter()
    for each in raw["session"]:
        opener = openers(raw).get(each["uid"], "")
        is_model = opener in {"memory_start_session", "session_start"}
        kind = "by_model" if is_model else "by_hook" if opener.startswith("hook_") else "by_write"
        if kind == name and is_agent(each["client"]):
            wanted[each["client"], each["project"] or ""] += 1
    assert sums(counted, name) == dict(wanted)
    assert name == "by_hook" or wanted


def test_sessions_without_a_hook_or_a_question(counted: UsageReport, raw: dict[str, Rows]):
    told = {each["session_id"] for each in raw["conversation"]}
    hookless: Counter[tuple[str, str]] = Counter()
    unasked: Counter[tuple[str, str]] = Counter()
    for each in raw["session"]:
        if not is_agent(each["client"]):
            continue
        key = each["client"], each["project"] or ""
        hookless[key] += each["id"] not in told
        begun = moment(each["started_at"])
        ended = moment(each["ended_at"]) if each["ended_at"] else begun + timedelta(hours=24)
        asked = [
            q for q in raw["brain_query"]
            if q["client"] == each["client"] and q["operation"] != "contribute_to_brain"
            and begun <= moment(q["created_at"]) <= ended
        ]  # fmt: skip
        unasked[key] += not asked
    assert sums(counted, "hookless") == {key: value for key, value in hookless.items() if value}
    assert sums(counted, "unasked") == {key: value for key, value in unasked.items() if value}
    assert sum(unasked.values())


@pytest.mark.parametrize(("name", "is_contribution"), [("questions", False), ("contributions", True)])
def test_what_was_put_to_the_brain(counted: UsageReport, raw: dict[str, Rows], name: str, is_contribution: bool):
    wanted: Counter[tuple[str, str]] = Counter()
    for each in raw["brain_query"]:
        if (each["operation"] == "contribute_to_brain") == is_contribution and is_agent(each["client"]):
            wanted[each["client"], each["project"] or ""] += 1
    assert sums(counted, name) == dict(wanted)
    assert wanted


def ledger_of(raw: dict[str, Rows]) -> list[tuple[dict[str, Any], dict[str, Any], str]]:
    """The rows of moves by agents, with what they say and the project of what they are about."""
    projects = {each["uid"]: each["project"] or "" for each in (*raw["work_item"], *raw["protocol_run"])}
    told = []
    for row in sorted(raw["work_ledger"], key=lambda each: each["number"]):
        body = json.loads(row["body"])
        kinds = {"moved", "run_moved", "refused", "run_refused", "run_forced"}
        if row["kind"] in kinds and body.get("actor") != "system" and is_agent(body["client"]):
            told.append((row, body, projects[row["item_uid"]]))
    return told


def test_gates_at_once_after_refusal_and_by_force(counted: UsageReport, raw: dict[str, Rows]):
    wanted: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    waiting: dict[str, set[str]] = defaultdict(set)
    for row, body, project in ledger_of(raw):
        key = body["client"], project
        if row["kind"].endswith("refused"):
            wanted["refused"][key] += 1
            waiting[row["item_uid"]].add(body["to"])
            continue
        if row["kind"] == "run_forced" or body.get("violations"):
            wanted["forced"][key] += 1
        elif body.get("gates"):
            wanted["after_refusal" if body["to"] in waiting[row["item_uid"]] else "at_once"][key] += 1
        waiting[row["item_uid"]].clear()
    for name in ("refused", "forced", "at_once", "after_refusal"):
        assert sums(counted, name) == dict(wanted[name]), name
        assert wanted[name], name


def test_claims_and_those_that_were_asked_for_before(counted: UsageReport, raw: dict[str, Rows]):
    claims: Counter[tuple[str, str]] = Counter()
    asked: Counter[tuple[str, str]] = Counter()
    for row, body, project in ledger_of(raw):
        if row["kind"] == "moved" and body["to"] == "active":
            at, key = moment(row["at"]), (body["client"], project)
            claims[key] += 1
            asked[key] += any(
                q["client"] == body["client"] and q["operation"] != "contribute_to_brain"
                and at - timedelta(hours=1) <= moment(q["created_at"]) <= at
                for q in raw["brain_query"]
            )  # fmt: skip
    assert sums(counted, "claims") == dict(claims)
    assert sums(counted, "asked_claims") == dict(asked)
    assert claims


def test_runs_and_violations(counted: UsageReport, raw: dict[str, Rows]):
    runs = {each["id"]: each for each in raw["protocol_run"]}
    wanted: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for each in runs.values():
        key = each["client"], each["project"] or ""
        wanted["runs"][key] += 1
        wanted["complete_runs"][key] += each["outcome"] == "COMPLETE"
    for each in raw["protocol_violation"]:
        run = runs[each["run_id"]]
        key = run["client"], run["project"] or ""
        wanted["violations"][key] += 1
        wanted["made_good"][key] += each["recovered_at"] is not None
    for name, found in wanted.items():
        assert sums(counted, name) == {key: value for key, value in found.items() if value}, name
    assert sum(wanted["violations"].values()) > sum(wanted["made_good"].values()) > 0


def test_confirmations_by_their_place(counted: UsageReport, raw: dict[str, Rows]):
    wanted = Counter(each["place"] for each in raw["work_confirmation"])
    assert counted.yeses == dict(wanted)
    assert set(wanted) == {"window", "passphrase"}


def test_what_was_spared_is_as_the_estimate_says(counted: UsageReport, raw: dict[str, Rows]):
    chunks: Counter[int] = Counter()
    for each in raw["chunk"]:
        chunks[each["session_id"]] += len(each["content"])
    details = {
        each["session_id"]: len(each["summary"]) + sum(map(len, json.loads(each["key_facts"])))
        for each in raw["session_summary"]
    }
    wanted: Counter[tuple[str, str]] = Counter()
    for each in raw["session"]:
        if openers(raw).get(each["uid"]) not in {"memory_start_session", "session_start"} or not each["project"]:
            continue
        before = [
            other for other in raw["session"]
            if other["project"] == each["project"] and other["ended_at"] and other["started_at"] < each["started_at"]
        ]  # fmt: skip
        if before:
            last = max(before, key=lambda other: other["started_at"])["id"]
            spared = (chunks[last] + details.get(last, 0)) // 4 - 1_300
            wanted[each["client"], each["project"]] += max(0, spared)
    assert sums(counted, "spared") == {key: value for key, value in wanted.items() if value}


def test_commits_that_no_claim_and_no_run_covers(month: Month):
    """The clock of the store stands in March 2026, and git's in the present: what nothing covers is all of it."""
    places = sorted(month.workshop.base.iterdir())
    every = sum(len(month.workshop.office.rows("SELECT 1")) and _count(place) for place in places)
    with month.workshop.office.memory.mind.store.read(month.workshop.office.person.memory.caller, "test") as work:
        found = report(work, period_of(datetime.now(UTC), 1))
    assert found.commits == every
    assert len(found.uncovered) + _covered(month, places) == every


def _count(place: Any) -> int:
    from tests.protocol.places import Place  # noqa: PLC0415

    return len(Place(place).git("log", "--format=%H").splitlines())


def _covered(month: Month, places: list[Any]) -> int:
    """Runs that are open still cover what is committed until now; here all have ended, months ago."""
    del places
    assert month.workshop.office.rows("SELECT count(*) FROM protocol_run WHERE ended_at IS NULL") == [(0,)]
    held = "SELECT count(*) FROM work_item WHERE holder != '' AND project LIKE 'project-%'"
    assert month.workshop.office.rows(held) == [(0,)]
    return 0


def test_csv_and_json_say_the_same(counted: UsageReport):
    rows = list(csv.reader(io.StringIO(as_csv(counted))))
    assert rows[0] == list(COLUMNS)
    assert rows[1:] == [[str(each.as_row()[name]) for name in COLUMNS] for each in counted.agents]
    assert json.loads(as_json(counted))["agents"] == [each.as_row() for each in counted.agents]


def test_a_name_that_begins_as_a_formula_is_none_in_a_spreadsheet(counted: UsageReport):
    hostile = AgentUse("=HYPERLINK(1)", "=HYPERLINK(1)", "+1")
    text = as_csv(UsageReport(counted.period, [hostile], []))
    assert "\r\n'=HYPERLINK(1),'=HYPERLINK(1),'+1," in text


def test_a_person_is_no_agent(month: Month, counted: UsageReport):
    assert not {each.client for each in counted.agents} & {"cli", "window", "ui", "terminal"}
    assert month.workshop.office.rows("SELECT count(*) FROM work_ledger WHERE kind = 'confirmed'") != [(0,)]


def test_a_range_leaves_out_what_lies_outside(month: Month):
    caller = month.workshop.office.person.memory.caller
    with month.workshop.office.memory.mind.store.read(caller, "test") as work:
        whole, week = (report(work, period_of(work.now, days)) for days in (LONG, 7))
        later = report(work, period_of(work.now + timedelta(days=400), 7))
    assert 0 < sum(each.questions for each in week.agents) < sum(each.questions for each in whole.agents)
    assert later.agents == []


def test_the_days_add_up_to_the_range(counted: UsageReport):
    for name in ("questions", "contributions"):
        assert sum(getattr(each, name) for each in counted.days) == sum(getattr(each, name) for each in counted.agents)
    assert sum(each.sessions for each in counted.days) == sum(each.sessions for each in counted.agents)
