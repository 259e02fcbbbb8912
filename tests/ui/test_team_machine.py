"""In a team: what is on the server's machine is told on the pages of admins, and of nobody else."""

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from bigmind.core.operation import Caller, Mode, Presence, Role
from bigmind.local.program import own_command
from bigmind.people.service import NOBODY, ensure_user
from bigmind.wiring import Mind, open_mind
from tests.ui.acting import act_to_the_end
from tests.ui.serving import Running
from ui.pages import PAGES

ROLES = {"ada": Role.ADMIN, "cleo": Role.MEMBER}

BESIDE = ("/waiting", "/work/processes", "/work/processes/task")


@pytest.fixture(params=ROLES)
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Mind, Caller]]:
    """A team's store; its first user is its admin."""
    with closing(open_mind(tmp_path / "home", "ada", mode=Mode.TEAM)) as mind:
        with mind.store.write(NOBODY, "test") as work:
            user = ensure_user(work, request.param)
        caller = Caller(user.id or 0, request.param, ROLES[request.param], "cursor", 0, presence=Presence.PROGRAM)
        yield mind, caller


def test_only_an_admin_is_told_which_ides_are_there_and_what_is_wrong_in_their_files(
    client: httpx.Client, caller: Caller, home_of_the_person: Path
) -> None:
    file = home_of_the_person / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text("{ broken")
    try:
        told = client.get("/ides").text
    finally:
        file.unlink()
        file.parent.rmdir()
    is_admin = caller.role is Role.ADMIN
    assert ("does not parse" in told, str(file) in told, "On this machine" in told) == (is_admin,) * 3
    assert ("not found here" in told, "for admins, who connect them there" in told) == (is_admin, not is_admin)


def test_only_an_admin_is_told_where_the_files_of_the_server_are(
    client: httpx.Client, caller: Caller, mind: Mind
) -> None:
    is_admin = caller.role is Role.ADMIN
    for page in ("/health", "/settings"):
        answer = client.get(page)
        assert answer.status_code == 200
        assert (str(mind.store.home) in answer.text) == is_admin, page


def test_no_page_tells_a_member_where_anything_of_the_servers_machine_lies(
    client: httpx.Client, caller: Caller, mind: Mind
) -> None:
    own = {str(mind.store.home): "the data folder", own_command(): "the program"}
    assert str(Path(sys.executable).parent) in own_command()
    told = {path: client.get(path) for path in (*(page.path for page in PAGES), *BESIDE)}
    is_refused = {path for path, answer in told.items() if answer.status_code == 403}
    assert is_refused == (set() if caller.role is Role.ADMIN else {"/team"})
    assert {answer.status_code for path, answer in told.items() if path not in is_refused} == {200}
    found = {(path, own[each]) for path, answer in told.items() for each in own if each in answer.text}
    if caller.role is Role.ADMIN:
        assert {what for _, what in found} == set(own.values())
    else:
        assert found == set()


def test_the_bundle_with_the_command_of_the_servers_machine_is_for_admins(
    client: httpx.Client, caller: Caller, mind: Mind
) -> None:
    answer, is_admin = client.get("/ides/bigmind.mcpb"), caller.role is Role.ADMIN
    assert answer.status_code == (200 if is_admin else 403)
    assert (mind.store.home / "bin").exists() == is_admin
    assert ("that needs the role admin" in answer.text) == (not is_admin)


def test_the_page_of_the_first_passphrase_tells_a_member_no_path(server: Running, caller: Caller) -> None:
    link = f"{server.url}/sign-in?code={server.sign_in.new_first_code(caller)}"
    with httpx.Client(base_url=server.url, follow_redirects=True) as browser:
        browser.get(link)
        page = browser.get("/sign-in/passphrase").text
    assert "passphrase set</code>" in page
    assert (own_command() in page) == (caller.role is Role.ADMIN)


def test_a_member_is_told_as_whom_they_are_signed_in_and_not_whom_the_server_runs_for(
    client: httpx.Client, caller: Caller
) -> None:
    told, is_admin = client.get("/settings").text, caller.role is Role.ADMIN
    assert ('id="set-user"' in told, "You are signed in as <b>cleo</b>" in told) == (is_admin, not is_admin)


def test_each_chooses_the_tools_of_their_own_assistant(server: Running, client: httpx.Client) -> None:
    server.call("memory_store_fact", category="learning", fact="The press is oiled on Mondays")
    assert "Tools it is offered" in client.get("/ides").text
    act_to_the_end(client, "clients_toolsets", client="cursor", toolsets="default,brain")
    assert '<option value="default,brain" selected>' in client.get("/ides").text
