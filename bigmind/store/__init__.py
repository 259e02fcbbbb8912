"""The store: one database, opened by one process. Rows are the truth; indexes are derived from them."""
