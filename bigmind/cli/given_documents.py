"""A text that a person gives a command: a file, or what another program pipes into it."""

import sys

from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.core.plain_text import text_of
from bigmind.paths import expanded


def document_in(called: str, name: str) -> str:
    """The text of a file that a person names; of standard input for `-`.

    Raises:
        BigMindError: `not_found`; `invalid_input`, when it cannot be read.
    """
    try:
        # Never by the system's code page: what came wrongly out of it would be stored.
        return text_of(sys.stdin.buffer.read() if name == "-" else expanded(called, name).read_bytes())
    except FileNotFoundError:
        raise BigMindError(Code.NOT_FOUND, f"There is no file {name}.", "A - reads it from standard input.") from None
    except OSError as error:
        raise invalid(called, name, f"the name of a file that can be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise invalid(called, name, "the name of a file of text, in UTF-8") from None
