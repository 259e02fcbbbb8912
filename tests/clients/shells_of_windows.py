"""How shells of Windows read the first word of a line, by what is written of them: tests are run without them."""

import re

APOSTROPHES = "'‘’‚‛"
MARKS = '"“”„'
_PIECE_OF_POWERSHELL = re.compile(
    f"[{APOSTROPHES}](?P<literal>(?:[^{APOSTROPHES}]|[{APOSTROPHES}]{{2}})*)[{APOSTROPHES}]"
    f"|[{MARKS}](?P<expanded>[^{MARKS}]*)[{MARKS}]"
    rf"|(?P<bare>[^\s{APOSTROPHES}{MARKS}]+)"
)
_PIECE_OF_CMD = re.compile(r'"(?P<quoted>[^"]*)"|\^(?P<escaped>.)|(?P<bare>[^\s"^,;=])')
_VARIABLE = re.compile("%([^%]+)%")
VARIABLES = frozenset({"TEMP", "PATH"})


class ObeyedError(Exception):
    """The shell would do something else than start a program of this name."""


def powershell_word(line: str) -> str:
    """What PowerShell starts (about_Quoting_Rules, about_Parsing, about_Special_Characters).

    Typographic quotes are quotes there. Two apostrophes in a row, within a text between apostrophes, are one.

    Raises:
        ObeyedError: when it would print a text, look a variable up, or begin another command.
    """
    if line[0] in APOSTROPHES + MARKS + "@~":
        raise ObeyedError(line)
    at, word = 2 * line.startswith("& "), ""
    while found := _PIECE_OF_POWERSHELL.match(line, at):
        obeyed = {"literal": "", "expanded": "$`", "bare": "$`&|;,{}()<>"}[str(found.lastgroup)]
        piece = found[str(found.lastgroup)]
        if set(obeyed) & set(piece):
            raise ObeyedError(line)
        word += re.sub(f"[{APOSTROPHES}]([{APOSTROPHES}])", r"\1", piece) if found.lastgroup == "literal" else piece
        at = found.end()
    return _alone(line, at, word)


def cmd_word(line: str) -> str:
    """What cmd starts (`cmd /?`, `set /?`): variables come first, in quotes too; what is none stays as it is.

    Raises:
        ObeyedError: when it would look a variable up, redirect, or begin another command.
    """
    if VARIABLES & {each.partition(":")[0].upper() for each in _VARIABLE.findall(line)}:
        raise ObeyedError(line)
    at, word = 0, ""
    while found := _PIECE_OF_CMD.match(line, at):
        if found["bare"] and found["bare"] in "&|<>()":
            raise ObeyedError(line)
        word += found[str(found.lastgroup)]
        at = found.end()
    return _alone(line, at, word)


def _alone(line: str, at: int, word: str) -> str:
    if line[at : at + 1] not in {"", " "}:
        raise ObeyedError(line)
    return word
