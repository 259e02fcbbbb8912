"""What SQLite does differently: the driver, the connection, the full-text index, its errors."""
