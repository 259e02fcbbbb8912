"""The command line: a thin client of the running server, generated from the catalogue."""
