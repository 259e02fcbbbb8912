"""What a use case may ask of a process that has nothing."""

from dataclasses import replace

import pytest

from bigmind.core.activity import Activity
from bigmind.core.desktop import Shown
from bigmind.core.errors import BigMindError
from bigmind.core.operation import Caller, Role
from bigmind.host import Host

ADA = Caller(1, "ada", Role.ADMIN, "cursor", 1)


def test_a_process_without_anything_answers_everything() -> None:
    host = Host()

    assert host.open_profile(ADA) is Shown.NOTHING
    assert (host.profile_url, host.endpoint_url, host.sign_in_url(ADA)) == ("", "", "")
    assert (host.backups_in_words(), host.restorable_in_words()) == ("", "")
    assert (host.desktop.has_window(), host.desktop.starts_at_login()) == (False, None)
    assert host.meaning.embedder is None
    assert host.owner_id is None
    host.stop()


def test_its_settings_are_the_defaults_and_cannot_be_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIGMIND_PORT", "8123")
    settings = Host().settings

    assert {each.origin for each in settings.stated()} == {"default"}
    assert (settings.unknown, settings.fault) == ([], None)
    with pytest.raises(BigMindError):
        settings.change({"theme": "dark"})


def test_what_a_test_does_not_name_stays_as_it_was() -> None:
    activity = Activity()
    host = Host(activity=activity)

    changed = replace(host, owner_id=1)

    assert changed.activity is activity
    assert changed.owner_id == 1
    assert Host().activity is not Host().activity
