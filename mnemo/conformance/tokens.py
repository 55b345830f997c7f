"""How many tokens a text costs a model at most, by a rule that needs no model's tokenizer."""

import re

_PIECE = re.compile(r"[A-Za-z]+|[0-9]+|[\"{}\[\]:,]+|\S")


def tokens(text: str) -> int:
    """Return an upper bound of the tokens in a text, without any tokenizer.

    A run of letters counts one token for every four of them or part of that, a run of digits one for every three, a
    run of JSON's own signs (`","`, `":{"`, `"},"`) one, any other character (Chinese too) one, white space none.
    The tokenizers of today's models take most English words and JSON keys as one token, where this counts up to three.
    Spec: assistant-guidance (The guidance costs a session little).
    """
    return sum(map(_tokens, _PIECE.findall(text)))


def _tokens(piece: str) -> int:
    if piece.isascii() and piece.isalpha():
        return -(-len(piece) // 4)
    return -(-len(piece) // 3) if piece.isascii() and piece.isdigit() else 1
