"""The registry of Windows, in memory."""

from typing import Self


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

    HKEY_CURRENT_USER, KEY_READ, KEY_SET_VALUE = "HKCU", 0x20019, 0x0002
    REG_SZ, REG_EXPAND_SZ, REG_BINARY = 1, 2, 3

    def __init__(self, *, writable: bool = True) -> None:
        self.keys: dict[str, dict[str, object]] = {}
        self.kinds: dict[str, int] = {}
        self._writable = writable

    def CreateKeyEx(self, root: str, name: str, reserved: int, access: int) -> Key:  # noqa: N802
        assert (root, reserved, access) == (self.HKEY_CURRENT_USER, 0, self.KEY_SET_VALUE)
        if not self._writable:
            raise PermissionError(5, "Access is denied")
        return Key(self.keys.setdefault(name, {}))

    def OpenKey(self, root: str, name: str, reserved: int = 0, access: int = KEY_READ) -> Key:  # noqa: N802
        assert root == self.HKEY_CURRENT_USER
        assert reserved == 0
        if access != self.KEY_READ and not self._writable:
            raise PermissionError(5, "Access is denied")
        if name not in self.keys:
            raise FileNotFoundError(2, "The system cannot find the file specified")
        return Key(self.keys[name])

    def QueryValueEx(self, key: Key, name: str) -> tuple[object, int]:  # noqa: N802
        if name not in key.values:
            raise FileNotFoundError(2, "The system cannot find the file specified")
        value = key.values[name]
        return value, self.REG_BINARY if isinstance(value, bytes) else self.kinds.get(name, self.REG_SZ)

    def SetValueEx(self, key: Key, name: str, reserved: int, kind: int, value: str) -> None:  # noqa: N802
        assert reserved == 0
        key.values[name], self.kinds[name] = value, kind

    def DeleteValue(self, key: Key, name: str) -> None:  # noqa: N802
        if name not in key.values:
            raise FileNotFoundError(2, "The system cannot find the file specified")
        del key.values[name]
