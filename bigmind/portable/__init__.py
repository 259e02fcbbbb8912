"""The whole memory as a file: export, import, and the files of the older BigMind."""
