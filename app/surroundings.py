"""What use cases may ask of the running server."""

from collections.abc import Callable

from app.browser import can_open, open_page
from bigmind.core.operation import Caller
from bigmind.people.sign_in import SignIn
from bigmind.store.store import Store


class ServerSurroundings:
    """The server around a store."""

    def __init__(self, store: Store, sign_in: SignIn, address: str) -> None:
        self.store = store
        self.sign_in = sign_in
        self._address = address
        self.on_stop: Callable[[], None] | None = None

    def bytes_on_disk(self) -> int:
        """The size of the store."""
        return self.store.size_in_bytes()

    def profile_url(self) -> str:
        """The profile page."""
        return f"{self._address}/profile"

    def sign_in_url(self, caller: Caller) -> str:
        """An address that signs a browser in, once, within ten minutes."""
        return f"{self._address}/sign-in?code={self.sign_in.new_code(caller)}"

    def open_profile(self, caller: Caller) -> bool:
        """Open the page in the person's own browser. The code goes to the browser and never to the caller."""
        return can_open() and open_page(self.sign_in_url(caller))

    def stop(self) -> None:
        """End the server after the requests that are being answered."""
        if self.on_stop is not None:
            self.on_stop()
