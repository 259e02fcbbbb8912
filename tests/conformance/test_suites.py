"""The official conformance suites against a real server. What they may find stands in exceptions.yml, with reasons."""

from collections import Counter

import pytest
import yaml

from tests.conformance.judges import HERE, RUNS, Run, Verdict, judge, scenarios
from tests.support import Server

pytestmark = [pytest.mark.node, pytest.mark.xdist_group("conformance")]

REBINDING = ("dns-rebinding-protection", "localhost-host-rebinding-rejected")
EXCEPTIONS = yaml.safe_load((HERE / "exceptions.yml").read_text())
EXCEPTED = Counter(check for group in EXCEPTIONS for check in group["checks"])


@pytest.fixture(scope="module", params=RUNS, ids=lambda run: run.name)
def run(request: pytest.FixtureRequest) -> Run:
    return request.param


@pytest.fixture(scope="module")
def verdict(run: Run, shared_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Verdict:
    return judge(run, shared_server, tmp_path_factory.mktemp("suite"), shared_server.token())


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """What the suite of each run offers, by the run's name; asked once, whatever looks into it."""
    folder = tmp_path_factory.mktemp("lists")
    return {each.name: scenarios(each, folder) for each in RUNS}


@pytest.fixture
def offered(run: Run, lists: dict[str, set[str]]) -> set[str]:
    return lists[run.name]


def scenario_of(check: str) -> str:
    return check.partition(":")[0]


def test_the_suite_ran_every_scenario_it_has(verdict: Verdict, offered: set[str]) -> None:
    assert offered, "the suite lists no scenarios"
    assert verdict.scenarios == offered, verdict.printed


def test_nothing_fails_that_is_not_excepted(verdict: Verdict) -> None:
    found = {check: words for check, words in verdict.faults().items() if check not in EXCEPTED}

    assert not found, found


def test_every_exception_is_still_one(verdict: Verdict) -> None:
    stale = {check for check in EXCEPTED if scenario_of(check) in verdict.scenarios} - verdict.faults().keys()

    assert not stale, f"these pass, or are gone: take them off exceptions.yml: {sorted(stale)}"


def test_a_foreign_host_is_refused_for_being_foreign(run: Run, verdict: Verdict) -> None:
    """Not for want of a token: the suite asks with ours."""
    if REBINDING[0] not in verdict.scenarios:
        assert run.name == "2025-06-18", "only that revision says nothing of it"
        return

    [check] = verdict.checks[REBINDING]
    assert (check["details"]["hostHeader"], check["details"]["statusCode"]) == ("evil.example.com", 421)


def test_exceptions_name_scenarios_that_exist_once_and_give_a_reason(lists: dict[str, set[str]]) -> None:
    known = set().union(*lists.values())

    assert {scenario_of(check) for check in EXCEPTED} <= known
    assert set(EXCEPTED.values()) == {1}
    assert all(len(group["reason"].split()) > 5 for group in EXCEPTIONS)


def test_the_judge_can_say_no(shared_server: Server, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A server that lets nobody in passes nothing."""
    folder = tmp_path_factory.mktemp("refused")
    verdict = judge(RUNS[0], shared_server, folder, "not-a-token")

    failed = {scenario_of(check) for check in verdict.faults()}
    assert failed == verdict.scenarios
