"""Values that a layout gives away: in a table's cell beside its label, or in a line of their own below it.

    | Password | … |          **Password:**          ## Password          <td>Password</td>
                              `…`                    …                   <td>…</td>

    - name: DB_PASSWORD       {"name": "password", "value": "…"}         variable "password" { default = "…" }
      value: …

Nothing but the place names them there, so the value has to stand alone: all of its cell, all of its line.
"""

import re

from bigmind.text.lazy_pattern import lazy_pattern

_NAME = r"(?P<suffix>[\w-]{0,40})[*`]{0,3}(?:[ \t]\([^()|\r\n]{1,40}\))?[*`]{0,3}"
_SIGN = r"(?:[:：]\*{0,3}_{0,2})?"
_ALONE = r"`{0,2}(?P<bare>[^\s\"'`<>|]{4,500})`{0,2}"
_CELL = lazy_pattern(
    rf"{_NAME}(?P<operator>{_SIGN}[ \t]{{0,40}}\|)[ \t]{{0,40}}{_ALONE}[ \t]{{0,80}}(?:\||(?![^\r\n]))"
)
_TAGS = lazy_pattern(
    rf"{_NAME}(?P<operator>:?(?:</[a-z]{{1,6}}>)?:?</(?:td|th|dt)>\s{{0,40}}<(?:td|dd)(?:[ ][^<>]{{0,60}})?>)"
    rf"\s{{0,40}}(?:<(?:code|kbd|b)>)?{_ALONE}\s{{0,40}}</"
)
_BELOW = lazy_pattern(
    rf"{_NAME}(?P<operator>[ \t]{{0,3}}{_SIGN}[ \t]{{0,8}}(?:\r?\n[ \t]{{0,8}}){{1,2}}"
    rf"(?:(?:```|~~~)[a-z]{{0,12}}[ \t]{{0,8}}\r?\n)?)[ \t]{{0,8}}(?:[>*-][ \t]{{1,4}})?{_ALONE}[ \t]{{0,8}}(?![^\r\n])"
)
_NAMED = lazy_pattern(
    r"(?P<suffix>[\w-]{0,40})(?P<operator>\\{0,7}[\"']?(?:[\s,]{1,40}\\{0,7}[\"']?[A-Za-z]{0,20}[vV]alue\\{0,7}[\"']?"
    r"|[ \t]{1,3}\{[^{}]{0,200}?\bdefault)[ \t]{0,20}[:=])[ \t]{0,3}\\{0,7}[\"']?(?P<bare>[^\s\"'`<>|\\]{4,500})"
)
_NAMING = lazy_pattern(r"(?:alue|default)\W*$")
_NO_VALUE = lazy_pattern(r"[A-Z]{1,6}(?:[-#]\d{1,6}){1,2}$|[\w/-]+\.[a-z]{1,4}[:#]L?\d{1,5}$|.*:$")
"""The id of an issue, a line of a file, the key of what follows."""
_WORDY = lazy_pattern(r"[a-z]+(?:[-_.][a-z]+)*[-_.]?v?\d{1,5}$|[a-z]+(?:[-_.]\d{1,4})+$")
"""A name that ends in its number, such as `db-credentials-2026`: no machine makes a token so."""
_IN_ROW = lazy_pattern(r"\|[^|\r\n]{0,40}$")
_IN_HEADING = lazy_pattern(r"[\r\n](?:#{1,6}[ \t][^#\r\n]{0,40}|\*\*[^*\r\n]{0,40})$")


def laid_out(text: str, before: str, end: int) -> re.Match[str] | None:
    """What stands in the cell beside a word that ends there, or in the line below; `before` is the text before it.

    Its groups are those of the other forms (`keywords.py`).
    """
    if _IN_ROW.search(before):
        return _CELL.match(text, end)
    if found := _NAMED.match(text, end):
        return found
    found = _BELOW.match(text, end) or _TAGS.match(text, end)
    if found and "\n" in found["operator"] and not found["operator"].strip("`~ \t\r\n"):
        return found if _IN_HEADING.search(before) else None
    return found


def may_be_laid_out(kind: str, name: str, value: str) -> bool:
    """Whether a value may be a secret of that kind where nothing but its place names it; "pass" is a test's outcome."""
    if name.lower() == "pass" or _NO_VALUE.match(value):
        return False
    return kind == "password" or not _WORDY.match(value)


def is_laid_out(operator: str) -> bool:
    """Whether what stands between a name and its value is such a layout."""
    return "\n" in operator or "</" in operator or operator.endswith("|") or _NAMING.search(operator) is not None
