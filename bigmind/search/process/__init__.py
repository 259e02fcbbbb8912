"""Search in the process that embeds: what is sent to it and comes back, and the process itself."""
