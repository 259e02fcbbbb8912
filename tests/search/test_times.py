"""The time that a question names."""

import re
import sys
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.text import dates
from bigmind.text.dates import MOST_READ, MOST_TIMES, asks_for_time, named_times, nearness, tells_time
from bigmind.text.lazy_pattern import LazyPattern

NOW = datetime(2026, 3, 11, 9, tzinfo=UTC)


def at(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("what broke on 2025-05-08", (2025, 5, 8), (2025, 5, 8)),
        ("what broke in 2025-05", (2025, 5, 1), (2025, 5, 31)),
        ("What happened in May 2023?", (2023, 5, 1), (2023, 5, 31)),
        ("on October 13, 2023", (2023, 10, 13), (2023, 10, 13)),
        ("on December 1,2023", (2023, 12, 1), (2023, 12, 1)),
        ("on the 8th of December, 2023", (2023, 12, 8), (2023, 12, 8)),
        ("am 3. Oktober 2025", (2025, 10, 3), (2025, 10, 3)),
        ("am 3.10.2025", (2025, 10, 3), (2025, 10, 3)),
        ("le 1er août 2025", (2025, 8, 1), (2025, 8, 1)),
        ("en février 2024", (2024, 2, 1), (2024, 2, 29)),
        ("what did we do yesterday", (2026, 3, 10), (2026, 3, 10)),
        ("was war gestern", (2026, 3, 10), (2026, 3, 10)),
        ("what did we decide last week", (2026, 2, 26), (2026, 3, 10)),
        ("three days ago", (2026, 3, 8), (2026, 3, 8)),
        ("vor drei Tagen", (2026, 3, 8), (2026, 3, 8)),
        ("il y a trois jours", (2026, 3, 8), (2026, 3, 8)),
        ("the day before yesterday", (2026, 3, 9), (2026, 3, 9)),
        ("was war vorgestern", (2026, 3, 9), (2026, 3, 9)),
        ("qu'avons-nous fait avant-hier", (2026, 3, 9), (2026, 3, 9)),
        ("qu'est-ce qu'on a décidé hier", (2026, 3, 10), (2026, 3, 10)),
        ("what did we ship this week", (2026, 3, 9), (2026, 3, 11)),
        ("in dieser Woche", (2026, 3, 9), (2026, 3, 11)),
        ("this month", (2026, 3, 1), (2026, 3, 11)),
        ("cette année", (2026, 1, 1), (2026, 3, 11)),
        ("the plan of last year", (2025, 1, 1), (2025, 12, 31)),
        ("im letzten Jahr", (2025, 1, 1), (2025, 12, 31)),
        ("l'année dernière", (2025, 1, 1), (2025, 12, 31)),
        ("what broke last Friday", (2026, 3, 6), (2026, 3, 6)),
        ("letzten Freitag", (2026, 3, 6), (2026, 3, 6)),
        ("vendredi dernier", (2026, 3, 6), (2026, 3, 6)),
        ("last Wednesday", (2026, 3, 4), (2026, 3, 4)),
        ("in \n  May\t  2023", (2023, 5, 1), (2023, 5, 31)),
        ("the release of 3. 10. 2025", (2025, 10, 3), (2025, 10, 3)),
        ("what did we decide in 2025?", (2025, 1, 1), (2025, 12, 31)),
        ("since the year 2024", (2024, 1, 1), (2026, 3, 11)),
        ("early 2024", (2024, 1, 1), (2024, 12, 31)),
        ("im Jahr 2024", (2024, 1, 1), (2024, 12, 31)),
        ("seit 2024", (2024, 1, 1), (2026, 3, 11)),
        ("since 2019 the build fails", (2019, 1, 1), (2026, 3, 11)),
        ("depuis 2019", (2019, 1, 1), (2026, 3, 11)),
        ("since 2026", (2026, 1, 1), (2026, 12, 31)),
        ("what did we ship between 2020 and 2022?", (2020, 1, 1), (2022, 12, 31)),
        ("in 2024 or 2025", (2024, 1, 1), (2025, 12, 31)),
        ("what broke in 2024 and why", (2024, 1, 1), (2024, 12, 31)),
        ("in 2024, when the pool was small", (2024, 1, 1), (2024, 12, 31)),
        ("what we chose in 2024: the pool", (2024, 1, 1), (2024, 12, 31)),
        ("the plan (made in 2024) of it", (2024, 1, 1), (2024, 12, 31)),
        ("in 2024 - the plan", (2024, 1, 1), (2024, 12, 31)),
        ("in 2024 we didn't ship", (2024, 1, 1), (2024, 12, 31)),
        ("in 2024 didn't it ship?", (2024, 1, 1), (2024, 12, 31)),
        ("early-2024", (2024, 1, 1), (2024, 12, 31)),
        ("in 2024's plan", (2024, 1, 1), (2024, 12, 31)),
        ("was haben wir im Jahr 2024 entschieden", (2024, 1, 1), (2024, 12, 31)),
        ("was lief Ende 2024 mit dem Import", (2024, 1, 1), (2024, 12, 31)),
        ("qu'avons-nous fait en 2024 pour la base", (2024, 1, 1), (2024, 12, 31)),
        ("en 2024", (2024, 1, 1), (2024, 12, 31)),
        ("the plan for summer, made in 2027", (2027, 1, 1), (2027, 12, 31)),
    ],
)
def test_a_named_time_is_understood(question: str, first: tuple[int, int, int], last: tuple[int, int, int]) -> None:
    (span,) = named_times(question, NOW)
    assert (span.first, span.last, span.every_year) == (date(*first), date(*last), False)


@pytest.mark.parametrize(
    "question",
    [
        "may I restart the server",
        "which port does it use",
        "what did Mar say",
        "error 2023 in module 12",
        "on 31 February 2024",
        "it holds 2024 rows",
        "in 2048 bytes",
        "in 2024.1",
        "in 2024:15",
        "in 20245 rows",
        "why is the import slow in 2000 rows",
        "show the last 2000 lines of the log",
        "die letzten 2000 Zeilen",
        "next 2000 items",
        "half of 2000",
        "the rest of 2000",
        "until 2000",
        "bis 2000 Euro",
        "en 2000 lignes",
        "in 2010 tokens",
        "in 2000-row batches",
        "in 2000er Blöcken",
        "stops in 2000%",
        "in 2008 r2",
        "in 2000 of 5000 cases",
        "in 2000 or 3000 rows",
        "in 2000 - 3000 rows",
        "in 2000, 3000, and 4000 rows",
        "bug in 2024.x",
        "in 2024_build",
        "in the year 2024.x",
        "in 2001:db8::1",
        "windows in-2016",
        "in RFC 2045",
        "in port 2024",
        "before 2020",
        "from 2020 to 2022",
        "between 2020 and the rest",
        "between 2000 and 2010 rows",
        "between 2022 and 2020",
        "2024-13-45",
        "",
        "version 1.3.2",
        "version 1.2.2024",
        "Release 1.2.2024 of it",
        "v1.2.2024",
        "v 1.2.2024",
        "1.2.2024.7",
        "1.2.2024-rc1",
        "10.1.2.2024",
        "Was ist hier los?",
        "Warum ist die Queue hier leer",
        "April's manager",
        "Who is August Bebel?",
        "did June call",
        "the hierarchy that we chose",
        "Fridays are for deploys",
    ],
)
def test_what_names_no_time_is_none(question: str) -> None:
    assert named_times(question, NOW) == []


def test_a_month_without_a_year_is_that_of_any_year() -> None:
    spans = named_times("what did we ship in June", NOW)
    assert [nearness(spans, at(year, 6, 15)) for year in (2023, 2025)] == [1.0, 1.0]
    assert nearness(spans, at(2025, 11, 1)) < 0.01


@pytest.mark.parametrize(
    "question",
    [
        "since April",
        "at the end of April",
        "last april",
        "im April",
        "mid-April",
        "en avril",
        "the first week of April",
    ],
)
def test_the_name_of_a_month_is_one_behind_a_word_that_goes_before_times(question: str) -> None:
    (span,) = named_times(question, NOW)
    assert (span.first.month, span.last.day, span.every_year) == (4, 30, True)


def test_around_the_turn_of_the_year_days_are_counted_across_it() -> None:
    spans = named_times("on 31 December", NOW)
    assert nearness(spans, at(2026, 1, 1)) == pytest.approx(nearness(spans, at(2025, 12, 30)))


def test_the_29th_of_february_is_near_in_every_year() -> None:
    assert nearness(named_times("on 29 February", NOW), at(2025, 2, 28)) == 1.0


def test_the_further_away_the_less_near() -> None:
    spans = named_times("on 2025-05-08", NOW)
    days = [nearness(spans, at(2025, 5, day)) for day in (8, 9, 12, 30)]
    assert days == sorted(days, reverse=True)
    assert days[0] == 1.0


def test_nothing_is_near_to_no_time() -> None:
    assert nearness([], NOW) == 0.0


@pytest.mark.parametrize(
    "question", ["When did it break?", "how long is it so", "Seit wann läuft das", "In which year was it"]
)
def test_a_question_for_a_time_is_one(question: str) -> None:
    assert asks_for_time(question)


@pytest.mark.parametrize("question", ["What broke when we deployed?", "which port", "Who was it"])
def test_another_question_is_none(question: str) -> None:
    assert not asks_for_time(question)


@pytest.mark.parametrize("text", ["it broke yesterday", "in May 2024 or June", "seit letzter Woche", "on the 3rd"])
def test_what_says_when_tells_a_time(text: str) -> None:
    assert tells_time(text)


def test_what_does_not_say_when_tells_none() -> None:
    assert not tells_time("The pool has too few connections.")
    assert not any(map(tells_time, ("lastly", "blast", "3x", "1899", "19999", "a4", "seventh")))


TIME_WORDS = """
    yesterday today tonight tomorrow last next ago week weeks weekend month months year years since until monday
    tuesday wednesday thursday friday saturday sunday gestern heute morgen vor letzte letzten nächste nächsten seit
    montag dienstag donnerstag freitag samstag sonntag mittwoch hier aujourd'hui demain dernière depuis january januar
    janvier february februar février march märz april avril juni june juin july juli juillet august août september
    septembre october oktober octobre november novembre december dezember décembre 1999 2031 3 12 1st 22nd 3rd 14th
    """.split()  # noqa: SIM905 - in quotes each, the words could not be read


@pytest.mark.parametrize("word", TIME_WORDS)
def test_a_word_that_says_when_tells_a_time_wherever_it_stands(word: str) -> None:
    for text in (word, word.upper(), word.title(), f"in ({word})", f"日 {word}, then"):
        assert tells_time(text), text
        assert not tells_time(f"x{text.removeprefix('in (').removeprefix('日 ')}"), text


def test_a_time_is_told_in_whatever_is_the_same_letter_in_another_case() -> None:
    letters = "".join(chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000)
    written = sorted(set("".join(TIME_WORDS)))
    for same in re.findall(f"[{''.join(written)}]", letters, re.IGNORECASE):
        letter = next(each for each in written if re.match(each, same, re.IGNORECASE))
        word = next(each for each in TIME_WORDS if letter in each)
        assert tells_time(f"it was {word.replace(letter, same)}."), ascii(same)


LONG = (
    "may ",
    "in may ",
    "may" + " " * 500,
    "1 ",
    "12. ",
    "last ",
    "2024-",
    "1.2.",
    "since 1 of may, ",
    "in 2024 ",
    "vor 3 ",
    "\n",
    "…",
)


@pytest.mark.parametrize("unit", LONG, ids=lambda unit: ascii(unit[:12]))
def test_only_the_beginning_of_a_long_text_is_read(unit: str) -> None:
    long = (unit * (100_000 // len(unit) + 1))[:100_000]
    assert len(named_times(long, NOW)) <= MOST_TIMES
    assert named_times(f"{long} on 2025-05-08", NOW) == named_times(long[:MOST_READ], NOW)
    assert asks_for_time(f"{long} when") == asks_for_time(long[:MOST_READ])
    assert tells_time(f"{long} yesterday") == tells_time(long[:MOST_READ])


def test_no_pattern_repeats_anything_without_a_bound() -> None:
    """So each place of a text is looked at for a bounded time, whatever the text is."""
    relative = [pattern for pattern, _, _ in vars(dates)["_RELATIVE"]]
    patterns = [*(each for each in vars(dates).values() if isinstance(each, LazyPattern)), *relative]
    assert len(patterns) > 10
    for each in patterns:
        without_signs = re.sub(r"\\.|\[[^\]]*\]", "x", each.pattern)
        assert not re.search(r"[*+]|\{\d*,\}", without_signs), each.pattern


@given(st.text(max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert len(named_times(text, NOW)) <= 4
    assert isinstance(asks_for_time(text) or tells_time(text), bool)
