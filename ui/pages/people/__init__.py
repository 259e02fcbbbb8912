"""Pages about people: what was done for everybody, and who works on what."""
