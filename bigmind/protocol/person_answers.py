"""What is answered to persons about workspaces."""

from bigmind.operations.catalogue import Answer

_TOLD = {
    "opened": "BigMind looks into {path} for the protocol from now on.",
    "closed": "BigMind looks into {path} no more.",
    "taken": "The protocol of {path} holds as it was shown, for new runs.",
    "left": "The built-in protocol holds in {path}.",
    "approved": "The commands of {path} are run as they were shown.",
    "withdrawn_list": "No command of {path} is run any more.",
}


class WorkspaceAnswer(Answer):
    """What came of an act about a workspace."""

    id: str
    path: str
    project: str
    is_open: bool
    act: str

    def as_text(self) -> str:
        return _TOLD[self.act].format(path=self.path)
