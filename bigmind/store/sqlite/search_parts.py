"""What a search asks of SQLite. No mapper is loaded for it: the process that embeds searches, too."""

from bigmind.store.sqlite import fulltext, neighbours, statements, trigrams


class SqliteTextSearch:
    """As `bigmind.store.backend.TextSearch` has it: FTS5, an index of words and one of trigrams for each table."""

    search = staticmethod(fulltext.search)
    question_terms = staticmethod(fulltext.question_terms)
    term_counter = staticmethod(fulltext.term_counter)
    common_terms = staticmethod(fulltext.common_terms)
    newest_rows = staticmethod(fulltext.newest_rows)
    containing = staticmethod(trigrams.containing)
    unheard = staticmethod(trigrams.unheard)


class SqliteRowLookup:
    """As `bigmind.store.backend.RowLookup` has it: statements that the driver runs."""

    with_id = staticmethod(neighbours.with_id)
    findable = staticmethod(neighbours.findable)
    places = staticmethod(neighbours.places)
    places_of_moments = staticmethod(neighbours.places_of_moments)
    moment = staticmethod(statements.moment)
