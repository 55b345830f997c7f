"""What a prompt is about: prompts that facts of a memory bear on, and prompts that none bears on, in both languages."""

from pathlib import Path

import pytest

from mnemo import recall
from mnemo.facts import NewFact
from mnemo.memory import Memory
from mnemo.store import FactStore

MEMORY = """
Tests run with nox, never pytest
Never commit secrets
提交前先跑 ruff
部署前要先跑冒烟测试
Deploys need a ticket in Jira
Install packages with uv, not pip
The user is called 李明 and prefers to be addressed as Leo
Indent Python with four spaces
Use pnpm, not npm
The staging database listens on port 5433
用户喜欢简洁的回答
React 18 用于前端
Maren reviews every migration of harbour-api
每周五下午不要上线
The on-call handbook lies in the wiki
日志保留三十天
Prefer composition over inheritance
User's birthday is 12 March
Kari is on call in December
数据库迁移脚本放在 db/migrations 目录
接口返回统一用 snake_case
周报每周四下班前发给王磊
Pull requests need two approvals
Error messages are written in German
密码放在公司的保险库里
The ferry to Nordby leaves at seven
用户对花生过敏
Release notes are drafted by Tomasz
编辑器字号 14，深色主题
客户演示安排在每月第一个周一
"""

# A prompt and, behind a bar, how the facts begin of which one has to be recalled, and none but them.
MUST_ENGLISH = """
run the tests|Tests run
run tests please|Tests run
how do I run the tests?|Tests run
commit my changes|Never commit, 提交前
git commit|Never commit, 提交前
commit|Never commit, 提交前
can you commit the code now?|Never commit, 提交前
deploy|部署前, Deploys
deploy the app|部署前, Deploys
deploy to production|部署前, Deploys, 每周五
please deploy the new version to the cluster|部署前, Deploys
deploy it|部署前, Deploys
install the dependencies|Install
pip install|Install
npm install|Install, Use pnpm
install pandas|Install
who is on call|Kari, The on-call
who is on call in December?|Kari
connect to the staging database|The staging
write a migration for harbour-api|Maren
what should I call the user|The user is called
open a pull request|Pull requests
create a pull request for this branch|Pull requests
translate this error message|Error messages
when does the ferry leave|The ferry
draft the release notes|Release notes
where do I put the migration script?|数据库迁移, Maren
how long do we keep logs|日志
is composition better here?|Prefer composition
plan a birthday present for the user|User's birthday
"""

MUST_CHINESE = """
提交代码|提交前, Never commit
帮我提交代码|提交前, Never commit
提交|提交前, Never commit
把代码提交了|提交前, Never commit
提交一下这些改动|提交前, Never commit
部署项目|部署前, Deploys
部署一下|部署前, Deploys
部署到生产环境|部署前, Deploys
把服务部署到生产环境|部署前, Deploys
帮我把后端部署到测试服务器|部署前, Deploys
跑一下测试|部署前, Tests run
运行测试|部署前, Tests run
安装依赖|Install
帮我安装依赖包|Install
今天可以上线吗|每周五, Release notes
周五能上线吗|每周五, Release notes
写一个数据库迁移|数据库迁移
数据库迁移放哪里|数据库迁移
日志要保留多久|日志
编辑器用什么主题|编辑器
接口的返回格式是什么|接口
写周报|周报
帮我写一下这周的周报|周报
给王磊发周报|周报
用户对什么过敏|用户对
推荐一家餐厅，注意过敏|用户对
密码放在哪里|密码
客户演示是哪天|客户演示
前端用什么框架|React
服务器上线要注意什么|每周五, Release notes
"""

# Many of these share a word with a fact of the memory.
MUST_NOT_ENGLISH = """
yes
ok go on
continue
fix it
thanks, looks good
do it again
hello
show me
what do you think?
Explain what this regular expression does
explain this regular expression
Please refactor this function so that it uses async/await
Why does the build fail with a linker error?
add a button to the settings page
rename this variable to something shorter
what is the capital of Portugal?
write a haiku about the sea
convert this csv file to json
why is my loop so slow?
who called this function and why?
write a story about four animals
how does garbage collection work in Go?
keep the order of the list as it is
remove the unused imports
put all of it on one line
I need two more examples of this
leave the comment where it lies
stop
can you make it faster?
the user clicks the button twice and nothing happens
"""

MUST_NOT_CHINESE = """
继续
好的，继续
是的
可以
谢谢
再试一次
修复一下
下一步
你好
撤销
解释一下这段正则表达式的作用
把这个函数改成异步的
为什么编译时报链接错误？
给设置页加一个按钮
把变量名改短一点
葡萄牙的首都是哪里
写一首关于大海的诗
把 csv 文件转成 json
这个循环为什么这么慢
把标题放在中间
第一个参数是什么意思
垃圾回收是怎么工作的
保留两位小数
删掉没用的导入
按日期给列表排序
你喜欢这首歌吗
能不能再快一点
用户点击按钮时弹出对话框
这段代码是什么意思
每月的利息怎么算
"""

MOST_MISSED = 1  # of the prompts of both languages that facts bear on
MOST_WRONG = 3  # of those that none bears on: one telling word in common looks like a reason
MOST_BESIDE = 3  # facts that nobody wants beside the wanted ones


@pytest.fixture
def store(path: Path) -> FactStore:
    memory = Memory(path)
    for content in MEMORY.strip().splitlines():
        memory.fact_store({"action": "add", "content": content})
    return memory.parts.store


def recalled(store: FactStore, prompt: str) -> list[str]:
    return [fact.content for fact in recall.recall(store, prompt).facts]


def test_facts_that_bear_on_a_prompt_are_recalled(store: FactStore) -> None:
    missed, beside = [], []
    rows = [row.split("|") for row in [*MUST_ENGLISH.strip().splitlines(), *MUST_CHINESE.strip().splitlines()]]
    for prompt, wanted in rows:
        facts = recalled(store, prompt)
        others = [fact for fact in facts if not fact.startswith(tuple(wanted.split(", ")))]
        missed += [prompt] if len(facts) == len(others) else []
        beside += [(prompt, fact) for fact in others]
    assert len(rows) == 60
    assert len(missed) <= MOST_MISSED, missed
    assert len(beside) <= MOST_BESIDE, beside


def test_prompts_that_no_fact_bears_on_recall_none(store: FactStore) -> None:
    prompts = [*MUST_NOT_ENGLISH.strip().splitlines(), *MUST_NOT_CHINESE.strip().splitlines()]
    wrong = {prompt: facts for prompt in prompts if (facts := recalled(store, prompt))}
    assert len(prompts) == 60
    assert len(wrong) <= MOST_WRONG, wrong


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("who is on call", ["Kari is on call in December", "The on-call handbook lies in the wiki"]),
        ("call", 3),
        ("部署到生产环境", ["部署前要先跑冒烟测试", "Deploys need a ticket in Jira"]),
        ("把服务部署到生产环境", ["部署前要先跑冒烟测试", "Deploys need a ticket in Jira"]),
        ("帮我提交代码", ["提交前先跑 ruff", "Never commit secrets"]),
        ("git commit", ["Never commit secrets", "提交前先跑 ruff"]),
    ],
)
def test_what_an_order_or_a_phrase_recalls(prompt: str, expected: list[str] | int, store: FactStore) -> None:
    facts = recalled(store, prompt)
    assert len(facts) == expected if isinstance(expected, int) else facts == expected


def test_an_order_recalls_facts_of_its_operation_among_many_others(store: FactStore) -> None:
    store.add([NewFact(content=f"Lamp {number} of the pier is painted {number}") for number in range(1_000)])
    assert recalled(store, "deploy the new version to the cluster") == [
        "Deploys need a ticket in Jira",
        "部署前要先跑冒烟测试",
    ]


def test_a_name_is_enough_in_a_memory_of_any_size(store: FactStore) -> None:
    named = {
        "redis 连不上": "缓存用 Redis 7.2，连接池上限 50",
        "Keycloak 登不上去": "登录走 Keycloak 的 OIDC",
        "rabbitmq refuses to start": "Messages go through RabbitMQ",
        "can we use a GPL library": "Third-party code under GPL is not allowed",
        "引入一个GPL的库": "Third-party code under GPL is not allowed",
        "连不上内网": "进内网要先开 WireGuard",
    }
    store.add([NewFact(content=fact) for fact in dict.fromkeys(named.values())])
    for more in (0, 30, 1_000):
        store.add([NewFact(content=f"Lamp {number} of pier {more} is painted {number}") for number in range(more)])
        assert {prompt: recalled(store, prompt) for prompt in named} == {key: [fact] for key, fact in named.items()}


def test_a_name_that_many_facts_hold_is_none(store: FactStore) -> None:
    store.add([NewFact(content=f"Zanzara lists lamp {number}") for number in range(100)])
    assert recalled(store, "why does zanzara keep dropping connections since the weekend?") == []


def test_several_operations_recall_facts_of_each(store: FactStore) -> None:
    facts = recalled(store, "fix the parser where an empty list is returned, then commit the change and deploy it")
    assert {"Never commit secrets", "Deploys need a ticket in Jira"} <= set(facts)


NUMBERED = """
我的生日是5月2号
The office is at Lindholmspiren 5, floor 7
maxRetryCount 默认是 5
The staging cluster runs Kubernetes v1.29.3 in eu-north-1
Version 3.8.0 ships on 2026-09-14 at 10:00
Retrospectives take place every second Friday at 14:00
SQL 关键字大写，禁止 SELECT *
The proxy listens on 3128
Python files are indented with four spaces
harbour-api 的入口在 services/harbour/app/main.py
Always squash merge pull requests into main; no merge commits
JSON 接口返回 snake_case，端口 22 关闭
Node 18 支持到 2026年4月30日
Plan B is a ferry
第三个会议室有 30 个座位
"""


@pytest.fixture
def numbered(store: FactStore) -> FactStore:
    store.add([NewFact(content=fact) for fact in NUMBERED.strip().splitlines()])
    return store


@pytest.mark.parametrize(
    "prompt",
    [
        "1",
        "2",
        "5",
        "10",
        "1.",
        "3)",
        "(b)",
        "B",
        "a",
        "二",
        "1+1=?",
        "1, 2",
        "take 5",
        "选 2",
        "第三个",
        "just 1 and 3",
    ],
)
def test_a_choice_from_a_list_recalls_nothing(prompt: str, numbered: FactStore) -> None:
    assert recalled(numbered, prompt) == []


@pytest.mark.parametrize(
    ("prompt", "fact"),
    [
        ("3128", "The proxy listens on 3128"),
        ("upgrade Node 18", "Node 18 支持到 2026年4月30日"),
        ("plan B", "Plan B is a ferry"),
    ],
)
def test_a_long_number_or_one_beside_its_word_is_looked_up(prompt: str, fact: str, numbered: FactStore) -> None:
    assert fact in recalled(numbered, prompt)


TRACE = """I get this error when I start the app, what is wrong?
Traceback (most recent call last):
  File "/home/kari/work/tool/cli.py", line 42, in main
    result = parse(args.input)
  File "/home/kari/work/tool/parser.py", line 118, in parse
    return json.loads(text)
  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode
    raise JSONDecodeError("Expecting value", s, err.value) from None
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)"""
CODE = """Please refactor this function so that it is easier to read:
def merge_intervals(intervals):
    intervals.sort(key=lambda x: x[0])
    merged = []
    for current in intervals:
        if not merged or merged[-1][1] < current[0]:
            merged.append(current)
        else:
            merged[-1][1] = max(merged[-1][1], current[1])
    return merged
and add a docstring that explains the complexity."""
LOG = """why does this fail?
2026-12-01 10:22:31,001 ERROR worker-3 job=8123 failed after 3 attempts: connection closed by peer
2026-12-01 10:22:36,120 INFO worker-3 continues in 30 s"""


@pytest.mark.parametrize("prompt", [TRACE, CODE, LOG])
def test_what_is_pasted_recalls_nothing_by_its_many_words_and_numbers(prompt: str, numbered: FactStore) -> None:
    assert recalled(numbered, prompt) == []


def test_a_word_that_a_prompt_repeats_tells_no_more(numbered: FactStore) -> None:
    assert recalled(numbered, " ".join(["how wide is a table in a room with windows"] + ["place"] * 30)) == []


def test_half_a_character_does_not_make_a_prompt_fail(store: FactStore) -> None:
    assert recalled(store, "deploy \ud83d") == recalled(store, "deploy") != []
