"""Who works on what on this server, as far as each person lets it be told."""
