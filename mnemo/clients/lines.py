"""How the lines of a settings file end."""


def line_end_of(text: str) -> str:
    """Return how the lines of a text end: as on Windows if one of them does, else with a line feed alone."""
    return "\r\n" if "\r\n" in text else "\n"
