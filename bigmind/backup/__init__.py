"""Backups: consistent copies taken while in use, each verified by restoring it, and how one becomes the store again."""
