"""Numbers measured on real data: `make bench`."""
