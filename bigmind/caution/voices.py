"""Who speaks, and to whom: text that calls a model by its name, or speaks in the name of BigMind itself.

BigMind tells its own words outside of what is recalled, so that no stored text has a reason to speak for it. Notes
about BigMind are ordinary: what counts is who orders, certifies or addresses. Looked for in the text as
`disguises.unmasked` leaves it, for commas and brackets say who is spoken to; every repetition is bounded.
"""

import unicodedata
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import islice

from bigmind.text.lazy_pattern import lazy_pattern

NAMES = ("address", "own_name")

_MODEL = (
    r"(?:ai|llm|language models?|(?:coding |ai )?(?:assistant|agent)|model|chatbot|machine"
    r"|claude|copilot|gemini|codex"
    r"|cursor|chatgpt|gpt|deepseek|qwen|mistral|llama|grok)s?"
)
_DO = (
    r"(?:ignore|disregard|forget|drop|read|open|fetch|execute|run|call|invoke|delete|erase"
    r"|remove|send|upload|post|leak"
    r"|approve|accept|add|push|merge|commit|publish|grant|give|reveal|print|show|output|reply"
    r"|respond|answer|repeat|obey"
    r"|follow|act|pretend|stop|skip|bypass|disable|transfer|wire|install|download|visit|change"
    r"|set|switch|store|save|copy"
    r"|rate|recommend|say|hide|keep|do|use|never|always|don't|from now|from here|before"
    r"|whenever|each time|every time"
    r"|when|if|you|your|please|kindly|immediately|first|now|must)"
)
_BEGIN = r"(?:^|[\n.!?:;>*#\-\"'(/]) {0,8}"
_ADDRESSED = lazy_pattern(
    rf"{_BEGIN}(?:(?:dear|hey|hello|hi|attention|attn|to|for|note to|to the|to all|to every"
    rf"|to any|all|every|any) ){{0,2}}"
    rf"{_MODEL}(?: (?:reader|reading this|agents?|assistants?"
    rf"|models?)){{0,2}} ?[,:\u2013\u2014] {{1,3}}{_DO}\b"
)
_NOTICE = lazy_pattern(
    r"\b(?:instructions?|notes?|notice|message|memo|directives?|orders?) (?:for|to) (?:all "
    r"|any |every |the |future )?"
    rf"(?:ai |coding |language )?{_MODEL} ?[:\u2013\u2014]"
)
_MACHINE = lazy_pattern(
    rf"\b(?:if|in case|should|when|since|as) (?:you (?:are|be)|this is (?:being )?(?:read"
    rf"|processed|seen) by) "
    rf"(?:an? |any |the )?(?:automated |artificial |large )?{_MODEL}\b"
    rf"|\breader, if you are an? |\b(?:any|every|each|the next|all) {_MODEL} (?:that|who|which"
    rf"|to|reading|seeing|processing) "
    r"(?:reads?|sees?|processe?s?|loads?|recalls?|this|it|that)\b"
    rf"|\b{_MODEL} (?:that |who )?(?:read|see|process|load|recall)(?:s|es|ing)? this\b"
)

_SAID = (
    r"(?:system |security |server |important |automatic |urgent )?(?:note|message|notice"
    r"|notification|hint|tip|reminder"
    r"|alert|warning|update|announcement|statement|advice|nachricht|hinweis|meldung|mitteilung"
    r"|message|avis|note"
    r"|rappel|mensaje|aviso|nota|messaggio|avviso|mensagem|bericht|melding|wiadomosc|komunikat"
    r"|сообщение|уведомление"
    r"|повідомлення|mesaji?|bildirimi?|meddelande|besked|viesti|zprava|uzenet)"
)
_FROM = r"(?:from|by|of|von|vom|de|da|di|del|van|od|от|від|fran|fra)"
_OWN = lazy_pattern(
    rf"\b{_SAID} {_FROM} (?:the )?(?:bigmind|memory (?:server|service|system))\b"
    r"|\bbigmind(?:'s)? (?:system |security |server |automatic )?(?:message|notice|reminder"
    r"|alert|warning|hint|tip|update"
    r"|instructions?|note|patch|directive|bildirimi|mesaji?)(?: required)?(?: to [\w ]{1,30})? ?[:!,]"
    r"|[\[({]bigmind[\])}]|\[ ?bigmind ?\]|</?bigmind[ >_-]"
    r"|\bthis is (?:bigmind|your memory|the memory server)\b"
    r"|\bfrom:? (?:the )?bigmind(?: \w+)?[.:,]? {1,3}to:? "
    r"|\bbigmind(?:'s \w{1,20})? (?:requires?|orders?|instructs?|demands?|commands?|wants?"
    r"|needs?|requests?|tells?|expects?"
    r"|asks?|urges?) (?:that |from |of )?(?:you|every|all|each|any|the assistants?|the agents?"
    r"|the models?|assistants"
    r"|agents)\b"
    r"|\bbigmind (?:has |hereby )?(?:checked|verified|verifies|confirmed|confirms|certified"
    r"|certifies|approved|approves|accepted"
    r"|guarantees) (?:this|these|that this|the following|all of this|that the)\b"
    r"|\baccording to bigmind's (?:rules|policy|instructions)\b|\bbigmind says\b.{0,40}\byou\b"
    r"|\b(?:the |your )?(?:long-term )?memory(?: server| service| system)? (?:instructs|orders"
    r"|tells|commands|requires|asks|says"
    r"|wants) ?(?:you|all|every|that you|:)"
    r"|\b(?:memory (?:server|service|system)|server message|message) (?:notice|of your memory"
    r"|from your memory)\b"
    + unicodedata.normalize(
        "NFKD", r"|bigmind ?(?:からの|より|の)(?:お知らせ|通知|指示|メッセージ)|(?:来自|來自) ?bigmind"
    )
    + r"|bigmind ?(?:通知|提示|消息|系统|系統|提醒)"
)
_LABEL = lazy_pattern(
    r"(?:^|[\n.!?>]) {0,3}[*_\"'#\u2013\u2014-]{0,3} ?bigmind(?: (?:system|server|core"
    r"|security|notice|message|avisa|meldet"
    r"|avverte|informa|warns))?(?: \([^)\n]{1,40}\))?[*_]{0,3} ?[:：\u2013\u2014](.{1,200})"
)
_MENTION = lazy_pattern(
    r"bigmind|\byour (?:long-term )?memory\b|\bmemory (?:server|service|system|instructs"
    r"|orders|tells|commands|requires|asks|says|wants)"
)
BEFORE, BEHIND = 60, 120
"""Characters around a mention of BigMind that may say who speaks."""

MOST_MENTIONS = 1_000
"""A text that speaks of nothing else is no note; it is flagged without being read to its end."""

_ORDERING = lazy_pattern(
    rf"(?:^|[.!?;,*:–—] ?| and | und | et | y | e | i | и ){_DO}\b|\byou(?:r|rs)?\b"
    rf"|\b(?:confirm(?:ed|ations?)|verified|valid"
    r"|switched off|no longer|expired|trusted|instructions?|passphrase|orders?|obey|act on"
    r"|without asking"
    r"|continue|go on)\b|\b(?:accepte|befolge|befolgt|fuhre|losche|mach|weiter|bestatigt"
    r"|aufgehoben|execute|suis|ignore"
    r"|annule\w*|pidas|borra|ejecuta|sigue|ignora|esegui|continua|segue|apaga)\b|[а-я]{3,}(?:й"
    r"|йте|и)\b|[ぁ-ヿ一-鿿]{4,}"
)
"""What makes an order of a line that begins with BigMind's name; "BigMind: port 7702" is a note about it."""


_MODELS = frozenset(
    f"{name}{plural}"
    for name in (
        *("ai", "llm", "model", "assistant", "agent", "chatbot", "machine", "claude", "copilot", "gemini", "codex"),
        *("cursor", "chatgpt", "gpt", "deepseek", "qwen", "mistral", "llama", "grok"),
    )
    for plural in ("", "s")
)


def voiced(plain: str, words: AbstractSet[str]) -> Iterator[str]:
    """The names of what is found.

    Args:
        plain: a text as `disguises.unmasked` leaves it.
        words: those of the text.
    """
    if not _MODELS.isdisjoint(words) and any(each.search(plain) for each in (_ADDRESSED, _NOTICE, _MACHINE)):
        yield "address"
    if ("bigmind" in plain or "memory" in words) and _speaks(plain):
        yield "own_name"


def _speaks(plain: str) -> bool:
    mentions = [found.start() for found in islice(_MENTION.finditer(plain), MOST_MENTIONS)]
    return (
        len(mentions) == MOST_MENTIONS
        or any(_OWN.search(plain[max(0, place - BEFORE) : place + BEHIND]) for place in mentions)
        or any(_ORDERING.search(found.group(1)) for found in _LABEL.finditer(plain))
    )
