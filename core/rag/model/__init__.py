"""The steps of the graph by a chat model: each one call, each word of the model judged before it is used."""
