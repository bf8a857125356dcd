"""One file for each version of the tables; never edited once released."""
