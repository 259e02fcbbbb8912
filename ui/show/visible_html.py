"""A finished page with what nobody sees made visible, so that a person reads the words that a model reads.

Done to the whole page once it stands, so that no template can forget it. What a form sends stays to the byte: the value
of a field is kept as it is, and beside a field that is edited stands what is in it.
"""

import re

from bigmind.core.plain_text import visible
from ui.show.stored_fields import BESIDE, beside

_REST_OF_TAG = r"""[^"'<>]*(?:(?:"[^"]*"|'[^']*')[^"'<>]*)*"""
_BEHIND = rf"{re.escape(BESIDE)}|<span class=\"unseen\""
_OPTION = re.compile(rf"<option\b{_REST_OF_TAG}>", re.IGNORECASE)
# A tag is taken whole: a stored text in one of its attributes may look like a tag of its own. Text holds no "<".
_PIECE = re.compile(
    rf"<textarea\b(?P<of_area>{_REST_OF_TAG})>(?P<typed>[^<]*)</textarea>(?P<area_is_told>{_BEHIND})?"
    rf"|<(?P<control>input|option|button|select)\b(?P<of_control>{_REST_OF_TAG})>(?P<is_told>{_BEHIND})?"
    rf"|<datalist\b{_REST_OF_TAG}>(?P<offered>[^<]*(?:</?option\b{_REST_OF_TAG}>[^<]*)*)</datalist>"
    rf"|<[a-z!/]{_REST_OF_TAG}>|[^<]+|<",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""(?P<name>[^\s="'<>/]+)(?:=(?P<value>"[^"]*"|'[^']*'|[^\s"'<>]+))?""")
_SENT = frozenset({"name", "value"})
"""What a control sends: changed, the form would do something else."""
_NOT_TYPED = frozenset({"hidden", "checkbox", "radio"})
_HARMLESS = bytes([0x09, 0x0A, *range(0x20, 0x7F)])


def visible_html(html: str) -> str:
    """`html` with U+FFFD for each unseen character that it shows; done twice, it is the same.

    Args:
        html: a page or a part of one, from our templates: all text in it is escaped, all attributes are quoted.
    """
    return html if _is_plain(html) else _PIECE.sub(_shown, html)


def _is_plain(html: str) -> bool:
    # Bytes are looked up in a table, five times as fast as characters in a pattern; what is left of a page is little.
    rest = html.encode("utf-8", "surrogatepass").replace(b"\r\n", b"").translate(None, _HARMLESS)
    left = rest.decode("utf-8", "surrogatepass")
    return visible(left) == left


def _shown(piece: re.Match[str]) -> str:
    whole = piece[0]
    if visible(whole) == whole:
        return whole
    if piece["typed"] is not None:
        kept = f"<textarea{_with_sent(piece['of_area'])}>{piece['typed']}</textarea>"
        attributes = _attributes(piece["of_area"])
        stored = beside(attributes.get("name", ""), piece["typed"].removeprefix("\n"))
        return _told(kept, stored, "" if "hidden" in attributes else piece["typed"], piece["area_is_told"])
    if piece["control"]:
        kept, attributes = f"<{piece['control']}{_with_sent(piece['of_control'])}>", _attributes(piece["of_control"])
        is_hidden = attributes.get("type", "").lower() == "hidden"
        stored = beside(attributes.get("name", ""), attributes.get("value", "")) if is_hidden else ""
        return _told(kept, stored, _typed_into(piece["control"], attributes), piece["is_told"])
    if piece["offered"] is not None:
        # Offered is only what looks like what it is; left out, it can still be typed.
        whole = _OPTION.sub(lambda option: "" if visible(option[0]) != option[0] else option[0], whole)
    return visible(whole)


def _typed_into(control: str, attributes: dict[str, str]) -> str:
    """What stands in a field that a person sees and can change."""
    is_typed = control.lower() == "input" and attributes.get("type", "text").lower() not in _NOT_TYPED
    return attributes.get("value", "") if is_typed and "hidden" not in attributes else ""


def _told(kept: str, stored: str, typed: str, told: str | None) -> str:
    """A field as it is; behind it what comes back if nobody edits it, and what is in it, unless they stand there."""
    if told:
        return f"{kept}{told}"
    kept += stored
    if visible(typed) == typed:
        return kept
    words = "This field holds invisible characters. With � in the place of each:"
    return f'{kept}<span class="unseen">{words} <q>{visible(typed)}</q></span>'


def _attributes(rest: str) -> dict[str, str]:
    return {each["name"].lower(): (each["value"] or "").strip("\"'") for each in _ATTRIBUTE.finditer(rest)}


def _with_sent(rest: str) -> str:
    """The attributes of a control, with what it sends as it is and all else visible."""
    return _ATTRIBUTE.sub(lambda each: each[0] if each["name"].lower() in _SENT else visible(each[0]), rest)
