"""The five resources: what is most trusted in each category, for a client to read before anyone asks.

Spec: fact-resources.
"""

from mnemo.answers import answer_text
from mnemo.errors import UnknownNameError
from mnemo.facts import CATEGORIES
from mnemo.memory import Memory

SCHEME = "mnemo://global/"
FACTS_EACH = 10
MIME_TYPE = "application/json"
DESCRIPTIONS = {
    "identity": "Who the user is, and how they want to be addressed",
    "coding_style": "How the user wants code to be written",
    "tool_pref": "Which tools the user works with",
    "workflow": "How the user works: steps, habits, conventions",
    "general": "What else is known",
}


def uris() -> list[str]:
    """Return the addresses of the five resources."""
    return [SCHEME + category for category in CATEGORIES]


def read(memory: Memory, uri: str) -> str:
    """Return a resource's text: a JSON array of the category's ten most trusted facts.

    Raises:
        InvalidArgumentError: there is no such resource.
        MemoryFileError: the memory file cannot be used.
    """
    category = uri.removeprefix(SCHEME)
    if not uri.startswith(SCHEME) or category not in CATEGORIES:
        raise UnknownNameError("resource", uri, uris())
    return answer_text(memory.most_trusted(category, FACTS_EACH))


class ResourceWatch:
    """Notices which resources changed, whoever changed them."""

    def __init__(self, memory: Memory) -> None:
        """Watch the resources of this memory."""
        self._memory = memory
        self._seen: dict[str, str] = {}

    def start(self, uri: str) -> None:
        """Watch one more resource, from how it is now.

        Raises:
            InvalidArgumentError: there is no such resource.
            MemoryFileError: the memory file cannot be used.
        """
        self._seen.setdefault(uri, read(self._memory, uri))

    def stop(self, uri: str) -> None:
        """Watch a resource no more."""
        self._seen.pop(uri, None)

    def changed(self) -> list[str]:
        """Return the watched resources whose text is another than when it was last looked at.

        Raises:
            MemoryFileError: the memory file cannot be used.
        """
        now = {uri: read(self._memory, uri) for uri in list(self._seen)}
        found = [uri for uri, text in now.items() if text != self._seen.get(uri)]
        self._seen.update(now)
        return found
