"""The check of a run without the server, from files and git alone; and the hook and the workflow that call it."""
