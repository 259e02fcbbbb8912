"""The files of other programs: where they are, what is ours in them, and how they are written."""
