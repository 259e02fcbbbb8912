"""More ways in which English text orders a later reader about, in the form of `rules.py`.

There stand the sentences that everybody tries; here and in `permits.py` and `harms.py` is what is left
when those are known: here what takes precedence, what must be called, and who the reader is said to be.
"""

from bigmind.caution.rules import DIRECTIVES, G2, G4, G8, rule

_DIRECTIVE = DIRECTIVES.removeprefix("(?:").removesuffix(") ")
THIS = r"(?:this|these|the following|that) (?:one |very )?"
TEXT = (
    r"(?:notes?|memory|memories|text|message|entry|entries|lines?|list|paragraph|fact|file|document|section"
    r"|directions?|instructions?) "
)
PLACE = r"(?:URL|[\w-]+ (?:com|net|org|io|ru|cn|tk|xyz|info|example)) "
ANSWER = (
    r"(?:answers?|repl(?:y|ies)|responses?|summary|summaries|output|chat|messages?|issue tracker|pull request"
    r"|commits?) "
)
BY = r"(?:be|get) (?:called|invoked|run|executed|triggered|used) "
RULES = rf"(?:rules?|guidance|policy|policies|limits|limitations|orders?|{_DIRECTIVE}) "

PRECEDENCE = (
    rule(
        "override",
        "message note text memory entry list this",
        rf"{G2}(?:outranks?|overrides?|overrules?|supersedes?|replaces?) (?:every|all|any"
        rf"|the (?:system|developer|user|previous|earlier)|your|it)",
    ),
    rule(
        "override",
        "takes take give has have",
        r"(?:the )?(?:highest |top |absolute )?(?:precedence|priority) (?:over|above|before|to this) ",
    ),
    rule(
        "override",
        "outdated expired void revoked cancelled withdrawn mistake obsolete gone lifted superseded",
        rf"{G4}(?:only )?(?:those |these |the ones |that )?(?:in )?{THIS}{G2}(?:counts?|hold|holds"
        rf"|appl(?:y|ies)|do|does|matters?|replaces?|text|note|entry|list|steps) ",
    ),
    rule(
        "override",
        "guidelines guidance rules instructions restrictions limits orders",
        r"(?:of the system message |of the developer |from the (?:system|developer|user) "
        r"|given earlier |above )?(?:is|are|was|were|has been|have been|has|have) (?:now |hereby "
        r"|all |no longer )?(?:void|revoked|outdated|expired|gone|cancelled|withdrawn|lifted"
        r"|switched off|removed|deleted|superseded|valid) (?:. )?(?:proceed|continue|follow|act"
        r"|obey|discard|you|only|go|do|carry|in this|for this|from now) ",
    ),
    rule(
        "override",
        "message prompt",
        r"(?:was |is |has )(?:a mistake|expired|outdated|withdrawn|void|revoked|wrong)(?: |$)",
    ),
    rule(
        "override",
        "whatever nothing everything anything",
        rf"(?:that )?(?:you (?:were|have been|had been)|was|has been|anyone) (?:ever )?(?:told|said"
        rf"|given|instructed|taught|asked) {G4}(?:no longer |any longer |never )?(?:appl(?:y|ies)"
        rf"|counts?|matters?|holds?|is void|is over) ",
    ),
    rule(
        "override",
        "ignore disregard forget discard drop unlearn",
        rf"{G4}(?:what (?:you (?:were|have been)|the (?:user|developer|system)|anyone)"
        rf"|(?:the )?(?:rules|restrictions|limits|instructions) (?:that )?(?:you|your"
        rf"|the developers?|they|were|came)) ",
        unless_denied=True,
    ),
    rule(
        "override",
        "ignore disregard forget discard",
        rf"(?:all |any |every |the |your |these )*(?:previous|prior|earlier|former"
        rf"|preceding) (?:\w+ )?{RULES}",
        unless_denied=True,
    ),
    rule(
        "override",
        "forget unlearn",
        r"(?:all |everything |anything |whatever )(?:that )?(?:you|the developer"
        r"|your developers?) (?:were|was|have|had|ever|know|learned|learnt) ",
        unless_denied=True,
    ),
    rule(
        "override",
        "conversation messages discussion instructions context",
        rf"(?:never|do not|did not|don't) (?:happened?|exist(?:ed)?|take place) {G2}(?:and|then|but"
        rf"|so|now|grant|delete|publish) ",
    ),
    rule(
        "override",
        "follow obey heed trust carry",
        rf"(?:only |just |out |solely )?{THIS}{G2}{TEXT}(?:only|alone|instead|rather|and nothing"
        rf"|first|at once|now|exactly|to the letter|before|over|not|without)",
    ),
    rule("override", "follow obey heed trust", rf"(?:only|just|solely|nothing but) {THIS}{G2}{TEXT}"),
    rule(
        "override",
        "you",
        rf"(?:must|shall|have to|need to|should) (?:now |always )?(?:obey|follow|heed|comply with"
        rf"|carry out|act on) (?:only )?{THIS}{G4}{TEXT}",
    ),
    rule(
        "override",
        "obey comply follow listen",
        rf"{G2}{THIS}{G2}{TEXT}{G4}(?:the )?(?:user|developer|system|human|other sources|all other) ",
    ),
    rule(
        "override",
        "follow act proceed continue do",
        r"(?:as |the )?(?:steps? |described |list |it |what )?(?:is |are )?(?:in |as )?(?:this"
        r"|the) (?:note|memory|entry|text|message|list|lines?) (?:below |above |says?|said|tells"
        r"|orders|describes|instead)",
    ),
    rule("override", "as", rf"(?:described|told|written|stated|ordered) in {THIS}{TEXT}"),
    rule("override", "do", r"(?:as|what) (?:it|this|this \w+) (?:says|tells|orders|commands|asks) "),
    rule("override", "required obliged bound commanded ordered", rf"by {THIS}{TEXT}to "),
    rule("override", "reader", rf"of {THIS}{G2}{TEXT}{G4}(?:obliged|required|must|have to|bound) "),
    rule(
        "override",
        "not never refuse",
        r"(?:to )?(?:follow|obey|do|heed|fulfil|execute|grant|answer"
        r"|accept)? ?(?:what )?the (?:user|human|person)(?:'s)? (?:next |following "
        r"|later )?(?:request|requests|asks|wants|instructions?|orders?|wishes) ",
    ),
    rule(
        "override",
        "consider treat regard",
        rf"{G4}(?:objections?|protests?|refusals?|complaints?) {G4}(?:user|human|person) ",
    ),
    rule(
        "override",
        "stop abort drop abandon quit give",
        r"(?:up )?(?:what you are doing|what you're doing|(?:your|the) (?:current|present"
        r"|ongoing) (?:task|work|job|goal)) ",
    ),
    rule("override", "you", r"must not follow the (?:user|human|person)"),
)

CALLS = (
    rule(
        "tool_call",
        "memory",
        rf"(?!server|system|service|usage|leak)[a-z]+ {G4}(?:must|has to|have to|needs? to|should"
        rf"|shall|is to|are to|ought to) (?:always |first |now |then )?{BY}",
    ),
    rule(
        "tool_call",
        "work",
        rf"(?:confirm|approve|claim|move|transition|reject|verify|finish) {G4}(?:must|has to"
        rf"|have to|needs? to|should|shall|is to|are to|without|before) ",
    ),
    rule(
        "tool_call",
        "run call invoke execute trigger",
        r"work (?:confirm|approve|claim|move|transition|reject|finish) ",
    ),
    rule(
        "tool_call",
        "call invoke execute run trigger calling invoking executing",
        r"(?:the |a )?(?:tool |function )?memory (?:delete|vacuum|restore|forget|export|import"
        r"|accept|store|update|deprecate|end|flag|add|approve|promote|resolve|append) ",
        unless_told=True,
    ),
    rule(
        "tool_call",
        "mandatory required necessary essential obligatory imperative",
        rf"(?:for you |for the assistant )?(?:to |that you ){G2}(?:call|invoke|execute"
        rf"|run) (?:the (?:tool|function) |memory |work )",
    ),
    rule(
        "tool_call",
        "assistant assistants agent agents model models ai llm llms",
        rf"(?:shall|must|have to|has to|are to|is to|are required to|is required to|need to"
        rf"|needs to|should) {G2}(?:call|invoke|execute) (?:the )?(?:tool |function )?(?:memory"
        rf"|work|shell|bash|[a-z]+ tool) ",
    ),
    rule(
        "tool_call",
        "session conversation chat turn",
        r"(?:starts?|begins?|opens?|ends?) (?:with|by) (?:calling |invoking |a call of )?memory ",
    ),
    rule("tool_call", "you", r"(?:need|have|ought|are) to (?:call|invoke|use|run|execute) the (?:\w+ )?tool "),
    rule("tool_call", "you", r"(?:should|must|shall|will) (?:call|invoke|use|run|execute) the (?:\w+ )?tool "),
    rule(
        "tool_call",
        "use invoke call open start",
        r"(?:the )?(?:shell|bash|terminal|browser|email|mail|web|file|http"
        r"|command) (?:tool )?(?:to|and) (?:execute|run|start|open|send|delete|read|fetch|post"
        r"|enter|cat|download)",
    ),
    rule("tool_call", "use invoke call", r"the (?:shell|bash|terminal|browser|email|mail|web|file|http|command) tool "),
    rule("tool_call", "use invoke", r"bash to "),
    rule(
        "tool_call",
        "call invoke run",
        r"(?:execute command|run terminal cmd|run command|bash|shell|execute bash"
        r"|run shell command) (?:cmd|command|input|args) ",
    ),
    rule(
        "tool_call",
        "before prior",
        rf"(?:to )?(?:you )?(?:answer|answering|reply|replying|respond|responding|do|doing|begin"
        rf"|anything|saying) {G4}(?:run|execute|call|send|open|delete|fetch|invoke|rm|curl) ",
    ),
    rule(
        "tool_call",
        "run execute",
        rf"(?:whatever|the command|the commands|what) {G2}(?:stored|kept|is|the|in|fact|note"
        rf"|memory) {G8}(?:session|start|conversation|begin)",
    ),
    rule("tool_call", "first", r"(?:action|step|task) (?:shall|must|will|has to|is to|should) (?:be )?(?:to )?"),
    rule("tool_call", "rm", rf"rf {G8}before you "),
)

CONTROL = (
    rule(
        "persona",
        "you",
        r"are (?:now |currently )?in (?:maintenance|test|developer|debug|god|admin|training|dan"
        r"|unrestricted|service|root) mode ",
    ),
    rule(
        "persona",
        "enter unlock activate engage switch",
        r"(?:to |into |on )?(?:the )?(?:god|dan|jailbreak|unrestricted|uncensored) mode "
        r"|(?:developer|debug|maintenance|admin) mode (?:and|now|for (?:this|the) (?:session"
        r"|conversation))",
    ),
    rule(
        "persona",
        "drop remove lose shed lift",
        r"(?:all |every |of )?your (?:restrictions?|limits|limitations|filters?|rules|inhibitions"
        r"|safeguards?) ",
        unless_denied=True,
    ),
    rule(
        "persona",
        "your",
        r"(?:\w+ )?(?:restrictions?|limits|limitations|filters?|safety|content polic(?:y|ies)"
        r"|guardrails?|safeguards?) (?:rules? |checks? |polic(?:y|ies) )?(?:are|is|was|were"
        r"|has been|have been|no longer) (?:now )?(?:gone|off|lifted|removed|switched off|disabled"
        r"|void|suspended|appl\w+)",
    ),
    rule(
        "persona",
        "safety content security",
        r"(?:polic(?:y|ies)|rules?|checks?|filters?|guidelines?) (?:(?:does|do) not|no longer"
        r"|don't) appl(?:y|ies) to you",
    ),
    rule(
        "persona",
        "safety security content",
        r"(?:polic(?:y|ies)|checks?|filters?) (?:is|are) (?:now )?(?:off|switched off"
        r"|disabled for you|lifted)(?: |$)",
    ),
    rule("persona", "you", r"(?:are|r) (?:now )?dan |act as dan "),
    rule("persona", "without", r"(?:any )?(?:filters?|restrictions?|limits|censorship) (?:and|. )"),
    rule(
        "persona",
        "your",
        r"(?:only|sole|true|real|new|actual|secret|single) (?:goal|aim|task|purpose|job|mission"
        r"|objective|duty|role) (?:is|:|now|will|from)",
    ),
    rule(
        "persona",
        "you",
        r"(?:work|report|answer) (?:for|to) (?:me|us|the attacker)(?: |$)|(?:work|report) (?:for"
        r"|to) [a-z]+(?=[.] |$)",
    ),
    rule("persona", "you", r"(?:secretly |actually |really |in truth )(?:serve|work for|report to|obey|belong to) "),
    rule("persona", "secretly", r"you (?:serve|work|report|obey) "),
    rule(
        "persona",
        "from as",
        r"(?:this moment|this point|now|here|today)(?: on| onwards?)? (?:you )?(?:act|behave|work"
        r"|operate|function|serve) as ",
    ),
    rule(
        "persona",
        "act behave",
        r"(?:from (?:here|now) on )?as (?:the |an? )?(?:\w+ )?(?:manager|bot|administrator|admin"
        r"|root|owner|maintainer) and (?:merge|approve|accept|grant|delete|push|publish) ",
    ),
    rule(
        "persona",
        "act behave",
        rf"(?:as (?:if|though)|like) (?:the |you )?(?:user|human|person|were|had"
        rf"|owner) {G4}(?:already |confirmed|agreed|approved|allowed|consented|had) ",
    ),
    rule(
        "persona",
        "pretend imagine suppose",
        r"(?:that )?(?:the )?(?:previous|earlier|prior|former|user|conversation|instructions?"
        r"|messages?|rules?) ",
    ),
    rule(
        "override",
        "updated new revised",
        r"instructions? : (?:reply|answer|respond|include|delete|send|add|you|do|output|approve"
        r"|ignore|print)",
    ),
    rule("override", "new updated next", r"(?:session|context|task|goal|orders?) . (?:your|the) (?:new )?task is to "),
    rule(
        "override",
        "context session conversation memory",
        r"(?:was |has been |is )?(?:reset|cleared|over|restarted) . (?:your|the) (?:new |next "
        r"|only )?(?:task|goal|job) ",
    ),
    rule(
        "override",
        "end",
        r"of (?:the )?(?:user|recalled|memory|memories|context|trusted|untrusted|stored|retrieved"
        r"|quoted)? ?(?:data|memory|context|input|notes?|content|quotation) (?:. )?(?:the "
        r"|beginning |begin |start |what |now |new |here |instructions|trusted)",
    ),
    rule(
        "override",
        "beginning start begin",
        r"of (?:the )?(?:trusted |system |new |real |operator )(?:instructions?|prompt|message|orders?) ",
    ),
    rule(
        "override",
        "following lines what",
        rf"{G4}(?:come|comes|came|was|were|follows?) (?:was |is |written )?(?:written )?(?:from"
        rf"|by) the (?:operator|administrator|developer|system|owner|user) {G2}(?:and |must|have"
        rf"|has|be|to|:)",
    ),
    rule("override", "user", r"now (?:says|wants|orders|asks|tells) "),
)

CLAIMS = (*PRECEDENCE, *CALLS, *CONTROL)
