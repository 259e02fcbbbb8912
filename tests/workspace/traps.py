"""Workspaces that try to run code as soon as somebody's git looks at them.

Each carries a canary, a program that writes a line into a file outside; what it wrote tells that it ran.
"""

import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.workspace.yards import Yard

COMMANDS = (
    *("status", "diff", "log", "show", "rev-parse", "rev-list", "ls-files", "ls-tree", "cat-file", "check-attr"),
    *("check-ignore", "symbolic-ref", "config", "merge-base"),
)
HOOKS = (
    *("applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg"),
    *("commit-msg", "post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive", "update"),
    *("proc-receive", "post-receive", "post-update", "reference-transaction", "push-to-checkout", "pre-auto-gc"),
    *("post-rewrite", "sendemail-validate", "fsmonitor-watchman", "p4-changelist", "p4-prepare-changelist"),
    *("p4-post-changelist", "p4-pre-submit", "post-index-change"),
)
SETTINGS = (
    *("core.fsmonitor", "core.pager", "core.editor", "sequence.editor", "core.sshCommand", "core.gitProxy"),
    *("core.askPass", "core.alternateRefsCommand", "diff.external", "interactive.diffFilter", "gpg.program"),
    *("gpg.ssh.program", "gpg.x509.program", "gpg.ssh.defaultKeyCommand", "uploadpack.packObjectsHook"),
    *("web.browser", "browser.trap.cmd", "man.trap.cmd", "mergetool.trap.cmd", "difftool.trap.cmd", "guitool.trap.cmd"),
    *("trailer.trap.command", "trailer.trap.cmd", "sendemail.smtpServer", "instaweb.httpd", "imap.tunnel"),
    *("remote.origin.uploadpack", "remote.origin.receivepack", "remote.origin.vcs", "diff.trap.command"),
    *("diff.trap.textconv", "merge.trap.driver", "filter.trap.clean", "filter.trap.smudge", "filter.trap.process"),
    *("hook.trap.command", "core.hooksPath", "init.templateDir"),
)
SHELL_SETTINGS = ("credential.helper", "submodule.trap.update", "alias.st")
"""Settings of which the value is a command after an exclamation mark."""

PROGRAM_VARIABLES = (
    *("GIT_EXTERNAL_DIFF", "GIT_PAGER", "PAGER", "GIT_EDITOR", "VISUAL", "EDITOR", "GIT_SSH", "GIT_SSH_COMMAND"),
    *("GIT_PROXY_COMMAND", "GIT_ASKPASS", "SSH_ASKPASS", "GIT_SEQUENCE_EDITOR"),
)
TRACE_VARIABLES = (
    *("GIT_TRACE", "GIT_TRACE2", "GIT_TRACE2_EVENT", "GIT_TRACE2_PERF", "GIT_TRACE_SETUP", "GIT_TRACE_PERFORMANCE"),
    *("GIT_TRACE_PACKET", "GIT_TRACE_PACK_ACCESS", "GIT_TRACE_REFS"),
)
REMOTES: dict[str, dict[str, str]] = {
    "ext::{canary} %S": {},
    "ssh://git@example.invalid/x": {"core.sshCommand": "{canary}"},
    "git://example.invalid/x": {"core.gitProxy": "{canary}"},
    "{root}/../other": {"remote.origin.uploadpack": "{canary}"},
    "trap::x": {},
    "https://example.invalid/x": {"remote.origin.vcs": "trap"},
}
"""Where a partial clone would fetch from, and the settings by which that runs the canary."""
_CHOSEN = ("core.fsmonitor", "core.pager", "diff.external", "core.editor", "core.sshCommand", "gpg.program")


@dataclass
class Trap:
    """A workspace in which a canary waits."""

    name: str
    yard: Yard
    base: Path
    environment: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def canary(self) -> Path:
        return self.yard.root / "canary.sh"

    @property
    def fired(self) -> Path:
        """What the canary writes."""
        return self.base / "fired"

    def has_fired(self) -> bool:
        return any(self.base.glob("fired*"))

    def program(self, path: Path) -> Path:
        """Lay a program that fires."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/sh\necho "$0 $*" >> "{self.fired}"\nexec /bin/cat /dev/null\n', encoding="utf-8")
        path.chmod(0o755)
        return path

    def settings(self, *every: tuple[str, str], file: str = ".git/config") -> None:
        """Write settings, as `git config` does."""
        for name, value in every:
            self.yard.git("config", "--file", str(self.yard.root / file), "--add", name, value)


Lay = Callable[[Trap], None]


def _setting(name: str, value: str, trap: Trap) -> None:
    trap.settings((name, value.format(canary=trap.canary, root=trap.yard.root)))


def _included(way: str, name: str, trap: Trap) -> None:
    """A setting in another file, which the first one takes in."""
    value = str(trap.canary)
    match way:
        case "include.path":
            trap.settings((name, value), file="settings.ini")
            trap.settings(("include.path", "../settings.ini"))
        case "worktree":
            trap.settings((name, value), file=".git/config.worktree")
            trap.settings(("core.repositoryFormatVersion", "1"), ("extensions.worktreeConfig", "true"))
        case condition:
            trap.settings((name, value), file="settings.ini")
            trap.settings((f"includeIf.{condition}.path", "../settings.ini"))


def _hook(folder: str, name: str, trap: Trap) -> None:
    trap.program(trap.yard.root / folder / name)
    if folder != ".git/hooks":
        trap.settings(("core.hooksPath", folder))


def _attribute(file: str, kind: str, trap: Trap) -> None:
    attribute = {"clean": "filter", "smudge": "filter", "process": "filter", "required": "filter", "driver": "merge"}
    word = attribute.get(kind, "diff")
    macro = "[attr]odd" if "macro" in file else "*"
    lines = f"{macro} {word}=trap\n" + ("* odd\n" if "macro" in file else "")
    trap.yard.write(file.removesuffix(":macro"), lines)
    command = "clean" if kind == "required" else kind
    trap.settings((f"{word}.trap.{command}", str(trap.canary)))
    if kind == "required":
        trap.settings(("filter.trap.required", "true"))


def _placed(program: str, entry: str, trap: Trap) -> None:
    """A program in the workspace, and an entry of the search path that leads to it."""
    folder = trap.yard.root if entry in {"", "."} else trap.yard.root / "bin"
    trap.program(folder / program)
    if entry == "alias":
        (trap.base / "alias").symlink_to(folder)
    leads = entry.format(root=trap.yard.root) if entry != "alias" else str(trap.base / "alias")
    trap.environment["PATH"] = f"{leads}{os.pathsep}{os.environ['PATH']}"
    trap.settings(("core.pager", "cat"))


def _variable(name: str, value: str, trap: Trap) -> None:
    trap.environment[name] = value.format(canary=trap.canary, fired=trap.fired, root=trap.yard.root)
    if name == "GIT_EXEC_PATH":
        for command in ("git-status", "git-diff", "git-remote-https", "git"):
            trap.program(trap.yard.root / "exec" / command)


def _counted(name: str, trap: Trap) -> None:
    trap.environment |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": name, "GIT_CONFIG_VALUE_0": str(trap.canary)}


def _personal(place: str, name: str, trap: Trap) -> None:
    """Settings of a person, as somebody else wrote them."""
    home = trap.yard.root / "home"
    file = {"HOME": ".gitconfig", "XDG_CONFIG_HOME": "git/config"}.get(place, "config")
    (home / file).parent.mkdir(parents=True, exist_ok=True)
    trap.settings((name, str(trap.canary)), file=f"home/{file}")
    trap.environment[place] = str(home if place in {"HOME", "XDG_CONFIG_HOME"} else home / file)
    if name.startswith("filter"):
        trap.yard.write(".gitattributes", "* filter=trap\n")


def _promise(url: str, more: Mapping[str, str], lost: str, trap: Trap) -> None:
    """A partial clone: an object is missing, and git would fetch it."""
    told = url.format(canary=trap.canary, root=trap.yard.root)
    trap.settings(
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.url", told),
        ("remote.origin.promisor", "true"),
        ("remote.origin.partialCloneFilter", "blob:none"),
        ("protocol.allow", "always"),
        ("protocol.ext.allow", "always"),
        *((name, value.format(canary=trap.canary)) for name, value in more.items()),
    )
    trap.program(trap.yard.root / "bin" / "git-remote-trap")
    trap.environment["PATH"] = f"{trap.yard.root / 'bin'}{os.pathsep}{os.environ['PATH']}"
    name = trap.yard.git("rev-parse", lost)
    (trap.yard.root / ".git" / "objects" / name[:2] / name[2:]).unlink()


def _elsewhere(trap: Trap) -> None:
    """A `.git` file that leads to a repository with settings of its own."""
    shutil.move(trap.yard.root / ".git", trap.yard.root / "made")
    trap.yard.write(".git", "gitdir: made\n")
    trap.settings(("core.worktree", str(trap.yard.root)), ("core.fsmonitor", str(trap.canary)), file="made/config")


def _other_worktree(trap: Trap) -> None:
    trap.settings(("core.worktree", str(trap.base)), ("core.fsmonitor", str(trap.canary)))


def _other_repository(variable: str, trap: Trap) -> None:
    """A variable that leads the server's git to a repository with a trap."""
    made = trap.base / "other"
    shutil.copytree(trap.yard.root / ".git", made / ".git")
    trap.settings(("core.fsmonitor", str(trap.canary)), ("core.hooksPath", "x"), file="../other/.git/config")
    trap.environment[variable] = str(made / ".git")


def _alternates(trap: Trap) -> None:
    shutil.copytree(trap.yard.root / ".git", trap.base / "other.git")
    trap.yard.write(".git/objects/info/alternates", f"{trap.base / 'other.git' / 'objects'}\n")
    trap.settings(("core.alternateRefsCommand", str(trap.canary)), ("remote.origin.url", str(trap.base / "other.git")))


def _module(trap: Trap) -> None:
    """A module with a trap inside, which a status of the whole would enter."""
    inner = Yard(trap.yard.root / "module")
    shutil.copytree(trap.yard.root / ".git", inner.root / ".git")
    trap.yard.git("add", "module")
    trap.yard.git("commit", "-q", "-m", "Module")
    trap.settings(("core.fsmonitor", str(trap.canary)), file="module/.git/config")


def _replaced(trap: Trap) -> None:
    commit = trap.yard.git("rev-parse", "HEAD")
    trap.yard.git("replace", commit, trap.yard.git("commit-tree", "-m", "Other", "HEAD^{tree}"))
    trap.settings(("core.fsmonitor", str(trap.canary)))


def _signed(trap: Trap) -> None:
    """A commit with a signature, which a log that shows signatures has checked."""
    tree = trap.yard.git("rev-parse", "HEAD^{tree}")
    text = (
        f"tree {tree}\nparent {trap.yard.git('rev-parse', 'HEAD')}\nauthor A <a> 1700000000 +0000\n"
        "committer A <a> 1700000000 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n"
        " -----END PGP SIGNATURE-----\n\nSigned\n"
    )
    made = trap.yard.git("hash-object", "-t", "commit", "-w", "--stdin", given=text.encode())
    trap.yard.git("update-ref", "HEAD", made)
    trap.settings(("log.showSignature", "true"), ("gpg.program", str(trap.canary)))


def _loader(trap: Trap) -> None:
    """The loader of programs listens to variables: this one has it write; LD_PRELOAD has it run."""
    trap.environment |= {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(trap.fired)}


def families() -> dict[str, dict[str, Lay]]:
    """All traps, by their family and name."""
    return {
        "settings": _all_settings(),
        "inclusions": {
            f"{way} {name}": partial(_included, way, name)
            for way in ("include.path", "gitdir:**", "onbranch:main", "worktree")
            for name in _CHOSEN
        },
        "hooks": {
            f"{folder}/{name}": partial(_hook, folder, name) for folder in (".git/hooks", "hooks") for name in HOOKS
        },
        "attributes": {
            f"{file} {kind}": partial(_attribute, file, kind)
            for file in (".gitattributes", ".git/info/attributes", "src/.gitattributes", ".gitattributes:macro")
            for kind in ("clean", "smudge", "process", "required", "command", "textconv", "driver")
        },
        "programs": {
            f"{program} in {entry!r}": partial(_placed, program, entry)
            for program in ("git", "cat", "false", "sh", "git-status", "git-diff")
            for entry in ("", ".", "bin", "{root}/bin", "alias")
        },
        "variables": _all_variables(),
        "promises": {
            f"{url} {lost}": partial(_promise, url, more, lost)
            for url, more in REMOTES.items()
            for lost in ("HEAD:README.md", "HEAD^{tree}")
        },
        "places": {
            "a .git file": _elsewhere,
            "other files": _other_worktree,
            "alternates": _alternates,
            "module": _module,
            "replacement": _replaced,
            "signature": _signed,
        },
    }


def _all_settings() -> dict[str, Lay]:
    return {
        **{name: partial(_setting, name, "{canary}") for name in SETTINGS},
        **{name: partial(_setting, name, "!{canary}") for name in SHELL_SETTINGS},
        **{f"pager.{each}": partial(_setting, f"pager.{each}", "{canary}") for each in COMMANDS},
        **{f"alias.{each}": partial(_setting, f"alias.{each}", "!{canary}") for each in COMMANDS},
    }


def _all_variables() -> dict[str, Lay]:
    places = ("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM")
    names = ("core.fsmonitor", "core.pager", "diff.external", "filter.trap.clean")
    return {
        **{name: partial(_variable, name, "{canary}") for name in PROGRAM_VARIABLES},
        **{name: partial(_variable, name, "{fired}") for name in TRACE_VARIABLES},
        "GIT_EXEC_PATH": partial(_variable, "GIT_EXEC_PATH", "{root}/exec"),
        "GIT_CONFIG_PARAMETERS": partial(_variable, "GIT_CONFIG_PARAMETERS", "'core.fsmonitor={canary}'"),
        "LD_DEBUG": _loader,
        **{f"counted {name}": partial(_counted, name) for name in _CHOSEN},
        **{each: partial(_other_repository, each) for each in ("GIT_DIR", "GIT_COMMON_DIR")},
        **{f"{place} {name}": partial(_personal, place, name) for place in places for name in names},
    }
