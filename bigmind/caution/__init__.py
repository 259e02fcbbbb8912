"""Finds text that tries to instruct its reader. Pure."""
