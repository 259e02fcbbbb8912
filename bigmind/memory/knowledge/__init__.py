"""Company knowledge (Tier G): what everybody knows, once it is approved."""
