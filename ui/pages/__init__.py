"""The pages, in the order of the navigation."""

from ui.pages.brain import BRAIN
from ui.pages.context import CONTEXT
from ui.pages.facts import FACTS
from ui.pages.health import HEALTH
from ui.pages.hypotheses import HYPOTHESES
from ui.pages.ides import IDES
from ui.pages.knowledge import KNOWLEDGE
from ui.pages.learn import LEARN
from ui.pages.people.directory import DIRECTORY
from ui.pages.portable import PORTABLE
from ui.pages.profile import PROFILE
from ui.pages.protocol.protocol_runs import PROTOCOL
from ui.pages.search import SEARCH
from ui.pages.sessions import SESSIONS
from ui.pages.settings import SETTINGS
from ui.pages.trust.usage import USAGE
from ui.pages.users.team import TEAM
from ui.pages.waiting import WAITING
from ui.pages.work.board import WORK

PAGES = (
    PROFILE,
    WAITING,
    CONTEXT,
    SESSIONS,
    FACTS,
    HYPOTHESES,
    SEARCH,
    KNOWLEDGE,
    DIRECTORY,
    BRAIN,
    WORK,
    PROTOCOL,
    IDES,
    LEARN,
    PORTABLE,
    USAGE,
    HEALTH,
    TEAM,
    SETTINGS,
)
