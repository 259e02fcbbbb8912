"""Times are those of the machine on Windows, whatever a shell of another system says of its zone."""

import os
import sys

import pytest

from bigmind.local.time_zone import heed_machines_zone


@pytest.mark.parametrize("zone", ["Europe/Berlin", "CET-1CEST", "CET-1CEST,M3.5.0,M10.5.0/3", ":UTC", ""])
def test_a_zone_that_windows_misreads_is_left_out_there(zone: str) -> None:
    environment, asked = {"TZ": zone, "PATH": "x"}, []
    heed_machines_zone(environment, "win32", lambda: asked.append("anew"))
    assert environment == {"PATH": "x"}
    assert asked == ["anew"]


@pytest.mark.parametrize("zone", ["UTC", "UTC0", "EST5", "IST-5:30", None])
def test_one_that_it_reads_stays(zone: str | None) -> None:
    environment = {} if zone is None else {"TZ": zone}
    heed_machines_zone(environment, "win32", pytest.fail)
    assert environment == ({} if zone is None else {"TZ": zone})


def test_elsewhere_every_zone_stays() -> None:
    environment = {"TZ": "Europe/Berlin"}
    heed_machines_zone(environment, "linux", pytest.fail)
    assert environment == {"TZ": "Europe/Berlin"}


def test_the_c_library_of_this_windows_can_be_told_to_look_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    heed_machines_zone()
    assert os.environ.get("TZ") == (None if sys.platform == "win32" else "Europe/Berlin")
