"""The five resources: what is most trusted in each category, for a client to read before anyone asks.

Spec: fact-resources.
"""

import threading
from collections import Counter

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
    """Notices which resources changed, whoever changed them; several may watch one. Any thread may call."""

    def __init__(self, memory: Memory) -> None:
        """Watch the resources of this memory."""
        self._memory = memory
        self._seen: dict[str, str] = {}
        self._watchers: Counter[str] = Counter()
        self._lock = threading.Lock()

    def start(self, uri: str) -> None:
        """Let one more watch a resource, the first from how it is now.

        Raises:
            InvalidArgumentError: there is no such resource.
            MemoryFileError: the memory file cannot be used.
        """
        text = read(self._memory, uri)
        with self._lock:
            self._watchers[uri] += 1
            self._seen.setdefault(uri, text)

    def stop(self, uri: str) -> None:
        """Let one of those who started watch a resource no more."""
        with self._lock:
            if self._watchers[uri] > 1:
                self._watchers[uri] -= 1
            else:
                del self._watchers[uri]
                self._seen.pop(uri, None)

    def changed(self) -> list[str]:
        """Return the watched resources whose text is another than when it was last looked at.

        Raises:
            MemoryFileError: the memory file cannot be used.
        """
        with self._lock:
            watched = list(self._seen)
        now = {uri: read(self._memory, uri) for uri in watched}
        with self._lock:
            found = {uri: text for uri, text in now.items() if self._seen.get(uri, text) != text}
            self._seen.update(found)
        return list(found)
