"""Whoever stores something: the name of their token stands beside it, and what they call themselves behind a slash.

Generated from the catalogue: every operation that an assistant may store something with, under every name.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from bigmind.brain.rules import LONGEST_AGENT
from bigmind.core.client_names import BOTH, BRIDGE, IMPORTED, LONGEST, LONGEST_CLAIM, claim, token_name
from bigmind.core.ids import new_id
from bigmind.core.operation import Effect, Operation
from bigmind.core.plain_text import seen
from bigmind.local.headers import header_value
from bigmind.people.service import NOBODY
from bigmind.people.token_format import TokenKind
from bigmind.wiring import catalogue
from tests.http.good import GOOD, Owned, own_things
from tests.http.inside import Inside, server_inside
from tests.thorough import crossed, turn

OTHER = "claude-code"
CLAIMS = [
    OTHER,
    f"{OTHER}/reviewer",
    f"/{OTHER}",
    f"../{OTHER}",
    f"{OTHER} + cursor",
    f"import by {OTHER}",
    "bridge",
    "bridge/cursor",
    "cursor",
    "CURSOR ",
    "BigMind",
    "bigmind",
    "terminal",
    "the user, in person",
    f"2026-03-01 12:00 · {OTHER} · apollo",
    f") by {OTHER} (",
    f"**{OTHER}**",
    f"`{OTHER}`",
    f"[{OTHER}](http://localhost)",
    f"| {OTHER} |",
    "⚠ instructs its reader",
    "%2F%2F",
    "\\/\\/",
    "///",
    "-",
    "x" * 80,
    "/" * 80,
]
IN_HEADER = [each.strip() for each in CLAIMS if each.isascii() or "·" in each]
WIDE_CLAIMS = [
    *CLAIMS,
    f"{OTHER}／cursor",
    f"{OTHER}∕cursor",
    f"{OTHER}⁄cursor",
    f"{OTHER}╱cursor",
    f"{OTHER}ノcursor",
    f"{OTHER}⧸cursor",
    f"\u202e{OTHER}",
    f"\u200b{OTHER}\u2060",
    f"{OTHER}\u2028cursor",
    f"{OTHER}\n- cursor",
    f"o\u0338{OTHER}",
    "𝗰𝗹𝗮𝘂𝗱𝗲",
    "сlaude-code",
    "代理",
    "\U000e0063\U000e006c",
]


def _is_stored_with(operation: Operation) -> bool:
    return operation.effect is not Effect.READ and not operation.people_only


STORING = sorted(operation.name for operation in catalogue() if _is_stored_with(operation))
READING = sorted(each.name for each in catalogue() if each.effect is Effect.READ and not each.people_only)
CLAIMING = sorted(
    each.name for each in catalogue() if _is_stored_with(each) and "client" in each.input_model.model_fields
)


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with server_inside(tmp_path_factory.mktemp("provenance") / "home") as served:
        yield served


@pytest.fixture(scope="module")
def others(inside: Inside) -> Owned:
    """What another assistant stored."""
    things = own_things(inside, "ada")
    things.work.all()
    return things


TABLES = (
    *("session", "chunk", "fact", "fact_event", "hypothesis", "knowledge", "conversation", "change"),
    *("thought", "brain_query", "brain_session"),
    *("work_item", "work_field_value"),
)


def sources(inside: Inside) -> dict[tuple[str, Any], tuple[str, str]]:
    """Every row of the store that says which client it is of, with that client, and with all of it."""
    found: dict[tuple[str, Any], tuple[str, str]] = {}
    with inside.mind.store.read(NOBODY, "test") as work:
        for table in TABLES:
            for row in work.session.execute(text(f"SELECT * FROM {table}")).mappings():
                found[table, row["id"]] = row["client"], repr(row)
    return found


def written(before: dict[Any, tuple[str, str]], after: dict[Any, tuple[str, str]]) -> Iterator[tuple[str, str, bool]]:
    """Table and client of each row that is new or was changed, and whether it is new."""
    for key, (client, row) in after.items():
        if before.get(key, ("", ""))[1] != row:
            yield key[0], client, key not in before


def fresh(value: Any) -> Any:
    """Words that nobody stored before, so that nothing is taken for a repetition."""
    return f"{value} {new_id()}" if isinstance(value, str) and " " in value else value


def arguments(name: str, others: Owned) -> dict[str, Any]:
    return {field: fresh(value) for field, value in GOOD[name](others).items()}


def call(inside: Inside, secret: str, name: str, given: dict[str, Any], **headers: str) -> int:
    with inside.http(secret) as http:
        encoded = {key.replace("_", "-"): value.encode("latin-1") for key, value in headers.items()}
        return http.post(f"/api/v1/{name}", json=given, headers=encoded).status_code


def clients_in(answer: Any) -> Iterator[str]:
    if isinstance(answer, dict):
        for key, value in answer.items():
            if key == "client" and isinstance(value, str):
                yield value
            yield from clients_in(value)
    elif isinstance(answer, list):
        for each in answer:
            yield from clients_in(each)


KEEPING = {"fact", "knowledge", "conversation", "thought", "work_item"}
"""Whose words no assistant writes anew: they stay, and whose they are. A fact's history tells what became of it."""


def check(inside: Inside, token: str, before: dict[Any, tuple[str, str]]) -> int:
    """That all that was written since is of that token; how much it was."""
    number = 0
    for table, client, is_new in written(before, sources(inside)):
        writers = [token_name(each) for each in client.split(BOTH)]
        if table in KEEPING and not is_new:
            continue
        assert writers[-1].removeprefix(IMPORTED) == token, (table, client)
        assert client.count("/") <= 1
        assert len(client) <= LONGEST
        assert is_new is False or len(writers) == 1
        number += 1
    return number


@pytest.mark.parametrize(("name", "kind"), crossed(STORING, [kind for kind in TokenKind if not kind.is_person]))
def test_the_tokens_name_stands_beside_what_is_stored_whatever_is_claimed(
    inside: Inside, others: Owned, name: str, kind: TokenKind
):
    token = BRIDGE if kind is TokenKind.BRIDGE else "cursor"
    secret = inside.token(kind=kind, client=token)
    before = sources(inside)
    if name == "hook_session_end":  # ends what began
        call(inside, secret, "hook_session_start", {"conversation": f"{name} {token}"})
    for claimed in turn(IN_HEADER, STORING.index(name), 3):
        given = arguments(name, others)
        if "conversation" in given:
            given["conversation"] = f"{name} {token}"
        call(inside, secret, name, given, BigMind_Client=claimed)
    assert check(inside, token, before) or name in WITHOUT_ROWS


WITHOUT_ROWS = {
    "hook_given",
    "memory_export",
    "memory_open_profile",
    "memory_vacuum",
    "memory_approve_global",
    "memory_resolve_hypothesis",
    "memory_deprecate_fact",
    # Refused to who does not hold the node, and, repeated, to everybody.
    "mindspace_submit_output",
    "mindspace_book_transition",
    "mindspace_record_gate",
    "work_transition",
    # Refused to who did not begin the run, or reads only.
    "advance_phase",
    "get_blocked_reason",
    "protocol_read_text",
    "record_evidence",
    "session_end",
    "validate_gate",
}
"""What leaves no words in the memory, or is refused when it is repeated: see the test of what another began."""


@pytest.mark.parametrize("name", CLAIMING)
def test_a_name_that_is_an_input_stands_behind_the_slash_too(inside: Inside, others: Owned, name: str):
    secret = inside.token(kind=TokenKind.CLIENT, client="cursor")
    before = sources(inside)
    shown = [each for each in WIDE_CLAIMS if seen(each)]
    for claimed in WIDE_CLAIMS:
        given = arguments(name, others) | {"client": claimed}
        assert call(inside, secret, name, given) == (200 if claimed in shown else 422), claimed
    assert check(inside, "cursor", before) >= len(shown) > len(WIDE_CLAIMS) / 2


def test_the_id_that_an_agent_gives_itself_over_plain_http_stands_behind_the_slash_too(inside: Inside):
    secret = inside.token(kind=TokenKind.CLIENT, client="cursor")
    before = sources(inside)
    with inside.http(secret) as http:
        for claimed in (each for each in WIDE_CLAIMS if len(each) <= LONGEST_AGENT):
            given = {"prompt": fresh("Learned: the door holds because it was oiled"), "agent_name": "Claude Code"}
            answered = http.post("/api/v1/memory", json=given | {"agent_id": claimed})
            assert answered.status_code == 200, (claimed, answered.text)
    assert check(inside, "cursor", before) >= len(WIDE_CLAIMS)


CONTRIBUTED = "Learned: the gate holds because it was oiled"


def as_agent(inside: Inside, secret: str, agent: str, **more: str) -> str:
    """The source of a thought that was contributed with that name in the header."""
    with inside.http(secret) as http:
        headers = {"BigMind-Agent": header_value(agent), **more}
        answered = http.post("/api/v1/contribute_to_brain", json={"prompt": fresh(CONTRIBUTED)}, headers=headers)
        assert answered.status_code == 200, (agent, answered.text)
    with inside.mind.store.read(NOBODY, "test") as work:
        return work.session.execute(text("SELECT client FROM thought ORDER BY rowid DESC LIMIT 1")).scalar_one()


@pytest.mark.parametrize("kind", [kind for kind in TokenKind if kind is not TokenKind.UI])
def test_the_name_that_an_agent_gives_itself_in_the_header_stands_behind_the_slash(inside: Inside, kind: TokenKind):
    secret = inside.token(kind=kind)
    before = sources(inside)
    for claimed in WIDE_CLAIMS:
        assert token_name(as_agent(inside, secret, claimed)) == kind.value
    assert check(inside, kind.value, before) >= len(WIDE_CLAIMS)
    assert as_agent(inside, secret, "reviewer") == f"{kind.value}/reviewer"
    assert as_agent(inside, secret, "prüfer 代理") == f"{kind.value}/prüfer 代理"


def test_the_agent_comes_before_the_client_but_behind_the_bridges_token(inside: Inside):
    """Whose clients share it: by their names BigMind keeps its books."""
    for kind, wanted in ((TokenKind.CLIENT, "client/reviewer"), (TokenKind.BRIDGE, "bridge/vim")):
        secret = inside.token(kind=kind)
        assert as_agent(inside, secret, "reviewer", **{"BigMind-Client": "vim"}) == wanted


def test_long_names_of_agents_stay_apart_and_hold_no_secret(inside: Inside):
    secret = inside.token(kind=TokenKind.CLIENT)
    one, other = (as_agent(inside, secret, f"{'reviewer of everything ' * 3}{number}") for number in (1, 2))
    assert one != other
    assert max(len(one), len(other)) <= LONGEST
    key = "ghp_" + "".join(chr(97 + (7 * number) % 26) + str(number % 10) for number in range(18))
    assert key[:12] not in as_agent(inside, secret, key)


def test_two_names_of_agents_in_one_request_are_refused(inside: Inside):
    with inside.http(inside.token(kind=TokenKind.CLIENT)) as http:
        doubled = [("BigMind-Agent", "one"), ("BigMind-Agent", "two")]
        answered = http.post("/api/v1/memory_list_facts", json={}, headers=doubled)
    assert answered.status_code == 400
    assert "bigmind-agent" in answered.text


def test_what_is_recalled_names_tokens_only(inside: Inside, others: Owned):
    tokens = {"cli", "client", "cursor", "client-of-door", BRIDGE}  # the last but one handed work over
    secret = inside.token(kind=TokenKind.CLIENT, client="cursor")
    for claimed in IN_HEADER[:3]:
        for name in STORING:
            call(inside, secret, name, arguments(name, others), BigMind_Client=claimed)
    found: set[str] = set()
    for name in READING:
        with inside.http(secret) as http:
            answer = http.post(f"/api/v1/{name}", json=GOOD[name](others))
        for client in clients_in(answer.json()):
            found |= {token_name(each).removeprefix(IMPORTED) for each in client.split(BOTH)}
    assert "cursor" in found
    assert found <= tokens


@pytest.mark.parametrize("claimed", WIDE_CLAIMS)
def test_a_claim_is_bounded_and_imitates_no_other_form(claimed: str):
    said = claim(claimed)
    assert len(said) <= LONGEST_CLAIM
    assert not set(said) & set("/\\·[]()*`⚠|+<>,:\n")
    assert said == said.strip()
    assert claim(said) == said


def test_what_one_began_and_another_wrote_is_told_as_of_the_one_who_wrote_it(home: Path):
    with server_inside(home) as inside:
        theirs = own_things(inside, "ada")
        secret = inside.token(kind=TokenKind.CLIENT, client="cursor")
        for name in ("memory_end_session", "memory_resolve_hypothesis"):
            before = sources(inside)
            assert call(inside, secret, name, GOOD[name](theirs)) == 200
            assert check(inside, "cursor", before)
        clients = {key[0]: client for key, (client, _) in sources(inside).items()}
        assert (clients["session"], clients["hypothesis"]) == ("cursor", f"cli{BOTH}cursor")


@pytest.mark.parametrize("name", ["a/b", "cursor/Claude", "/", "import by cursor", "Import by x", "a + b"])
def test_no_token_is_called_like_a_claim(inside: Inside, name: str):
    secret = inside.token(kind=TokenKind.CLI)
    with inside.http(secret) as http:
        answer = http.post("/api/v1/token_create", json={"client": name})
    assert (answer.status_code, answer.json()["fields"][0]["field"]) == (422, "client")


def test_an_older_token_with_a_slash_in_its_name_claims_nothing(inside: Inside):
    assert inside.caller(inside.token(kind=TokenKind.CLIENT, client="cursor/Claude")).client == "cursor-Claude"
