"""Puts the written memory into a store, by the operations that assistants call, each at its time."""

from collections.abc import Callable, Iterable
from datetime import datetime

from tests.bench.engineering.written import APART, NOW, Written
from tests.memory.living import Memory


def fill(memory: Memory, things: Iterable[Written]) -> dict[str, str]:
    """Keep them all; the name of each by its id. Moves the clock to when the questions are asked."""
    steps = [(each.at, each, KEPT_BY[each.kind]) for each in things]
    steps += [(ended(each), each, _end) for _, each, _ in steps if each.kind == "session"]
    ids: dict[str, str] = {}
    for at, each, step in sorted(steps, key=lambda step: step[0]):
        memory.clock.now = at
        ids[each.name] = step(memory.working_in(each.project).over(each.project), each, ids)
    memory.clock.now = NOW
    return {uid: name for name, uid in ids.items()}


def ended(session: Written) -> datetime:
    """When it was over: after its last moment."""
    return session.at + (len(session.told["moments"]) + 1) * APART


def _session(memory: Memory, written: Written, ids: dict[str, str]) -> str:
    del ids
    opened = memory("memory_start_session", project=written.project, topics=written.told["topics"])
    return opened.session_id


def _end(memory: Memory, written: Written, ids: dict[str, str]) -> str:
    told = written.told
    memory(
        "memory_end_session",
        session_id=ids[written.name],
        one_liner=told["headline"],
        topics=told["topics"],
        outcome=told["outcome"],
        summary=told.get("summary"),
        key_facts=told.get("facts"),
        code_refs=told.get("refs"),
    )
    return ids[written.name]


def _chunk(memory: Memory, written: Written, ids: dict[str, str]) -> str:
    told = dict(written.told)
    return memory("memory_append_chunk", session_id=ids[told.pop("session")], **told).chunk_id


def _fact(memory: Memory, written: Written, ids: dict[str, str]) -> str:
    del ids
    told = written.told
    return memory(
        "memory_store_fact", category=told["category"], fact=told["text"], project=written.project
    ).fact.fact_id


def _hypothesis(memory: Memory, written: Written, ids: dict[str, str]) -> str:
    del ids
    told = written.told
    uid = memory("memory_add_hypothesis", hypothesis=told["text"]).hypothesis.hypothesis_id
    if "resolution" in told:
        memory("memory_resolve_hypothesis", id=uid, status=told["status"], resolution=told["resolution"])
    return uid


def _knowledge(memory: Memory, written: Written, ids: dict[str, str]) -> str:
    del ids
    told = written.told
    kept = memory("memory_promote_to_global", **{name: told[name] for name in ("category", "title", "content")})
    return kept.entry.entry_id


KEPT_BY: dict[str, Callable[[Memory, Written, dict[str, str]], str]] = {
    "session": _session,
    "chunk": _chunk,
    "fact": _fact,
    "hypothesis": _hypothesis,
    "knowledge": _knowledge,
}
