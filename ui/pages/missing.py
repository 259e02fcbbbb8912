"""An address that leads nowhere."""

from typing import NoReturn

from litestar import route
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler

from bigmind.core.errors import not_found
from bigmind.store.work import Work
from ui.shell import AnyRequest, Html, Shell


def missing_routes(shell: Shell) -> list[HTTPRouteHandler]:
    """Whatever no other route answers."""

    # Every method, or an unknown address would be told that it only has the wrong one.
    @route("/{path:path}", http_method=["GET", "POST", "PUT", "PATCH", "DELETE"])
    async def missing(request: AnyRequest) -> Html:
        path = request.url.path
        if request.method != "GET":
            raise NotFoundException("There is no such route.")

        def tell(work: Work) -> NoReturn:
            del work
            raise not_found("page", path, "The navigation shows what there is.")

        return await shell.page(request, "problem.html", "", tell)

    return [missing]
