"""How far a memory has come."""
