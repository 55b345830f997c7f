"""The Chinese of the messages."""

MESSAGES: dict[str, str] = {}
