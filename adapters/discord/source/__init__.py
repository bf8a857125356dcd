"""Threads and forum posts of chosen Discord channels as documents: REST alone, by a client of its own."""
