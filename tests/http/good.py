"""One good call of each operation, so that what an attack spoils would have worked without it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bigmind.core.operation import Caller
from bigmind.people.tokens import TokenKind
from tests.http.inside import Inside

Arguments = dict[str, Any]


@dataclass(frozen=True)
class Owned:
    """Ids of one user's things."""

    session: str
    fact: str
    hypothesis: str
    token: str


GOOD: dict[str, Callable[[Owned], Arguments]] = {
    "memory_start_session": lambda _: {"project": "apollo", "topics": ["guidance"], "client": "tester"},
    "memory_end_session": lambda ids: {
        "session_id": ids.session,
        "one_liner": "Tried the door",
        "topics": ["security"],
        "outcome": "It held",
        "summary": "All of it.",
        "key_facts": ["The door holds"],
        "code_refs": ["bigmind/http/guard.py"],
        "importance": 7,
    },
    "memory_flag_important": lambda ids: {
        "content": "We decided to keep the door shut",
        "flag_reason": "decision",
        "session_id": ids.session,
    },
    "memory_append_chunk": lambda ids: {
        "role": "assistant",
        "content": "The door is shut",
        "flag_reason": "finding",
        "session_id": ids.session,
    },
    "memory_get_context": lambda _: {"sessions": 5},
    "memory_get_session_detail": lambda ids: {"session_id": ids.session},
    "memory_search_chunks": lambda _: {"query": "door", "limit": 100},
    "memory_list_sessions": lambda _: {"limit": 100},
    "memory_store_fact": lambda _: {"category": "decision", "fact": "The door is shut", "confidence": 0.9},
    "memory_deprecate_fact": lambda ids: {"fact_id": ids.fact, "reason": "It opened"},
    "memory_list_facts": lambda _: {"limit": 100},
    "memory_update_profile": lambda _: {"role": "Engineer", "preferences": "Short", "pinned_facts": ["Uses Python"]},
    "memory_add_hypothesis": lambda _: {"hypothesis": "I believe the door holds because it did", "confidence": 0.8},
    "memory_resolve_hypothesis": lambda ids: {"id": ids.hypothesis, "status": "confirmed", "resolution": "It held"},
    "memory_list_hypotheses": lambda _: {"limit": 100},
    "memory_get_stats": lambda _: {},
    "memory_get_instructions": lambda _: {},
    "memory_get_profile_url": lambda _: {},
    "memory_open_profile": lambda _: {},
    "token_create": lambda _: {"client": "a-new-client", "days": 5},
    "token_list": lambda _: {},
    "token_revoke": lambda ids: {"token_id": ids.token},
    "server_status": lambda _: {},
    "server_sign_in_link": lambda _: {},
    "server_stop": lambda _: {},
}


def ask(inside: Inside, caller: Caller, name: str, **arguments: Any) -> dict[str, Any]:
    """Run an operation without any surface."""
    operation = inside.mind.dispatcher.catalogue.get(name)
    assert operation is not None
    return inside.mind.dispatcher.run(operation, caller, arguments).model_dump(mode="json")


def own_things(inside: Inside, username: str, about: str = "door") -> Owned:
    """One of each thing for a user; `about` stands in every text of it."""
    secret = inside.token(username)
    caller = inside.caller(secret)
    spare = inside.caller(inside.token(username, TokenKind.CLIENT, client=f"client-of-{about}"))
    session = ask(
        inside, caller, "memory_start_session", project=f"{about}-project", topics=[f"{about}-topic"], client=about
    )["session_id"]
    ask(
        inside,
        caller,
        "memory_flag_important",
        content=f"{about} moment",
        flag_reason=f"{about} reason",
        session_id=session,
    )
    fact = ask(inside, caller, "memory_store_fact", category=f"{about}-kind", fact=f"{about} fact")["fact"]["fact_id"]
    hypothesis = ask(inside, caller, "memory_add_hypothesis", hypothesis=f"{about} hypothesis")
    ask(
        inside,
        caller,
        "memory_update_profile",
        role=f"{about} role",
        preferences=f"{about} preference",
        pinned_facts=[f"{about} pinned"],
    )
    ask(
        inside,
        caller,
        "memory_end_session",
        session_id=session,
        one_liner=f"{about} headline",
        topics=[f"{about}-topic"],
        outcome=f"{about} outcome",
        summary=f"{about} summary",
        key_facts=[f"{about} key"],
        code_refs=[f"{about}/code.py"],
    )
    rows = ask(inside, caller, "token_list")["tokens"]
    token = next(row["token_id"] for row in rows if row["client"] == spare.client)
    return Owned(session, fact, hypothesis["hypothesis"]["hypothesis_id"], token)
