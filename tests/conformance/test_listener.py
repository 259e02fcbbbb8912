"""The socket under every answer."""

import asyncio
import socket
from pathlib import Path

from app.listening_port import bind
from bigmind.settings.precedence import read_settings


def test_no_answer_waits_for_more_to_send(home: Path) -> None:
    """Nagle's algorithm holds the second packet of an answer until the first is acknowledged: 40 ms on loopback."""
    told: list[int] = []

    async def serve_one(listener: socket.socket) -> None:
        served = asyncio.Event()

        def note(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted = writer.get_extra_info("socket")
            told.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()
            served.set()

        async with await asyncio.start_server(note, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            await served.wait()
            writer.close()

    with bind(read_settings({"BIGMIND_HOME": str(home), "BIGMIND_PORT": "0", "BIGMIND_USER": "ada"})) as listener:
        asyncio.run(serve_one(listener))

    assert told
    assert all(told)
