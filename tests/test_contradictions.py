"""Pairs of facts that may contradict each other: which are reported, how sure, and with how much work."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import pytest

from mnemo import contradictions, text
from mnemo.contradictions import BLOCK_LIMIT, RARE_TERMS
from mnemo.entities import entity_key, extract_entities
from mnemo.links import Portrait
from mnemo.scoring import Document

MANY = 10_000
# One thing with two values of which one holds at a time, or what is allowed and forbidden.
OTHER_VALUES = """
默认分支是 main|默认分支是 master
The default branch is main|The default branch is master
User lives in Berlin|User lives in Paris
用户住在北京|用户住在上海
用户住在北京|用户住在北海
Deploys happen on Tuesday|Deploys happen on Friday
We deploy every Tuesday|We deploy every Friday
每周二发版|每周五发版
周会在周一上午开会|周会在周三上午开会
例会定在每周一|例会定在每周三
Never use force push|Force push is allowed
Force push is allowed|Don't use force push
禁止强推|允许强推
不要用强推|可以用强推
User's name is Kari|User's name is Leo
The owner of billing is Kari|The owner of billing is Tomasz
支付项目的负责人是王磊|支付项目的负责人是李娜
The office is located in Oslo|The office is located in Bergen
公司总部在杭州|公司总部在深圳
首选语言是中文|首选语言是英文
User's favourite colour is blue|User's favourite colour is green
The primary database is PostgreSQL.|The primary database is MySQL.
The standup takes place on Monday|The standup takes place on Thursday
The time zone is CET|The time zone is PST
我叫小王|我叫小李
周报周五交|周报周四交
The office is in Oslo|The office is in Bergen
User's name is Li|User's name is Oliver
"""
# Opposites, figures in words, other things of one kind, and the same two things the other way round.
DISAGREE = """
Telemetry is enabled on laptops|Telemetry is disabled on laptops
The user likes cilantro|The user dislikes cilantro
The user likes coffee|The user hates coffee
Set strict to true in tsconfig|Set strict to false in tsconfig
Strict mode is on in the repo|Strict mode is off in the repo
Run migrations before the deploy|Run migrations after the deploy
Build with debug symbols|Build without debug symbols
The database is backed up daily|The database is backed up weekly
There is a staging server|There is no staging server
用户喜欢香菜|用户讨厌香菜
用户爱吃香菜|用户讨厌香菜
遥测已启用|遥测已禁用
遥测已开启|遥测已关闭
数据库每天备份|数据库每周备份
提交前必须跑测试|提交前不用跑测试
Python files are indented with four spaces|Python files are indented with two spaces
Retry three times|Retry five times
Retry twenty-five times|Retry thirty times
办公室在七楼|办公室在三楼
站会九点半开始|站会十点开始
合并需要两人评审|合并需要一人评审
超时三秒|超时五秒
The API limit is 600 requests|The API limit is 6,000 requests
Harbour 3.8.0 ships on 2026-09-14|Harbour 3.8.0 ships on 2026-10-01
The gateway listens on port 8080|The gateway listens on port 9090
The current sprint is 12|The current sprint is 13
The user prefers Firefox|The user prefers Chrome
用户偏好 Vim|用户偏好 Emacs
Harbour uses PostgreSQL|Harbour uses MySQL
harbour-api runs on Go|harbour-api runs on Rust
harbour-api 用 Go 写|harbour-api 用 Rust 写
前端用 pnpm|前端用 yarn
Install with npm|Install with pnpm
编辑器：Vim|编辑器：Emacs
Comments are written in English|Comments are written in Chinese
代码注释写英文|代码注释写中文
Use pnpm, not npm|Use npm, not pnpm
The user prefers tabs over spaces|The user prefers spaces over tabs
喜欢空格胜过制表符|喜欢制表符胜过空格
Run the linter before the tests|Run the tests before the linter
"""
# The same value written two ways, or one more exact than the other.
SAME_VALUE = """
保留3个副本|保留三个副本
保留30天|保留三十天
预算12000欧元|预算一万二千欧元
预算3万元|预算30,000元
The standup is at 9:30|The standup is at 09:30
The meeting is at 14:00|The meeting is at 2 pm
The backup starts at 12 am|The backup starts at 0:00
站会时间是9点|站会时间是九点
站会时间是9点半|站会时间是9:30
站会时间是下午两点|站会时间是14:00
The limit is 10,000 rows|The limit is 10000 rows
The release is due 2026-09-14|The release is due 2026/9/14
超时 1.0 秒|超时 1 秒
周会在第3会议室|周会在第三会议室
The staging cluster runs 1.29|The staging cluster runs 1.29.3
The repo is private|The repo is not public
用户讨厌咖啡|用户不喜欢咖啡
Harbour uses Postgres|Harbour uses PostgreSQL
The team chats in Slack|The team chats in slack
"""
# Neighbours that both hold.
HARMLESS = """
User lives in Berlin|User works in Berlin
用户喜欢北京|用户去过上海
User lives in Berlin|User likes Paris
The default branch is main|The default branch is protected
The default branch is main|The default shell is zsh
默认分支是 main|默认分支是受保护的
默认分支是 main|默认编辑器是 Vim
User lives in Berlin|User lives in a flat
Kari lives in Berlin|Tomasz lives in Paris
用户住在北京|王磊住在上海
用户住在北京|用户住在朝阳区
Deploys happen on Tuesday|Reviews happen on Friday
每周二发版|每周五开会
周二上线了支付|周五上线了登录
We deployed the gateway on Tuesday|We deployed the portal on Friday
Never use force push|Force push needs an approval
Never use force push|Squash merges are allowed
禁止强推|允许合并
User has visited Berlin|User has visited Paris
用户去过北京|用户去过上海
User likes tea|User likes coffee
用户喜欢喝茶|用户喜欢咖啡
User speaks German|User speaks French
用户会说德语|用户会说法语
The gateway is written in Go|The gateway is fast
The owner of billing is Kari|The owner of search is Tomasz
支付项目的负责人是王磊|搜索项目的负责人是李娜
The staging host is in Oslo|The production host is in Bergen
The main problem is solved|The main problem is known
User's dog is called Ruby|User's cat is called Bamse
Tests run on Linux|Tests run on Windows
测试跑在 Linux 上|测试跑在 Windows 上
The canteen serves fish on Friday|The canteen serves soup on Monday
食堂周一有鱼|食堂周五有汤
User's brother lives in Oslo|User's sister lives in Bergen
Kari reviews the frontend|Kari reviews the backend
王磊负责支付|王磊负责登录
The current sprint is short|The current sprint is over
Olivia works from home on Monday|Olivia works from home on Friday
Never commit secrets|Commit messages are in English
不要提交密钥|提交信息用英文写
Don't use tabs in Python|Tabs are fine in Go
The default branch is main|The default theme is ugly
The default theme is dark|The default theme is ugly
User lives in New York|User lives in New York City
Harbour uses PostgreSQL|Harbour uses Redis
HeronGateway uses PostgreSQL|HeronGateway uses Redis
The upper limit is 5|The lower limit is 2
The public repo is mirrored|The private repo is not mirrored
Step 1 takes 5 minutes|Step 2 takes 10 minutes
Phase 1 is done|Phase 2 is done
Ticket HB-130 blocks the release|Ticket HB-131 blocks the release
HB-123 is done|HB-124 is done
Release 3.7 has 12 fixes|Release 3.8 has 31 fixes
Release 3.7 went out on 2026-03-02|Release 3.8 went out on 2026-05-11
第一步先备份|第二步先备份
第一季度预算是三十万|第二季度预算是四十万
3月预算是5万|4月预算是6万
会议室3有8个座位|会议室5有12个座位
Wei uses Neovim for Python|Wei uses Neovim for Go
Maren writes Go|Maren writes Rust
用户会说中文|用户会说英文
Run lint before the build|Run lint before the merge
Maren talks with Kasper|Kasper talks with Maren
Redis caches sessions for Harbour|Redis 7 failed in the drill
"""


def portraits(contents: Sequence[str]) -> list[Portrait]:
    ids: dict[str, int] = {}
    found = []
    for fact_id, content in enumerate(contents, start=1):
        names = {ids.setdefault(entity_key(one.name), len(ids) + 1): one.name for one in extract_entities(content)}
        found.append(Portrait(fact_id, content, names, Document.of(text.terms(content))))
    return found


def pairs(*contents: str) -> list[tuple[int, int]]:
    found = contradictions.find(portraits(contents), 50)
    return [(pair.fact_a.fact_id, pair.fact_b.fact_id) for pair in found]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The staging cluster runs Redis 7.1", "The staging cluster runs Redis 7.2"),
        ("The standup begins at 9:30 in the kitchen", "The standup begins at 10:00 in the kitchen"),
        ("缩进用 2 个空格", "缩进用 4 个空格"),
        ("合同续签的最后期限是六月二十一日", "合同续签的最后期限是六月二十二日"),
        ("We deploy Harbour on Fridays", "We never deploy Harbour on Fridays"),
        ("The gateway doesn't log request bodies", "The gateway logs request bodies"),
        ("发布前要跑集成测试", "发布前不要跑集成测试"),
        ("周报用中文写", "周报用英文写"),
        ("Olivia prefers the dark theme in the editor", "Olivia prefers the light theme in the editor"),
        ("用户喜欢深色主题", "用户喜欢浅色主题"),
        ("周五允许部署", "周五不允许部署"),
        ("这个仓库使用 pnpm", "这个仓库不使用 pnpm"),
        ("用户喜欢咖啡", "用户不喜欢咖啡"),
        ("用户会开车", "用户不会开车"),
        ("用户有车", "用户没有车"),
        ("发布前跑集成测试", "发布前不要跑集成测试"),
        ("Always squash merges", "Never squash merges"),
        ("HeronGateway uses PostgreSQL", "HeronGateway uses MySQL"),
        ("HeronGateway 用 PostgreSQL 存账", "HeronGateway 用 MySQL 存账"),
        ("接口超时设为30秒", "接口超时改为60秒"),
        ("The release is on 2026-05-01", "The release is on 2026-06-01"),
        ("上线日期定为 2026-05-08", "上线日期定为 2026-05-18"),
    ],
)
def test_pair_that_differs_in_one_point_is_reported(first: str, second: str) -> None:
    assert pairs(first, second, "Tea is served at four") == [(1, 2)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Tea is served at four", "Whales sleep at sea"),
        ("The staging cluster runs Redis 7.1", "The staging cluster runs Redis 7.1 in Oslo"),
        ("用户喜欢深色主题", "用户喜欢深色主题和大字体"),
        ("Port 8080 serves the gateway", "Chapter 12 tells of lighthouses"),
        ("Olivia likes tea", "Kasper never eats cheese"),
        ("8080", "9090"),
        ("!!", "??"),
        ("The light in the hall is on", "The dark chocolate is in the drawer"),
        ("2026-05-01 met Kasper", "2026-06-01 met Kasper"),
        ("Met Kasper on 2026-05-01", "Met Kasper on 2026-06-01"),
        ("5月1日见了客户", "6月1日见了客户"),
        ("项目A用 Python 3.11", "项目B用 Python 3.12"),
        ("Team A uses Python 3.11", "Team B uses Python 3.12"),
        ("Server alpha has 16 GB of memory", "Server beta has 32 GB of memory"),
        ("Olivia prefers the dark theme in the editor", "Kasper prefers the light theme in the editor"),
        ("Olivia never deploys Harbour on Fridays", "Kasper deploys Harbour on Fridays"),
        ("HeronGateway uses PostgreSQL", "TidewaterPortal uses PostgreSQL"),
        ("Nadia Okonkwo owns PaymentService", "Nadia Okonkwo owns LedgerService"),
        ("The server has 16 GB", "The server has 16 GB and 4 cores"),
    ],
)
def test_pair_that_agrees_or_speaks_of_other_things_is_not_reported(first: str, second: str) -> None:
    assert pairs(first, second) == []


@pytest.mark.parametrize("line", [*OTHER_VALUES.strip().splitlines(), *DISAGREE.strip().splitlines()])
def test_another_value_of_the_same_thing_is_reported(line: str) -> None:
    first, second = line.split("|")
    assert pairs(first, second, "Tea is served at four") == [(1, 2)]
    assert pairs(second, first) == [(1, 2)]


@pytest.mark.parametrize("line", [*HARMLESS.strip().splitlines(), *SAME_VALUE.strip().splitlines()])
def test_neighbours_that_both_hold_are_not_reported(line: str) -> None:
    assert pairs(*line.split("|")) == []


def test_other_values_are_found_among_many_and_a_long_sentence_states_more_than_a_value() -> None:
    others = [f"User knows who lives beside {a}{b}lamp" for a, b in product("bdfgklmnprst", repeat=2)]
    assert pairs("User lives in Berlin", *others, "User lives in Paris") == [(1, len(others) + 2)]
    assert pairs("User lives in Berlin", f"User lives in {'X' * 150}") == []


def test_dissimilar_facts_of_the_same_name_are_reported_with_their_figures() -> None:
    contents = ["Nadia Okonkwo lives beside the old harbour", "Nadia Okonkwo moved into the mountains last spring"]
    (pair,) = contradictions.find(portraits(contents), 10)
    assert pair.shared_entities == ["Nadia Okonkwo"]
    assert pair.entity_overlap == 1.0
    assert 0 < pair.content_similarity < contradictions.DISSIMILAR
    assert pair.score == pytest.approx(contradictions.DISSIMILAR_WEIGHT * (1 - pair.content_similarity), abs=1e-4)
    assert not pair.is_same_statement


def test_pair_that_differs_in_one_point_is_one_statement() -> None:
    (pair,) = contradictions.find(portraits(["Nadia Okonkwo has 2 dogs", "Nadia Okonkwo has 3 dogs"]), 10)
    assert pair.is_same_statement


def test_pairs_that_differ_in_one_point_come_before_dissimilar_ones() -> None:
    contents = ["Ask Maren for the vault", "Mails go unread by Maren", "The default branch is main"]
    found = contradictions.find(portraits([*contents, "The default branch is develop"]), 10)
    assert [pair.is_same_statement for pair in found] == [True, False]
    assert found[0].score > contradictions.DISSIMILAR_WEIGHT >= found[1].score


def test_name_that_many_facts_hold_makes_none_of_them_a_pair() -> None:
    contents = ["Ask Maren for the vault", "Mails go unread by Maren", "Tea is what Maren likes", "Here sits Maren"]
    assert len(pairs(*contents[: contradictions.FEW_FACTS])) == 3
    assert pairs(*contents) == []


def test_one_name_among_many_is_not_the_same_matter() -> None:
    first = "Nadia Okonkwo showed Oslo and Bergen to Kasper Lindqvist"
    second = "Nadia Okonkwo debugs HeronGateway with VSCode"
    assert pairs(first, second) == []


def test_likeliest_pair_comes_first_and_the_limit_cuts_the_rest() -> None:
    contents = [
        "We deploy Harbour on Fridays",
        "We never deploy Harbour on Fridays in winter",
        "The staging cluster runs Redis 7.1",
        "The staging cluster runs Redis 7.2",
    ]
    found = contradictions.find(portraits(contents), 10)
    assert [(pair.fact_a.fact_id, pair.fact_b.fact_id) for pair in found] == [(3, 4), (1, 2)]
    assert found[0].score > found[1].score
    assert contradictions.find(portraits(contents), 1) == found[:1]


def test_equal_scores_are_ordered_by_id() -> None:
    contents = [f"缩进用 {number} 个空格" for number in (2, 4, 8)]
    assert pairs(*contents) == [(1, 2), (1, 3), (2, 3)]


@pytest.mark.parametrize("unit", ["一", "9", "1,000", "九点", "twenty-", "1.0", "not 万"])
def test_long_fact_is_compared_in_linear_time(unit: str) -> None:
    assert pairs(unit * 100_000, f"{unit * 100_000} more") == []


def test_fact_without_a_term_or_a_name_is_passed_over() -> None:
    assert pairs("!!", "…", "") == []
    assert contradictions.find([], 10) == []


# --- the work ---


@pytest.fixture
def comparisons(monkeypatch: pytest.MonkeyPatch) -> Callable[[Sequence[str]], tuple[int, int]]:
    """Give a function that counts the pairs that are met, and those of them that are compared."""
    meet, compare = contradictions._pairs, contradictions._score

    def count(contents: Sequence[str]) -> tuple[int, int]:
        met: list[tuple[int, int]] = []
        compared = 0

        def meeting(
            claims: Sequence[contradictions._Claim],
        ) -> Iterator[tuple[contradictions._Claim, contradictions._Claim]]:
            for first, second in meet(claims):
                met.append((first.portrait.fact_id, second.portrait.fact_id))
                yield first, second

        def counting(first: contradictions._Claim, second: contradictions._Claim) -> float:
            nonlocal compared
            compared += 1
            return compare(first, second)

        with monkeypatch.context() as patch:
            patch.setattr(contradictions, "_pairs", meeting)
            patch.setattr(contradictions, "_score", counting)
            contradictions.find(portraits(contents), 10)
        assert len(set(met)) == len(met)  # no pair twice
        return len(met), compared

    return count


def of_one_name(number: int) -> list[str]:
    return [f"Heron Gateway note about matter{i % 97} and topic{i}" for i in range(number)]


def of_one_frame(number: int) -> list[str]:
    return [f"The release number {i} is out" for i in range(number)]


@pytest.mark.parametrize("made", [of_one_name, of_one_frame])
def test_comparisons_grow_with_the_number_of_facts_and_not_with_its_square(
    comparisons: Callable[[Sequence[str]], tuple[int, int]], made: Callable[[int], list[str]]
) -> None:
    (few, _), (many, _) = comparisons(made(MANY // 4)), comparisons(made(MANY))
    assert few > 0
    assert many <= 4.2 * few
    # Each fact stands in the block of its frame, of its names (one here) and of its rarest terms.
    assert many <= MANY * (1 + 1 + RARE_TERMS) * (BLOCK_LIMIT - 1)


def test_what_cannot_be_among_the_best_is_not_compared(
    comparisons: Callable[[Sequence[str]], tuple[int, int]],
) -> None:
    met, compared = comparisons(of_one_frame(1000))
    assert compared < met / 20, "the first ten are as sure as can be"


def test_the_best_are_those_of_the_whole_list() -> None:
    contents = [
        f"The {colour} gate is {'not ' if number % 2 else ''}open to {visitors} on day {number % 3}"
        for number, (colour, visitors) in enumerate(product(("red", "blue"), ("all", "some of all", "none") * 4))
    ]
    every = contradictions.find(portraits(contents), 1000)
    assert 20 < len(every) < 1000
    assert len({pair.score for pair in every}) > 1
    for limit in range(1, len(every)):
        assert contradictions.find(portraits(contents), limit) == every[:limit]
