"""Every setting: one row each. The environment wins over the settings file, and that over the default.

The file, the variables, `settings change`, the Settings page and the help are loops over these rows.
"""

from typing import Any, cast

from bigmind.core.operation import Mode, Space
from bigmind.core.toolsets import structured_in, toolsets_in
from bigmind.database_file import no_postgresql, wanted_database
from bigmind.settings.parsers import (
    BACKUP_HOURS,
    DEFAULT_PORT,
    LEASE_MINUTES,
    LEAST_MINUTES,
    MOST_HOURS,
    MOST_MINUTES,
    Theme,
    off_unless_on,
    on_unless_off,
    wanted_folder,
    wanted_home,
    wanted_hours,
    wanted_milliseconds,
    wanted_minutes,
    wanted_mode,
    wanted_origins,
    wanted_port,
    wanted_space,
    wanted_theme,
    wanted_tools,
    wanted_updates,
    wanted_user,
)
from bigmind.settings.setting import Applies, Control, FormField, GivenSettings, Setting

DB_PATH = "BIGMIND_DB_PATH"
ON_OFF = ("on", "off")

VARIABLES: tuple[Setting[Any], ...] = (
    Setting(
        "BIGMIND_HOME",
        "the platform's data folder",
        "Where the store, its run file, its tokens and the settings file live.",
        wanted_home,
    ),
    Setting(
        DB_PATH,
        "`bigmind.db` in the data folder",
        "The database file, on a local disk; a network folder is refused.",
        wanted_database,
    ),
    Setting(
        "BIGMIND_DB_URL",
        "none",
        "PostgreSQL, which this version does not have yet: BigMind does not start while it is set.",
        no_postgresql,
    ),
    Setting(
        "BIGMIND_HOOK_MILLISECONDS",
        "250",
        "For `bigmind hook`: when it ends at the latest, counted from its start; 100 to 60,000. Without an answer by "
        "then, it says nothing.",
        wanted_milliseconds,
        Applies.AT_ONCE,
    ),
    Setting(
        "BIGMIND_TOOLSETS",
        "those chosen for the client, else `default`",
        "For the bridge, `bigmind mcp`: the toolsets that its client is offered, with commas between them.",
        toolsets_in,
    ),
    Setting(
        "BIGMIND_STRUCTURED",
        "0",
        "For the bridge, `bigmind mcp`: with 1, answers carry structured content beside their text, for programs.",
        structured_in,
    ),
)
"""What only the environment sets: it is needed before the file is found, or by a program that reads none."""


class Settings(GivenSettings):
    """The settings of one process, a row each: `settings.port` is the value, `Settings.port` the row."""

    __slots__ = ()

    port = Setting(
        "BIGMIND_PORT",
        "7700, or the next free one; once a client is connected, the one it calls",
        "The port of the endpoint and the UI. A port set here is never changed.",
        wanted_port,
        form=FormField("port", "Port", Control.NUMBER, placeholder=str(DEFAULT_PORT), most=65_535),
    )
    user = Setting(
        "BIGMIND_USER",
        "the OS user",
        "The name of the user whose memory this is.",
        wanted_user,
        form=FormField(
            "user",
            "User",
            hint="Another user of the same store begins with an empty memory. Empty: the name you are signed in with "
            "on this machine.",
            placeholder="{user}",
            most=120,
        ),
    )
    mode = Setting(
        "BIGMIND_MODE",
        "personal",
        "`personal`, or `team`: company knowledge then waits until a curator who did not promote it approves it.",
        wanted_mode,
        form=FormField("store", "Mode", Control.CHOICE, choices=tuple(Mode)),
    )
    backup_folder = Setting(
        "BIGMIND_BACKUP_FOLDER",
        "`backups` in the data folder",
        "Where backups go: better another disk, or a drive.",
        wanted_folder,
        form=FormField("backups", "Folder", placeholder="{backups}"),
    )
    backup_hours = Setting(
        "BIGMIND_BACKUP_HOURS",
        str(BACKUP_HOURS),
        "A backup is made so many hours after the last, if anything changed; 0: never.",
        wanted_hours,
        form=FormField(
            "backups",
            "Hours between two",
            Control.NUMBER,
            hint="Only if anything changed. 0: none by themselves.",
            placeholder=str(BACKUP_HOURS),
            most=MOST_HOURS,
        ),
    )
    meaning = Setting(
        "BIGMIND_MEANING",
        "on",
        "`off`: search goes by words alone, and no embedding model is ever loaded.",
        on_unless_off,
        form=FormField("model", "Load a model at all", Control.CHOICE, choices=ON_OFF),
    )
    autoopen = Setting(
        "BIGMIND_AUTOOPEN",
        "off",
        "`on`: a server that a client started shows the profile once it is ready.",
        off_unless_on,
        form=FormField("app", "Show the profile when an assistant starts BigMind", Control.SWITCH),
    )
    brain_space = Setting(
        "BIGMIND_BRAIN_SPACE",
        "shared",
        "Who sees a thought that an agent contributes without saying: `shared` is every user of the store, `private` "
        "the contributing user's agents.",
        wanted_space,
        Applies.AT_ONCE,
        form=FormField("store", "Thoughts begin", Control.CHOICE, choices=tuple(Space)),
    )
    work_lease_minutes = Setting(
        "BIGMIND_WORK_LEASE_MINUTES",
        str(LEASE_MINUTES),
        f"How many minutes an agent keeps a work item that it claimed, without a call; {LEAST_MINUTES} to "
        f"{MOST_MINUTES:,}. Then another may claim it.",
        wanted_minutes,
        Applies.AT_ONCE,
        form=FormField(
            "store",
            "Minutes that a claim lasts",
            Control.NUMBER,
            hint="Without a call of its agent; then another may claim the work.",
            placeholder=str(LEASE_MINUTES),
            most=MOST_MINUTES,
        ),
    )
    origins = Setting(
        "BIGMIND_ORIGINS",
        "none",
        "Web pages that may call BigMind from a browser, with a token: origins like `https://chat.example.com`, with "
        "commas between them.",
        wanted_origins,
        Applies.AT_ONCE,
        form=FormField("port", "Web pages that may call it", hint="Origins, with commas between them. Empty: none."),
    )
    updates = Setting(
        "BIGMIND_UPDATES",
        "off",
        "Whom to ask once a day whether a newer BigMind is there: an https address that names the newest version. "
        "`off`: nobody. Health tells of it; nothing is downloaded.",
        wanted_updates,
        Applies.AT_ONCE,
        form=FormField(
            "app",
            "Where newer versions are asked for",
            hint="An https address, asked once a day. Empty: nobody is asked.",
            placeholder="off",
        ),
    )
    theme = Setting(
        "",
        "system",
        "How the pages look: `system`, `light` or `dark`.",
        wanted_theme,
        Applies.AT_ONCE,
        form=FormField("appearance", "Theme", Control.SEGMENTS, choices=tuple(Theme)),
    )
    single_keys = Setting(
        "",
        "on",
        "Whether single keys (`n`, `j`, `/`, `?` …) act on the pages. `off`: none does, as voice control needs.",
        on_unless_off,
        Applies.AT_ONCE,
        form=FormField("appearance", "Single-key shortcuts", Control.SWITCH),
    )
    tools_off = Setting(
        "",
        "none",
        "Tools that no assistant is offered, and none may use: a list of names.",
        wanted_tools,
        Applies.AT_ONCE,
    )


FILE_ROWS = tuple(cast("Setting[Any]", each) for each in vars(Settings).values() if isinstance(each, Setting))
ROWS = (*VARIABLES, *FILE_ROWS)
