"""What an answer of each default tool costs a model: as the JSON that several clients hand on, and as its text."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bigmind.core.toolsets import DEFAULT_TOOLS
from bigmind.people.token_format import TokenKind
from tests.bench.corpus import questions, texts
from tests.bench.report import Table, ratio
from tests.http.good import GOOD, Owned, ask
from tests.http.inside import Inside, server_inside
from tests.memory.oracle import o200k

MANY = 40
"""Of each kind of thing in the store, and a quarter as many sessions."""


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """Each default tool once, on a filled store."""
    del quick
    table = Table("Tokens of an answer (o200k)", ("tool", "as JSON, before", "as text, now", "ratio"))
    with server_inside(folder / "home") as inside:
        ids = _fill(inside)
        token, before, after = inside.token(kind=TokenKind.CLIENT, client="bench"), 0, 0
        for name in DEFAULT_TOOLS:
            told = inside.rpc(token, "tools/call", name=name, arguments=_arguments(name, ids))["result"]
            data = json.dumps(told["structuredContent"], ensure_ascii=False, separators=(",", ":"))
            as_json, as_text = o200k(data), o200k(told["content"][0]["text"])
            before, after = before + as_json, after + as_text
            table.add(f"`{name}`", f"{as_json:,}", f"{as_text:,}", ratio(as_text, as_json))
        table.add("all of them", f"{before:,}", f"{after:,}", ratio(after, before))
    table.notes.append(
        f"A store of {MANY} facts, moments, hypotheses and entries of company knowledge, and {MANY // 4} sessions with "
        "detail. JSON is structured content as it is sent where the address asks for it, which is what a client that "
        "hands it on gave its model before."
    )
    yield table


def _fill(inside: Inside) -> Owned:
    caller, words = inside.caller(inside.token()), texts(12)
    fact = belief = session = ""
    for number in range(MANY):
        if number % 4 == 0:
            session = ask(inside, caller, "memory_start_session", project="bench")["session_id"]
        moment = {"content": next(words), "flag_reason": "decision", "session_id": session}
        ask(inside, caller, "memory_flag_important", **moment)
        text = next(words)[:160]
        fact = ask(inside, caller, "memory_store_fact", category="codebase", fact=text)["fact"]["fact_id"]
        added = ask(inside, caller, "memory_add_hypothesis", hypothesis=next(words)[:160])
        belief = added["hypothesis"]["hypothesis_id"]
        entry = {"category": "pattern", "title": f"Pattern {number}", "content": next(words)[:400]}
        ask(inside, caller, "memory_promote_to_global", **entry)
        if number % 4 == 3:
            summed: dict[str, Any] = {"summary": next(words), "key_facts": [next(words)[:100] for _ in range(3)]}
            ended = {"one_liner": next(words)[:100], "topics": ["bench"], "outcome": next(words)[:100]}
            ask(inside, caller, "memory_end_session", session_id=session, **ended, **summed)
    return Owned(session, fact, belief, "", "", "")


def _arguments(name: str, ids: Owned) -> dict[str, Any]:
    if name == "memory_semantic_search":
        return {"query": next(questions(12))}
    return GOOD[name](ids)
