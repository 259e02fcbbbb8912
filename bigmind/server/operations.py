"""What a person may ask of the running server. Not offered to models."""

import os

from bigmind import VERSION
from bigmind.catalog import Answer, operation
from bigmind.core.operation import Effect, Surface
from bigmind.memory.embedding import progress
from bigmind.memory.statistics import meaning_in_words
from bigmind.store.work import Work

API_ONLY = frozenset({Surface.API})


class ServerStatus(Answer):
    """The running server."""

    version: str
    pid: int
    profile_url: str
    bytes_on_disk: int
    backups: str
    meaning: str

    def as_text(self) -> str:
        return f"BigMind {self.version} runs as process {self.pid}; its pages are at {self.profile_url}."


class SignInLink(Answer):
    """A link that signs one browser in, once, within ten minutes."""

    url: str

    def as_text(self) -> str:
        return self.url


class Stopping(Answer):
    """The server is on its way out."""

    pid: int

    def as_text(self) -> str:
        return f"BigMind (process {self.pid}) is stopping; everything is stored."


@operation("Server status", Effect.READ, toolset="server", surfaces=API_ONLY, people_only=True)
def server_status(work: Work) -> ServerStatus:
    """Where the server is and how large the store."""
    around = work.surroundings
    return ServerStatus(
        version=VERSION,
        pid=os.getpid(),
        profile_url=around.profile_url(),
        bytes_on_disk=around.bytes_on_disk(),
        backups=around.backups_in_words(),
        meaning=meaning_in_words(work, progress(work)),
    )


@operation("Sign-in link", Effect.READ, toolset="server", surfaces=API_ONLY, people_only=True)
def server_sign_in_link(work: Work) -> SignInLink:
    """A one-time link that signs a browser in."""
    return SignInLink(url=work.surroundings.sign_in_url(work.caller))


@operation("Stop the server", Effect.READ, toolset="server", surfaces=API_ONLY, people_only=True)
def server_stop(work: Work) -> Stopping:
    """End the server cleanly, after its running writes."""
    work.surroundings.stop()
    return Stopping(pid=os.getpid())


OPERATIONS = (server_status, server_sign_in_link, server_stop)
