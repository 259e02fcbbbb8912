"""A fact that speaks of "this week" stands at starts with the day on which it was stored; later it means another."""

import pytest

from bigmind.memory.context.relative_times import is_relative
from tests.memory.living import Memory
from tests.memory.parts import FACTS, parts_of

PASSING = [
    "Production cluster is frozen until Friday.",
    "On-call is Jonas this week.",
    "The release is tomorrow.",
    "Nobody merges before the end of the quarter.",
    "Mira left two weeks ago.",
    "Die Produktion ist bis Freitag eingefroren.",
    "Diese Woche hat Mira Bereitschaft.",
    "Das Release kommt morgen.",
    "Das wird nächsten Montag abgeschaltet.",
    "La production est gelée jusqu'à vendredi.",
    "La migration commence la semaine prochaine.",
    "Producción está congelada hasta el viernes.",
    "We are closed from Monday.",
    "La production est gelée depuis hier.",
]
LASTING = [
    "No deploys on Fridays.",
    "Deploys go out on Monday.",
    "Physio appointments on Thursdays.",
    "Production is frozen until Friday, 1 May 2026.",
    "Mira is on vacation until 2026-04-30.",
    "The daily report is made every morning.",
    "Das Stand-up ist am Morgen.",
    "Backups laufen jeden Morgen.",
    "Sessions are closed after a week.",
    "Tokens expire after 30 days, keys in two weeks.",
    "The sprint ends on Wednesdays.",
    "The weekly report covers the last 30 days.",
    "Wir deployen freitags nicht.",
    "Los viernes no se despliega.",
    "Hier läuft PostgreSQL 16.",
    "Reports are grouped by month.",
    "Support is open from Monday to Friday.",
    "Der Support ist von Montag bis Freitag da.",
    "Der Bericht ist am nächsten Morgen da.",
    "Le point a lieu le lundi.",
]


@pytest.mark.parametrize("text", PASSING)
def test_what_passes_is_told_from_what_lasts(text: str) -> None:
    assert is_relative(text)


@pytest.mark.parametrize("text", LASTING)
def test_what_lasts_is_not_dated(text: str) -> None:
    assert not is_relative(text)


def test_the_context_says_when_it_was_stored(memory: Memory) -> None:
    for text in (PASSING[0], LASTING[0]):
        memory("memory_store_fact", category="constraint", fact=text, project="shop")
    memory.clock.forward(days=20)
    frozen, fridays = sorted(parts_of(memory("memory_get_context", project="shop").context)[FACTS].lines, key=len)[::-1]
    assert PASSING[0] in frozen
    assert " (stored 2026-03-01)" in frozen
    assert "(stored" not in fridays
