"""What was done on one page and is told on the next: the page it was done on is gone by then."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from bigmind.core.operation import Caller
from bigmind.operations.catalogue import Answer

OLD_SECONDS = 60.0
MOST_KEPT = 100


@dataclass(frozen=True, slots=True)
class FlashMessage:
    """A short message.

    Attributes:
        text: what was done.
        operation: what did it, by its name.
        answer: what that answered; a template said/<operation>.html tells more of it.
        undo: the operation that takes it back, with its fields; empty when nothing does.
        at: when it was said, by the monotonic clock.
    """

    text: str
    operation: str
    answer: Answer
    undo: Mapping[str, Any]
    at: float = field(default_factory=monotonic)


class FlashMessages:
    """The newest message for each browser, until it is heard. In memory only; any thread."""

    def __init__(self) -> None:
        self._said: dict[int, FlashMessage] = {}

    def say(self, caller: Caller, said: FlashMessage) -> None:
        """Keep it for the next page that this browser opens."""
        self._said[caller.token_id] = said
        for token_id, each in list(self._said.items())[: max(0, len(self._said) - MOST_KEPT)]:
            if each is not said:
                self._said.pop(token_id, None)

    def heard(self, caller: Caller) -> FlashMessage | None:
        """What is to be told now, once; what nobody came for in a minute is not told any more."""
        said = self._said.pop(caller.token_id, None)
        return said if said is not None and monotonic() - said.at < OLD_SECONDS else None
