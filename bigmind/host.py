"""What a use case may ask of the process that it runs in."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from bigmind.core.activity import Activity
from bigmind.core.desktop import Desktop, NoDesktop, Shown
from bigmind.core.failed_parts import FailedParts
from bigmind.core.newer_version import NewerVersion
from bigmind.core.operation import Caller
from bigmind.embedding.meaning import WORDS_ONLY, Meaning
from bigmind.settings.live import LiveSettings

NO_HOME = Path(os.devnull)
"""The data folder of a process that has none. No folder can be there, so no setting is set, and none can be."""


class SignInUrl(Protocol):
    """Makes an address that signs a browser in, once, within ten minutes; its token is listed under `client`."""

    def __call__(self, caller: Caller, client: str = "browser") -> str:
        """The address; empty where nobody can sign in."""
        ...


def no_sign_in(caller: Caller, client: str = "browser") -> str:
    """Where nothing is served, nobody signs in."""
    del caller, client
    return ""


def no_page(caller: Caller) -> Shown:
    """Where nothing is served, there is nothing to show."""
    del caller
    return Shown.NOTHING


@dataclass(frozen=True, slots=True)
class Host:
    """A process around a store. `Host()` is one without anything: no settings, no model, no desktop, no server.

    Attributes:
        activity: whether it is paused, and who called lately.
        failed: what of it could not be loaded.
        newer: whether there is a newer version, where a person has said whom to ask.
        settings: what a person has set.
        meaning: search by meaning, as far as there is any.
        desktop: the desktop around it, where there is one.
        profile_url: where a person sees their memory; empty where nothing is served.
        endpoint_url: where assistants reach it, the MCP endpoint; empty where nothing is served.
        owner_id: the user for whom it was started on their own machine.
        sign_in_url: makes an address that signs a browser in.
        open_profile: shows a person their memory: in BigMind's window where there is one, else in their browser.
        backups_in_words: how its backups are: the newest verified one, and the last failure.
        restorable_in_words: while the store is damaged, which backup brings it back, and what would be lost.
        stop: ends the process after the answer was given.
    """

    activity: Activity = field(default_factory=Activity)
    failed: FailedParts = field(default_factory=FailedParts)
    newer: NewerVersion = field(default_factory=NewerVersion)
    settings: LiveSettings = field(default_factory=lambda: LiveSettings(NO_HOME, {}))
    meaning: Meaning = WORDS_ONLY
    desktop: Desktop = field(default_factory=NoDesktop)
    profile_url: str = ""
    endpoint_url: str = ""
    owner_id: int | None = None
    sign_in_url: SignInUrl = no_sign_in
    open_profile: Callable[[Caller], Shown] = no_page
    backups_in_words: Callable[[], str] = str
    restorable_in_words: Callable[[], str] = str
    stop: Callable[[], None] = lambda: None
