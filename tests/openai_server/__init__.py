"""A scripted OpenAI-compatible server on the loopback: a real socket for the real client. No model is behind it."""
