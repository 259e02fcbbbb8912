"""What a title of an item has to be: the gates go by it, so one that stands in any text would open them to any text."""

from bigmind.core.errors import invalid
from bigmind.work.about import is_telling


def refuse_untelling(title: str) -> None:
    """Refuse a title that does not say what an item is about.

    Raises:
        BigMindError: `invalid_input`.
    """
    if not is_telling(title):
        right = "a title with a word that says what it is about: “Fix it” does not, “Fix rounding of refunds” does"
        raise invalid("title", title, right)
