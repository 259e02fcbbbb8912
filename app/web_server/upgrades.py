"""Requests that ask for another protocol, as `curl --http2` and Java's client do before they know the server.

RFC 9110, 7.8: a server may ignore the wish. The parser does not: it leaves the body unread behind the head, where it
would be lost, or be taken for the next request.
"""

import sys
from typing import Any

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser

from app.web_server.protocol import BoundedRequests

_WISH = frozenset({b"upgrade", b"http2-settings"})


class UpgradeIgnored(BoundedRequests):
    """Answers such a request in the protocol that it came in."""

    _received = b""

    def data_received(self, data: bytes) -> None:
        """Keep what came: what of it stands behind a wish is read again."""
        self._received = data
        super().data_received(data)
        self._received = b""

    def on_headers_complete(self) -> Any:
        """Begin nothing for a head that is read again."""
        return None if self._is_wish() else super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Nor end it."""
        if not self._is_wish():
            super().on_message_complete()

    def _is_wish(self) -> bool:
        """Whether it asks for another protocol; a CONNECT asks for a tunnel, and is refused as a method."""
        return self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT"

    def _unsupported_upgrade_warning(self) -> None:
        """Called where the parser has stopped behind a head; in the handler of what it raised, which says where."""
        wish, rest = sys.exc_info()[1], self._received
        while isinstance(wish, HttpParserUpgrade) and self._is_wish():
            rest = self._head() + rest[wish.args[0] :]
            self.parser = HttpRequestParser(self)
            self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn does
            wish = self._fed(rest)

    def _fed(self, data: bytes) -> HttpParserUpgrade | None:
        try:
            self.parser.feed_data(data)
        except HttpParserUpgrade as wish:
            return wish
        except HttpParserError:
            self.send_400_response("Invalid HTTP request received.")
        return None

    def _head(self) -> bytes:
        """The head once more, without the wish."""
        version = self.parser.get_http_version().encode()
        lines = [b"%s %s HTTP/%s" % (self.parser.get_method(), self.url, version)]
        for name, value in self.headers:
            if name == b"connection":
                kept = [each.strip() for each in value.split(b",") if each.strip().lower() not in _WISH]
                value = b", ".join(kept)  # noqa: PLW2901
            if name not in _WISH:
                lines.append(b"%s: %s" % (name, value))
        return b"\r\n".join([*lines, b"", b""])
