"""What a new token can be limited to, as the forms of Settings and Team offer it (`templates/_token_scope.html`)."""

from typing import Any

from bigmind.core.toolsets import Toolset
from bigmind.people.scope_inputs import known_work_roles
from bigmind.store.work import Work

_TOOLSETS = (
    (Toolset.DEFAULT, "Everyday memory"),
    (Toolset.MEMORY, "All of the memory"),
    (Toolset.BRAIN, "Brain"),
    (Toolset.WORK, "Work"),
    (Toolset.MINDSPACE, "Mindspace"),
    (Toolset.PROTOCOL, "Protocol"),
)


def token_scopes(work: Work) -> dict[str, Any]:
    """The toolsets, each with how it is called, and the work roles that there are."""
    return {"toolsets": _TOOLSETS, "roles": known_work_roles(work)}
