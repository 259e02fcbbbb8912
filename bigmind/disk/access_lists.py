"""Who may read and write a file or folder on Windows, where modes say nothing: its access control list.

A folder in the person's profile inherits one that is theirs alone; on another drive every user of the machine may read
and change what anybody makes there. What is put into a folder inherits that folder's list.
"""

import ctypes
import re
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

_TRUSTED = frozenset({"SY", "BA", "LA", "CO", "OW"})
"""The system and administrators, who can read everything anyway, and whoever made or owns the file."""
_GRANTS = frozenset({"A", "OA", "XA"})
_ENTRY = re.compile(r"\(([A-Z]+);[^;()]*;[^;()]*;[^;()]*;[^;()]*;([^;()]*)[;)]")
_INHERITED = "OICI"
"""By the files and the folders in it."""

_FILE, _LIST, _PROTECTED, _QUERY, _USER, _REVISION = 1, 0x4, 0x8000_0000, 0x8, 1, 1
_FIXED_DRIVE = 3


def grants_others(descriptor: str, own: str) -> bool:
    """Whether an access control list grants anything to somebody who is neither the person nor trusted anyway.

    Args:
        descriptor: the list, as Windows writes it (SDDL): `D:P(A;OICI;FA;;;SY)`.
        own: the person, as it writes them in one.
    """
    _, begin, entries = descriptor.partition("D:")
    if not begin or entries.startswith("NO_ACCESS_CONTROL"):
        return True
    return any(kind in _GRANTS and who not in {*_TRUSTED, own} for kind, who in _ENTRY.findall(entries))


def private_list(own: str, *, is_folder: bool) -> str:
    """The list that grants everything to the person and to who is trusted anyway, and inherits nothing."""
    flags = _INHERITED if is_folder else ""
    return "D:P" + "".join(f"(A;{flags};FA;;;{who})" for who in dict.fromkeys(("SY", "BA", own)))


def take_from_others(path: Path) -> None:
    """Have a file or folder, with all in it, be the person's alone, where its disk can keep that; only on Windows.

    On another machine's disk, and on a stick that goes from one to another, the person is somebody else: it stays as it
    is there, and so does a drive as a whole.
    """
    if sys.platform != "win32":
        return
    whole = path.absolute()
    if whole == whole.parent or ctypes.windll.kernel32.GetDriveTypeW(whole.anchor) != _FIXED_DRIVE:
        return
    with suppress(OSError):  # a disk that knows no lists, such as FAT; a folder that is not ours
        lists = lists_here()
        if grants_others(lists.of(whole), own := lists.own()):
            lists.put(whole, private_list(own, is_folder=whole.is_dir()))


@cache
def lists_here() -> "AccessLists":
    """Those of this machine; raises OSError on another system than Windows."""
    if sys.platform != "win32":
        raise OSError("only Windows has them")
    return AccessLists(ctypes.WinDLL("advapi32"), ctypes.WinDLL("kernel32"))


class AccessLists:
    """The calls of Windows for them."""

    def __init__(self, security: Any, kernel: Any) -> None:
        """`security` is advapi32, `kernel` kernel32."""
        self._security, self._kernel, self._own = security, kernel, ""
        handle, text, number = ctypes.c_void_p, ctypes.c_wchar_p, ctypes.c_uint32
        for call, arguments in (
            (security.GetNamedSecurityInfoW, (text, number, number, *[handle] * 5)),
            (security.SetNamedSecurityInfoW, (text, number, number, *[handle] * 4)),
            (security.SetFileSecurityW, (text, number, handle)),
            (security.GetSecurityDescriptorDacl, (handle,) * 4),
            (security.ConvertSecurityDescriptorToStringSecurityDescriptorW, (handle, number, number, handle, handle)),
            (security.ConvertStringSecurityDescriptorToSecurityDescriptorW, (text, number, handle, handle)),
            (security.ConvertSidToStringSidW, (handle, handle)),
            (security.OpenProcessToken, (handle, number, handle)),
            (security.GetTokenInformation, (handle, number, handle, number, handle)),
            (kernel.CloseHandle, (handle,)),
            (kernel.LocalFree, (handle,)),
        ):
            call.argtypes = arguments
        kernel.GetCurrentProcess.restype = kernel.LocalFree.restype = handle

    def of(self, path: Path) -> str:
        """The list of a file or folder; raises OSError."""
        found = ctypes.c_void_p()
        _no_error(
            self._security.GetNamedSecurityInfoW(str(path), _FILE, _LIST, None, None, None, None, ctypes.byref(found))
        )
        try:
            return self._written(found)
        finally:
            self._kernel.LocalFree(found)

    def put(self, path: Path, descriptor: str) -> None:
        """Give a file or folder this list, and what is in it what that inherits; raises OSError."""
        made = self._read(descriptor)
        entries, flag = ctypes.c_void_p(), ctypes.c_int()
        try:
            call = self._security.GetSecurityDescriptorDacl
            _succeed(call(made, ctypes.byref(flag), ctypes.byref(entries), ctypes.byref(flag)))
            put = self._security.SetNamedSecurityInfoW
            refused = put(str(path), _FILE, _LIST | _PROTECTED, None, None, entries, None)
            if refused or grants_others(self.of(path), self.own()):  # something in it is not ours: itself, at least
                _succeed(self._security.SetFileSecurityW(str(path), _LIST, made))
        finally:
            self._kernel.LocalFree(made)

    def own(self) -> str:
        """The person whose process this is, as they are written in a list; raises OSError."""
        if not self._own:
            made = self._read(f"D:(A;;FA;;;{self._own_number()})")
            try:
                [(_, self._own)] = _ENTRY.findall(self._written(made))
            finally:
                self._kernel.LocalFree(made)
        return self._own

    def _own_number(self) -> str:
        token, needed, text = ctypes.c_void_p(), ctypes.c_uint32(), ctypes.c_void_p()
        _succeed(self._security.OpenProcessToken(self._kernel.GetCurrentProcess(), _QUERY, ctypes.byref(token)))
        try:
            about = ctypes.create_string_buffer(256)  # a TOKEN_USER: a pointer to the number, which stands behind it
            call = self._security.GetTokenInformation
            _succeed(call(token, _USER, about, len(about), ctypes.byref(needed)))
            number = ctypes.c_void_p.from_buffer(about)
            _succeed(self._security.ConvertSidToStringSidW(number, ctypes.byref(text)))
            return self._taken(text)
        finally:
            self._kernel.CloseHandle(token)

    def _written(self, descriptor: ctypes.c_void_p) -> str:
        text = ctypes.c_void_p()
        call = self._security.ConvertSecurityDescriptorToStringSecurityDescriptorW
        _succeed(call(descriptor, _REVISION, _LIST, ctypes.byref(text), None))
        return self._taken(text)

    def _read(self, text: str) -> ctypes.c_void_p:
        made = ctypes.c_void_p()
        call = self._security.ConvertStringSecurityDescriptorToSecurityDescriptorW
        _succeed(call(text, _REVISION, ctypes.byref(made), None))
        return made

    def _taken(self, text: ctypes.c_void_p) -> str:
        """A text that Windows made, which is given back."""
        try:
            return ctypes.wstring_at(text.value or 0)
        finally:
            self._kernel.LocalFree(text)


def _succeed(result: int) -> None:
    if not result:
        raise OSError("Windows refuses the access control list")


def _no_error(result: int) -> None:
    if result:
        raise OSError(f"Windows refuses the access control list ({result})")
