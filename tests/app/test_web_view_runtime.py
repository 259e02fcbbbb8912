"""What is said where Windows cannot show the window: pywebview would take Internet Explorer without a word."""

from typing import Self

import pytest

from app.desktop.web_view.runtime import FRAMEWORK, NO_FRAMEWORK, NO_RUNTIME, RUNTIME, why_no_web_view

FOR_ALL, OWN = ("HKLM", rf"SOFTWARE\WOW6432Node\{RUNTIME}"), ("HKCU", rf"Software\{RUNTIME}")


class Key:
    """An open key of the registry."""

    def __init__(self, values: dict[str, object]) -> None:
        self.values = values

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is held."""


class Registry:
    """A registry in memory, with the functions of `winreg` and their errors."""

    HKEY_LOCAL_MACHINE, HKEY_CURRENT_USER = "HKLM", "HKCU"

    def __init__(self, keys: dict[tuple[str, str], dict[str, object]]) -> None:
        self.keys = keys

    def OpenKey(self, root: str, name: str) -> Key:  # noqa: N802 - as Windows' own
        if (root, name) not in self.keys:
            raise FileNotFoundError(2, "The system cannot find the file specified")
        return Key(self.keys[root, name])

    def QueryValueEx(self, key: Key, name: str) -> tuple[object, int]:  # noqa: N802 - as Windows' own
        if name not in key.values:
            raise FileNotFoundError(2, "The system cannot find the file specified")
        return key.values[name], 1


@pytest.mark.parametrize(
    ("release", "runtimes", "why"),
    [
        (None, {FOR_ALL: "131.0.2903.86"}, NO_FRAMEWORK),
        (394271, {FOR_ALL: "131.0.2903.86"}, NO_FRAMEWORK),
        (533320, {}, NO_RUNTIME),
        (533320, {FOR_ALL: "131.0.2903.86"}, ""),
        (533320, {OWN: "131.0.2903.86"}, ""),
        (533320, {FOR_ALL: "0.0.0.0", OWN: ""}, NO_RUNTIME),  # noqa: S104 - a version, no address
        (533320, {FOR_ALL: "85.0.564.70"}, NO_RUNTIME),
    ],
)
def test_what_is_missing_is_named(release: int | None, runtimes: dict[tuple[str, str], str], why: str) -> None:
    keys: dict[tuple[str, str], dict[str, object]] = {place: {"pv": version} for place, version in runtimes.items()}
    if release is not None:
        keys["HKLM", FRAMEWORK] = {"Release": release}
    assert why_no_web_view(Registry(keys)) == why
