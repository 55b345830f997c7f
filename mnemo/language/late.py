"""Regular expressions that are compiled when they are first used: a command that needs none of them starts faster."""

import re
from typing import Any, cast


class _LatePattern:
    """Stands for a compiled expression; what is asked of it is taken over from that one, once each."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._source = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._source), name)
        setattr(self, name, value)
        return value


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return what behaves like `re.compile(source, flags)`, but is compiled at its first use.

    Its methods have to be called on itself: the functions of `re` do not take it.
    """
    return cast(re.Pattern[str], _LatePattern(source, flags))
