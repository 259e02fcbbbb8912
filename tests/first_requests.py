"""A server's life before the first test asks for one: what its first requests load, compile and build."""

import json
import socket
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from app.assembly import assemble
from app.desktop.control import PersonsDesktop
from app.server_host import SignInLinks, server_host
from app.warming import WarmUp
from app.web_server.serving import ServerThread
from bigmind.paths import token_file
from bigmind.people.service import mint_token, person
from bigmind.people.sign_in_codes import SignIn
from bigmind.people.token_format import TokenKind
from bigmind.wiring import Mind, open_mind
from ui.pages import PAGES

ACCEPTED = "application/json, text/event-stream"
MCP_REQUEST = {"jsonrpc": "2.0", "id": 1}
CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "nursery", "version": "1"}}
CARD = "Learned: a deck of fifty cards is dealt 3 ms faster than one of sixty, because of the smaller hand."
ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/v1/memory_start_session", {}),
    ("/api/v1/memory_store_fact", {"category": "decision", "fact": "Fifty digits of it."}),
    ("/api/v1/memory_append_chunk", {"role": "user", "content": "The first card.", "flag_reason": "It is the first."}),
    ("/api/v1/memory_add_hypothesis", {"hypothesis": "There are more."}),
    ("/api/v1/memory_get_context", {}),
    ("/api/v1/memory_search_chunks", {"query": "first card"}),
    ("/api/v1/work_create_task", {"title": "Deal the cards", "type": "task", "description": "All.", "topic": "cards"}),
    ("/api/v1/query_brain", {"prompt": "Deal the cards"}),
    ("/api/v1/contribute_to_brain", {"prompt": CARD}),
    ("/api/v1/memory_end_session", {"one_liner": "Cards", "topics": ["cards"], "outcome": "One."}),
    ("/api/v1/memory_health_check", {}),
    ("/mcp", {**MCP_REQUEST, "method": "initialize", "params": CLIENT}),
)
"""What most tests ask of a server: the whole of it that these use is ready in each."""


def live(home: Path) -> None:
    """Be a server once: what its first requests load, compile and build is there in each fork then."""
    mind = open_mind(home, "ada")
    warm_up = WarmUp(mind.store, person(mind.store, "ada"))
    warm_up.start()
    warm_up.stop()
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    links = SignInLinks(SignIn(mind.store), address)
    desktop = PersonsDesktop(None, address, is_there=True)
    mind.store.host = server_host(mind.store, links, desktop=desktop, stop=lambda: None)
    thread = ServerThread(assemble(mind, links.sign_in, port, "key"), listener, lambda: None)
    thread.start()
    bearer = {"Authorization": f"Bearer {token_file(home, 'cli').read_text(encoding='utf-8')}", "Accept": ACCEPTED}
    try:
        for path, body in ASKED:
            _ask(port, "POST", path, {**bearer, "Content-Type": "application/json"}, json.dumps(body))
        browser = {"Cookie": f"bigmind_{port}={_cookie(mind)}", "Accept": "text/html"}
        for page in PAGES:
            _ask(port, "GET", page.path, browser)
    finally:
        thread.stop()
        mind.close()


def _cookie(mind: Mind) -> str:
    """What a browser that is signed in sends."""
    ada = person(mind.store, "ada")
    with mind.store.write(ada, "nursery") as work:
        return mint_token(work, ada.user_id, "browser", TokenKind.UI).secret


def _ask(port: int, method: str, path: str, headers: dict[str, str], body: str | None = None) -> None:
    """Ask a server for something, and wait for all of the answer."""
    connection = HTTPConnection("127.0.0.1", port)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    said = answer.read()
    assert answer.status == HTTPStatus.OK, (path, said)
    connection.close()
