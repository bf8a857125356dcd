"""A Tavily of our own on loopback: real HTTP, scripted answers and faults. Keeps what it was asked."""
