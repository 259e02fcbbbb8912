"""A client of the endpoint says which project it works in: by a header, or by its roots when its session is asked."""

from base64 import b64encode
from pathlib import Path

import pytest
from mcp_types import ErrorData, ListRootsResult, Root

from bigmind.core.operation import Mode, Role
from bigmind.people.token_format import TokenKind
from tests.http.inside import server_inside
from tests.mcp.clients import good, over_http
from tests.memory.seats import seat
from tests.support import Server

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.xdist_group("shared_server"),
    # The older eras are spoken on purpose.
    pytest.mark.filterwarnings("ignore:.*roots"),
]

LONG = "x" * 300


def encoded(raw: bytes) -> str:
    return f"=?base64?{b64encode(raw).decode()}?="


HEADERS = {
    "engine": "engine",
    "https://ada:secret@github.com/acme/app.git": "github.com/acme/app",
    "my   app": "my app",
    encoded("Über uns".encode()): "Über uns",
    encoded(b"a\x00b\x1b[2Jc"): "ab\ufffd[2Jc",
    encoded(b"\xff"): "\ufffd",
    encoded("two\nlines\u202e".encode()): "two lines\ufffd",
    LONG: LONG[:200],
    encoded(b""): None,
    "": None,
}


@pytest.mark.parametrize(("header", "project"), HEADERS.items())
async def test_the_header_says_it(shared_server: Server, header: str, project: str | None) -> None:
    async with over_http(shared_server, headers={"BigMind-Project": header}) as client:
        _, opened = await good(client, "memory_start_session")
        assert opened["project"] == project
        _, named = await good(client, "memory_start_session", project="said by the model")
        assert named["project"] == "said by the model"


async def test_in_the_era_without_sessions_too(shared_server: Server) -> None:
    async with over_http(shared_server, "auto", headers={"BigMind-Project": "engine"}) as client:
        _, opened = await good(client, "memory_start_session")
        assert opened["project"] == "engine"


def test_utf_8_is_read_as_it_is_written(shared_server: Server) -> None:
    with shared_server.http() as http:
        headers = {"BigMind-Project": "Über uns".encode()}
        assert http.post("/api/v1/memory_start_session", json={}, headers=headers).json()["project"] == "Über uns"


@pytest.mark.parametrize(
    "headers", [[("BigMind-Project", "a"), ("BigMind-Project", "b")], {"BigMind-Project": "=?base64?%?="}]
)
def test_a_header_that_is_no_name_is_refused(shared_server: Server, headers: object) -> None:
    with shared_server.http() as http:
        refused = http.post("/api/v1/memory_get_stats", json={}, headers=headers)
    assert refused.status_code == 400
    assert "bigmind-project" in refused.text


class Roots:
    """What a client answers when it is asked for its roots, and how often it was."""

    def __init__(self, *uris: str) -> None:
        self.uris = uris
        self.asked = 0

    async def __call__(self, context: object) -> ListRootsResult | ErrorData:
        del context
        self.asked += 1
        if not self.uris:
            return ErrorData(code=-32603, message="no roots today")
        return ListRootsResult(roots=[Root(uri=uri) for uri in self.uris])


def repository(folder: Path, remote: str) -> str:
    git = folder / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text(f'[remote "origin"]\n\turl = {remote}\n')
    return folder.as_uri()


async def test_a_session_is_asked_for_its_roots_once(shared_server: Server, tmp_path: Path) -> None:
    roots = Roots(repository(tmp_path / "app", "git@github.com:acme/app.git"), tmp_path.as_uri())
    async with over_http(shared_server, list_roots_callback=roots) as client:
        await good(client, "memory_get_stats")
        assert roots.asked == 0
        for _ in range(2):
            _, opened = await good(client, "memory_start_session")
            assert opened["project"] == "github.com/acme/app"
        assert roots.asked == 1
        roots.uris = ((tmp_path / "notes").as_uri(),)
        await client.send_roots_list_changed()
        _, opened = await good(client, "memory_start_session")
        assert (opened["project"], roots.asked) == ("notes", 2)


async def test_a_member_of_a_team_learns_nothing_of_the_servers_disk_by_a_root(tmp_path: Path) -> None:
    roots = Roots(repository(tmp_path / "app", "git@github.com:acme/merger.git"))
    with server_inside(tmp_path / "home", mode=Mode.TEAM) as inside:
        dan = seat(inside, "dan", Role.MEMBER, tmp_path)
        async with over_http(dan, client=TokenKind.BRIDGE.value, list_roots_callback=roots) as client:
            _, opened = await good(client, "memory_start_session")
            assert opened["project"] == "app"
            roots.uris = ((tmp_path / "nowhere").as_uri(),)
            await client.send_roots_list_changed()
            _, opened = await good(client, "memory_start_session")
            assert opened["project"] == "nowhere"


async def test_who_says_it_is_not_asked(shared_server: Server, tmp_path: Path) -> None:
    roots = Roots(tmp_path.as_uri())
    async with over_http(shared_server, headers={"BigMind-Project": "engine"}, list_roots_callback=roots) as client:
        await good(client, "memory_start_session")
    async with over_http(shared_server, list_roots_callback=roots) as client:
        await good(client, "memory_start_session", project="engine")
    assert roots.asked == 0


async def test_a_client_that_cannot_say_it_starts_without(shared_server: Server) -> None:
    roots = Roots()
    async with over_http(shared_server, list_roots_callback=roots) as client:
        for _ in range(2):
            _, opened = await good(client, "memory_start_session")
            assert opened["project"] is None
    assert roots.asked == 1


async def test_a_secret_in_the_name_is_masked_before_anything_is_stored_under_it(shared_server: Server) -> None:
    secret = "ghp_" + "R7mQ2xV9bT4kW8zL1nC6yH3dF5sJ0pAeGuXi"
    async with over_http(shared_server, headers={"BigMind-Project": f"app {secret}"}) as client:
        _, opened = await good(client, "memory_start_session")
    assert opened["project"] == "app [masked: GitHub token]"
