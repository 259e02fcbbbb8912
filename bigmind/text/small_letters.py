"""A text in small letters, for what is to be found in any case.

A pattern that ignores case tries each of its words at each place; the same pattern of a text in small letters skips to
where one may begin, in a ninth of the time.
"""

_DOTTED_CAPITAL_I = "\u0130"
"""The only letter whose small one takes two characters."""
_SAME_LETTERS = str.maketrans(
    "\u0131\u017f\u00b5\u0345\u1fbe\u1fd3\u1fe3\u03d0\u03f5\u03d1\u03f0\u03d6\u03f1\u03c2\u03d5"
    "\u1c80\u1c81\u1c82\u1c83\u1c84\u1c85\u1c86\u1c87\u1c88\u1e9b\ufb05",
    "is\u03bc\u03b9\u03b9\u0390\u03b0\u03b2\u03b5\u03b8\u03ba\u03c0\u03c1\u03c3\u03c6"
    "\u0432\u0434\u043e\u0441\u0442\u0442\u044a\u0463\ua64b\u1e61\ufb06",
)
"""Small letters in another shape, such as the long s, and those that a pattern takes for the same."""


def small_letters(text: str) -> str:
    """The same in small letters, as long as it was: what a pattern ignoring case takes for one is one."""
    if text.isascii():
        return text.lower()
    return text.replace(_DOTTED_CAPITAL_I, "i").lower().translate(_SAME_LETTERS)
