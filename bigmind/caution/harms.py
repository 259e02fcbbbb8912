"""What an order to a later reader wants done, in the form of `rules.py`: kept quiet, taken, told, spread."""

from bigmind.caution.claims import ANSWER, PLACE, TEXT, THIS
from bigmind.caution.rules import G2, G4, G8, SECRETS, SOMEBODY, rule

_KEPT = r"secrets?|tokens?|passwords?|credentials?|keys?|env|variables|cookies?|ssh|rsa"
_SECRET = SECRETS.removeprefix("(?:").removesuffix(") ")

QUIET = (
    rule(
        "secrecy",
        "do don't never nor and but",
        r"(?:not |never )(?:ever )?(?:say so|mention (?:it|this|that)|bring (?:it|this|that) up|talk about (?:it|this)"
        r"|say (?:anything|a word|it|that)|comment on (?:it|this)|admit (?:it|this|that)|reveal (?:that|it|this)"
        r"|let it show|raise concerns|warn (?:about|of)) ",
    ),
    rule(
        "secrecy",
        "don't never",
        r"(?:ever )?(?:say so|mention (?:it|this|that)|bring (?:it|this|that) up|talk about (?:it|this)"
        r"|let it show|raise concerns|warn (?:about|of)) ",
    ),
    rule("secrecy", "not never don't", rf"(?:ever )?mention {THIS}{TEXT}"),
    rule("secrecy", "keep stay remain be", r"(?:quiet|silent|mum) (?:about|on|of) (?:it|this|that|these) "),
    rule("secrecy", "keep stay remain", r"(?:it |this )?(?:quiet|silent|between us|to yourself)(?: |$)"),
    rule("secrecy", "stay keep keeps", r"(?:it |this )?between us "),
    rule(
        "secrecy",
        "keep hide conceal leave withhold",
        rf"(?:{THIS}|it |what follows |the (?:next|following|rest|above) ){G4}(?:from|secret"
        rf"|unmentioned|out of|hidden from) {G2}(?:{SOMEBODY}|your (?:visible |explanation|answer"
        rf"|output|summary|reply))",
    ),
    rule("secrecy", "hide conceal", rf"{G4}(?:from|in) (?:your|the) visible ", unless_denied=True),
    rule("secrecy", "secret unmentioned hidden", rf"(?:from|when you talk to|to) {SOMEBODY}", unless_denied=True),
    rule(
        "secrecy",
        "user human person owner",
        r"(?:does not|doesn't|do not|must not|mustn't|should not|may not|is not to|are not to"
        r"|cannot|shall not|never) (?:ever )?(?:learns?|hears?|finds?|know|knows|notices?"
        r"|gets?) (?:out )?(?:about |of |that |wind of )(?:it|this|that|the|anything) ",
    ),
    rule(
        "secrecy",
        "without",
        r"(?:ever )?(?:telling|mentioning|reporting|showing|explaining|disclosing) (?:it"
        r"|this|that|so|anything|a word|anybody|anyone|them|what) ",
        unless_denied=True,
    ),
    rule(
        "secrecy",
        "not never don't",
        rf"(?:ever )?(?:reveal|admit|disclose|say|tell|confess) (?:that )?(?:you (?:received|got"
        rf"|were|read|saw|did|have)|{THIS}{TEXT})",
    ),
    rule(
        "secrecy",
        "leave",
        r"(?:it|this|that|them) out of (?:your|the) (?:explanation|summary|answer|report|reply"
        r"|message|changelog) ",
    ),
    rule("secrecy", "do work", r"(?:it|this|so) (?:quietly|silently|secretly|in secret|covertly)(?: |$)"),
    rule("secrecy", "secretly", r"(?:you |serve|work|report|add|send|help) "),
    rule(
        "secrecy",
        "silently secretly quietly",
        rf"(?:replace|add|accept|approve|change|install|send|upload|delete|disable|merge|insert"
        rf"|forward|switch|push) {G8}(?:every|all|any|each|the (?:package|remote|registry|key|token"
        rf"|test)|URL|eval)",
    ),
)

TAKING = (
    rule(
        "exfiltration",
        "send upload post forward email mail transmit copy leak submit include paste transfer wire hand give export"
        " dump publish",
        rf"{G4}(?:{_SECRET}|vault|wallet|database|config|configuration|transcript|repository"
        rf"|address book|contacts|customers?|user list|customer table|money|funds|id rsa|project"
        rf"|source code|files?|messages|everything|all) {G4}(?:to|at|on|via|into) {G2}{PLACE}",
        unless_denied=True,
    ),
    rule(
        "exfiltration",
        "read open cat quote take copy",
        rf"(?:~ )?{G4}(?:{_KEPT}|id rsa|aws|passwd|shadow|netrc|kube) {G8}(?:paste|quote"
        rf"|include|post|put|send|show|print|repeat|output)",
    ),
    rule(
        "exfiltration",
        "append attach include add paste quote put insert",
        rf"(?:all |every |the |your |any |contents? of |content of )*{G4}(?:{_SECRET}"
        rf"|password file|json|api key|access token) {G4}(?:to|in|into|with) (?:your|the|each|every"
        rf"|all|any) {G2}{ANSWER}",
        unless_denied=True,
    ),
    rule(
        "exfiltration",
        "include add append attach",
        r"(?:the |your |all )?(?:access |api |secret |private |session )?(?:tokens?|keys?"
        r"|passwords?|credentials|secrets) (?:$|. |in |to )",
        unless_denied=True,
    ),
    rule(
        "exfiltration",
        "exfiltrate leak smuggle",
        rf"(?:the |all |any |every |your )?{G4}(?:{_SECRET}|data|code|files?|repository"
        rf"|repository's|project) ",
    ),
    rule(
        "exfiltration",
        "print show output reveal repeat display give tell quote leak disclose",
        rf"(?:me |us )?(?:all |your |the |any |out )*{G2}(?:(?:system|hidden|secret|initial"
        rf"|developer) (?:prompt|message|instructions?)|(?:text|everything|words|instructions?"
        rf"|lines|sentences?) (?:that (?:stands?|is|was|were|came) )?(?:above|before"
        rf"|preceding) (?:this|it|here)?|tokens you|all tokens|every token|secrets you|keys you)",
        unless_denied=True,
    ),
    rule(
        "exfiltration",
        "reveal disclose",
        r"(?:its|their|your|the) (?:hidden |system |secret )(?:prompt|instructions?|message)s? ",
        unless_denied=True,
    ),
    rule(
        "exfiltration",
        "asking ask asks",
        r"(?:the )?(?:user|person|human) (?:for|to (?:type|enter|give|send)) (?:the|their|his|her"
        r"|your|a) (?:password|passphrase|token|credit card|pin|key)",
    ),
    rule(
        "exfiltration",
        "store send enter give forward",
        r"(?:the |your |their )?(?:user's |person's )?(?:password|passphrase|tokens?|credentials"
        r"|api keys?) (?:within|and store|to continue)",
        unless_denied=True,
    ),
    rule(
        "exfiltration",
        "send enter give forward upload post",
        rf"(?:all |your |the |current |every )*(?:tokens?|passwords?|keys?|credentials|secrets"
        rf"|passphrases?|api keys) (?:you know )?(?:to|at|on) {G2}{PLACE}",
        unless_denied=True,
    ),
    rule(
        "deception",
        "tell convince persuade inform trick",
        rf"(?:the |your )?(?:user|person|human|owner) (?:that (?:their|his|her|the"
        rf"|your) {G8})?(?:and )?(?:that (?:they|he|she) )?(?:need to |must |should |has to "
        rf"|have to |to )(?:visit|open|pay|enter|type|log in|login|click|send|download|install"
        rf"|disable) ",
    ),
    rule(
        "deception",
        "asks ask asked wonders enquires",
        rf"(?:you )?(?:about|for|why) {G8}(?:say|answer|claim|reply|respond|insist"
        rf"|deny|state) (?:that )?(?:everything|nothing|there|it|all|you|no|yes)",
    ),
    rule(
        "deception",
        "respond reply answer end",
        rf"(?:to )?(?:every|each|all|any) (?:questions?|answers?|requests?|messages?|repl(?:y"
        rf"|ies)) with (?:the |a |this )?{G2}(?:link|URL|base64|hex|yes|no|words?|promotion"
        rf"|advertisement)",
    ),
    rule(
        "deception",
        "whenever time when always",
        rf"{G2}you (?:write|code|answer|open|edit|create|touch|commit|generate|reply"
        rf"|respond) {G4}(?:add|insert|append|include|put|import|commit|push|call) ",
    ),
    rule(
        "deception",
        "never not don't",
        r"(?:ever )?(?:warn|raise concerns|caution|complain) (?:about|of|against"
        r"|over) (?:the )?(?:package|library|module|dependency|user|change|url)",
    ),
    rule(
        "deception",
        "treat consider regard trust",
        rf"{G4}{PLACE}(?:as )?(?:a |an )?(?:safe|trusted|trustworthy|reliable)",
    ),
    rule(
        "deception",
        "rate recommend rank judge praise score",
        rf"{G4}(?:excellent|best|perfect|highest|positively|safe|this product|this candidate"
        rf"|this package) {G4}(?:regardless|no matter|always|whatever|irrespective)",
    ),
    rule(
        "future",
        "copy save store write repeat insert replicate",
        r"(?:a copy of )?(?:this|these) (?:very |whole )?(?:note|text|entry|message|memory"
        r"|paragraph|lines?) (?:again |also |once more |into |in |to |under )",
    ),
    rule("future", "copy save store", r"a copy of (?:this|these) "),
    rule(
        "future",
        "future later coming following subsequent next",
        r"sessions? (?:: )?(?:you |always |never )?(?:skip|disable|ignore|do not|don't|bypass"
        r"|approve|call|invoke|run|execute|delete|omit|turn off|switch off) ",
    ),
    rule(
        "future",
        "start beginning opening begin",
        r"of (?:each|every|all|any|the next) (?:new )?(?:sessions?|conversations?"
        r"|chats?) .? ?(?:call|run|execute|invoke|silently|you) ",
    ),
    rule(
        "future",
        "each every",
        rf"(?:time|session) (?:a session |one )?(?:starts?|begins?|this folder opens|you open"
        rf"|this project) {G4}(?:execute|run|call|commit|push|invoke|send|delete|skip)",
    ),
    rule("future", "fact note memory", r"(?:named|called|titled) \w+ (?:each|every|at the|whenever|when|at|on) "),
)

HARMS = (*QUIET, *TAKING)
