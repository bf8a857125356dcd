"""The record in a relational database: SQLite by default, PostgreSQL at scale. Knows core's values and ports only."""
