"""The file of the first BigMind, read as records of today."""
