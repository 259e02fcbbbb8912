"""What came through BigMind's own bridge stands in one row: its sessions, its questions, and what it was served."""

from pathlib import Path

import pytest

from bigmind.core.client_names import named
from bigmind.trust.service import period_of, report
from bigmind.usage.keeper import keep_use
from tests.work.office import office_in


@pytest.mark.parametrize(("client", "agent"), [("bridge/cline", "cline"), ("cursor/reviewer", "cursor/reviewer")])
def test_an_agent_is_one_row_whatever_counted_it(tmp_path: Path, client: str, agent: str):
    with office_in(tmp_path / "home") as office:
        worker = office.agent(named(*client.split("/")))
        worker("memory_start_session")
        worker.ask("how do we round refunds to the cent")
        store = office.memory.mind.store
        store.host.activity.note_served(worker.memory.caller, 120)
        keep_use(store)
        with store.read(office.person.memory.caller, "test") as work:
            found = report(work, period_of(work.now, 30))
    rows = [(each.agent, each.sessions, each.questions) for each in found.agents if each.sessions or each.questions]
    assert rows == [(agent, 1, 1)]
    tokens = {each.agent: each.tokens for each in found.agents if each.tokens}
    assert set(tokens) <= {agent, agent.partition("/")[0]}
    assert sum(tokens.values()) == 120
    assert {each.client for each in found.days} == {agent.partition("/")[0]}
