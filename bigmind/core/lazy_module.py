"""A module that is imported when something of it is first asked for."""

from importlib import import_module
from typing import Any


class LazyModule:
    """The lazy door of a room: what operations do is loaded with their first call, not with each start.

    Bound to the name of the module, beside an import that only type checkers, and what draws the house, see::

        if TYPE_CHECKING:
            from bigmind.clients import service
        else:
            service = LazyModule("bigmind.clients.service")
    """

    def __init__(self, name: str) -> None:
        """Stand for the module of that whole name; nothing is imported yet."""
        self._name = name

    def __getattr__(self, name: str) -> Any:
        """What the module has under that name."""
        return getattr(import_module(self._name), name)
