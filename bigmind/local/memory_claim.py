"""Whose memory a process asks for, and whether the server that runs has it: never served another's instead."""

from collections.abc import Mapping
from pathlib import Path

from bigmind.core.errors import BigMindError, Code
from bigmind.local.runfile import RunningServer


def refuse_other_memory(server: RunningServer, environment: Mapping[str, str]) -> None:
    """Compare what the environment asks for with what a proven server says of itself.

    Raises:
        BigMindError: `forbidden`, when it runs for another user or on another file than `environment` names.
    """
    if user := environment.get("BIGMIND_USER"):
        from bigmind.core.plain_text import user_name  # noqa: PLC0415 - most name nobody

        wanted = user_name(user)
        if wanted and wanted != server.user:
            raise _refusal("BIGMIND_USER", wanted, server.user)
    if file := environment.get("BIGMIND_DB_PATH"):
        from bigmind.paths import expanded  # noqa: PLC0415

        wanted = str(Path(expanded("BIGMIND_DB_PATH", file)).resolve())
        if wanted != server.store:
            raise _refusal("BIGMIND_DB_PATH", wanted, server.store)


def _refusal(variable: str, wanted: str, has: str) -> BigMindError:
    if not has:
        return BigMindError(
            Code.FORBIDDEN,
            f"{variable} asks for the memory of {wanted}, and the BigMind that runs is too old to say whose it has.",
            f"Unset {variable}, run `bigmind stop`, and start BigMind again.",
        )
    return BigMindError(
        Code.FORBIDDEN,
        f"{variable} asks for the memory of {wanted}; the BigMind that runs has that of {has}.",
        f"Unset {variable}, or set it to {has}. For the other memory: stop this BigMind first (set to {has}, "
        f"`bigmind stop` does), or set BIGMIND_HOME to a data folder of its own.",
    )
