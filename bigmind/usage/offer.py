"""Which tools a client is offered, for texts that send a model to one: they name no other."""

from bigmind.core.operation import Offer
from bigmind.core.toolsets import UNLESS_CHOSEN, Toolsets, unless_chosen
from bigmind.operations.token_scope import offer_within
from bigmind.store.work import Work
from bigmind.usage.counts import chosen_toolsets


def offer_to(work: Work) -> Offer:
    """What the caller is offered: by its request over MCP, else as a person chose it for that client; a person, all."""
    caller = work.caller
    if caller.offer is not None or caller.is_person:
        return caller.offer
    return offer_within(caller.scope, work.tools, _offered(work, caller.agent, unless_chosen(caller.scope)))


def offer_to_client(work: Work, client: str) -> frozenset[str]:
    """What a client of the caller is offered, as a person chose; its address may ask for something else."""
    return _offered(work, client, UNLESS_CHOSEN)


def _offered(work: Work, client: str, otherwise: Toolsets) -> frozenset[str]:
    return work.tools.names(chosen_toolsets(work, client) or otherwise, work.host.settings.now().tools_off)
