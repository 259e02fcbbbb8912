"""Rows are found by their words, by what stands inside them, and while somebody types."""

from functools import partial
from random import Random

import pytest
from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.kind import Where
from bigmind.memory.tables import Fact, FactEvent
from bigmind.people.service import NOBODY
from bigmind.store.descriptions import MOST_TERMS, ChildCondition, PathCondition, Predicate, RowCondition
from bigmind.store.store import Store
from bigmind.text.words import query_terms
from tests.memory.rows import ADA, START, fact
from tests.store.contract.filling import FACTS, MINE, containing, found, put, put_sessions, remove, typed

BOB = 2


def test_a_row_is_found_by_any_of_its_words(store: Store) -> None:
    loom, mill = put(store, "The loom repeats cards.", "The mill grinds.")
    assert found(store, "cards") == [loom]
    assert sorted(found(store, "cards", "mill", "unheard")) == [loom, mill]
    assert found(store, "car") == []
    assert found(store) == []


def test_case_and_marks_on_letters_do_not_count(store: Store) -> None:
    [key] = put(store, "Ein Café in ZÜRICH.")
    assert found(store, *query_terms("cafe zurich")) == [key]


def test_parts_of_identifiers_are_words(store: Store) -> None:
    [key] = put(store, "It calls getUserById.")
    assert found(store, *query_terms("user")) == [key]


def test_a_script_without_spaces_is_found_by_what_stands_in_it(store: Store) -> None:
    [key, _] = put(store, "私は東京都に住んでいます", "私は大阪に住んでいます")
    assert found(store, *query_terms("東京"))[0] == key


def test_what_has_more_of_the_words_stands_before_what_has_less(store: Store) -> None:
    put(store, *["nothing of it"] * 20)
    both, one = put(store, "a loom and a heddle", "a loom and a wheel")
    assert found(store, "loom", "heddle") == [both, one]


def test_the_order_does_not_depend_on_how_many_are_asked_for(store: Store) -> None:
    draw = Random(1)
    words = ("loom", "weft", "warp", "yarn", "heddle")
    put(store, *[" ".join(draw.choices(words, k=draw.randint(3, 30))) for _ in range(300)])
    everything = found(store, "loom", "heddle", most=1_000)
    assert len(everything) > 200
    for most in (1, 7, 40):
        assert found(store, "loom", "heddle", most=most) == everything[:most]
    assert found(store, "loom", "heddle", most=1_000) == everything


def test_of_equal_rows_the_newest_goes_first(store: Store) -> None:
    keys = put(store, *["a loom"] * 5)
    assert found(store, "loom") == keys[::-1]


def test_a_preferred_project_goes_before_equal_ones_and_hides_nothing(store: Store) -> None:
    [mill] = put(store, "a loom", project="mill")
    others = put(store, *["a loom"] * 4, project="yard")
    assert found(store, "loom", preferred="mill") == [mill, *others[::-1]]


def test_what_does_not_meet_the_conditions_takes_nobodys_place(store: Store) -> None:
    put(store, *["loom " * 5] * 60, user_id=BOB)
    mine = put(store, *[f"a loom and many other words {number}" for number in range(3)])
    assert sorted(found(store, "loom", most=3)) == mine
    assert found(store, "loom", of=[MINE, RowCondition("project", "mill")]) == []


def test_a_condition_may_let_nothing_there_do_as_well(store: Store) -> None:
    [mill], [no_project], _ = (put(store, "a loom", project=each) for each in ("mill", None, "yard"))
    assert sorted(found(store, "loom", of=[MINE, RowCondition("project", "mill", or_null=True)])) == [mill, no_project]


def test_another_condition_may_do_as_well(store: Store) -> None:
    mine, shared, _ = (
        *put(store, "a loom"),
        *put(store, "a loom", user_id=BOB, project="everybody"),
        *put(store, "a loom", user_id=BOB),
    )
    readable = RowCondition("user_id", ADA, other=Where("project", "everybody"))
    assert sorted(found(store, "loom", of=[readable])) == [mine, shared]
    assert [sorted(keys) for keys in containing(store, "loo", of=[readable]).values()] == [[mine, shared]]
    assert _selected(store, readable) == [mine, shared]


def test_a_path_holds_for_what_lies_below_it_and_for_nothing_beside_it(store: Store) -> None:
    keys = put(store, "a loom", project="pay") + put(store, "a loom", project="pay/refunds")
    for beside in ("payments", "pay-roll", "pay0", "pa", "repay/pay", None):
        put(store, "a loom", project=beside)
    below = PathCondition("project", "pay")
    assert sorted(found(store, "loom", of=[MINE, below])) == keys
    assert _selected(store, below) == keys
    assert [below.holds(path) for path in ("pay", "pay/refunds", "payments", "pay-roll")] == [True, True, False, False]


def test_a_condition_may_ask_for_a_row_that_belongs_to_it(store: Store) -> None:
    one, other = put(store, "a loom", "a loom")
    with store.write(NOBODY, "test") as work:
        event = {"at": START, "client": "tester", "action": "stored", "confidence": 1.0}
        work.session.add(FactEvent(fact_id=one, reason="woven", **event))
        work.session.add(FactEvent(fact_id=other, reason="cut", **event))
    woven = ChildCondition("fact_event", "fact_id", "reason", "woven")
    assert found(store, "loom", of=[MINE, woven]) == [one]
    assert _selected(store, woven) == [one]


def _selected(store: Store, condition: Predicate) -> list[int]:
    """The keys of the facts that meet a condition, as an expression of their model."""
    with store.read(NOBODY, "test") as work:
        return sorted(key or 0 for key in work.session.exec(select(Fact.id).where(condition.over(Fact))))


def test_a_deleted_row_is_found_in_no_way(store: Store) -> None:
    gone, kept = put(store, "The JsonSerializerFactory.", "A JsonSerializerFactory of another kind.")
    remove(store, [gone])
    assert found(store, "jsonserializerfactory") == [kept]
    assert containing(store, "serializerf") == {"serializerf": [kept]}


def test_a_changed_row_is_found_by_its_new_words_only(store: Store) -> None:
    [key] = put(store, "The loom repeats cards.")
    with store.write(NOBODY, "test") as work:
        row = work.session.get_one(Fact, key)
        row.text, row.terms = "Levers and wheels.", ""
    assert found(store, "levers") == [key]
    assert found(store, "cards") == []
    assert containing(store, "card") == {}


def test_what_is_undone_was_never_found(store: Store) -> None:
    with store.write(NOBODY, "test") as work:
        work.session.add(fact(START, "a loom"))
        work.session.flush()
        work.session.rollback()
    assert found(store, "loom") == []
    assert store.integrity() == []


def test_a_reader_finds_what_its_snapshot_holds(store: Store) -> None:
    [first] = put(store, "a loom")
    with store.read(NOBODY, "test") as work:
        search = store.backend.full_text.search
        assert [key for key, _ in search(work.session, FACTS, ["loom"], [MINE], 9)] == [first]
        [second] = put(store, "another loom")
        assert [key for key, _ in search(work.session, FACTS, ["loom"], [MINE], 9)] == [first]
    assert sorted(found(store, "loom")) == [first, second]


def test_what_stands_inside_words_is_found_newest_first(store: Store) -> None:
    first, second, _ = put(store, "The JsonSerializerFactory.", "an XmlSERIALIZER", "serial numbers")
    assert containing(store, "serializ", "factory") == {"serializ": [second, first], "factory": [first]}
    assert containing(store, "unheard") == {}
    assert containing(store, "serializ", of=[RowCondition("user_id", BOB)]) == {}


def test_signs_inside_words_are_no_operators(store: Store) -> None:
    [key] = put(store, 'sha "a1b2*" OR 50%_off NEAR(x)')
    for piece in ('"a1b2*"', "50%_off", "near(x)"):
        assert containing(store, piece) == {piece: [key]}


def test_words_that_none_of_some_rows_has_are_told(store: Store) -> None:
    one, other = put(store, "a loom", "a mill")
    with store.read(NOBODY, "test") as work:
        unheard = store.backend.full_text.unheard
        assert unheard(work.session, "fact", ["loom", "mill", "weft"], [one]) == ["mill", "weft"]
        assert unheard(work.session, "fact", ["loom", "mill"], [one, other]) == []
        assert unheard(work.session, "fact", ["loom"], []) == ["loom"]


def test_words_are_counted_in_the_rows_of_everybody(store: Store) -> None:
    one, other = put(store, "a loom and a mill", "a loom")
    put(store, "a loom", user_id=BOB)
    with store.read(NOBODY, "test") as work:
        full_text = store.backend.full_text
        newest = full_text.newest_rows(work.session, ["fact", "chunk"])
        counted = full_text.term_counter(work.session, FACTS, newest["fact"], ["loom", "mill", "weft"])([one, other])
        many = full_text.term_counter(work.session, FACTS, 3, [f"word{each}" for each in range(MOST_TERMS + 5)])([one])
    assert newest["chunk"] == 0
    assert newest["fact"] >= 3
    assert counted.rows == newest["fact"]
    assert counted.counts == {"loom": 3, "mill": 1, "weft": 0}
    assert counted.terms == {one: {"loom", "mill"}, other: {"loom"}}
    assert len(many.counts) == MOST_TERMS


def test_the_commonest_words_are_left_out_where_rarer_ones_find_something(store: Store) -> None:
    put(store, *[f"the loom {'weft' if number % 2 else 'warp'} {'heddle' * (number < 5)}" for number in range(40)])
    with store.read(NOBODY, "test") as work:
        terms_of = store.backend.full_text.question_terms
        assert terms_of(work.session, FACTS, ["loom", "weft", "heddle"], 100).telling == ["loom", "weft", "heddle"]
        assert terms_of(work.session, FACTS, ["loom", "weft", "heddle"], 30).telling == ["weft", "heddle"]
        assert terms_of(work.session, FACTS, ["loom", "weft", "unheard"], 10).telling == ["weft", "unheard"]
        assert terms_of(work.session, FACTS, [], 10).telling == []


def test_those_words_are_told_that_stand_in_many_rows_of_everybody(store: Store) -> None:
    one, other, _ = put(store, "the loom", "the looms and the mill", "the loom of the mill")
    with store.read(NOBODY, "test") as work:
        common = partial(store.backend.full_text.common_terms, work.session, FACTS)
        assert common(["mill", "unheard", "loom"], 2, 0) == ["mill", "loom"]
        assert common(["mill", "unheard", "loom"], 3, 0) == ["loom"]
        assert common(["mill", "loom"], 2, one) == ["mill", "loom"]
        assert common(["mill", "loom"], 1, other) == ["mill", "loom"]
        assert common(["mill", "loom"], 2, other) == []
        assert common([], 1, 0) == []


def test_a_list_is_narrowed_by_the_beginnings_of_words_and_by_their_parts(store: Store) -> None:
    loom, mill, both = put_sessions(store, "Repaired the loom", "Swept the mill", "The loom in the windmill")
    assert typed(store, "lo") == [loom, both]
    assert typed(store, "mill") == [mill, both]
    assert typed(store, "oom") == [loom, both]
    assert typed(store, "il") == []
    assert typed(store, "lo mil") == [both]
    assert typed(store, "  ") == [loom, mill, both]


@pytest.mark.parametrize("text", ['"', "*", "lo*", "loom OR mill", "NEAR(", "%", "_", "\\", "-loom", "(" * 50])
def test_nothing_that_is_typed_is_an_operator(store: Store, text: str) -> None:
    loom, _ = put_sessions(store, "Repaired the loom", "Swept the mill")
    assert typed(store, text) in ([], [loom])


def test_indexes_are_made_anew_from_the_rows(store: Store) -> None:
    [key] = put(store, "The JsonSerializerFactory.")
    full_text = store.backend.full_text
    with store.alone() as connection:
        names = full_text.indexes(connection)
    assert len(names) == len(set(names)) > 0
    for name in names:
        with store.alone() as connection:
            full_text.rebuild(connection, name)
    assert found(store, "jsonserializerfactory") == [key]
    assert containing(store, "serializ") == {"serializ": [key]}
    assert store.integrity() == []


def test_indexes_are_made_anew_in_units_while_others_write(store: Store) -> None:
    keys = put(store, *(f"The JsonSerializerFactory {number}." for number in range(150)))
    full_text = store.backend.full_text
    with store.alone() as connection:
        names = full_text.indexes(connection)
    for name in names:
        for rows in full_text.renew(store.alone, store.undisturbed, name):
            keys += put(store, "A JsonSerializerFactory that is new.") if rows else []
            assert sorted(found(store, "jsonserializerfactory", most=1_000)) == keys
    assert len(keys) > 150
    assert sorted(containing(store, "serializ")["serializ"]) == keys
    store.backend.maintenance.shrink(store.alone)
    assert store.integrity() == []


def test_what_was_left_of_an_index_is_taken_away(store: Store) -> None:
    keys = put(store, *(f"The loom {number}." for number in range(150)))
    full_text = store.backend.full_text
    with store.alone() as connection:
        before = full_text.indexes(connection)
    units = full_text.renew(store.alone, store.undisturbed, "fact_fts")
    next(units)
    full_text.discard_unfinished(store.alone)
    with store.alone() as connection:
        assert full_text.indexes(connection) == before
    with pytest.raises(BigMindError) as refused:
        list(units)
    assert refused.value.code is Code.CONFLICT
    assert sorted(found(store, "loom", most=1_000)) == keys
    assert store.integrity() == []


def test_found_rows_are_read_by_their_ids_and_keys(store: Store) -> None:
    keys = put(store, "a loom", "a mill")
    with store.read(NOBODY, "test") as work:
        rows = store.backend.rows
        [first, _] = work.session.exec(select(Fact).order_by(col(Fact.id)))
        told = rows.places(work.session, "fact", ("created_at", "text"), [*keys, 99], 3, [MINE])
        assert sorted((key, begins) for key, *_, begins in told) == [(keys[0], "a l"), (keys[1], "a m")]
        assert rows.moment(told[0][3]) == first.created_at
        assert rows.with_id(work.session, "fact", first.uid, first.uid + "~", [MINE], 4) == [keys[0]]
        assert rows.with_id(work.session, "fact", "", "~", [RowCondition("user_id", BOB)], 4) == []
        assert rows.with_id(work.session, "fact", "", "~", [RowCondition("user_id", ADA)], 1) == [keys[1]]
