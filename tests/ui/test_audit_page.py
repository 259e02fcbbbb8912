"""The page of the audit log: for admins, reached from Settings."""

import re

import httpx
import pytest

from bigmind.core.operation import Role
from bigmind.people.service import NOBODY, ensure_user
from bigmind.people.tables import User
from tests.ui.serving import Running


def deeds(page: str) -> list[str]:
    return re.findall(r'<td class="deed"[^>]*><span dir="auto">(.*?)</span>', page)


def test_the_settings_lead_to_it_and_it_tells_the_newest_first(server: Running, client: httpx.Client) -> None:
    assert '<a href="/audit">Audit log</a>' in client.get("/settings").text
    server.call("user_add", username="bob <b>", client="laptop")
    server.call("settings_change", theme="dark")
    told = deeds(client.get("/audit").text)
    assert told[:3] == [
        "set theme to dark",
        "made the token laptop for bob &lt;b&gt;",
        "added the user bob &lt;b&gt;",
    ]
    assert deeds(client.get("/audit?kind=settings").text) == ["set theme to dark"]
    assert "bob &lt;b&gt;" in deeds(client.get("/audit", params={"user": "bob <b>"}).text)[0]
    assert "Nothing like that is in the log." in client.get("/audit?since=2099-01-01").text
    assert client.get("/audit?kind=facts").status_code == 200, "what there is not counts as not given"


def test_it_is_paged(server: Running, client: httpx.Client) -> None:
    for number in range(55):
        server.call("token_create", client=f"client-{number}")
    first = client.get("/audit?kind=tokens").text
    assert len(deeds(first)) == 50
    older = re.search(r'href="(/audit\?[^"]*cursor=[^"]*)">Older', first)
    assert older
    second = client.get(older[1].replace("&amp;", "&")).text
    assert "made the token client-0" in deeds(second)
    assert ">Newest</a>" in second
    assert not {*deeds(first)} & {each for each in deeds(second) if "client-" in each}


@pytest.mark.parametrize("role", [Role.MEMBER, Role.CURATOR])
def test_who_is_no_admin_is_not_shown_it(server: Running, role: Role) -> None:
    with server.mind.store.write(NOBODY, "test") as work:
        ensure_user(work, "zoe")
        user = work.session.get_one(User, server.caller.user_id)
        user.role = role
        work.session.add(user)
    with httpx.Client(base_url=server.url) as other:
        other.get(server.link())
        answered = other.get("/audit")
        assert answered.status_code == 403
        assert "added the user" not in answered.text
        assert '<a href="/audit">' not in other.get("/settings").text
