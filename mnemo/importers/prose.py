"""Facts out of texts that people and assistants wrote: bullet lists, ChatGPT's memories, one fact a line."""

import re
from collections.abc import Iterator
from functools import partial

from mnemo.importers.documents import item_of
from mnemo.importers.exported import is_exported, read_exported
from mnemo.importers.records import Item, content_of, lines_of, time_of
from mnemo.portable import PortableFact

_BULLET = re.compile(r"(?P<indent>[ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?P<text>\S.*)")
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
_TAB_WIDTH = 4
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

    The nearest heading becomes a tag. A bullet that ends in a colon introduces those below it and stands before each
    of them. Code blocks, comments and paragraphs are passed over. mnemo's own export is read back as what it was.
    """
    if is_exported(text):
        yield from read_exported(text)
        return
    heading = ""
    above: list[tuple[int, str]] = []  # bullets that introduce those below, with their indents
    lines = list(_without_code_and_comments(lines_of(text)))
    for number, line in enumerate(lines, 1):
        title = _HEADING.fullmatch(line)
        if title is not None:
            heading, above = title["text"], []
        found = None if _RULER.fullmatch(line) else _BULLET.fullmatch(line)
        if found is None:
            continue
        indent = len(found["indent"].expandtabs(_TAB_WIDTH))
        above = [(depth, said) for depth, said in above if depth < indent]
        content = " ".join([found["text"].strip(), *_continued(lines, number, indent)])
        if content.endswith((":", "：")) and _has_children(lines, number, indent):
            above.append((indent, content))
        else:
            whole = " ".join([*(said for _, said in above), content])
            yield item_of(number, whole, _tag(heading), _category(heading))


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
        is_deeper = len(line.expandtabs(_TAB_WIDTH)) - len(line.expandtabs(_TAB_WIDTH).lstrip()) > indent
        if not line.strip() or not is_deeper or _BULLET.fullmatch(line):
            return
        yield line.strip()


def _has_children(lines: list[str], number: int, indent: int) -> bool:
    following = next(filter(None, map(_BULLET.fullmatch, _from(lines, number))), None)
    return following is not None and len(following["indent"].expandtabs(_TAB_WIDTH)) > indent


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
