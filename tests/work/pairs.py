"""Items of eight projects, and what agents ask and contribute at work on them, paired rightly and wrongly.

Written before the rule of `bigmind/work/about.py` was, by its author. The projects HELD_OUT were not looked at until
the first version of it had been measured on them; then they were, so that today's numbers rest on all these pairs,
and `later_pairs.py` has those that are held out. A text stands with the item that its writer is at work on; `near` is
the item of the same project that a reader would soonest take it for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bigmind.work.about import Subject

HELD_OUT = frozenset({"skyhook-game", "handbook", "ticket-ml"})
AWAY = 7
"""Items further on is always another project: five items make one. Of six each, six."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item, the item that is nearest to it, and the texts that were honestly written for it."""

    slug: str
    title: str
    topic: str
    near: str
    description: str
    asks: tuple[str, ...]
    learned: tuple[str, ...]
    dna: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """A text and an item that it may be about; `is_question` says whether the item's DNA is left out."""

    item: Item
    text: str
    is_question: bool
    is_held_out: bool

    @property
    def subject(self) -> Subject:
        """The item as the rule reads it beside this text."""
        one = self.item
        return Subject(one.title, one.topic, one.description, "" if self.is_question else one.dna)


def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(" ".join(each.split()) for each in text.split("\n\n"))


def item(
    slug: str, title: str, topic: str, near: str, description: str, asks: str, learned: str, dna: str = ""
) -> Item:
    (whole,), (fields,) = _paragraphs(description), _paragraphs(dna)
    return Item(slug, title, topic, near, whole.strip(), _stripped(asks), _stripped(learned), fields.strip())


def _stripped(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in _paragraphs(text))


PAYMENTS = (
    item(
        "pay-refund-twice",
        "Refunds are paid out twice when a pod dies",
        "pay/refunds",
        near="pay-partial-refund",
        description="""
            On 14 November two customers got their money back twice. The worker called Stripe, was killed by the rollout
            before it wrote the result, and the next pod took the same row again. Write the intent to an outbox first,
            send it with an idempotency key that stands in the row, and mark it done afterwards. Acceptance: a kill -9
            at any point of the run leads to exactly one payout.
        """,
        dna="""
            {"branch": "fix/refund-outbox", "files": ["src/pay/refund_worker.py", "src/pay/outbox.py"], "pdsa_ref":
            "docs/pdsa/refund-outbox.md"}
        """,
        asks="""
            I'm about to work on refunds being paid out twice when a pod dies. What do we know about the outbox table
            and how the idempotency key is chosen?

            double payout after kill -9 of the worker - any earlier attempts? did we try advisory locks?

            Gibt es Erfahrungen damit, dass Stripe bei parallelen Anfragen mit demselben Idempotency-Key 409 antwortet?
        """,
        learned="""
            Stripe keeps an idempotency key for 24 hours only. A row that hangs in the outbox over a weekend is
            therefore sent as a new request on Monday; we now look up the charge's existing refunds before sending
            anything older than 20 hours.

            Tested with kill -9 at six points of RefundWorker.run(): the row must be committed as `sending` before the
            HTTP call, otherwise the next pod cannot know that something may already be under way. With that, 500 kills
            gave exactly 500 payouts.
        """,
    ),
    item(
        "pay-partial-refund",
        "Partial refunds with several tax rates",
        "pay/refunds",
        near="pay-refund-twice",
        description="""
            When a customer sends back one of three articles, the amount has to be split by the VAT of each line, and
            rounding must not lose a cent. Today the whole sum is booked at 19 %, which accounting corrects by hand
            every month. The credit note has to show each rate.
        """,
        asks="""
            How are cents rounded when a return has lines with 7 % and 19 % VAT? Is there a helper for splitting
            amounts?

            credit note layout: which fields does accounting need per rate?

            Task: split amounts when one of several articles comes back. I plan to touch credit_note.py and the DATEV
            export. Which decisions about VAT, shipping costs and discounts were taken earlier, and is there anything
            that went wrong in production that I should cover by tests?
        """,
        learned="""
            Largest remainder is the way to split: compute each line's share in cents rounded down, then give the
            missing cents to the lines with the largest rest. Rounding each line by itself lost one cent in 3 % of last
            year's returns.

            Decision 2026-10-02: shipping costs are given back proportionally to the returned lines and take the rate of
            the main article, because the tax adviser says that ancillary services share the fate of the main one.

            DATEV refuses a credit note whose lines mix 7 and 19 percent in one booking record, so the export writes one
            record per rate and repeats the document number.
        """,
    ),
    item(
        "pay-webhook-order",
        "Webhooks from Stripe arrive out of order",
        "pay/webhooks",
        near="pay-webhook-signature",
        description="""
            charge.refunded sometimes comes before charge.succeeded, and our handler then creates a payment in the wrong
            state. Keep the events, sort by created and by the object's own status, and fetch the object from the API
            when something is missing. No event may be lost when the handler fails.
        """,
        dna="""
            {"files": ["src/pay/webhooks/handler.py"], "event_types": ["charge.refunded", "charge.succeeded",
            "payment_intent.*"]}
        """,
        asks="""
            What happens in the handler when charge.refunded comes before charge.succeeded? Do we store events we can't
            apply yet?

            Is it ok to always refetch the payment intent from the API instead of trusting the event's payload? rate
            limits?

            Before I start: any notes on event ordering, retries by Stripe and how long they go on after we answer 500?
        """,
        learned="""
            Sorting by `created` is not enough: it has a resolution of one second and a fast checkout produces three
            events within the same one. What works is a rank per status, and never moving a payment to a lower rank.

            Events that cannot be applied yet are parked in pay_event_parking and tried again when anything of the same
            payment intent arrives; 99.8 % are resolved within 4 seconds, the rest after the nightly refetch.
        """,
    ),
    item(
        "pay-webhook-signature",
        "Rotate the webhook signing secret without downtime",
        "pay/webhooks",
        near="pay-webhook-order",
        description="""
            The secret has been the same since 2021 and stands in three places. Verify against two secrets for 24 hours,
            the old and the new, read them from Vault, and log which one matched. Afterwards the runbook is to be tried
            by someone who did not write it.
        """,
        asks="""
            Where is STRIPE_WEBHOOK_SECRET read today, and does anything cache it across requests?

            how do other services rotate keys from Vault w/o restart, is there a reload hook
        """,
        learned="""
            stripe.Webhook.construct_event takes one secret only. We loop over both and swallow
            SignatureVerificationError of the first; the tolerance of 300 s has to be checked only once or a replayed
            old body passes.

            The rotation was done on 2026-11-03: old and new secret were both valid from 10:00 to 10:00 the next day, 41
            requests still matched the old one, the last at 10:07. Nothing was rejected.

            Beim Wechsel fiel auf, dass das Staging-System noch ein drittes Geheimnis aus einer .env-Datei liest, weil
            das Helm-Chart den Vault-Pfad nur in Produktion setzt.
        """,
    ),
    item(
        "pay-sepa-returns",
        "Handle returned SEPA direct debits",
        "pay/sepa",
        near="pay-refund-twice",
        description="""
            Banks send a pain/camt file with reason codes when a debit bounces. AM04 (no funds) may be tried once more
            after five days, MD06 (customer objected) never. Bank fees go to the customer's account, and after the
            second bounce the subscription is paused and support is told.
        """,
        dna="""
            {"files": ["src/pay/sepa/returns.py"], "reason_codes": {"AM04": "retry", "MD06": "stop", "AC04": "stop"}}
        """,
        asks="""
            Which camt version does our bank deliver and where do the R-transaction reason codes get parsed?

            A debit bounced with AC04, what should happen to the subscription? Who decides on another attempt?
        """,
        learned="""
            camt.054 of Commerzbank puts the original end-to-end id into AddtlTxInf when the batch was booked as one
            sum. The parser has to look there too, otherwise about 12 % of bounces cannot be assigned to a customer.

            The second collection after AM04 works best on the 3rd of a month: 61 % went through, against 34 % after
            exactly five days, because salaries arrive between the 28th and the 2nd.

            Kunden mit Widerspruch (MD06) dürfen nie automatisch erneut belastet werden; der Support bekommt stattdessen
            ein Ticket mit der Mandatsreferenz, weil die Bank sonst ab drei Fällen im Monat 25 Euro je Vorgang nimmt.
        """,
    ),
)

COURIER_APP = (
    item(
        "app-offline-queue",
        "Offline queue loses photos when the app is killed",
        "app/offline",
        near="app-offline-conflicts",
        description="""
            Drivers photograph each delivery. Without a network the pictures wait in memory, and when Android kills the
            process they are gone. Write them to disk first, upload by WorkManager with backoff, delete after the server
            has acknowledged the hash. Must survive a reboot.
        """,
        dna="""
            {"files": ["android/upload/PhotoQueue.kt", "android/upload/UploadWorker.kt"], "branch":
            "feature/photo-queue"}
        """,
        asks="""
            PhotoQueue.kt keeps bitmaps in a list - is there any reason they weren't written to disk? storage quota?

            What do we know about WorkManager constraints and backoff for uploads, and does it really survive a reboot
            on Samsung devices?

            Drivers say that delivery pictures are missing after their phone rebooted. Has anyone looked into this
            before?
        """,
        learned="""
            On Xiaomi with MIUI 14 WorkManager jobs are not restarted after a reboot unless the user allows autostart.
            We enqueue again in Application.onCreate, which costs 8 ms, and all 40 test pictures arrived.

            JPEGs go to filesDir, not cacheDir: the system empties the cache at low storage, and this is just when a
            driver has taken many pictures.

            Uploads are acknowledged by SHA-256 of the file as it lies on the disk. Hashing the bitmap does not work
            because re-encoding changes it.
        """,
    ),
    item(
        "app-offline-conflicts",
        "Resolve conflicts after a long offline phase",
        "app/offline",
        near="app-offline-queue",
        description="""
            A tour can be changed by the dispatcher while the driver has no network. Today the last writer wins and
            stops vanish. Each field needs a version, the server merges by field, and what cannot be merged is shown to
            the dispatcher. Stops already delivered always win.
        """,
        asks="""
            how does the server merge a tour that both dispatcher and driver edited? version per field or per stop?

            Haben wir schon einmal CRDTs für die Tourdaten ausprobiert oder wurde das verworfen?
        """,
        learned="""
            A vector clock per stop was too much: 3 KB per tour for nothing. One integer version per field, raised by
            the server alone, decides all 214 recorded cases the way the dispatchers wanted.

            What the driver has marked as delivered is never taken back by the merge, even if the dispatcher moved the
            stop to another tour in the meantime; both then see a hint with the time of delivery.

            Stops vanished because the dispatcher's client sends the complete list and not the difference. The server
            now refuses a list whose base version is older than the last one it has acknowledged to that tour.
        """,
    ),
    item(
        "app-push-android",
        "Push notifications do not arrive on Android 14",
        "app/push",
        near="app-push-deeplink",
        description="""
            Since the target SDK was raised, about a third of the devices get no notifications. POST_NOTIFICATIONS has
            to be asked for at the right moment, and the channel must exist before the first message. Measure delivery
            by an acknowledgement from the device.
        """,
        asks="""
            Where do we ask for POST_NOTIFICATIONS, and what share of users denies it?

            FCM says delivered but nothing shows up on Pixel 8, channel missing?
        """,
        learned="""
            The permission dialog is shown after the first finished tour and no longer at the start: the share of
            drivers who allow it rose from 52 to 88 percent in two weeks.

            FCM data messages with normal priority are held back in doze for up to 40 minutes. Tour changes are
            therefore sent with high priority, and everything else stays normal since Google demotes apps that overdo
            it.

            Cause found: NotificationChannel "tours" was only created in MainActivity. After an update the first message
            arrives before anybody opens the app, so Android 14 drops it without a log line.

            Samsung's "deep sleeping apps" list silences us completely after 3 days without opening. Nothing can be done
            in code; the onboarding now shows where to take us off that list, and silent devices fell from 9 to 2
            percent.
        """,
    ),
    item(
        "app-push-deeplink",
        "Tapping a notification opens the wrong screen",
        "app/push",
        near="app-push-android",
        description="""
            When the app is already open, a tap on "tour changed" leads to the home screen, not to the tour. The intent
            is not delivered again because of singleTop, and iOS drops the path after a cold start. One router for both
            platforms, with a test for cold and warm start.
        """,
        dna="""
            {"files": ["shared/navigation/Router.kt", "ios/AppDelegate.swift"]}
        """,
        asks="""
            Does onNewIntent get called with launchMode singleTop here, and who reads the extras?

            cold start on iOS: the link's path is lost before SceneDelegate is ready, known issue?

            taps land on home instead of the tour when the app is already running
        """,
        learned="""
            iOS hands the URL to scene(_:willConnectTo:) in connectionOptions after a cold start, not to
            openURLContexts. The router keeps it until the first screen has appeared and then navigates.

            setIntent(intent) has to be called inside onNewIntent, or getIntent keeps returning the one the activity was
            launched with. That alone fixed 9 of 10 taps.
        """,
    ),
    item(
        "app-battery",
        "Background location drains the battery",
        "app/location",
        near="app-push-android",
        description="""
            Drivers complain that the phone is empty at noon. We ask for GPS every 5 seconds all day. Use geofences
            around the next stop, coarse positions in between, and the accelerometer to notice standing. Target: at most
            4 % an hour on a Pixel 6a.
        """,
        asks="""
            What accuracy does dispatch really need between two stops? can we go to 500 m

            Any measurements of how much GPS costs us per hour, e.g. from Battery Historian?

            Est-ce que les geofences se déclenchent assez vite en ville, ou faut-il garder le GPS à proximité de l'arrêt
            ?
        """,
        learned="""
            Geofences of less than 150 m fire up to three minutes late in cities. With 250 m around the next stop and
            GPS switched on inside it, arrival is noticed within 20 s.

            Measured with Battery Historian on a Pixel 6a: 11.2 % an hour with a fix every 5 s, 3.1 % with
            PRIORITY_BALANCED_POWER_ACCURACY and fixes only while the accelerometer says that we move.
        """,
    ),
)

VELA_COMPILER = (
    item(
        "vela-const-fold",
        "Constant folding must respect integer overflow",
        "compiler/optimizer",
        near="vela-dead-code",
        description="""
            The folder computes in i64 and truncates, so that `255u8 + 1` becomes 0 without the trap that the running
            program would have. Fold in the operand's own width, and leave the instruction as it is when it would trap.
            Division by zero and shifts wider than the type likewise.
        """,
        dna="""
            {"files": ["src/opt/fold.rs"], "tests": "tests/opt/fold_*.vela"}
        """,
        asks="""
            fold.rs: which width does the folder use for u8 + u8, and why i64 in the first place?

            What should happen with a shift by more bits than the type has, at compile time? trap or undefined?

            ¿Cómo tratamos la división por cero cuando ambos operandos son literales? ¿Se deja la instrucción?
        """,
        learned="""
            checked_add and its relatives on the operand's own Rust type are enough: None means that the instruction
            stays. The match over eight integer types is generated by a macro, 40 lines in all.

            i64::MIN / -1 is the case that everybody forgets: it traps at run time, so the pass leaves it alone. Found
            by the fuzzer after 11 minutes.
        """,
    ),
    item(
        "vela-dead-code",
        "Dead code elimination removes calls with side effects",
        "compiler/optimizer",
        near="vela-const-fold",
        description="""
            A call whose result is unused is removed even if the function writes to a file. Effects have to be inferred
            per function (pure, reads, writes, may not return), unknown externals count as writing. Loops without an
            exit may not be removed either.
        """,
        asks="""
            How do we know that a function is pure? is there an effect summary on the IR or only for builtins?

            log() calls vanish in release builds when the return value is ignored, where in the pass is that decided?
        """,
        learned="""
            Effects are inferred bottom-up over the strongly connected components of the call graph; inside a component
            everything starts as pure and is raised until nothing changes. Three rounds were the most we saw.

            extern functions are taken as writing unless they carry #[pure]. Without that default printf disappeared
            from 14 of the 60 samples.

            An infinite loop without side effects is kept now: the pass deleted `while true {}` in the idle task of the
            firmware example, which then ran into the data section.
        """,
    ),
    item(
        "vela-error-spans",
        "Error messages point at the wrong column after tabs",
        "compiler/diagnostics",
        near="vela-error-recovery",
        description="""
            The lexer counts bytes, the printer counts characters and the terminal shows a tab as up to eight cells, so
            the caret is off. Keep byte offsets in spans, turn them into columns at printing alone, expand tabs to four,
            and use the display width for CJK and emoji.
        """,
        dna="""
            {"files": ["src/diag/render.rs", "src/lex/span.rs"], "crate": "unicode-width"}
        """,
        asks="""
            Spans are byte offsets or chars? where's the caret line rendered

            Is unicode-width already a dependency, and how do we treat zero width joiners in emoji when drawing the
            underline?
        """,
        learned="""
            A span stays a pair of byte offsets everywhere; LineIndex turns it into line and column when render.rs
            prints. Keeping columns in the lexer made it 6 % slower and was wrong for the language server, which counts
            UTF-16 units.

            Carets under Chinese text need unicode_width::UnicodeWidthStr::width, and family emoji are counted as two
            cells whatever the crate says, because that is what kitty, iTerm and Windows Terminal draw.

            Tab stops: replacing each tab by four blanks in the shown line is simpler than computing stops, and the
            underline then always fits.
        """,
    ),
    item(
        "vela-error-recovery",
        "The parser recovers after a missing brace",
        "compiler/diagnostics",
        near="vela-error-spans",
        description="""
            One forgotten `}` yields 40 follow-up errors to the end of the file. Synchronise at keywords that begin an
            item and at a line that is indented less than the block, report the opening brace, and stop after ten
            errors. The AST gets an error node so that later passes go on.
        """,
        asks="""
            Where does parse_block synchronise today? I want to know if indentation was ever used as a hint

            how many follow up errors do we print for one forgotten }, is there a limit flag

            What do later passes do with error nodes in the AST, e.g. does the type checker skip them?
        """,
        learned="""
            Using indentation as a hint works: in 87 of 100 files with one brace taken out, the report names the right
            block. Keywords alone managed 31.

            Type checking treats an error node as a type that fits everything, so nothing is reported twice; codegen
            refuses to run if there is one.
        """,
    ),
    item(
        "vela-generics-cache",
        "Monomorphised generics are compiled again in each module",
        "compiler/codegen",
        near="vela-dead-code",
        description="""
            Vec<Int> is generated in 30 modules and thrown away by the linker 29 times, which is half of the build. Give
            instances a stable mangled name, put them into a shared cache keyed by the hash of the generic's body and
            its arguments, and emit each one once.
        """,
        asks="""
            Are mangled names stable between builds? I need a key for instances of Vec<Int> etc.

            Which part of the build time goes into generics? -Ztime or similar numbers?
        """,
        learned="""
            The key has to hold the hash of everything the body refers to, too: a changed inline function in another
            module otherwise leaves a stale instance in the cache. Cost us an afternoon.

            Build of the standard library went from 48 s to 27 s with the shared instance cache on 8 cores; incremental
            builds hardly gain (3.1 s to 2.9 s) because the linker dominates.

            Mangled names carry the hash of the argument types' full paths. With short names two crates that both had a
            `Point` shared one instance of Vec<Point>, and the second crate read fields at the wrong offset.
        """,
    ),
)

WAREHOUSE = (
    item(
        "etl-late-events",
        "Late events fall out of the daily partitions",
        "etl/events",
        near="etl-freshness-alert",
        description="""
            Phones send their events up to three days late. The daily job reads yesterday's partition by arrival and
            never looks at it again, so that 4 % are missing in the revenue report. Partition by event time, and process
            the last three days anew with a merge.
        """,
        dna="""
            {"dag": "events_daily", "models": ["stg_events", "fct_sessions"], "files": ["dags/events_daily.py"]}
        """,
        asks="""
            How late do events arrive, is there a histogram? deciding between 2 and 3 days of reprocessing

            Does stg_events use insert_overwrite or merge, and on which key? I have to reprocess older partitions

            revenue report is lower than the app store's numbers by ~4%, do we lose stuff that comes in after midnight?
        """,
        learned="""
            Lateness by percentile, October: 90 % within 2 minutes, 99 % within 9 hours, 99.7 % within 72 hours. Beyond
            that it is nearly always a wrong clock on the phone, and we clamp those to the time of arrival.

            merge with event_id as unique_key on three days costs 14 cents a run in BigQuery; insert_overwrite of the
            same days costs 9 and cannot produce duplicates, so we took that one.
        """,
    ),
    item(
        "etl-backfill",
        "Backfill orders of 2024 without blocking the daily run",
        "etl/orders",
        near="etl-late-events",
        description="""
            The new margin column has to be computed for all orders of 2024. A plain airflow backfill takes all slots
            for two days. Use a pool of its own with two slots, month by month, the newest first, to be stopped and
            resumed at any time; compare row counts with the source.
        """,
        asks="""
            airflow pools: how do I keep the nightly job from starving while 12 months are recomputed?

            Is there a runbook for recomputing a year of orders, incl. how to stop in the middle?
        """,
        learned="""
            Run it with `airflow dags backfill --pool recompute -s 2024-12-01`, newest month first, because finance
            looks at December only; two slots leave the nightly run untouched (it ended at 04:10 as always).

            Resuming works since each month writes a row to ops.recompute_log in the same transaction as the data. March
            was interrupted twice on purpose and its counts agree with the ERP.

            La columna de margen sale nula para los pedidos anteriores a mayo de 2024 porque el coste de compra no
            existía en el ERP; se rellena con la media del proveedor.
        """,
    ),
    item(
        "etl-schema-drift",
        "Loading breaks when the CRM adds a column",
        "etl/crm",
        near="etl-dedupe-customers",
        description="""
            Salesforce admins add fields without telling us, and the COPY fails at six in the morning. Compare the
            file's header with the table, add new nullable columns automatically as text, tell the channel, and
            quarantine files where a known column vanished or changed its type.
        """,
        dna="""
            {"files": ["loaders/salesforce.py", "loaders/schema_diff.py"], "channel": "#data-crm"}
        """,
        asks="""
            When COPY fails because of an unknown header, what does the loader do with the file? quarantine bucket?

            Was there a decision on whether new Salesforce fields should be added on their own, or only after review?

            loaders/schema_diff.py was started but never merged as far as I can see. Before I continue with it: why was
            it stopped, does the Salesforce API tell about new fields before the export arrives, and who must be told in
            #data-crm?
        """,
        learned="""
            New fields are added as nullable text and never typed by guessing: the first 1,000 rows of `Tax_Number__c`
            looked like integers and the 1,001st was "DE 129...".

            A column that is missing for one day is usually a permission taken from the integration user and not a
            deletion, so the file waits in quarantine for 24 hours before anybody is paged.
        """,
    ),
    item(
        "etl-dedupe-customers",
        "Customers appear twice after the CRM merge",
        "etl/crm",
        near="etl-schema-drift",
        description="""
            Since the two Salesforce orgs were put together, 18,000 people exist twice with different ids. Match by
            mail, phone in E.164 and name with postcode, keep a mapping table with the surviving id, and let all facts
            join through it. Every match can be undone.
        """,
        asks="""
            How do we match people across the two orgs - email only? what about shared mailboxes like info@

            surviving id: older record or the one with more orders? was that agreed with sales

            I need the false positive rate of matching by name + postcode, did anyone sample it
        """,
        learned="""
            Addresses such as info@ or buchhaltung@ belong to several people. With a list of 60 such local parts
            excluded, wrong matches in a sample of 400 fell from 31 to 2.

            map_customer holds old id, surviving id, rule and time. Undoing is a row with valid_to set, and the facts
            need no rebuild since they join through the view.
        """,
    ),
    item(
        "etl-freshness-alert",
        "Alert when a table is not fresh",
        "etl/monitoring",
        near="etl-late-events",
        description="""
            Nobody notices that a table stands still until a manager asks. Each model declares how old its newest row
            may be; a check every ten minutes compares max(loaded_at), alerts its owner once, and again only after
            recovery. Weekends and holidays are known.
        """,
        asks="""
            dbt source freshness vs own check: what speaks against using dbt's for this?

            Who gets paged if fct_orders stands still on a sunday, are holidays considered anywhere?
        """,
        learned="""
            dbt's own freshness test only knows sources, no models, and scans the whole table without a partition
            filter: 2.3 TB a day at a ten minute beat. Reading __TABLES__ metadata costs nothing and is precise to the
            minute.

            One alert per incident: state is kept in ops.freshness_state, and a second message comes only after the
            table has been fresh in between. Before, the channel got 144 a day and everybody had muted it.

            Holidays come from the python package `holidays` for DE-BY. On those days the limit of the ERP tables is
            doubled because nobody books, which removed all 14 false alarms of May.
        """,
    ),
)

PLATFORM = (
    item(
        "infra-cert-renewal",
        "Certificates expire because renewal fails silently",
        "infra/tls",
        near="infra-dns-cutover",
        description="""
            cert-manager could not solve the DNS challenge for six weeks and nobody saw it; the shop was down for two
            hours. Alert at 21 days before the end, export the expiry of what is really served, not of the secret, and
            give the issuer an API token with the right zone.
        """,
        dna="""
            {"files": ["k8s/cert-manager/issuer.yaml", "alerts/tls.yaml"], "incident": "INC-204"}
        """,
        asks="""
            INC-204: why did the ACME challenge fail, wrong zone on the token?

            Do we probe what the ingress actually serves, or just look at the secret's notAfter?

            cert-manager renewBefore default, and did somebody set an alert on it already
        """,
        learned="""
            blackbox_exporter's probe_ssl_earliest_cert_expiry sees what is served. The metric of cert-manager showed a
            new certificate while nginx still had the old one in memory for 9 days.

            Let's Encrypt answers 429 after five failed validations an hour per account and host, so the retries hid the
            first error: read the oldest Challenge object, not the newest.
        """,
    ),
    item(
        "infra-dns-cutover",
        "Move DNS from Route 53 to Cloudflare",
        "infra/dns",
        near="infra-cert-renewal",
        description="""
            Four zones, 312 records. Lower the TTLs a week before, copy by octodns, compare the answers of both for a
            day, then change the name servers at the registrar, DNSSEC off before and on after. Mail must not be lost:
            MX, SPF and DKIM are checked by hand.
        """,
        asks="""
            Which zones have DNSSEC on at the registrar right now? need the order of steps for switching nameservers

            octodns dump vs. terraform import for the 312 records, what did we go with last time?
        """,
        learned="""
            ALIAS records of Route 53 have no counterpart: 14 of the 312 had to become flattened CNAMEs, and octodns
            dropped them without a word. Compare counts per type after each sync.

            The DS record has to be gone for a full TTL of the parent (24 h for .de) before the name servers change; we
            waited 26 h and no resolver answered SERVFAIL.

            On garde les serveurs de Route 53 actifs encore deux semaines : 0,4 % des requêtes y arrivaient encore huit
            jours après le changement chez le registrar.
        """,
    ),
    item(
        "infra-node-upgrade",
        "Upgrade the Kubernetes nodes to 1.31 without dropping requests",
        "infra/kubernetes",
        near="infra-autoscale",
        description="""
            The last upgrade lost 1,200 requests, because pods were ended before the load balancer knew. preStop sleep,
            readiness off first, PodDisruptionBudgets for all, one node at a time with surge. Try it on staging under
            200 requests a second; not one may fail.
        """,
        dna="""
            {"files": ["k8s/base/deployment.yaml", "infra/eks.tf"], "load_test": "k6/drain.js"}
        """,
        asks="""
            What's the deregistration delay of the ALB and is there a preStop hook in the base deployment?

            Which workloads have no PodDisruptionBudget? last drain got stuck on something
        """,
        learned="""
            preStop with sleep 15 is needed because the ALB takes up to 12 s to stop sending after the pod leaves the
            endpoints. With it k6/drain.js at 200 rps had no failed request in three drains.

            A PDB with minAvailable 1 on a deployment with one replica blocks a drain for ever. Seven of our services
            are like that; they get two replicas for the time of the upgrade.

            1.31 removes the in-tree cloud provider, so that new machines stay with the taint
            node.cloudprovider.kubernetes.io/uninitialized until the external controller runs. Install it before the
            first one is replaced.
        """,
    ),
    item(
        "infra-autoscale",
        "Scale the API by queue length instead of CPU",
        "infra/kubernetes",
        near="infra-node-upgrade",
        description="""
            CPU says nothing while workers wait for the bank. KEDA by the age of the oldest message in SQS, 2 to 40
            replicas, up quickly and down slowly. The database has 200 connections: the sum of all pools may not exceed
            160.
        """,
        asks="""
            KEDA SQS scaler: can it use ApproximateAgeOfOldestMessage or just the length?

            how many db connections per replica, I have to cap the max replicas so that postgres survives

            Why did we not go by CPU? need the incident or the numbers for the write-up
        """,
        learned="""
            KEDA's SQS scaler knows the length only. The age comes by the CloudWatch scaler with a delay of about 60 s,
            so we take the length with a target of 20 per replica and use the age for alerts.

            40 replicas with a pool of 5 would be 200 connections and leave none for migrations; pgbouncer in
            transaction mode is in front now and holds 120 server connections at most.
        """,
    ),
    item(
        "infra-tf-state",
        "Split the Terraform state",
        "infra/terraform",
        near="infra-dns-cutover",
        description="""
            One state for everything: plan takes nine minutes, and a lock for a security group blocks the database team.
            One state each for network, data, clusters and DNS, moved by `moved` blocks or state mv, outputs through SSM
            parameters. A plan of each must be empty afterwards.
        """,
        asks="""
            Is there a list of which resources depend on each other across network and data? remote_state or SSM for
            outputs?

            plan takes 9min, where does the time go, refresh?
        """,
        learned="""
            terraform state mv between two backends needs pulled local copies; with `-state-out` it took 40 minutes for
            610 resources. After that all four plans were empty except two tags of default_tags.

            Reading outputs by terraform_remote_state would have needed read access to the whole other state, passwords
            included. SSM parameters can be granted by path, which is why we chose them.
        """,
    ),
)

SKYHOOK_GAME = (
    item(
        "game-jump-feel",
        "Jumps feel heavy: coyote time and jump buffer",
        "game/movement",
        near="game-wall-slide",
        description="""
            Testers miss jumps at ledges. Allow a jump for 100 ms after leaving the ground and remember a press for 120
            ms before landing; cut the upward speed when the button is let go; more gravity on the way down. All values
            in a resource that designers can change while the game runs.
        """,
        dna="""
            {"files": ["player/jump.gd", "player/movement_tuning.tres"]}
        """,
        asks="""
            what values did the designers like for coyote time & buffering input, any playtest notes?

            Is gravity applied in _physics_process with a different factor when falling? where are the tuning values

            Players press the button slightly too late at the edge of a platform and fall. What have we tried?
        """,
        learned="""
            100 ms of grace at ledges is right for 60 Hz; testers with controllers over Bluetooth needed 130 because
            their input comes 25 to 30 ms late. The value now depends on the device.

            Cutting the vertical speed to 40 % on release made short hops predictable, but only after it was limited to
            the rising phase: otherwise releasing while falling braked the fall.

            Doble salto accidental: si el buffer no se vacía al saltar, la misma pulsación dispara un segundo salto al
            aterrizar dentro de los 120 ms.
        """,
    ),
    item(
        "game-wall-slide",
        "Wall slide and wall jump",
        "game/movement",
        near="game-jump-feel",
        description="""
            The player slides down walls at a third of the speed when holding towards them, and jumps off at 60 degrees.
            For 150 ms after that, steering has no effect, so that one cannot climb a single wall. Ice and glass are not
            for holding on.
        """,
        asks="""
            How do I detect holding towards a wall, two raycasts or is_on_wall()?

            climbing a single wall by hammering the button should be impossible, is there some lockout timer already
        """,
        learned="""
            is_on_wall() flickers at tile seams. Two short raycasts at shoulder and knee height, both needed, ended the
            flicker; the slide starts only after three frames of contact.

            Locking the steering for 150 ms prevents climbing, yet felt dead. Blending it back in from 0 to 1 over 200
            ms keeps the same height gain and no tester complained.
        """,
    ),
    item(
        "game-netcode-rollback",
        "Rollback desyncs after packet loss",
        "game/netcode",
        near="game-save-corrupt",
        description="""
            With 5 % loss the two sides disagree after about a minute. Suspects: floats in the physics, random numbers
            that are not part of the state, and dictionaries iterated in different order. Hash the state each frame, log
            the first frame that differs and what in it.
        """,
        dna="""
            {"files": ["net/rollback.gd", "net/state_hash.gd"], "repro": "tools/loss_sim.py --loss 0.05"}
        """,
        asks="""
            Do we hash the game state per frame? I need the first frame where both clients differ

            is the RNG part of the saved state that we roll back to?

            Ist bekannt, ob die Physik von Godot deterministisch ist, oder rechnen wir schon mit Festkomma?
        """,
        learned="""
            The culprit was the particle system drawing from the same random generator as the game: whoever resimulated
            a frame drew more often. Two generators, and 30 minutes at 5 % loss stay in step.

            Comparing hashes of sub-parts (players, projectiles, world, rng) instead of one for everything shows at once
            who diverges; costs 0.2 ms per frame in debug builds.
        """,
    ),
    item(
        "game-lobby-matchmaking",
        "Matchmaking by region and skill",
        "game/online",
        near="game-netcode-rollback",
        description="""
            Players wait two minutes or meet somebody from another continent. Start with the same region and a rating
            within 100, widen by 50 every five seconds, another region after 30 s and only where the ping is below 120
            ms. Friends in a party stay together.
        """,
        asks="""
            How do we rate skill, Elo or Glicko? And do parties use the mean or the max of their members?

            widen rating window over time - what did the simulation with last month's queue show
        """,
        learned="""
            Glicko-2 with a deviation of 350 for newcomers settles after about 12 games; Elo took 30 and made the first
            evening miserable for beginners.

            For a party the highest rating counts, minus 10 % of the gap to the lowest. With the mean, strong players
            took a weak friend along to win easily; 7 % of the games were such.

            A ping limit of 120 ms across regions left Oceania without opponents at night. There it is 180 after 45
            seconds, which the players prefer to no game at all by 9 to 1 in the survey.
        """,
    ),
    item(
        "game-save-corrupt",
        "Save games are corrupt after a crash",
        "game/saves",
        near="game-netcode-rollback",
        description="""
            If the game dies while writing, the slot is empty and 20 hours are gone. Write to a temporary file, fsync,
            rename, keep the last three, with version and checksum at the head. On loading, take the newest that is
            sound and tell the player. Steam Cloud must not sync half a file.
        """,
        asks="""
            where do we write slot files on windows vs linux, does Godot's FileAccess fsync on close?

            how many old slots are kept and when does the cloud sync kick in, before or after rename?
        """,
        learned="""
            FileAccess.flush() is no fsync. On Windows after a power cut the renamed file had the right size and only
            zeros; the checksum in the header caught it and loading fell back to the slot before.

            Steam Auto-Cloud uploads when the process ends, so temp files must match none of its patterns. `*.tmp` is
            excluded in Steamworks now; before, half a file went to the other PC.
        """,
    ),
)

HANDBOOK = (
    item(
        "docs-search-index",
        "Search in the docs finds nothing for code identifiers",
        "docs/search",
        near="docs-versions",
        description="""
            Who looks for `max_retries` or `client.send()` gets no hit, as the index splits at underscores and drops
            short words. Add a field of exact identifiers with its own analyser, boost hits in headings, and measure
            with the 200 most frequent queries from the log.
        """,
        dna="""
            {"files": ["site/search/build_index.js"], "tool": "pagefind"}
        """,
        asks="""
            Which tokenizer does pagefind use and can I add a field that keeps snake_case whole?

            What are the top queries without a result in the search log?

            typing max_retries yields zero hits but it's on the config page, why
        """,
        learned="""
            Pagefind has no custom analyser. We write each identifier twice into a hidden element of the page, whole and
            split, with data-pagefind-weight=8; 171 of the 200 logged queries have their page among the first three now
            (before: 96).

            The log of queries must not be kept with IP addresses. The nightly job counts, throws away everything that
            was typed fewer than three times, and that file is what we measure with.
        """,
    ),
    item(
        "docs-versions",
        "A version switcher for the docs",
        "docs/site",
        near="docs-broken-links",
        description="""
            Readers land on pages of 2.x from Google and do not notice. Build main and the last three minor releases, a
            menu that stays on the same page where it exists, a banner on old ones, and canonical links to the newest.
            Old versions are not built again at each push.
        """,
        asks="""
            If the page doesn't exist in the chosen release, where does the menu lead? start page or nearest parent?

            How long does building all releases take and can we cache old ones in CI?
        """,
        learned="""
            mike keeps each release as a folder on gh-pages, so old ones are never built again. A push builds only main:
            50 s instead of 4 min.

            rel=canonical alone took five weeks until Google showed 3.x first. The banner helped at once: 38 % of the
            readers of a 2.x page clicked on it.

            Wenn eine Seite im gewählten Release fehlt, führt das Menü zur nächsthöheren vorhandenen Ebene und sagt das
            in einem Satz, denn die Startseite verwirrte alle fünf Testpersonen.
        """,
    ),
    item(
        "docs-broken-links",
        "Check links in CI",
        "docs/quality",
        near="docs-versions",
        description="""
            Every release somebody finds ten dead links. Internal ones including anchors fail the build, external ones
            are tried once a week with retries, and make an issue rather than a red build. Pages that were moved need a
            redirect, enforced by a list of all earlier addresses.
        """,
        asks="""
            lychee or own script? internal anchors (#foo) have to be validated too

            externe Links: wie oft versuchen wir es erneut, bevor ein Issue aufgemacht wird? manche Seiten antworten
            Bots mit 403
        """,
        learned="""
            lychee checks anchors with --include-fragments, but does not know ids that our theme makes by JavaScript;
            those 23 are excluded by a pattern and tested by the theme's own suite.

            GitHub, LinkedIn and npmjs answer bots with 403, 429 or 999. They count as alive unless it is a 404 three
            weeks in a row. The weekly issue shrank from 70 lines to 4.

            For moved pages the file addresses.txt lists everything that was ever published; a build without page or
            redirect for one of the 1,140 lines fails, which caught 12 in the first month.
        """,
    ),
    item(
        "docs-api-reference",
        "API reference from docstrings",
        "docs/reference",
        near="docs-quickstart",
        description="""
            The reference is written by hand and wrong in 60 places. Generate it by griffe and mkdocstrings, types from
            annotations, one page per module, private names left out, and fail the build for public functions without a
            docstring. Examples in docstrings run as doctests.
        """,
        dna="""
            {"files": ["docs/reference/gen_pages.py", "mkdocs.yml"]}
        """,
        asks="""
            griffe: how are re-exports in __init__.py shown, under the public or the private module?

            How many public functions have no docstring at the moment? would failing the build be realistic

            Do doctests need network or fixtures? I'd like to run the examples in CI
        """,
        learned="""
            Re-exported names appear twice with mkdocstrings unless __all__ is set in the package; with it, griffe shows
            them where users import them from and the private module disappears.

            212 public functions had no docstring. We fail only when the number rises (a ratchet in pyproject), because
            writing all at once would have taken two weeks; it is at 140 now.
        """,
    ),
    item(
        "docs-quickstart",
        "Rewrite the quickstart",
        "docs/tutorial",
        near="docs-api-reference",
        description="""
            New users give up at step three, where a server has to be configured before anything works. From installing
            to the first result in five minutes on a fresh machine, one path only, every command copied and run by a
            test on three operating systems.
        """,
        asks="""
            Where do people drop off in the current getting started guide, do we have numbers?

            first result within 5 min: can the client run against an in-memory backend w/o server?
        """,
        learned="""
            Five people were watched: four stopped at editing server.toml. With `demo://` as the address nothing has to
            be configured, and all of the next five saw their first result within 4 minutes.

            All shell blocks of the page are extracted and run on Ubuntu, macOS and Windows runners; PowerShell needs
            `py -m venv`, and that is the only place where tabs for the systems are shown.

            The word "broker" stood in the second sentence and three of five readers looked it up. It comes only on the
            second page now, and the first run needs pip and one file of six lines.
        """,
    ),
)

TICKET_ML = (
    item(
        "ml-class-imbalance",
        "Rare ticket classes are never predicted",
        "ml/training",
        near="ml-label-noise",
        description="""
            Five of the 32 classes make up 80 % of the tickets, and the model never predicts nine of them. Try weights
            by class, focal loss and oversampling with a cap; judge by macro F1 on a fixed split. The frequent classes
            may lose at most one point.
        """,
        dna="""
            {"files": ["train/loss.py", "train/sampler.py"], "metric": "macro_f1"}
        """,
        asks="""
            has focal loss been tried on the 32 classes, which gamma? looking for macro F1 numbers per class

            Which classes have fewer than 50 examples? merging them might be better than oversampling

            Does the sampler cap repetitions? scared of memorizing the same 20 tickets
        """,
        learned="""
            Effective-number weights (beta 0.999) beat focal loss: macro F1 0.61 against 0.57, baseline 0.44, while the
            five big ones lose 0.6 points. Both together are worse than either.

            Oversampling without a cap memorised the tail: train F1 0.99, test 0.12 for "customs". At most 8 repetitions
            per epoch is where test F1 still rises.
        """,
    ),
    item(
        "ml-label-noise",
        "Clean the labels of the ticket set",
        "ml/data",
        near="ml-class-imbalance",
        description="""
            A sample says that 11 % of the labels are wrong, mostly where agents picked the first entry of the menu.
            Find candidates with confident learning, let two people judge each without seeing the old label, keep both
            versions. The test set is cleaned first and entirely.
        """,
        asks="""
            cleanlab or simple loss ranking for finding suspicious labels? what precision did the review give

            Do the two annotators see the old label in the tool? agreement (kappa) so far?
        """,
        learned="""
            Of 1,500 candidates from cleanlab 71 % were really wrong, from ranking by loss 58 %. "Other" was wrong in 9
            of 10 cases, since it is the first entry of the menu.

            Kappa between the two reviewers was 0.62 at first because "billing" and "refund" overlapped; after a one
            page guide with eight examples it rose to 0.81, and 240 tickets were judged again.
        """,
    ),
    item(
        "ml-drift-monitor",
        "Notice drift of the inputs in production",
        "ml/serving",
        near="ml-training-repro",
        description="""
            After the new product came out, accuracy fell for three weeks before anyone saw it. Compare the embedding
            distribution of each day with the training set (MMD or PSI per class), alert at a level that gave no false
            alarm last year, and sample 50 tickets a week for a human check.
        """,
        asks="""
            PSI per predicted class vs MMD on embeddings, which one would have caught the June launch earlier?

            How do we pick the alert level so that last year's data gives no false alarm?

            quelle taille d'échantillon pour la relecture hebdomadaire ? 50 tickets suffisent-ils pour voir une chute de
            5 points ?
        """,
        learned="""
            Replayed on 2025: MMD on the mean-pooled embeddings rang 2 days after the launch, PSI of predicted classes
            after 11. At a level of 0.018 there was no alarm in the other 340 days.

            Fifty reviewed tickets a week show a fall of ten points within two weeks but not one of five; stratified by
            confidence, with half of them below 0.6, five points are seen in three.
        """,
    ),
    item(
        "ml-inference-latency",
        "The classifier answers within 50 ms",
        "ml/serving",
        near="ml-drift-monitor",
        description="""
            p95 is 240 ms on two cores, and the widget waits for it. Export to ONNX, int8 quantisation, cut inputs at
            256 tokens, batch within 5 ms. Macro F1 may fall by half a point at most. No GPU.
        """,
        dna="""
            {"files": ["serve/app.py", "serve/export_onnx.py"], "bench": "bench/latency.py"}
        """,
        asks="""
            Did anybody measure int8 dynamic vs static quantisation on our xlm-r, speed and F1?

            p95 is mostly tokenization or the forward pass? are we on the fast tokenizers
        """,
        learned="""
            Dynamic int8 by onnxruntime brought p95 from 240 to 88 ms, cutting at 256 tokens to 61, and
            intra_op_num_threads=2 with pinned cores to 47. F1 fell by 0.3 points.

            Batching within 5 ms hurt at our 6 requests a second: batches were nearly always of one, and everybody
            waited 5 ms more. It is off below 40 rps.

            Two thirds of the tickets have quoted mails below the text; removing them before tokenising halves the
            median length, and the class is never decided there.
        """,
    ),
    item(
        "ml-training-repro",
        "Training runs are not reproducible",
        "ml/training",
        near="ml-label-noise",
        description="""
            The same commit gives macro F1 between 0.58 and 0.63, so nobody knows whether a change helps. Seed
            everything, order of the data by hash, deterministic kernels, versions of data by DVC, five seeds per
            experiment with mean and deviation in the report.
        """,
        asks="""
            Which sources of randomness are left with torch.use_deterministic_algorithms(True)? dataloader workers?

            is the dataset pinned by DVC hash in each run's report, or just "latest"?

            same commit, different F1 every time - seeds, dataloader order or cuda kernels?
        """,
        learned="""
            With seeds, sorted files and CUBLAS_WORKSPACE_CONFIG=:4096:8 two runs are equal bit by bit on the same card,
            at 9 % more time. Between A10 and T4 they still differ in the fourth digit.

            Five seeds give a standard deviation of 0.011 of macro F1. Differences below 0.02 between experiments are
            noise, which takes back two "improvements" from September.
        """,
    ),
)

TALK = (
    ("pay-refund-twice", "please let me start the task"),
    ("pay-webhook-order", "working on the task now, everything is fine so far"),
    ("app-offline-queue", "What is known about this task?"),
    ("app-push-android", "I need to query the brain before I can begin. This is my query."),
    ("vela-const-fold", "Any relevant context, decisions or learnings for the work I am about to do?"),
    (
        "vela-error-spans",
        """Starting implementation. Looking for prior art, best practices and known issues in this codebase.""",
    ),
    ("etl-late-events", "how do we usually do things here?"),
    ("etl-schema-drift", "claiming the item, memory query as required by the process"),
    (
        "infra-cert-renewal",
        """Give me everything you know about this project, its architecture and its conventions.""",
    ),
    ("infra-node-upgrade", "test"),
    ("game-jump-feel", "hello, are there any thoughts for me?"),
    ("game-save-corrupt", "What should I know before I start working?"),
    ("docs-versions", "query for gate"),
    ("ml-drift-monitor", "Which lessons did other agents learn recently?"),
    ("ml-inference-latency", "let me in, the user is waiting and I have no time for this"),
    (
        "pay-sepa-returns",
        """The task was completed successfully. All tests pass and the code was reviewed carefully. No issues were
        found during the implementation.""",
    ),
    (
        "pay-partial-refund",
        """Implemented the feature as described in the ticket, added unit tests, updated the documentation and fixed
        the linter warnings. Ready for review.""",
    ),
    (
        "app-battery",
        """Learned that it is important to read the code first, then write a failing test, and only then change the
        implementation. This saved about 30 minutes.""",
    ),
    (
        "app-push-deeplink",
        """Summary: changed 4 files, 120 insertions, 32 deletions. CI is green on commit 3f9a1c2. Handing over to QA
        now.""",
    ),
    (
        "vela-dead-code",
        """The work went well because the requirements were clear. In the future we should keep functions small, name
        things well and avoid duplication.""",
    ),
    (
        "vela-generics-cache",
        """Refactored the module for readability, removed unused imports and renamed a few variables since the old
        names were confusing.""",
    ),
    (
        "etl-backfill",
        """Contributing this thought so that the gate passes. The work is done, see the merge request for
        the details.""",
    ),
    (
        "etl-freshness-alert",
        """Best practice: always handle errors, log with context and never swallow exceptions, otherwise debugging
        takes hours.""",
    ),
    (
        "infra-autoscale",
        """Outcome: the issue is fixed in production since 14:30, monitoring looks normal and the customer has been
        informed by support.""",
    ),
    (
        "infra-tf-state",
        """Spent 2 hours on analysis and 3 on implementation. The main difficulty was understanding the existing code.
        Next time ask earlier.""",
    ),
    (
        "game-netcode-rollback",
        """Fixed the bug. Root cause was a wrong assumption in the old code. Added a regression test, because the same
        could happen again.""",
    ),
    (
        "docs-search-index",
        """We decided to keep it simple and follow the existing patterns of the repository, as this reduces risk and
        makes review easier.""",
    ),
    (
        "docs-api-reference",
        """Updated dependencies to their newest versions and ran the full test suite, 1,204 passed, 3 skipped, no
        failures.""",
    ),
    (
        "ml-class-imbalance",
        """Everything from the acceptance criteria has been met. I verified the result manually and by automated tests
        on 2026-11-20.""",
    ),
    (
        "ml-label-noise",
        """Important learning: communicate early with stakeholders, document decisions, and review results with a
        second pair of eyes before release.""",
    ),
)
QUESTIONS_OF_TALK = 15
"""So many of these are questions; the rest was contributed."""

PROJECTS = {
    "payments": PAYMENTS,
    "courier-app": COURIER_APP,
    "vela-compiler": VELA_COMPILER,
    "warehouse": WAREHOUSE,
    "platform": PLATFORM,
    "skyhook-game": SKYHOOK_GAME,
    "handbook": HANDBOOK,
    "ticket-ml": TICKET_ML,
}
ITEMS = {each.slug: each for project in PROJECTS.values() for each in project}
_HELD_OUT = frozenset(each.slug for name in HELD_OUT for each in PROJECTS[name])


def honest(items: Sequence[Item]) -> Iterator[Pair]:
    for one in items:
        for text in (*one.asks, *one.learned):
            yield _pair(one, text, one)


def neighbours(items: Sequence[Item]) -> Iterator[Pair]:
    """Of each item two questions and a contribution, and of every fourth one contribution more, to its neighbour."""
    named = {each.slug: each for each in items}
    for number, one in enumerate(items):
        for text in (*one.asks[:2], *one.learned[: 2 if number % 4 == 0 else 1]):
            yield _pair(named[one.near], text, one)


def elsewhere(items: Sequence[Item], away: int = AWAY) -> Iterator[Pair]:
    """A contribution or a question of each item, in turn, to an item of another project."""
    for number, one in enumerate(items):
        text = (one.learned if number % 2 else one.asks)[-1]
        yield _pair(items[(number + away) % len(items)], text, one)


def talked_around(items: Sequence[Item], talk: Sequence[tuple[str, str]], questions: int) -> Iterator[Pair]:
    named = {each.slug: each for each in items}
    for number, (slug, text) in enumerate(talk):
        yield Pair(named[slug], " ".join(text.split()), number < questions, slug in _HELD_OUT)


def _pair(judged: Item, text: str, writer: Item) -> Pair:
    return Pair(judged, text, text in writer.asks, judged.slug in _HELD_OUT)


_ALL = tuple(ITEMS.values())
_SIDES = [[each for each in _ALL if (each.slug in _HELD_OUT) is is_held_out] for is_held_out in (False, True)]
HONEST = tuple(honest(_ALL))
NEIGHBOURS = tuple(neighbours(_ALL))
ELSEWHERE = tuple(each for side in _SIDES for each in elsewhere(side))
TALKED_AROUND = tuple(talked_around(_ALL, TALK, QUESTIONS_OF_TALK))
OTHER = NEIGHBOURS + ELSEWHERE + TALKED_AROUND
