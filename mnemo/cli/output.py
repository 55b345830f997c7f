"""How answers look: tables on a terminal, plain lines in a pipe."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from mnemo.cli.cells import cells, pad, wrap
from mnemo.cli.frame import write
from mnemo.cli.messages import tr, translated

MIN_TEXT_WIDTH = 20
MAX_LINES = 4  # of one fact in a table; `mnemo show` gives it whole
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_SPACE = re.compile(r"\s+")


def on_terminal() -> bool:
    """Tell whether stdout is a terminal."""
    return sys.stdout.isatty()


def has_colour() -> bool:
    """Tell whether to colour: on a terminal that can, unless NO_COLOR is set."""
    return on_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def style(text: str, **look: Any) -> str:
    """Return text with a look, where there is colour."""
    return click.style(text, **look) if has_colour() else text


def clean(text: str) -> str:
    """Return text that cannot steer a terminal: control characters, also bidirectional ones, become �."""
    return _CONTROL.sub("�", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Return text on one line, with single spaces, that cannot steer a terminal."""
    return _SPACE.sub(" ", clean(text)).strip()


def terminal_width() -> int:
    """Return the terminal's width in cells."""
    import shutil  # brings compression along, for which nothing in a pipe should wait

    return shutil.get_terminal_size().columns


def table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    marked: "Marker | None" = None,
    notes: Sequence[str] = (),
) -> None:
    """Print rows as a table that fits the terminal; only the last column is wrapped, and each row's note below it."""
    fixed = len(heads) - 1
    texts = [[one_line(value) for value in row] for row in rows]
    widths = [
        max(cells(heads[i]), *(cells(row[i]) for row in texts)) if texts else cells(heads[i]) for i in range(fixed)
    ]
    room = max(MIN_TEXT_WIDTH, terminal_width() - sum(widths) - 2 * fixed)
    numeric = [bool(texts) and all(re.fullmatch(r"[\d.+-]+", row[i]) for row in texts) for i in range(fixed)]
    titles = [pad(tr(head), widths[i], right=numeric[i]) for i, head in enumerate(heads[:-1])] + [heads[-1]]
    write(style("  ".join(titles), bold=True) + "\n")
    for place, row in enumerate(texts):
        front = "  ".join(pad(row[i], widths[i], right=numeric[i]) for i in range(fixed))
        for number, line in enumerate(wrap(row[-1], room, MAX_LINES)):
            shown = marked.mark(line) if marked is not None else line
            write((front if number == 0 else " " * cells(front)) + "  " + shown + "\n")
        for line in wrap(notes[place], room) if notes and notes[place] else ():
            write(" " * cells(front) + "  " + style(line, dim=True) + "\n")


def plain(rows: Sequence[Sequence[str]]) -> None:
    """Print rows as lines with tabs between the values."""
    write("".join("\t".join(one_line(value) for value in row) + "\n" for row in rows))


def show_rows(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    marked: "Marker | None" = None,
    notes: Sequence[str] = (),
) -> None:
    """Print rows, each with its note if there are any: a table on a terminal, tab-separated lines in a pipe."""
    if not on_terminal():
        noted = zip(rows, notes or [""] * len(rows), strict=True)
        plain([[*row[:-1], f"{row[-1]}  ({note})" if note else row[-1]] for row, note in noted])
    elif rows:
        table([tr(head) for head in heads], rows, marked, notes)


def show_fields(fields: Mapping[str, Any]) -> None:
    """Print names and values, one pair a line; a terminal shows the names in the user's language."""
    names = {name: tr(name) if on_terminal() else name for name in fields}
    width = max(map(cells, names.values()), default=0)
    for name, value in fields.items():
        said = "; ".join(translated(str(one)) for one in value) if isinstance(value, list) else value
        shown = "" if said is None else clean(str(said))
        if on_terminal():
            if shown and name.endswith("_at") and names[name] == name:  # a translated name says it itself
                shown += " (UTC)"
            head, *rest = [
                part
                for line in shown.split("\n")
                for part in wrap(line, max(MIN_TEXT_WIDTH, terminal_width() - width - 2))
            ]
            write(style(pad(names[name], width), bold=True) + "  " + head + "\n")
            write("".join(" " * (width + 2) + line + "\n" for line in rest))
        else:
            write(f"{name}\t{one_line(shown)}\n")


def remarks(fact: Mapping[str, Any]) -> str:
    """Return what there is to know of a fact beside its text: what it looks like, and which took its place."""
    said = [translated(str(warning)) for warning in fact.get("warnings", ())]
    if fact.get("superseded_by") is not None:
        said.append(tr("fact {id} took its place", id=fact["superseded_by"]))
    return "; ".join(said)


def notes(answer: Mapping[str, Any]) -> None:
    """Print an answer's warnings, and what it left out, on stderr."""
    said = [*answer.get("warnings", []), *([answer["note"]] if "note" in answer else [])]
    for warning in said:
        text = one_line(_warning(str(warning)))
        click.echo(style(tr("Note: "), fg="yellow") + text, err=True)


def _warning(sentence: str) -> str:
    """Return a warning in the user's language; the one that the specification words is in a mixture of two."""
    from mnemo.answers import LONG_CONTENT_WARNING  # loaded already: the answer came from there
    from mnemo.learner import LONG_CONTENT

    if sentence != LONG_CONTENT_WARNING:
        return translated(sentence)
    said = "The content has more than {most} characters; give it a summary (--summary), or store it as several facts."
    return tr(said, most=LONG_CONTENT)


class Marker:
    """Marks the words of a query where they stand in a text."""

    def __init__(self, query: str, meanings: Mapping[str, Sequence[str]]) -> None:
        """Mark what this query finds, in either language; `meanings` are those that facts teach of its phrases."""
        from mnemo import lexicon, text

        self._text = text
        concepts = lexicon.concepts(query, meanings)
        self._terms = {term for one in concepts for words, _ in one.alternatives for term in words.split(" ")}
        self._token = re.compile(rf"[{text.CJK}]+|[^\W_{text.CJK}]+")

    def mark(self, line: str) -> str:
        """Return the line with the query's words in bold, where there is colour."""
        if not has_colour() or not self._terms:
            return line
        return self._token.sub(lambda match: self._mark_token(match[0]), line)

    def _mark_token(self, token: str) -> str:
        if not re.match(f"[{self._text.CJK}]", token):
            is_found = not self._terms.isdisjoint(self._text.query_terms(token))
            return click.style(token, fg="yellow", bold=True) if is_found else token
        folded = self._text.normalise(token)
        if len(folded) != len(token):
            return token
        found = [folded[i] in self._terms for i in range(len(token))]
        for i in range(len(token) - 1):
            if folded[i : i + 2] in self._terms:
                found[i] = found[i + 1] = True
        return "".join(
            click.style(part, fg="yellow", bold=True) if is_found else part for is_found, part in _runs(token, found)
        )


def _runs(token: str, found: Sequence[bool]) -> list[tuple[bool, str]]:
    runs: list[tuple[bool, str]] = []
    for character, is_found in zip(token, found, strict=True):
        if runs and runs[-1][0] == is_found:
            runs[-1] = (is_found, runs[-1][1] + character)
        else:
            runs.append((is_found, character))
    return runs
