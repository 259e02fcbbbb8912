"""No text that a client gets names a tool that it is not offered, whatever its toolsets and what is switched off."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bigmind.clients.connecting import plan_install
from bigmind.clients.files.locations import Places, System
from bigmind.clients.install_site import Site
from bigmind.clients.targets.claude_code import CLAUDE_CODE
from bigmind.core.ids import new_id
from bigmind.core.operation import NO_TOOLS, Caller, Surface
from bigmind.core.toolsets import Toolset
from bigmind.people.token_format import TokenKind
from bigmind.wiring import catalogue
from tests.http.good import GOOD, Owned, ask, own_things, private_thought
from tests.http.inside import Inside, server_inside
from tests.http.owned_work import Maker, OwnedWork
from tests.thorough import spread

CLIENT = "claude-code"
TOOLS = [each.name for each in catalogue().on(Surface.MCP)]
NAMED = re.compile(
    r"\b(?:(?:memory|brain|work|mindspace|directory)_[a-z_]+|query_brain|contribute_to_brain|session_(?:start|end)\b"
    r"|validate_gate|advance_phase|record_evidence|get_blocked_reason)"
)
PROMPTS = {
    "bigmind_init": {},
    "bigmind_end": {},
    "bigmind_recall": {"topic": "doors"},
    "work_begin": {},
    "work_end": {},
}
MANY = 12
"""Things of a kind: more than the context shows."""

LEFT_ALONE = {"memory_export", "memory_import", "memory_vacuum", "memory_open_profile", "memory_approve_global"}
"""Called in no story: their answers name no tool whatever they are given, or end the story for those that follow."""

_CHANCE = random.Random(12)
CASES: list[tuple[str, list[str]]] = [
    *((each.value, []) for each in Toolset if each is not Toolset.MEMORY),
    *((f"default,{each}", []) for each in ("work", "mindspace", "protocol")),
    ("brain,work", ["work_transition"]),
    ("default,brain", ["memory_semantic_search"]),
    *(("all", sorted(_CHANCE.sample(TOOLS, count))) for count in (4, 16)),
    ("default", sorted(_CHANCE.sample(TOOLS, 12))),
]


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with server_inside(tmp_path_factory.mktemp("named") / "home") as started:
        fill(started)
        yield started


def fill(inside: Inside) -> None:
    """More of each kind than the context can show."""
    caller = inside.caller(inside.token())
    own_things(inside, "ada")
    long = " that is told at some length, so that a few of its kind take all the room there is for them" * 2
    for number in range(MANY):
        about = {"project": "apollo"} if number % 2 else {}
        ask(inside, caller, "memory_store_fact", category="codebase", fact=f"Fact {number} {new_id()}{long}", **about)
        ask(inside, caller, "memory_add_hypothesis", hypothesis=f"Belief {number} {new_id()}{long}")
        ask(
            inside,
            caller,
            "memory_promote_to_global",
            category="pattern",
            title=f"Pattern {number}",
            content=f"{new_id()}{long}",
        )
        opened = ask(inside, caller, "memory_start_session", project="apollo")["session_id"]
        ended = {"one_liner": f"Session {number}{long}"[:120], "topics": ["story"], "outcome": long, "summary": long}
        ask(inside, caller, "memory_end_session", session_id=opened, **ended)


@pytest.mark.parametrize(
    ("toolsets", "off"), spread(CASES, 2), ids=lambda each: each if isinstance(each, str) else len(each)
)
def test_no_text_names_a_tool_that_its_reader_is_not_offered(
    inside: Inside, tmp_path: Path, toolsets: str, off: list[str]
) -> None:
    person = inside.caller(inside.token())
    inside.host.settings.change({"tools_off": off})
    ask(inside, person, "clients_toolsets", client=CLIENT, toolsets=toolsets)
    token = inside.token(kind=TokenKind.CLIENT, client=CLIENT)
    offered = {each["name"] for each in inside.rpc(token, "tools/list")["result"]["tools"]}
    assert offered.isdisjoint(off)
    texts = {
        **from_the_server(inside, token),
        **from_tools(inside, person, token),
        **from_files(inside, person, tmp_path),
        **from_hooks(inside),
    }
    # Who called a tool may read its name again.
    beyond = {
        where: sorted({*NAMED.findall(text)} - offered - {where.partition(",")[0], *NO_TOOLS, *PROMPTS})
        for where, text in texts.items()
    }
    assert {where: names for where, names in beyond.items() if names} == {}
    if "memory_start_session" in offered:
        assert all("memory_start_session" in texts[each] for each in ("instructions", "file", "hook_session_start"))


def from_the_server(inside: Inside, token: str) -> dict[str, str]:
    """What is told without any tool: instructions, definitions, prompts, resources."""
    about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    texts = {"instructions": inside.rpc(token, "initialize", **about)["result"]["instructions"]}
    for each in inside.rpc(token, "tools/list")["result"]["tools"]:
        texts[f"definition of {each['name']}"] = str(each)
    listed = {each["name"] for each in inside.rpc(token, "prompts/list")["result"]["prompts"]}
    for name, arguments in PROMPTS.items():
        said = inside.rpc(token, "prompts/get", name=name, arguments=arguments)
        assert ("result" in said) == (name in listed), said
        if "result" not in said:
            assert said["error"]["message"].startswith(f"Not offered: {name} has no step")
            continue
        texts[name] = said["result"]["messages"][0]["content"]["text"]
        assert "\n1. " in texts[name], name
    uris = ("memory://context", "memory://profile", "memory://hypotheses", "memory://knowledge")
    for uri in (*uris, "brain://highways", "brain://domains"):
        texts[uri] = inside.rpc(token, "resources/read", uri=uri)["result"]["contents"][0]["text"]
    return texts


def from_tools(inside: Inside, person: Caller, token: str) -> dict[str, str]:
    """Every answer of a story: each tool with good input, with an id that is nobody's, and with none."""
    ids = some_things(inside, person)
    texts: dict[str, str] = {}
    for name in [each for each in TOOLS if each not in LEFT_ALONE]:
        good = GOOD[name](ids)
        stray = {
            field: new_id()
            for field in good
            if (field.endswith("id") or field == "slug") and isinstance(good[field], str)
        }
        for called, arguments in {"good": good, "stray": good | stray, "bad": {"no": "such field"}}.items():
            texts[f"{name}, {called}"] = told(inside, token, name, arguments)
    for target in ("active", "ready", "complete"):  # all that is missing, and what mends it
        texts[f"work_transition, {target}"] = told(
            inside, token, "work_transition", {"slug": ids.work.task, "to": target}
        )
    texts["no tool"] = told(inside, token, "zzz", {})
    for fact in ("The door is open", "The door is shut on Mondays"):  # beside those that say about the same
        told_of = {"category": "decision", "fact": fact}
        texts[f"memory_store_fact, {fact}"] = told(inside, token, "memory_store_fact", told_of)
    return texts


def told(inside: Inside, token: str, name: str, arguments: dict[str, Any]) -> str:
    text = inside.rpc(token, "tools/call", name=name, arguments=arguments)["result"]["content"][0]["text"]
    return "" if "switched off" in text else text


def some_things(inside: Inside, person: Caller) -> Owned:
    """Things that a story may change or end."""
    session = ask(inside, person, "memory_start_session", project="apollo")["session_id"]
    ask(inside, person, "memory_flag_important", content="The door", flag_reason="decision", session_id=session)
    fact = ask(inside, person, "memory_store_fact", category="decision", fact=f"The door {new_id()}")["fact"]
    belief = ask(inside, person, "memory_add_hypothesis", hypothesis=f"I believe {new_id()}")["hypothesis"]
    thought, noise = (private_thought(inside, person, f"door {which}") for which in ("thought", "noise"))
    work = OwnedWork(Maker(inside, person, replace(person, client="claude-desktop"), f"door {new_id()[-8:]}"))
    return Owned(session, fact["fact_id"], belief["hypothesis_id"], "", new_id(), "", thought, noise, work)


def from_files(inside: Inside, person: Caller, folder: Path) -> dict[str, str]:
    """What an install would write for the client."""
    places = Places(System.LINUX, folder)
    with inside.mind.store.read(person, "test") as work:
        plan = plan_install(work, Site(CLAUDE_CODE, places))
    written = "\n".join((each.after or b"").decode() for each in plan.changes if each.path.suffix == ".md")
    assert written
    return {"file": written}


def from_hooks(inside: Inside) -> dict[str, str]:
    """What a whole conversation is told by hooks."""
    bridge, key = inside.token(kind=TokenKind.BRIDGE), new_id()
    texts: dict[str, str] = {}
    with inside.http(bridge, headers={"BigMind-Client": CLIENT}) as http:
        for hook, more in (
            ("hook_session_start", {"source": "startup"}),
            *(("hook_prompt", {}) for _ in range(12)),
            ("hook_pre_compact", {}),
            ("hook_edit", {}),
            ("hook_stop", {"last_message": "It holds.", "attended": True}),
        ):
            said = http.post(f"/api/v1/{hook}", json={"conversation": key, **more}).json()
            texts[hook] = f"{texts.get(hook, '')}\n{said.get('context', '')}\n{said.get('hold', '')}"
    return texts
