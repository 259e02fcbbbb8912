"""Words that were typed wrongly."""
