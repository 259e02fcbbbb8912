"""Finding, proving and starting the server of this machine. Imports almost nothing: the bridge is made of it."""
