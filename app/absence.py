"""What is said where no BigMind answers."""

from pathlib import Path

from bigmind.local.connection import NotRunningError
from bigmind.local.runfile import published


def absence(home: Path, error: NotRunningError) -> str:
    """That none runs, in words; where another program took its port after a crash, that too."""
    server = published(home)
    if type(error) is not NotRunningError or server is None:
        return str(error)
    if isinstance(error.__cause__, ConnectionRefusedError):
        return f"BigMind is not running.\n{error.hint}"
    return f"BigMind is not running; another program listens on port {server.port}.\n{error.hint}"
