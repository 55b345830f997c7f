"""Refine a search query: recognise one that is nothing but an operation, drop politeness from the rest."""

import re
from dataclasses import dataclass

from mnemo.text import normalise

SKIPPED = (
    "The query is only an operation and names nothing to look for, so it was not searched; "
    "search it all the same with refine=false."
)
LONGEST_OPERATION = 120  # characters; a longer query is always searched

# --- words that carry no subject of their own ---------------------------------------------------

# Said alone, these answer or steer the assistant; beside a bare noun ("deploy now") they make it an order.
_STEERING = """
yes|yeah|yep|yup|no|nope|ok|okay|sure|fine|good|great|perfect|cool|nice|correct|right|exactly|agreed|lgtm
thanks|thank you|thanks a lot|thank you very much|thx|ty|please|pls|hello|hi|hey|continue|proceed|go on
go ahead|keep going|carry on|move on|go for it|let's go|lets go|do it|do that|do so|do it again|next step|next one
retry|try again|try it again|one more time|once more|again|undo|redo|undo that|stop|cancel|abort|wait|done|never mind
nevermind|sounds good|looks good|looks good to me|got it|i see|that's right|that's it|that works|not now|now|just
right now|quickly|first|then|and|and then|also|so|well|can you|could you|would you|will you|can you please
could you please|would you please|i want you to|i need you to|let us|let's|lets|help me|for me|once|a bit|yes please
no thanks|of course|all right|alright|for now|after that|keep on|let me see|take a look|have a look|a moment|go
是|是的|对|对的|对啊|好|好的|好吧|好啊|好呀|好滴|行|行吧|可以|可以的|没问题|没错|嗯|嗯嗯|恩|哦|噢|不|不用|不用了|不是|不行|不要
不对|没事|算了|谢谢|谢谢你|谢谢您|多谢|感谢|非常感谢|辛苦了|辛苦|你好|您好|继续|接着|接着来|继续吧|往下|下一步|下一个|下一项|停|停止
停下|取消|等等|等一下|等一等|再|再来|再来一次|再来一遍|重来|再试|试试|试一下|再试一次|重试|撤销|撤回|回退|做吧|开始吧|开始|来吧|走吧
搞定|完成|完成了|明白|明白了|知道了|了解|收到|同意|确认|就这样|就这么办|没了|请|请你|请您|麻烦|麻烦你|麻烦您|帮我|帮忙|帮我们|给我|替我
一下|下|吧|了|啊|呀|嘛|哈|哦|呢|一次|一遍|一会儿|先|现在|马上|立刻|立即|赶紧|赶快|快|快点|直接|重新|然后|并|并且|再次|又|就|也|把
把它|都|来|去|可以了|能不能|能否|可不可以|可否|你|我|我们|咱们|要|想|让我们|看看|看一下|看下|帮我看看|帮我看一下|行不行|好不好|好吗|行吗|可以吗
"""
# Steering words that are also names or topics: alone they are searched.
_NEVER_ALONE = frozenset(
    "go and then first just once well so right 我 你 我们 咱们 下 要 想 并 先 快 来 去 可以".split()
)

# With one of these a question mark does not turn an order into a question.
_REQUESTS = frozenset(
    "can you|could you|would you|will you|can you please|could you please|能不能|能否|好吗|行吗|可以吗".split(
        "|"
    )
)

_DETERMINERS = """
the|a|an|this|that|these|those|my|our|your|all|all the|all of the|every|some|any|latest|new|current|whole|full|entire
up|to|on|in|out|down|failing|failed|broken
这个|那个|这些|那些|这|那|这段|这份|这次|所有|所有的|全部|全部的|全|整个|当前|当前的|最新|最新的|刚才的|刚刚的|我的|我们的|你的|一个|个|的|失败的|这个失败的
"""
_PRONOUNS = "it|this|that|them|these|those|everything|all|something|它|它们|这个|那个|这些|那些|全部|所有"

_TESTS = """
test|tests|test suite|test suites|unit test|unit tests|integration tests|integration test|e2e tests|testsuite|test cases
测试|测试用例|用例|单元测试|集成测试|测试套件|单测|回归测试|test|tests
"""
_CODE = """
code|change|changes|the changes|file|files|work|代码|改动|更改|修改|变更|文件|源码|源代码|全部代码|改动的代码|修改的代码
"""
_PROJECT = "project|app|application|program|项目|工程|应用|程序|仓库|repo"
_SERVICE = (
    "server|service|services|dev server|local server|backend|frontend|服务|服务器|后端|前端|服务端|开发服务器"
)
_FAULTS = "bug|bugs|error|errors|issue|issues|problem|problems|错误|问题|报错|异常|毛病|warning|warnings|警告"
_PACKAGES = "dependencies|deps|packages|dependency|依赖|依赖包|依赖项|包"
_SCRIPTS = "script|scripts|command|commands|build|脚本|命令|指令|构建|编译|lint|linter|benchmark|benchmarks|demo|流水线"
_BRANCH = "branch|branches|分支|主分支|pr|pull request|merge request|mr"


def _words(*lists: str) -> frozenset[str]:
    """Return the entries of lists written with bars and line ends."""
    return frozenset(word for each in lists for word in re.split(r"[|\n]", each) if word)


@dataclass(frozen=True)
class _Verb:
    """What a verb needs to be an order: nothing, one of `objects`, or `directed` objects in plain words."""

    alone: bool
    objects: frozenset[str]
    directed: frozenset[str]


def _verbs() -> dict[str, _Verb]:
    """Return every operation verb with what it takes."""
    table: list[tuple[str, bool, frozenset[str], frozenset[str]]] = [
        # verbs                                  alone, objects that make an order, more of them with "the", "please" ...
        (
            "run|rerun|re-run|execute|运行|跑|重跑|执行|重新运行|跑跑|跑一跑|重新跑|重新执行",
            True,
            _words(_TESTS, _CODE, _PROJECT, _SCRIPTS, _SERVICE),
            frozenset(),
        ),
        ("restart|重启|重新启动|reload|reboot", True, _words(_SERVICE, _PROJECT), frozenset()),
        (
            "start|launch|stop|shut down|启动|停止|停掉|关闭|关掉|打开",
            False,
            _words(_SERVICE, _PROJECT),
            _words(_SCRIPTS),
        ),
        (
            "commit|push|pull|fetch|merge|提交|推送|拉取|合并|推|拉",
            False,
            _words(_CODE, _BRANCH),
            _words(_PROJECT, _FAULTS),
        ),
        (
            "deploy|build|rebuild|compile|release|publish|ship|部署|构建|编译|打包|发布|上线|重新构建|重新编译",
            False,
            _words("project|app|application|program|code|项目|工程|程序|代码|应用"),
            _words(_SERVICE, _CODE),
        ),
        ("test|lint|format|debug|测试|调试|格式化|测", False, frozenset(), _words(_CODE, _PROJECT, _SERVICE)),
        (
            "install|reinstall|upgrade|安装|装|重装|重新安装|更新|升级|update",
            False,
            _words(_PACKAGES),
            _words(_CODE, _PROJECT),
        ),
        (
            "fix|修复|修|修好|改|改好|修正|解决|处理",
            True,
            _words(_FAULTS, _TESTS, _CODE, "lint"),
            frozenset(),
        ),
        (
            "check|review|refactor|optimize|clean up|clean|revert|delete|remove|save|write|edit|open|show|finish|rewrite"
            "|检查|审查|重构|优化|清理|回滚|删除|删掉|保存|写|查看|看|完成|重写",
            False,
            _words("code|changes|change|代码|改动|更改"),
            _words(_CODE, _TESTS, _FAULTS),
        ),
    ]
    return {
        verb: _Verb(alone, objects, objects | directed)
        for verbs, alone, objects, directed in table
        for verb in verbs.split("|")
    }


_COMMANDS = {
    command: _words(subcommands)
    for commands, subcommands in (
        (
            "git",
            "add|commit|push|pull|fetch|merge|rebase|status|diff|log|stash|checkout|switch|branch|clone|init|reset|show"
            "|stash pop|推送|提交|拉取|合并",
        ),
        (
            "npm|yarn|pnpm|bun",
            "install|i|ci|test|start|build|run build|run dev|run test|run start|run lint|update|publish|dev"
            "|run|安装|测试|run format",
        ),
        ("pip|pip3|uv|poetry|brew|apt", "install|sync|update|upgrade|lock"),
        (
            "cargo|go|gradle|mvn|dotnet|./gradlew|make",
            "build|test|run|check|clean|install|fmt|clippy|package|all|lint|vet|deploy",
        ),
        (
            "docker",
            "build|ps|up|down|restart|compose up|compose down|push|pull|compose restart|compose build",
        ),
    )
    for command in commands.split("|")
}
_ARGUMENTS = _words(
    "origin|main|master|head|origin main|origin master|all|force|m|a|am|u|f|d|p|amend|no-edit|hard|code|代码"
)

_STEERING_WORDS = _words(_STEERING)
_DETERMINER_WORDS = _words(_DETERMINERS)
_PRONOUN_WORDS = _words(_PRONOUNS)
_VERBS = _verbs()
_OBJECTS = frozenset().union(*(verb.directed for verb in _VERBS.values()))
_VOCABULARY = frozenset(
    _STEERING_WORDS
    | _DETERMINER_WORDS
    | _PRONOUN_WORDS
    | _VERBS.keys()
    | _OBJECTS
    | _COMMANDS.keys()
    | _ARGUMENTS
).union(*_COMMANDS.values())
_LONGEST_PHRASE = max(word.count(" ") + 1 for word in _VOCABULARY)
_LONGEST_CHINESE = max(len(word) for word in _VOCABULARY if not word.isascii())

# Traditional forms of the vocabulary's characters, and the typographic apostrophe.
_SIMPLIFIED = str.maketrans(
    "運測試繼續執啟啓動務檢視構編譯發佈佈署單並終關閉開從個這幾項資賴錯誤問題報異裝無謝對沒確認給幫請馬趕緊後場優寫衝實來應當現們麼嗎嗯還過儲刪號環際機導處輯",
    "运测试继续执启启动务检视构编译发布布署单并终关闭开从个这几项资赖错误问题报异装无谢对没确认给帮请马赶紧后场优写冲实来应当现们么吗嗯还过储删号环际机导处辑",
) | {ord("’"): "'"}
_HAN = "一-鿿㐀-䶿豈-﫿"
_PIECE = re.compile(rf"[{_HAN}]+|[^\W{_HAN}]+(?:['./:@+#-][^\W{_HAN}]+)*|[?？]|[^\w\s]")


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
    if _is_operation(query):
        return RefinedQuery(query, SKIPPED)
    return RefinedQuery(_without_politeness(query), None)


# --- operations ----------------------------------------------------------------------------------


def _is_operation(query: str) -> bool:
    """Tell whether every word of the query is part of an order or a reply."""
    stripped = query.strip()
    if len(stripped) > LONGEST_OPERATION:
        return False
    words = _known_words(normalise(stripped).translate(_SIMPLIFIED))
    if not words:
        return False
    spoken = [word for word in words if word != "?"]
    if all(word in _STEERING_WORDS for word in spoken):
        return any(word not in _NEVER_ALONE for word in spoken)
    # "运行测试？" may well ask how it is done, "can you run the tests?" does not.
    if len(spoken) < len(words) and _REQUESTS.isdisjoint(spoken):
        return False
    rest = [word for word in spoken if word not in _STEERING_WORDS or word in _VERBS or word in _COMMANDS]
    return _is_order(rest, directed=len(rest) < len(spoken))


def _known_words(text: str) -> list[str] | None:
    """Return the words of a normalised text, or None as soon as one is not in the vocabulary."""
    pieces = [
        piece for piece in _PIECE.findall(text) if piece == "?" or piece[0].isalnum() or piece[0] == "_"
    ]
    words: list[str] = []
    at = 0
    while at < len(pieces):
        if "㐀" <= pieces[at][0] <= "﫿":
            cut = _cut_chinese(pieces[at])
            if cut is None:
                return None
            words.extend(cut)
            at += 1
            continue
        for length in range(min(_LONGEST_PHRASE, len(pieces) - at), 0, -1):
            phrase = " ".join(pieces[at : at + length])
            if phrase in _VOCABULARY or phrase == "?":
                words.append(phrase)
                at += length
                break
        else:
            return None
    return words


def _cut_chinese(run: str) -> tuple[str, ...] | None:
    """Return the fewest known words that make up a run of Chinese characters, or None."""
    best: list[tuple[str, ...] | None] = [()]
    for end in range(1, len(run) + 1):
        choice: tuple[str, ...] | None = None
        for start in range(max(0, end - _LONGEST_CHINESE), end):
            before = best[start]
            if (
                before is not None
                and run[start:end] in _VOCABULARY
                and (not choice or len(before) + 1 < len(choice))
            ):
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
        if word in _COMMANDS and following in _COMMANDS[word]:
            at += 2
            while at < len(words) and words[at] in _ARGUMENTS:
                at += 1
        elif word in _VERBS:
            verb = _VERBS[word]
            at += 1
            pointed = directed
            while at < len(words) and words[at] in _DETERMINER_WORDS | _PRONOUN_WORDS:
                pointed = True
                at += 1
            taken = verb.directed if pointed else verb.objects
            first_object = at
            while at < len(words) and words[at] in taken:
                at += 1
            if not waiting <= taken or (at == first_object and not pointed and not verb.alone):
                return False
            waiting.clear()
        elif directed and (word in _OBJECTS or word in _DETERMINER_WORDS):
            waiting |= {word} & _OBJECTS
            at += 1
        else:
            return False
    return not waiting and any(word in _VERBS or word in _COMMANDS for word in words)


# --- politeness ----------------------------------------------------------------------------------

_LOOK = r"(?:查找|搜索|回忆|检索|查|看|找|搜|想)(?:一下|一查|一看|一找|下|看|查|找)"
_LEAD = re.compile(
    r"(?:(?:hi|hey|hello|ok|okay|thanks|well|so|嗨|你好|您好|好的|好|嗯|谢谢)\s*[,，!！.。、]"
    r"|(?:(?:could|can|would|will) you(?: please| kindly)?|please|pls|kindly)"
    r"(?: (?:tell me|remind me|show me|help me|let me know|check|find out|find|look up|look at|search for))?(?=[\s,])"
    r"|(?:tell me|remind me|let me know|help me(?: find| check)?|(?:do|did) you (?:still )?(?:remember|recall|know)"
    r"|i(?:'d like| want| would like) to know|i was wondering|i wonder|just wondering)(?=[\s,])"
    r"|请问(?:一下|下)?|请教(?:一下|下)|请(?:你|您)?(?:告诉我|帮忙|提醒我)|请(?:你|您)(?=[帮查看找搜说列])|请(?=帮我|帮忙)"
    r"|麻烦(?:你|您)?(?=帮|请|告诉|问|查|看|找)|劳驾|拜托(?:你|您)?"
    rf"|帮(?:我们|我|忙)(?:{_LOOK})?|(?:请|麻烦)?{_LOOK}|(?:想|我想)?问(?:一下|下)"
    r"|(?:你|您)?(?:能不能|能否|可不可以|可否|可以|能)(?:请你|请您)?(?=帮|告诉|提醒我|给我)"
    r"|(?:你|您)?(?:告诉|提醒)(?:我|我们)(?:一下|下)?|(?:你|您)(?:还)?(?:记得|记不记得|知道)(?:吗|么)?|还记得|(?:我)?想知道"
    r")[\s,，:：、]*",
    re.IGNORECASE,
)
_TRAIL = (
    "thank you very much", "thank you", "thanks a lot", "thanks", "thx", "please", "pls",
    "非常感谢", "谢谢你", "谢谢您", "谢谢", "多谢", "拜托了", "麻烦你了", "麻烦了", "辛苦了", "好吗", "可以吗",
)  # fmt: skip
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
    return text if text else query


def _without_ending(text: str) -> str:
    """Return the text without one polite phrase at its end."""
    bare = text.rstrip(_ENDING)
    for phrase in _TRAIL:
        if bare[-len(phrase) :].lower() == phrase:
            kept = bare[: -len(phrase)]
            if (
                phrase[0].isascii()
                and kept
                and kept[-1].isascii()
                and not kept[-1].isspace()
                and kept[-1] != ","
            ):
                continue  # the end of a longer word
            return kept.rstrip(_ENDING)
    return text


_WORD = re.compile(r"[^\W_]")


def _has_word(text: str) -> bool:
    return _WORD.search(text) is not None
