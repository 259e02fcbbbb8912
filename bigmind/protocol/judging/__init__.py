"""The verdict over a run, from files and git: the same for the server and for the check without it. No store."""
