"""A question that asks for nothing but a time: "what did we do yesterday?", "was haben wir am Dienstag beschlossen?".

The grammar is closed, and the whole question must be of it. Whatever else stands in one asks for more than the time:
"what did we decide about refunds yesterday" is a search. So is the time alone: a word stands for itself.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from typing import NamedTuple

from bigmind.operations.day_words import first_day, last_day
from bigmind.text.dates import COUNTS, MONTHS, WEEKDAYS, Span, last_weekday, newest_of, span_of
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.small_letters import small_letters

LONGEST_QUESTION = 80
MOST_DAYS = 366
"""So many days ago, and so many last ones, are a time; more are a number."""


class Wanted(Enum):
    """What is wanted of a time."""

    DONE = "its sessions"
    KEPT = "its sessions, and what was stored"
    DECIDED = "its sessions, and the decisions that were stored"


class TimeQuestion(NamedTuple):
    """The first and the last day that are asked for, both in UTC and none after today, and what of them."""

    first: date
    last: date
    wanted: Wanted

    @property
    def days(self) -> str:
        """In words."""
        return f"{self.first}" if self.first == self.last else f"{self.first} to {self.last}"


_WHO = "(?:we|i|you)"
_MADE = "decided(?: on)?|learn(?:ed|t)|agreed(?: on| to)?|changed|finished"
# An "on" before a day may belong to the verb or to the day, and is read as the verb's: no day needs one.
_ASKED = lazy_pattern(
    rf"(?:what (?:did {_WHO} (?:do|work on|get done|decide(?: on)?|learn|agree(?: on| to)?|change|finish)"
    rf"|have {_WHO} (?:done|worked on|been doing|been working on|{_MADE})|(?:was|were) {_WHO} (?:doing|working on)"
    rf"|{_WHO} (?:did|worked on|{_MADE})|(?:was|has been|got) (?:done|{_MADE})|(?:has )?(?:happened|changed))"
    rf"|(?:what|which) decisions (?:did {_WHO} (?:make|take)|have {_WHO} (?:made|taken)"
    r"|(?:were|have been) (?:made|taken))) (.+)"
    r"|(?:(?:our|the|my) )?decisions (?:(?:(?:we|i) )?(?:made|took|taken) )?(?:from |of )?(.+)"
)
_GEFRAGT = lazy_pattern(
    r"was (?:haben wir|habe? ich|hast du|wurde|ist) (.+?)(?: alles)? (?:gemacht|getan|erledigt|geschafft|passiert"
    r"|entschieden|beschlossen|vereinbart|gelernt|geändert|geaendert|fertiggestellt|abgeschlossen)(?: worden)?"
    r"|was hat sich (.+?)(?: alles)? (?:geändert|geaendert)"
    r"|(?:worauf|wofür) haben wir uns (.+) (?:geeinigt|entschieden)"
    r"|welche entscheidungen (?:haben wir|habe? ich|hast du|wurden) (.+) getroffen"
    r"|(?:(?:unsere|meine|die) )?entscheidungen (?:von |vom |aus (?:de[rm] )?|der )?(.+)"
)
_DECIDING = ("decide", "decision", "entsch", "beschlossen")
_KEEPING = (
    *("learn", "agree", "change", "finish"),
    *("gelernt", "vereinbart", "geeinigt", "geändert", "geaendert", "fertiggestellt", "abgeschlossen"),
)


class _Language(NamedTuple):
    """How times are told in one.

    Attributes:
        question: the pattern of a whole question; its one group that matches is the time.
        place: its column in `MONTHS` and `WEEKDAYS`.
        words: times by themselves, each with the word of `first_day` for it.
        numbers: in words.
        time: the pattern of any other time. A month has "in" before it or the number of a day beside it: elsewhere
            "may" and "march" are words like any other.
        since: the pattern of what makes a time that of all days from then on.
        of: words that end so have a time behind them, and nothing else: a month needs no "in" there.
        before: what a time may have before it that stands behind such a word, or nothing.
    """

    question: re.Pattern[str]
    place: int
    words: Mapping[str, str]
    numbers: Mapping[str, int]
    time: re.Pattern[str]
    since: re.Pattern[str]
    of: tuple[str, ...]
    before: tuple[str, ...]


_NUMBER = "(?:[0-9]{1,3}|[a-zü]+)"
_YEAR = "(?:19|20)[0-9]{2}"
_ISO = f"(?P<iso>{_YEAR}-[0-9]{{2}}-[0-9]{{2}})"
_ENGLISH = _Language(
    _ASKED,
    0,
    {
        **{each: each for each in ("today", "yesterday", "this week", "last week", "this month", "last month")},
        **dict.fromkeys(("the day before yesterday", "day before yesterday"), "2d"),
        **dict.fromkeys(("tonight", "this morning", "this afternoon", "this evening"), "today"),
        **dict.fromkeys(("last night", "yesterday morning", "yesterday afternoon", "yesterday evening"), "yesterday"),
    },
    COUNTS | {"four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10},
    lazy_pattern(
        rf"(?:on )?(?:(?:last )?(?P<weekday>[a-z]+day)|{_ISO})"
        r"|(?P<before>in |on )?(?:(?:the )?(?P<day>[0-9]{1,2})(?:st|nd|rd|th)? (?:of )?)?(?P<month>[a-z]+)\.?"
        rf"(?: (?:the )?(?P<then_day>[0-9]{{1,2}})(?:st|nd|rd|th)?)?(?:,? (?:of )?(?P<year>{_YEAR}))?"
        rf"|(?P<ago>{_NUMBER}) (?P<far>day|week|month)s? ago"
        rf"|(?:(?:in|over|during|within) )?(?:(?:the )?(?:last|past) (?P<last>{_NUMBER})|the (?:last|past))"
        r" (?P<unit>day|week|month)s?"
    ),
    lazy_pattern("since "),
    ("from ", "of "),
    ("", "in "),
)
_HOURS = ("früh", "morgen", "vormittag", "mittag", "nachmittag", "abend", "nacht")
_GERMAN = _Language(
    _GEFRAGT,
    1,
    {
        **dict(zip(("heute", "gestern", "vorgestern"), ("today", "yesterday", "2d"), strict=True)),
        **{f"heute {each}": "today" for each in _HOURS},
        **{f"gestern {each}": "yesterday" for each in _HOURS},
        **dict.fromkeys(("letzte nacht", "in der letzten nacht"), "yesterday"),
        **dict.fromkeys(("diese woche", "dieser woche", "in dieser woche"), "this week"),
        **dict.fromkeys(
            (
                *("letzte woche", "vorige woche", "vergangene woche", "in der letzten woche"),
                *("letzter woche", "voriger woche", "vergangener woche", "letzten woche"),
            ),
            "last week",
        ),
        **dict.fromkeys(("diesen monat", "diesem monat", "in diesem monat"), "this month"),
        **dict.fromkeys(("letzten monat", "letztem monat", "im letzten monat"), "last month"),
    },
    COUNTS | {"vier": 4, "fünf": 5, "fuenf": 5, "sechs": 6, "sieben": 7, "zehn": 10},
    lazy_pattern(
        r"(?:am )?(?:(?:letzte[nm]|vorigen|vergangenen) )?(?P<weekday>[a-z]+(?:tag|woch|abend))"
        rf"|am (?:{_ISO}|(?P<numbers>[0-9]{{1,2}}\. ?[0-9]{{1,2}}\. ?{_YEAR}))"
        rf"|(?P<before>am |im )(?:(?P<day>[0-9]{{1,2}})\.? )?(?P<month>[a-zä]+)(?: (?P<year>{_YEAR}))?"
        rf"|vor (?P<ago>{_NUMBER}) (?P<far>tag|woche|monat)e?n?"
        rf"|(?:in )?(?:den|die) (?:letzten|vergangenen) (?P<last>{_NUMBER}) (?P<unit>tag|woche|monat)e?n?"
    ),
    lazy_pattern("seit (?:dem )?"),
    ("von ", "vom ", "aus ", "aus dem ", "aus der ", "der "),
    ("", "am ", "im "),
)
_BEGINNINGS = {
    **dict.fromkeys(("wha", "whi", "dec", "our", "the", "my "), _ENGLISH),
    **dict.fromkeys(("was", "wel", "wof", "wor", "ent", "uns", "mei", "die"), _GERMAN),
}
_DAYS_OF = {"day": 1, "tag": 1, "week": 7, "woche": 7, "month": 30, "monat": 30}


def time_question(question: str, now: datetime) -> TimeQuestion | None:
    """What a question asks for that asks for nothing but a time; None for any other, and for a time yet to come.

    Args:
        question: as it was asked.
        now: the present moment.
    """
    language = None if len(question) > LONGEST_QUESTION else _BEGINNINGS.get(question.lstrip()[:3].lower())
    if language is None:
        return None
    text = " ".join(small_letters(question).split()).strip(" ?!.")
    found = language.question.fullmatch(text)
    if found is None:
        return None
    start, end = found.span(found.lastindex or 0)
    span = _span(text[start:end], text[:start], language, now)
    if span is None or span.first > now.date():
        return None
    return TimeQuestion(span.first, min(span.last, now.date()), _wanted(text[:start] + text[end:]))


def _wanted(asked: str) -> Wanted:
    """By the verb of a question without its time."""
    if any(each in asked for each in _DECIDING):
        return Wanted.DECIDED
    return Wanted.KEPT if any(each in asked for each in _KEEPING) else Wanted.DONE


def _span(time: str, asked: str, language: _Language, now: datetime) -> Span | None:
    """The days of a time behind what is asked of it; those from then on where it begins with "since"."""
    since = language.since.match(time)
    bare = time[since.end() :] if since else time
    before = language.before if since or asked.endswith(language.of) else ("",)
    span = next(filter(None, (_told(f"{each}{bare}", language, now) for each in before)), None)
    return Span(span.first, max(span.first, now.date())) if span and since else span


def _told(time: str, language: _Language, now: datetime) -> Span | None:
    """The days of a time; of one that names no year, in the newest in which it began."""
    if word := language.words.get(time):
        return _between(word, word, now)
    found = language.time.fullmatch(time)
    span = None
    match {name: text for name, text in found.groupdict().items() if text} if found else {}:
        case {"weekday": name}:
            span = _of_weekday(_place(name, WEEKDAYS, language), now.date())
        case {"iso": numbers}:
            span = _of_day(*map(int, numbers.split("-")))
        case {"numbers": numbers}:
            span = _of_day(*map(int, reversed(numbers.split("."))))
        case {"month": name, **told}:
            span = _of_month(_place(name, MONTHS, language), told)
        case {"ago": number, "far": unit}:
            middle, beside = _count(number, language) * _DAYS_OF[unit], _DAYS_OF[unit] // 2
            span = _between(f"{middle + beside}d", f"{middle - beside}d", now) if middle else None
        case {"unit": unit, **told}:
            days = f"{_count(told.get('last', '1'), language) * _DAYS_OF[unit]}d"
            span = _between(days, "today", now)
        case _:
            pass
    return span and newest_of(span, now.date())


def _place(name: str, table: Sequence[Sequence[str]], language: _Language) -> int | None:
    """Which one of a table has the name in a language."""
    return next((number for number, names in enumerate(table) if name in names[language.place].split("|")), None)


def _of_weekday(weekday: int | None, today: date) -> Span | None:
    if weekday is None:
        return None
    day = last_weekday(weekday, today)
    return Span(day, day)


def _of_day(year: int, month: int, day: int) -> Span | None:
    return span_of(year, month, day) if day else None


def _of_month(month: int | None, told: Mapping[str, str]) -> Span | None:
    """A month behind "in", or a day of it behind "on" or nothing."""
    days = [int(told[each]) for each in ("day", "then_day") if each in told]
    is_whole = told.get("before") in {"in ", "im "}
    if month is None or len(days) != int(not is_whole) or 0 in days:
        return None
    return span_of(int(told.get("year", 0)), month + 1, sum(days))


def _count(number: str, language: _Language) -> int:
    """A number in digits or in a word; 0 for what is none."""
    return int(number) if number.isdecimal() else language.numbers.get(number, 0)


def _between(first: str, last: str, now: datetime) -> Span | None:
    """From the first day of a word to the last day of another; None for no day, and for more than `MOST_DAYS`."""
    begin, end = first_day(first, now), last_day(last, now)
    if first == "0d" or begin is None or end is None or (now.date() - begin).days > MOST_DAYS:
        return None
    return Span(begin, end)
