"""What people and models call a kind of remembered thing, and the name that it is stored by."""

from bigmind.core.events import Kind

_STORED_AS: dict[str, str] = {
    **dict.fromkeys(("task", "node", "work", "item"), Kind.WORK_ITEM),
    **dict.fromkeys(("moment", "highlight"), Kind.CHUNK),
    "run": Kind.PROTOCOL_RUN,
}


def stored_name(called: str) -> str:
    """The stored name of a kind: `chunk` for a moment; the word itself where it is no other name of one."""
    return str(_STORED_AS.get(called, called))
