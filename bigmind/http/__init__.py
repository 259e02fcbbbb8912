"""The HTTP surface: the guard in front of everything, the JSON API, the probe."""
