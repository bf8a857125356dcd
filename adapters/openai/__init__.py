"""Models behind any OpenAI-compatible API. Importing this loads no vendor: that happens when a model is opened."""
