"""The stores without a database: gone with the process. For tests, demonstrations and one-off runs."""
