"""Remote assistants: what to enter and to paste, so that an assistant in a browser can use the brain."""

import re
from dataclasses import replace

import httpx

from bigmind.people.service import NOBODY, mint_token
from bigmind.people.token_format import TokenKind
from tests.ui.serving import Running

PATH = "/settings/remote-assistants"


def test_the_settings_lead_there(client: httpx.Client) -> None:
    assert f'href="{PATH}"' in client.get("/settings").text
    assert client.get(PATH).status_code == 200


def test_the_address_offers_the_tools_of_the_brain_alone(client: httpx.Client, server: Running) -> None:
    page = client.get(PATH).text
    address = re.search(r'id="address">(http://127\.0\.0\.1:\d+/mcp\?toolsets=brain)<', page)
    assert address, page
    with server.mind.store.write(replace(NOBODY, user_id=1), "test") as work:
        secret = mint_token(work, 1, "claude-web", TokenKind.CLIENT).secret
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"Authorization": f"Bearer {secret}", "Accept": "application/json, text/event-stream"}
    answer = httpx.post(address[1], json=listing, headers=headers, trust_env=False).json()
    names = {each["name"] for each in answer["result"]["tools"]}
    assert {"query_brain", "contribute_to_brain"} <= names
    assert all("brain" in each for each in names)
    assert "claude-web" in client.get(PATH).text


def test_the_text_to_paste_names_the_two_tools_the_session_and_what_is_kept(client: httpx.Client) -> None:
    text = re.search(r'id="project-text"[^>]*><code>(.*?)</code>', client.get(PATH).text, re.DOTALL)
    assert text
    for told in ("query_brain", "contribute_to_brain", "session_id", "more than 50 characters"):
        assert told in text[1]
