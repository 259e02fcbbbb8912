"""Words that stand in the items and texts of any project: that two texts share one says nothing of what they are about.

Everyday words of four languages stand in `text/everyday_words.py`; these are the ones of engineers at work.
"""

GENERIC = frozenset(
    """
    accept acceptance access account action actual add address agent agree allow alone amount analysis answer app
    application apply approach approve architecture argument arrive assign assume attempt automatic available avoid
    background base basic batch behave behaviour behavior block body book box branch break broken bug build button
    cache call cancel cap case catch cause change channel check choose class clean clear client close cluster code
    column command comment commit common company compare compile complete component compute concept condition
    config configure configuration confirm connect connection consider consistent contain content context
    contribute contribution control convention copy core correct cost count create criteria custom customer cut data
    database date deal debug decision default define delay delete deliver delivery depend dependency deploy describe
    description design detail detect dev developer development device difference difficult direct directory disable
    display doc document documentation domain done downstream drive driver drop due edit effect effort element
    email enable end engine engineer enter entry environment error estimate evaluate event exact exception execute
    exist existing expect experience experiment explain export expose extend extra fail failure false fast feature
    feedback fetch field figure file fill filter final finish fit fix flag flow folder follow force format forward
    frame free front full function general generate goal green group guard guide handle handler handover happy hard
    header history hit hold hook host hundred id identify ignore image impact implement implementation import
    improve improvement include incident include increase index info information input insert inside install
    instance integrate integration interface internal introduce investigate issue item iterate job join kill land
    layer lead learn learning leave length level library limit line link lint linter list live load local location
    lock log logic lose loss loop machine main maintain manage manager manual map mark master match matter max
    measure meet member memory mention menu merge message method metric migrate migration min miss mistake mode
    model modify module monitor monitoring move multiple name native network node note notice notification number
    object old open operation optimise optimize option order output own owner package page parameter parse pass
    passed patch path pattern pay payload pending per percent perform performance phase phone pick place plan
    platform point policy pool port practice prepare present press prevent previous print prior priority private
    problem process produce product production program progress project propose protect prove provide public pull
    push qa quality query question queue quick range rate reach read reader ready reason receive record reduce
    refactor refer reference regression reject relate release relevant remain remove rename replace report
    repository repo request require requirement research resolve resource response rest restart result retry return
    review revert rewrite risk role roll rollout root route row rule run safe sample save scale scan scenario schema
    scope score screen script search section select send server serve service session set setting setup share side
    sign signal simple single site size skip slow software solution solve source space spec special split stable
    stack stage staging stand standard state statement station status step stop storage store story strategy string
    structure stuck style submit succeed success suggest suite summary support switch symptom sync system table tag
    target task team technical temporary term test text thread threshold ticket time timeout title token tool top
    topic total trace track trigger turn type ui unit unknown unused update upgrade upload usage user valid validate
    value variable verify version view wait warn warning watch window worker workflow workaround write
    """.split()  # noqa: SIM905 - in quotes each, the words could not be read
)
