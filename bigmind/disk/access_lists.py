"""Who may read and write a file or folder on Windows, where modes say nothing: its owner and its access control list.

A folder in the person's profile inherits a list that is theirs alone; on another drive every user of the machine may
read and change what anybody makes there. What is put into a folder inherits that folder's list, and what is moved there
keeps its own; who may not list a folder still opens a file in it by its name. An owner may change the list at any time.
"""

import ctypes
import errno
import os
import re
import stat
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from bigmind.disk.volumes import volumes_here
from bigmind.disk.windows_paths import mode_of

_TRUSTED = frozenset({"SY", "BA", "LA"})
"""The system and administrators, who can read everything anyway."""
_MAKER = "CO"
"""Whoever makes something in a folder."""
_OWNER = "OW"
"""Whoever owns it now; CPython writes that for a private folder, and an elevated one belongs to administrators."""
_DENIALS = frozenset({"D", "OD", "XD", "ZD"})
_ENTRY = re.compile(r"\(([A-Z]+);[^;()]*;[^;()]*;[^;()]*;[^;()]*;([^;()]*)[;)]")
_INHERITED = "OICI"
"""By the files and the folders in it."""

_FILE, _KERNEL_OBJECT, _OWNER_OF, _LIST, _PROTECTED, _QUERY, _USER, _REVISION = 1, 6, 0x1, 0x4, 0x8000_0000, 0x8, 1, 1


def grants_others(descriptor: str, own: str) -> bool:
    """Whether somebody who is neither the person nor trusted anyway owns something, or is granted anything of it.

    Args:
        descriptor: owner and list, as Windows writes them (SDDL): `O:BAD:P(A;OICI;FA;;;SY)`.
        own: the person, as it writes them in one.
    """
    owner, begin, entries = descriptor.partition("D:")
    owner = owner.removeprefix("O:")
    if not begin or "NO_ACCESS_CONTROL" in entries.partition("(")[0] or owner not in {*_TRUSTED, own}:
        return True
    known = {*_TRUSTED, _MAKER, own, *([_OWNER] if owner == own else ())}
    return any(kind not in _DENIALS and who not in known for kind, who in _ENTRY.findall(entries))


def private_list(own: str, *, is_folder: bool) -> str:
    """The list that grants everything to the person and to who is trusted anyway, and inherits nothing."""
    flags = _INHERITED if is_folder else ""
    return "D:P" + "".join(f"(A;{flags};FA;;;{who})" for who in dict.fromkeys(("SY", "BA", own)))


def keeps_lists(path: Path) -> bool:
    """Whether the disk under a path keeps lists, and is of this machine; only Windows' disks do. Raises OSError."""
    if sys.platform != "win32":
        return False
    real = Path(os.path.realpath(path))
    return volumes_here().keeps_lists(volumes_here().root_of(real))


def is_open_to_others(path: Path) -> bool:
    """Whether somebody else has something of a file or folder on a disk that keeps lists; raises OSError."""
    return keeps_lists(path) and grants_others(lists_here().describe(path), lists_here().person())


def take_from_others(path: Path) -> bool:
    """Have a file or folder be the person's alone, where its disk can keep that; only on Windows.

    On another machine's disk, and on one that goes from one to another, the person is somebody else: it stays as it
    is there, and so do a disk that keeps no lists and a drive as a whole.

    Returns:
        Whether it is theirs alone by now.

    Raises:
        OSError: when Windows does not let us: it is of somebody else, who let us write to it.
    """
    if sys.platform != "win32":
        return False
    real = Path(os.path.realpath(path))
    root = volumes_here().root_of(real)
    if not volumes_here().keeps_lists(root):
        return False
    lists = lists_here()
    if not grants_others(lists.describe(real), own := lists.person()):
        return True
    if real == Path(root) or volumes_here().is_outside(root):
        return False
    lists.claim(real, private_list(own, is_folder=real.is_dir()))
    return True


def take_all_from_others(folder: Path) -> list[Path]:
    """Have a folder with all in it be the person's alone; links are not followed.

    Returns:
        What Windows did not let us change; the folder alone, where it is left as it is.
    """
    left: list[Path] = []
    for path in _all_in(folder, left):
        try:
            if not take_from_others(path):
                return [folder]
        except FileNotFoundError:  # it went away meanwhile
            continue
        except OSError:
            left.append(path)
    return list(dict.fromkeys(left))


def _all_in(folder: Path, left: list[Path]) -> Iterator[Path]:
    """A folder and what is in it, from the top; what cannot be listed is added to `left`."""
    yield folder
    for place, folders, files in os.walk(folder, onerror=lambda error: left.append(Path(error.filename))):
        folders[:] = [name for name in folders if not _leads_on(Path(place, name))]
        yield from (Path(place, name) for name in folders)
        yield from (each for each in (Path(place, name) for name in files) if not _leads_on(each))


def _leads_on(path: Path) -> bool:
    try:
        found = path.lstat()
    except OSError:  # it went away meanwhile
        return False
    return stat.S_ISLNK(mode_of(found))


@cache
def lists_here() -> "AccessLists":
    """Those of this machine; raises OSError on another system than Windows."""
    if sys.platform != "win32":
        raise OSError("only Windows has them")
    return AccessLists(*(ctypes.WinDLL(name, use_last_error=True) for name in ("advapi32", "kernel32")))


class AccessLists:
    """The calls of Windows for them."""

    def __init__(self, security: Any, kernel: Any) -> None:
        """`security` is advapi32, `kernel` kernel32."""
        self._security, self._kernel, self._person = security, kernel, ""
        handle, text, number = ctypes.c_void_p, ctypes.c_wchar_p, ctypes.c_uint32
        for call, arguments in (
            (security.GetNamedSecurityInfoW, (text, number, number, *[handle] * 5)),
            (security.GetSecurityInfo, (handle, number, number, *[handle] * 5)),
            (security.SetNamedSecurityInfoW, (text, number, number, *[handle] * 4)),
            (security.SetFileSecurityW, (text, number, handle)),
            (security.GetSecurityDescriptorDacl, (handle,) * 4),
            (security.GetSecurityDescriptorOwner, (handle,) * 3),
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

    def describe(self, path: Path) -> str:
        """Owner and list of a file or folder, as Windows writes them; raises OSError."""
        found, asked = ctypes.c_void_p(), _OWNER_OF | _LIST
        call = self._security.GetNamedSecurityInfoW
        _permit(call(str(path), _FILE, asked, None, None, None, None, ctypes.byref(found)))
        try:
            return self._write(found)
        finally:
            self._kernel.LocalFree(found)

    def is_of_others(self, opened: int) -> bool:
        """Whether an open thing that is no file is of somebody who is neither the person nor trusted anyway.

        Raises:
            OSError: Windows does not say.
        """
        found, asked = ctypes.c_void_p(), _OWNER_OF | _LIST
        call = self._security.GetSecurityInfo
        _permit(call(opened, _KERNEL_OBJECT, asked, None, None, None, None, ctypes.byref(found)))
        try:
            owner, _, _ = self._write(found).removeprefix("O:").partition("D:")
        finally:
            self._kernel.LocalFree(found)
        return owner not in {*_TRUSTED, self.person()}

    def claim(self, path: Path, descriptor: str) -> None:
        """Take a file or folder into the person's own hands, with this list, and what is in it what that inherits.

        Raises:
            OSError: when Windows does not let us, or others have something of it all the same.
        """
        if not self.describe(path).startswith(tuple(f"O:{who}D:" for who in (*_TRUSTED, self.person()))):
            self._take_over(path)
        self.put(path, descriptor)
        if grants_others(self.describe(path), self.person()):
            raise PermissionError(errno.EACCES, "Windows lets others read it all the same", str(path))

    def put(self, path: Path, descriptor: str) -> None:
        """Give a file or folder this list, and what is in it what that inherits; raises OSError."""
        entries, flag = ctypes.c_void_p(), ctypes.c_int()
        with self.made(descriptor) as made:
            call = self._security.GetSecurityDescriptorDacl
            _succeed(call(made, ctypes.byref(flag), ctypes.byref(entries), ctypes.byref(flag)))
            put = self._security.SetNamedSecurityInfoW
            refused = put(str(path), _FILE, _LIST | _PROTECTED, None, None, entries, None)
            if refused or grants_others(self.describe(path), self.person()):  # something in it is not ours: itself
                _succeed(self._security.SetFileSecurityW(str(path), _LIST, made))

    @contextmanager
    def made(self, descriptor: str) -> Generator[ctypes.c_void_p]:
        """A descriptor as Windows' calls take it, for the length of a block; raises OSError."""
        made = ctypes.c_void_p()
        call = self._security.ConvertStringSecurityDescriptorToSecurityDescriptorW
        _succeed(call(descriptor, _REVISION, ctypes.byref(made), None))
        try:
            yield made
        finally:
            self._kernel.LocalFree(made)

    def person(self) -> str:
        """The person whose process this is, as they are written in a list; raises OSError."""
        if not self._person:
            with self.made(f"D:(A;;FA;;;{self._person_number()})") as made:
                [(_, self._person)] = _ENTRY.findall(self._write(made))
        return self._person

    def _take_over(self, path: Path) -> None:
        owner, flag = ctypes.c_void_p(), ctypes.c_int()
        with self.made(f"O:{self.person()}") as made:
            _succeed(self._security.GetSecurityDescriptorOwner(made, ctypes.byref(owner), ctypes.byref(flag)))
            _permit(self._security.SetNamedSecurityInfoW(str(path), _FILE, _OWNER_OF, owner, None, None, None))

    def _person_number(self) -> str:
        token, needed, text = ctypes.c_void_p(), ctypes.c_uint32(), ctypes.c_void_p()
        _succeed(self._security.OpenProcessToken(self._kernel.GetCurrentProcess(), _QUERY, ctypes.byref(token)))
        try:
            about = ctypes.create_string_buffer(256)  # a TOKEN_USER: a pointer to the number, which stands behind it
            call = self._security.GetTokenInformation
            _succeed(call(token, _USER, about, len(about), ctypes.byref(needed)))
            number = ctypes.c_void_p.from_buffer(about)
            _succeed(self._security.ConvertSidToStringSidW(number, ctypes.byref(text)))
            return self._take_text(text)
        finally:
            self._kernel.CloseHandle(token)

    def _write(self, descriptor: ctypes.c_void_p) -> str:
        text = ctypes.c_void_p()
        call = self._security.ConvertSecurityDescriptorToStringSecurityDescriptorW
        _succeed(call(descriptor, _REVISION, _OWNER_OF | _LIST, ctypes.byref(text), None))
        return self._take_text(text)

    def _take_text(self, text: ctypes.c_void_p) -> str:
        """A text that Windows made, which is given back."""
        try:
            return ctypes.wstring_at(text.value or 0)
        finally:
            self._kernel.LocalFree(text)


def _succeed(result: int) -> None:
    if not result and sys.platform == "win32":
        raise ctypes.WinError(ctypes.get_last_error())


def _permit(refusal: int) -> None:
    if refusal and sys.platform == "win32":
        raise ctypes.WinError(refusal)
