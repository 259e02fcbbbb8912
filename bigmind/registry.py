"""What BigMind is made of: the kinds of things that it remembers, and what it offers; one line per feature."""

from bigmind.backup.operations import OPERATIONS as BACKUP
from bigmind.brain.kinds import KINDS as BRAIN_KINDS
from bigmind.brain.operations import OPERATIONS as BRAIN
from bigmind.clients.operations import OPERATIONS as CLIENTS
from bigmind.core.kind import Kinds
from bigmind.directory.operations import OPERATIONS as DIRECTORY
from bigmind.learning.operations import OPERATIONS as LEARNING
from bigmind.maintenance.ledger_operations import OPERATIONS as LEDGER
from bigmind.maintenance.operations import OPERATIONS as CARE
from bigmind.maintenance.review_operations import OPERATIONS as REVIEW
from bigmind.maintenance.scan_operations import OPERATIONS as SECRETS
from bigmind.memory.facts.operations import OPERATIONS as FACTS
from bigmind.memory.hypotheses.operations import OPERATIONS as JOURNAL
from bigmind.memory.kinds import KINDS as MEMORY_KINDS
from bigmind.memory.knowledge.operations import OPERATIONS as KNOWLEDGE
from bigmind.memory.operations import OPERATIONS as MEMORY
from bigmind.memory.projects.operations import OPERATIONS as PROJECTS
from bigmind.memory.recall.operations import OPERATIONS as SEARCH
from bigmind.memory.sessions.hook_operations import OPERATIONS as HOOKS
from bigmind.mindspace.operations import OPERATIONS as MINDSPACE
from bigmind.people.audit_operations import OPERATIONS as AUDIT
from bigmind.people.operations import OPERATIONS as PEOPLE
from bigmind.people.role_operations import OPERATIONS as ROLES
from bigmind.portable.operations import OPERATIONS as PORTABLE
from bigmind.protocol.in_person.workspace_operations import OPERATIONS as WORKSPACES
from bigmind.protocol.kinds import KINDS as PROTOCOL_KINDS
from bigmind.protocol.operations import OPERATIONS as PROTOCOL
from bigmind.search.model_operations import OPERATIONS as MODELS
from bigmind.server.operations import OPERATIONS as SERVER
from bigmind.server.passphrase_operations import OPERATIONS as PASSPHRASES
from bigmind.server.settings_operations import OPERATIONS as SETTINGS
from bigmind.tasks.edit_operations import OPERATIONS as EDITS
from bigmind.tasks.operations import OPERATIONS as TASKS
from bigmind.tasks.person_operations import OPERATIONS as WORK_IN_PERSON
from bigmind.trust.operations import OPERATIONS as USAGE
from bigmind.work.kinds import KINDS as WORK_KINDS

KINDS = Kinds(*MEMORY_KINDS, *BRAIN_KINDS, *WORK_KINDS, *PROTOCOL_KINDS)

OPERATIONS = (
    *MEMORY,
    *JOURNAL,
    *SEARCH,
    *MODELS,
    *KNOWLEDGE,
    *REVIEW,
    *FACTS,
    *BRAIN,
    *DIRECTORY,
    *TASKS,
    *WORK_IN_PERSON,
    *LEDGER,
    *MINDSPACE,
    *PROTOCOL,
    *WORKSPACES,
    *PROJECTS,
    *CARE,
    *SECRETS,
    *HOOKS,
    *EDITS,
    *PORTABLE,
    *LEARNING,
    *BACKUP,
    *PEOPLE,
    *ROLES,
    *AUDIT,
    *PASSPHRASES,
    *SERVER,
    *SETTINGS,
    *CLIENTS,
    *USAGE,
)
