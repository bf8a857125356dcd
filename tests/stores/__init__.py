"""The contract of the stores, over every implementation, and what only a database can get wrong."""
