"""What PyInstaller makes the programs of."""

from app.bundled import main

main()
