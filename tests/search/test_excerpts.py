"""What a hit shows: the stretch around the words, marked."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.text.excerpts import SearchedWords, excerpt, stretches
from bigmind.text.substrings import pieces
from bigmind.text.word_edges import is_edge
from bigmind.text.words import query_terms
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


@pytest.mark.parametrize("lines", [60, 600])  # more hits than are looked at; more text than is looked through
@pytest.mark.parametrize("query", ["trace=9f00b0a5", "trace 9f00b0a5", "worker-1 checkout trace=9f00b0a5"])
def test_of_a_log_the_line_with_the_id_is_shown(lines: int, query: str):
    text = "\n".join(
        f"12:00:{n % 60:02} worker-{n % 4} checkout trace=9f{n:06x} took {n} ms" for n in range(lines, 0, -1)
    )
    line = "12:01:00 worker-9 checkout trace=9f00b0a5 took 7 ms"
    found = excerpt(f"{text}\n{line}\n{text}", SearchedWords(query_terms(query)))
    assert "=**9f00b0a5** took 7 ms" in found.text
    assert "9f00b0a5" in found.marked


def test_capitals_that_take_two_small_letters_move_no_hit():
    text = f"{'İSTANBUL ' * 900}see PROJ-123456 there {'x y z ' * 400}"
    assert "123456" in excerpt(text, SearchedWords(query_terms("PROJ-123456"))).text


def test_of_equally_many_hits_those_of_most_words_are_shown():
    text = f"loom loom loom {FILLER} the loom has a shuttle {FILLER} loom, loom"
    assert "loom** has a **shuttle" in excerpt(text, SearchedWords(["loom", "shuttle"])).text


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("call getUserById() first", "user", "**User**"),
        ("it lives in src/app/main.py", "main.py", "**main.py**"),
        ("数据库迁移在周五", "迁移", "**迁移**"),
        ("we deployed on Friday", "deploying", "**deployed**"),
        ("three databases", "database", "**database"),
        ("a naïve façade", "naive", "**naïve**"),
        ("Zürich is far", "zurich", "**Zürich**"),
        ("it is running again", "runs", "**running**"),
        ("migrations are queued", "migrate", "**migrations**"),
        ("policies of the house", "policy", "**policies**"),
        ("it is in S3 and in getS3Url, says us", "S3", "in **S3** and in get**S3**Url, says us"),
        ("an artist will start art", "art", "an artist will start **art**"),
        ("HTTPServerError2 in the server", "server", "HTTP**Server**Error2 in the **server**"),
        ("sie ge\u0308hen u\u0308ber Bru\u0308cken", "brücken", "**Bru\u0308cken**"),
        ("the key e\u0301le\u0301phant", "ele", "**e\u0301le\u0301phant**"),
        ("JsonSerializerFactory", "erializerfac", "Json**SerializerFactory**"),
        ("数据库迁移在周五", "数据库", "**数据库**迁移"),
    ],
)
def test_the_word_that_matched_is_marked_also_in_another_form(memory: Memory, text: str, query: str, marked: str):
    assert marked in shown(memory, text, query)


@pytest.mark.parametrize(
    ("text", "terms", "told"),
    [
        (
            "run **migrations** first, deploy then",
            ["migrations", "deploy"],
            "run **migrations** first, **deploy** then",
        ),
        ("**migrations first** then", ["migrations"], "**migrations first** then"),
        ("then **run migrations now** ok", ["migrations", "ok"], "then **run migrations now** **ok**"),
        ("2 ** 3 ** 4 is power", ["power", "3"], "2 ** **3** ** 4 is **power**"),
    ],
)
def test_what_stands_in_bold_gets_no_marks_of_its_own(text: str, terms: list[str], told: str):
    assert excerpt(text, SearchedWords(terms)).text == told


def test_a_hit_in_the_reason_alone_shows_the_beginning(memory: Memory):
    memory("memory_flag_important", content=FILLER, flag_reason="decided on brass")
    hit = memory("memory_search_chunks", query="brass").hits[0]
    assert hit.excerpt.startswith("lorem ipsum")
    assert "decided on brass" in hit.as_text()


def test_an_excerpt_is_one_line(memory: Memory):
    assert shown(memory, "one\n\ntwo\tthree\r\nfour", "two") == "one **two** three four"


@pytest.mark.parametrize("before", range(200, 245))
def test_no_hit_is_cut_at_the_end(before: int):
    text = f"loom {'x' * before} naps in the afternoon {FILLER}"
    found = excerpt(text, SearchedWords(["loom", "naps"]))
    assert found.marked in (["loom"], ["loom", "naps"])
    assert ("**naps**" in found.text) is ("naps" in found.marked)
    assert not re.search(r"\*\*n(?:a|ap)?\*\*", found.text)


@pytest.mark.parametrize("width", range(40, 70))
def test_no_hit_is_cut_at_the_beginning(width: int):
    text = f"{FILLER}serialization{' loom and' * 10} {FILLER}"
    found = excerpt(text, SearchedWords(["serialization", "loom"]), width=width)
    before = found.text.split("**loom**")[0]
    assert ("**serialization**" in before) is ("ation" in before)


@pytest.mark.parametrize("shift", range(12))
@pytest.mark.parametrize("sought", [SearchedWords(["needle"]), SearchedWords([])])
def test_an_excerpt_begins_and_ends_with_a_whole_word(shift: int, sought: SearchedWords):
    fox = "The quick brown fox_2 considered alternatives. "
    text = f"{'x' * shift} {fox * 20}NEEDLE is late. {fox * 20}"
    words = excerpt(text, sought, (300 + shift, 400)).text.strip("…").replace("**", "").split()
    assert set(words) <= {*text.split()}
    assert len(words) >= 30


@pytest.mark.parametrize("shift", range(6))
def test_an_excerpt_without_blanks_near_its_ends_is_as_long_as_ever(shift: int):
    for unit in ("数据库迁移在周五晚上", "abcdefghij"):
        text = f"{'数' * shift}{unit * 80} loom {unit * 80}"
        assert len(excerpt(text, SearchedWords([]), (400, 500)).text) == 242
    text = f"{'数据 ' * 200}loom{' 迁移' * 200}"
    assert len(excerpt(text, SearchedWords([]), (201 + shift, 300)).text) >= 240


def test_of_a_hit_longer_than_any_excerpt_the_beginning_is_marked():
    unit = "数据库迁移在周五晚上"
    found = excerpt(f"{FILLER} {unit * 500} {FILLER}", SearchedWords([], [unit]))
    assert f"**{unit * 10}" in found.text
    assert found.text.endswith("**…")
    assert len(found.text) < 300


@given(
    st.lists(st.sampled_from(["naps", "loom", "serializer", "x", "."]), min_size=40, max_size=120), st.integers(20, 300)
)
def test_what_is_marked_is_always_a_whole_hit(words: list[str], width: int):
    found = excerpt(" ".join(words), SearchedWords(["naps", "loom", "serializer"]), width=width)
    assert set(found.marked) <= {"naps", "loom", "serializer"}


@given(st.text(max_size=600), st.text(max_size=40), st.integers(20, 300))
def test_any_excerpt_is_a_piece_of_the_text(text: str, query: str, width: int):
    found = excerpt(text, SearchedWords(query_terms(query), pieces(query)), width=width).text
    plain = " ".join(text.split())
    assert found.removeprefix("…").removesuffix("…").replace("*", "") in plain.replace("*", "")


@pytest.mark.parametrize("before", [0, 30_000, 900_000])
def test_of_a_megabyte_only_a_part_is_looked_through(before: int):
    text = "x " * (before // 2) + "the Needle lies here" + " y" * ((990_000 - before) // 2)
    sought = SearchedWords(query_terms("needle lies " + " ".join(f"absent{number}" for number in range(30))))
    found = excerpt(text, sought).text
    assert "**Needle** **lies** here" in found
    assert found.startswith("…") is (before > 0)
    assert found.endswith("…")
    assert len(found) < 400


FAMILY, FLAG, ZALGO = "👩\u200d👩\u200d👧", "🇩🇪.", "e" + "\u0301\u0323" * 20


@pytest.mark.parametrize("sign", [FAMILY, FLAG, ZALGO, "👍🏽", "❤\ufe0f", "กำ้"], ids=ascii)
@pytest.mark.parametrize("shift", range(12))
def test_no_sign_is_cut_in_two(sign: str, shift: int):
    text = "x" * shift + sign * 400 + " loom " + sign * 400
    for sought in (SearchedWords(["loom"]), SearchedWords([])):
        found = excerpt(text, sought, (len(sign) * 100 + shift, len(text)), width=60).text
        told = found.strip("…x").replace("**loom**", "").replace("loom", "").replace(" ", "")
        assert told.replace(sign, "") == "", ascii(found)
        assert len(found) < 80 + 2 * len(sign)


def test_a_mark_takes_the_marks_of_its_last_letter_with_it():
    assert excerpt("a naive\u0301 one", SearchedWords(["naive"])).text == "a **naive\u0301** one"


def test_without_a_hit_the_sentence_that_is_near_is_shown():
    text = f"{FILLER}. The canary deploys at dawn. It sings then. {FILLER}"
    at = text.index("sings")
    assert excerpt(text, SearchedWords(["absent"]), (at, at + 40)).text.startswith("…It sings then. lorem")
    assert excerpt(text, SearchedWords([]), (0, 10)).text.startswith("lorem")


def test_of_a_long_text_the_hits_in_what_is_near_are_shown():
    text = f"loom {'x ' * 50_000}The loom weaves at dawn. {'y ' * 50_000}"
    at = text.index("The loom")
    assert "The **loom** weaves at dawn." in excerpt(text, SearchedWords(["loom"]), (at, at + 100)).text
    assert excerpt(text, SearchedWords(["absent"]), (at, at + 100)).text.startswith("…The loom weaves")
    assert excerpt(text, SearchedWords(["loom"])).text.startswith("**loom** x")


@given(st.text(max_size=600), st.text(max_size=40), st.integers(20, 300), st.integers(0, 600), st.integers(0, 600))
def test_any_excerpt_with_a_place_is_a_piece_of_the_text_on_one_line(
    text: str, query: str, width: int, start: int, length: int
):
    near = (min(start, len(text)), min(start + length, len(text)))
    found = excerpt(text, SearchedWords(query_terms(query), pieces(query)), near, width)
    assert found.text.removeprefix("…").removesuffix("…").replace("*", "") in " ".join(text.split()).replace("*", "")
    assert len(found.text.splitlines()) <= 1


WORDS = (
    "car",
    "scarce",
    "JsonSerializer",
    "user_id",
    "HTTPServer",
    "café",
    "utf8mb4",
    "数据库",
    "сериал",
    "e\u0301t",
    "a.b",
    "port",
)


@given(
    st.lists(st.sampled_from((*WORDS, "important", "Http2", "_", ".", "x", "car3D")), min_size=1, max_size=30),
    st.lists(st.sampled_from((*WORDS, "serial", "atabas", "imeou", "库")), min_size=1, max_size=4),
    st.sampled_from(("", " ", "_", "-")),
)
def test_every_mark_covers_whole_words_or_parts_of_identifiers(words: list[str], query: list[str], glue: str):
    text, asked = glue.join(words), " ".join(query)
    found = excerpt(text, SearchedWords(query_terms(asked), [*pieces(asked), *query_terms(asked)]), width=2_000)
    place = 0
    for stretch, is_marked in stretches(found.text):
        if is_marked:
            assert is_edge(text, place), (text, stretch)
            assert is_edge(text, place + len(stretch)), (text, stretch)
        place += len(stretch)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("scarce", {0, 6}),
        ("HTTPServer2x", {0, 4, 10, 11, 12}),
        ("a_b", {0, 1, 2, 3}),
        ("e\u0301t", {0, 3}),
        ("数据", {0, 1, 2}),
    ],
)
def test_where_words_and_parts_begin_and_end(text: str, places: set[int]):
    assert {at for at in range(len(text) + 1) if is_edge(text, at)} == places


@pytest.mark.parametrize("text", ["scarce", "important"])
def test_nothing_is_marked_inside_a_word(text: str):
    assert excerpt(text, SearchedWords(["car", "port", "http"], ["car", "rta"])).marked == []
