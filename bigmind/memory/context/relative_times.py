"""Times that mean another day on another day: "until Friday", "diese Woche", "demain"; pure.

In English, German, French and Spanish; "hier" by itself is German for here. What comes back, as "on Fridays", and what
names its year mean the same whenever they are read; so may "expires in two weeks".
"""

from functools import lru_cache

from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.small_letters import small_letters

MOST_READ = 2_000
"""Characters of a text that are read."""
LAST_READ = 320
"""Texts whose answer is kept: the same stand at the next start."""

_DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_TAG = "(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)"
_JOUR = "(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)"
_DIA = "(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)"
_RELATIVE = lazy_pattern(
    r"\b(?:today|tonight|tomorrow|yesterday|for now|right now|at the moment"
    rf"|(?:this|next|last|coming) (?:week|weekend|month|quarter|year|sprint|{_DAY})"
    r"|(?:until|till|by|before|after|from|since) (?:(?:the end of )?(?:the|this|next) (?:week|month|quarter|sprint)"
    rf"|(?:this |next )?{_DAY}(?! (?:to|through|till|until|and) {_DAY}))"
    r"|(?:\d{1,2}|a|two|three|few) (?:day|week|month)s? ago"
    r"|heute|gestern|(?<!am )(?<!jeden )(?<!guten )(?<!nächsten )morgen|übermorgen|vorerst|im moment|momentan"
    rf"|(?:diese|nächste|letzte|kommende)[nmrs]? (?:woche|wochenende|monat|quartal|jahr|sprint|{_TAG})"
    rf"|(?<!tag )(?<!woch )(?:bis|ab|seit|vor) (?:zum )?(?:{_TAG}|wochenende|(?:monats|quartals)ende"
    r"|ende (?:der woche|des monats|des quartals))"
    r"|vor (?:\d{1,2}|einem?r?|zwei|drei) (?:tag|woche|monat)e?n?"
    r"|aujourd['\u2019]hui|demain|(?:depuis |d['\u2019]|avant-)hier|hier (?:soir|matin|nous|on)"
    r"|pour l['\u2019]instant|cette semaine|ce mois"
    r"|(?:la semaine|le mois) (?:prochaine?|dernière?)"
    rf"|(?:jusqu['\u2019](?:à|au)|d['\u2019]ici|avant|depuis) {_JOUR}"
    rf"|hoy|mañana|ayer|por ahora|esta semana|este mes|la (?:próxima|pasada) semana"
    rf"|(?:hasta|antes|desde) (?:del? |el )?{_DIA})\b"
)
_YEAR = lazy_pattern(r"\b(?:19|20)\d\d\b")


@lru_cache(LAST_READ)
def is_relative(text: str) -> bool:
    """Whether a text means another time on another day."""
    read = small_letters(text[:MOST_READ])
    return _RELATIVE.search(read) is not None and _YEAR.search(read) is None
