"""A recorded month of three clients: each number of the page and the exports, against a count over the raw rows."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from bigmind.trust.answers import COLUMNS, UsageAnswer
from bigmind.trust.count_sheet import CountedUsage, UsageQuery, client_of
from bigmind.trust.measures import MEASURES
from bigmind.trust.usage_report import UsageReport, usage_report
from tests.trust.month import CLIENTS, FIRST, LAST, PROJECTS, Month
from tests.trust.raw_count import RawCount

pytestmark = pytest.mark.xdist_group("month")

Raw = Counter[tuple[str, str, str, str]]


@pytest.fixture(scope="module")
def raw(month: Month) -> Raw:
    memory = month.memory
    now = memory.clock.now.strftime("%Y-%m-%d %H:%M:%S.%f")
    counted = RawCount(month.home / "bigmind.db", memory.caller.user_id, FIRST.isoformat(), LAST.isoformat(), now)
    return +counted.count()


def report(month: Month, **asked: Any) -> UsageReport:
    memory = month.memory
    with memory.mind.store.read(memory.caller, "test") as work:
        given: dict[str, Any] = {"since": FIRST, "until": LAST, **asked}
        return usage_report(work, UsageQuery(**given))


def as_raw(counted: CountedUsage) -> Raw:
    return Counter({(key.day.isoformat(), *key[1:]): number for key, number in counted.counts.items()})


def test_each_count_is_that_of_the_raw_rows(month: Month, raw: Raw) -> None:
    found = as_raw(report(month).counted)
    assert {key: (found[key], raw[key]) for key in found | raw if found[key] != raw[key]} == {}


def test_the_month_has_something_of_every_measure(raw: Raw) -> None:
    assert sorted({measure for *_, measure in raw}) == sorted(MEASURES)
    assert {client_of(agent) for _, agent, *_ in raw} == {"claude-code", "codex", "cursor", "terminal", ""}


def test_what_is_added_up_is_the_sum_of_the_raw_rows(month: Month, raw: Raw) -> None:
    counted = report(month).counted
    for place, groups in ((1, counted.by_agent), (2, counted.by_project)):
        for name, totals in groups.items():
            wanted = Counter[str]()
            for key, number in raw.items():
                if key[1] and key[place] == name:
                    wanted[key[3]] += number
            assert dict(totals) == dict(wanted), name
    for measure in MEASURES:
        assert counted.totals[measure] == sum(number for *_, name, number in flat(raw) if name == measure)


def flat(raw: Raw) -> Iterator[tuple[str, str, str, str, int]]:
    for key, number in raw.items():
        yield *key, number


@pytest.mark.parametrize("client", ["claude-code", "codex", "cursor"])
def test_one_client_alone_is_counted_as_among_the_others(month: Month, raw: Raw, client: str) -> None:
    wanted = Counter({key: number for key, number in raw.items() if key[1] and client_of(key[1]) == client})
    assert as_raw(report(month, client=client).counted) == wanted


@pytest.mark.parametrize(("asked", "name"), [(PROJECTS[0], PROJECTS[0]), (PROJECTS[1], PROJECTS[1]), ("-", "")])
def test_one_project_alone_is_counted_as_among_the_others(month: Month, raw: Raw, asked: str, name: str) -> None:
    wanted = Counter({key: number for key, number in raw.items() if key[2] == name})
    assert as_raw(report(month, project=asked).counted) == wanted


def test_fewer_days_hold_their_own_counts(month: Month, raw: Raw) -> None:
    """Also gates that an earlier day's refusal is about, and a kill of which the start lies before them."""
    since, until = FIRST + timedelta(days=10), FIRST + timedelta(days=19)
    wanted = Counter({key: number for key, number in raw.items() if since.isoformat() <= key[0] <= until.isoformat()})
    assert as_raw(report(month, since=since, until=until).counted) == wanted


def test_weeks_are_the_sums_of_their_days(month: Month, raw: Raw) -> None:
    steps = report(month).counted.by_step(7)
    for client, weeks in steps.items():
        for first, totals in weeks.items():
            days = {(first + timedelta(days=place)).isoformat() for place in range(7)}
            wanted = Counter[str]()
            for day, agent, _, measure, number in flat(raw):
                if day in days and agent and client_of(agent) == client:
                    wanted[measure] += number
            assert dict(totals) == dict(wanted)


def answer(month: Month, **asked: Any) -> UsageAnswer:
    caller = month.memory.as_person()
    return caller("usage_show", since=FIRST.isoformat(), until=LAST.isoformat(), by_day=True, **asked)


def test_the_exports_hold_each_raw_count(month: Month, raw: Raw) -> None:
    told = answer(month)
    rows = csv.DictReader(io.StringIO(told.as_csv()))
    assert tuple(rows.fieldnames or ()) == COLUMNS
    found = Counter(
        {tuple(row[name] for name in ("day", "agent", "project", "measure")): int(row["count"]) for row in rows}
    )
    assert found == raw
    data = json.loads(told.model_dump_json())
    rows = data["rows"]
    assert (
        Counter({(each["day"], each["agent"], each["project"], each["measure"]): each["count"] for each in rows}) == raw
    )
    assert data["totals"] == {name: report(month).counted.totals[name] for name in MEASURES if name in data["totals"]}


def test_the_terminal_is_told_each_client_s_numbers(month: Month) -> None:
    words = answer(month).in_words()
    counted = report(month).counted
    assert f"{counted.totals['questions']:,}" in words
    for client in ("claude-code", "codex", "cursor"):
        assert f"| {client} | " in words


def test_people_s_own_tools_are_no_agents(month: Month) -> None:
    agents = report(month).counted.by_agent
    assert set(agents) == {*CLIENTS, "cursor", "terminal"}, "what was served is kept by the token's name"
    assert agents["terminal"]["sessions_by_model"] == 0
    assert agents["terminal"]["questions"] == 1


def test_what_another_user_did_is_never_among_them(month: Month) -> None:
    memory = month.memory.of("eve")
    with memory.mind.store.read(memory.caller, "test") as work:
        theirs = usage_report(work, UsageQuery(FIRST, LAST))
    assert {name: theirs.counted.totals[name] for name in ("questions", "sessions_by_model", "tokens_served")} == {
        "questions": 1,
        "sessions_by_model": 0,  # over no token of this store
        "tokens_served": 0,
    }
    assert set(theirs.counted.by_client) == {"claude-code"}
    assert [each.name for each in theirs.tale.pieces] == ["feed-the-walruses"]
    assert "feed-the-walruses" not in {each.name for each in report(month).tale.pieces}


def test_what_was_forgotten_is_counted_and_not_named(month: Month) -> None:
    tale = report(month).tale
    gone = [each for each in tale.pieces if not each.name]
    assert gone
    assert {each.address for each in gone} == {""}
    names = json.dumps([each.name for each in (*tale.pieces, *tale.approvals)])
    assert "take-22" not in names
    assert "take-27" not in names
    assert "take-2" in names


def test_each_yes_has_its_place(month: Month, raw: Raw) -> None:
    places = Counter(each.place for each in report(month).tale.approvals)
    told = {"window": "yes_in_window", "passphrase": "yes_by_passphrase"}
    assert places == {
        place: sum(number for *_, name, number in flat(raw) if name == measure) for place, measure in told.items()
    }
