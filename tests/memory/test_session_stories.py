"""Conversations as people have them, in any order: no phantom session, none left open that was ended, nothing lost."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlmodel import select

from bigmind.memory.rules import AUTO_CLOSED
from bigmind.memory.tables import Chunk, Conversation, Fact, Hypothesis, MemorySession
from bigmind.people.service import mint_token
from bigmind.people.token_format import TokenKind
from tests.memory.living import Memory, living
from tests.thorough import often

BRIDGE = 2
"""The key of the token that a new store gives the bridge, which hooks use."""

CLIENTS = ("claude-code", "cursor")
LINES = ("a", "b", None)
"""Connections; a stateless client has none."""

numbers = count(1)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with living(tmp_path_factory.mktemp("stories") / "home", is_copy=True) as opened:
        yield opened


@dataclass
class Person:
    """A user, and what they were told is kept: words, and where they are."""

    memory: Memory
    tokens: dict[str, int]
    known: set[str] = field(default_factory=set)  # sessions that an answer named
    told: dict[str, str] = field(default_factory=dict)  # the headline that was last told of each session
    moments: dict[str, tuple[str, str]] = field(default_factory=dict)  # by their words: id, and session
    beliefs: dict[str, str] = field(default_factory=dict)  # facts and hypotheses, by their words


@dataclass
class Chat:
    """One conversation with an assistant."""

    person: Person = field(repr=False)
    client: str
    line: str | None
    key: str
    is_hooked: bool
    attended: bool | None
    by_own: bool
    session: str = ""
    is_over: bool = False

    @property
    def assistant(self) -> Memory:
        """The tools, as its model calls them."""
        line = f"{self.client} {self.line}" if self.line else None
        caller = replace(
            self.person.memory.caller, client=self.client, connection=line, token_id=self.person.tokens[self.client]
        )
        return replace(self.person.memory, caller=caller)

    def hook(self, moment: str, **more: Any) -> Any:
        """What its client's hook asks: by the client's own token, or the bridge's, over no connection."""
        token = self.person.tokens[self.client] if self.by_own else BRIDGE
        caller = replace(self.person.memory.caller, client=self.client, connection=None, token_id=token)
        return replace(self.person.memory, caller=caller)(
            f"hook_{moment}", conversation=self.key, attended=self.attended, **more
        )

    @property
    def connection(self) -> str | None:
        return self.assistant.caller.connection


def word() -> str:
    """A word that nothing else holds."""
    return f"word{next(numbers)}x"


class Stories(RuleBasedStateMachine):
    """Two people, two clients each, over connections that several chats share, or over none."""

    store: Memory

    @initialize()
    def meet(self) -> None:
        self.clock = self.store.clock
        self.clock.forward(days=2)
        self.people = [self._person() for _ in range(2)]
        self.chats: list[Chat] = []

    def _person(self) -> Person:
        memory = self.store.of(f"person {next(numbers)}")
        with memory.mind.store.write(memory.caller, "test") as work:
            minted = [mint_token(work, memory.caller.user_id, client, TokenKind.CLIENT).row for client in CLIENTS]
            work.session.flush()
            tokens = {each.client: each.id or 0 for each in minted}
        return Person(memory, tokens)

    def rows(self, person: Person, table: Any = MemorySession) -> list[Any]:
        """What the store has of somebody, oldest first."""
        with person.memory.mind.store.read(person.memory.caller, "test") as work:
            mine = select(table).where(table.user_id == person.memory.caller.user_id)
            found = list(work.session.exec(mine.order_by(table.id)))
            work.session.expunge_all()
            return found

    def open_ones(self, chat: Chat) -> list[MemorySession]:
        """The person's open sessions, the newest first."""
        found = [each for each in self.rows(chat.person) if each.ended_at is None]
        return sorted(found, key=lambda each: (each.started_at, each.id), reverse=True)

    def expected(self, chat: Chat) -> str | None:
        """The open session that a moment without an id belongs to, as memory.md says it; None: a new one."""
        found = self.open_ones(chat)
        here = [each.uid for each in found if chat.connection and each.connection == chat.connection]
        of_client = [each.uid for each in found if each.client == chat.client]
        return next(iter(here or of_client), None)

    def chat(self, data: Any, *, is_hooked: bool | None = None) -> Chat:
        """One of the conversations that go on."""
        going_on = [each for each in self.chats if not each.is_over and is_hooked in (None, each.is_hooked)]
        return data.draw(st.sampled_from(going_on), "chat")

    def goes_on(self, *, is_hooked: bool | None = None) -> bool:
        return any(not each.is_over and is_hooked in (None, each.is_hooked) for each in self.chats)

    @rule(
        who=st.integers(0, 1),
        client=st.sampled_from(CLIENTS),
        line=st.sampled_from(LINES),
        is_hooked=st.booleans(),
        attended=st.sampled_from([None, True, False]),
        by_own=st.booleans(),
    )
    def begin(
        self, who: int, client: str, line: str | None, is_hooked: bool, attended: bool | None, by_own: bool
    ) -> None:
        chat = Chat(self.people[who], client, line, f"chat {next(numbers)}", is_hooked, attended, by_own)
        self.chats.append(chat)
        self.clock.forward(seconds=1)
        if is_hooked:
            chat.hook("session_start")

    @precondition(lambda self: self.goes_on())
    @rule(data=st.data())
    def start(self, data: Any) -> None:
        chat = self.chat(data)
        self.clock.forward(seconds=1)
        opened = chat.assistant("memory_start_session")
        chat.session = opened.session_id
        assert opened.session_id not in chat.person.told, "a session that was told of is opened once more"
        chat.person.known.add(opened.session_id)

    @precondition(lambda self: self.goes_on())
    @rule(data=st.data())
    def keep(self, data: Any) -> None:
        chat, words = self.chat(data), word()
        self.clock.forward(seconds=1)
        named = {"session_id": chat.session} if chat.session and data.draw(st.booleans(), "named") else {}
        wanted, before = named.get("session_id") or self.expected(chat), len(self.rows(chat.person))
        kept = chat.assistant("memory_flag_important", content=words, flag_reason="decided", **named)
        chat.person.known.add(kept.session_id)
        chat.person.moments[words] = (kept.chunk_id, kept.session_id)
        assert wanted in (None, kept.session_id)
        # It may go on with what a hook closed.
        assert len(self.rows(chat.person)) <= before + (wanted is None)
        assert named or kept.session_id not in chat.person.told

    @precondition(lambda self: self.goes_on())
    @rule(data=st.data(), is_fact=st.booleans())
    def learn(self, data: Any, is_fact: bool) -> None:
        chat, words = self.chat(data), word()
        self.clock.forward(seconds=1)
        before = len(self.rows(chat.person))
        if is_fact:
            stored = chat.assistant("memory_store_fact", category="decision", fact=words).fact.fact_id
        else:
            stored = chat.assistant("memory_add_hypothesis", hypothesis=words).hypothesis.hypothesis_id
        chat.person.beliefs[words] = stored
        sessions = self.rows(chat.person)
        assert len(sessions) == before, "it opened a session"
        [row] = [each for each in self.rows(chat.person, Fact if is_fact else Hypothesis) if each.uid == stored]
        source = next((each for each in sessions if each.id == row.session_id), None)
        assert (source is None) == (row.session_id is None), "it comes from somebody else's"
        open_here = [each for each in sessions if each.ended_at is None and each.connection == chat.connection]
        if source is not None and source.ended_at is not None:
            assert (self.clock.now - source.ended_at).total_seconds() <= 600
            assert not (chat.connection and open_here)
        elif source is None:
            assert self.expected(chat) is None

    @precondition(lambda self: self.goes_on())
    @rule(data=st.data())
    def end(self, data: Any) -> None:
        chat, headline = self.chat(data), word()
        self.clock.forward(seconds=1)
        is_named = bool(chat.session) and data.draw(st.booleans(), "named")
        named = {"session_id": chat.session} if is_named else {}
        here = [each.uid for each in self.open_ones(chat) if chat.connection and each.connection == chat.connection]
        before = {each.uid for each in self.rows(chat.person)}
        ending = {"one_liner": headline, "topics": ["t"], "outcome": "done", **named}
        ended = chat.assistant("memory_end_session", **ending).session_id
        after = self.rows(chat.person)
        assert [each.one_liner for each in after if each.uid == ended and each.ended_at is not None] == [headline]
        if is_named:
            assert ended == chat.session
        else:
            assert ended not in chat.person.told, "it overwrites what was told"
            assert not here or ended == here[0]
        assert len({each.uid for each in after} - before) <= (not is_named)
        chat.person.known.add(ended)
        chat.person.told[ended] = headline
        if data.draw(st.booleans(), "said twice"):
            assert chat.assistant("memory_end_session", **ending).session_id == ended
            assert len(self.rows(chat.person)) == len(after)

    @precondition(lambda self: self.goes_on(is_hooked=True))
    @rule(data=st.data())
    def prompt(self, data: Any) -> None:
        self.clock.forward(seconds=1)
        self.chat(data, is_hooked=True).hook("prompt")

    @precondition(lambda self: self.goes_on(is_hooked=True))
    @rule(data=st.data(), is_silent=st.booleans())
    def stop(self, data: Any, is_silent: bool) -> None:
        self.clock.forward(seconds=1)
        self.chat(data, is_hooked=True).hook("stop", last_message="" if is_silent else f"We take {word()}.")

    @precondition(lambda self: self.goes_on(is_hooked=True))
    @rule(data=st.data())
    def leave(self, data: Any) -> None:
        """The conversation is over, as its client says."""
        chat = self.chat(data, is_hooked=True)
        self.clock.forward(seconds=1)
        chat.hook("session_end")
        chat.is_over = True
        [conversation] = [each for each in self.rows(chat.person, Conversation) if each.key == chat.key] or [None]
        if conversation is not None and conversation.session_id is not None:
            [session] = [each for each in self.rows(chat.person) if each.id == conversation.session_id]
            assert session.ended_at is not None, "it is left open, and its conversation has ended"

    @rule(much=st.sampled_from([{"minutes": 2}, {"minutes": 11}, {"hours": 2}, {"hours": 13}, {"hours": 25}]))
    def wait(self, much: dict[str, float]) -> None:
        self.clock.forward(**much)

    @invariant()
    def each_session_was_asked_for_or_says_something(self) -> None:
        for person in self.people:
            holding = {session for _, session in person.moments.values()}
            for row in self.rows(person):
                assert row.uid in person.known | holding or row.one_liner, "nobody asked for it, and it is empty"
                assert row.ended_at is None or row.one_liner, "it is closed and says nothing"

    @invariant()
    def what_was_told_stays(self) -> None:
        for person in self.people:
            headlines = {each.uid: each for each in self.rows(person)}
            assert person.told == {uid: headlines[uid].one_liner for uid in person.told}
            assert all(headlines[uid].ended_at is not None for uid in person.told), "what was ended is open"
            marked = [each for each in headlines.values() if each.one_liner.startswith(AUTO_CLOSED)]
            assert all(each.importance == 2 for each in marked)

    def teardown(self) -> None:
        """Everything that was acknowledged is found, by whose it is, and by nobody else."""
        for person, other in zip(self.people, reversed(self.people), strict=True):
            assert {(each.uid, each.content) for each in self.rows(person, Chunk)} == {
                (identifier, words) for words, (identifier, _) in person.moments.items()
            }
            beliefs = [*self.rows(person, Fact), *self.rows(person, Hypothesis)]
            assert {each.text: each.uid for each in beliefs} == person.beliefs
            for words, (identifier, session) in [*person.moments.items()][-3:]:
                hits = person.memory("memory_search_chunks", query=words).hits
                assert (hits[0].chunk_id, hits[0].session_id) == (identifier, session)
                others = other.memory("memory_search_chunks", query=words).hits
                assert all(each.chunk_id != identifier for each in others)
            for words in [*person.beliefs, *person.told.values()][-3:]:
                assert words in person.memory("memory_semantic_search", query=words).as_text()


@pytest.mark.timeout(1_800)
def test_no_story_leaves_a_phantom_or_loses_anything(store: Memory) -> None:
    machine = type("StoriesHere", (Stories,), {"store": store})
    given = settings(
        max_examples=often(200, 6),
        stateful_step_count=often(40, 30),
        phases=[Phase.reuse, Phase.generate],  # to shorten a story would take minutes; it can be read as it is
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    run_state_machine_as_test(machine, settings=given)
