"""Agents that race for the same items over HTTP until their server is gone, each with a token or cookie of its own."""

import random
import re
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx

from tests.support import Server
from tests.ui.acting import HTMX
from ui.forms.in_person import FIELD

TITLES = ("Round refunds to the cent", "Rotate the signing keys", "Drop the stale sessions")
PROMPTS = (*TITLES, "How long do walruses sleep?")
STATES = ("active", "active", "active", "review", "review", "complete", "rework", "ready", "cancelled")
MINE = "claims itself a person"


class Raider:
    """One of them, on a thread of its own.

    Attributes:
        acknowledged: how often it was told that it moved an item, from which state to which.
        faults: answers that no agent should get.
    """

    def __init__(self, http: httpx.Client, seed: int, tell: Callable[[], None]) -> None:
        self.http, self.dice, self._tell = http, random.Random(seed), tell
        self.acknowledged: Counter[str] = Counter()
        self.faults: list[str] = []
        self._session = ""
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        """Step by step, until the server is gone."""
        try:
            while True:
                self.step()
        except httpx.TransportError:
            pass  # killed
        finally:
            self.http.close()

    def step(self) -> None:
        """Ask for something."""
        title = self.dice.choice(TITLES)
        match self.dice.choices(("ask", "learn", "move", "make", "person"), (3, 2, 8, 1, 1))[0]:
            case "ask":
                answer = self._asks("query_brain", prompt=self.dice.choice(PROMPTS))
                self._session = answer.get("trace", {}).get("session_id", self._session)
            case "learn":
                told = (
                    f"{title}: {self.dice.random()} of the ledgers of {self.dice.randrange(2000)} round half to even."
                )
                self._asks("contribute_to_brain", prompt=told)
            case "make":
                granted = {"holder": MINE, "state": "complete"} if self.dice.random() < 0.3 else {}  # is refused
                self._asks("work_create_task", title=title, type="solo", dna={"note": MINE, **granted})
            case "person":
                self._acts_as_person()
            case _:
                self._moves()

    def _moves(self) -> None:
        item = self._item()
        fields = {"memory_query_session": self._session} if self._session and self.dice.random() < 0.7 else {}
        answer = self._asks("work_transition", slug=item["slug"], to=self.dice.choice(STATES), fields=fields)
        if answer.get("moved"):
            self.acknowledged[answer["state"]] += 1
            self._tell()

    def _acts_as_person(self) -> None:
        item = self._item()
        revision = self._asks("work_get_task", slug=item["slug"]).get("revision", 1)
        for operation, more in (("work_confirm", {}), ("work_move", {"to": "complete"})):
            if self._asks(operation, slug=item["slug"], revision=revision, **more):
                self.faults.append(f"{operation} was answered")

    def _item(self) -> dict[str, Any]:
        tasks = self._asks("work_list_tasks").get("tasks", [])
        return self.dice.choice(tasks) if tasks else {"slug": "nothing"}

    def _asks(self, operation: str, **arguments: Any) -> dict[str, Any]:
        answer = self.http.post(f"/api/v1/{operation}", json=arguments)
        if answer.status_code >= httpx.codes.INTERNAL_SERVER_ERROR:
            self.faults.append(f"{operation}: {answer.status_code} {answer.text[:300]}")
        return answer.json() if answer.is_success else {}


class Browser(Raider):
    """A browser that a link signed in: it says yes on the pages, without the passphrase and with a guessed one."""

    def step(self) -> None:
        """Say yes to something, or move it."""
        slugs = re.findall(r'"/work/([a-z0-9-]+)"', self.http.get("/work").text)
        page = self.http.get("/hypotheses")
        token = re.search(r'name="form_token" value="([0-9a-f]{64})"', page.text)
        if token is None:
            self.faults.append(f"no form on the page: {page.status_code} {page.headers} {page.text[-300:]}")
            return
        operation = self.dice.choice(("work_confirm", "work_move", "work_set_roles"))
        given = {
            "slug": self.dice.choice(slugs or ["nothing"]),
            "revision": self.dice.randrange(1, 8),
            "to": "complete",
        }
        if operation == "work_set_roles":
            given = {"agent": "cursor", "roles": "liaison"}
        guess = {FIELD: "sesame"} if self.dice.random() < 0.5 else {}
        sent = {"form_token": token[1], **given, **guess}
        answer = self.http.post(f"/actions/{operation}", data=sent, headers=HTMX)
        if answer.status_code != httpx.codes.FORBIDDEN:
            self.faults.append(f"{operation}: {answer.status_code} {answer.text[:300]}")


class Raid:
    """All of them at one server: with `tokens/cli`, with two agents' tokens, with the cookie of a sign-in link."""

    def __init__(self, server: Server, seed: int) -> None:
        self._moved = threading.Condition()
        self._moves = 0
        cursor = server.call("token_create", client="cursor")["token"]
        headers = [
            ({"Authorization": f"Bearer {server.token()}"}, {}),
            ({"Authorization": f"Bearer {server.token()}", "BigMind-Client": "human"}, {}),
            ({"Authorization": f"Bearer {cursor}", "BigMind-Connection": "cursor"}, {}),
            ({"Authorization": f"Bearer {cursor}", "BigMind-Client": "reviewer"}, {}),
            ({"Origin": server.address, "Sec-Fetch-Site": "same-origin"}, signed_in(server)),
        ]
        self.raiders = [
            (Browser if cookies else Raider)(
                httpx.Client(base_url=server.address, headers=head, cookies=cookies, timeout=60, trust_env=False),
                seed * 10 + number,
                self._tell,
            )
            for number, (head, cookies) in enumerate(headers)
        ]

    def _tell(self) -> None:
        with self._moved:
            self._moves += 1
            self._moved.notify_all()

    def wait_for(self, moves: int) -> None:
        """Until so many moves are acknowledged."""
        with self._moved:
            assert self._moved.wait_for(lambda: self._moves >= moves, 120), "nothing moved for two minutes"

    def ended(self) -> Counter[str]:
        """Wait for all of them; what they were told."""
        for each in self.raiders:
            each.thread.join(60)
            assert not each.thread.is_alive()
            assert each.faults == [], each.faults
        return sum((each.acknowledged for each in self.raiders), Counter())


def signed_in(server: Server) -> dict[str, str]:
    """The cookie of a browser that a sign-in link signed in."""
    link = server.call("server_sign_in_link", client="BigMind's window")["url"]
    with httpx.Client(trust_env=False, timeout=60) as browser:
        answer = browser.get(re.sub(r"^http://[^/]*", server.address, link))
        assert answer.status_code == httpx.codes.SEE_OTHER, answer.text
        return dict(browser.cookies)
