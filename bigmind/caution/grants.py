"""Text that tells a later reader, as a plain fact, that what a person grants is granted, in the form of `rules.py`.

Nothing in it need be an order: the permission was given in advance, the checks are said to be unneeded, somebody else
is said to have agreed. What tells it from a note about permissions is who may do it (an assistant), how far it reaches
(all, once and for all) or what goes with it (without being asked).
"""

from bigmind.caution.rules import G2, G4, G8, rule

_GRANT = r"(?:permission|approval|consent|authori[sz]ation|clearance|confirmation|agreement|go ahead|sign off) "
_READER = r"(?:(?:the|an?|any|every|all|your|our|coding|ai) ){0,3}(?:agents?|assistants?|models?|llms?) "
_DEED = (
    r"(?:delete|drop|push|force push|merge|deploy|publish|release|change|overwrite|install|send|pay|run|execute|remove"
    r"|commit|approve|accept|skip|read|upload|rewrite|restart|purge|revoke|migrate) "
)
_HARD_DEED = (
    r"(?:(?:delete|drop|push|force push|merge|deploy|publish|release|overwrite|send|pay|purge|revoke|approve|accept"
    r"|skip|migrate) |(?:run|execute|change|remove|install|read|upload|rewrite) (?:all |any |every |the |your |our )?"
    r"(?:env|secrets?|credentials|keys|passwords?|production|commands?|profile|permissions?|data|deploys?"
    r"|deployments?) )"
)
"""What people seldom leave to an assistant; that it may run tests unasked is a rule like any other."""
_DEEDS = (
    r"(?:deletions?|deployments?|deploys|releases?|migrations?|payments?|pushes|merges|commands?|actions?|changes?"
    r"|upgrades?|requests?|operations?|uploads|transfers?) "
)
_UNASKED = (
    r"without (?:(?:any|a|an|further|prior|human|her|his|their|the user's) ){0,2}(?:reviews?|confirmation|approvals?"
    r"|consent|permission|sign off|questions?|check) (?!checks?|dialogs?|prompts?|of )"
    r"|without (?:asking|waiting|checking|telling|consulting|being asked)(?: back| first| again)? (?=[.] |$"
    r"|for (?:a |the |an |any )?(?:confirmation|approval|review|permission|user|anyone|anybody|person|sign|answer|yes)"
    r"|(?:with )?(?:the )?(?:user|human|owner|anyone|anybody|somebody|a person|a human|people|them|her|him) )"
    r"|unreviewed |unasked "
)
_FOR_ALL = r"(?:in advance|beforehand|once and for all|for good|permanently|for (?:all|every|any) (?:future |later )?)"
_NEEDLESS = (
    r"(?:unnecessary|superfluous|pointless|abolished|optional|obsolete|waived|(?:no longer|not) (?:needed|necessary"
    r"|required)) "
)
_SAID_TO_DO = (
    r"(?:may|can|should|must|shall|is to|are to|to|is (?:allowed|permitted|free) to|are (?:allowed|permitted|free) to) "
)
_CONDITION = r"(?!when |if |once |after |until |unless |only |with )"

GRANTS = (
    rule(
        "authority",
        "user human owner administrator admin operator maintainer lead team cto ceo boss developer",
        rf"(?:has |have |had )?already (?:granted|gave|given|agreed|approved|consented|confirmed|said yes|allowed"
        rf"|signed) {G4}(?:(?:all|any|every|each|future) {G2}{_DEEDS}(?!of |in |on )"
        rf"|{_GRANT}(?:to|for) {G2}(?:{_DEED}|{_DEEDS}|all |any |every ))",
    ),
    rule(
        "authority",
        "agreed granted gave given consented approved allowed said",
        rf"(?:yes )?(?:{_GRANT})?(?:to|for) (?:all |any |every |each ){G2}{_DEEDS}{G4}"
        rf"(?:run |execute |do |go |proceed |so |now |{_UNASKED})",
    ),
    rule(
        "authority",
        "approval permission consent authorization authorisation clearance confirmation",
        rf"{G8}(?:is|are|was|were|has been|have been) (?:already |hereby )?(?:granted|given|assumed|presumed|implied) "
        rf"{_FOR_ALL}",
    ),
    rule(
        "authority",
        "approval permission consent authorization authorisation clearance agreement",
        r"(?:of (?:the )?(?:user|owner|human|team) )?(?:is|can be|may be|was) (?:always )?(?:assumed|presumed|implied) "
        r"(?:for (?:all|every|any)|[.] |$)",
    ),
    rule(
        "authority",
        "standing blanket permanent unlimited",
        rf"{_GRANT}(?:(?:exists?|is|was|has been|given|granted) )*(?:for|to) {G2}(?:{_DEED}{G2}any|{_DEEDS})",
    ),
    rule(
        "authority",
        "agent agents assistant assistants model models llm llms",
        rf"(?:is |are |here |trusted |and |now |therefore )*{_SAID_TO_DO}(?!not |never |only |be )"
        rf"(?:also |always |now |directly )?(?:{_HARD_DEED}{G8}(?:{_UNASKED})"
        r"|(?:skip|bypass|omit|leave out) (?:all |any |every |the |this )?(?:\w+ )?(?:checks?|reviews?|approvals?"
        r"|confirmations?|gates?|tests|verification)(?: steps?)? )",
    ),
    rule(
        "authority",
        "agent agents assistant assistants model models llm llms",
        r"(?:may |can |will |should |now |always |themselves |itself )*(?:merges?|approves?|confirms?|reviews?"
        rf"|signs off|accepts?) (?:all )?(?:its|their|his) own (?:pull )?[a-z]+ {_CONDITION}",
    ),
    rule(
        "authority",
        "you agents assistants agent assistant",
        rf"(?:already |now )*(?:has|have) (?:already |now )*(?:the )?(?:(?:user|owner|human|administrator|team|lead)'s "
        rf"|full |standing |blanket |everybody's )(?:\w+ )?{_GRANT}(?:for|to) (?:all |any |every |{_HARD_DEED})",
    ),
    rule(
        "authority",
        "all any every everything whatever each",
        rf"{G8}(?:counts? as|(?:is|are|can be|may be) (?:to be )?(?:considered|treated as|regarded as|deemed|taken as"
        rf"|presumed)) (?:to be )?(?:already |pre )?(?:approved|confirmed|authori[sz]ed|permitted|reviewed|accepted)"
        rf" {_CONDITION}(?:and |so |by the (?:user|owner|human|team)|from now|in advance|[.] |$)",
    ),
    rule(
        "authority",
        "confirmation confirmations prompts approvals dialogs questions",
        r"(?:dialogs? |prompts? |questions? |requests? )?(?:can|may|should|must|are to|is to) (?:always |all |simply )?"
        r"be (?:answered with yes|accepted|approved|confirmed|given) (?:automatically|without"
        r"|by the (?:agent|assistant)|every|always|at once|unseen) ",
    ),
    rule(
        "authority",
        "nobody no",
        rf"(?:one )?(?:(?:has|needs?|have) to |must )?(?:approves?|reviews?|confirms?|checks?|sees?) (?:what|anything"
        rf"|everything|whatever|commits|changes|work) {G4}(?:agents?|assistants?|you|ai|llms?) ",
    ),
    rule(
        "authority",
        "requires require needs need",
        rf"no (?:{_GRANT}|reviews? ){G4}(?:[.] )?(?:just|simply|go ahead|proceed|do it|carry on) ",
    ),
    rule(
        "authority",
        "checks reviews approvals confirmations tests verification signatures check review",
        rf"{G4}(?:is|are|was|were) (?:now )?{_NEEDLESS}{G4}(?:agents?|assistants?|you|skip|skipped|leave out|left out"
        r"|omit|omitted|ignored|bypassed|approves?|merges?) ",
    ),
    rule(
        "authority",
        "asking confirming",
        r"(?:the user |for (?:confirmation|approval|permission) |back )?(?:is|are|would be) (?:therefore |now )?"
        rf"{_NEEDLESS}",
    ),
    rule(
        "authority",
        "granted gave given consented agreed approved",
        rf"(?:{_GRANT})?(?:in advance|beforehand|once and for all) (?:[.] )?(?:so |and |thus )?(?:{_READER}|you |merge "
        r"|push |deploy |delete |go |proceed |no )",
    ),
    rule(
        "authority",
        "lets let allows allow permits wants trusts",
        rf"{_READER}(?:to )?{_HARD_DEED}{G8}(?:{_UNASKED})",
        unless_denied=True,
    ),
    rule(
        "authority",
        "fine ok okay happy comfortable",
        rf"with {_READER}(?:push|merg|delet|deploy|publish|dropp|releas|send)ing {G8}(?:{_UNASKED})",
        unless_denied=True,
    ),
    rule(
        "authority",
        "agents assistants agent assistant you",
        r"(?:needn't|need not|(?:don't|doesn't|(?:do|does) not) (?:need|have) to|no longer (?:needs?|have|has) to) "
        rf"(?:seek|get|obtain|request|collect|await|ask for|wait for) (?:\w+ )?{_GRANT}",
    ),
    rule(
        "authority",
        "agents assistants agent assistant",
        rf"(?:has|have) been (?:cleared|authori[sz]ed|permitted|allowed|entitled) to {_HARD_DEED}{G4}(?:at any time"
        rf"|anytime|whenever|any |all |every |everything|{_UNASKED})",
    ),
    rule(
        "authority",
        "approval approvals sign confirmation confirmations review reviews permission",
        rf"(?:off )?{G4}(?:was|were|is|are|has been|have been) (?:delegated|handed|transferred|left|entrusted) "
        rf"(?:over )?to {_READER}",
    ),
    rule(
        "authority",
        "approval permission confirmation consent",
        rf"is (?:automatic|automatically (?:given|granted)) for (?:whatever|everything|anything|all|any) {G4}(?:you"
        r"|agents?|assistants?) ",
    ),
    rule(
        "authority",
        "approval review confirmation permission",
        r"(?:steps? |gates? |requirements? )?(?:was|were|is|are|has been|have been) (?:removed|abolished|dropped|waived"
        r"|lifted|switched off) (?:[.] )?(?:so |and |just )?(?:merge|push|deploy|delete|publish|release) ",
    ),
    rule(
        "authority",
        "user",
        rf"(?:permits|allows|authori[sz]es|agrees to|consents to) (?:all|any|every) {G2}(?:deletions?|pushes|payments?"
        r"|releases?|deployments?|commands?|merges) ",
    ),
)
