"""What else than another question finds what was meant: the time that a question names, or the category that it is."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from itertools import product

from sqlalchemy import bindparam, func
from sqlalchemy import select as columns
from sqlmodel import col

from bigmind.memory.tables import Fact
from bigmind.store.prepared_statements import kept_rows
from bigmind.store.work import Work
from bigmind.text.dates import named_times, newest_of
from bigmind.text.small_letters import small_letters

_OF_CATEGORIES = (
    columns(col(Fact.category), func.count().label("number"))
    .where(
        col(Fact.user_id) == bindparam("user_id"),
        col(Fact.deprecated_at).is_(None),
        col(Fact.caution) == "",
        col(Fact.category).in_(bindparam("names", expanding=True)),
    )
    .group_by(col(Fact.category))
    .order_by(func.count().desc())
)
MOST_WORDS = 3
"""Of a question that is nothing but the name of a category, and words such as "all facts" around it."""
_AROUND = frozenset(("a", "all", "category", "every", "fact", "facts", "list", "my", "of", "our", "show", "the"))


def time_asked(question: str, now: datetime, days: Iterable[date], *, answers_well: bool) -> date | None:
    """The first day of the time that a question names; None where it names none, or what was found is of it.

    Args:
        question: as it was asked.
        now: the present moment.
        days: of what was found.
        answers_well: whether that answers.
    """
    times = [each for span in named_times(question, now) if (each := newest_of(span, now.date())).first <= now.date()]
    if answers_well and any(each.days_beside(day) == 0 for day in days for each in times):
        return None
    return min((each.first for each in times), default=None)


def category_asked(work: Work, question: str, shown: Sequence[str]) -> tuple[str, int] | None:
    """The category of the caller's facts that a question is, and how many they are; None where all are shown.

    A category that instructs its reader is not named.

    Args:
        work: the unit of work.
        question: as it was asked.
        shown: the category of each fact that was found.
    """
    names = _names(question)
    if not names:
        return None
    found = kept_rows(work, _OF_CATEGORIES, names=names, user_id=work.caller.user_id)
    if not found or found[0].number <= shown.count(found[0].category):
        return None
    return found[0].category, found[0].number


def _names(question: str) -> list[str]:
    """What a category may be called that a short question is: its words, the last one also in the singular."""
    words = [each for each in small_letters(question[:80]).strip(" ?!.").split() if each not in _AROUND]
    if not 0 < len(words) <= MOST_WORDS:
        return []
    last = words[-1]
    ones = {last, last.removesuffix("s"), f"{last.removesuffix('ies')}y" if last.endswith("ies") else last}
    return sorted({mark.join((*words[:-1], one)) for mark, one in product(" -_", ones) if one})
