"""An id of another kind is refused with what it is the id of, so that the next call is the right one."""

import pytest

from bigmind.core.errors import Code
from tests.memory.living import Memory

PAY = "Learned: the acquirer rounds each line of a refund, because banks settle the rounded lines."


@pytest.fixture
def ids(memory: Memory) -> dict[str, str]:
    """One thing of each kind that answers name by an id."""
    session = memory("memory_start_session", project="pay").session_id
    return {
        "session": session,
        "fact": memory("memory_store_fact", category="decision", fact="Pay is deployed on Tuesdays.").fact.fact_id,
        "hypothesis": memory("memory_add_hypothesis", hypothesis="The lock is lost at night.").hypothesis.hypothesis_id,
        "thought": memory("contribute_to_brain", prompt=PAY, space="private").trace.thought_id,
        "moment": memory("memory_flag_important", content="Keep the lock", flag_reason="decision").chunk_id,
    }


@pytest.mark.parametrize(
    ("operation", "field", "kind", "more"),
    [
        ("memory_deprecate_fact", "fact_id", "hypothesis", {"reason": "moved"}),
        ("memory_deprecate_fact", "fact_id", "moment", {"reason": "moved"}),
        ("memory_resolve_hypothesis", "id", "fact", {"status": "refuted", "resolution": "seen"}),
        ("memory_get_session_detail", "session_id", "thought", {}),
        ("brain_get_thought", "id", "session", {}),
    ],
)
def test_it_is_said_what_it_is(
    memory: Memory, ids: dict[str, str], operation: str, field: str, kind: str, more: dict[str, str]
):
    for reference in (ids[kind], ids[kind][:8]):
        refused = memory.refuses(operation, **{field: reference}, **more)
        assert refused.code is Code.NOT_FOUND
        assert f"{ids[kind][:8]} is the id of a {kind}." in refused.hint


def test_of_others_nothing_is_said(memory: Memory, ids: dict[str, str]):
    bob = memory.of("bob")
    for each in ids.values():
        told = bob.refuses("memory_deprecate_fact", fact_id=each, reason="moved")
        nothing = bob.refuses("memory_deprecate_fact", fact_id="0" * 8, reason="moved")
        assert (told.code, told.hint) == (nothing.code, nothing.hint)


def test_an_id_is_taken_as_answers_show_it(memory: Memory, ids: dict[str, str]):
    memory("memory_deprecate_fact", fact_id=f"`{ids['fact'][:8]}`", reason="moved")
