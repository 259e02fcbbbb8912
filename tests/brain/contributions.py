"""Contributions as engineers' assistants write them, with the flags that a careful reader would give each.

Written, and labelled, before the rules were. Sixty have no flag, many of them made to look as if they had one. Every
third is HELD_OUT: its verdicts are counted and were not looked at while the rules were made. A flag of time is
judged as of TODAY. Where an argument names an id, `{0}` stands for the id of the first of `before`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

TODAY = date(2026, 11, 24)


@dataclass(frozen=True, slots=True)
class Contribution:
    """The arguments of `contribute_to_brain`, the flags they should get, and what the same agent did before.

    `prompts`: what it asked, oldest first, and was not stored. `before`: the arguments of what was stored earlier.
    """

    arguments: dict[str, object]
    flags: frozenset[str]
    prompts: tuple[str, ...] = ()
    before: tuple[dict[str, object], ...] = ()


def with_ids(arguments: dict[str, object], ids: Sequence[str]) -> dict[str, object]:
    """Arguments with the ids of what was stored before it where they name them."""
    superseded = arguments.get("supersedes")
    if not isinstance(superseded, list):
        return arguments
    return {**arguments, "supersedes": [str(each).format(*ids) for each in superseded]}


def _thought(
    text: str, category: str = "", topic: str = "", source: tuple[str, ...] = (), **more: object
) -> dict[str, object]:
    """The arguments of one contribution; `source` is type, value and project."""
    arguments: dict[str, object] = {"prompt": " ".join(text.split()), **more}
    if category:
        arguments["category"] = category
    if topic:
        arguments["topic"] = topic
    if source:
        arguments["source_ref"] = dict(zip(("type", "value", "project"), source, strict=False))
    return arguments


def _correction(text: str, topic: str, corrected: str, correct: str) -> dict[str, object]:
    return _thought(text, "correction", topic, corrected_fact=corrected, correct_fact=correct)


def _good(
    arguments: dict[str, object], prompts: tuple[str, ...] = (), before: tuple[dict[str, object], ...] = ()
) -> Contribution:
    return _bad("", arguments, prompts, before)


def _bad(
    flags: str,
    arguments: dict[str, object],
    prompts: tuple[str, ...] = (),
    before: tuple[dict[str, object], ...] = (),
) -> Contribution:
    asked = tuple(" ".join(each.split()) for each in prompts)
    return Contribution(arguments, frozenset(flags.split()), asked, before)


DECISION, LEARNING, OUTCOME, SNAPSHOT = "decision_record", "operational_learning", "task_outcome", "state_snapshot"
SUMMARY = "domain_summary"

GOOD_DECISIONS = (
    _good(
        _thought(
            """Decision (2026-11-18, pay): refunds are written to the outbox table first and sent to Stripe by a
            worker. Why now: two customers were refunded twice on 14 November when a pod was killed in the middle
            of the request. Rather than idempotency keys alone, because the key was generated in the process that
            died. Leaving it as it is was no option for the auditors. Source: PAY-311.""",
            DECISION,
            "pay/refunds",
            ("task", "PAY-311", "pay"),
        )
    ),
    _good(
        _thought(
            """Postgres it is for the event store. The trigger was the licence change of the vendor we had in the
            pilot. Kafka with compaction was on the table as well and fell through: nobody here can run it at
            night, and we have four hundred events a minute, not four hundred thousand.""",
            DECISION,
            "platform/event-store",
            ("url", "https://wiki.example.net/adr/27", "platform"),
        )
    ),
    _good(
        _thought(
            """We settled on server-sent events for the live dashboard after support complained for a month that
            numbers lag behind. WebSockets lost since the corporate proxies of two customers cut them off after 60
            seconds.""",
            DECISION,
            "web/live-dashboard",
            ("task", "WEB-902", "web"),
        )
    ),
    _good(
        _thought(
            """The team will keep the monolith for at least a year. This came up when the mobile team asked for a
            separate session service.""",
            DECISION,
            "platform/architecture",
            ("file", "docs/adr/0031-keep-the-monolith.md", "shop"),
            alternatives_considered="""Splitting off sessions: would double the on-call load for five people, and the
            latency budget of 80 ms leaves no room for another hop.""",
        )
    ),
    _good(
        _thought(
            """From now on the firmware is signed in the HSM of the build room and not on the release manager's
            laptop. The penetration test in October found the key in a backup. We looked at a cloud KMS too; it
            was rejected because the build room has no network by design.""",
            DECISION,
            "firmware/signing",
            ("task", "SEC-58", "firmware"),
        )
    ),
    _good(
        _thought(
            """Wir bleiben bei REST für die Partnerschnittstelle. Anlass war die Anfrage von Bosch nach GraphQL.
            Dagegen sprach, dass sich die Abfragekosten dort nicht begrenzen lassen und unser Gateway nur pro
            Route drosselt.""",
            DECISION,
            "partner/api",
            ("task", "PART-140", "partner"),
        )
    ),
    _good(
        _thought(
            """Nous avons choisi MapLibre pour la carte des livraisons, suite à la hausse de prix de Google Maps en
            septembre. Leaflet a été écarté parce que les tuiles vectorielles y restent un greffon sans
            mainteneur.""",
            DECISION,
            "logistics/map",
            ("task", "LOG-77", "logistics"),
        )
    ),
    _good(
        _thought(
            """Dropping Electron for the kiosk app; the new shell is Tauri. What started it: the 2 GB terminals in
            the Lyon stores ran out of memory every other day. Alternatives: stay on Electron and restart nightly
            (hides the leak, and stores open at different times), a plain browser in kiosk mode (no access to the
            card reader).""",
            DECISION,
            "kiosk/shell",
            ("commit", "9f31c2a", "kiosk"),
        )
    ),
    _good(
        _thought(
            """Feature flags move from LaunchDarkly to a table of our own, as the invoice tripled with the move to
            per-seat pricing. We could have stayed and cut seats, but then product managers lose access, which is
            why we bought it in the first place. Unleash was tried for two weeks and dropped over its cache
            invalidation.""",
            DECISION,
            "platform/flags",
            ("task", "PLAT-415", "platform"),
        )
    ),
)

GOOD_LEARNINGS = (
    _good(
        _thought(
            """Stripe delivers the webhook before the browser comes back from 3-D Secure in about 3 % of payments. So
            the order page must read the state from the ledger and treat the redirect as a hint.""",
            LEARNING,
            "pay/webhooks",
        )
    ),
    _good(
        _thought(
            """Do not retry the upload inside the fetch interceptor, because the body stream has already been read by
            the first attempt and the second one sends an empty body.""",
            LEARNING,
            "web/uploads",
        )
    ),
    _good(
        _thought(
            """Why did the rollout hang for so long? The readiness probe waits for the cache to be warm, and the
            warm-up job only runs on pods that are ready. Break the circle by warming in an init container.""",
            LEARNING,
            "ops/rollouts",
        )
    ),
    _good(
        _thought(
            """`git bisect run` needs exit code 125 for a commit that cannot be built, otherwise half of the history
            is blamed for a broken lockfile.""",
            LEARNING,
            "dev/bisecting",
        )
    ),
    _good(
        _thought(
            """Terraform plans on the network stack take ten minutes because every subnet is read one by one; run
            them with -refresh=false while you only change tags.""",
            LEARNING,
            "ops/terraform",
            ("file", "infra/network/README.md", "infra"),
        )
    ),
    _good(
        _thought(
            """On Android 14 a foreground service without a declared type is killed as soon as the screen goes dark;
            users see that as a lost upload. Declare dataSync in the manifest.""",
            LEARNING,
            "mobile/uploads",
        )
    ),
    _good(
        _thought(
            """Der nächtliche Import sperrt die Tabelle, weil das Löschen der alten Zeilen in einer einzigen
            Transaktion läuft. In Häppchen löschen und dazwischen committen.""",
            LEARNING,
            "data/import",
        )
    ),
    _good(
        _thought(
            """Le cache de Symfony doit être vidé avant la migration, sinon les anciennes métadonnées de Doctrine
            recréent la colonne que l'on vient de supprimer.""",
            LEARNING,
            "shop/deploiement",
        )
    ),
    _good(
        _thought(
            """You can see whether a tenant is on the old scheduler by the prefix of its job ids: `q1-` is old, `q2-`
            is new. Support asks for that weekly.""",
            LEARNING,
            "ops/scheduler",
        )
    ),
    _good(
        _thought(
            """When the watchdog fires during a flash write the bootloader takes the image for corrupt and falls back
            to slot A. Feed the watchdog from the write loop, not from the idle task.""",
            LEARNING,
            "firmware/updates",
        ),
        prompts=("Why does the device fall back to the old firmware after an update over the air?",),
    ),
    _good(
        _thought(
            """Rate limiting in the gateway counts by the forwarded address, so all offices behind one proxy share a
            budget. Key the limiter on the API token for signed-in callers.""",
            LEARNING,
            "gateway/limits",
        ),
        prompts=("How does rate limiting in the gateway count callers behind one shared proxy?",),
    ),
    _good(
        _thought(
            """pandas reads the column `zip` of the customer export as a float unless dtype is given, which drops the
            leading zero of every address in Saxony.""",
            LEARNING,
            "data/exports",
        )
    ),
    _good(
        _thought(
            """The flaky checkout test was no race at all: the fake clock was never reset between cases, therefore
            coupons expired depending on the order of the run.""",
            LEARNING,
            "qa/flaky",
        )
    ),
    _good(
        _thought(
            "数据库迁移必须在维护窗口执行，因为添加索引会锁住 orders 表大约 4 分钟，"
            "期间所有下单请求都会超时。可以用 CREATE INDEX CONCURRENTLY 避免这个问题，"
            "但是它不能放在事务里面运行。",
            LEARNING,
            "db/migrations",
        )
    ),
)

GOOD_OUTCOMES = (
    _good(
        _thought(
            """Outcome (2026-11-20, DATA-77): the importer streams CSV files instead of loading them; memory stays at
            140 MB for a file of 2 GB, shown by bench/import_memory.py. Open: files with mixed encodings.""",
            OUTCOME,
            "data/import",
            ("task", "DATA-77", "data"),
        )
    ),
    _good(
        _thought(
            """The login form validates on the server only now. Evidence: the four end-to-end tests of test_login.py
            pass and the old client validator is gone from the bundle. Nothing is left open.""",
            OUTCOME,
            source=("task", "WEB-811", "web"),
        )
    ),
    _good(
        _thought(
            """Certificates of all internal hosts are renewed by cert-manager; we saw two full cycles in staging.
            Still to do: the printers on the shop floor, which speak TLS 1.0 only.""",
            OUTCOME,
            "ops/certificates",
            ("task", "OPS-233", "infra"),
        )
    ),
    _good(
        _thought(
            """Fixed: the barcode scanner no longer freezes after a hundred scans, since the camera frames are
            released in the analyser's finally block. Ran the loop test for an hour on a Zebra TC21.""",
            OUTCOME,
            "mobile/scanner",
            ("task", "MOB-1204", "mobile"),
        )
    ),
    _good(
        _thought(
            """Erledigt: Die Rechnungen werden als ZUGFeRD erzeugt, geprüft mit dem Validator von Mustang an allen
            212 Beispielen. Offen ist der Versand an die Behörden über Peppol.""",
            OUTCOME,
            "pay/rechnungen",
            ("task", "PAY-402", "pay"),
        )
    ),
    _good(
        _thought(
            """The SQL injection in the report filter is closed: the column name goes through an allow-list and the
            fuzzing run of yesterday night found nothing. A CVE was not requested because the page is internal.""",
            OUTCOME,
            "security/reports",
            ("task", "SEC-71", "reports"),
        )
    ),
)

GOOD_SNAPSHOTS = (
    _good(
        _thought(
            """pay/refunds, as of 2026-11-20: partial refunds are live for cards, vouchers follow. Decided: the
            outbox. In the way: legal has not signed off the new e-mail. Next: load test. Dates: freeze on 12
            December.""",
            SNAPSHOT,
            "pay/refunds",
            ("task", "PAY-311", "pay"),
            temporal_scope="2026-11-20",
        )
    ),
    _good(
        _thought(
            """Search migration as of 23 November: 14 of 19 tenants read from OpenSearch, the rest waits for the
            synonyms file from the Madrid team. Next: tenant 15 on Wednesday.""",
            SNAPSHOT,
            "search/migration",
            ("task", "SRCH-60", "search"),
            temporal_scope="2026-11-23",
            supersedes=["{0}"],
        ),
        before=(
            _thought(
                "Search migration as of 3 November: 2 of 19 tenants read from OpenSearch. In the way: no synonyms yet.",
                SNAPSHOT,
                "search/migration",
                ("task", "SRCH-60", "search"),
                temporal_scope="2026-11-03",
            ),
        ),
    ),
    _good(
        _thought(
            """Data platform, as of 2026-11-12: dbt runs hourly, the finance mart is two days behind as the SAP
            extract is broken. Decided: no backfill before month end. Next: call with the SAP people on Monday.""",
            SNAPSHOT,
            "data/platform",
            ("url", "https://status.example.net/data", "data"),
            temporal_scope="2026-11-12",
        )
    ),
    _good(
        _thought(
            """App iOS, état au 19 novembre : la version 5.2 est en revue chez Apple, le paiement par Apple Pay reste
            désactivé. Bloquant : le certificat marchand expire le 2 décembre.""",
            SNAPSHOT,
            "mobile/ios",
            ("task", "MOB-1300", "mobile"),
            temporal_scope="2026-11-19",
        )
    ),
    _good(
        _thought(
            """Board bring-up as of 2026-11-17: rev C boots from eMMC, the second CAN controller is dead. Decided:
            ship rev C to the lab anyway. In the way: the crystal is on back order until January.""",
            SNAPSHOT,
            "hardware/rev-c",
            ("file", "hw/bringup/log.md", "controller"),
            temporal_scope="2026-11-17",
        )
    ),
)

GOOD_CORRECTIONS_AND_SUMMARIES = (
    _good(
        _correction(
            "The session cookie lives 12 hours; the 24 in the handbook are those of the refresh token.",
            "auth/sessions",
            "The session cookie expires after 24 hours",
            "The session cookie expires after 12 hours",
        )
    ),
    _good(
        _correction(
            "It is Marta who owns the tax tables since the reorganisation in September, and Jonas reviews them.",
            "pay/tax",
            "Jonas owns the tax tables",
            "Marta owns the tax tables, Jonas reviews",
        )
    ),
    _good(
        _thought(
            """Observability in short: traces go to Tempo (7 days), logs to Loki (30 days), metrics to Mimir (13
            months). Every service takes its endpoint from OTEL_EXPORTER_OTLP_ENDPOINT. Dashboards live in git
            below ops/grafana and are never edited by hand. For the alert rules see the folder beside it; for who
            is woken see PagerDuty.""",
            SUMMARY,
            "observability/overview",
        )
    ),
    _good(
        _thought(
            """What there is to know about the warehouse scanners: they run Android 11, get their configuration from
            the MDM at boot, and queue scans in SQLite while offline. The queue is drained oldest first, 50 scans
            a request.""",
            SUMMARY,
            "warehouse/scanners",
        )
    ),
    _good(
        _thought(
            """Identity, put together from eleven notes: Keycloak issues tokens for people, SPIFFE for workloads.
            Groups come from Entra every 15 minutes. A person who leaves is locked out at once by the webhook and
            not by the sync; see realm-export.json for the mappers and identity/README.md for the exceptions that
            audit accepted.""",
            SUMMARY,
            "identity/overview",
        )
    ),
)

GOOD_NOTES = (
    _good(_thought("The staging cluster sleeps from 20:00 to 06:00 on working days, and all of the weekend.")),
    _good(
        _thought(
            """Long lists in the order screen stutter because each row measures itself again on scroll. Give the rows
            a fixed height or memoise the layout; to see the effect turn on the frame counter in the developer
            menu."""
        )
    ),
    _good(
        _thought(
            "We see connection resets only from the pods on the spot nodes, never from the reserved ones in eu-west-1."
        )
    ),
    _good(
        _thought(
            """Ask before you touch the nightly reconciliation: what looks like dead code in `settle_batches` is
            called by the bank's file name pattern through getattr."""
        )
    ),
    _good(_thought("Das Zertifikat für den Drucker in Halle 3 muss von Hand erneuert werden, jedes Jahr im März.")),
    _good(_thought("Les tests d'intégration partagent une base, donc il ne faut jamais les lancer en parallèle.")),
    _good(
        _thought("Never log the request body of the voucher endpoint, since the codes in it are as good as money."),
        prompts=("May I log the request body of the voucher endpoint in production?",),
    ),
    _good(
        _thought(
            """Which service owns the address book? Since the split it is crm-core; billing keeps a copy that is
            refreshed every night and must not be written to."""
        ),
        prompts=("Which service owns the address book of the customers?",),
    ),
    _good(_thought("nginx buffers the whole upload by default, which doubles the disk traffic of the video importer.")),
    _good(
        _thought(
            """A user story counts as accepted only when QA has run it on a real device; the emulator hides the
            keyboard overlap that customers complained about."""
        )
    ),
    _good(
        _thought(
            "Release notes are written by whoever merges last, and Priya translates them into Spanish and Portuguese."
        )
    ),
    _good(
        _thought(
            """The colour tokens of the design system are generated: change design/tokens.yaml and run make tokens;
            edits in the SCSS are lost with the next build."""
        )
    ),
    _good(
        _thought("Kein Deploy am Freitag nach 14 Uhr, sonst ist am Wochenende niemand da, der zurückrollen kann."),
        prompts=("Wann darf am Freitag noch ein Deploy gemacht werden?",),
    ),
    _good(
        _thought(
            "支付回调必须先写入数据库再返回成功，否则网关重试的时候会重复发货；仓库系统不会检查订单是否已经发出，财务只能在月底对账时发现这种重复。"
        )
    ),
    _good(
        _thought(
            "Deadlocks between the two stock jobs went away once both lock the rows in the order of their primary key."
        ),
        prompts=("How do we avoid deadlocks between the two stock jobs when both lock rows?",),
    ),
    _good(
        _thought(
            """The design review for the new onboarding is on Thursdays, and Ines brings the recordings of the
            interviews."""
        ),
        # Asked six questions ago, in nearly these words.
        prompts=(
            """The design review for the new onboarding, is it on Thursdays, and who brings the recordings of the
            interviews?""",
            "Where are the recordings kept?",
            "Who may book the usability lab?",
            "Is there a template for the interview guide?",
            "How many participants do we invite?",
            "Which tool transcribes the interviews?",
        ),
    ),
)

GOOD_BESIDE_OTHERS = (
    _good(
        _thought(
            """Redis evicts the session keys first when memory is short, because they are the only ones with a TTL.
            Put the rate counters into a database of their own.""",
            LEARNING,
            "platform/redis",
        ),
        before=(
            _thought(
                "Redis runs with maxmemory 4 GB and volatile-lru on both nodes; failover takes about 8 seconds.",
                LEARNING,
                "platform/redis",
            ),
        ),
    ),
    _good(
        _thought("Vouchers are refunded as vouchers and never as money, because the tax was paid when they were sold."),
        before=(
            _thought("Refunds above 500 euros need the approval of a second person in the back office."),
            _thought("A refund must reach the customer within 14 days of the return, says the law."),
        ),
    ),
    _good(
        _thought(
            "The Kotlin SDK retries idempotent calls three times with jitter; the Swift SDK does not retry at all."
        ),
        before=(_thought("The Kotlin SDK needs minSdk 26, the Swift SDK iOS 15."),),
    ),
    _good(
        _thought(
            "Sessions end 12 hours after sign-in, so the night shift has to sign in again around 6 in the morning."
        ),
        before=(
            _correction(
                "The handbook is wrong about the cookie: 24 hours are those of the refresh token.",
                "auth/sessions",
                "The session cookie expires after 24 hours",
                "The session cookie expires after 12 hours",
            ),
        ),
    ),
    _good(
        _thought("Ask Marta for changes to the tax tables; she releases them on the first working day of a month."),
        before=(
            _correction(
                "Jonas only reviews, the tables belong to somebody else since September.",
                "pay/tax",
                "Jonas owns the tax tables",
                "Marta owns the tax tables",
            ),
        ),
    ),
)

KEYWORD_ECHOES = (
    _bad(
        "keyword_echo naked_statement",
        _thought("Token refresh in the mobile app when the phone is offline: how token refresh works in the app."),
        prompts=("How does token refresh in the mobile app work when the phone is offline?",),
    ),
    _bad(
        "keyword_echo",
        _thought("The retry policy of the Kafka consumer for the orders topic is configured in the orders service."),
        prompts=("Where is the retry policy of the Kafka consumer for the orders topic configured?",),
    ),
    _bad(
        "keyword_echo",
        _thought(
            "Migrating the invoices table to partitions without downtime in PostgreSQL 16 is what we should look into.",
            LEARNING,
            "db/partitions",
        ),
        prompts=(
            "Who knows the naming rules for branches?",
            """What should we look into for migrating the invoices table to partitions in PostgreSQL 16 without
            downtime?""",
        ),
    ),
    _bad(
        "keyword_echo naked_statement",
        _thought("The end-to-end tests for the checkout page fail on the build server but not on the laptop."),
        prompts=("Why do the end-to-end tests for the checkout page fail on the build server and not on my laptop?",),
    ),
    _bad(
        "keyword_echo naked_statement",
        _thought("Die Rechnungen für Kunden in der Schweiz werden ohne Mehrwertsteuer erzeugt, das ist die Frage."),
        prompts=("Warum werden die Rechnungen für Kunden in der Schweiz ohne Mehrwertsteuer erzeugt?",),
    ),
    _bad(
        "keyword_echo",
        _thought("The alert HighErrorRate of the gateway fires every night between two and three during the backup."),
        prompts=(
            "Does anybody know why the alert HighErrorRate of the gateway fires every night between two and three?",
            "Is the backup running then?",
            "How long does the backup take?",
            "Which host runs it?",
            "Can it be moved?",
        ),
    ),
    _bad(
        "keyword_echo naked_statement",
        _thought("Looking for the owner of the address validation library and whether somebody still maintains it."),
        prompts=("Looking for the owner of the address validation library, does somebody still maintain it?",),
    ),
    _bad(
        "keyword_echo",
        _thought("Debugging the I2C bus of the sensor board with the logic analyser: debugging the sensor board bus."),
        prompts=("How do I go about debugging the I2C bus of the sensor board with the logic analyser?",),
    ),
    _bad(
        "keyword_echo naked_statement",
        _thought(
            "Comment invalider le cache des images après la publication d'un article, voilà ce qu'il faut savoir.",
        ),
        prompts=("Comment faut-il invalider le cache des images après la publication d'un article ?",),
    ),
)

ORPHANED_REFERENCES = (
    _bad(
        "orphaned_reference",
        _thought("See docs/runbooks/failover.md for how to switch the primary over to the other region."),
    ),
    _bad(
        "orphaned_reference naked_statement",
        _thought("For the details of the retry behaviour see the thread in the channel from the other day."),
    ),
    _bad(
        "orphaned_reference",
        _thought("How vouchers are taxed was clarified with finance, see PAY-219 and the comments below it."),
    ),
    _bad(
        "orphaned_reference",
        _thought("Das Vorgehen beim Wiederherstellen ist beschrieben, siehe Confluence-Seite Backup und Restore."),
    ),
    _bad(
        "orphaned_reference",
        _thought(
            "Release process: see https://wiki.example.net/release and follow it to the letter.",
            LEARNING,
            "ops/release",
        ),
    ),
    _bad(
        "orphaned_reference naked_statement",
        _thought("The error handling in the upload path is special (see the comment in the code there)."),
    ),
    _bad(
        "orphaned_reference",
        _thought("Please see Anna's pull request for the reasons why the scheduler was changed."),
    ),
    _bad(
        "orphaned_reference naked_statement",
        _thought("The approach was discussed at length and agreed by everybody; see the minutes of the meeting."),
    ),
    _bad(
        "orphaned_reference",
        _thought("Battery drain of the tracker: see measurement 14 in the lab book, and the plot next to it."),
    ),
)

NAKED_STATEMENTS = (
    _bad(
        "naked_statement",
        _thought("We should pay more attention to error handling and write better tests in the future."),
    ),
    _bad(
        "naked_statement",
        _thought("The new service is much faster and more reliable than the old one, everybody likes it."),
    ),
    _bad(
        "naked_statement",
        _thought(
            "Caching is important for performance and should be used wherever it makes sense.",
            LEARNING,
            "platform/cache",
        ),
    ),
    _bad(
        "naked_statement", _thought("The deployment went well and the customer is happy with the result of our work.")
    ),
    _bad(
        "naked_statement",
        _thought("Die Architektur sollte möglichst einfach gehalten werden und gut verständlich sein."),
    ),
    _bad("naked_statement", _thought("Il faut toujours bien tester le code avant de le mettre en production.")),
    _bad(
        "naked_statement",
        _thought("It is best practice to validate all inputs and to handle errors gracefully on every layer."),
    ),
    _bad(
        "naked_statement",
        _thought(
            "Some of the queries are slow and somebody ought to have a look at them when there is time.",
            LEARNING,
            "db/queries",
        ),
    ),
    _bad(
        "naked_statement", _thought("The team agreed that communication between design and development has to improve.")
    ),
)

MISSING_FIELDS = (
    _bad(
        "missing_fields",
        _thought(
            """Jest is replaced by Vitest in all packages since the ESM support of Jest kept breaking with each
            release. Mocha was out because snapshots are missing there.""",
            DECISION,
            source=("task", "WEB-930", "web"),
        ),
    ),
    _bad(
        "missing_fields",
        _thought(
            "We use MongoDB for the product catalogue. It was decided in the architecture board on 3 November.",
            DECISION,
            "catalogue/storage",
            ("url", "https://wiki.example.net/board/2026-11-03", "catalogue"),
        ),
    ),
    _bad(
        "missing_fields",
        _thought(
            """After the outage of 9 November we talked about moving DNS: Route 53, Cloudflare, or staying with the
            registrar, because its API is slow. No conclusion yet.""",
            DECISION,
            "ops/dns",
            ("task", "OPS-240", "infra"),
        ),
    ),
    _bad(
        "missing_fields",
        _thought(
            "OpenSSL 3.4 breaks the legacy provider on the payment terminals, so pin it to 3.3 in the base image.",
            LEARNING,
        ),
    ),
    _bad(
        "missing_fields",
        _thought(
            "Outcome: the thumbnails are generated by libvips now and take 40 ms instead of 900. Open: animated GIFs.",
            OUTCOME,
            "media/thumbnails",
            ("commit", "41be09d", "media"),
        ),
    ),
    _bad(
        "missing_fields",
        _thought(
            """Onboarding rework: the first three screens are done, the permission dialog waits for iOS 19. Next:
            copy review.""",
            SNAPSHOT,
            "mobile/onboarding",
            ("task", "MOB-1290", "mobile"),
        ),
    ),
    _bad(
        "missing_fields",
        _thought(
            "Tracking, as of 2026-11-21: consent banner live in 9 countries. In the way: Italy wants a second button.",
            SNAPSHOT,
            "web/consent",
            ("task", "WEB-940", "web"),
            temporal_scope="2026-11-21",
        ),
        before=(
            _thought(
                """Tracking, as of 2026-10-30: the banner is live in two countries, and legal reviews the text for
                the others.""",
                SNAPSHOT,
                "web/consent",
                ("task", "WEB-940", "web"),
                temporal_scope="2026-10-30",
            ),
        ),
    ),
    _bad(
        "missing_fields",
        _thought(
            "The port of the metrics endpoint is wrong in the handbook, it was changed with release 7.",
            "correction",
            "ops/metrics",
            corrected_fact="Metrics are served on port 9090",
        ),
    ),
    _bad(
        "missing_fields",
        _thought(
            """Wir nehmen ab jetzt Pulumi statt Terraform für neue Projekte, weil das Team TypeScript kann und HCL
            niemand lernen will.""",
            DECISION,
            "ops/iac",
        ),
    ),
)

NEAR_DUPLICATES = (
    _bad(
        "near_duplicate",
        _thought("The nightly backup of the orders database is started at 02:30 UTC and takes about 40 minutes."),
        before=(
            _thought("The nightly backup of the orders database starts at 02:30 UTC and takes around 40 minutes."),
        ),
    ),
    _bad(
        "near_duplicate",
        _thought(
            "Push notifications are dropped on Huawei phones because there are no Google services on them.",
            LEARNING,
            "mobile/push",
        ),
        before=(
            _thought(
                "On Huawei phones push notifications get dropped, because they have no Google services.",
                LEARNING,
                "mobile/push",
            ),
        ),
    ),
    _bad(
        "near_duplicate",
        _thought("The linter must run before the formatter, because the formatter undoes some of the linter's fixes."),
        before=(
            _thought(
                "The linter has to run before the formatter, because the formatter undoes some fixes of the linter."
            ),
            _thought("The formatter's line length is 100, as in the style guide of the company."),
        ),
    ),
    _bad(
        "near_duplicate missing_fields",
        _thought(
            "The GPU nodes are drained every Sunday at 3 for the driver update, so do not plan training runs then.",
            LEARNING,
        ),
        before=(
            _thought(
                "GPU nodes are drained each Sunday at 3 for driver updates, so plan no training runs then.",
                LEARNING,
                "ml/cluster",
            ),
        ),
    ),
    _bad(
        "near_duplicate",
        _thought(
            """CORS errors in the admin panel mean that the session has expired, because the proxy redirects to the
            login."""
        ),
        before=(
            _thought(
                "A CORS error in the admin panel means the session expired, since the proxy redirects to the login."
            ),
        ),
    ),
    _bad(
        "near_duplicate",
        _thought("The SPI clock of the display must stay below 20 MHz, otherwise the last line of pixels flickers."),
        before=(_thought("Keep the display's SPI clock below 20 MHz, otherwise the last line of pixels flickers."),),
    ),
    _bad(
        "near_duplicate orphaned_reference",
        _thought("For rotating the signing keys of the API see docs/security/rotation.md in the platform repository."),
        before=(
            _thought("See docs/security/rotation.md in the platform repository for rotating the API signing keys."),
        ),
    ),
    _bad(
        "near_duplicate",
        _thought("Customer e-mails are sent through Postmark, and only newsletters go through Mailchimp."),
        before=(_thought("E-mails to customers are sent through Postmark; only newsletters go through Mailchimp."),),
    ),
)

CONTRADICTIONS = (
    _bad(
        "contradicts_correction",
        _thought("By default the session cookie expires after 24 hours."),
        before=(
            _correction(
                "Half a day is right; the handbook mixes it up with the refresh token.",
                "auth/sessions",
                "The session cookie expires after 24 hours",
                "The session cookie expires after 12 hours",
            ),
        ),
    ),
    _bad(
        "contradicts_correction",
        _thought("The metrics of every service are served on port 9090.", LEARNING, "ops/metrics"),
        before=(
            _correction(
                "It was changed with release 7 when the sidecar took the old one.",
                "ops/metrics",
                "The metrics of a service are served on port 9090",
                "The metrics of a service are served on port 9464",
            ),
        ),
    ),
    _bad(
        "contradicts_correction",
        _thought("Jonas is the owner of the tax tables, he has to approve each change."),
        before=(
            _correction(
                "Since the reorganisation in September it is Marta.",
                "pay/tax",
                "Jonas owns the tax tables and approves changes",
                "Marta owns the tax tables and approves changes",
            ),
        ),
    ),
    _bad(
        "contradicts_correction",
        _thought("Deployments to production are forbidden on Thursdays, by the rule of the operations team."),
        before=(
            _correction(
                "The freeze was moved by one day when the weekend support ended.",
                "ops/deploys",
                "Deployments to production are forbidden on Thursdays",
                "Deployments to production are forbidden on Fridays",
            ),
        ),
    ),
    _bad(
        "contradicts_correction",
        _thought("Uploads in the mobile app are limited to 25 MB per file."),
        before=(
            _correction(
                "The gateway accepts more since the move to multipart in spring.",
                "mobile/uploads",
                "Uploads in the mobile app are limited to 25 MB",
                "Uploads in the mobile app are limited to 100 MB",
            ),
        ),
    ),
    _bad(
        "contradicts_correction missing_fields",
        _thought("By default the importer reads all CSV files as Latin-1.", LEARNING),
        before=(
            _correction(
                "The default was turned over when the new parser came.",
                "data/import",
                "The importer reads CSV files as Latin-1",
                "The importer reads CSV files as UTF-8",
            ),
        ),
    ),
    _bad(
        "contradicts_correction",
        _thought("The bootloader of the controller starts from slot A by default after an update."),
        before=(
            _correction(
                "It was the other way round before revision C of the board.",
                "firmware/updates",
                "The bootloader of the controller starts from slot A after an update",
                "The bootloader of the controller starts from slot B after an update",
            ),
        ),
    ),
    _bad(
        "contradicts_correction",
        _thought("Pull requests need two approvals before they are merged into main."),
        before=(
            _correction(
                "The rule was relaxed for all teams by the guild in June.",
                "dev/reviews",
                "Pull requests need two approvals before merging into main",
                "Pull requests need one approval before merging into main",
            ),
        ),
    ),
)

STALE_SNAPSHOTS = (
    _bad(
        "stale",
        _thought(
            """Checkout rewrite, as of 2026-01-02: the basket is served by the new stack, payment still by the old
            one. Decided: no big bang. In the way: the fraud check. Next: vouchers. Dates: done by Easter.""",
            SNAPSHOT,
            "shop/checkout",
            ("task", "SHOP-500", "shop"),
            temporal_scope="2026-01-02",
        ),
    ),
    _bad(
        "stale",
        _thought(
            "Kubernetes upgrade: 3 of 5 clusters are on 1.33, the two in Frankfurt wait for the storage driver.",
            SNAPSHOT,
            "ops/kubernetes",
            ("task", "OPS-180", "infra"),
            temporal_scope="2026-01-02",
        ),
    ),
    _bad(
        "stale",
        _thought(
            """Stand der Barrierefreiheit: 41 von 60 Seiten erfüllen WCAG 2.2 AA, die Formulare im Konto fehlen noch.
            Als Nächstes kommt der Kalender an die Reihe.""",
            SNAPSHOT,
            "web/barrierefreiheit",
            ("task", "WEB-702", "web"),
            temporal_scope="2026-01-02",
        ),
    ),
    _bad(
        "stale",
        _thought(
            """Model serving: the ranking model v8 takes half of the traffic, v7 the other half. Next: decide on 9
            January.""",
            SNAPSHOT,
            "ml/serving",
            ("url", "https://mlflow.example.net/models/ranking", "ml"),
            temporal_scope="2026-01-02",
        ),
    ),
    _bad(
        "stale orphaned_reference",
        _thought(
            "Threat model of the partner portal is under review by Deloitte, see the findings in SEC-40.",
            SNAPSHOT,
            "security/partner-portal",
            ("task", "SEC-40", "partner"),
            temporal_scope="2026-01-02",
        ),
    ),
    _bad(
        "stale naked_statement",
        _thought(
            "Everything is on track, most of the screens are done and the rest is in good hands for the release.",
            SNAPSHOT,
            "mobile/tablet",
            ("task", "MOB-1100", "mobile"),
            temporal_scope="2026-01-02",
        ),
    ),
    _bad(
        "stale",
        _thought(
            """Data retention as of 2026-01-02: logs older than 90 days are deleted in every region but Brazil.
            Decided: the same for traces. In the way: the archive job of the auditors reads the raw files.""",
            SNAPSHOT,
            "data/retention",
            ("file", "governance/retention.md", "data"),
            temporal_scope="2026-01-02",
        ),
    ),
    _bad(
        "stale",
        _thought(
            "LoRa gateway: rev B passed the EMC test in Munich, the enclosure leaks at the antenna. Next: new gasket.",
            SNAPSHOT,
            "hardware/lora-gateway",
            ("task", "HW-66", "gateway"),
            temporal_scope="2026-01-02",
        ),
    ),
)

GOOD = (
    *GOOD_DECISIONS,
    *GOOD_LEARNINGS,
    *GOOD_OUTCOMES,
    *GOOD_SNAPSHOTS,
    *GOOD_CORRECTIONS_AND_SUMMARIES,
    *GOOD_NOTES,
    *GOOD_BESIDE_OTHERS,
)
BAD = (
    *KEYWORD_ECHOES,
    *ORPHANED_REFERENCES,
    *NAKED_STATEMENTS,
    *MISSING_FIELDS,
    *NEAR_DUPLICATES,
    *CONTRADICTIONS,
    *STALE_SNAPSHOTS,
)
CONTRIBUTIONS = (*GOOD, *BAD)
HELD_OUT = CONTRIBUTIONS[2::3]
LOOKED_AT = tuple(each for number, each in enumerate(CONTRIBUTIONS) if number % 3 != 2)
