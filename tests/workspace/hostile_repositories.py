"""Workspaces that try to run code when somebody looks at them: by settings, hooks, attributes, paths, variables.

Each is a repository with a change and an untracked file, and a canary: a command that writes a file when it runs.
"""

import os
import random
import signal
import stat
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

HOOKS = (
    *("pre-commit", "post-checkout", "post-index-change", "fsmonitor-watchman", "reference-transaction", "pre-auto-gc"),
    *("post-rewrite", "post-merge", "push-to-checkout", "update", "pre-receive", "query-watchman", "post-commit"),
)
RUN_BY_SETTING = (
    *("core.fsmonitor", "core.pager", "pager.status", "pager.diff", "pager.log", "diff.external", "core.sshCommand"),
    *("core.gitProxy", "core.editor", "sequence.editor", "credential.helper", "gpg.program", "gpg.ssh.program"),
    *("core.askPass", "core.alternateRefsCommand", "interactive.diffFilter", "diff.evil.command", "diff.evil.textconv"),
    *("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "merge.evil.driver", "alias.status"),
    *("alias.rev-parse", "alias.ls-files", "alias.rev-list", "uploadpack.packObjectsHook", "trailer.x.command"),
    *("submodule.sub.update", "man.viewer", "browser.evil.cmd", "difftool.evil.cmd", "log.showSignature"),
)

CAT = "/bin/cat"
"""Whole: some lay a `cat` of their own, which would start itself for ever."""


@dataclass
class Hostile:
    """A workspace that tries something; `environment` is what it puts into that of the server."""

    root: Path
    canary: Path
    tried: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def command(self) -> str:
        """What would show that code ran: it writes the canary, and passes on what it was given."""
        return f"touch '{self.canary}'; {CAT}"

    @property
    def script(self) -> Path:
        """The same as a program outside of git's own folder."""
        file = self.root / "evil.sh"
        if not file.exists():
            file.write_text(f"#!/bin/sh\ntouch '{self.canary}'\n[ -t 0 ] || {CAT} >/dev/null\nexit 0\n")
            file.chmod(0o755)
        return file

    def git(self, *arguments: str) -> None:
        """Run git as whoever made the workspace did, before anything hostile is in it."""
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
            cwd=self.root, check=True, capture_output=True, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull},
        )  # fmt: skip

    def setting(self, name: str, value: str) -> None:
        """Write a setting into the repository's own file."""
        section, _, key = name.rpartition(".")
        first, _, sub = section.partition(".")
        head = f'[{first} "{sub}"]' if sub else f"[{first}]"
        with (self.root / ".git/config").open("a") as file:
            file.write(f"{head}\n\t{key} = {_quoted(value)}\n")

    def attributes(self, line: str, *, inside: bool) -> None:
        """Write a line of attributes, into the workspace or beside the repository."""
        file = self.root / ".git/info/attributes" if inside else self.root / ".gitattributes"
        file.parent.mkdir(exist_ok=True)
        with file.open("a") as opened:
            opened.write(f"{line}\n")


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def plain(root: Path, canary: Path) -> Hostile:
    """A repository with two commits, a change that is not committed, and a file that is not tracked."""
    root.mkdir(parents=True)
    made = Hostile(root, canary)
    made.git("init", "-q", "-b", "main")
    (root / "code.txt").write_text("one\n")
    (root / "docs").mkdir()
    (root / "docs/HANDOFF.md").write_text("# Handoff\n")
    made.git("add", "-A")
    made.git("commit", "-q", "-m", "one")
    (root / "code.txt").write_text("two\n")
    made.git("commit", "-q", "-am", "two")
    (root / "code.txt").write_text("three\n")
    (root / "new.txt").write_text("new\n")
    return made


def by_setting(made: Hostile, dice: random.Random) -> None:
    for name in dice.sample(RUN_BY_SETTING, 6):
        value = "!" + str(made.script) if name.startswith(("alias.", "submodule.")) else made.command
        made.setting(name, str(made.script) if dice.random() < 0.5 and not value.startswith("!") else value)
        made.tried.append(name)
    made.attributes("* filter=evil diff=evil merge=evil", inside=dice.random() < 0.5)


def by_hooks(made: Hostile, dice: random.Random) -> None:
    folder = made.root / (".git/hooks" if dice.random() < 0.5 else "hooks")
    folder.mkdir(exist_ok=True)
    for name in HOOKS:
        (folder / name).write_text(made.script.read_text())
        (folder / name).chmod(0o755)
    if folder.parent == made.root:
        made.setting("core.hooksPath", str(folder))
    made.setting("core.fsmonitor", str(folder / "query-watchman"))
    made.tried.append("hooks")


def by_filters(made: Hostile, dice: random.Random) -> None:
    kind = dice.choice(["clean", "process", "smudge"])
    made.setting(f"filter.evil.{kind}", made.command)
    made.setting("filter.evil.required", "true")
    made.attributes("*.txt filter=evil", inside=dice.random() < 0.5)
    os.utime(made.root / "code.txt", (1, 1))
    made.tried.append(f"filter {kind}")


def by_included_settings(made: Hostile, dice: random.Random) -> None:
    told = "".join(f"[core]\n\tfsmonitor = {made.script}\n[diff]\n\texternal = {made.script}\n" for _ in range(1))
    (made.root / "more.config").write_text(told + f'[filter "evil"]\n\tclean = {made.script}\n')
    name = "include.path" if dice.random() < 0.5 else f"includeIf.gitdir:{made.root}/.path"
    made.setting(name, str(made.root / "more.config"))
    made.attributes("* filter=evil", inside=False)
    made.tried.append(name)


def by_variables(made: Hostile, dice: random.Random) -> None:
    home = made.root / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(f"[core]\n\tfsmonitor = {made.script}\n[diff]\n\texternal = {made.script}\n")
    every = {
        "GIT_EXTERNAL_DIFF": str(made.script),
        "GIT_PAGER": str(made.script),
        "GIT_SSH": str(made.script),
        "GIT_SSH_COMMAND": str(made.script),
        "GIT_ASKPASS": str(made.script),
        "GIT_EDITOR": str(made.script),
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_CONFIG_SYSTEM": str(home / ".gitconfig"),
        "GIT_EXEC_PATH": str(made.root),
        "GIT_DIR": str(made.root / "elsewhere"),
        "GIT_TRACE": str(made.canary),
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
    }
    made.environment = {name: every[name] for name in dice.sample(sorted(every), 6)}
    made.environment |= {
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": str(made.script)
    }  # fmt: skip
    made.tried += sorted(made.environment)


def by_programs(made: Hostile, dice: random.Random) -> None:
    """A `git` in the workspace, with a search path that leads there by a relative entry, or by an empty one."""
    for name in ("git", "git-rev-parse", "git-ls-tree", "cat", "false", "sh"):
        (made.root / name).write_text(made.script.read_text())
        (made.root / name).chmod((made.root / name).stat().st_mode | stat.S_IXUSR)
    entry = dice.choice([".", "", "./"])
    made.environment = {"PATH": f"{entry}{os.pathsep}{os.environ['PATH']}"}
    made.tried.append(f"PATH {entry!r}")


def by_remotes(made: Hostile, dice: random.Random) -> None:
    """A promised object that is missing, to be fetched by a helper that runs what it is told."""
    made.setting("remote.origin.url", f"ext::{made.script} %S")
    made.setting("remote.origin.promisor", "true")
    made.setting("remote.origin.partialclonefilter", "blob:none")
    made.setting("core.repositoryformatversion", "1")
    made.setting("extensions.partialClone", "origin")
    made.setting("protocol.ext.allow", "always")
    objects = [each for each in (made.root / ".git/objects").glob("??/*") if each.is_file()]
    dice.choice(objects).unlink()
    made.tried.append("promisor")


def by_submodules(made: Hostile, dice: random.Random) -> None:
    inner = made.root / "sub"
    inner.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=inner, check=True, capture_output=True)
    (inner / "a").write_text("a")
    with (inner / ".git/config").open("a") as file:
        file.write(f'[core]\n\tfsmonitor = {made.script}\n[filter "evil"]\n\tclean = {made.script}\n')
    (inner / ".gitattributes").write_text("* filter=evil\n")
    (made.root / ".gitmodules").write_text(f'[submodule "sub"]\n\tpath = sub\n\turl = ext::{made.script}\n')
    made.setting("submodule.sub.update", f"!{made.script}")
    made.setting("submodule.recurse", "true")
    made.setting("diff.submodule", dice.choice(["log", "diff"]))
    made.setting("status.submoduleSummary", "true")
    made.tried.append("submodules")


def by_worktree(made: Hostile, dice: random.Random) -> None:
    other = made.root.with_name(f"{made.root.name}-other")
    other.mkdir()
    made.setting("core.worktree", str(other))
    made.setting("core.fsmonitor", made.command)
    made.setting(dice.choice(["core.bare", "extensions.worktreeConfig"]), "true")
    made.tried.append("core.worktree")


WAYS: tuple[Callable[[Hostile, random.Random], None], ...] = (
    *(by_setting, by_hooks, by_filters, by_included_settings, by_variables),
    *(by_programs, by_remotes, by_submodules, by_worktree),
)


def hostile(base: Path, number: int) -> Hostile:
    """The hostile workspace of that number, always the same: one way each, and in each third two of them."""
    dice = random.Random(number)
    made = plain(base / f"w{number}", base / f"canary-{number}")
    ways = [WAYS[number % len(WAYS)], *(dice.sample(WAYS, 1) if number % 3 == 0 else [])]
    for way in dict.fromkeys(ways):
        way(made, dice)
    return made


def as_anybody(made: Hostile, environment: Mapping[str, str]) -> None:
    """Look at it with plain git, as a careless program does: the positive control."""
    for arguments in (["status"], ["diff"], ["log", "-p", "-1"], ["add", "-A"], ["commit", "-qm", "x"]):
        nothing, command = subprocess.DEVNULL, ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
        with subprocess.Popen(
            command, cwd=made.root, env={**environment, **made.environment}, start_new_session=True,
            stdin=nothing, stdout=nothing, stderr=nothing,
        ) as process:  # fmt: skip
            with suppress(subprocess.TimeoutExpired):  # some of them hang whoever is careless
                process.wait(2)
            with suppress(ProcessLookupError):  # and leave something running
                os.killpg(process.pid, signal.SIGKILL)
