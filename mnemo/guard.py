"""What happens to secrets before anything is written: a warning, a replacement, or a refusal.

Spec: content-safety.
"""

import os
from collections.abc import Mapping
from typing import Any

from mnemo import safety
from mnemo.errors import InvalidArgumentError

VARIABLE = "MNEMO_SECRETS"
WARN, REDACT, BLOCK = "warn", "redact", "block"
MODES = (WARN, REDACT, BLOCK)


class Guard:
    """The rule for secrets in one memory: `warn` stores them and says so, `redact` replaces them, `block` refuses."""

    def __init__(self, mode: str | None = None) -> None:
        """Follow a mode, by default that of `MNEMO_SECRETS`, and without that `warn`.

        Raises:
            InvalidArgumentError: the mode is none of the three.
        """
        chosen = os.environ.get(VARIABLE, "") if mode is None else mode
        self.mode = chosen.strip().lower() or WARN
        if self.mode not in MODES:
            raise InvalidArgumentError(f"{VARIABLE} must be one of {', '.join(MODES)}, not {chosen!r}")

    def admit(self, text: str) -> tuple[str, list[str]]:
        """Return a text as it may be stored, and the warnings that go with it; they never repeat a secret.

        Raises:
            InvalidArgumentError: the text holds a secret, and those are blocked.
        """
        secrets = safety.find_secrets(text) if self.mode != WARN else []
        if not secrets:
            return text, [*safety.warnings_for(text)]
        kinds = ", ".join(dict.fromkeys(secret.kind for secret in secrets))
        if self.mode == BLOCK:
            raise InvalidArgumentError(
                f"The text looks like it holds a secret ({kinds}), so nothing was stored; take it out and try again"
            )
        redacted = safety.redact(text)
        return redacted, [f"a secret was replaced before storing: {kinds}", *safety.warnings_for(redacted)]

    def admit_texts(self, texts: Mapping[str, str | None]) -> tuple[dict[str, Any], list[str]]:
        """Return a fact's texts by name as they may be stored, and the warnings that go with them, each once.

        Raises:
            InvalidArgumentError: one of them holds a secret, and those are blocked.
        """
        admitted: dict[str, Any] = dict(texts)
        warnings: list[str] = []
        for name, text in texts.items():
            if text:
                admitted[name], found = self.admit(text)
                warnings += found
        return admitted, list(dict.fromkeys(warnings))

    def admit_query(self, query: str) -> str:
        """Return a query as it may be logged."""
        return query if self.mode == WARN else safety.redact(query)
