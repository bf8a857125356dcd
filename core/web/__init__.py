"""What may come from the web, and as what: addresses, the list of domains, pages as passages. Knows no vendor."""
