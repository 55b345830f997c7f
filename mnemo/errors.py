"""The errors that a caller of mnemo can meet; each message says what was wrong and what to do."""

from collections.abc import Iterable

SHOWN = 80  # characters of a refused value or unknown name that a message repeats


class MnemoError(Exception):
    """Base of all errors whose text is meant for the caller."""


class InvalidArgumentError(MnemoError):
    """An argument is missing, unknown, of the wrong type or out of range."""


class UnknownNameError(InvalidArgumentError):
    """A name stands for none of the things that there are."""

    def __init__(self, kind: str, name: str, choices: Iterable[str]) -> None:
        """Say of what kind the thing should be, repeat the name, and list the names that there are."""
        super().__init__(f"Unknown {kind}: {name[:SHOWN]}; use one of {', '.join(choices)}")


class FactNotFoundError(MnemoError):
    """No fact has the given id."""

    def __init__(self, fact_id: int) -> None:
        """Name the id that was not found."""
        super().__init__(f"fact_id {fact_id} not found; use action=search or action=list to see the ids that exist")
        self.fact_id = fact_id


class DuplicateContentError(MnemoError):
    """Another fact already has exactly this content."""

    def __init__(self, fact_id: int) -> None:
        """Name the fact that has the content."""
        super().__init__(
            f"fact {fact_id} already has exactly this content; update or remove that one, or change the text"
        )
        self.fact_id = fact_id


class MemoryFileError(MnemoError):
    """The memory file cannot be used as it is; it is left untouched."""


class DamagedFileError(MemoryFileError):
    """The file is damaged, or no SQLite database at all."""


class MemoryBusyError(MemoryFileError):
    """Another program holds the memory file's write lock for too long."""
