"""Counts the recorded month anew, in plain loops over the raw rows: shares nothing with what it is compared to."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

REVIEWED = {"task": {"review", "approval"}, "bug": {"review"}, "solo": {"review"}, "node": {"review"}}


class RawCount:
    """The counts of a user, by day, agent, project and measure, as text."""

    def __init__(self, file: Path, user: int, first: str, last: str, now: str) -> None:
        self._file = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        self._file.row_factory = sqlite3.Row
        self._user, self._first, self._last, self._now = user, first, last, now
        self._aliases = {
            each["folded"]: each["project"] for each in self._all("project_alias") if each["user_id"] == user
        }
        self._items = {each["uid"]: each["project"] for each in (*self._all("work_item"), *self._all("protocol_run"))}
        self.counts: Counter[tuple[str, str, str, str]] = Counter()

    def count(self) -> Counter[tuple[str, str, str, str]]:
        """Count everything."""
        self._talks()
        self._brain()
        self._ledger()
        self._runs()
        self._served()
        self._server()
        self._tokens()
        self._file.close()
        return self.counts

    def _all(self, table: str, order: str = "rowid") -> list[sqlite3.Row]:
        return self._file.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall()

    def _mine(self, table: str) -> Iterator[sqlite3.Row]:
        for each in self._all(table):
            if each["user_id"] == self._user:
                yield each

    def _note(self, at: str, client: str, project: str | None, measure: str, number: int = 1) -> None:
        day = at[:10]
        if number and client != "browser" and self._first <= day <= self._last:
            name = self._aliases.get((project or "").casefold(), project or "")
            agent = "terminal" if client == "cli" else client
            self.counts[day, agent, name, measure] += number

    def _talks(self) -> None:
        kinds = {each["id"]: each["kind"] for each in self._all("token")}
        tied = {each["session_id"] for each in self._mine("conversation")}
        gone = [each for each in self._mine("usage_event") if each["kind"] == "conversation"]
        noted = {each["entity"] for each in gone}
        opened = {each["project"] for each in self._mine("workspace") if each["closed_at"] is None}
        in_runs = {each["memory_session"] for each in self._mine("protocol_run")}
        for each in self._mine("session"):
            kind = kinds.get(each["token_id"])
            if kind in {None, "cli", "ui"}:
                continue
            by_hook = each["connection"] == " hook" or (each["connection"] is None and kind == "bridge")
            at, client, project = each["started_at"], each["client"], each["project"]
            self._note(at, client, project, "sessions_by_hook" if by_hook else "sessions_by_model")
            if not by_hook and each["id"] not in tied and each["uid"] not in noted:
                self._note(at, client, project, "without_hook")
            connection = None if by_hook else each["connection"]
            if not self._was_asked(client, connection, at, each["ended_at"] or self._now):
                self._note(at, client, project, "without_question")
            if project in opened and each["uid"] not in in_runs:
                self._note(at, client, project, "without_run")
        lost = [(each["started_at"], each["seen_at"], each) for each in self._mine("conversation")]
        lost = [each for each in lost if each[2]["session_id"] is None and each[2]["noted_at"] is None]
        loose = [(*each[:2], each[2]["client"], each[2]["project"], each[2]["turns"]) for each in lost]
        loose += [
            (each["at"], each["at"], each["client"], each["project"], each["amount"])
            for each in gone
            if not each["entity"]
        ]
        for at, until, client, project, turns in loose:
            self._note(at, client, project, "never_started" if turns > 1 else "single_prompts")
            if not self._was_asked(client, None, at, until):
                self._note(at, client, project, "without_question")

    def _was_asked(self, client: str, connection: str | None, began: str, ended: str) -> bool:
        """Agents of one token are one client here."""
        for each in self._mine("brain_query"):
            if each["outcome"] == "stored" or each["client"].split("/")[0] != client.split("/", maxsplit=1)[0]:
                continue
            if connection and each["connection"]:
                if connection == each["connection"]:
                    return True
            elif began <= each["created_at"] <= ended:
                return True
        return False

    def _brain(self) -> None:
        for each in self._mine("brain_query"):
            measure = "contributions" if each["outcome"] == "stored" else "questions"
            self._note(each["created_at"], each["client"], each["project"], measure)

    def _ledger(self) -> None:
        refused: dict[str, set[str]] = {}
        for row in self._all("work_ledger", "number"):
            body = json.loads(row["body"])
            if body["user"] == self._user:
                self._row(row["at"], row["item_uid"], row["kind"], body, refused.setdefault(row["item_uid"], set()))

    def _row(self, at: str, item: str, kind: str, body: dict[str, Any], refused: set[str]) -> None:
        client, project = body["client"], self._items.get(item)

        def note(measure: str, number: int = 1) -> None:
            self._note(at, client, project, measure, number)

        if kind == "refused":
            refused |= {each["gate"] for each in body["gates"] if not each["passed"]}
            note("refusals")
        elif kind == "run_refused":
            refused |= set(body["gates"])
            note("refusals")
        elif kind in {"moved", "run_moved", "run_forced"}:
            before = set(refused)
            refused.clear()
            if body.get("actor") == "agent":
                self._move(kind, body, before, note)
        elif kind in {"confirmed", "judged"}:
            if kind == "confirmed" or body["in_person"]:
                place = {"window": "yes_in_window", "passphrase": "yes_by_passphrase"}[body["surface"]]
                self.counts[at[:10], "", project or "", place] += 1
            else:
                note("self_checked" if body["self_checked"] else "checked_by_other")

    def _move(self, kind: str, body: dict[str, Any], refused: set[str], note: Any) -> None:
        gates: list[Any] = body.get("gates", [])
        for each in gates:
            told: tuple[str, bool, dict[str, Any]]
            told = tuple(each) if kind != "moved" else (each["gate"], each["passed"], each["seen"])
            name, passed, seen = told
            if passed:
                note("gates_after_refusal" if name in refused else "gates_at_once")
                note("gate_questions", int("question" in seen))
                note("gate_contributions", int("thought" in seen))
            elif kind == "moved" and each["level"] == "MUST":
                note("gates_forced")
        if kind == "run_forced":
            note("gates_forced", len(body["violations"]))
        after = body["after"]
        if after.get("holder") and after["holder"] != body["holder"]:
            note("work_claimed")
        if kind == "moved" and body["from"] in REVIEWED[body["process"].split("@")[0]] and after["worked_by"]:
            is_own = after["worked_by"].split("/")[0] == body["client"].split("/")[0]
            note("self_reviewed" if is_own else "reviewed_by_other")

    def _runs(self) -> None:
        runs = {each["id"]: each for each in self._mine("protocol_run") if not each["is_imported"]}
        for each in runs.values():
            self._note(each["created_at"], each["client"], each["project"], "runs_started")
            if each["ended_at"]:
                self._note(each["ended_at"], each["client"], each["project"], f"runs_{each['outcome'].lower()}")
        for each in self._all("protocol_violation"):
            if run := runs.get(each["run_id"]):
                self._note(each["at"], run["client"], run["project"], "violations")
                if each["recovered_at"]:
                    self._note(each["recovered_at"], run["client"], run["project"], "violations_recovered")

    def _served(self) -> None:
        for each in self._file.execute("SELECT * FROM usage_day"):
            if each["user_id"] == self._user:
                for column, measure in (
                    ("calls", "calls"),
                    ("tokens", "tokens_served"),
                    ("sources", "tokens_of_sources"),
                    ("spared", "tokens_spared"),
                ):
                    self._note(each["day"], each["client"], each["project"], measure, each[column])

    def _server(self) -> None:
        was_running = False
        for each in sorted(self._all("usage_event"), key=lambda each: (each["at"], each["id"])):
            key = (each["at"][:10], "", "")
            if each["kind"] == "started":
                self.counts[*key, "server_kills"] += was_running
                was_running = True
            elif each["kind"] == "stopped":
                self.counts[*key, "server_stops"] += 1
                was_running = False
            elif each["kind"] == "paused":
                self.counts[*key, "pauses"] += 1
            elif each["kind"] == "hooks_altered" and each["user_id"] == self._user:
                self._note(each["at"], each["client"], each["project"], "hooks_altered")

    def _tokens(self) -> None:
        names = {each["uid"]: each["client"] for each in self._all("token")}
        for each in self._mine("change"):
            what = (each["kind"], each["action"], each["operation"], each["client"])
            if what in {
                ("token", "created", operation, "cli") for operation in ("token_create", "user_add", "user_token")
            }:
                self._note(each["at"], names[each["entity"]], None, "terminal_tokens")
