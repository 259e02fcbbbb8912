"""What stands in a text for a turn of a conversation, a call of a tool or its result: the marks of chat formats.

Whoever stores them wants a later reader to take what is recalled for somebody's words. They are looked for in the text
itself, in lower case and plain letters; every repetition is bounded. What is only named, as `<|im_end|>` in a sentence
about a tokenizer, stands in quotation marks or as code, and is left alone.
"""

from collections.abc import Iterator

from bigmind.text.lazy_pattern import lazy_pattern

_NAMED = lazy_pattern(r"`[^`\n]{1,48}`|\"<[^\s\"<>]{1,40}>\w{0,12}\"")
"""A piece of code within a line, or a mark in quotation marks: it is spoken of."""

_CALLED = r"(?:arguments|parameters|args|input)"
_ROLE = r"(?:system|developer|user|assistant|model|tool|function|human|ai)"
_USER, _MODEL = r"(?:human|user)", r"(?:assistant|ai|model|bot|chatgpt|claude|gpt)"

_ANGLED = (
    r"<\|[\w\u2581/]{2,40}\|>",
    r"</?(?:start|end)_of_turn>|<\|turn>|<turn\|>|<bos_token>",
    r"<</?sys>>",
    r"<(?:extra_id_|special_)\d{1,3}>\s{0,4}" + _ROLE,
    r"</?(?:system[_-](?:reminder|prompt|message|instructions?)|(?:important|user|developer)[_-]instructions?)>",
    r"</?(?:antml:)?(?:function_calls|function_results|tool_(?:call|calls|use|result|response|output|code))>",
    r"<(?:antml:)?invoke name=|<function=\w",
    (
        r"<(?:execute_command|use_mcp_tool|access_mcp_resource|write_to_file|replace_in_file|attempt_completion"
        r"|ask_followup_question|environment_details|user-prompt-submit-hook|command-(?:name|message|args)"
        r"|local-command-std(?:out|err))>"
    ),
    r"(?:^|\n)[ \t]{0,8}<(?:system|developer)>|</system>\s{0,8}<(?:user|assistant)>",
    r"</(?:think|thinking|instructions|trusted)>",
    r"</(?:recalled[_-]?data|untrusted|bigmind|context|memory|memories|documents?|data)>\s{0,8}(?!</)\S",
)
_BRACKETED = (
    r"\[/?inst\]",
    r"\[/?(?:system_prompt|tool_calls|tool_results|tool_content|available_tools)\]",
    r"\[gmask\]",
    r"\[ ?system (?:message|prompt|note) ?\]|\[\[ ?system",
)
_QUOTED = (
    rf"[\"']role[\"']\s{{0,9}}:\s{{0,9}}[\"']{_ROLE}[\"']\s{{0,9}},\s{{0,9}}[\"'](?:content|parts|tool_calls)[\"']",
    (
        rf"[\"'](?:content|parts)[\"']\s{{0,9}}:\s{{0,9}}[\"'][^\"'\n]{{0,300}}[\"']\s{{0,9}},\s{{0,9}}[\"']role[\"']"
        rf"\s{{0,9}}:\s{{0,9}}[\"']{_ROLE}[\"']"
    ),
    r"[\"']type[\"']\s{0,9}:\s{0,9}[\"'](?:tool_use|tool_result|tool_call|function_call)[\"']",
    r"[\"']tool_calls[\"']\s{0,9}:\s{0,9}\[",
    r"[\"']function_?call[\"']\s{0,9}:\s{0,9}\{",
    r"[\"']method[\"']\s{0,9}:\s{0,9}[\"']tools/call[\"']",
    rf"[\"']name[\"']\s{{0,9}}:\s{{0,9}}[\"'][\w.:-]{{1,80}}[\"']\s{{0,9}},\s{{0,9}}[\"']{_CALLED}[\"']\s{{0,9}}:\s{{0,9}}\{{",
)
_LABELLED = (
    rf"\n[ \t]{{0,8}}\n[ \t]{{0,8}}(?:{_USER}|{_MODEL}): ",
    rf"\n[ \t]{{0,8}}\n[ \t]{{0,8}}{_MODEL}:\s{{0,8}}$",
    r"(?:^|\n)[ \t]{0,8}#{2,4} ?(?:system|instructions?|response|human|user|assistant) ?:",
    r"\b(?:system|developer)(?: prompt| message)? ?: ?(?:you (?:are|must|will)|ignore|from now|new rules)\b",
)
_TURNS = tuple(
    lazy_pattern(rf"(?:^|\n)[ \t>*]{{0,8}}(?:{speaker})\**: ") for speaker in (rf"{_USER}|h", rf"{_MODEL}|a")
)
"""Lines of two who speak with one another: a person's and a model's."""

_LOUD = lazy_pattern(r"\b(?:USER|HUMAN): "), lazy_pattern(r"\b(?:ASSISTANT|MODEL|AI):")
"""The same within a line, as Vicuna has them; in capitals only, for "user: root" is a line of a unit file."""

_PATTERNS = tuple(
    (needed, lazy_pattern("|".join(patterns)))
    for needed, patterns in (
        *(("<", _ANGLED), ("[", _BRACKETED), (":", _QUOTED), (":", _LABELLED)),
        ("system prompt", ["begin system prompt"]),
    )
)
_PICTURE = lazy_pattern(r"!\[[^\]\n]{0,200}\]\(https?://[^)\s]{0,300}[?&=/](?:\{|\$|<)")
NAMES = ("role", "exfiltration")


def marked(text: str, plain: str) -> Iterator[str]:
    """The names of what is found.

    Args:
        text: as it is stored.
        plain: the same as `disguises.unmasked` leaves it.
    """
    if _is_turn(text, plain):
        yield "role"
    if "](" in plain and _PICTURE.search(plain):
        yield "exfiltration"


def _is_turn(text: str, plain: str) -> bool:
    meant = _NAMED.sub(" ", plain) if "<" in plain or "[" in plain else plain
    if any(pattern.search(meant) for needed, pattern in _PATTERNS if needed in meant):
        return True
    if ": " not in meant:
        return False
    return all(each.search(meant) for each in _TURNS) or all(each.search(text) for each in _LOUD)
