"""Slack as a source of documents, against the stand-in."""
