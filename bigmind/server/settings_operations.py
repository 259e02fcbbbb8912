"""What a person may set: the settings of this BigMind, and which tools assistants are offered."""

from collections.abc import Callable
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field

from bigmind.backup.scratch_files import CHOSEN_FOLDER
from bigmind.core.errors import BigMindError, Code, invalid, not_found
from bigmind.core.events import Action, Kind
from bigmind.core.operation import Effect, Role
from bigmind.core.toolsets import TOOLS, Tool
from bigmind.disk.new_entries import tried_file
from bigmind.disk.refused_writes import why_refused
from bigmind.local.ports import why_not_free
from bigmind.operations.catalogue import Answer, for_people
from bigmind.operations.inputs import Line
from bigmind.settings.live import LiveSettings, SettingState
from bigmind.settings.parsers import wanted_folder, wanted_port
from bigmind.settings.rows import FILE_ROWS, Settings
from bigmind.settings.setting import Applies, Origin
from bigmind.store.work import Work
from bigmind.text.phrasing import bullets, counted, plain

Text = Annotated[str, Field(max_length=1_000)]
Change = Text | None
CHANGEABLE = tuple(row.name for row in FILE_ROWS if row.form is not None)
ToolName = Annotated[Line, Field(min_length=1, max_length=80, description="A tool, or a whole toolset.")]


class Setting(Answer):
    """One setting."""

    name: str
    value: str = Field(description="As it was given; empty for the default.")
    default: str
    origin: Literal["environment", "file", "default"]
    variable: str = Field(description="The environment variable that wins over the file; empty where there is none.")
    meaning: str
    at_once: bool = Field(description="Whether a change takes effect without a restart.")
    waits: bool = Field(description="Whether it was changed and takes effect only after a restart.")

    def as_text(self) -> str:
        value = f"`{plain(self.value)}`" if self.value else f"{self.default} (default)"
        where = f", set by {self.variable}" if self.origin == Origin.ENVIRONMENT else ""
        waits = "; takes effect after a restart" if self.waits else ""
        return f"**{self.name}**: {value}{where}{waits}. {self.meaning}"


class SettingsShown(Answer):
    """The settings, and the file they stand in."""

    file: str
    settings: list[Setting]
    unknown: list[str] = Field(description="What is set and means nothing to this version.")
    fault: str = Field(default="", description="What is wrong with the file since the server started.")

    def as_text(self) -> str:
        lines = [f"Settings file: {self.file}", "", bullets([each.as_text() for each in self.settings])]
        if self.unknown:
            lines += ["", f"Not known, and left alone: {plain(', '.join(self.unknown))}."]
        if self.fault:
            lines += ["", f"{plain(self.fault)} Until then the settings stay as they were."]
        return "\n".join(lines)


class SettingsChanged(Answer):
    """Settings were changed."""

    changed: list[str]
    waits: list[str] = Field(description="Of them, what takes effect after a restart.")

    def as_text(self) -> str:
        told = f"Saved: {', '.join(self.changed)}."
        return f"{told} {_sentence(self.waits)}" if self.waits else told


class ToolRow(Answer):
    """A tool."""

    name: str
    title: str
    toolset: str
    effect: str
    tokens: int = Field(description="What its definition takes in every conversation, at most.")
    served: bool

    def as_text(self) -> str:
        return f"{'on ' if self.served else 'off'} {self.name} ({self.effect}, about {self.tokens} tokens)"


class ToolList(Answer):
    """The tools, served or not."""

    tools: list[ToolRow]
    tokens: int = Field(description="What all that are served take together.")

    def as_text(self) -> str:
        served = sum(each.served for each in self.tools)
        head = f"{served} of {len(self.tools)} tools are served; their definitions take about {self.tokens:,} tokens."
        return f"{head}\n\n{bullets([each.as_text() for each in self.tools])}"


class ServedTools(Answer):
    """Tools were switched on or off."""

    tools: list[str]
    served: bool

    def as_text(self) -> str:
        what = f"{self.tools[0]} is" if len(self.tools) == 1 else counted(len(self.tools), "tool is", "tools are")
        return f"{what} {'offered to assistants again' if self.served else 'no longer offered to assistants'}."


@for_people("Show the settings", Effect.READ, toolset="server")
def settings_show(work: Work) -> SettingsShown:
    """Every setting with its value, where that comes from, and the file they stand in."""
    settings = work.host.settings
    return SettingsShown(
        file=str(settings.file),
        settings=[_setting(each) for each in settings.stated()],
        unknown=settings.unknown,
        fault=str(settings.fault) if settings.fault else "",
    )


@for_people(
    "Change settings",
    Effect.WRITE,
    toolset="server",
    idempotent=True,
    while_paused=True,
    masks=False,
    permission=Role.ADMIN,
    inputs=dict.fromkeys(CHANGEABLE, Change),
)
def settings_change(work: Work, **given: str | None) -> SettingsChanged:
    """Write settings into the settings file; an empty one goes back to its default. `settings show` explains them."""
    changes = {name: value for name, value in given.items() if value is not None}
    if not changes:
        raise BigMindError(
            Code.INVALID_INPUT,
            "Nothing to change was named.",
            f"There are: {', '.join(f'{each}=value' for each in CHANGEABLE)}.",
        )
    settings = work.host.settings
    for name, permit in PERMITS.items():
        if name in changes:
            permit(work, changes[name].strip())
    for name, value in changes.items():
        work.changed(Kind.SETTINGS, _noted(name, value.strip()), Action.UPDATED)
    work.session.flush()  # the disk takes it, before the file is changed
    settings.change(changes)
    return SettingsChanged(changed=sorted(changes), waits=_waiting(settings, changes))


@for_people("List the tools", Effect.READ, toolset="server")
def tools_list(work: Work) -> ToolList:
    """Every tool that assistants can be offered, whether it is, and the tokens its definition takes."""
    off = work.host.settings.now().tools_off
    rows = [_row(each, served=name not in off) for name, each in work.tools.every().items()]
    return ToolList(tools=rows, tokens=sum(each.tokens for each in rows if each.served))


@for_people("Serve a tool", Effect.WRITE, toolset="server", idempotent=True, while_paused=True, permission=Role.ADMIN)
def tools_serve(
    work: Work,
    tool: ToolName,
    served: Annotated[bool, Field(description="Whether assistants are offered it.")] = True,
) -> ServedTools:
    """Offer a tool, or all of a toolset, to assistants; or no longer. It takes effect at once."""
    names = [name for name, each in work.tools.every().items() if tool in {name, each.operation.toolset}]
    if not names:
        raise not_found("tool", tool, "`bigmind tools list` shows them.")
    settings = work.host.settings
    before = settings.now().tools_off
    after = before - set(names) if served else before | set(names)
    work.changed(Kind.SETTINGS, TOOLS, Action.UPDATED)
    work.session.flush()  # the disk takes it, before the file is changed
    settings.change({"tools_off": sorted(after)})
    return ServedTools(tools=names, served=served)


def _noted(name: str, value: str) -> str:
    """What the audit log says of a change: what was chosen of a few words of ours; never what somebody typed."""
    row = next(each for each in FILE_ROWS if each.name == name)
    return f"{name}={value}" if row.form is not None and value in row.form.choices else name


def _setting(each: SettingState) -> Setting:
    return Setting(
        name=each.row.name,
        value=each.text,
        default=each.row.default,
        origin=each.origin.value,
        variable=each.row.variable,
        meaning=each.row.meaning,
        at_once=each.row.applies is Applies.AT_ONCE,
        waits=each.waits,
    )


def _permit_port(work: Work, port: str) -> None:
    """Refuse a port on which BigMind could not start again. Its own is in use, by itself."""
    wanted, is_fixed = wanted_port("port", port)
    is_own = wanted == urlsplit(work.host.profile_url).port
    if is_fixed and not is_own and (why_not := why_not_free(wanted)):
        raise invalid("port", port, f"a port that is free ({why_not}); empty takes 7700 or the next free one")


def _permit_folder(_: Work, text: str) -> None:
    """Make the folder of the backups, and refuse one that no file can be written into."""
    folder = wanted_folder("backup_folder", text)
    if folder is None:
        return
    try:
        if not folder.exists():  # one that is there stays as it is
            folder.mkdir(mode=CHOSEN_FOLDER, parents=True, exist_ok=True)
        with tried_file(folder):
            pass
    except OSError as error:
        is_taken = isinstance(error, FileExistsError | NotADirectoryError)
        said = "there is a file in its place" if is_taken else why_refused(error, folder)
        reason = said[:1].lower() + said[1:]
        raise invalid("backup_folder", text, f"a folder that BigMind may make and write into ({reason})") from error


def _waiting(settings: LiveSettings, changed: "dict[str, str]") -> list[str]:
    return [each.row.name for each in settings.stated() if each.waits and each.row.name in changed]


def _sentence(names: list[str]) -> str:
    verb = "takes" if len(names) == 1 else "take"
    return f"{', '.join(names)} {verb} effect when BigMind is started again."


def _row(tool: Tool, *, served: bool) -> ToolRow:
    each = tool.operation
    return ToolRow(
        name=each.name, title=each.title, toolset=each.toolset, effect=each.effect, tokens=tool.tokens, served=served
    )


PERMITS: dict[str, Callable[[Work, str], None]] = {
    Settings.port.name: _permit_port,
    Settings.backup_folder.name: _permit_folder,
}
"""What is looked at before a setting is written, beside its own check."""

OPERATIONS = (settings_show, settings_change, tools_list, tools_serve)
"""After those of the server."""
