"""Changes a part of a file that belongs to somebody else, and leaves every other byte as it was."""
