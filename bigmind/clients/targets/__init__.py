"""One module per IDE or agent, and the list of them."""

from bigmind.clients.target import Target
from bigmind.clients.targets.agents_md import AGENTS_MD
from bigmind.clients.targets.claude_code import CLAUDE_CODE
from bigmind.clients.targets.claude_desktop import CLAUDE_DESKTOP
from bigmind.clients.targets.cline import CLINE
from bigmind.clients.targets.codex import CODEX
from bigmind.clients.targets.copilot_cli import COPILOT_CLI
from bigmind.clients.targets.cursor import CURSOR
from bigmind.clients.targets.gemini_cli import GEMINI_CLI
from bigmind.clients.targets.goose import GOOSE
from bigmind.clients.targets.jetbrains_ai import JETBRAINS_AI
from bigmind.clients.targets.junie import JUNIE
from bigmind.clients.targets.kilo import KILO
from bigmind.clients.targets.opencode import OPENCODE
from bigmind.clients.targets.vscode import VSCODE
from bigmind.clients.targets.windsurf import WINDSURF
from bigmind.clients.targets.zed import ZED

TARGETS: tuple[Target, ...] = (
    CLAUDE_CODE,
    CLAUDE_DESKTOP,
    VSCODE,
    COPILOT_CLI,
    CURSOR,
    JETBRAINS_AI,
    JUNIE,
    WINDSURF,
    ZED,
    GEMINI_CLI,
    CODEX,
    OPENCODE,
    CLINE,
    GOOSE,
    KILO,
    AGENTS_MD,
)
"""In the order in which people see them."""
