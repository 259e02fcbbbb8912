"""What a hit shows: the stretch around the words, marked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.search.words import excerpt, query_terms
from tests.memory.living import Memory

FILLER = "lorem ipsum dolor sit amet " * 40


def shown(memory: Memory, content: str, query: str) -> str:
    memory("memory_flag_important", content=content, flag_reason="kept")
    return memory("memory_search_chunks", query=query).hits[0].excerpt


def test_a_short_text_is_shown_whole_with_every_hit_marked(memory: Memory):
    text = "The loom weaves; the Loom rests."
    assert shown(memory, text, "loom") == "The **loom** weaves; the **Loom** rests."


def test_of_a_long_text_the_stretch_around_the_hits_is_shown(memory: Memory):
    found = shown(memory, f"{FILLER}the canary deploys at dawn {FILLER}", "canary dawn")
    assert "the **canary** deploys at **dawn**" in found
    assert found.startswith("…")
    assert found.endswith("…")
    assert len(found) < 300


def test_the_stretch_with_the_most_hits_is_chosen(memory: Memory):
    text = f"The canary sings. {FILLER} The canary deploys at dawn. {FILLER}"
    assert "**canary** deploys at **dawn**" in shown(memory, text, "canary dawn")


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("call getUserById() first", "user", "**User**"),
        ("it lives in src/app/main.py", "main.py", "**main**.**py**"),
        ("数据库迁移在周五", "迁移", "**迁移**"),
        ("we deployed on Friday", "deploying", "**deployed**"),
        ("three databases", "database", "**database"),
        ("a naïve façade", "naive", "**naïve**"),
        ("Zürich is far", "zurich", "**Zürich**"),
        ("it is running again", "runs", "**running**"),
        ("migrations are queued", "migrate", "**migrations**"),
        ("policies of the house", "policy", "**policies**"),
    ],
)
def test_the_word_that_matched_is_marked_also_in_another_form(memory: Memory, text: str, query: str, marked: str):
    assert marked in shown(memory, text, query)


def test_a_hit_in_the_reason_alone_shows_the_beginning(memory: Memory):
    memory("memory_flag_important", content=FILLER, flag_reason="decided on brass")
    hit = memory("memory_search_chunks", query="brass").hits[0]
    assert hit.excerpt.startswith("lorem ipsum")
    assert "decided on brass" in hit.as_text()


def test_an_excerpt_is_one_line(memory: Memory):
    assert shown(memory, "one\n\ntwo\tthree\r\nfour", "two") == "one **two** three four"


@given(st.text(max_size=600), st.text(max_size=40), st.integers(20, 300))
def test_any_excerpt_is_a_piece_of_the_text(text: str, query: str, width: int):
    found = excerpt(text, query_terms(query), width)
    plain = " ".join(text.split())
    assert found.removeprefix("…").removesuffix("…").replace("*", "") in plain.replace("*", "")


@pytest.mark.parametrize("before", [0, 30_000, 900_000])
def test_of_a_megabyte_only_a_part_is_looked_through(before: int):
    text = "x " * (before // 2) + "the Needle lies here" + " y" * ((990_000 - before) // 2)
    found = excerpt(text, query_terms("needle lies " + " ".join(f"absent{number}" for number in range(30))))
    assert "**Needle** **lies** here" in found
    assert found.startswith("…") is (before > 0)
    assert found.endswith("…")
    assert len(found) < 400
