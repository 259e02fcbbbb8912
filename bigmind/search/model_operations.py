"""The choice of an embedding model, as it is offered to people."""

from typing import Annotated

from pydantic import Field

from bigmind.core.operation import Effect, Role
from bigmind.operations.catalogue import for_people
from bigmind.operations.inputs import Line
from bigmind.search import model_choice
from bigmind.search.model_answers import ChosenModel, Models
from bigmind.store.access import Access
from bigmind.store.work import Work

ModelName = Annotated[Line, Field(min_length=1, max_length=120, description="As memory_list_models shows it; or none.")]


@for_people("List embedding models", Effect.READ)
def memory_list_models(work: Work) -> Models:
    """By which model things are found by meaning, which others there are, and what each of them needs."""
    return model_choice.models(work)


@for_people("Choose an embedding model", Effect.WRITE, takes_access=True, idempotent=True, permission=Role.ADMIN)
def memory_use_model(
    access: Access,
    model: ModelName,
    download: Annotated[bool, Field(description="Yes to a download, where the model needs one.")] = False,
) -> ChosenModel:
    """Find things by the meaning that another model sees, for everybody in the store; `none`: by words alone.

    Everything is embedded anew behind the scenes, and found by the model that was used before until it is done.
    """
    return model_choice.use(access, model, download=download)


OPERATIONS = (memory_list_models, memory_use_model)
"""After search."""
