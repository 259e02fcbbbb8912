"""The processes: the server, and the command that starts everything."""
