"""Tests of hybrid retrieval."""
