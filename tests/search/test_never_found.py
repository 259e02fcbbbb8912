"""What may not be found is in no result: not by words, not inside words, not by meaning, not beside something found."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bigmind.core.errors import BigMindError
from bigmind.core.operation import Mode, Role
from tests.memory.living import Memory, living
from tests.search.alike import Indexed, alike_in
from tests.search.hits import matched
from tests.thorough import crossed, often

KINDS = ("chunk", "session", "fact", "hypothesis", "knowledge")
USERS = ("ada", "charles", "dora")
PROJECTS = ("engine", "weaving")
QUERIES = {
    "inside a word": "erializerFact",
    "by meaning": "qqq zzz",
    "any way": "loom JsonSerializer qqq",
}
ELSEWHERE = "a project that nothing belongs to"


@dataclass
class Thing:
    """What was stored, and whether its owner, or everybody, may find it now."""

    kind: str
    uid: str
    owner: str
    project: str
    is_found: bool = True
    session: str = ""


@dataclass
class World:
    """Three people in a team, one of them a curator and one an admin, and all that they ever stored."""

    people: dict[str, Memory]
    index: Indexed
    things: list[Thing] = field(default_factory=list)

    def of_kind(self, kind: str) -> list[Thing]:
        return [each for each in self.things if each.kind == kind]

    def may_find(self, who: str, kinds: tuple[str, ...] = KINDS, project: str | None = None) -> set[str]:
        return {
            each.uid
            for each in self.things
            if each.is_found
            and each.kind in kinds
            and project in {None, each.project}
            and (each.kind == "knowledge" or each.owner == who)
        }

    # What they do. A number chooses among what there is; where there is nothing, nothing happens.

    def keep(self, who: str, number: int) -> None:
        person, project = self.people[who], PROJECTS[number % 2]
        text = f"the loom number {len(self.things)} of JsonSerializerFactory{number}"
        session = person("memory_start_session", project=project)
        kept = person("memory_flag_important", content=text, flag_reason="loom")
        fact = person("memory_store_fact", category="codebase", fact=f"A fact: {text}")
        belief = person("memory_add_hypothesis", hypothesis=f"I believe in {text}")
        person("memory_end_session", one_liner=f"About {text}"[:120], topics=["loom"], outcome="it weaves")
        entry = person("memory_promote_to_global", category="decision", title=f"No. {len(self.things)}", content=text)
        uid = session.session_id
        self.things += [
            Thing("session", uid, who, project),
            Thing("chunk", kept.chunk_id, who, project, session=uid),
            Thing("fact", fact.fact.fact_id, who, project),
            Thing("hypothesis", belief.hypothesis.hypothesis_id, who, project),
            Thing("knowledge", entry.entry.entry_id, who, entry.entry.project, entry.entry.status == "approved"),
        ]

    def deprecate_fact(self, who: str, number: int) -> None:
        if facts := [each for each in self.of_kind("fact") if each.owner == who and each.is_found]:
            thing = facts[number % len(facts)]
            self.people[who]("memory_deprecate_fact", fact_id=thing.uid, reason="no loom is used any more")
            thing.is_found = False

    def review(self, who: str, number: int) -> None:
        """By whoever may: a curator or an admin, who wrote none of its words."""
        if entries := self.of_kind("knowledge"):
            thing = entries[number % len(entries)]
            action = "deprecate" if thing.is_found else "approve"
            for reviewer in ("dora", "ada"):
                with suppress(BigMindError):  # whoever wrote it may not
                    given = {"entry_id": thing.uid, "action": action, "notes": f"{who} asked"}
                    thing.is_found = self.people[reviewer]("memory_approve_global", **given).entry.status == "approved"
                    return

    def edit(self, who: str, number: int) -> None:
        """New words wait for somebody's approval."""
        if entries := [each for each in self.of_kind("knowledge") if each.is_found]:
            thing = entries[number % len(entries)]
            content = f"another loom of JsonSerializerFactory, {number}, {len(self.things)}, for {who}"
            edited = self.people["dora"].as_person()("memory_edit_global", entry_id=thing.uid, content=content)
            assert edited.entry.status == "pending"
            thing.is_found = False

    def forget(self, who: str, number: int) -> None:
        if mine := [each for each in self.things if each.owner == who and each.kind != "knowledge"]:
            thing = mine[number % len(mine)]
            self.people[who].as_person()("memory_forget", id=thing.uid, confirm=True)
            self.things = [each for each in self.things if thing.uid not in {each.uid, each.session}]

    def catch_up(self, who: str, number: int) -> None:
        del who, number
        self.index.catch_up()

    # What they find.

    def found(self, who: str, query: str, **restricted: Any) -> set[str]:
        answer = self.people[who]("memory_semantic_search", query=query, limit=100, **restricted)
        assert answer.words_only == ""
        return {hit.id for hit in matched(answer)}

    def chunks_found(self, who: str, query: str, **restricted: Any) -> set[str]:
        answer = self.people[who]("memory_search_chunks", query=query, limit=100, **restricted)
        return {hit.chunk_id for hit in answer.hits}

    def entries_found(self, who: str, query: str) -> set[str]:
        answer = self.people[who]("memory_search_global", query=query, limit=50)
        return {hit.entry.entry_id for hit in answer.hits}

    def look(self) -> None:
        """Nothing is found that may not be, by anybody, in any way."""
        for who in ("ada", "charles"):
            for query in QUERIES.values():
                assert self.found(who, query) <= self.may_find(who)
                assert self.chunks_found(who, query) <= self.may_find(who, ("chunk",))
                assert self.entries_found(who, query) <= self.may_find(who, ("knowledge",))
            for project in (*PROJECTS, ELSEWHERE):
                assert self.found(who, QUERIES["any way"], project=project) <= self.may_find(who, project=project)

    def look_for_all(self) -> None:
        """The control: whatever may be found is found: by meaning, and without it by words, also from their middle."""
        for who in USERS:
            for query in QUERIES.values():
                assert self.found(who, query) == self.may_find(who)
        with self.index.switched_off():
            for query in ("loom", QUERIES["inside a word"]):
                answer = self.people["ada"]("memory_semantic_search", query=query, limit=100)
                assert {hit.id for hit in matched(answer)} == self.may_find("ada")
                assert answer.words_only
        for query in QUERIES.values():
            assert self.chunks_found("ada", query) == self.may_find("ada", ("chunk",))
            assert self.entries_found("ada", query) == self.may_find("ada", ("knowledge",))
        for kind in KINDS:
            assert self.found("ada", QUERIES["any way"], kinds=[kind]) == self.may_find("ada", (kind,))


@contextmanager
def world(home: Path) -> Iterator[World]:
    with living(home, Mode.TEAM) as ada, alike_in(ada) as index:
        yield World({"ada": ada, "charles": ada.of("charles"), "dora": ada.of("dora", Role.CURATOR)}, index)


DOINGS = st.lists(
    st.tuples(
        st.sampled_from((World.keep, World.deprecate_fact, World.review, World.edit, World.forget, World.catch_up)),
        st.sampled_from(USERS),
        st.integers(0, 20),
    ),
    min_size=3,
    max_size=8,
)


@settings(
    max_examples=often(5, 2), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(doings=DOINGS)
def test_whatever_is_done_only_what_one_may_find_is_found(doings: list[tuple[Any, str, int]]):
    with TemporaryDirectory() as folder, world(Path(folder) / "home") as three:
        for who in USERS:
            three.keep(who, len(who))
        three.catch_up("", 0)
        three.look_for_all()
        for does, who, number in doings:
            does(three, who, number)
            three.look()
        three.catch_up("", 0)
        three.look()
        three.look_for_all()


@pytest.mark.parametrize(
    ("does", "is_embedded"), crossed([World.deprecate_fact, World.review, World.edit, World.forget], [False, True])
)
def test_it_is_gone_at_once(home: Path, does: Any, is_embedded: bool):
    with world(home) as three:
        for who in USERS:
            three.keep(who, 1)
        three.catch_up("", 0)
        three.review("ada", 1)  # an entry of Charles' is approved
        if is_embedded:
            three.catch_up("", 0)
        three.look()
        before = {who: three.may_find(who) for who in USERS}
        does(three, "charles", 1)
        three.look()
        assert {who: three.may_find(who) for who in USERS} != before


def test_a_neighbour_of_somebody_elses_session_is_not_found(home: Path):
    """Neighbours are looked up by session and place: they are the caller's too, and within what is asked for."""
    with world(home) as three:
        ada, charles = three.people["ada"], three.people["charles"]
        for person, word in ((ada, "brass"), (charles, "steel")):
            person("memory_start_session", project="engine")
            for number in range(5):
                person("memory_flag_important", content=f"{word} wheel {number}", flag_reason="kept")
        mine = {hit.excerpt.replace("**", "") for hit in ada("memory_search_chunks", query="wheel 2", limit=100).hits}
        assert mine == {f"brass wheel {number}" for number in range(5)}
        beside = ada("memory_search_chunks", query="wheel 2", limit=100, project="weaving")
        assert beside.hits == []
