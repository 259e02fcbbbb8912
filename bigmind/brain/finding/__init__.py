"""Finding thoughts: search, the brain's own order, what rests on what, how well-travelled each is."""
