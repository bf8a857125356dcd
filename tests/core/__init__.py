"""The pure rules of core."""
