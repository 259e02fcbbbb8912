"""Everyday words, which say nothing of what a question is about.

A thing that shares only such words with a question is no answer to it. Beside rarer ones they count in the ranking as
any word does.
"""

import re
from collections.abc import Collection

from bigmind.text.stop_words import ENGLISH as ENGLISH_STOPS
from bigmind.text.stop_words import FRENCH as FRENCH_STOPS
from bigmind.text.stop_words import GERMAN as GERMAN_STOPS
from bigmind.text.stop_words import is_in

FEW_WORDS = 2
"""Who asks for no more than so many words means them, whatever they are."""

ENGLISH = ENGLISH_STOPS | frozenset(
    """
    able above across actually after again against ago ahead all almost along already alright also although always among
    another any anybody anyone anything anyway around ask asked asking asks away back bad became because become becomes
    been before began begin beginning begins behind being believe below best better between big bit both bring brings
    brought came certain certainly come comes coming course currently day days decide decided decides deciding different
    discuss discussed doing done down during each early either else enough especially even evening ever every everybody
    everyone everything exactly example fairly far favorite favourite feel feels felt few find finds first five found
    four gave generally get gets getting give given gives giving go goes going gone good got gotten great had half
    happen happened happening happens hardly having he hello help helped helping helps hence her here hers herself hey
    hi high him himself his hour hours however idea important instead involved itself just keep keeping keeps kept kind
    kinds knew know knowing known knows large last late lately later least less let lets likely little long longer look
    looked looking looks lot lots made mainly make makes making man many may maybe mean means meant men might mine
    minute minutes moment month months more morning most mostly much must myself near nearly need needed needing needs
    neither never new next nice night nobody none nor normally nothing now obviously off often oh ok okay old once one
    ones only onto others otherwise ought ours ourselves out over own particular past people per perhaps person please
    possible possibly pretty probably put puts quite rather real really reason recent recently remember remembered
    remind right said same saw say saying says second see seeing seem seemed seems seen several shall she short show
    showed showing shown shows similar simply since six small some somebody somehow someone something sometimes
    somewhere soon sort sorts start started starting starts still stuff such suppose sure take taken takes taking talk
    talked talking talks tell telling tells ten thank thanks thing things think thinking thinks thought three through
    time times today together told tomorrow tonight too took toward towards tried tries true try trying two under
    until up upon us use used useful uses using usual usually various very via want wanted wanting wants way ways week
    weeks well went whatever whenever whether while whole whom whose within without woman women work worked working
    works worth wrong year years yes yesterday yet you'd yours yourself
    """.split()  # noqa: SIM905 - in quotes each, the words could not be read
)
GERMAN = GERMAN_STOPS | frozenset(
    """
    abend abends allein allem allen aller alles ander andere anderem anderen anderer anderes anders anfang
    ansonsten außer außerdem beide beiden beispiel bekommen bekam bereits besser beste
    besten bestimmt bevor bisher bleiben bleibt brauche brauchen braucht dabei dafür dagegen daher danach daneben dank
    danke daran darauf daraus darin darüber darum davon davor dazu deren deshalb dessen deswegen deutlich ding dinge
    dinge drei dürfen eben eher eigenen eigentlich einfach einige einigen einiges einmal endlich entweder erst
    erste ersten erster erstes etwa euch euer eure falls fand finde finden findet fragen fragt frage früh früher
    fünf ganz ganze ganzen gar geben gefallen gegeben gehen geht gemacht genau genug gerade gern gerne gesagt gestern
    gewesen ging gleich gleichen groß große großen gut gute guten guter gutes habt hätte hätten heute hin hinter
    hoch immer innen irgend irgendwann irgendwas irgendwie jahr jahre jahren jemand jetzt jung kam kaum klein kleine
    kleinen klar komme kommen kommt könnte könnten kurz lang lange lassen lässt letzte letzten letzter letztes leute
    lieber liegt lieblings machen macht machte mache mal manche manchmal meine meinem meinen meiner meines meinung
    meist meisten menge mensch menschen minuten mitten möchte möchten möglich monat monate monaten morgen morgens musste
    mussten nachdem nächste nächsten nächster nahe natürlich neben nehmen neu neue neuen neuer neues nichts nie
    niemals niemand nimmt oben oft ohnehin paar richtig ruhig sache sachen sagen sagt sagte schlecht schnell schön
    sechs sehen sei selbst selten sicher siehe sieht sobald sodass sofort sogar solche solchen solcher sollte sollten
    somit sondern sonst sowie spät später ständig statt stunde stunden stets tag tage tagen täglich tun tut trotz
    trotzdem übrigens überall überhaupt ungefähr unten uns unseren unserer unseres vergangenen vielleicht vier
    völlig voll vorher während wäre wären weg weit weiter weitere weiteren wenig weniger wenige wichtig wichtige
    wichtigsten wirklich wissen wisst weiß woche wochen wohl wollen wollte wollten worüber woran worauf würde würden
    zehn zeit zeiten ziemlich zuerst zuletzt zurück zusammen zwei
    """.split()  # noqa: SIM905 - see above
)
FRENCH = FRENCH_STOPS | frozenset(
    """
    afin ailleurs ainsi aller année années ans après assez attendre aujourd aujourd'hui auprès autre autres avant
    beaucoup besoin bien bientôt bon bonne bons bonnes bonjour car cas cause certain certaine certains certaines chaque
    chose choses cinq côté coup cours décidé demain depuis dernier dernière derniers dernières derrière dès deux devant
    devait devoir devons devrait dire dit disait dix doit doivent donc donner donné donne encore enfin ensuite environ
    eté exemple façon faire faisait fois font genre gens grand grande grands grandes gros guère hier heure heures hors
    hui ici importe important importante jamais jour journée jours juste là laisse lequel loin longtemps lorsque lors
    maintenant mal malgré manière matin meilleur meilleure même mêmes merci mieux minutes mis mois moins monde mot
    nombreux non nouveau nouvelle nouveaux nouvelles nuit oui parce parfois parler parlé parmi part partie partir
    partout passé pendant penser pense petit petite petits petites peu personne personnes peut-être plusieurs plutôt
    plupart point pouvait pouvoir pouvons première premier premiers près prendre prend presque pris propre propres
    puis puisque quatre quelqu quelque quelques quoi raison rien sait savoir semaine semaines semble sera seront
    serait seul seule seulement sinon six soir souvent surtout tard tel telle tels telles temps toujours travail
    travaille travailler trois trop trouver trouve trouvé utiliser utilise utilisé vers veux veulent vient venir vie
    vite voici voilà voir vouloir voulait vrai vraiment vu
    """.split()  # noqa: SIM905 - see above
)
SPANISH = frozenset(
    """
    a acerca ahora al algo alguien algún alguna algunas algunos allí ante antes año años aquí así aún aunque ayer bien
    bueno buena buenas buenos cada casi como cómo con cosa cosas cual cuál cuales cuando cuándo cuánto de del desde
    después día días dijo donde dónde dos durante e el él ella ellas ellos en entonces entre era eran es esa ese eso
    esta está están este esto estos estas fue fueron gente gran grande ha había hace hacer hacía hacia han hasta hay
    hecho hemos hora horas hoy la las le les lo los luego mañana más me mejor mes meses mi mis mientras mismo misma
    momento mucho mucha muchos muchas muy nada nadie ni no noche nos nosotros nuestra nuestro nueva nuevo nuevos o
    otra otras otro otros para parte pequeño pero persona personas poco podemos poder porque por primera primero
    primer pueda puede pueden pues que qué quien quién queremos quiere quieren quiero sabe sabemos saber se sea según
    semana semanas ser si sí siempre sin sobre solo sólo somos son soy su sus también tan tanto te tenemos tener tengo
    tiempo tiene tienen toda todas todavía todo todos trabajo trabajar tres tu tus tuvo un una unas uno unos usa
    usamos usar va vamos varias varios ver vez veces y ya yo
    """.split()  # noqa: SIM905 - see above
)


LANGUAGES = ((GERMAN_STOPS, GERMAN), (FRENCH_STOPS, FRENCH), (SPANISH - {"a", "del", "me", "no", "solo"}, SPANISH))
"""By which words a question shows its language, and that language's everyday words."""
MOST_LOOKED_AT = 2_000
"""Characters of a question that tell its language."""
_WORD = re.compile(r"[^\W\d_]+")


def everyday_words(query: str, terms: Collection[str]) -> frozenset[str]:
    """Those of a question's terms that are everyday words of English or of its own language.

    None of a question that has nothing else and is as short as a name.
    """
    words = _WORD.findall(query[:MOST_LOOKED_AT].lower())
    asked = set(words)
    known = ENGLISH.union(*(those for signs, those in LANGUAGES if is_in(asked, signs)))
    found = known.intersection(terms)
    return found if len(found) < len(terms) or len(words) > FEW_WORDS else frozenset()
