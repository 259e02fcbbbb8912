"""A server that is killed at any point of a run leaves a run that goes on: nothing that was answered is lost."""

import random
import threading
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from bigmind.people.passphrases import PassphrasePlace, Passphrases
from tests.protocol.places import HANDOFF, Place, new_place
from tests.support import Server, start_server
from tests.thorough import often
from tests.ui.acting import act
from ui.forms.in_person import FIELD

RUNS = often(30, 1)
PASSPHRASE = "seven herons on a ferry"
AGENT = {"BigMind-Agent": "runner"}


class Killed:
    """A server that is started again whenever it is gone, and killed now and then while it is asked."""

    def __init__(self, home: Path, dice: random.Random) -> None:
        self.home, self.dice = home, dice
        self.server: Server = start_server(home)

    def call(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """Run an operation until it was answered: what was not may have been done, or not."""
        while True:
            killer = threading.Timer(self.dice.random() * 0.05, self._kill)
            if self.dice.random() < 0.4:
                killer.start()
            with suppress(httpx.HTTPError), self.server.http("cli") as http:
                answered = http.post(f"/api/v1/{operation}", json=arguments, headers=AGENT)
                if answered.status_code < 500:
                    self._settle(killer)
                    return {"status": answered.status_code, **answered.json()}
            self._settle(killer)

    def _settle(self, killer: threading.Timer) -> None:
        """Let the kill that is under way happen, and start what was killed."""
        if killer.ident is not None:
            killer.join()
        if self.server.process.poll() is not None:
            self.end()
            self.server = start_server(self.home)

    def _kill(self) -> None:
        self.server.kill()

    def end(self) -> None:
        """End it for good."""
        self.server.kill()
        if self.server.process.stderr is not None:
            self.server.process.stderr.close()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(RUNS))
def test_a_killed_server_leaves_a_run_that_goes_on(home: Path, tmp_path: Path, seed: int):
    place = new_place(tmp_path / "project")
    home.mkdir(parents=True, exist_ok=True)
    Passphrases(home).set("ada", PASSPHRASE, datetime.now(UTC), PassphrasePlace.WINDOW)
    killed = Killed(home, random.Random(seed))
    with httpx.Client(base_url=killed.server.address) as browser:
        browser.get(killed.server.call("server_sign_in_link")["url"])
        opened = act(browser, "protocol_open_workspace", path=str(place.root), **{FIELD: PASSPHRASE})
        assert opened.status_code == 200, opened.text
    run = begun(killed, place)
    evidence = {"phase": "CONTEXT_RETRIEVAL", "evidence_type": "content_hash", "evidence": place.digest(HANDOFF)}
    assert killed.call("record_evidence", session_id=run, **evidence)["auto_validated"]
    place.log(run, place.git("rev-parse", "HEAD"))
    while killed.call("advance_phase", session_id=run, target_phase="WORKING").get("current_phase") != "WORKING":
        if killed.call("get_blocked_reason", session_id=run)["phase"] == "WORKING":
            break  # the move was made, and its answer lost
    place.write("src/refunds.py", "def refund(cents):\n    return round(cents)\n")
    place.write(HANDOFF, "# Handoff\n\nRounded.\n")
    remedy = killed.call("validate_gate", session_id=run, phase="QA_VALIDATION")["remedy"]
    tree = remedy.partition("tree:")[2].partition(",")[0]
    place.write(f"docs/qa/{run}.md", f"# QA of {run}\n\ntree: {tree}\n")
    place.commit("Rounded")
    ended = killed.call("session_end", session_id=run, summary="Rounded.")
    lines = killed.call("protocol_list_runs")["runs"]
    assert [each["outcome"] for each in lines if each["session_id"] == run] == ["COMPLETE"], ended
    names = sorted(each["session_id"] for each in lines)
    day = names[0].rpartition("-")[0]
    assert names == [f"{day}-{number:02}" for number in range(1, len(names) + 1)], "without gaps or doubles"
    verified = killed.call("work_verify")
    assert verified["faults"] == [], verified
    killed.end()


def begun(killed: Killed, place: Place) -> str:
    """Start a run; where an answer was lost, the one that was begun all the same is ended."""
    name = killed.call("session_start", objective="Round refunds", workspace=str(place.root))["session_id"]
    for each in killed.call("protocol_list_runs")["runs"]:
        if each["session_id"] != name and not each["outcome"]:
            killed.call("session_end", session_id=each["session_id"], summary="Begun twice.")
    return name
