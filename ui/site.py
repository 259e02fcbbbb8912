"""What the routes of a page are made of."""

from dataclasses import dataclass

from bigmind.wiring import Mind
from ui.jobs import Jobs
from ui.shell import Shell
from ui.transfers import Transfers


@dataclass(frozen=True, slots=True)
class Site:
    """What the routes of a page are made of.

    Attributes:
        mind: what is shown.
        shell: reads and renders.
        jobs: what takes long.
        cookie: the name of the browser's cookie.
        transfers: the files that browsers send and fetch.
    """

    mind: Mind
    shell: Shell
    jobs: Jobs
    cookie: str
    transfers: Transfers
