"""Paused, busy, and who called lately."""

from datetime import UTC, datetime, timedelta

import pytest

from bigmind.core.activity import LATELY_SECONDS, MOST_CLIENTS, MOST_NAMES, Activity
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller, Effect, Role
from bigmind.wiring import catalogue


def caller(client: str, *, is_person: bool = False) -> Caller:
    return Caller(1, "ada", Role.ADMIN, client, 1, is_person=is_person)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


BESIDE_THE_MEMORY = {
    "settings_change",
    "tools_serve",
    "clients_install",
    "clients_remove",
    "clients_repair",
    "clients_bundle",
    "clients_toolsets",
    "directory_choose",
    "token_create",
    "token_revoke",
    "user_add",
    "user_disable",
    "user_enable",
    "user_rename",
    "user_role",
    "user_sign_out",
    "user_token",
    "passphrase_set",
    "passphrase_remove",
    "passphrase_see_changes",
    "passphrase_see_tries",
    "backup_create",
    "backup_encrypt",
    "backup_stop_encrypting",
    "memory_export",
}
BY_THEMSELVES = {"hook_session_start", "hook_prompt", "hook_stop", "hook_session_end"}
"""What is answered all the same, so that no IDE is told of an error, and writes nothing: tests/hooks shows it."""


def test_while_it_is_paused_what_changes_the_memory_is_refused_and_nothing_else() -> None:
    activity = Activity()
    activity.pause(paused=True)
    writing = [each for each in catalogue() if each.effect is not Effect.READ]
    assert {each.name for each in writing} > BESIDE_THE_MEMORY
    changing = [each for each in writing if each.name not in BESIDE_THE_MEMORY | BY_THEMSELVES]
    for operation in changing:
        with pytest.raises(BigMindError) as refusal:
            activity.permit(operation)
        assert refusal.value.code is Code.UNAVAILABLE
        assert "paused" in refusal.value.message
        assert "resumes" in refusal.value.hint
    for operation in catalogue():
        if operation not in changing:
            activity.permit(operation)
    assert "server_pause" not in {each.name for each in changing}
    activity.pause(paused=False)
    for operation in catalogue():
        activity.permit(operation)


def test_a_client_is_one_that_called_within_five_minutes_and_a_person_is_none() -> None:
    clock = Clock()
    activity = Activity(clock)
    activity.note(caller("cursor"))
    activity.note(caller("cli", is_person=True))
    clock.now = LATELY_SECONDS - 1
    activity.note(caller("vim"))
    assert activity.clients() == ["cursor", "vim"]
    clock.now = LATELY_SECONDS
    assert activity.clients() == ["vim"]
    activity.note(caller("cursor"))
    assert activity.clients() == ["vim", "cursor"]


def test_a_client_with_many_names_does_not_fill_the_memory() -> None:
    activity = Activity()
    for number in range(MOST_CLIENTS + 5):
        activity.note(caller(f"client {number}"))
    assert len(activity.clients()) == MOST_CLIENTS


def test_who_listens_is_told_of_each_turn_and_sees_how_it_is_by_then() -> None:
    activity, seen = Activity(), []
    activity.listen(lambda: seen.append((activity.is_paused, activity.is_busy)))
    activity.pause(paused=True)
    activity.pause(paused=False)
    with pytest.raises(ZeroDivisionError), activity.long("Import a memory"):
        _ = 1 / 0
    assert seen == [(True, False), (False, False), (False, True), (False, False)]


def test_what_comes_while_we_try_a_clients_connection_is_not_counted_as_its_own() -> None:
    activity = Activity()
    with activity.trying(1, "cursor"), activity.trying(1, "cursor"):
        activity.note(caller("cursor"))
        activity.note_served(caller("cursor"), 2_000)
        activity.note(caller("zed"))
    assert activity.clients() == ["zed"]
    assert [each.client for each in activity.uses()] == ["zed"]
    activity.note(caller("cursor"))
    assert activity.clients() == ["zed", "cursor"]


def test_when_somebody_called_last_is_known_by_the_whole_name_and_of_each_user() -> None:
    activity, noon = Activity(), datetime(2026, 3, 1, 12, tzinfo=UTC)
    activity.hear(caller("cursor/reviewer"), noon)
    activity.hear(caller("cursor/reviewer"), noon + timedelta(hours=1))
    assert activity.heard(1, "cursor/reviewer") == noon + timedelta(hours=1)
    assert (activity.heard(1, "cursor"), activity.heard(2, "cursor/reviewer")) == (None, None)
    for number in range(MOST_NAMES):
        activity.hear(caller(f"codex/{number}"), noon)
        activity.hear(caller(f"cursor/{number}"), noon)
    assert activity.heard(1, "cursor/reviewer") is None  # whoever calls under ever new names fills no memory
    assert activity.heard(1, "cursor/0") == noon


def test_no_token_has_anothers_last_call_forgotten() -> None:
    activity, noon = Activity(), datetime(2026, 3, 1, 12, tzinfo=UTC)
    activity.hear(caller("cursor"), noon)
    for number in range(10 * MOST_NAMES):
        activity.hear(caller(f"codex/{number}"), noon)
    assert activity.heard(1, "cursor") == noon
