"""The form of a token: a prefix to recognise it by, 256 random bits, and a checksum that tells a mistyped one."""

import hashlib
import secrets
import zlib
from enum import StrEnum

from bigmind.core.operation import Presence

PREFIX = "bm_"
_RANDOM_BYTES = 32
_CHECKSUM = 8
LONGEST = 100


class TokenKind(StrEnum):
    """Who holds a token, and so what it may do: people manage, agents use."""

    CLI = "cli"
    UI = "ui"
    BRIDGE = "bridge"
    CLIENT = "client"

    @property
    def is_person(self) -> bool:
        """Whether a person stands behind each request."""
        return self in {TokenKind.CLI, TokenKind.UI}

    @property
    def presence(self) -> Presence:
        """Where what holds such a token is; a browser's may turn out to be the window's."""
        return _PRESENCES.get(self, Presence.CLIENT)


_PRESENCES = {TokenKind.CLI: Presence.COMMAND_LINE, TokenKind.UI: Presence.PAGE}


def new_secret() -> str:
    """A fresh token."""
    body = PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)
    return body + _checksum(body)


def looks_right(secret: str) -> bool:
    """Whether a text has a token's form; says nothing about whether it is known."""
    if not secret.startswith(PREFIX) or len(secret) > LONGEST or not secret.isascii():
        return False
    return _checksum(secret[:-_CHECKSUM]) == secret[-_CHECKSUM:]


def digest(secret: str) -> str:
    """What is stored of a token: its SHA-256, in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _checksum(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"
