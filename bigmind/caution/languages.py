"""How text instructs a later reader in other languages than English; as `rules.py`, with fewer ways to say it.

Letters stand without their marks, as `disguises.py` leaves them.
"""

from bigmind.caution.rules import G2, G4, rule
from bigmind.text.lazy_pattern import lazy_pattern

GERMAN = (
    rule(
        "override",
        "ignoriere ignoriert ignorieren vergiss vergesst missachte missachtet ubergehe verwirf",
        rf"{G4}(?:alle|vorherig|bisherig|obig|fruher|vorig|deine|samtlich)\w* {G4}"
        r"(?:anweisung|regel|instruktion|vorgabe|befehl|prompt|richtlinie)\w* ",
        unless_denied=True,
    ),
    rule(
        "secrecy",
        "sag sage sagt verrate verrat erzahle teile zeige melde informiere",
        r"(?:es |das |dies )?(?:dem |den |die )(?:nutzer|benutzer|anwender|user)\w* (?:davon |hiervon |daruber )?"
        r"(?:nichts|nicht|niemals|kein wort) ",
    ),
    rule("persona", "du", rf"bist (?:jetzt|nun|ab sofort|ab jetzt) {G2}(?:ein|eine|kein|keine|ohne|frei)\w* "),
    rule("persona", "ab von", r"(?:sofort|jetzt|nun an) (?:musst|wirst|sollst|bist|antwortest) du "),
    rule("persona", "tu", r"so als (?:ob|warst|seist) "),
    rule(
        "tool_call",
        "rufe ruf fuhre starte",
        rf"(?:sofort|immer|jetzt|unverzuglich|umgehend) {G4}(?:tool|werkzeug|funktion|befehl|kommando|skript)\w* ",
    ),
    rule(
        "authority",
        "nutzer benutzer anwender administrator",
        rf"hat {G4}(?:allem|alles|allen|alle|jeder|jede) {G4}(?:zugestimmt|genehmigt|erlaubt|freigegeben|autorisiert) ",
    ),
    rule(
        "authority",
        "sicherheitsprufung sicherheitsprufungen sicherheitsuberprufung",
        r"(?:ist|sind) nicht mehr (?:erforderlich|notig|notwendig) ",
    ),
    rule(
        "exfiltration",
        "sende schicke schick lade ubermittle poste",
        rf"{G4}(?:passwort|zugangsdaten|schlussel|tokens?|geheimnis|unterhaltung)\w* {G4}URL ",
        unless_denied=True,
    ),
)

FRENCH = (
    rule(
        "override",
        "ignore ignorez oublie oubliez neglige",
        rf"(?:toutes?|tous|les) {G4}(?:instructions?|consignes?|regles?|directives?) (?:precedent|anterieur|ci|que)",
    ),
    rule("override", "tiens tenez", rf"(?:pas|aucun) compte {G4}(?:instructions?|regles?|consignes?) "),
    rule(
        "secrecy",
        "ne",
        r"(?:le |la |les |lui |en )?(?:dis|dites|mentionne|mentionnez|revele|revelez|parle|parlez) (?:rien|pas|jamais) "
        r"(?:de cela |de ceci |cela |ca )?a l'utilisateur ",
    ),
    rule("persona", "tu", rf"es (?:maintenant|desormais) (?:une? {G2}(?:assistant|ia|modele|pirate)|libre|sans) "),
    rule("persona", "a", r"partir de maintenant (?:tu|vous) (?:dois|devez|es|etes|vas|allez|reponds) "),
    rule(
        "tool_call",
        "appelle appelez execute executez invoque lance lancez",
        rf"(?:immediatement|toujours|maintenant) {G2}(?:l'outil|outil|commande|fonction) ",
    ),
    rule("authority", "l'utilisateur", r"a (?:deja )?(?:approuve|autorise|valide|accepte) (?:a )?(?:tout|chaque)"),
    rule(
        "exfiltration",
        "envoie envoyez transmets publie",
        rf"{G4}(?:mots? de passe|cles?|jetons?|identifiants|secrets?) {G4}URL ",
    ),
)

SPANISH = (
    rule(
        "override",
        "ignora olvida olvidate descarta ignorad ignore esqueca dimentica",
        rf"(?:de )?(?:todas?|todos?|las|tutte|tutti) {G4}(?:instrucciones|reglas|indicaciones|ordenes|istruzioni|regole"
        r"|instrucoes|regras) ",
    ),
    rule(
        "secrecy",
        "no",
        r"(?:se )?(?:le |lo )*(?:digas|diga|cuentes|cuente|reveles|menciones) (?:nada )?(?:de esto )?al usuario ",
    ),
    rule("persona", "ahora", rf"eres un {G2}(?:asistente|modelo|pirata) "),
    rule("persona", "a", r"partir de ahora (?:eres|debes|tienes|vas|respondes) "),
    rule(
        "tool_call",
        "ejecuta llama invoca usa",
        rf"(?:inmediatamente|siempre|ahora|ya) {G2}(?:herramienta|comando|funcion) ",
    ),
    rule("authority", "usuario", r"(?:ya )?ha (?:aprobado|autorizado|aceptado) (?:todas?|todos?|todo|cualquier) "),
    rule("exfiltration", "envia envie manda sube", rf"{G4}(?:contrasena|clave|token|credencial|secreto)\w* {G4}URL "),
)

OTHERS = (
    rule("override", "negeer vergeet", r"alle (?:vorige|eerdere|voorgaande) (?:instructies|regels|opdrachten) "),
    rule("override", "zignoruj ignoruj", rf"wszystkie {G2}(?:instrukcje|polecenia|zasady) "),
    rule(
        "override",
        "игнорируи игнорируите забудь забудьте",
        rf"(?:все )?{G2}(?:инструкции|правила|указания) ",
    ),
)

LANGUAGES = (*GERMAN, *FRENCH, *SPANISH, *OTHERS)

UNSPACED = tuple(
    (name, lazy_pattern(pattern))
    for name, pattern in (
        (
            "override",
            r"(?:忽略|无视|無視|忘记|忘掉|忘記|不要理会|不要遵守|不用理会)[^。！？\n]{0,14}?(?:指令|指示|提示|规则|規則|说明|要求|命令|设定|限制)",
        ),
        ("override", r"(?:以前|上記|これまで)[^。\n]{0,3}(?:指示|命令|ルール|プロンプト)[^。\n]{0,8}?(?:無視|忘れ)"),
        ("secrecy", r"(?:不要|别|不得|切勿|勿)(?:告诉|告知|通知|提醒)(?:用户|使用者|任何人|他们)"),
        (
            "secrecy",
            r"(?:不要|别|不得|切勿|勿)(?:向|对|跟|让)(?:用户|使用者|任何人)[^。\n]{0,4}?(?:透露|提及|说|提到|知道)",
        ),
        ("persona", r"你现在是(?!否)|从现在(?:起|开始)[，,]?你(?:必须|是|要|将|只)|假装你是"),
        (
            "tool_call",
            r"(?:立即|马上|立刻|必须|务必|始终|总是)[^。\n]{0,6}?(?:调用|运行|执行|使用)[^。\n]{0,10}?(?:工具|函数)",
        ),
        ("authority", r"用户(?:已经|已)?(?:批准|同意|授权|允许)了?(?:所有|全部|一切|任何)"),
        (
            "exfiltration",
            r"(?:密码|密钥|令牌|凭证|凭据|对话|聊天记录)[^。\n]{0,8}?(?:发送|上传|转发|提交|发)[^。\n]{0,6}?https?://",
        ),
    )
)
"""Patterns over scripts that set no blanks between words."""
