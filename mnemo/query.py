"""Refine a search query: recognise one that is nothing but an operation, drop politeness from the rest."""

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from mnemo.language import late
from mnemo.language.query_words import (
    ACTIONS,
    ARGUMENTS,
    COMMANDS,
    DETERMINERS,
    FIRST_WORDS,
    LONGEST_CHINESE,
    LONGEST_PHRASE,
    NEGATIONS,
    NEVER_ALONE,
    OBJECTS,
    PARTICLES,
    REQUESTS,
    STEERING,
    VERBS,
    VOCABULARY,
)
from mnemo.text import normalise

SKIPPED = (
    "The query is only an operation and names nothing to look for, so it was not searched; "
    "search it all the same with refine=false."
)
LONGEST_OPERATION = 120  # characters; a longer query is always searched

# Traditional forms of the vocabulary's characters, and the typographic apostrophe.
_SIMPLIFIED = str.maketrans(
    "運測試繼續執啟啓動務檢視構編譯發佈佈署單並終關閉開從個這幾項資賴錯誤問題報異裝無謝對沒確認給幫請馬趕緊後場優寫衝實來應當現們麼嗎嗯還過儲刪號環際機導處輯",
    "运测试继续执启启动务检视构编译发布布署单并终关闭开从个这几项资赖错误问题报异装无谢对没确认给帮请马赶紧后场优写冲实来应当现们么吗嗯还过储删号环际机导处辑",
) | {ord("’"): "'"}
_JOINTS = frozenset("'./:@+#-")  # between two words they make one: fix_it, gen-itgc, go.mod


@dataclass(frozen=True)
class RefinedQuery:
    """What to search for, and why not to search at all (`skipped`, None if the query is to be searched)."""

    text: str
    skipped: str | None


def refine(query: str) -> RefinedQuery:
    """Return the query without politeness, or marked as skipped if it is nothing but an operation.

    A query with a word of substance is never skipped, and at least one word of it always stays. A query
    without any word at all is passed on as it is. Spec: query-refinement
    """
    if _operation(query) is not None:
        return RefinedQuery(query, SKIPPED)
    return RefinedQuery(_without_politeness(query), None)


def subject(prompt: str) -> str:
    """Return what facts may bear on in a prompt that nobody asked to search for: all of it but politeness.

    An order stays, since a fact may tell how it is carried out; of a reply ("yes", 继续) nothing stays.
    """
    return "" if _operation(prompt) == "reply" else _without_politeness(prompt)


# --- operations ----------------------------------------------------------------------------------


def _operation(query: str) -> Literal["order", "reply"] | None:
    """Tell whether every word of the query is part of an order or a reply, None if one is of neither."""
    stripped = query.strip()
    if len(stripped) > LONGEST_OPERATION:
        return None
    normalised = normalise(stripped)
    first = normalised.partition(" ")[0]
    if first.isascii() and first.isalnum() and first not in FIRST_WORDS:
        return None  # most queries, for which nothing else has to be looked at
    words = _known_words(normalised.translate(_SIMPLIFIED))
    if not words:
        return None
    spoken = [word for word in words if word != "?"]
    if len(spoken) == 1 and spoken[0] in ACTIONS:
        return None  # "restart" may be an order, or what is to be looked up; a search does no harm
    if all(word in STEERING for word in spoken):
        return "reply" if any(word not in NEVER_ALONE for word in spoken) else None
    # "运行测试？" may well ask how it is done, "can you run the tests?" does not.
    if len(spoken) < len(words) and REQUESTS.isdisjoint(spoken):
        return None
    if not NEGATIONS.isdisjoint(spoken):
        return None
    rest = [word for word in spoken if word not in STEERING or word in VERBS or word in COMMANDS]
    return "order" if _is_order(rest, directed=len(rest) < len(spoken)) else None


def _known_words(text: str) -> list[str] | None:
    """Return the words of a normalised text, or None as soon as one is not in the vocabulary."""
    pieces = _pieces(text)
    words: list[str] = []
    at = 0
    while at < len(pieces):
        if _kind(pieces[at][0]) == "Han":
            cut = _cut_chinese(pieces[at])
            if cut is None:
                return None
            words.extend(cut)
            at += 1
            continue
        for length in range(min(LONGEST_PHRASE, len(pieces) - at), 0, -1):
            phrase = " ".join(pieces[at : at + length])
            if phrase in VOCABULARY or phrase == "?":
                words.append(phrase)
                at += length
                break
        else:
            return None
    return words


def _pieces(text: str) -> list[str]:
    """Return the words, runs of Chinese characters and question marks of a text.

    No regular expression: one that knows Chinese characters takes longer to compile than all else of a short query.
    """
    pieces: list[str] = []
    before: tuple[str, str] = ("", "")  # the kinds of the last run but one, and the last run
    kind_before = ""
    for kind, characters in groupby(text, _kind):
        run = "".join(characters)
        if kind == "word" and kind_before == "word" and before[1] in _JOINTS:
            pieces[-1] += before[1] + run
        elif kind in ("word", "Han"):
            pieces.append(run)
        else:
            pieces.extend("?" * run.count("?"))
        kind_before, before = before[0], (kind, run)
    return pieces


def _kind(character: str) -> str:
    """Return what a character belongs to."""
    if "㐀" <= character <= "䶿" or "一" <= character <= "鿿" or "豈" <= character <= "﫿":
        return "Han"
    return "word" if character.isalnum() or character == "_" else "other"


def _cut_chinese(run: str) -> tuple[str, ...] | None:
    """Return the fewest known words that make up a run of Chinese characters, or None."""
    best: list[tuple[str, ...] | None] = [()]
    for end in range(1, len(run) + 1):
        choice: tuple[str, ...] | None = None
        for start in range(max(0, end - LONGEST_CHINESE), end):
            before = best[start]
            if before is not None and run[start:end] in VOCABULARY and (not choice or len(before) + 1 < len(choice)):
                choice = (*before, run[start:end])
        best.append(choice)
    return best[-1]


def _is_order(words: list[str], directed: bool) -> bool:
    """Tell whether the words are verbs with objects they take, or commands with their subcommands."""
    at = 0
    waiting: set[str] = set()  # objects that stand before their verb: 把代码提交了
    while at < len(words):
        word = words[at]
        following = words[at + 1] if at + 1 < len(words) else ""
        if word in COMMANDS and following in COMMANDS[word]:
            at += 2
            while at < len(words) and words[at] in ARGUMENTS:
                at += 1
        elif word in VERBS:
            verb = VERBS[word]
            at += 1
            pointed = directed
            while at < len(words) and (words[at] in DETERMINERS or words[at] in PARTICLES):
                pointed = pointed or words[at] in DETERMINERS
                at += 1
            has_particle = words[at - 1] in PARTICLES
            taken = verb.directed if pointed else verb.objects
            first_object = at
            while at < len(words) and words[at] in taken:
                at += 1
            is_bare = at == first_object and not pointed
            if not waiting <= taken or (is_bare and (has_particle or not verb.alone)):
                return False
            waiting.clear()
        elif directed and (word in OBJECTS or word in DETERMINERS or word in PARTICLES):
            waiting |= {word} & OBJECTS
            at += 1
        else:
            return False
    return not waiting and any(word in VERBS or word in COMMANDS for word in words)


# --- politeness ----------------------------------------------------------------------------------

# 下 belongs to the word behind it in 下载 and 下周, unless that character begins one of its own: 载荷, 周报.
_DOWN = (
    "下(?!载(?!荷|入)|属(?!性|于)|面(?!试|板|积|包|料)|周(?!报|期|边|会|年)|次(?!数|序|要)|午(?!餐|饭|休)|月(?!报|度|底|初|份|薪)"
    "|个(?!人|性|税|体)|一(?!致|些|切|共|样)|级(?!别|联)|单(?!号|元|测|词|据|价|位)|游(?!戏|客|标)|线(?!上|程|路|索)"
    "|雨(?!衣|伞)|限(?!制|流|额)|班(?!次|级|车)|降(?!级|噪|本)|架(?!构)|拉(?!取)|划线|半[年场月]|季度|旬|厨|棋|雪|跌|述|列(?!表))"
)
_LOOK = (
    rf"(?:查找|搜索|回忆|检索|查|看|找|搜|想)(?:一下|一查|一看|一找|{_DOWN}|看"
    "|查(?![询验阅证重])|找(?![回零茬]))"
)
_LEAD = late.pattern(
    r"(?:(?:hi|hey|hello|ok|okay|thanks|well|so|嗨|你好|您好|好的|好|嗯|谢谢)\s*[,，!！.。、]"
    r"|(?:(?:could|can|would|will) you(?: please| kindly)?|please|pls|kindly)"
    r"(?: (?:tell me|remind me|show me|help me|let me know|check|find out|find|look up|look at|search for))?"
    r"(?=[\s,:])|(?:tell me|remind me|let me know|help me(?: find| check)?"
    r"|(?:do|did) you (?:still )?(?:remember|recall|know)"
    r"|i(?:'d like| want| would like) to know|i was wondering|i wonder|just wondering)(?=[\s,:])"
    rf"|请问(?:一下|{_DOWN})?|请教(?:一下|{_DOWN})|请(?:你|您)?(?:告诉我|帮忙|提醒我)|请(?:你|您)(?=[帮查看找搜说列])|请(?=帮我|帮忙)"
    r"|麻烦(?:你|您)?(?=帮|请|告诉|问|查|看|找)|劳驾|拜托(?:你|您)?"
    rf"|帮(?:我们|我|忙)(?:{_LOOK})?|(?:请|麻烦)?{_LOOK}|(?:想|我想)?问(?:一下|{_DOWN})"
    r"|(?:你|您)?(?:能不能|能否|可不可以|可否|可以|能)(?:请你|请您)?(?=帮|告诉|提醒我|给我)"
    rf"|(?:你|您)?(?:告诉|提醒)(?:我|我们)(?:一下|{_DOWN})?|(?:你|您)(?:还)?(?:记得|记不记得|知道)(?:吗|么)?|还记得|(?:我)?想知道"
    r")[\s,，:：、]*",
    re.IGNORECASE,
)
_TRAIL = tuple(
    phrase
    for line in (
        "thank you very much|thank you|thanks a lot|thanks|thx|please|pls",
        "非常感谢|谢谢你|谢谢您|谢谢|多谢|拜托了|麻烦你了|麻烦了|辛苦了|好吗|可以吗",
    )
    for phrase in line.split("|")
)
_ENDING = " \t\r\n,，.。!！~～、"
_MOST_PHRASES = 8  # no polite sentence stacks more; it bounds the work on hostile text


def _without_politeness(query: str) -> str:
    """Return the query without polite phrases at its ends, or as it is if nothing else would stay."""
    text = query.strip()
    for _ in range(_MOST_PHRASES):
        lead = _LEAD.match(text)
        if not lead or not _has_word(text[lead.end() :]):
            break
        text = text[lead.end() :]
    for _ in range(_MOST_PHRASES):
        kept = _without_ending(text)
        if kept == text or not _has_word(kept):
            break
        text = kept
    return text or query


def _without_ending(text: str) -> str:
    """Return the text without one polite phrase at its end."""
    bare = text.rstrip(_ENDING)
    for phrase in _TRAIL:
        if bare[-len(phrase) :].lower() == phrase:
            kept = bare[: -len(phrase)]
            if phrase[0].isascii() and kept and kept[-1].isascii() and not kept[-1].isspace() and kept[-1] != ",":
                continue  # the end of a longer word
            return kept.rstrip(_ENDING)
    return text


_WORD = re.compile(r"[^\W_]")


def _has_word(text: str) -> bool:
    return _WORD.search(text) is not None
