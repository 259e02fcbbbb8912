"""Files that a browser fetches: an export that was made for it, sent from disk bit by bit, and then removed."""

from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Stream

from bigmind.core.errors import BigMindError
from bigmind.http.api import AnyRequest, caller_of
from ui.forms.actions import problem_page
from ui.jobs import Job, Jobs
from ui.page_headers import PAGE_HEADERS
from ui.shell import Html
from ui.transfers import TransferFolder

AT_ONCE = 256 * 1024


def download_routes(files: TransferFolder, jobs: Jobs) -> list[HTTPRouteHandler]:
    """The route by which the file of a job is fetched, once, by whoever began the job."""

    @get("/downloads/{job_id:str}")
    async def download(request: AnyRequest, job_id: FromPath[str]) -> Stream | Html:
        try:
            job = jobs.find(caller_of(request), job_id)
            path = files.find(caller_of(request), _path_of(job)) if job is not None else None
            if job is None or path is None:
                raise files.gone()
        except BigMindError as error:
            return problem_page(request, error)
        headers = {
            **PAGE_HEADERS,
            "Content-Disposition": f'attachment; filename="{job.download}"',
            "Content-Length": str(path.stat().st_size),
        }
        return Stream(_parts(files, path), media_type="application/json", headers=headers)

    return [download]


def _path_of(job: Job) -> Path:
    """Where the job wrote; of one that made nothing to fetch, nowhere."""
    return Path(str(job.given["output_path"])) if job.download and job.answer is not None else Path()


async def _parts(files: TransferFolder, path: Path) -> AsyncGenerator[bytes, None]:
    """The file's bytes; it goes once they were all taken. A download that was broken off can be tried again."""
    async with await anyio.open_file(path, "rb") as file:
        while part := await file.read(AT_ONCE):
            yield part
    files.remove(path)
