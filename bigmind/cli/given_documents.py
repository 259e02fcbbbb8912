"""A text that a person gives a command: a file, or what another program pipes into it."""

import codecs
import io
import sys

from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.paths import expanded

_ENCODINGS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
"""By how a file begins: Windows' own programs write so, and its PowerShell redirects in UTF-16."""


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


def text_of(data: bytes) -> str:
    """The text of a file, its lines ended by a line feed.

    Raises:
        UnicodeDecodeError: when it is neither UTF-8 nor begins as one of UTF-16 does.
    """
    encoding = next((each for mark, each in _ENCODINGS.items() if data.startswith(mark)), "utf-8")
    return io.IncrementalNewlineDecoder(None, translate=True).decode(data.decode(encoding), final=True)
