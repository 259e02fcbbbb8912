"""A person pins things to the context, hides them there, and takes both back; no agent does."""

from pathlib import Path

from bigmind.core.errors import Code
from bigmind.core.operation import Mode, Role
from tests.memory.living import Memory, living


def things(memory: Memory) -> dict[str, str]:
    """One of each kind that the context can show; their ids."""
    session = memory("memory_start_session").session_id
    fact = memory("memory_store_fact", category="decision", fact="Brass wheels turn the mill").fact.fact_id
    guess = memory("memory_add_hypothesis", hypothesis="Steam would turn it faster").hypothesis.hypothesis_id
    entry = memory("memory_promote_to_global", category="standard", title="Cards", content="They are punched.")
    memory("memory_end_session", one_liner="Turned the mill", topics=[], outcome="It turned.")
    return {"fact": fact, "hypothesis": guess, "session": session, "knowledge": entry.entry.entry_id}


def test_every_kind_is_pinned_and_hidden_by_its_id_or_the_beginning_of_it(memory: Memory, person: Memory):
    for kind, uid in things(memory).items():
        for placement in ("pinned", "hidden", "automatic"):
            answer = person("memory_place", kind=kind, id=uid[:8], placement=placement)
            assert (answer.kind, answer.id, answer.placement) == (kind, uid, placement)
            assert uid[:8] in answer.as_text()


def test_it_counts_as_no_change_of_what_the_thing_says(memory: Memory, person: Memory):
    uid = things(memory)["fact"]
    before = memory("memory_list_facts").facts[0].updated_at
    memory.clock.forward(minutes=5)
    person("memory_place", kind="fact", id=uid, placement="hidden")
    assert memory("memory_list_facts").facts[0].updated_at == before


def test_an_agent_is_refused_whoever_it_works_for(memory: Memory):
    uid = things(memory)["fact"]
    assert memory.refuses("memory_place", kind="fact", id=uid, placement="hidden").code is Code.FORBIDDEN


def test_what_stands_in_no_context_anyway_cannot_be_placed(memory: Memory, person: Memory):
    ids = things(memory)
    memory("memory_deprecate_fact", fact_id=ids["fact"], reason="It rusts")
    memory("memory_resolve_hypothesis", id=ids["hypothesis"], status="refuted", resolution="It does not")
    for kind in ("fact", "hypothesis"):
        assert person.refuses("memory_place", kind=kind, id=ids[kind], placement="pinned").code is Code.CONFLICT


def test_in_a_team_company_knowledge_is_placed_by_curators(home: Path):
    with living(home, Mode.TEAM) as memory:
        entry = memory("memory_promote_to_global", category="standard", title="Cards", content="They are punched.")
        uid = entry.entry.entry_id
        curator, member = (
            memory.of(name, role).as_person() for name, role in (("bob", Role.CURATOR), ("eve", Role.MEMBER))
        )
        curator("memory_approve_global", entry_id=uid, action="approve")
        given = {"kind": "knowledge", "id": uid, "placement": "hidden"}
        assert member.refuses("memory_place", **given).code is Code.FORBIDDEN
        assert curator("memory_place", **given).placement == "hidden"
