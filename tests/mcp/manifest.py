"""What every tool must do, one id each. `test_manifest.py` holds this list against the catalogue and against the tests.

A test says what it shows with `@shows("tool.behaviour")`. A tool of memory.md that comes later stands in `GAPS` with
the number of its issue; when it appears in the catalogue, its entry must move up.
"""

from collections.abc import Callable
from typing import TypeVar

BEHAVIOURS = {
    "memory_start_session.opens": "opens a session and returns its id and what is known",
    "memory_start_session.closes_forgotten": "closes sessions that were open for more than 24 hours, and says how many",
    "memory_start_session.budget": "its whole text is at most 1,300 tokens whatever the store holds",
    "memory_start_session.names": "says to pass session_id where several conversations share a client",
    "memory_start_session.refuses": "names the field that is not right",
    "memory_end_session.closes": "closes the session of the connection and writes its line and its detail",
    "memory_end_session.corrects": "called again for a closed session, corrects its record",
    "memory_end_session.cuts": "cuts a headline, an outcome and topics that are too long, and says so",
    "memory_end_session.finds": "without an id, ends what is open on the connection, and overwrites nothing",
    "memory_end_session.refuses": "names the field that is not right",
    "memory_flag_important.keeps": "keeps the words exactly and numbers them within the session",
    "memory_flag_important.opens": "opens a session when none is open, and says so",
    "memory_flag_important.refuses": "names the field that is not right",
    "memory_append_chunk.keeps": "keeps one turn with its role, in the session that is named",
    "memory_append_chunk.refuses": "names the field that is not right",
    "memory_get_context.tells": "returns what is known without opening a session",
    "memory_get_context.budget": "at most 1,300 tokens whatever the store holds and however many sessions are asked",
    "memory_get_context.refuses": "names the field that is not right",
    "memory_get_session_detail.tells": "returns the summary, key facts, code references and number of moments",
    "memory_get_session_detail.prefix": "takes any unambiguous beginning of an id of eight or more characters",
    "memory_get_session_detail.refuses": "names the field that is not right, or says that there is none",
    "memory_search_chunks.finds": "returns ranked excerpts with the hit marked, and where they come from",
    "memory_search_chunks.any_text": "answers any string",
    "memory_search_chunks.parts": "finds identifiers by their parts",
    "memory_search_chunks.filters": "restricts by session, project and time",
    "memory_search_chunks.prefers": "of moments that match about as well, those of the current project come first",
    "memory_search_chunks.refuses": "names the field that is not right",
    "memory_semantic_search.finds": "finds what is remembered of every kind in other words, best first, and says why",
    "memory_semantic_search.at_once": "finds by its words what was kept a moment ago",
    "memory_semantic_search.words_only": "without meaning it goes by words, and says why",
    "memory_semantic_search.filters": "restricts by kinds, project and time",
    "memory_semantic_search.any_text": "answers any string",
    "memory_semantic_search.parts": "finds what stands inside words: parts of identifiers, hashes, versions",
    "memory_semantic_search.refuses": "names the field that is not right",
    "memory_list_sessions.lists": "lists sessions as a table, filtered by topic, project and time",
    "memory_list_sessions.pages": "cursors lead through everything exactly once",
    "memory_list_sessions.refuses": "names the field that is not right, also a cursor that is none",
    "memory_store_fact.stores": "stores a fact that is then recalled",
    "memory_store_fact.confirms": "stores the very same fact once, and confirms the first",
    "memory_store_fact.relates": "names facts that it repeats or contradicts, and what to call; the contradicted lose",
    "memory_store_fact.flags": "says that text which instructs its reader is kept out of the context, and until when",
    "memory_store_fact.refuses": "names the field that is not right",
    "memory_deprecate_fact.deprecates": "takes a fact out of every recall, and refuses to do it twice",
    "memory_deprecate_fact.replaces": "says which fact holds in its place",
    "memory_deprecate_fact.refuses": "names the field that is not right, or says that there is none",
    "memory_get_fact_history.tells": "tells what happened to a fact, also to one that no longer holds",
    "memory_get_fact_history.refuses": "names the field that is not right, or says that there is none",
    "memory_list_facts.lists": "lists active facts with their ids, filtered by category and project",
    "memory_list_facts.refuses": "names the field that is not right",
    "memory_update_profile.upserts": "writes what is given and leaves the rest",
    "memory_update_profile.refuses": "names the field that is not right",
    "memory_add_hypothesis.notes": "notes an open hypothesis that is then recalled",
    "memory_add_hypothesis.refuses": "names the field that is not right",
    "memory_resolve_hypothesis.resolves": "closes a hypothesis with what showed it, once",
    "memory_resolve_hypothesis.refuses": "names the field that is not right, or says that there is none",
    "memory_list_hypotheses.lists": "lists hypotheses of a status, or all",
    "memory_list_hypotheses.refuses": "names the field that is not right",
    "memory_get_stats.counts": "returns the size on disk and counts by tier",
    "memory_get_stats.refuses": "names a field that does not exist",
    "memory_health_check.finds": "names what is wrong, with ids, and the operation after which it is gone",
    "memory_health_check.refuses": "names the field that is not right",
    "memory_vacuum.dry_run": "says what would be pruned and removes nothing",
    "memory_vacuum.prunes": "prunes moments older than so many days; summaries stay, and the last word of who has none",
    "memory_vacuum.refuses": "names the field that is not right",
    "memory_get_instructions.guides": "returns the whole guide",
    "memory_get_instructions.refuses": "names a field that does not exist",
    "memory_get_profile_url.names": "names the local page",
    "memory_get_profile_url.refuses": "names a field that does not exist",
    "memory_open_profile.opens": "opens the page, or says how to where no browser is",
    "memory_open_profile.refuses": "names a field that does not exist",
    "memory_export.writes": "writes everything of the caller's into a new file and says where and how much",
    "memory_export.overwrites_nothing": "writes over nothing that exists",
    "memory_export.keeps_agents_in": "lets an agent write below the home and temporary folder only, nothing hidden",
    "memory_export.refuses": "names the field that is not right",
    "memory_import.merges": "brings in what is new or newer, says before what would change, and changes nothing twice",
    "memory_import.replaces": "puts what an export holds in the place of what the caller has",
    "memory_import.all_or_nothing": "names the record and the field that is not right, and changes nothing",
    "memory_import.keeps_agents_in": "lets an agent read .json and .db below the home and the temporary folder only",
    "memory_import.refuses": "names the field that is not right",
    "memory_promote_to_global.promotes": "stores an entry that everybody's context then begins with",
    "memory_promote_to_global.repeats": "names entries that say about the same, and stores no repetition",
    "memory_promote_to_global.waits": "in a team, and where it instructs its reader, the entry is pending",
    "memory_promote_to_global.refuses": "names the field that is not right, or says that there is no such session",
    "memory_list_global.lists": "lists approved entries, by category and status, the most important first",
    "memory_list_global.refuses": "names the field that is not right",
    "memory_search_global.finds": "finds approved entries by words and parts of identifiers",
    "memory_search_global.refuses": "names the field that is not right",
    "memory_approve_global.reviews": "approves and deprecates, and keeps what reviewers say",
    "memory_approve_global.permits": "is for curators and admins, and for nobody's own words in a team",
    "memory_approve_global.refuses": "names the field that is not right, or says that there is none",
}

GAPS: dict[str, int] = {}

BEYOND_THE_TABLE = {
    "memory_get_fact_history": "what replaced what, why, when and by which client must be readable",
    "memory_list_facts": "memory_deprecate_fact needs an id, and the context shows none",
}

Test = TypeVar("Test", bound=Callable[..., object])


def shows(*behaviours: str) -> Callable[[Test], Test]:
    """Say which behaviours the decorated test shows; `test_manifest.py` reads it from the source."""
    unknown = set(behaviours) - set(BEHAVIOURS)
    assert not unknown, f"not in tests/mcp/manifest.py: {sorted(unknown)}"
    return lambda test: test
