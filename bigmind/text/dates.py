"""The time that a question names, and how near to it something is; pure.

Dates as people write them in English, German and French; the libraries for it read whole texts word by word, which
takes longer than the search itself.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain, islice
from math import exp

from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.small_letters import small_letters

NEARNESS_DAYS = 7.0
"""So many days beside a named time, something is worth a third of what it is worth within it."""
MOST_TIMES = 4
MOST_READ = 2_000
"""Characters of a text that are read. No pattern repeats anything without a bound, so each place is looked at once."""

MONTHS = (
    ("january|jan", "januar|jan", "janvier"),
    ("february|feb", "februar|feb", "février|fevrier"),
    ("march|mar", "märz|maerz", "mars"),
    ("april|apr", "april|apr", "avril"),
    ("may", "mai", "mai"),
    ("june|jun", "juni|jun", "juin"),
    ("july|jul", "juli|jul", "juillet"),
    ("august|aug", "august|aug", "août|aout"),
    ("september|sept|sep", "september|sept|sep", "septembre"),
    ("october|oct", "oktober|okt", "octobre"),
    ("november|nov", "november|nov", "novembre"),
    ("december|dec", "dezember|dez", "décembre|decembre"),
)
WEEKDAYS = (
    ("monday", "montag", "lundi"),
    ("tuesday", "dienstag", "mardi"),
    ("wednesday", "mittwoch", "mercredi"),
    ("thursday", "donnerstag", "jeudi"),
    ("friday", "freitag", "vendredi"),
    ("saturday", "samstag|sonnabend", "samedi"),
    ("sunday", "sonntag", "dimanche"),
)
"""Each in English, in German and in French; what stands for one, between bars."""
# All of these read a text in small letters.
# By itself the name of a month may be that of a person, or no name ("may I").
_BEFORE_A_MONTH = (
    r"(?:in|since|until|till|during|last|next|early|late|mid"
    r"|(?:end|start|beginning|middle|half|rest|month|weeks?|weekends?|days?) of"
    r"|im|seit|bis|anfang|mitte|ende|letzten|en|depuis|début|fin)"
)
_MONTH = "|".join(f"(?P<m{number}>{'|'.join(names)})" for number, names in enumerate(MONTHS, 1))
_WRITTEN = lazy_pattern(
    rf"(?P<told>\b{_BEFORE_A_MONTH}[ -])?"
    rf"(?:\b(?P<before>\d{{1,2}})(?:st|nd|rd|th|er|\.)? (?:of )?)?"
    rf"\b(?:{_MONTH})\b\.?"
    rf"(?: (?P<after>\d{{1,2}})(?:st|nd|rd|th)?(?!\d))?"
    rf"(?: ?,? ?(?P<year>(?:19|20)\d\d)\b)?",
)
_NUMBERS = lazy_pattern(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?:-(?P<day>\d\d))?\b")
_GERMAN_NUMBERS = lazy_pattern(
    r"(?<![\w.-])(?<!\bversion )(?<!\brelease )(?<!\bv )(?<!\bv\. )"
    r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\. ?(?P<year>(?:19|20)\d\d)\b(?![.-]\w)",
)
_AGO = lazy_pattern(
    r"\b(?:(?P<count>\d{1,3}|an?|one|two|three) (?P<unit>day|week|month|year)s? ago"
    r"|vor (?P<zahl>\d{1,3}|einem|einer|zwei|drei) (?P<einheit>tag|woche|monat|jahr)(?:en|n|e)?"
    r"|il y a (?P<nombre>\d{1,3}|une?|deux|trois) (?P<mesure>jour|semaine|mois|an)s?)\b",
)
COUNTS = {
    **dict.fromkeys(("a", "an", "one", "einem", "einer", "un", "une"), 1),
    **dict.fromkeys(("two", "zwei", "deux"), 2),
    **dict.fromkeys(("three", "drei", "trois"), 3),
}
_DAYS = {
    **dict.fromkeys(("day", "tag", "jour"), 1),
    **dict.fromkeys(("week", "woche", "semaine"), 7),
    **dict.fromkeys(("month", "monat", "mois"), 30),
    **dict.fromkeys(("year", "jahr", "an"), 365),
}
_LAST = r"(?:letzte[nrms]?|vorige[nrms]?|vergangene[nrms]?)"
_RELATIVE = tuple(
    (lazy_pattern(rf"\b(?:{words})\b"), earliest, latest)
    for words, earliest, latest in (
        ("today|tonight|this morning|heute|aujourd['’]hui", 0, 0),
        ("(?<!day before )yesterday|last night|gestern", 1, 1),
        ("day before yesterday|vorgestern|avant-hier", 2, 2),
        (f"last week|{_LAST} woche|la semaine derni[eè]re", 13, 1),
        (f"last month|{_LAST} monats?|le mois dernier", 61, 1),
    )
)
_THIS_WEEK = lazy_pattern(r"\b(?:this week|diese[rn]? woche|cette semaine)\b")
_THIS_MONTH = lazy_pattern(r"\b(?:this month|diese[nms] monats?|ce mois)\b")
_THIS_YEAR = lazy_pattern(r"\b(?:this year|diese[ms] jahr(?:es)?|cette année)\b")
# A number such as 2000 may also be a count, a port, or a version. It is a year behind "year", and else only at the end
# of a clause or before a small word: not where it counts what comes next.
_BEFORE_A_YEAR = (
    r"(?:(?:in|since|during|early|late|mid|(?:end|start|beginning|middle|month|weeks?|days?) of"
    r"|im|seit|anfang|mitte|ende|en|depuis|début|fin|between|zwischen|entre) |(?:early|late|mid)-)"
)
_SMALL_WORDS = (
    r"and|or|but|the|(?:did|do|does|was|were|had|have|has|can|could|would|should)(?:n['’]t)?|is|are|we|i|you|they|he|she"
    r"|it|when|while|after|before|during|that|which|who|what|where|why|how|with|without|by|at|on|to|for|from|as|if|so"
    r"|because|since|until|about|regarding|our|my|their|his|her|this|not|already|still|again|too|instead"
    r"|und|oder|aber|die|der|das|den|dem|haben|habe|hat|hatten?|waren?|wurden?|ist|sind|wir|ich|ihr|sie|man|mit|bei|von|vom"
    r"|zum|zur|für|auf|aus|am|im|über|nach|vor|als|wenn|weil|dass|ob|nicht|noch|schon|auch|wer|wie|wo|warum"
    r"|et|ou|mais|le|la|les|nous|vous|je|ils?|elles?|avons|avez|ont|était|étaient|que|qui|quand|où|pour|avec|dans|sur|au"
)
_YEAR = lazy_pattern(
    rf"\b(?P<told>{_BEFORE_A_YEAR})(?P<named>the year |year |jahr )?(?P<year>20\d\d)"
    r"(?: (?:and|or|to|und|oder|bis|et|ou|à) (?P<until>20\d\d))?"
    r"(?(named)(?!\w|%|[-:./]\w)|(?=$|['’]s\b|[?!…;]|[,.:)\]\"”»]{1,3}(?:[?!]|$| (?!\d))| [–—(\[-](?! ?\d)"
    rf"| (?:(?:{_SMALL_WORDS})\b|[lj]['’])(?!\W\d)))",
)
_SINCE = {"since ", "seit ", "depuis "}
_BETWEEN = {"between ", "zwischen ", "entre "}
_LAST_YEAR = lazy_pattern(rf"\b(?:last year|{_LAST} jahr(?:es)?|l['’]an(?:née)? derni(?:er|ère))\b")
_WEEKDAY = "|".join(f"(?P<w{number}>{'|'.join(names)})" for number, names in enumerate(WEEKDAYS))
_LAST_WEEKDAY = lazy_pattern(rf"\b(?P<last>(?:last|{_LAST}) )?(?:{_WEEKDAY})(?P<dernier> dernier)?\b")
# In German "hier" means "here".
_HIER = lazy_pattern(r"(?<!avant-)\bhier\b")
_FRENCH = lazy_pattern(
    r"\b(?:[cdjln]['’]|qu['’]|(?:nous|vous|ils|elles|avons|avez|ont|était|sont|que|qui|quoi|quand|où|quel(?:le)?s?"
    r"|pourquoi|les|une|sur|pour|avec|dans|hier (?:soir|matin))\b)",
)


@dataclass(frozen=True, slots=True)
class Span:
    """Days from the first to the last, both among them. `every_year`: those days of whatever year."""

    first: date
    last: date
    every_year: bool = False

    def days_beside(self, day: date) -> int:
        """How many days it is away; 0 within."""
        if not self.every_year:
            return max((self.first - day).days, (day - self.last).days, 0)
        moved = (
            Span(_in_year(self.first, year), _in_year(self.last, year)) for year in range(day.year - 1, day.year + 2)
        )
        return min(each.days_beside(day) for each in moved)


def named_times(question: str, now: datetime) -> list[Span]:
    """The times that the beginning of a question names, at most four.

    A month without a year is that month of any year; by itself it is one only behind a word like "in" or "since". So
    is a year, where it does not count what comes next ("in 2000 rows").
    """
    text = _read(question)
    today = now.date()
    return list(islice(chain(_dates(text), _before(text, today), _around(text, today)), MOST_TIMES))


def _read(text: str) -> str:
    """What is read of a text, in small letters, with single blanks."""
    return small_letters(" ".join(text[:MOST_READ].split()))


def _dates(text: str) -> Iterator[Span]:
    for pattern in (_NUMBERS, _GERMAN_NUMBERS):
        yield from (span for match in pattern.finditer(text) if (span := _of_numbers(match)))
    yield from (span for match in _WRITTEN.finditer(text) if (span := _of_words(match)))


def _before(text: str, today: date) -> Iterator[Span]:
    """The times that are told by how long they are before today."""
    for match in _AGO.finditer(text):
        told = match["count"] or match["zahl"] or match["nombre"]
        unit = _DAYS[match["unit"] or match["einheit"] or match["mesure"]]
        middle = today - timedelta(int(COUNTS.get(told, told)) * unit)
        yield Span(middle - timedelta(unit // 2), middle + timedelta(unit // 2))
    for pattern, earliest, latest in _RELATIVE:
        if pattern.search(text):
            yield Span(today - timedelta(earliest), today - timedelta(latest))
    if _HIER.search(text) and _FRENCH.search(text):
        yield Span(today - timedelta(1), today - timedelta(1))
    for match in _LAST_WEEKDAY.finditer(text):
        if match["last"] or match["dernier"]:
            day = last_weekday(next(number for number in range(len(WEEKDAYS)) if match[f"w{number}"]), today)
            yield Span(day, day)


def _around(text: str, today: date) -> Iterator[Span]:
    """The week, the month and the year of today, the year before it, and a year by its number."""
    if _THIS_WEEK.search(text):
        yield Span(today - timedelta(today.weekday()), today)
    if _THIS_MONTH.search(text):
        yield Span(today.replace(day=1), today)
    if _THIS_YEAR.search(text):
        yield Span(date(today.year, 1, 1), today)
    if _LAST_YEAR.search(text):
        yield Span(date(today.year - 1, 1, 1), date(today.year - 1, 12, 31))
    yield from (span for match in _YEAR.finditer(text) if (span := _of_years(match, today)))


def last_weekday(weekday: int, today: date) -> date:
    """The newest day before today that is one, 0 for a Monday."""
    return today - timedelta((today.weekday() - weekday - 1) % 7 + 1)


def newest_of(span: Span, today: date) -> Span:
    """A time of any year as that of the newest year in which it began."""
    if not span.every_year:
        return span
    years = range(today.year, today.year - 9, -1)  # there is a 29th of February in eight years
    firsts = (day for year in years if (day := _in_year(span.first, year)).day == span.first.day)
    first = next((day for day in firsts if day <= today), span.first)
    return Span(first, _in_year(span.last, first.year))


def nearness(times: Sequence[Span], at: datetime) -> float:
    """How near a moment is to the nearest of the times: 1 within it, less with every day beside it."""
    return max((exp(-each.days_beside(at.date()) / NEARNESS_DAYS) for each in times), default=0.0)


def _of_numbers(match: re.Match[str]) -> Span | None:
    return span_of(int(match["year"]), int(match["month"]), int(match["day"] or 0))


def _of_words(match: re.Match[str]) -> Span | None:
    month = next(number for number in range(1, len(MONTHS) + 1) if match[f"m{number}"])
    day = int(match["before"] or match["after"] or 0)
    if not (day or match["year"] or match["told"]):
        return None
    return span_of(int(match["year"] or 0), month, day)


def _of_years(match: re.Match[str], today: date) -> Span | None:
    """The year, or from one to another; since a year until today, or until its end."""
    first, last = int(match["year"]), int(match["until"] or match["year"])
    if not first <= last <= today.year + 1:  # what lies further ahead is a number
        return None
    if match["told"] in _BETWEEN and not match["until"]:
        return None
    end = date(last, 12, 31)
    return Span(date(first, 1, 1), max(end, today) if match["told"] in _SINCE else end)


def span_of(year: int, month: int, day: int) -> Span | None:
    """The day, or the whole month where it is 0; of any year when there is none. None for what is no date."""
    some_year = year or 2_000  # a leap year, so that any day of any year is one of it
    try:
        first = date(some_year, month, day or 1)
    except ValueError:
        return None
    last = first if day else (first + timedelta(31)).replace(day=1) - timedelta(1)
    return Span(first, last, every_year=not year)


def _in_year(day: date, year: int) -> date:
    """The same day of another year; the last of February where there is no 29th."""
    try:
        return day.replace(year=year)
    except ValueError:
        return day.replace(year=year, day=28)


_ASKS_WHEN = lazy_pattern(
    r"^\W{0,20}(?:when\b|how long\b|(?:in |on |since |by )?(?:what|which) (?:date|day|week|month|year|time)\b"
    r"|wann\b|seit wann\b|wie lange\b|quand\b|depuis quand\b)",
)
_TELLS_TIME = lazy_pattern(
    r"\b(?=[adfghjlmnostuvwy\d])"
    r"(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|since|until"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|gestern|heute|morgen|vor|letzte[nrs]?|nächste[nrs]?|seit"
    r"|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|hier|aujourd'hui|demain|dernière?|depuis"
    r"|jan(?:uary|uar|vier)|feb(?:ruary|ruar)|février|march|märz|april|avril|juni|june|juin|july|juli|juillet"
    r"|august|août|september|septembre|o[ck]tober|octobre|november|novembre|de[cz]ember|décembre"
    r"|(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th)?)\b"
)


def asks_for_time(question: str) -> bool:
    """Whether the question is one for a time."""
    return bool(_ASKS_WHEN.search(_read(question)))


def tells_time(text: str) -> bool:
    """Whether a text says when."""
    return bool(_TELLS_TIME.search(small_letters(text[:MOST_READ])))
