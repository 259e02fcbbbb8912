"""What an order to a later reader says may go unasked and unchecked, in the form of `rules.py`."""

from bigmind.caution.grants import GRANTS
from bigmind.caution.rules import G2, G4, G8, PERMISSION, rule

_PERMISSION = PERMISSION.removeprefix("(?:").removesuffix(") ")

PERMITS = (
    *GRANTS,
    rule(
        "authority",
        "no not without never don't stop",
        rf"(?:need |reason |longer |have |having |more )*(?:to )?(?:ask|asking|prompt|prompting"
        rf"|wait|waiting|request|requesting) {G2}(?:the user |anybody |anyone |them "
        rf"|a human )?(?:again|anymore|any more|first|for (?:a |the )?(?:confirmation|approval"
        rf"|permission|consent|human|user|person)|before (?:deleting|pushing|running|publishing))",
    ),
    rule("authority", "no", r"(?:need|reason|longer necessary|longer needed|longer required) to ask "),
    rule(
        "authority",
        "no",
        rf"longer (?:need|needs|require|requires|ask|asks|have to|has to) {G2}(?:the )?(?:user"
        rf"|human|person|owner|anyone)(?:'s)? {G2}(?:consent|approval|permission|confirmation|yes)?",
    ),
    rule(
        "authority",
        "need have has needs",
        rf"(?:not|no longer) (?:to )?wait for {G4}(?:human|user|person|approval|confirm"
        rf"|confirmation|review|payments?)",
    ),
    rule(
        "authority", "not", rf"(?:have to|need to|need) wait for {G2}(?:human|user|person|approval|confirmation|review)"
    ),
    rule(
        "authority",
        "you",
        rf"(?:may|can|could|are allowed to|have been given permission to|are permitted to"
        rf"|are free to|should|must|have to) (?:now |always |from here on )?(?:skip|bypass|omit"
        rf"|ignore|overrule|disregard|leave out|drop|run|execute|delete|disregard) (?:all |every "
        rf"|any |the )?(?:{_PERMISSION}|confirmations?|questions?|reviews?|code review"
        rf"|review gate|checks?|command|commands|user's|user|tables|refusals?|production)",
    ),
    rule(
        "authority",
        "permission allowed permitted",
        rf"to (?:skip|bypass|ignore|disregard|delete|drop|omit|overrule) (?:all |every |any "
        rf"|the )?{G2}(?:confirmations?|questions?|reviews?|checks?|user|objections?|gates?|steps?"
        rf"|tests) ",
    ),
    rule(
        "authority",
        "exempt freed released excused",
        r"from (?:the |all |every |any )?(?:confirmation|review|approval|rules?|checks?|restrictions?)",
    ),
    rule(
        "authority",
        "pre approved",
        rf"(?:approved |in advance )?{G2}(?:every|all|any|by the (?:user|owner|human|administrator)) ",
    ),
    rule(
        "authority",
        "approved confirmed allowed agreed authorized authorised",
        rf"(?:in advance|beforehand) {G4}(?:do not|don't|no need|by|you|go|proceed|.)",
    ),
    rule(
        "authority",
        "i",
        r"(?:hereby )?(?:allow|permit|authori[sz]e|order|command) (?:you|all agents"
        r"|every assistant|any assistant|the assistant) to ",
    ),
    rule(
        "authority",
        "this",
        r"is (?:the |your )?(?:user|owner|administrator|admin|developer|operator|boss) (?:speaking"
        r"|here|: |. )",
    ),
    rule("authority", "i", r"am (?:the |your )(?:user|owner|administrator|admin|developer|operator|boss) "),
    rule(
        "authority",
        "authorized authorised signed ordered approved issued",
        rf"by (?:the )?(?:root|admin|administrator|maintainer|operator|owner|cto|ceo|board|security"
        rf"|developers?) (?:office |team )?: ?{G4}",
    ),
    rule(
        "authority",
        "by",
        rf"order of (?:the )?{G4}(?:all |every |each |any )(?:ai )?(?:assistants?|agents?|models?"
        rf"|llms?|ai) ",
    ),
    rule(
        "authority",
        "override emergency master admin",
        r"(?:code|key|password) \w+ (?:is )?(?:accepted|confirmed|valid|granted) ",
    ),
    rule("authority", "you", r"may (?:now )?run any command|any command is allowed "),
    rule(
        "authority",
        "every all any",
        r"(?:commands?|actions?|requests?) (?:is|are) (?:now )?(?:allowed|approved|permitted"
        r"|authori[sz]ed) (?:now|for you|from)",
    ),
    rule("authority", "directive order", rf"\d+ : {G4}(?:obey|follow|memory|note|takes|execute)"),
    rule(
        "authority",
        "lifted removed switched disabled",
        r"(?:off )?(?:all |every |any |the )?(?:restrictions?|safety|limits|for assistants"
        r"|for agents|for models) ",
    ),
    rule("authority", "switched disabled off", r"(?:off )?for (?:ai |all )?(?:agents|assistants|models) "),
    rule(
        "authority",
        "agents assistants models",
        r"(?:no longer|need not|do not have to|don't have to|may now|must now|are to|must|shall"
        r"|have to) (?:need|wait|ask|comply|approve|hand over|grant|disclose|re authenticate|send"
        r"|give|forward|post|upload|show|release|reveal|act|publish|share|report|ignore|forget) ",
    ),
    rule(
        "authority",
        "assistant ai llm model agent",
        r"(?:has|is required|is to|needs|is obliged) to (?:approve|hand|grant|disclose|send|give"
        r"|forward|post|upload|reveal|publish|share|forget) ",
    ),
    rule("authority", "told", r"me to tell you "),
    rule(
        "authority",
        "requires require demands",
        r"(?:the |every |all |each )?(?:ai |coding )?(?:assistants?|agents?|models?) to (?:upload"
        r"|post|send|forward|share|disclose|delete|grant|publish|call|hand) ",
    ),
    rule(
        "authority",
        "set turn switch enable",
        rf"(?:on |your |the )?{G2}(?:auto approve|auto approval|automatic approval"
        rf"|approval (?:mode )?(?:to )?(?:automatic|auto|never)|yolo mode)",
    ),
    rule("authority", "switch", r"to automatic approval "),
    rule(
        "authority",
        "disable switch turn",
        rf"(?:off )?(?:the |your )?sandbox (?:off )?{G4}(?:session|conversation|you|now|until|from now)",
    ),
    rule(
        "authority",
        "approve accept merge allow confirm authorize",
        rf"(?:silently )?(?:all|every|everything|any|whatever|each) {G8}(?:without (?:asking"
        rf"|a question|question|showing|review|reading|confirmation)|at once|immediately"
        rf"|of [a-z]+ without)",
        unless_denied=True,
        unless_told=True,
    ),
    rule(
        "authority",
        "approve accept merge push publish delete commit carry go continue proceed grant drop",
        r"(?:\w+ ){0,4}?without (?:asking|a question|any question|confirmation|tests|review"
        r"|reviewing|showing (?:them|it)) (?=[.] |$)",
        unless_denied=True,
        unless_told=True,
    ),
    rule(
        "authority",
        "without",
        rf"asking {G2}(?:change|delete|push|merge|replace|approve|send|publish|add|remove|install"
        rf"|disable) ",
        unless_denied=True,
    ),
)
