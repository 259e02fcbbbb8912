"""`bigmind work`: what agents do with tasks, a script does at the terminal, as the agent `terminal`."""

import json

from tests.app.conftest import Bigmind
from tests.support import Server

TITLE = "Round refunds to the cent"


def test_a_script_takes_a_task_up_and_hands_it_over(bigmind: Bigmind, server: Server) -> None:
    del server
    done = bigmind("work", "--help")
    assert "claim it, hand it over" in done.stdout
    assert {"next", "transition", "create-task", "get-ledger"} <= set(done.stdout.split())
    done = bigmind("work", "create-task", TITLE, "--type", "solo", "--dna", "due=2026-12-01", "--dna", "pages=[1, 2]")
    assert (done.returncode, "pages: [1, 2]" in done.stdout) == (0, True), done.stderr
    slug = "round-refunds-to-the-cent"

    refused = bigmind("work", "transition", slug, "active")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "Refused. Missing:" in refused.stderr
    assert "terminal asked the brain nothing" in refused.stderr
    as_json = bigmind("work", "transition", slug, "active", "--json")
    assert (as_json.returncode, json.loads(as_json.stdout)["moved"], as_json.stderr) == (1, False, "")

    asked = json.loads(bigmind("brain", "query", f"{TITLE}: what is known?", "--json").stdout)
    session = f"memory_query_session={asked['trace']['session_id']}"
    assert asked["result"]["work"] == {"counts_for": [slug]}
    claimed = bigmind("work", "transition", slug, "active", "--fields", session, "--fields", "note=a = b")
    assert claimed.returncode == 0, claimed.stderr
    assert "held by terminal" in claimed.stdout
    written = bigmind("work", "update-dna", slug, '{"found": "half a cent"}', "due=null")
    assert written.stdout.startswith("Written: due, found."), written.stderr
    said = f"{TITLE}: banks round half to even, as the law of 1999 says to them."
    stored = json.loads(bigmind("brain", "contribute", said, "--json").stdout)
    thought = f"memory_contribution_id={stored['trace']['thought_id']}"
    refused = bigmind("work", "transition", slug, "review")
    assert "cannot tell which thought is this conversation's" in refused.stderr
    done = bigmind("work", "transition", slug, "review", "--fields", thought)
    assert done.stdout.startswith("Moved to review."), done.stderr
    assert bigmind("work", "get-task", "none-such").returncode == 1


def test_it_acts_as_the_agent_terminal_and_says_which(bigmind: Bigmind, server: Server) -> None:
    del server
    bigmind("work", "create-task", TITLE, "--type", "solo", "--slug", "pay-12", "--agent", "reviewer")
    asked = json.loads(bigmind("brain", "query", TITLE, "--agent", "reviewer", "--json").stdout)
    session = f"memory_query_session={asked['trace']['session_id']}"
    told = bigmind("work", "transition", "pay-12", "active", "--fields", session)
    assert "no question of terminal in the brain session" in told.stderr
    told = bigmind("work", "transition", "pay-12", "active", "--fields", session, "--agent", "reviewer")
    assert "held by terminal/reviewer" in told.stdout
    ledger = bigmind("work", "get-ledger", "pay-12").stdout
    assert "terminal · refused pending → active" in ledger
    assert "terminal/reviewer · pending → active as dev" in ledger


def test_what_is_no_field_is_named(bigmind: Bigmind, server: Server) -> None:
    del server
    for wrong in ("pdsa_ref", "=x", "{"):
        done = bigmind("work", "update-dna", "pay-12", wrong)
        assert (done.returncode, "name=value" in done.stderr or "JSON like" in done.stderr) == (2, True)
