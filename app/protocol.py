"""HTTP/1.1 as uvicorn speaks it, with a bound on headers, which it has none of."""

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEADER_BYTES = 512 * 1024
"""More than one read of a socket holds, so that a body that arrives with its headers is not counted as theirs."""


class BoundedHeaders(HttpToolsProtocol):
    """Closes a connection whose headers do not end."""

    _in_headers = True
    _header_bytes = 0

    def data_received(self, data: bytes) -> None:
        """Count what comes while headers are read; refuse it when it is too much."""
        if self._in_headers:
            self._header_bytes += len(data)
            if self._header_bytes > MOST_HEADER_BYTES:
                self.send_400_response("The headers are too large.")
                return
        super().data_received(data)

    def on_headers_complete(self) -> Any:
        """The body begins."""
        self._in_headers = False
        return super().on_headers_complete()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]

    def on_message_complete(self) -> None:
        """The next request begins."""
        self._in_headers, self._header_bytes = True, 0
        super().on_message_complete()
