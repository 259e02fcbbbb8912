"""What came through BigMind's own bridge stands in one row: its sessions, its questions, and what it was served."""

from dataclasses import replace
from pathlib import Path

import pytest

from bigmind.core.client_names import named
from bigmind.core.operation import Presence
from bigmind.people.service import mint_token
from bigmind.people.token_format import TokenKind
from bigmind.trust.service import query_of
from bigmind.trust.usage_report import usage_report
from bigmind.usage.keeper import keep_use
from tests.work.office import Worker, office_in


@pytest.mark.parametrize(("client", "agent"), [("bridge/cline", "cline"), ("cursor/reviewer", "cursor/reviewer")])
def test_an_agent_is_one_row_whatever_counted_it(tmp_path: Path, client: str, agent: str):
    with office_in(tmp_path / "home") as office:
        token, kind = client.partition("/")[0], TokenKind.BRIDGE if client.startswith("bridge") else TokenKind.CLIENT
        with office.memory.mind.store.write(office.memory.caller, "mint") as work:
            row = mint_token(work, office.memory.caller.user_id, token, kind).row
            work.session.flush()
            by = {"token_id": row.id, "presence": Presence.CLIENT}
        worker = office.agent(named(*client.split("/")))
        worker = Worker(replace(worker.memory, caller=replace(worker.memory.caller, **by)))
        worker("memory_start_session")
        worker.ask("how do we round refunds to the cent")
        store = office.memory.mind.store
        store.host.activity.note_served(worker.memory.caller, 120)
        keep_use(store)
        with store.read(office.person.memory.caller, "test") as work:
            counted = usage_report(work, query_of(work, 30, None, None, "", "")).counted
    rows = {name: each for name, each in counted.by_agent.items() if each["sessions_by_model"] or each["questions"]}
    assert {name: (each["sessions_by_model"], each["questions"]) for name, each in rows.items()} == {agent: (1, 1)}
    served = {name: each["tokens_served"] for name, each in counted.by_agent.items() if each["tokens_served"]}
    assert set(served) <= {agent, agent.partition("/")[0]}
    assert sum(served.values()) == 120
    [(name, totals)] = counted.by_client.items()
    assert (name, totals["sessions_by_model"], totals["tokens_served"]) == (agent.partition("/")[0], 1, 120)
