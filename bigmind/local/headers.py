"""What a client of ours says in HTTP headers."""

AGENT = "BigMind-Agent"
"""What the agent that asks calls itself; it stands behind the name of its token."""


WORKSPACE = "BigMind-Workspace"
"""The folder that the client works in; it is sent to the server of the same machine alone."""


def safe_name(text: str) -> str:
    """A client's name as a header can carry it."""
    return "".join(character for character in text if " " <= character <= "~")[:80].strip()


def header_value(text: str) -> str:
    """A value as MCP puts it into a header (2026-07-28, Custom Header Encoding): in base64 unless it is plain ASCII."""
    if text.isascii() and text.isprintable() and text == text.strip() and not text.startswith("=?"):
        return text
    import base64  # noqa: PLC0415 - rarely needed

    return f"=?base64?{base64.b64encode(text.encode('utf-8', 'replace')).decode()}?="
