"""A text on the clipboard of X11: whoever copies keeps the text, and hands it to each program that pastes (ICCCM 2)."""

import logging
from importlib import import_module
from typing import Any

log = logging.getLogger(__name__)

ATOM_BITS = 32
BYTE_BITS = 8


class Selection:
    """`text`, offered on a connection of its own until somebody else copies something.

    Raises:
        ImportError: python-xlib is not installed.
    """

    def __init__(self, text: str) -> None:
        self._text = text.encode()
        self._display_module: Any = import_module("Xlib.display")
        self._x: Any = import_module("Xlib.X")
        self._event: Any = import_module("Xlib.protocol.event")
        errors: Any = import_module("Xlib.error")
        self._lost = (errors.DisplayError, errors.ConnectionClosedError, OSError)

    def own(self) -> bool:
        """Become the owner of the clipboard; false where no display answers."""
        try:
            self._display = self._display_module.Display()
            self._window = self._display.screen().root.create_window(0, 0, 1, 1, 0, self._x.CopyFromParent)
            self._clipboard = self._display.intern_atom("CLIPBOARD")
            self._window.set_selection_owner(self._clipboard, self._x.CurrentTime)
            return bool(self._display.get_selection_owner(self._clipboard) == self._window)
        except self._lost as error:
            log.warning("the clipboard of X cannot be reached: %s", error)
            return False

    def serve(self) -> None:
        """Answer who pastes, until somebody else owns the clipboard or the display goes."""
        try:
            while (event := self._display.next_event()).type != self._x.SelectionClear:
                if event.type == self._x.SelectionRequest:
                    self._answer(event)
            self._display.close()
        except self._lost:
            log.info("the display has gone, and what was copied with it")

    def _answer(self, request: Any) -> None:
        # Old programs name no property: theirs is called like the kind they ask for.
        place = request.property or request.target
        granted = self._put(request.requestor, place, request.target)
        request.requestor.send_event(
            self._event.SelectionNotify(
                time=request.time,
                requestor=request.requestor,
                selection=request.selection,
                target=request.target,
                property=place if granted else self._x.NONE,
            )
        )
        self._display.flush()

    def _put(self, requestor: Any, place: int, target: int) -> bool:
        """Write the text, or the kinds there are of it, where the one who asks will look."""
        atom = self._display.intern_atom
        kinds = [atom("UTF8_STRING"), atom("text/plain;charset=utf-8"), atom("text/plain"), atom("STRING")]
        if target == atom("TARGETS"):
            requestor.change_property(place, atom("ATOM"), ATOM_BITS, [atom("TARGETS"), *kinds])
        elif target in kinds:
            requestor.change_property(place, target, BYTE_BITS, self._text)
        else:
            return False
        return True
