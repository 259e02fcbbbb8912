"""Which tools a client is offered, for texts that send a model to one: they name no other."""

from collections.abc import Mapping
from functools import cache, lru_cache

from bigmind.clients.usage.counts import chosen_toolsets
from bigmind.core.operation import Offer, Operation, Surface
from bigmind.core.toolsets import UNLESS_CHOSEN, Toolsets, offers
from bigmind.store.work import Work


@cache
def _tools() -> Mapping[str, Operation]:
    from bigmind.wiring import catalogue  # noqa: PLC0415 - it puts the operations that ask here into the catalogue

    return {each.name: each for each in catalogue().on(Surface.MCP)}


@lru_cache(maxsize=100)
def offer_of(toolsets: Toolsets, off: frozenset[str]) -> frozenset[str]:
    """The names of the tools of these toolsets, without those that are switched `off`."""
    return frozenset(name for name, each in _tools().items() if name not in off and offers(toolsets, each))


def offer_to(work: Work) -> Offer:
    """What the caller is offered: by its request over MCP, else as a person chose it for that client; a person, all."""
    caller = work.caller
    return caller.offer if caller.offer is not None or caller.is_person else offer_to_client(work, caller.agent)


def offer_to_client(work: Work, client: str) -> frozenset[str]:
    """What a client of the caller is offered, as a person chose; its address may ask for something else."""
    chosen = chosen_toolsets(work, client) or UNLESS_CHOSEN
    return offer_of(chosen, work.surroundings.settings().now().tools_off)
