"""What people do about the names of their projects."""

from typing import Annotated

from pydantic import Field

from bigmind.core.operation import Effect
from bigmind.memory.projects import service as project_aliases
from bigmind.memory.projects.answers import AliasList, JoinedAlias, PartedAlias
from bigmind.operations.catalogue import for_people
from bigmind.operations.inputs import ProjectAsWritten
from bigmind.store.work import Work

Alias = Annotated[ProjectAsWritten, Field(description="The other name.")]


@for_people("List project aliases", Effect.READ)
def project_list_aliases(work: Work) -> AliasList:
    """Show which other names your projects have."""
    return project_aliases.aliases(work)


@for_people("Join a project alias", Effect.WRITE, idempotent=True)
def project_join_alias(
    work: Work, alias: Alias, project: Annotated[ProjectAsWritten, Field(description="The project it means.")]
) -> JoinedAlias:
    """Make a name mean a project. What is stored under the name moves there; undo it with project_undo_alias."""
    return project_aliases.join(work, alias, project)


@for_people("Undo a project alias", Effect.WRITE)
def project_undo_alias(work: Work, alias: Alias) -> PartedAlias:
    """Give a name back its own meaning. What moved when it was joined moves back; what came since stays."""
    return project_aliases.part(work, alias)


OPERATIONS = (project_list_aliases, project_join_alias, project_undo_alias)
"""After the operations of facts."""
