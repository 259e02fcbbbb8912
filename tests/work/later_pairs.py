"""Twelve items more, of two other projects, written before anybody looked at what the rule got wrong in HELD_OUT.

Nothing of them was looked at while the rule was mended: their shares are those of texts that are new to it.
"""

from tests.work.pairs import elsewhere, honest, item, neighbours, talked_around

CLINIC_BOOKING = (
    item(
        "clinic-double-booking",
        "Two patients get the same slot",
        "booking/slots",
        near="clinic-waiting-list",
        description="""
            When two people click within a second, both see a confirmation and one of them is sent home. The check and
            the insert are two statements. Put an exclusion constraint on room, doctor and time range, answer 409 with
            three free alternatives, and keep the choice for five minutes while somebody fills in the form.
        """,
        dna="""
            {"files": ["app/booking/reserve.py"], "migration": "0142_slot_exclusion"}
        """,
        asks="""
            Is there already a GiST index on the appointments' tstzrange, or would 0142 be the first? any trouble with
            btree_gist on RDS?

            race when two ppl click at once -> did we ever try select for update on the doctor row
        """,
        learned="""
            Exclusion constraints treat ranges as half open by default, so 10:00-10:20 and 10:20-10:40 do not collide.
            One import wrote '[]' bounds and 214 neighbouring appointments were rejected until they had been rewritten.

            Holding a choice for five minutes by a row with expires_at needs the expiry outside of the constraint,
            because now() is not immutable. A job deletes what is over every 30 seconds.
        """,
    ),
    item(
        "clinic-waiting-list",
        "Fill cancelled appointments from the waiting list",
        "booking/slots",
        near="clinic-double-booking",
        description="""
            A third of cancelled appointments stays empty. Offer a freed time by SMS to the first three on the list who
            match doctor, insurance and distance; the first yes wins, the others are told kindly. No messages between
            20:00 and 8:00, and nobody gets more than two offers a week.
        """,
        asks="""
            How are patients on the list ordered - by date of entry or urgency? the ticket doesn't say

            which SMS gateway do we use and can it take replies like YES, or must it be a link?
        """,
        learned="""
            Offers to three people at once filled 71 % of the gaps within 40 minutes; asking one after the other with 15
            minutes each filled 44 %, mostly because people answer at lunch.

            Le texte du SMS ne doit contenir ni le nom du médecin ni la spécialité : la déléguée à la protection des
            données l'a interdit, parce que l'écran verrouillé affiche le message.
        """,
    ),
    item(
        "clinic-hl7-import",
        "HL7 messages with umlauts are imported as garbage",
        "booking/interfaces",
        near="clinic-double-booking",
        description="""
            The hospital system sends ISO-8859-1 and says UNICODE UTF-8 in MSH-18. "Müller" becomes "MÃ¼ller" and is
            then created a second time. Detect what was really sent, repair the 3,400 records, and answer with an AE
            when a message cannot be read rather than dropping it.
        """,
        dna="""
            {"files": ["interfaces/hl7/decode.py", "scripts/repair_names.py"]}
        """,
        asks="""
            MSH-18 lies about the charset, is there a safe way to detect latin1 vs utf8 per message?

            How do I find the patients that exist twice because of broken names, and who may merge them?
        """,
        learned="""
            Strict UTF-8 decoding first and ISO-8859-1 only when that fails is right for all 88,000 archived messages:
            no Latin-1 name with an umlaut happens to be valid UTF-8.

            A negative acknowledgement stops Orbis from sending anything else on that line until someone confirms it
            there, so AE must only be given for what will fail again. For a locked table we wait instead.
        """,
    ),
    item(
        "clinic-reminders",
        "Reminders reach patients at the wrong hour",
        "booking/messages",
        near="clinic-waiting-list",
        description="""
            Since the clocks changed, reminders for nine o'clock say eight. Times are stored as local time without a
            zone, and the worker runs in UTC. Store instants, keep the practice's zone beside them, render at sending,
            and test both nights of the change.
        """,
        asks="""
            are starts_at values naive local times in the DB? what about appointments booked before the DST change

            Which tz does the celery beat container run in, and did somebody already convert a table?
        """,
        learned="""
            An appointment booked in summer for a day in winter must keep its wall clock time, so we store date, local
            time and Europe/Berlin, and compute the instant when it is needed. Instants alone shifted 620 of them.

            02:30 does not exist on the last Sunday of March, and zoneinfo gives no error but the offset of before;
            fold=0 put a night shift's note an hour early. There is a test for 2026-03-29 now.
        """,
    ),
    item(
        "clinic-consent-form",
        "Sign consent forms on a tablet",
        "booking/forms",
        near="clinic-reminders",
        description="""
            Paper consents are scanned a week later, and one in twenty is lost. Show the form in the patient's language,
            take a signature by finger with time and version of the text, make a PDF/A, and put it into the record
            within a minute. Works for an hour without a network.
        """,
        asks="""
            Which PDF library gives valid PDF/A-2b with embedded fonts for Arabic? veraPDF complains

            what happens to a signature taken offline when the form's wording has changed in the meantime?

            Reicht eine Unterschrift mit dem Finger rechtlich aus, oder brauchen wir eine qualifizierte Signatur? Gab es
            dazu eine Antwort der Rechtsabteilung?
        """,
        learned="""
            WeasyPrint shapes Arabic correctly but writes no output intent; passing the file through Ghostscript with
            -dPDFA=2 and an sRGB profile satisfies veraPDF.

            The stroke's points with pressure and time are kept beside the picture, encrypted with the clinic's key: the
            lawyer wants them for disputes, and a PNG alone would be worthless there.
        """,
    ),
    item(
        "clinic-audit-log",
        "Show who looked at a record",
        "booking/privacy",
        near="clinic-consent-form",
        description="""
            Patients may ask who opened their file, and staff have been curious about neighbours. Log each view with
            user, reason and time, append only, and show it in the portal by role rather than by name. Opening a file
            without a current treatment asks for a reason and tells the privacy officer.
        """,
        dna="""
            {"files": ["app/privacy/access_log.py"], "table": "record_view"}
        """,
        asks="""
            Do we log reads anywhere today or just writes? volume per day?

            How do other clinics define "current treatment" for break-the-glass, 90 days?
        """,
        learned="""
            Around 400,000 views a day. Monthly partitions without an index on reason keep inserts under 1 ms; the
            portal's query needs only (patient_id, viewed_at).

            Staff typed "x" as the reason in 83 % of the cases. A list of six choices with one free field brought real
            answers, and curious openings fell from 40 to 6 a week.
        """,
    ),
)

HEATPUMP_FIRMWARE = (
    item(
        "fw-ota-brick",
        "Devices are bricked by an interrupted update",
        "firmware/update",
        near="fw-watchdog-reset",
        description="""
            31 units stayed dead after the power went while flashing. Use two banks, write the inactive one, check
            signature and hash, boot it on trial, and go back unless the application reports healthy within two minutes.
            The bootloader itself is never written over the air.
        """,
        dna="""
            {"files": ["boot/select_bank.c", "app/ota/writer.c"], "mcu": "STM32H743"}
        """,
        asks="""
            Does the H743 swap banks by option bytes or do we have to relocate the vector table ourselves?

            how big may the image be if we split flash in two, currently 790k
        """,
        learned="""
            Bank swapping by SWAP_BANK needs an option byte write, which takes 200 ms and is itself not safe against a
            power cut. We jump to the chosen address from a fixed loader and leave the option bytes alone.

            Healthy means: sensors answered, compressor state was read and the cloud acknowledged once. Waiting for the
            cloud rolled back 12 good devices behind a broken router, so after ten minutes without a network the first
            two are enough.
        """,
    ),
    item(
        "fw-watchdog-reset",
        "Watchdog resets about once a week in the field",
        "firmware/stability",
        near="fw-ota-brick",
        description="""
            Units restart without a trace. Keep the reason, program counter and stack of the task in backup RAM, send it
            after the restart, and let each task report to a supervisor that feeds the dog only when all have done so.
            Find the task that blocks.
        """,
        asks="""
            which task had the CPU when it bit? is backup SRAM retained on this board when VBAT isn't wired

            Any known places where we hold the I2C mutex for longer than a second?
        """,
        learned="""
            It was the I2C driver: a slave held SDA low after brownouts and the loop waited for ever. Nine clock pulses
            and a stop condition free the bus; after that no restart in 4 weeks on 200 units.

            El supervisor debe conocer el plazo de cada tarea: con un único plazo de 8 s la tarea de registro, que
            escribe en la tarjeta SD, provocaba reinicios falsos.
        """,
    ),
    item(
        "fw-modbus-timeout",
        "Modbus to the outdoor unit times out in winter",
        "firmware/bus",
        near="fw-watchdog-reset",
        description="""
            Below -10 °C every tenth telegram is lost, and the controller shows error 77 though the unit runs. The
            quartz of the outdoor board drifts, and the pause between frames becomes too short. Measure the gap, allow 5
            characters, try three times before telling the user, and count errors per day.
        """,
        dna="""
            {"files": ["drivers/modbus_rtu.c", "app/errors/e77.c"], "baud": 19200}
        """,
        asks="""
            What's the inter-frame gap we accept, still 3.5 chars? logic analyser traces from the cold chamber anywhere?

            users see E77 but unit keeps running, how many retries before we show it
        """,
        learned="""
            In the cold chamber at -20 °C the other side ran 2.1 % slow. At 19200 baud this shifts the stop bit's sample
            by a fifth, which the UART tolerates with 8x oversampling but not with 16x.

            Three attempts with 50, 100 and 200 ms hide all sporadic losses: one shown error in 90 unit-days instead of
            41. The daily counters still tell service which boards are bad.
        """,
    ),
    item(
        "fw-defrost-cycle",
        "Defrost only when there is ice",
        "firmware/control",
        near="fw-modbus-timeout",
        description="""
            The unit defrosts every 45 minutes in damp weather, ice or not, and living rooms get cold. Start from
            evaporator temperature against outside air and the fan's current, stop when the coil reaches 12 °C, at most
            eight minutes, and never during hot water heating. Saves some 6 % of energy a year.
        """,
        asks="""
            Is the fan current good enough as a sign of icing, do we have recordings with cameras?

            what coil temp do we stop at and why was 45min hard coded in the first place
        """,
        learned="""
            Fan current rises by 9 % when the coil is half blocked, but as much in strong wind. Only together with a
            spread of more than 7 K between air and evaporator was every one of 58 filmed icings recognised.

            Reversing the valve while the compressor runs above 40 Hz cracked two lines on the test bench; it is
            throttled to 30 Hz and waits 20 s before switching.
        """,
    ),
    item(
        "fw-tariff-schedule",
        "Heat water when electricity is cheap",
        "firmware/energy",
        near="fw-defrost-cycle",
        description="""
            With hourly tariffs the tank should be heated in the four cheapest hours before it is needed. Prices come at
            14:00 from the cloud, the plan is made on the device, a legionella run once a week stays, and comfort wins
            when the tank falls below 40 °C.
        """,
        asks="""
            when do tomorrow's prices arrive and what do we do on days they don't?

            How long does the tank take from 40 to 55 degrees, is there a model or just the table in the manual?
        """,
        learned="""
            The four cheapest hours are often not in a row, and starting the compressor four times costs more than it
            saves. Blocks of at least two hours save 11 % instead of 13 but halve the starts.

            Days of 23 and 25 hours broke the plan: the price list had 25 entries and the array 24. The index is the
            instant in UTC now, and not the hour of the day.
        """,
    ),
    item(
        "fw-pairing-app",
        "Pairing by Bluetooth fails with new iPhones",
        "firmware/connectivity",
        near="fw-tariff-schedule",
        description="""
            Since iOS 18 the phone asks for a passkey that the device cannot show. Use LE Secure Connections with the
            number from the label as passkey, allow pairing for three minutes after pressing the button, and tell over
            the LED what is going on. At most five bonds, the oldest goes.
        """,
        asks="""
            does our BLE stack (Zephyr?) support LESC with a fixed passkey, I read it was removed

            iOS shows a code prompt and then "connection unsuccessful", anybody got an HCI trace?
        """,
        learned="""
            CONFIG_BT_FIXED_PASSKEY has to be on, and the IO capability must be DisplayOnly: with NoInputNoOutput iOS 18
            falls back to Just Works and our server then refuses the link as unauthenticated.

            Bonds survive a factory reset of the phone only on its side: the old key stays with us and blocks the same
            address. We delete a bond when encryption with it has failed twice.
        """,
    ),
)

LATER_TALK = (
    ("clinic-double-booking", "Beginning work on this item. What do previous agents recommend?"),
    ("clinic-hl7-import", "ready to start, please confirm"),
    (
        "clinic-audit-log",
        """Is there anything important in memory that I should take into account for my assignment?""",
    ),
    ("fw-ota-brick", "query_brain because the gate needs it"),
    (
        "clinic-reminders",
        """The implementation follows the specification. Edge cases were considered, and all reviewers approved the
        change on the first round on 2026-11-12.""",
    ),
    (
        "fw-watchdog-reset",
        """Reproduced the problem locally, wrote a failing test, fixed it and verified that the test passes. Total
        effort was about half a day.""",
    ),
    (
        "fw-modbus-timeout",
        """Lesson: estimates were too optimistic because integration took longer than expected. Plan a buffer of 30 %
        next time.""",
    ),
    (
        "fw-tariff-schedule",
        """This contribution documents that the work package was finished in time and within budget, with no open
        points left for the next sprint.""",
    ),
)
QUESTIONS_OF_TALK = 4
"""So many of these are questions; the rest was contributed."""

PROJECTS = {"clinic-booking": CLINIC_BOOKING, "heatpump-firmware": HEATPUMP_FIRMWARE}
_ALL = CLINIC_BOOKING + HEATPUMP_FIRMWARE
HONEST = tuple(honest(_ALL))
OTHER = (*neighbours(_ALL), *elsewhere(_ALL, 6), *talked_around(_ALL, LATER_TALK, QUESTIONS_OF_TALK))
