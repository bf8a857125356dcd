"""Every prompt, one file a step: what is said to a model, and why it says what it says.

Fixed text only in system messages; whatever people or documents wrote stands fenced in user messages.
"""
