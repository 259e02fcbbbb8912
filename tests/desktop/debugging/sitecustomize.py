"""Loaded by every Python of a tested desktop: opens the window's engine to the test, which the product never does."""

import os

if _port := os.environ.get("DEBUGGING_PORT_OF_THE_TEST"):
    os.environ["QTWEBENGINE_REMOTE_DEBUGGING"] = _port
