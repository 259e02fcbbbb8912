"""Which session a caller's words belong to is asked in the same few statements, however many callers there are."""

from dataclasses import replace

from bigmind.memory.sessions.choice import current_session, source_session
from bigmind.store.driver_statements import _prepared
from tests.memory.living import Memory

CONVERSATIONS = 20


def test_conversations_share_their_statements(memory: Memory) -> None:
    def ask(number: int) -> None:
        caller = replace(
            memory.caller,
            client=f"client-{number}",
            connection=f"connection-{number}",
            token_id=number,
            project=f"github.com/acme/shop_{number}%",
        )
        with memory.mind.store.read(caller, "test") as work:
            assert current_session(work) is source_session(work) is None

    ask(0)
    before = _prepared.cache_info().misses
    for number in range(1, CONVERSATIONS):
        ask(number)
    assert _prepared.cache_info().misses == before
