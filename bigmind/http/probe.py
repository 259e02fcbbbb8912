"""The liveness probe: says that BigMind is here, and proves it to whoever can read the run file."""

import json

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import Parameter

from bigmind.local.proof import CHALLENGE, proof_of

PATH = "/livez"


def probe_route(key: str, port: int) -> HTTPRouteHandler:
    """The route; `key` is the run file's secret. It tells a stranger nothing else, not even a version."""

    @get(PATH, name="livez")
    async def livez(challenge: str | None = Parameter(default=None, max_length=128)) -> Response[bytes]:
        body: dict[str, str] = {"status": "ok"}
        if challenge is not None and CHALLENGE.fullmatch(challenge):
            body["proof"] = proof_of(key, challenge, port)
        return Response(json.dumps(body).encode(), media_type="application/json")

    return livez
