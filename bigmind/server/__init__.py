"""The running server as its owner sees it: where it is, how to get in, how to end it."""
