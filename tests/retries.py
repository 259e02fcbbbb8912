"""What a foreign tool did at its second try alone: counted by test, and told at the end of a run.

A plugin of pytest, which tests/conftest.py takes up. Nothing of BigMind's own is tried twice.
"""

from collections import Counter

import pytest

RETRIED = "retried"
_of_this_test: list[str] = []
_of_the_run: Counter[str] = Counter()


def note_retry(what: str) -> None:
    """The test that runs has to ask a foreign tool again, for what is said in a few words."""
    _of_this_test.append(what)


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Send what was noted along with the test's last report, from whichever process it ran in."""
    item.user_properties += [(RETRIED, each) for each in _of_this_test]
    _of_this_test.clear()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count it where the reports come together."""
    if report.when == "teardown":
        _of_the_run.update(f"{value}: {report.nodeid}" for name, value in report.user_properties if name == RETRIED)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say it, where there is something to say."""
    if _of_the_run:
        terminalreporter.section(f"foreign tools that were asked again: {_of_the_run.total()}")
        for said, times in sorted(_of_the_run.items()):
            terminalreporter.write_line(f"{times} × {said}")
