"""`python -P -m app`: how the bridge and the command line start the server."""

from app.main import main

main()
