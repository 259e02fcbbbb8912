"""What the server uses of uvicorn, without its command line.

Importing uvicorn imports that too, with click and multiprocessing: 2 MB of every server's memory and a hundredth of a
second of every start. So the package is made here without what its `__init__` imports, and that is given to it.
"""

import sys
from importlib.util import find_spec, module_from_spec

NAME = "uvicorn"


def _make_package() -> None:
    """The package alone; one that is imported already stays, and one that there is not is told by the imports below."""
    if NAME not in sys.modules and (spec := find_spec(NAME)):
        sys.modules[NAME] = module_from_spec(spec)


_make_package()

from uvicorn.config import Config  # noqa: E402 - the package has to be there first
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle  # noqa: E402
from uvicorn.server import Server  # noqa: E402

for _part in (Config, Server):
    setattr(sys.modules[NAME], _part.__name__, _part)  # its other modules take them from the package

__all__ = ["Config", "HttpToolsProtocol", "RequestResponseCycle", "Server"]
