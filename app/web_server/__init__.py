"""The HTTP server: uvicorn with bounds of its own, on a thread of its own."""
