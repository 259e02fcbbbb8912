"""What BigMind offers, declared once: the catalogue, its inputs, and the dispatcher that runs it."""
