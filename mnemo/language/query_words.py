"""The words of which operations are made, in both languages: data of the query refinement."""

import re
from dataclasses import dataclass


def _words(*lists: str) -> frozenset[str]:
    """Return the entries of lists written with bars and line ends."""
    return frozenset(word for each in lists for word in re.split(r"[|\n]", each) if word)


# Said alone, these answer or steer the assistant; beside a bare noun ("deploy now") they make it an order.
_STEERING = """
yes|yeah|yep|yup|no|nope|ok|okay|sure|fine|good|great|perfect|cool|nice|correct|right|exactly|agreed|lgtm
thanks|thank you|thanks a lot|thank you very much|thx|ty|please|pls|hello|hi|hey|continue|proceed|go on
go ahead|keep going|carry on|move on|go for it|let's go|lets go|do it|do that|do so|do it again|next step
next one
retry|try again|try it again|one more time|once more|again|undo|redo|undo that|stop|cancel|abort|wait
done|never mind
nevermind|sounds good|looks good|looks good to me|got it|i see|that's right|that's it|that works|not now
now|just
right now|quickly|first|then|and|and then|also|so|well|can you|could you|would you|will you
can you please
could you please|would you please|i want you to|i need you to|let us|let's|lets|help me|for me|once|a bit
yes please
no thanks|of course|all right|alright|for now|after that|keep on|let me see|take a look|have a look
a moment|go
是|是的|对|对的|对啊|好|好的|好吧|好啊|好呀|好滴|行|行吧|可以|可以的|没问题|没错|嗯|嗯嗯|恩|哦|噢|不|不用
不用了|不是|不行|不要
不对|没事|算了|谢谢|谢谢你|谢谢您|多谢|感谢|非常感谢|辛苦了|辛苦|你好|您好|继续|接着|接着来|继续吧|往下
下一步|下一个|下一项|停|停止
停下|取消|等等|等一下|等一等|再|再来|再来一次|再来一遍|重来|再试|试试|试一下|再试一次|重试|撤销|撤回|回退
做吧|开始吧|开始|来吧|走吧
搞定|完成|完成了|明白|明白了|知道了|了解|收到|同意|确认|就这样|就这么办|没了|请|请你|请您|麻烦|麻烦你
麻烦您|帮我|帮忙|帮我们|给我|替我
一下|下|吧|了|啊|呀|嘛|哈|哦|呢|一次|一遍|一会儿|先|现在|马上|立刻|立即|赶紧|赶快|快|快点|直接|重新|然后
并|并且|再次|又|就|也|把
把它|都|来|去|可以了|能不能|能否|可不可以|可否|你|我|我们|咱们|要|想|让我们|看看|看一下|看下|帮我看看
帮我看一下|行不行|好不好|好吗|行吗|可以吗
"""
# Steering words that are also names or topics: alone they are searched.
NEVER_ALONE = _words("go|and|then|first|just|once|well|so|right|我|你|我们|咱们|下|要|想|并|先|快|来|去")
# Those that name an action: alone they may be what somebody looks up, in company ("stop now") they are orders.
_ACTIONS = _words("stop|cancel|abort|wait|retry|undo|redo|停|停止|停下|取消|重试|撤销|撤回|回退")

# With one of these a question mark does not turn an order into a question.
REQUESTS = _words("can you|could you|would you|will you|can you please|could you please|能不能|能否|好吗|行吗|可以吗")

_DETERMINERS = """
the|a|an|this|that|these|those|my|our|your|all|all the|all of the|every|some|any|latest|new|current|whole
full|entire
failing|failed|broken
这个|那个|这些|那些|这|那|这段|这份|这次|所有|所有的|全部|全部的|全|整个|当前|当前的|最新|最新的|刚才的
刚刚的|我的|我们的|你的|一个|个|的|失败的|这个失败的
"""
# They say how or where, and point at nothing: "check in" and "start up" are topics, "start up the server" is an order.
PARTICLES = _words("up|to|on|in|out|down")
_PRONOUNS = "it|this|that|them|these|those|everything|all|something|它|它们|这个|那个|这些|那些|全部|所有"

_TESTS = """
test|tests|test suite|test suites|unit test|unit tests|integration tests|integration test|e2e tests
testsuite|test cases
测试|测试用例|用例|单元测试|集成测试|测试套件|单测|回归测试|test|tests
"""
_CODE = """
code|change|changes|the changes|file|files|work|代码|改动|更改|修改|变更|文件|源码|源代码|全部代码
改动的代码|修改的代码
"""
_PROJECT = "project|app|application|program|项目|工程|应用|程序|仓库|repo"
_SERVICE = "server|service|services|dev server|local server|backend|frontend|服务|服务器|后端|前端|服务端|开发服务器"
_FAULTS = "bug|bugs|error|errors|issue|issues|problem|problems|错误|问题|报错|异常|毛病|warning|warnings|警告"
_PACKAGES = "dependencies|deps|packages|dependency|依赖|依赖包|依赖项|包"
_SCRIPTS = """
script|scripts|command|commands|build|lint|linter|benchmark|benchmarks|demo
脚本|命令|指令|构建|编译|流水线
"""
_BRANCH = "branch|branches|分支|主分支|pr|pull request|merge request|mr"


@dataclass(frozen=True)
class Verb:
    """What a verb needs to be an order: nothing, one of `objects`, or `directed` objects in plain words."""

    alone: bool
    objects: frozenset[str]
    directed: frozenset[str]


def _verbs() -> dict[str, Verb]:
    """Return every operation verb with what it takes."""
    table: list[tuple[str, bool, frozenset[str], frozenset[str]]] = [
        # verbs; are they an order alone?; with which objects; with which more after "the", "please", "一下"
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
            "fix|修复|修|修好|改|改好|修正",
            True,
            _words(_FAULTS, _TESTS, _CODE, "lint"),
            frozenset(),
        ),
        ("解决|处理", False, frozenset(), _words(_FAULTS, _TESTS, _CODE)),  # 处理异常 is a topic, 处理一下异常 is none
        (
            "check|review|refactor|optimize|clean up|clean|revert|delete|remove|save|write|edit|open"
            "|show|finish|rewrite|检查|审查|重构|优化|清理|回滚|删除|删掉|保存|写|查看|看|完成|重写",
            False,
            _words(
                "changes|change|the changes|改动|更改"
            ),  # "写代码" and "code review" are topics of what one remembers
            _words(_CODE, _TESTS, _FAULTS),
        ),
    ]
    return {
        verb: Verb(alone, objects, objects | directed)
        for verbs, alone, objects, directed in table
        for verb in verbs.split("|")
    }


COMMANDS = {
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
ARGUMENTS = _words(
    "origin|main|master|head|origin main|origin master|all|force|m|a|am|u|f|d|p|amend|no-edit|hard|code|代码"
)

# A rule ("不要提交代码") is worth a search, unlike the order that it forbids.
NEGATIONS = _words("no|not now|不|不要|不用|不是|不行|不对")

STEERING = _words(_STEERING)
DETERMINERS = _words(_DETERMINERS, _PRONOUNS)
VERBS = _verbs()
ACTIONS = _ACTIONS | VERBS.keys()
OBJECTS = frozenset().union(*(verb.directed for verb in VERBS.values()))
VOCABULARY = frozenset(STEERING | DETERMINERS | PARTICLES | VERBS.keys() | OBJECTS | COMMANDS.keys() | ARGUMENTS).union(
    *COMMANDS.values()
)
# What an order is about: a fact of such an operation bears on it, whatever the order is carried out on.
OPERATIONS = _words(
    "commit|push|merge|deploy|build|rebuild|compile|release|publish|test|lint|format|debug|install|reinstall|upgrade",
    "提交|推送|合并|部署|构建|编译|打包|发布|上线|测试|调试|格式化|安装|重装|升级",
)
# Words of orders that name nothing: what is operated on as a matter of course, and how it is said.
FILLERS = OBJECTS.union(
    (word for word in STEERING if (" " not in word if word.isascii() else len(word) <= 2)), DETERMINERS, COMMANDS
).difference(VERBS)
# How a Chinese verb ends (连不上, 起来), which says nothing of what it is about.
COMPLEMENTS = frozenset(f"{before}{end}" for before in "不得" for end in "上下开来去了起动到掉住好出进过成完着见")
COMPLEMENTS |= {f"{way}{end}" for way in "上下进出回过起" for end in "来去"}
NUMERALS = frozenset("〇零一二两三四五六七八九十百第个")
FIRST_WORDS = frozenset(phrase.split(" ")[0] for phrase in VOCABULARY)
LONGEST_PHRASE = max(word.count(" ") + 1 for word in VOCABULARY)  # in words
LONGEST_CHINESE = max(len(word) for word in VOCABULARY if not word.isascii())  # in characters
