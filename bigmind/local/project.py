"""Which project a folder belongs to: its git remote, else its name. Runs no git, and imports the standard library only.

The bridge needs this before its first answer, so the remote is read from git's own files. What git would add to them
(`include` files, `insteadOf` rewrites) is not followed: every clone of a repository says the same without.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from urllib.parse import SplitResult, unquote, urlsplit

from bigmind.disk.existence import beginning_of

MOST_CHARACTERS = 200
LONGEST_PATH = 4_096
MOST_CONFIG_BYTES = 1024 * 1024

_DEFAULT_PORTS = {"http": 80, "https": 443, "ssh": 22, "git+ssh": 22, "ssh+git": 22, "git": 9418, "ftp": 21}
_TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/dev/shm")  # noqa: S108 - places that are no project

# `[user@]host:path`; one letter before the colon is a drive of Windows.
_SCP = re.compile(r"(?:(?P<user>[^@/\s]+)@)?(?P<host>[^@:/\\\s]{2,}):(?!//)(?P<path>\S+)")
_OF_PROGRAMS = (
    *("SystemRoot", "ProgramFiles", "ProgramFiles(x86)", "ProgramW6432", "ProgramData"),
    *("APPDATA", "LOCALAPPDATA"),
)
"""What names the folders of programs on Windows. A client that has no folder open starts a bridge in one of them."""
_DRIVE = re.compile("/+[A-Za-z]:")
_NO_HOST = re.compile(r"[/\\:?\0]|^\.+$")
"""In place of a machine's name: it would make another path of what follows, or a device's."""
_SECTION = re.compile(r'\[\s*(?P<section>[A-Za-z0-9.-]+)(?:\s+"(?P<name>(?:[^"\\]|\\.)*)")?\s*\]\s*')
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


def project_of(folder: Path, environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> str | None:
    """The project that `folder` is in.

    Args:
        folder: where a client works; it need not exist.
        environment: says where temporary files are.
        system: as `sys.platform` says it.

    Returns:
        `host/path` of the repository's remote `origin`, else of its first one; where that is none, the name of the
        repository's folder (of the main one, for a worktree); without a repository, the folder's own name. None for a
        place that is no project: the user's home, a folder for temporary files, the root of a drive; on Windows what
        lies among programs and belongs to no repository.
    """
    folder = Path(os.path.abspath(folder))  # noqa: PTH100 - Path.absolute() keeps `..`
    if _is_no_project(folder, environment):
        return None
    for root in (folder, *folder.parents):
        if _is_no_project(root, environment):  # a home that is a repository, of settings, says nothing of its folders
            break
        if (found := _git_folder(root, system)) is not None:
            git_folder, name = found
            return (_remote_project(git_folder, root, system) or name)[:MOST_CHARACTERS]
    if system == "win32" and _is_of_programs(folder, environment):
        return None
    return _name_of(folder, system)[:MOST_CHARACTERS]


def project_elsewhere(folder: PurePath) -> str | None:
    """The project that a folder of another machine is in, by its name alone: nothing of it is looked at here."""
    return None if str(folder) in _TEMPORARY else folder.name[:MOST_CHARACTERS] or None


def folder_of(uri: str, system: str = os.name) -> Path | None:
    r"""The folder that a `file:` address names, as a client gives its roots; None for any other.

    On Windows also one that was only put together, `file://C:\work`, as browsers read it.

    Args:
        uri: the address.
        system: as `os.name` says it.
    """
    try:
        uri.encode()  # a lone surrogate, which JSON can hold, names no file
        parts = urlsplit(uri.replace("\\", "/") if system == "nt" else uri)
    except ValueError:
        return None
    path, host = unquote(parts.path), unquote(parts.netloc)
    if parts.scheme != "file" or not path or "\0" in path or len(path) > LONGEST_PATH:
        return None
    if system != "nt":
        return Path(path)
    if _DRIVE.fullmatch(f"/{host}"):
        return None if ":" in path else Path(f"{host}{path}")
    return None if _NO_HOST.search(host) else Path(_on_windows(host, path))


def _on_windows(host: str, path: str) -> str:
    """Of `/c:/work`, or of a path on another machine, which is told with its name or with slashes of its own."""
    if host and host.lower() != "localhost":
        return f"//{host}{path}"
    return drive_path(path)


def drive_path(path: str) -> str:
    """A path of Windows whose drive some programs write behind a slash, as addresses have it; any other as it is."""
    return path.lstrip("/") if _DRIVE.match(path) else path


def normalised(text: str) -> str:
    """A project as somebody wrote it: the address of a repository becomes `host/path`, any other name stays.

    Credentials, `.git`, default ports and the case of the host are not part of it.
    """
    text = text.strip()
    if "://" in text:
        return _of_url(text) or text
    found = _SCP.fullmatch(text)
    # In a name a colon is an ordinary character: only what cannot be anything else is read as an address.
    if found and (found["user"] or ("." in found["host"] and "/" in found["path"])):
        return _joined(found["host"].lower(), found["path"])
    return text


def _is_no_project(folder: Path, environment: Mapping[str, str]) -> bool:
    own = [environment.get(name) for name in ("TMPDIR", "TEMP", "TMP")]
    places = {os.path.realpath(place) for place in (os.path.expanduser("~"), *_TEMPORARY, *own) if place}  # noqa: PTH111
    return folder.parent == folder or os.path.realpath(folder) in places


def _is_of_programs(folder: Path, environment: Mapping[str, str]) -> bool:
    """Whether a folder of Windows is a program's, and not among the temporary files, which lie between those."""

    def lies_in(names: tuple[str, ...]) -> bool:
        places = {os.path.realpath(place) for name in names if (place := environment.get(name))}
        return any(Path(os.path.realpath(folder)).is_relative_to(place) for place in places)

    return lies_in(_OF_PROGRAMS) and not lies_in(("TEMP", "TMP"))


def _name_of(folder: Path, system: str) -> str:
    """A folder's own name; on Windows as its disk has it, however somebody typed it: the shells there keep that."""
    if system != "win32":
        return folder.name
    from bigmind.disk.windows_paths import is_link  # noqa: PLC0415 - on one system

    return folder.name if is_link(folder) else Path(os.path.realpath(folder)).name


def _git_folder(root: Path, system: str) -> tuple[Path, str] | None:
    """Where the repository of `root` keeps its config, and its name; None when `root` is not the top of one.

    What leads to another machine is none: on Windows it would sign its user in there, and anybody may have written it.
    """
    entry = root / ".git"
    if system == "win32" and not (os.path.lexists(entry) and _is_here(entry, "HEAD", root, system)):
        return None
    if os.path.isfile(entry / "HEAD"):  # noqa: PTH113 - Path.is_file() raises where it may not look
        return entry, _name_of(root, system)
    first, _, linked = _text_of(entry, root, system).partition("\n")[0].partition("gitdir:")
    if first or not linked or not _is_here(root, linked.strip(), root, system):
        return None
    git_folder = root / linked.strip()
    if shared := _text_of(git_folder / "commondir", root, system).strip():  # a worktree: the main one has the config
        common = Path(os.path.abspath(git_folder / shared))  # noqa: PTH100
        if not _is_here(git_folder, shared, root, system):
            return None
        return common, common.parent.name if common.name == ".git" else common.name.removesuffix(".git")
    return git_folder, _name_of(root, system)


def _is_here(folder: Path, told: str, root: Path, system: str) -> bool:
    """Whether what is told in a folder is on this machine, or the one of `root`, with all links on the way to it."""
    if system != "win32":
        return True
    from bigmind.disk.windows_paths import leads_away  # noqa: PLC0415 - on one system, for few

    return not leads_away(folder, told, (root,), system)


def _text_of(file: Path, root: Path, system: str) -> str:
    if not _is_here(file.parent, file.name, root, system):
        return ""
    try:
        return beginning_of(file, MOST_CONFIG_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return ""


def _remote_project(git_folder: Path, root: Path, system: str) -> str:
    remotes: dict[str, str] = {}
    for section, name, key, value in _settings(_text_of(git_folder / "config", root, system)):
        if section == "remote" and key == "url" and value:
            remotes.setdefault(name, value)
    url = remotes.get("origin") or next(iter(remotes.values()), "")
    if "://" in url:
        return _of_url(url)
    found = _SCP.fullmatch(url)
    return _joined(found["host"].lower(), found["path"]) if found else ""


def _of_url(url: str) -> str:
    """`host/path` of an address; empty when it names a place on this machine, or is not one."""
    try:
        parts = urlsplit(url)
        host = _host_of(parts)
    except ValueError:
        return ""
    return _joined(host, unquote(parts.path)) if host and parts.scheme != "file" else ""


def _host_of(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if ":" in host:
        host = f"[{host}]"
    return host if parts.port in {None, _DEFAULT_PORTS.get(parts.scheme)} else f"{host}:{parts.port}"


def _joined(host: str, path: str) -> str:
    steps = [step for step in path.split("/") if step]
    return "/".join((host, *steps)).removesuffix(".git")


def _settings(config: str) -> Iterator[tuple[str, str, str, str]]:
    """Section, subsection, key and value of each setting, in git's own syntax (git-config, "Syntax")."""
    section = name = ""
    lines = iter(config.splitlines())
    for line in lines:
        text, at = line.strip(), 0
        while found := _SECTION.match(text, at):
            section, dot, old_name = found["section"].lower().partition(".")
            name = re.sub(r"\\(.)", r"\1", found["name"]) if found["name"] is not None else old_name if dot else ""
            at = found.end()
        key, equals, value = text[at:].partition("=")
        if key and key[0] not in "#;[":
            yield section, name, key.strip().lower(), _value(value, lines) if equals else "true"


def _value(text: str, more: Iterator[str]) -> str:
    """What stands behind `=`, over as many lines as it goes on: quotes and escapes resolved, comments dropped."""
    kept, quoted, end = "", False, 0
    characters = iter(text.strip())
    while (character := next(characters, None)) is not None:
        if character == "\\":
            following = next(characters, None)
            if following is None:
                characters = iter(next(more, "").rstrip())
                continue
            kept += _ESCAPES.get(following, following)
        elif character == '"':
            quoted = not quoted
        elif character in "#;" and not quoted:
            break
        else:
            kept += character
            if character.isspace() and not quoted:
                continue
        end = len(kept)
    return kept[:end]
