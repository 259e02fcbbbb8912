"""Fixtures for every test."""

import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from bigmind.core.operation import Caller
from bigmind.paths import token_file
from bigmind.wiring import Mind, open_mind
from tests import gate, memory_disk
from tests.homes import begin, folders
from tests.nursery import COVERED, opened
from tests.retries import (  # noqa: F401 - hooks of this file, too
    pytest_runtest_logreport,
    pytest_runtest_teardown,
    pytest_terminal_summary,
)
from tests.sharing import (
    leave_system_log,
    share_certificates,
    share_findings,
    share_routes,
    share_schema,
    share_signatures,
    share_statements,
)
from tests.skips import pytest_runtest_makereport  # noqa: F401 - a hook of this file, too
from tests.support import MOVED, Server, environment, nurseries, own_environment, running_server, start_server
from tests.system_programs import only_listed_programs
from tests.thorough import often

if TYPE_CHECKING:
    from playwright.sync_api import Playwright

    from tests.trust.month import Month

# How long an example takes is the machine's business: no test is timed.
settings.register_profile("untimed", deadline=None, max_examples=often(100, 20))
settings.load_profile("untimed")

collect_ignore = [] if sys.platform == "linux" else ["desktop"]
"""Its tests show themselves on displays of X11, and talk to panels over D-Bus; tests/app has what needs neither."""


sys.dont_write_bytecode = False  # else each run rewrites the asserts of all tests anew: more than half of collecting
os.environ.pop("PYTHONUNBUFFERED", None)  # else nothing stays in a buffer of BigMind's, as it does with people

# A shell gives what it starts in the background a Ctrl-C that nobody heeds, down to the last child.
signal.signal(signal.SIGINT, signal.default_int_handler)

memory_disk.keep_files_in_memory()
share_statements()
share_schema()
share_signatures()
share_routes()
share_certificates()
share_findings()
leave_system_log()

EXPECTED_MILLISECONDS = 30_000
"""Until something stands on a page, as long as for all else that Playwright waits for: no test is timed by a clock."""


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(gate)
    config.pluginmanager.register(memory_disk)
    config.option.loadscopereorder = False  # xdist would put what has most tests first, and so browsers


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What drives a browser comes last: Playwright keeps an event loop running, beside which a worker can have none.

    So does what stays together with that. Otherwise, what stays together and has most tests comes first: the last of a
    run should be short. xdist knows by the end of a test's id what stays together, but writes it where pytest 9.2 does
    not look for it: then each worker would make what a module makes once.
    """
    groups = {item: {str(mark.args[0]) for mark in item.iter_markers("xdist_group")} for item in items}
    sizes = Counter(each for group in groups.values() for each in group)
    drivers = {item for item in items if "playwright" in getattr(item, "fixturenames", ())}
    driving = {each for item in drivers for each in groups[item]}

    def place(item: pytest.Item) -> tuple[bool, int, str, bool]:
        group, is_driver = groups[item], item in drivers
        size = max((sizes[each] for each in group), default=0)
        return is_driver or not driving.isdisjoint(group), -size, "_".join(sorted(group)), is_driver

    items.sort(key=place)
    if config.getoption("loadgroup", False):
        for item, group in groups.items():
            suffix = "@" + "_".join(sorted(group))
            if group and not item.nodeid.endswith(suffix):
                item._id = type(item._id).parse(item.nodeid + suffix)


def pytest_collection_finish() -> None:
    """What was imported and collected stays: a sixth of a second for each full collection of garbage that reads it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 30)  # a tenth of the time of tests went into looking at what is still there


@pytest.fixture(scope="session", autouse=True)
def listed_programs_alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test uses a program of this machine that a new one lacks."""
    with only_listed_programs(tmp_path_factory.mktemp("programs")):
        yield


@pytest.fixture(scope="session", autouse=True)
def home_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test sees the home of whoever runs it: what is connected and learned from there would be theirs."""
    with pytest.MonkeyPatch.context() as patched:
        for name in MOVED:
            patched.delenv(name, raising=False)
        for name, value in own_environment(tmp_path_factory.mktemp("nobody")).items():
            patched.setenv(name, value)
        yield


@pytest.fixture(scope="session", autouse=True)
def nursery(home_of_nobody: None, listed_programs_alone: None) -> Iterator[None]:
    """Servers are forked from one process of each worker, which imports BigMind once."""
    del home_of_nobody, listed_programs_alone
    with opened(environment(Path("nowhere"))) as nursery:
        if nursery is not None:
            nurseries.append(nursery)
        yield
        nurseries.clear()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture(scope="session", autouse=True)
def new_homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Where homes that are copied are kept."""
    folders.append(tmp_path_factory.mktemp("homes"))
    yield
    folders.clear()


@pytest.fixture
def mind(home: Path) -> Iterator[Mind]:
    """A memory in this process, with a real store."""
    begin(home, "mind", lambda made: open_mind(made, "ada").close())
    mind = open_mind(home, "ada")
    yield mind
    mind.close()


@pytest.fixture
def caller(mind: Mind, home: Path) -> Caller:
    """Ada's command line, on a connection of its own."""
    principal = mind.authenticator.principal(token_file(home, "cli").read_text())
    assert principal is not None
    return replace(principal.caller, connection="connection-of-the-test")


@pytest.fixture
def server(home: Path) -> Iterator[Server]:
    """A real server process of its own home, which is thrown away after the test: nothing needs to end in order."""
    begin(home, "served", served)
    started = start_server(home)
    yield started
    if COVERED in os.environ:
        started.stop()  # who is killed tells of nothing that was reached
    elif started.process.poll() is None:
        started.kill()
    started.process.stderr.close()


def served(home: Path) -> None:
    """Make a home that a server began and left in order, with no log of that."""
    with running_server(home):
        pass
    rmtree(home / "logs")


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One real server for tests that do not mind what others stored."""
    with running_server(tmp_path_factory.mktemp("shared") / "home") as started:
        yield started


@pytest.fixture(scope="session")
def month(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Month]":
    """A recorded month, for who counts it and for the page that shows the counts."""
    from tests.trust.month import recorded_month  # noqa: PLC0415 - a few tests use it

    base = tmp_path_factory.mktemp("month")
    with recorded_month(base / "home", base / "projects") as recorded:
        yield recorded


@pytest.fixture(scope="session")
def playwright() -> "Iterator[Playwright]":
    """The one driver of a test process: a second would not start beside it."""
    from playwright.sync_api import expect, sync_playwright  # noqa: PLC0415 - most tests need no browser

    expect.set_options(timeout=EXPECTED_MILLISECONDS)
    with sync_playwright() as started:
        yield started
