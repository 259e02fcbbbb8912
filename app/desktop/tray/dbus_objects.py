"""What a Linux panel asks over D-Bus: an icon (org.kde.StatusNotifierItem) and its menu (com.canonical.dbusmenu).

The protocols: freedesktop.org's StatusNotifierItem specification, and dbus-menu.xml of libdbusmenu.
"""
# ruff: noqa: N802 - the protocols' names

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from dbus_fast import DBusError, ErrorType, PropertyAccess, Variant
from dbus_fast.annotations import (
    DBusBool,
    DBusInt32,
    DBusObjectPath,
    DBusSignature,
    DBusStr,
    DBusUInt32,
    DBusVariant,
)
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property, dbus_signal

from app.desktop.tray.icon import Item, TrayState
from app.desktop.tray.pictures import pixels

ITEM_PATH = "/StatusNotifierItem"
MENU_PATH = "/MenuBar"
ROOT = 0

Properties = dict[str, Variant]
Pixmaps = Annotated[list[tuple[int, int, bytes]], DBusSignature("a(iiay)")]
ToolTip = Annotated[tuple[str, list[Any], str, str], DBusSignature("(sa(iiay)ss)")]
Numbers = Annotated[list[int], DBusSignature("ai")]
Names = Annotated[list[str], DBusSignature("as")]
Layout = Annotated[tuple[int, list[Any]], DBusSignature("u(ia{sv}av)")]
Groups = Annotated[list[list[Any]], DBusSignature("a(ia{sv})")]
Changes = Annotated[tuple[list[list[Any]], list[Any]], DBusSignature("a(ia{sv})a(ias)")]
Revision = Annotated[tuple[int, int], DBusSignature("ui")]
Events = Annotated[list[tuple[int, str, Variant, int]], DBusSignature("a(isvu)")]
Updates = Annotated[tuple[list[int], list[int]], DBusSignature("aiai")]


class Icon(ServiceInterface):
    """The icon: its pictures, its tooltip, what a click on it does."""

    def __init__(self, clicked: Callable[[], None]) -> None:
        super().__init__("org.kde.StatusNotifierItem")
        self._clicked = clicked
        self._state = TrayState.READY
        self._tooltip = ""

    def show(self, state: TrayState, tooltip: str) -> None:
        """Take on a state and say a tooltip; panels are told of what changed."""
        changed = self._state is not state
        self._state, self._tooltip = state, tooltip
        self.NewToolTip()
        if changed:
            self.NewIcon()
            self.NewStatus()

    @dbus_method()
    def Activate(self, x: DBusInt32, y: DBusInt32) -> None:  # noqa: ARG002
        """Be clicked."""
        self._clicked()

    @dbus_method()
    def SecondaryActivate(self, x: DBusInt32, y: DBusInt32) -> None:  # noqa: ARG002
        """Be clicked with the middle button."""
        self._clicked()

    @dbus_method()
    def ContextMenu(self, x: DBusInt32, y: DBusInt32) -> None:
        """Panels draw the menu themselves."""

    @dbus_method()
    def Scroll(self, delta: DBusInt32, orientation: DBusStr) -> None:
        """Nothing turns by the wheel."""

    @dbus_signal()
    def NewIcon(self) -> None:
        """Say that the picture is another one."""

    @dbus_signal()
    def NewToolTip(self) -> None:
        """Say that the tooltip is another one."""

    @dbus_signal()
    def NewStatus(self) -> DBusStr:
        """Say whether a person is needed."""
        return self._status

    @property
    def _status(self) -> str:
        return "NeedsAttention" if self._state is TrayState.ATTENTION else "Active"

    @dbus_property(PropertyAccess.READ)
    def Category(self) -> DBusStr:
        return "ApplicationStatus"

    @dbus_property(PropertyAccess.READ)
    def Id(self) -> DBusStr:
        return "bigmind"

    @dbus_property(PropertyAccess.READ)
    def Title(self) -> DBusStr:
        return "BigMind"

    @dbus_property(PropertyAccess.READ)
    def Status(self) -> DBusStr:
        return self._status

    @dbus_property(PropertyAccess.READ)
    def IconName(self) -> DBusStr:
        return ""

    @dbus_property(PropertyAccess.READ)
    def IconPixmap(self) -> Pixmaps:
        return pixels(self._state)

    @dbus_property(PropertyAccess.READ)
    def AttentionIconName(self) -> DBusStr:
        return ""

    @dbus_property(PropertyAccess.READ)
    def AttentionIconPixmap(self) -> Pixmaps:
        return pixels(TrayState.ATTENTION)

    @dbus_property(PropertyAccess.READ)
    def ToolTip(self) -> ToolTip:
        return "", [], self._tooltip, ""

    @dbus_property(PropertyAccess.READ)
    def ItemIsMenu(self) -> DBusBool:
        return False

    @dbus_property(PropertyAccess.READ)
    def Menu(self) -> DBusObjectPath:
        return MENU_PATH


class Menu(ServiceInterface):
    """The menu: a line per item, numbered from one; the panel draws it and says what was clicked."""

    def __init__(self, items: Sequence[Item], clicked: Callable[[Item], None]) -> None:
        super().__init__("com.canonical.dbusmenu")
        self._items = dict(enumerate(items, start=ROOT + 1))
        self._clicked = clicked
        self._revision = 1
        self._said = self._now()

    def refresh(self) -> bool:
        """Ask labels and check marks anew; panels are told of what changed. Returns whether anything did."""
        before, self._said = self._said, self._now()
        changed = [[number, lines] for number, lines in self._said.items() if lines != before[number]]
        if changed:
            self._revision += 1
            self.ItemsPropertiesUpdated(changed)
            self.LayoutUpdated()
        return bool(changed)

    def _now(self) -> dict[int, Properties]:
        return {number: _properties(item) for number, item in self._items.items()}

    @dbus_method()
    def GetLayout(self, parent: DBusInt32, depth: DBusInt32, names: Names) -> Layout:
        """The menu under `parent`, `depth` levels deep (-1: all of it); of each line what `names` asks for."""
        self._known(parent)
        if parent != ROOT:
            return self._revision, [parent, _asked(self._said[parent], names), []]
        lines = [] if depth == 0 else [self._line(number, names) for number in self._items]
        return self._revision, [ROOT, {"children-display": Variant("s", "submenu")}, lines]

    def _line(self, number: int, names: list[str]) -> Variant:
        return Variant("(ia{sv}av)", [number, _asked(self._said[number], names), []])

    @dbus_method()
    def GetGroupProperties(self, numbers: Numbers, names: Names) -> Groups:
        """What some lines look like; all of them when none is named."""
        wanted = [number for number in self._said if number in numbers or not numbers]
        return [[number, _asked(self._said[number], names)] for number in wanted]

    @dbus_method()
    def GetProperty(self, number: DBusInt32, name: DBusStr) -> DBusVariant:
        """One thing of one line."""
        if name not in self._said.get(number, {}):
            raise DBusError(ErrorType.INVALID_ARGS, f"The menu has no {name!r} of a line {number}.")
        return self._said[number][name]

    @dbus_method()
    def Event(self, number: DBusInt32, event: DBusStr, data: DBusVariant, when: DBusUInt32) -> None:  # noqa: ARG002
        """A line was clicked, or the menu opened."""
        self._known(number)
        self._happened(number, event)

    def _happened(self, number: int, event: str) -> None:
        if event == "opened":
            self.refresh()
        elif event == "clicked" and number != ROOT:
            self._clicked(self._items[number])

    def _has(self, number: int) -> bool:
        return number == ROOT or number in self._items

    def _known(self, number: int) -> None:
        if not self._has(number):
            raise DBusError(ErrorType.INVALID_ARGS, f"The menu has no line {number}.")

    @dbus_method()
    def EventGroup(self, events: Events) -> Numbers:
        """Several at once. Returns the lines that do not exist."""
        unknown = [number for number, *_ in events if not self._has(number)]
        for number, event, *_ in events:
            if self._has(number):
                self._happened(number, event)
        return unknown

    @dbus_method()
    def AboutToShow(self, number: DBusInt32) -> DBusBool:
        """The panel is about to draw it. Returns whether it has to ask for the layout again."""
        self._known(number)
        return self.refresh()

    @dbus_method()
    def AboutToShowGroup(self, numbers: Numbers) -> Updates:
        """Several at once. Returns what has to be asked for again, and the lines that do not exist."""
        changed = self.refresh()
        known = [number for number in numbers if self._has(number)]
        return (known if changed else []), [number for number in numbers if number not in known]

    @dbus_signal()
    def ItemsPropertiesUpdated(self, changed: list[list[Any]]) -> Changes:
        """Say how some lines look now."""
        return changed, []

    @dbus_signal()
    def LayoutUpdated(self) -> Revision:
        """Say that the whole menu is to be asked for again."""
        return self._revision, ROOT

    @dbus_property(PropertyAccess.READ)
    def Version(self) -> DBusUInt32:
        return 3

    @dbus_property(PropertyAccess.READ)
    def TextDirection(self) -> DBusStr:
        return "ltr"

    @dbus_property(PropertyAccess.READ)
    def Status(self) -> DBusStr:
        return "normal"

    @dbus_property(PropertyAccess.READ)
    def IconThemePath(self) -> Names:
        return []


def _properties(item: Item) -> Properties:
    if item.is_separator:
        return {"type": Variant("s", "separator")}
    # An underscore would be taken for the mark of an access key.
    said = {"label": Variant("s", item.text().replace("_", "__")), "enabled": Variant("b", item.action is not None)}
    if item.checked is not None:
        said["toggle-type"] = Variant("s", "checkmark")
        said["toggle-state"] = Variant("i", int(item.checked()))
    return said


def _asked(properties: Properties, names: list[str]) -> Properties:
    return {name: value for name, value in properties.items() if not names or name in names}
