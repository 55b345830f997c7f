"""Mistakes in our own server: what one is, and the ways to make one in what goes into a tool or comes out of it."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mnemo.memory import Memory

Given = dict[str, Any]
Answer = dict[str, Any]
Do = Callable[[Given], Answer]


@dataclass(frozen=True)
class OwnMistake:
    """A change of our server, and a scenario outside `core` that must notice it."""

    name: str
    scenario: str
    make: Callable[[], None]


def around(action: str, wrong: Callable[[Do, Given], Answer]) -> Callable[[], None]:
    """Let an action of `fact_store` (`*`: each) be done by `wrong`, which gets the right way to do it."""
    right = Memory.fact_store

    def fact_store(self: Memory, given: Mapping[str, Any]) -> Answer:
        if action not in ("*", given.get("action")):
            return right(self, given)
        return wrong(lambda changed: right(self, changed), dict(given))

    return lambda: setattr(Memory, "fact_store", fact_store)


def instead(owner: object, name: str, value: object) -> Callable[[], None]:
    """Put something else in the place of a function, wherever it was imported to."""

    def make() -> None:
        right = getattr(owner, name)
        setattr(owner, name, value)
        for module in [module for key, module in sys.modules.items() if key.startswith("mnemo.")]:
            if getattr(module, name, None) is right:
                setattr(module, name, value)

    return make


def edited(action: str, edit: Callable[[Answer], Any]) -> Callable[[], None]:
    """Change the answer of an action in its place."""

    def wrong(do: Do, given: Given) -> Answer:
        answer = do(given)
        edit(answer)
        return answer

    return around(action, wrong)


def without(action: str, *names: str) -> Callable[[], None]:
    """Ignore arguments of an action."""
    return around(action, lambda do, given: do({name: given[name] for name in given if name not in names}))


def facts_of(answer: Answer) -> list[dict[str, Any]]:
    """Return the facts of an answer, whether they came as `results` or as `facts`."""
    facts: list[dict[str, Any]] = answer.get("results") or answer.get("facts") or []
    return list(facts)


def results(facts: list[dict[str, Any]]) -> Answer:
    """Return an answer that holds these facts as its results."""
    return {"results": facts, "count": len(facts)}
