"""How a command ends that was not done; docs/architecture.md has all of it."""

from bigmind.core.errors import BigMindError, Code

NOT_DONE = 1
WRONG = 2
"""What was typed, or is set, is none that can be used; typer ends so for what it sees itself."""


def exit_code_of(error: BigMindError) -> int:
    """The exit code of a command that ended with a fault."""
    return WRONG if error.code is Code.INVALID_INPUT else NOT_DONE
