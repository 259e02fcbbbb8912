"""The four tiers: identity, session index, session detail, flagged chunks; with facts and hypotheses."""
