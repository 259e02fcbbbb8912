"""Words that decide whether two facts exclude each other. Whole, in lower case; `similarity.py` takes their roots."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATIONS = _words(
    "not never no none cannot without neither nor nobody nothing avoid stop stopped cease nicht nie niemals kein keine "
    "keinen keinem keiner keines ohne weder pas jamais aucun aucune sans rien dont doesnt isnt arent"
)

DENYING = NEGATIONS - _words("avoid stop stopped cease nothing nobody none neither nor")
"""Of them, those that only turn round what the sentence says."""

REJECTING = _words("over statt anstatt versus vs")
"""What follows them is what was not chosen."""

FILLERS = _words(
    "a an the this that these those there it its he his she her they their we our us you your i my me who which and or "
    "but so as at by from in into of on onto to up with via per than then also always each every all any just only "
    "now currently please about around approximately roughly must may might should shall can could will would do does "
    "did has have had having been being get gets got very really more later again "
    "der die das den dem des ein eine einen einem einer und oder im am zu zum zur von auf als fur es er sie wir "
    "le la les l un une des du de d et ou au aux en avec pour par ce c qu que qui n ne s j m il elle nous vous on "
    "immer toujours"
)

FUNCTION_WORDS = FILLERS - _words("has have")
"""What makes no other sentence of one."""

SAME = {
    "are": "is", "was": "is", "were": "is", "be": "is", "ist": "is", "sind": "is", "est": "is", "sont": "is",
    "wird": "is", "werden": "is", "located": "live", "lies": "live", "lie": "live", "prefer": "prefers",
    "preference": "prefers", "forbid": "forbidden", "prohibited": "forbidden", "permitted": "allowed",
    "allow": "allowed", "kept": "keep", "made": "make", "written": "write", "ran": "run", "sent": "send",
    "chosen": "use", "chose": "use", "postgres": "postgresql", "js": "javascript", "ts": "typescript",
}  # fmt: skip
"""Forms and names that are one word here."""

NUMBERS = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "twelve": "12", "zwei": "2", "drei": "3", "vier": "4", "deux": "2",
    "trois": "3", "quatre": "4",
}  # fmt: skip

NUMBERED_THINGS = _words(
    "issue ticket bug task story pr pull request adr rfc decision step phase chapter section case sprint milestone "
    "rule figure table note cve line page version release build shard week room tier status http code error meeting"
)
"""A number behind them is a name."""

SINGULAR_VERBS = _words("is call name live run start default host base write own")
"""Verbs whose subject has one object at a time."""

ENOUGH_ALONE = _words("call name live base")
"""Of them, those that say enough of a person: "the user lives in …"."""

INCLUSIVE_VERBS = frozenset(
    ("speak", "like", "know", "support", "learn", "test", "include", "add", "enjoy", "understand")
)
"""Verbs that may have many objects: who speaks German may speak English."""

MEASURING_PREDICATES = _words(
    "is has have use need require expire take last wait start begin end close limited limit run retry hold keep kept "
    "store allow cost cap poll rotate refresh contain exceed stay "
    "braucht brauchen dauert dauern endet beginnt enden beginnen lauft benotigt dure durent utilise commence expirent"
)
"""What has one amount at a time: how long, how many, how large, since when."""

ADJACENT_PREDICATES = _words(
    "is prefers want written stored hosted licensed default released under geschrieben bevorzugt prefere ecrit"
)
"""What is followed at once by the one word that is chosen, of several that exclude each other."""

UNIQUE_ROLES = _words(
    "owner lead manager maintainer name branch region timezone host hostname url domain encoding locale currency "
    "default deadline password editor shell"
)
"""Of what there is one."""

PERSONAL_ROLES = _words("owner lead manager maintainer reviewer leiter leiterin responsable")
"""What a person can be of several things at once."""

GROUPS = _words(
    "team squad crew guild group department user users mannschaft gruppe abteilung nutzer benutzer equipe groupe"
)
"""Of several words, what names who does something, whatever their letters."""

QUALITIES = _words("noisy idempotent slow fast flaky large small big huge old long short complex")
"""What something can be wherever it is."""

SINGLE_CHOICES = _words(
    "npm yarn pnpm bun pip poetry pipenv conda uv jest vitest mocha pytest unittest nose black yapf webpack vite "
    "rollup esbuild parcel tabs spaces single double merge rebase camelcase snakecase kebabcase pascalcase"
)
"""Who uses one of these uses no other of its kind."""

ONE_OF_A_KIND = SINGLE_CHOICES - _words("single double") | _words(
    "postgresql mysql mariadb sqlite oracle mongodb cockroachdb mit apache gpl lgpl bsd mpl kafka rabbitmq nats sqs "
    "github gitlab bitbucket gitea docker podman"
)
"""Of which a project mostly has one: two of a kind in one sentence are asked about, whatever else is said of them."""

CHOOSING = _words(
    "use is run licensed under written stored hosted host live store verwendet verwenden nutzt nutzen lauft laufen "
    "unter utilise utilisons utilisent tourne tournent sous"
)
"""What precedes them directly."""

UNITS = _words(
    "ms millisecond milliseconds second seconds minute minutes hour hours day days week weeks month months year years "
    "kb mb gb tb percent characters sekunden minuten stunden tage wochen monate jours heures"
)

USING = _words("use choose adopt take")
SUBJECTS_OF_ALL = _words("user project team benutzer projet projekt utilisateur app code")
"""Of whom many things can be said at once."""

CHANGING = _words(
    "raised raise increased increase lowered lower reduced reduce decreased decrease changed change bumped bump "
    "upgraded upgrade downgraded downgrade extended extend shortened shorten doubled halved grew grown set moved"
)
"""What says that an amount is another one than before."""

ARRIVING = _words("moved migrated switched upgraded updated went move we lts is")
"""What says that another version is the one in use now, and no more."""

MONTHS = _words(
    "january february march april june july august september october november december "
    "januar februar marz mai juni juli oktober dezember"
)
LIMITING = _words("limit limited stay stays under below cap capped")
"""How an amount is said to be the most there may be."""

SINCE_WHEN = _words("since seit depuis")

ONLY_NOW = _words("now only since jetzt nun nur seit maintenant desormais seulement depuis")
"""What says that it was otherwise before, or that there is nothing else."""

TAKING_OVER = _words("took taken take takes inherited hat habe ubernommen ubernimmt geerbt repris reprend herite")
"""Who took over one thing, and who another, have that word alone in common."""

LEADING_TO = _words("through within inside under using used use uses for")
"""What stands before a thing that was left, and is no part of its name."""

WHICH_OF_TWO = _words(
    "staging production public private internal external open closed first last dark light active inactive online "
    "offline signed unsigned encrypted unencrypted synchronous asynchronous manual automatic stable unstable "
    "morning afternoon evening red green blue yellow monday tuesday wednesday thursday friday saturday sunday"
)
"""What tells of two things which one is meant, where a sentence begins with it."""

WANTED = _words("default preferred prefer prefers favorite favourite required mandatory enabled used only truth")
"""What is said of one of two and not of the other: which is wanted, or in use."""

HAVING = _words("handled managed done made run owned maintained operated hosted led provided performed")
"""What tells by whom something is had, and not what is done to it."""

OPPOSITES = (
    ("enabled", "disabled"), ("enable", "disable"), ("allowed", "forbidden"), ("public", "private"),
    ("synchronous", "asynchronous"), ("sync", "async"), ("true", "false"), ("required", "optional"),
    ("mandatory", "optional"), ("include", "exclude"), ("accept", "reject"), ("before", "after"), ("open", "closed"),
    ("short", "long"), ("manual", "automatic"), ("manually", "automatically"), ("first", "last"), ("utc", "local"),
    ("single", "double"), ("dark", "light"), ("tabs", "spaces"), ("merge", "rebase"), ("stateless", "stateful"),
    ("mutable", "immutable"), ("ascending", "descending"), ("encrypted", "unencrypted"), ("online", "offline"),
    ("signed", "unsigned"), ("formal", "informal"), ("du", "sie"), ("online", "offline"), ("on-site", "remote"),
    ("start", "stop"), ("minimum", "maximum"), ("internal", "external"), ("verbose", "terse"),
    ("supported", "unsupported"), ("stable", "unstable"), ("active", "inactive"), ("monolith", "microservices"),
)  # fmt: skip

FAMILIES = (
    "postgresql mysql mariadb sqlite oracle mongodb cockroachdb dynamodb cassandra",
    "npm yarn pnpm bun",
    "pip poetry pipenv conda uv",
    "python rust go java kotlin scala ruby php typescript javascript elixir haskell swift",
    "vim emacs vscode pycharm intellij sublime neovim",
    "english german french spanish italian portuguese chinese japanese englisch deutsch franzosisch anglais allemand",
    "monday tuesday wednesday thursday friday saturday sunday",
    "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "hourly daily weekly monthly quarterly yearly",
    "aws azure gcp hetzner digitalocean ovh scaleway",
    "github gitlab bitbucket gitea",
    "rest graphql grpc soap",
    "jest vitest mocha",
    "pytest unittest nose",
    "linux macos windows",
    "docker podman",
    "camelcase snakecase kebabcase pascalcase",
    "kafka rabbitmq nats sqs",
    "react vue angular svelte",
    "flask django fastapi litestar starlette",
    "mit apache gpl lgpl bsd mpl",
    "json yaml toml xml ini",
    "main master trunk develop",
    "redis memcached",
    "black ruff yapf",
    "webpack vite rollup esbuild parcel",
    "maven gradle bazel sbt",
    "jenkins circleci travis buildkite teamcity",
    "terraform pulumi opentofu",
    "playwright cypress selenium",
    "sqlalchemy peewee pony",
    "eslint biome",
    "quarkus micronaut",
    "vault doppler",
    "staging production",
    "morning afternoon evening",
    "red green blue yellow",
    "january february march april june july august september october november december",
)
"""Alternatives, of which one is chosen."""
