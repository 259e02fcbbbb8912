"""Words in a drawing: SVG breaks no lines, so they are broken here, by about how wide they are drawn."""

from unicodedata import combining, east_asian_width

from bigmind.core.plain_text import one_line

_WIDE = frozenset("WF")


def width_of(text: str) -> int:
    """About how wide a text is drawn, in letters; one of Chinese, Japanese or Korean counts twice."""
    return sum(2 if east_asian_width(each) in _WIDE else 0 if combining(each) else 1 for each in text)


def drawn_lines(text: str, width: int, most: int) -> list[str]:
    """The beginning of a text as lines of at most `width` letters; where it goes on, the last one ends with `…`.

    Args:
        text: of any kind; its line breaks count as blanks.
        width: of a line, in letters.
        most: lines.
    """
    words, lines = one_line(text).split(), [""]
    while words:
        longer = f"{lines[-1]} {words[0]}".strip()
        if width_of(longer) <= width:
            lines[-1] = longer
            words.pop(0)
        elif len(lines) == most:
            return [*lines[:-1], _cut(longer, width)]
        elif lines[-1]:
            lines.append("")
        else:  # a word that is longer than a line
            lines[-1], words[0] = _beginning(words[0], width), words[0][len(_beginning(words[0], width)) :]
            lines.append("")
    return [each for each in lines if each]


def _cut(text: str, width: int) -> str:
    return f"{_beginning(text, width - 1).rstrip()}…"


def _beginning(text: str, width: int) -> str:
    end = len(text)
    while end > 1 and width_of(text[:end]) > width:
        end -= 1
    return text[:end]
