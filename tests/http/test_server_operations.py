"""What a person asks of the server itself: who may, what a pause lets through, and what is refused ahead."""

import socket
from pathlib import Path

import pytest

from bigmind.core.operation import Surface
from bigmind.operations.catalogue import input_schema
from bigmind.people.token_format import TokenKind
from bigmind.settings.file import settings_file
from bigmind.wiring import catalogue
from tests.http.inside import Inside

OF_ALL = {"server_pause": {"paused": True}, "server_start_at_login": {"enabled": True}, "server_stop": {}}


@pytest.mark.parametrize("name", OF_ALL)
def test_what_concerns_every_user_of_the_server_needs_an_admin(inside: Inside, name: str) -> None:
    admin, member = inside.token("ada"), inside.token("bob")
    with inside.http(member) as http:
        answered = http.post(f"/api/v1/{name}", json=OF_ALL[name])
    assert (answered.status_code, answered.json()["code"]) == (403, "forbidden")
    activity = inside.host.activity
    assert (inside.stops, activity.is_paused, inside.host.desktop.starts_at_login()) == ([], False, False)
    with inside.http(admin) as http:
        assert http.post(f"/api/v1/{name}", json=OF_ALL[name]).status_code == 200
        if name == "server_start_at_login":  # on Windows it stands in the registry of who runs the tests
            assert http.post(f"/api/v1/{name}", json={"enabled": False}).status_code == 200


def test_a_pause_keeps_the_memory_as_it_is_and_lets_settings_tokens_and_the_server_through(inside: Inside) -> None:
    calls = (
        ("settings_change", {"theme": "dark"}, 200),
        ("tools_serve", {"tool": "memory_vacuum", "served": False}, 200),
        ("token_create", {"client": "ci"}, 200),
        ("user_rename", {"display_name": "Ada L."}, 200),
        ("server_status", {}, 200),
        ("memory_list_facts", {}, 200),
        ("memory_store_fact", {"category": "decision", "fact": "Nobody keeps this."}, 503),
        ("server_pause", {"paused": False}, 200),
        ("memory_store_fact", {"category": "decision", "fact": "This is kept."}, 200),
    )
    inside.host.activity.pause(paused=True)
    with inside.http(inside.token(kind=TokenKind.CLI)) as http:
        for name, arguments, status in calls:
            answered = http.post(f"/api/v1/{name}", json=arguments)
            assert answered.status_code == status, (name, answered.text)
        facts = http.post("/api/v1/memory_list_facts", json={}).json()["facts"]
    assert [each["fact"] for each in facts] == ["This is kept."]
    assert inside.host.settings.now().theme == "dark"


def test_a_port_on_which_it_could_not_start_again_is_refused_ahead(inside: Inside) -> None:
    file = settings_file(inside.home)
    with (
        socket.create_server(("127.0.0.1", 0)) as other,
        inside.http(inside.token()) as http,
    ):
        taken = str(other.getsockname()[1])
        answered = http.post("/api/v1/settings_change", json={"port": taken, "theme": "dark"})
        assert answered.status_code == 422
        assert taken in answered.text
        assert "free" in answered.text
        assert not file.exists()
        for port in (str(inside.port), "0", ""):  # its own is free once it has ended
            assert http.post("/api/v1/settings_change", json={"port": port}).status_code == 200


OTHERS = {
    "session_start": {"objective": "Look"},
    "clients_show": {"client": "claude-code"},
    "clients_install": {"client": "claude-code", "plan": "0" * 64},
    "clients_remove": {"client": "claude-code", "plan": "0" * 64},
    "learn_accept": {"digests": ["0" * 64]},
    "learn_dismiss": {"digests": ["0" * 64]},
}
"""What else the operations need that take a path."""


@pytest.mark.parametrize("given", ["~nosuchuser/x", "~nosuchuser"])
def test_each_path_of_an_operation_in_a_home_that_nobody_has_is_refused(
    inside: Inside, given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    fields = [
        (each.name, field)
        for each in catalogue().on(Surface.API)
        for field, schema in input_schema(each)["properties"].items()
        if schema.get("format") == "path" and not each.in_person
    ]
    assert len(fields) > 10
    with inside.http(inside.token()) as http:
        others = {**OTHERS, "backup_restore": {"backup": http.post("/api/v1/backup_create", json={}).json()["name"]}}
        for name, field in fields:
            answered = http.post(f"/api/v1/{name}", json={**others.get(name, {}), field: given})
            assert answered.status_code == 422, (name, answered.text)
            assert given in answered.text
    assert sorted(tmp_path.iterdir()) == before


def test_a_home_that_nobody_has_is_refused_in_words(inside: Inside) -> None:
    calls = (
        ("settings_change", {"backup_folder": "~nosuchuser/x"}),
        ("settings_change", {"backup_folder": "backups"}),
        ("backup_restore", {"backup": "~nosuchuser/x"}),
        ("backup_restore", {"backup": "{name}", "recovery_key_file": "~nosuchuser/x"}),
    )
    with inside.http(inside.token()) as http:
        made = http.post("/api/v1/backup_create", json={}).json()["name"]
        for name, arguments in calls:
            given = {field: value.replace("{name}", made) for field, value in arguments.items()}
            answered = http.post(f"/api/v1/{name}", json=given)
            assert answered.status_code == 422, (name, given, answered.text)
            assert "path" in answered.text
