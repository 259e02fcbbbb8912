"""The tray: what the rest of the app knows of it. One icon, one menu, whatever draws them."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class TrayState(StrEnum):
    """What the icon shows: all is well, something long is under way, a person is needed."""

    READY = "ready"
    BUSY = "busy"
    ATTENTION = "attention"


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the menu; without label and action it is a separator.

    Args:
        label: what it says, or what to ask for it each time the menu is refreshed.
        action: what it does; runs on a thread of its own, so it may block. Without one the line cannot be chosen.
        checked: whether its check mark is set; without it there is no check mark.
        is_default: done by a click on the icon itself; at most one of a menu.

    `label` and `checked` are asked on the thread of the tray: they answer at once.
    """

    label: Callable[[], str] | str = ""
    action: Callable[[], None] | None = None
    checked: Callable[[], bool] | None = None
    is_default: bool = False

    @property
    def is_separator(self) -> bool:
        """Whether it only stands between others."""
        return self.label == "" and self.action is None

    def text(self) -> str:
        """What it says now."""
        return self.label if isinstance(self.label, str) else self.label()


class Tray(Protocol):
    """An icon with a menu. Everything but `run` may be called from any thread, before `run` and after `stop` too."""

    def run(self) -> None:
        """Show the icon and serve its menu until `stop`; on the main thread. Returns at once after an earlier `stop`.

        SIGTERM and SIGINT end it too, at once, where the process handles them; their handlers are called then.

        Raises:
            KeyboardInterrupt: what those handlers raise.
        """
        ...

    def stop(self) -> None:
        """Take the icon away and have `run` return."""
        ...

    def show(self, state: TrayState, tooltip: str) -> None:
        """Have the icon show `state`, and say `tooltip` (one line) where the pointer rests on it."""
        ...

    def notify(self, title: str, text: str) -> None:
        """Show a notification of the desktop, where it shows any."""
        ...

    def refresh(self) -> None:
        """Ask the labels and check marks anew."""
        ...

    def copy(self, text: str) -> bool:
        """Put `text` on the clipboard; whether that could be done."""
        ...

    @property
    def is_visible(self) -> bool:
        """Whether a person can see the icon at this moment: panels come and go."""
        ...


def act(item: Item, then: Callable[[], None]) -> None:
    """Do what `item` is for on a thread of its own, for it may wait for the store; and then `then`."""
    action = item.action
    if action is None:
        return

    def done() -> None:
        try:
            action()
        finally:
            then()

    threading.Thread(target=done, name=f"tray: {item.text()}", daemon=True).start()


def default_of(items: Sequence[Item]) -> Item | None:
    """What a click on the icon itself does."""
    return next((item for item in items if item.is_default), None)
