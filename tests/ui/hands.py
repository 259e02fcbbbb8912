"""The two ways of a person through the pages: a mouse, and a keyboard alone."""

from dataclasses import dataclass
from typing import Protocol

from playwright.sync_api import Locator, Page, expect

MOST_TABS = 250
IS_FOCUSED = "all => all.length > 0 && all[0] === document.activeElement"
IS_LIST = "each => each.matches('select')"
FOCUS = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return 'the focus is nowhere';
  const rings = [at, at.closest('label'), at.labels?.[0]].filter(Boolean).map(each => getComputedStyle(each));
  if (!rings.some(style => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1))
    return `the focus cannot be seen on ${at.outerHTML.slice(0, 120)}`;
  const {left, right, top, bottom} = at.getBoundingClientRect();
  if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth)
    return `the focus is outside the window: ${at.outerHTML.slice(0, 120)}`;
  const seen = [.02, .5, .98].some(share => {
    const x = Math.max(left, 0) + share * (Math.min(right, innerWidth) - Math.max(left, 0));
    const above = document.elementFromPoint(x, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
    return above && (at.contains(above) || above.contains(at) || at.labels?.[0]?.contains(above));
  });
  if (!seen) return `the focus is behind something: ${at.outerHTML.slice(0, 120)}`;
  return '';
}"""


class Hand(Protocol):
    """How somebody works with a page."""

    page: Page

    def go(self, name: str, key: str) -> None:
        """Open a page by the navigation."""
        ...

    def press(self, what: Locator) -> None:
        """Work a button or a link."""
        ...

    def write(self, where: Locator, text: str) -> None:
        """Fill in a field."""
        ...

    def choose(self, where: Locator, value: str) -> None:
        """Choose from a list, or among buttons of which one is pressed."""
        ...

    def holds(self) -> None:
        """After an action: the focus stands somewhere."""
        ...


@dataclass
class Mouse:
    """Clicks and types; knows no key but letters."""

    page: Page

    def go(self, name: str, key: str) -> None:  # noqa: ARG002 - the keyboard's
        self.page.locator(f"#nav-{name}").click()

    def press(self, what: Locator) -> None:
        what.click()

    def write(self, where: Locator, text: str) -> None:
        where.click()
        where.fill(text)

    def choose(self, where: Locator, value: str) -> None:
        if where.evaluate(IS_LIST):
            where.select_option(value)
        else:
            where.check()

    def holds(self) -> None:
        expect(self.page.locator("body")).not_to_be_focused()


@dataclass
class Keys:
    """Knows Tab, Enter, Space, arrows and letters; sees where the focus is at each step."""

    page: Page

    def go(self, name: str, key: str) -> None:  # noqa: ARG002 - the mouse's
        if key != "/":
            self.page.keyboard.press("g")
        self.page.keyboard.press(key)

    def press(self, what: Locator) -> None:
        self._reach(what)
        self.page.keyboard.press("Enter")

    def write(self, where: Locator, text: str) -> None:
        self._reach(where)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def choose(self, where: Locator, value: str) -> None:
        if not where.evaluate(IS_LIST):
            self._reach(self.page.locator(f"[name={where.get_attribute('name')}]:focus"))
            while not where.is_checked():
                self.page.keyboard.press("ArrowDown")
            return
        self._reach(where)
        options = where.evaluate("each => [...each.options].map(option => option.value)")
        self.page.keyboard.press("Home")
        for _ in range(options.index(value)):
            self.page.keyboard.press("ArrowDown")

    def holds(self) -> None:
        expect(self.page.locator("body")).not_to_be_focused()
        assert not (fault := self.page.evaluate(FOCUS)), fault

    def _reach(self, what: Locator) -> None:
        """Tab until it has the focus; a dialog keeps the focus in itself, as it should."""
        for _ in range(MOST_TABS):
            if what.evaluate_all(IS_FOCUSED):
                self.holds()
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{what} is not reached by Tab")
