"""Proof of identity: a server shows that it wrote the run file before any client sends it a token.

A stranger on the port cannot answer; one that passes the challenge on to the real server cannot either, because the
port that the client talks to is part of the answer.
"""

import hashlib
import hmac
import os
import re

CHALLENGE = re.compile(r"[0-9a-f]{32,64}")


def new_key() -> str:
    """A server's secret, kept in its run file."""
    return os.urandom(32).hex()


def new_challenge() -> str:
    """A question that was never asked before."""
    return os.urandom(16).hex()


def proof_of(key: str, challenge: str, port: int) -> str:
    """The answer: HMAC-SHA-256 over challenge and port, in hexadecimal."""
    return hmac.new(key.encode(), f"bigmind:{challenge}:{port}".encode(), hashlib.sha256).hexdigest()


def is_proof(answer: object, key: str, challenge: str, port: int) -> bool:
    """Whether `answer` is what the server with `key` would say."""
    if not isinstance(answer, str):
        return False
    # A stranger's answer may be text that cannot be written as UTF-8.
    return hmac.compare_digest(answer.encode(errors="replace"), proof_of(key, challenge, port).encode())
