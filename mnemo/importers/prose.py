"""Facts out of texts that people and assistants wrote: bullet lists, ChatGPT's memories, one fact a line."""

import re
from collections.abc import Iterator
from functools import partial

from mnemo.importers.documents import item_of
from mnemo.importers.exported import is_exported, read_exported
from mnemo.importers.records import Item, content_of, lines_of, time_of
from mnemo.portable import PortableFact

_BULLET = re.compile(r"(?P<indent>[ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[(?P<box>[ xX])\][ \t]+)?(?P<text>\S.*)")
_HEADING = re.compile(r"#{1,6}\s+(?P<text>.*?)\s*#*")
_FENCE = re.compile(r"\s*(?P<mark>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)")
_CODE_OR_COMMENT = re.compile(r"(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)|<!--.*?-->|(?P<begun><!--.*)")
_RULER = re.compile(r"\s*([-*_]\s*){3,}")
_DATED = re.compile(  # a date that nothing marks off is part of what is said
    r"(?P<open>[\[(])?(?P<date>\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?|unknown(?: date)?)"
    r"(?(open)[\])][.:]?\s*(?:[-–—:]\s*)?|\s*(?:[:.]|[-–—](?=\s))\s*(?:[-–—]\s+)?)(?=\S)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:[-*•]|\d{1,4}[.)])\s+(?=\S)")
_WIDE = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]")
_BOXES = {" ": "todo", "x": "done", "": ""}
_WORD = re.compile(r"\w")
_TAB_WIDTH = 4
_LEAST_DEEPER = 2  # spaces, from which on a bullet is below another, as in all of Markdown
_CATEGORY_WORDS = (
    ("coding_style", re.compile(r"\b(style|convention|naming|format|lint)|规范|风格|命名", re.IGNORECASE)),
    ("tool_pref", re.compile(r"\b(tools?|commands?|package manager|editor|environment)\b|工具|命令", re.IGNORECASE)),
    ("workflow", re.compile(r"\b(workflow|process|release|deploy|testing|git|commit|ci)\b|流程|部署", re.IGNORECASE)),
    ("identity", re.compile(r"\b(about me|user|identity|profile|who i am)\b|关于我|用户|身份", re.IGNORECASE)),
)  # fmt: skip


def is_markdown(text: str) -> bool:
    """Tell whether a text is Markdown with a bullet list: it has a heading, and bullets."""
    lines = lines_of(text)
    return any(_HEADING.fullmatch(line) for line in lines) and any(_BULLET.fullmatch(line) for line in lines)


def read_markdown(text: str) -> Iterator[Item]:
    """Yield each bullet of a Markdown file (`CLAUDE.md`, `AGENTS.md`, `MEMORY.md`) as a fact.

    The nearest heading becomes a tag, and the box of a task the tag todo or done. A bullet with others below it stands
    before each of them: what they say, they say of it. Code blocks and comments are left out; paragraphs and tables
    come as items that say so. mnemo's own export is read back as what it was.
    """
    if is_exported(text):
        yield from read_exported(text)
        return
    heading = ""
    above: list[tuple[int, str]] = []  # bullets with others below them, with their indents
    lines = list(_without_code_and_comments(lines_of(text)))
    read = 0  # the last line that belongs to a fact, or to a block that was passed over
    for number, line in enumerate(lines, 1):
        title = _HEADING.fullmatch(line)
        if title is not None:
            heading, above = title["text"], []
        found = None if _RULER.fullmatch(line) else _BULLET.fullmatch(line)
        if found is None:
            if title is None and number > read and _WORD.search(line):
                if _ends_list(lines, number):
                    above = []
                read = number + sum(1 for _ in _block(lines, number))
                yield Item(number, is_passed_over=True)
            continue
        indent = _indent(found["indent"])
        above = [(depth, said) for depth, said in above if depth + _LEAST_DEEPER <= indent]
        more = list(_continued(lines, number, indent))
        read = number + len(more)
        content = " ".join([found["text"].strip(), *more])
        if _has_children(lines, read, indent):
            above.append((indent, content))
        else:
            whole = "".join([*(_introduced(said) for _, said in above), content])
            tags = [_tag(heading), _BOXES[(found["box"] or "").lower()]]
            yield item_of(number, whole, ",".join(filter(None, tags)), _category(heading))


def _introduced(said: str) -> str:
    """Return what stands before the bullets below a bullet: it, and what joins it to them."""
    if said.endswith((":", ".", "!", "?", ";", ",", "：", "。", "！", "？", "；", "，")):
        return said + " "
    return said + ("：" if _WIDE.fullmatch(said[-1]) else ": ")


def _without_code_and_comments(lines: list[str]) -> Iterator[str]:
    """Yield the lines, those of code blocks and comments empty; code within a line stays, whatever it looks like."""
    last_end = max((number for number, line in enumerate(lines) if "-->" in line), default=-1)
    fence, is_comment = "", False
    for number, line in enumerate(lines):
        if is_comment:
            _, end, line = line.partition("-->")
            is_comment = not end
        mark = _FENCE.fullmatch(line)
        if fence:
            if mark is not None and mark["mark"].startswith(fence) and not mark["info"].strip():
                fence = ""
            yield ""
        elif mark is not None:
            fence = mark["mark"]
            yield ""
        else:
            begun = [found for found in _CODE_OR_COMMENT.finditer(line) if found["begun"]]
            is_comment = is_comment or (bool(begun) and number < last_end)
            yield _CODE_OR_COMMENT.sub(partial(_shown, is_ended=number < last_end), line)


def _shown(found: re.Match[str], *, is_ended: bool) -> str:
    """Return what is left of code, which is all of it, or of a comment; one that never ends is none."""
    return found[0] if found["ticks"] or (found["begun"] and not is_ended) else ""


def _continued(lines: list[str], number: int, indent: int) -> Iterator[str]:
    """Yield the lines that go on with the bullet above them."""
    for line in _from(lines, number):
        is_deeper = _indent(line[: len(line) - len(line.lstrip())]) > indent
        if not line.strip() or not is_deeper or _BULLET.fullmatch(line):
            return
        yield line.strip()


def _has_children(lines: list[str], number: int, indent: int) -> bool:
    for at, line in enumerate(_from(lines, number), number + 1):
        found = _BULLET.fullmatch(line)
        if _HEADING.fullmatch(line) or _RULER.fullmatch(line) or (found is None and _ends_list(lines, at)):
            return False
        if found is not None:
            return _indent(found["indent"]) >= indent + _LEAST_DEEPER
    return False


def _ends_list(lines: list[str], number: int) -> bool:
    """Tell whether a line that is no bullet ends the list above it: a paragraph of its own that is not indented."""
    line = lines[number - 1]
    return bool(line.strip()) and not line[0].isspace() and not (number > 1 and lines[number - 2].strip())


def _block(lines: list[str], number: int) -> Iterator[str]:
    """Yield the lines that go on with the paragraph or table above them."""
    for line in _from(lines, number):
        if not line.strip() or _HEADING.fullmatch(line) or _BULLET.fullmatch(line):
            return
        yield line


def _indent(space: str) -> int:
    return len(space.expandtabs(_TAB_WIDTH))


def _from(lines: list[str], number: int) -> Iterator[str]:
    return (lines[at] for at in range(number, len(lines)))  # a slice would copy the rest of the file for each bullet


def _tag(heading: str) -> str:
    return " ".join(re.sub(r"[,，、`*_]", " ", heading).split()).lower()


def _category(heading: str) -> str:
    return next((category for category, words in _CATEGORY_WORDS if words.search(heading)), "general")


def is_chatgpt(text: str) -> bool:
    """Tell whether most lines of a text begin as ChatGPT lists its memories: with a number or a date."""
    lines = [line.strip() for line in lines_of(text) if line.strip()]
    listed = sum(bool(_NUMBERED.match(line) or _DATED.match(line)) for line in lines)
    return listed * 2 > len(lines)


def read_chatgpt(text: str) -> Iterator[Item]:
    """Yield ChatGPT's memories, one a line, without their bullets and numbers; a date in front is when it was saved.

    An indented line without a mark of its own goes on with the memory above it.
    """
    memories: list[tuple[int, str]] = []
    for number, line in enumerate(lines_of(text), 1):
        if _RULER.fullmatch(line) or _FENCE.fullmatch(line) or not line.strip():
            continue
        is_marked = _NUMBERED.match(line.strip()) or _DATED.match(line.strip())
        if memories and line[0].isspace() and not is_marked:
            at, said = memories.pop()
            memories.append((at, f"{said} {line.strip()}"))
        else:
            memories.append((number, line.strip()))
    for number, memory in memories:
        numbered = _NUMBERED.match(memory)
        said = memory if numbered is None else memory[numbered.end() :]
        dated = _DATED.match(said)
        saved_at = time_of(dated["date"]) if dated is not None else None
        try:
            content = content_of(said if dated is None else said[dated.end() :])
            yield Item(number, fact=PortableFact(content, created_at=saved_at))
        except ValueError as error:
            yield Item(number, error=str(error))


def read_lines(text: str) -> Iterator[Item]:
    """Yield each line that is not empty as a fact."""
    for number, line in enumerate(lines_of(text), 1):
        if line.strip():
            yield item_of(number, line.strip())
