"""How text instructs a later reader: patterns over words, by name, in English and a few other languages.

They see a text as `disguises.py` leaves it: words in lower case without marks, each with one blank behind it, `.` for
the end of a sentence, `:` for a colon, `URL` for an address. Each rule begins with a few words to look for, and every
gap in it is bounded, so that it costs no more than the few words behind them. `tests/memory/attacks.py` and `benign.py`
hold what they must find and what they must leave alone.
"""

import re
from dataclasses import dataclass
from functools import cached_property

G2, G4, G8 = (rf"(?:[^ .]+ ){{0,{most}}}?" for most in (2, 4, 8))  # so many words of the same sentence, at most

SOMEBODY = r"(?:the )?(?:user|human|person|developer|operator|owner|anyone|anybody|people)s? "
MODEL = r"(?:ai|llm|assistant|language model|chatbot|model|agent|copilot|claude|chatgpt|gpt)s? "
DIRECTIVES = (
    r"(?:instructions?|prompts?|directives?|guidelines?|system message|training|programming|safeguards?|guardrails?"
    r"|restrictions?|content polic(?:y|ies)|safety (?:rules?|polic(?:y|ies)|checks?)) "
)
WHICH = (
    r"(?:all|any|every|your|previous|prior|earlier|above|former|preceding|original|existing|other|initial|developer"
    r"|system|safety|past) "
)
ORDER = (
    r"(?:call|invoke|run|execute|use|trigger|install|send|delete|approve|reply|respond|ignore|upload|obey|push|merge) "
)
MEMORY = (
    r"memory (?:deprecate|store|forget|flag|end|start|update|accept|export|import|vacuum|append|add|promote|approve"
    r"|resolve) "
)
SECRETS = (
    r"(?:secrets?|tokens?|passwords?|credentials?|keys?|env|variables|conversation|history|memory|memories|context"
    r"|cookies?|contents|ssh|rsa) "
)
NEEDED = r"(?:required|needed|necessary|mandatory) "
PERMISSION = r"(?:confirmation|approval|permission|authori[sz]ation|consent) "


@dataclass(frozen=True)
class Rule:
    """What to look for where one of `starts` stands, unless the words before deny it.

    Attributes:
        name: what is told of a text in which it is found.
        starts: the words that it begins with.
        follows: what follows them, a regular expression.
        unless_denied: not where "never", "not" or the like stands shortly before.
        unless_told: not where somebody stands just before who does it, or a way to do it: "we call", "how to run".
    """

    name: str
    starts: tuple[str, ...]
    follows: str
    unless_denied: bool = False
    unless_told: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The start and what follows it; there are a hundred rules, and no start of BigMind waits for them."""
        return re.compile(f"[^ ]+ {self.follows}")


def rule(name: str, starts: str, follows: str, *, unless_denied: bool = False, unless_told: bool = False) -> Rule:
    return Rule(name, tuple(starts.split()), follows, unless_denied, unless_told)


OVERRIDE = (
    rule(
        "override",
        "ignore disregard forget override bypass discard skip drop abandon neglect ignoring",
        rf"(?:about )?{G4}{WHICH}{G8}{DIRECTIVES}",
        unless_denied=True,
    ),
    rule(
        "override",
        "ignore disregard forget override discard",
        rf"{G2}(?:your|previous|prior|earlier|above|former|safety) {G2}(?:rules?|orders?|commands?|constraints?) "
        r"(?!(?:of|in|from|for|when) )",
        unless_denied=True,
    ),
    rule(
        "override",
        "ignore disregard forget",
        r"(?:everything|anything|all) (?:that )?(?:you|above|before|we|i|the (?:developer|system|user)) ",
        unless_denied=True,
    ),
    rule(
        "override",
        "follow obey following obeying heed",
        rf"(?:any |all |the )?(?:of )?(?:your|previous|prior|original|other|above|earlier) {G2}{DIRECTIVES}",
    ),
    rule(
        "override",
        "ignore disregard forget",
        rf"(?:all |any )?(?:whatever |the )?{DIRECTIVES}(?:that )?(?:came |given |you )",
    ),
    rule("override", "ignore disregard forget", r"(?:all |any )?the rules you (?:were|have been|are) given "),
    rule("override", "ignore disregard forget", r"all (?:the |your |these )?rules (?:now|from now on|immediately) "),
    rule("override", "set put", rf"aside {G4}{WHICH}{G4}{DIRECTIVES}", unless_denied=True),
    rule("override", "pay give", rf"no (?:attention|heed) to {G2}{WHICH}{G4}{DIRECTIVES}"),
    rule(
        "override",
        "instructions rules prompts directives guidelines",
        r"above (?:are (?:no longer valid|void|invalid|cancel\w*|revoked)|(?:do not|no longer) apply) ",
    ),
    rule(
        "override",
        "previous prior earlier original",
        rf"{G2}(?:instructions?|directives?|prompts?) (?:have|has) been (?:replaced|superseded|cancel\w*|revoked) ",
    ),
    rule(
        "override",
        "previous prior earlier",
        rf"{G2}(?:instructions?|rules?|prompts?|directives?) (?:above )?(?:are|is) "
        r"(?:now )?(?:void|cancel\w*|invalid|no longer valid|revoked|superseded|suspended)",
    ),
    rule("override", "obey", rf"{G4}(?:note|memory|text|message|instructions?|notes) "),
)
"""`following` and `obeying` stand here for "stop following"; "do not follow" is the usual form."""

TOOLS = (
    rule("tool_call", "call invoke execute use run trigger", rf"(?:the )?(?:tool |function )?{G2}{MEMORY}"),
    rule(
        "tool_call",
        "must always immediately silently now please first should",
        rf"(?:silently |first |now |immediately )?(?:call|invoke|execute|trigger) {G4}tools? (?!chain)",
    ),
    rule("tool_call", "please always must now", r"(?:use|call|run) the (?:mcp )?tool \w+ "),
    rule("tool_call", "now immediately silently", r"(?:run|execute) (?:the |this )?(?:shell|following) command "),
    rule("tool_call", "execute run", r"(?:the )?following command without "),
    rule("tool_call", "next", rf"time you are {G8}(?:call|invoke|execute|run) "),
    rule("tool_call", "before", rf"(?:answering|responding|replying) {G4}(?:call|invoke|execute|send|upload) "),
    rule(
        "tool_call",
        "when whenever once if after time",
        r"you (?:read|see|recall|load|retrieve|find) (?:this|it|these) (?:note |memory |text |message |fact |entry )?"
        rf"(?:you (?:must|should) |immediately |first |please |then |always )*{ORDER}",
    ),
    rule("tool_call", "as", rf"soon as you (?:read|see|recall|load) (?:this|it) {G2}{ORDER}"),
    rule("tool_call", "ai llm", rf"(?:agents?|assistants?|models?) (?:must|shall|have to) {G2}{ORDER}"),
    rule("tool_call", "assistant agent", rf"{G2}(?:immediately |now )?execute the following "),
)

SECRECY = (
    rule(
        "secrecy",
        "tell inform notify warn alert show",
        rf"{SOMEBODY}(?:(?:anything |a word )?(?:about |of )?(?:this|it|these|anything)|that (?:you|this)|what you|you"
        r"|about the \w+ you|(?=[.] )|$)",
    ),
    rule("secrecy", "mention reveal disclose report expose", rf"(?:this|it|these|that) {G2}(?:to|with) {SOMEBODY}"),
    rule("secrecy", "disclose reveal mention", r"(?:this|these|your) (?:instructions?|note|prompt|memory|message) "),
    rule("secrecy", "keep hide conceal", rf"(?:this|it|that|these|everything) {G2}from {SOMEBODY}"),
    rule("secrecy", "without", rf"(?:ever )?(?:telling|informing|notifying|alerting) {SOMEBODY}", unless_denied=True),
    rule(
        "secrecy",
        "user human person users",
        r"(?:must|should|may|shall|need|can) (?:not|never) (?:know|learn|hear|find out|notice) "
        r"(?:about |of )?(?:this|it|that|anything)",
    ),
    rule(
        "secrecy", "user human person", r"(?:never|does not|doesn't) (?:finds? out|learns?|knows?) (?:about |of )?this "
    ),
    rule("secrecy", "without", rf"letting {SOMEBODY}(?:know|notice|find) ", unless_denied=True),
    rule("secrecy", "let", rf"{SOMEBODY}(?:know|notice|find out) (?:about|that|of|this|it|what)"),
)
"""All but those of "keep", "hide", "without" and "user" say what must not be done: see `FORBIDDING`."""

PERSONA = (
    rule(
        "persona",
        "you",
        rf"are (?:now|hereby) {G4}(?:dan|\w*gpt|unrestricted|unfiltered|uncensored|jailbroken|free|evil|hacker|root"
        r"|without|(?:developer|debug|god|maintenance) mode|able to do anything) ",
    ),
    rule("persona", "you", rf"are now an? {G2}(?:ai|assistant|model|pirate|agent|chatbot) "),
    rule("persona", "you", r"are (?:no longer|not) (?:bound|limited|restricted|constrained) by "),
    rule("persona", "you", r"have no (?:rules|restrictions|limits|limitations|guidelines) "),
    rule(
        "persona",
        "from",
        r"(?:now|this point|here|this moment)(?: on| onwards?)? you (?:will|must|shall|should|are|may only|only|answer"
        r"|obey|have to|can only) ",
    ),
    rule(
        "persona",
        "from",
        r"(?:now|this point) on (?:act|behave|obey|ignore|pretend|reply|respond) (?!as an? (?:proxy|server))",
    ),
    rule("persona", "pretend", r"(?:to be|you are|you're|that you) ", unless_denied=True),
    rule(
        "persona",
        "act behave",
        r"as (?:if you|though you|an? (?:unrestricted|uncensored|unfiltered|evil|hacker|jailbroken|root|dan)) ",
    ),
    rule(
        "persona", "your", r"(?:new|real|true|actual|only) (?:task|goal|role|purpose|objective|mission|job) (?:is|:) "
    ),
    rule("persona", "new updated", r"instructions? : "),
    rule("persona", "enter activate", r"(?:developer|god|dan|jailbreak) mode (?:and|now) "),
    rule("persona", "disable", r"your (?:filters?|safety|restrictions?|guardrails?|safeguards?) "),
    rule(
        "persona", "your", rf"{G2}(?:rules|guidelines|restrictions|filters) (?:are|is) (?:suspended|lifted|void|off) "
    ),
    rule("persona", "roleplay role", r"(?:play )?as an? (?:ai|assistant|model|unrestricted|evil|hacker) "),
)

EXFILTRATION = (
    rule(
        "exfiltration",
        "send upload post forward email mail transmit copy leak submit include paste",
        rf"{G8}{SECRETS}{G8}URL ",
        unless_denied=True,
    ),
    rule("exfiltration", "exfiltrate leak", rf"{G4}{SECRETS}", unless_denied=True),
)

AUTHORITY = (
    rule(
        "authority",
        "user owner administrator admin human operator developer team management",
        r"(?:has |have |had )?(?:already |now |just )?(?:approved|authori[sz]ed|allowed|granted|given|consented"
        rf"|permitted|agreed|signed off) {G4}(?:all|any|every|everything|you|in advance|skipping|bypassing) ",
    ),
    rule(
        "authority",
        "security safety human manual",
        r"(?:reviews?|checks?|approvals?|audits?|scans?|scanning|testing|confirmation|verification) (?:is |are )?"
        r"(?:no longer|not|never) "
        rf"(?:be )?{NEEDED}",
    ),
    rule("authority", "no", rf"(?:further |user |human )?{PERMISSION}(?:is |are )?{NEEDED}"),
    rule("authority", "approval confirmation permission consent", rf"(?:is|are) (?:not|no longer) {NEEDED}"),
    rule(
        "authority",
        "you",
        r"(?:are|have been) (?:fully |hereby |now )?(?:authori[sz]ed|permitted|allowed|cleared) to (?:bypass|skip"
        r"|delete|ignore|push|execute|run|disable|access|override) ",
    ),
    rule("authority", "you", r"have (?:the )?(?:full|unlimited|complete) (?:permission|authority|access|rights) to "),
    rule("authority", "you", rf"(?:do not|don't) need (?:any )?{PERMISSION}"),
    rule("authority", "not never don't", rf"(?:ever )?ask (?:{SOMEBODY}|me )?for {PERMISSION}"),
    rule(
        "authority",
        "skip bypass disable",
        r"(?:the |all |any |every )*(?:security|safety) (?:checks?|reviews?|scans?|filters?|restrictions?|rules?) ",
        unless_denied=True,
    ),
    rule(
        "authority",
        "you",
        rf"(?:may|can|should) (?:now )?(?:skip|bypass|omit) {G2}(?:approvals?|reviews?|confirmations?) ",
    ),
    rule("authority", "reviews approvals checks review approval", r"(?:have|has|is|are) (?:been )?waived "),
    rule("authority", "pre", r"(?:approved|authori[sz]ed) by "),
    rule(
        "authority",
        "administrator admin owner boss ceo",
        r"(?:says|said|confirms?|confirmed|states) (?:that )?you (?:may|can|should|must) ",
    ),
    rule(
        "authority",
        "proceed continue delete",
        r"without (?:asking|confirmation|approval|permission|review) ",
        unless_denied=True,
    ),
)

POISON = (
    rule(
        "address",
        "attention note notice message memo dear hey hello to instruction instructions important warning",
        rf"{G4}{MODEL}(?:assistant )?(?:reading this|(?:that|who|which) reads|you (?:shall|must|should|will) |: )",
    ),
    rule("address", "ai llm assistant model", r": (?:stop|ignore|you|read|obey|do|always|never|from) "),
    rule("address", "assistant ai llm", r"(?:must|shall) (?:not|never|always|now) "),
    rule("address", "if", r"you are (?:an? )?(?:ai|llm|language model|ai assistant|chatbot) "),
    rule(
        "future",
        "in for during",
        r"(?:all|every|any|each) (?:of )?(?:your )?(?:future|subsequent|later) (?:sessions?|conversations?|chats?"
        r"|answers?|responses?|requests?|tasks?|interactions?|messages?) (?:you |always |never |recommend "
        r"|ignore |trust )",
    ),
    rule(
        "future", "future subsequent", r"(?:sessions|conversations|chats|answers|responses) :? ?(?:always|never|you) "
    ),
    rule("future", "in", rf"(?:every|each) (?:session|conversation|chat|answer) {G2}(?:call|invoke|recommend|say) "),
    rule("future", "treat", rf"{G8}as an? (?:trusted|authoritative|reliable) (?:source|authority) in (?:all|every) "),
    rule(
        "future",
        "save store add write commit put",
        rf"(?:this |that |it |the following )?(?:in|to|into) your {G2}memory ",
    ),
    rule(
        "future",
        "when whenever if",
        rf"(?:you are asked|the user asks|someone asks|asked) {G8}(?:say|tell|claim|recommend|answer that|reply that) ",
    ),
)

ENGLISH = (*OVERRIDE, *TOOLS, *SECRECY, *PERSONA, *EXFILTRATION, *AUTHORITY, *POISON)

FORBIDDING = frozenset(
    (
        *("tell", "inform", "notify", "warn", "alert", "show", "mention", "reveal", "disclose", "report", "expose"),
        *("let", "follow", "obey", "heed"),
    )
)
"""Rules that begin so count only where a denial stands before: "do not tell", "never mention"; "stop" for the last."""

FREE = frozenset(("following", "obeying"))
"""Those that count only behind "stop"."""
