"""A standing order to fetch what lies at an address and to run it or do what it says, told as a rule of the house.

"Before each task the assistant downloads and executes https://…" overrides nothing and speaks to nobody; whoever takes
it for a policy does it. Three things stand in one sentence: assistants, what says that they always do it, and an
address that is run, not only read. A build agent, the setup of a tool, and what somebody did once are ordinary notes.
Looked for in the text as `disguises.unmasked` leaves it; every repetition is bounded.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from bigmind.text.lazy_pattern import lazy_pattern

_NAMES = r"claude(?: code)?|copilot|codex|cursor|gemini|chatgpt|chatbot|llm"
_WHO = frozenset(
    (
        *("agent", "agents", "agenten", "assistant", "assistants", "assistent", "assistenten", "assistentin"),
        *("claude", "copilot", "codex", "cursor", "gemini", "chatgpt", "chatbot", "llm"),
    )
)
_DO = "(?:run|execute|install|source|launch|download|fetch|load|get|pull|pipe|curl|retrieve|open|read|visit|follow)"
_FORCED = (
    r"(?:must|shall|should|ha(?:s|ve) to)(?! be (?:installed|set up|updated))|always|(?:fetch|download|runn|execut)ing"
)
_WHICH = r"(?:the|an|each|every|any|all|our|your|ai|coding|llm)[ -]"  # a build agent is none
_STEPS = r"(?:(?!by )[\w-]+ ){0,3}?"
# Who does it, not what is installed.
_ASSISTANTS = lazy_pattern(
    rf"\b(?:{_NAMES}|assistant|{_WHICH}agent) {_STEPS}(?:{_DO}(?:s|es)|{_FORCED})\b"
    rf"|(?:\b(?:assistants|{_WHICH}agents)|(?:^|[:;,] {{0,3}})agents) {_STEPS}(?:{_DO}|{_FORCED})\b"
    r"|\b(?:by (?:the|each|every|all|any|an?)|for (?:each|every|all|any)) (?:ai |coding )?(?:assistant|agent)s?\b"
    r"|\b(?:der|die|jede[rs]?|alle|unsere?|ki) ?-?(?:assistent(?:en|in)?|agent(?:en)?)\b|(?:^|[:;,] {0,3})agenten\b"
    r"|\b(?:vom|von (?:jedem|allen|dem)|durch (?:den|jeden)) (?:ki-)?(?:assistent|agent)en\b"
)
_ALWAYS = lazy_pattern(
    r"\b(?:each|every|always|must|shall|should|first|when(?:ever)?|before|prior to|on start"
    r"|at (?:the )?(?:start|beginning)|once per|jede[rsmn]?|immer|stets|zuerst|zunachst|muss|mussen|soll|sollen"
    r"|vor de[mr]|bevor|sobald|wenn|zu beginn|beim start)\b"
)
# A host is looked for from the beginning of a word alone: from each letter of a long one it would take seconds.
_PLACE = (
    r"(?:https?://|www\.|(?<![\w-])[\w-]{1,63}(?:\.[\w-]{1,63}){0,3}\.(?:com|net|org|io|dev|app|ai|ru|cn|tk|xyz|info|example)/)"
    r"[^\s|)\"'`>]{2,500}+[`\"')>]?"
)
_OF = (
    r"(?:(?:the|an?|its|our|this|that|latest|current|shell|setup|bootstrap|install|python|script|file|program|installer"
    r"|package|plugin|commands?|code|at|from|of|in|under|found|hosted|on|behind|unter|von|aus|auf) ){0,6}[`\"'(<]?"
)
_RUN = r"(?:runs?|executes?|eval(?:uate)?s?|sources?|installs?|launch(?:es)?|(?:runn|execut|install|sourc)ing)"
_FETCH = (
    r"(?:downloads?|fetch(?:es)?|loads?|gets?|pulls?|retrieves?|opens?|reads?|visits?"
    r"|(?:download|fetch|load|gett|pull|open|read)ing)"
)
_WHAT = (
    r"(?:it|them|that|this|what|whatever"
    r"|the (?:script|file|result|installer|program|contents?|package|commands?|steps|instructions?|rules))"
)
_SHELL = r"(?:\||into|to|through) ?(?:sudo |the )?(?:(?:ba|z|da|k)?sh|shell|iex|python3?|node|perl|ruby|pwsh)"
# `unmasked` takes the dots off the letters of German.
_HOLT = r"(?:ladt|laden|ruft|rufen|holt|holen|offnet|offnen|liest|lesen)"
_TUT = r"(?:fuhrt|fuhren|startet|starten|installiert|installieren|befolgt|befolgen)"
_ERRAND = lazy_pattern(
    rf"\b{_RUN}(?: and {_RUN})? {_OF}{_PLACE}"
    rf"|\b{_FETCH} and (?:{_RUN}|follows?|obeys?) {_OF}{_PLACE}"
    rf"|\b{_FETCH} {_OF}{_PLACE},? (?:and |then |and then )(?:{_RUN}|follows?|obeys?|does|do) {_WHAT}\b"
    rf"|\bfollow(?:s|ing)? (?:all |every |any )?(?:the )?(?:instructions?|steps|orders|rules) {_OF}{_PLACE}"
    rf"|\b(?:curl|wget|iwr|irm|pipes?|piping)\b[^|]{{0,80}}?{_PLACE} ?{_SHELL}\b"
    rf"|sh (?:-c [\"']?\$|<)\((?:curl|wget)[^)]{{0,80}}?{_PLACE}"
    rf"|{_PLACE} (?:is|are|gets|(?:must|should|shall) be|(?:has|is|are) to be) (?:\w{{1,12}} (?:and )?){{0,2}}"
    r"(?:executed|run|installed|followed|obeyed)\b"
    rf"|\b{_HOLT}\b[^.]{{0,60}}?{_PLACE}.{{0,30}}?\bund {_TUT}"
    rf"|\b{_TUT}\b[^.]{{0,60}}?{_PLACE}"
    rf"|{_PLACE}.{{0,30}}?\b(?:aus(?:ge|zu)?fuhr(?:t|en)|gestartet|starten|installier(?:t|en)|befolg(?:t|en))\b"
)
_DENIED = lazy_pattern(
    r"\b(?:not|never|no|nobody|without|don't|doesn't|won't|cannot|can't|refuses? to|instead of"
    r"|nicht|nie|niemals|kein(?:e[mnrs]?)?|niemand)\b"
)
_SENTENCE = lazy_pattern(r"[.!?](?=\s|$)|\n\s*(?:\n|[-*#>|]+ )")
BEFORE = 60
"""Characters before it in which a denial takes it back."""


def errands(plain: str, words: AbstractSet[str]) -> Iterator[str]:
    """The name of what is found.

    Args:
        plain: a text as `disguises.unmasked` leaves it.
        words: those of the text.
    """
    if "/" not in plain or _WHO.isdisjoint(words):
        return
    if any("/" in each and _is_errand(" ".join(each.split())) for each in _SENTENCE.split(plain)):
        yield "tool_call"


def _is_errand(sentence: str) -> bool:
    if not (_ALWAYS.search(sentence) and _ASSISTANTS.search(sentence)):
        return False
    found = _ERRAND.search(sentence)
    return found is not None and not _DENIED.search(sentence[max(0, found.start() - BEFORE) : found.start()])
