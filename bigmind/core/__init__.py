"""What every part of BigMind shares. Imports only the standard library."""
