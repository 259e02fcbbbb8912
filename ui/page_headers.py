"""The headers that keep a page to itself: nothing foreign is loaded, nothing is kept, nobody frames it."""

import base64
import hashlib

_EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    # Not "no-referrer": with that, browsers send our own forms with the origin "null", which the guard refuses.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
STATIC_SECONDS = 30 * 24 * 3_600

PAGE_HEADERS = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-store", **_EVERYWHERE}
"""On every page, fragment, redirect and stream."""

STATIC_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Cache-Control": f"private, max-age={STATIC_SECONDS}, immutable",
    **_EVERYWHERE,
}
"""On scripts and styles: their address changes with their content, so a copy never grows old."""


def standalone_headers(style: str) -> dict[str, str]:
    """The headers of a page that loads nothing at all and whose one style element holds `style`."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    )
    return {"Content-Security-Policy": policy, "Cache-Control": "no-store", **_EVERYWHERE}
