"""Query refinement: operations are recognised, questions never are, politeness is dropped."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.query import SKIPPED, refine, subject

ENGLISH_OPERATIONS = """
run the tests|run tests|run all tests|please run the unit tests again|rerun the test suite|git push
git commit
git commit and push|git add .|git push origin main|git commit --amend|continue|Continue.|ok go on
OK, go ahead|yes
yes please|thanks!|Thank you|fix it|please fix this|npm install|npm run build|npm run dev|npm run lint|go run|deploy it
deploy now
commit and push|build the project|start the server|install dependencies|pip install|cargo test|go build
make test
fix the bug|fix the failing tests|please retry|try again|push it|stop now|ok, stop|restart it|stop the server
do it|let's go|let’s go
lgtm|looks good
could you run the tests please|can you commit the changes?|docker compose up|Ｃｏｎｔｉｎｕｅ|hello
review the code|start up the server|check out the changes|please check in|please check the changes in
save the file|run it again|undo that|never mind|next step
"""
CHINESE_OPERATIONS = """
跑一下测试|运行测试|運行測試|好的，继续|好的继续吧|繼續|提交代码|提交一下代码|请提交代码|是的|谢谢
再试一次|再来一遍|重启服务|重启一下服务
帮我重启服务器|部署一下|启动服务|启动项目|安装依赖|执行脚本|运行项目|修复bug|修复这个问题|继续运行|先撤销
取消吧|推送代码|是|重启一下|git拉取代码|拉取代码
合并分支|编译项目|打包项目|把代码提交了|把测试跑一遍|重新跑一遍测试|帮我跑下单元测试|可以，继续|可以|行
嗯|运行一下|执行吧|提交并推送|下一步
处理一下这个问题|请解决报错|跑下 tests|commit 代码|run一下测试|完成了|你好|代码提交一下|能不能跑一下测试？
"""
QUESTIONS = """
git rebase 冲突怎么处理|运行测试用什么命令|deploy script location|重跑gen-itgc|芯片 deploy|芯片|test
测试|deploy|部署|go|Next.js|tests|commit
测试环境|启动命令|启动脚本|test server|测试服务器|git|npm|docker|运行环境|how to run tests|run pytest
运行测试前要启动哪个容器|提交
commit message convention|提交规范|代码规范|代码风格|项目|服务|bug|code|server|branch|分支|git hooks
git config|pip install requests
好的代码|我|C|C++|C#|.NET|git commit 42|继续教育|开始时间|可以公司|python|运行测试？|run tests?|是的士
对数|好莱坞|继续运行 nginx
重启 redis|resume|feedback|main|master|测试代码|release|发布流程|retry policy|go modules|make|cargo
error|问题|依赖|脚本|next
快递|来电|部署服务|build server|all|不要提交代码|never commit secrets
What did Nadia say about the kiln?|上次我们聊的那本书叫什么
where does the staging server run|哪个服务要先重启|谁负责部署|continue reading list|yes bank account
好的咖啡店|ok hand emoji|thanks giving plans
运行時間|run time|fix_it|do-it-yourself|push notifications|プッシュ|계속|テスト|下一站|行李|嗯哼咖啡
处理异常|处理错误|解决问题|check in|check out|start up|run up|push up
stop|restart|run|rerun|retry|cancel|undo|abort|fix|Restart!|停止|重启|执行|重试|撤销|取消|修复|npm run lint config
go run main.go|stop words|undo log|redo log|done list|写代码|写文档|write code|refactor code|检查代码|重构代码
"""
POLITE = [
    ("Could you please tell me: the address of the mirror?", "the address of the mirror?"),
    ("帮我看一下数据库的端口", "数据库的端口"),
    ("could you please tell me which port redis uses?", "which port redis uses?"),
    ("请问部署脚本在哪里，谢谢", "部署脚本在哪里"),
    ("麻烦帮我查一下 API 密钥放在哪", "API 密钥放在哪"),
    ("能不能帮我找一下日志路径", "日志路径"),
    ("你还记得我喜欢什么颜色吗", "我喜欢什么颜色吗"),
    ("Hi, what's my editor? thanks", "what's my editor?"),
    ("find the config please", "find the config"),
    ("Please remind me which shell I use, thank you!", "which shell I use"),
    ("Do you remember where the kiln is?", "where the kiln is?"),
    ("查下日志", "日志"),
    ("帮我看下文档", "文档"),
    ("查下属性面板", "属性面板"),
    ("看下周报", "周报"),
    ("请问下端口是多少", "端口是多少"),
    ("提醒我下周一开会", "下周一开会"),
    ("告诉我下载目录在哪", "下载目录在哪"),
    ("请问下午几点开会", "下午几点开会"),
    ("想查询订单", "想查询订单"),
    ("帮我查下载目录", "查下载目录"),
]
UNCHANGED = [
    "重跑gen-itgc",
    "请假流程",
    "请求超时怎么处理",
    "帮助文档在哪",
    "麻烦的问题",
    "查下载",
    "看下载",
    "找下属",
    "查下周的安排",
    "看下面的说明",
    "想找回密码",
    "hello world example",
    "pleased customers",
    "will you",
    "canyon hike",
    "%",
    "",
    "  ",
    "!!",
    "the lights are on, displease",
]


def _items(table: str) -> list[str]:
    return [item for line in table.strip().splitlines() for item in line.split("|")]


@pytest.mark.parametrize("query", _items(ENGLISH_OPERATIONS) + _items(CHINESE_OPERATIONS))
def test_bare_operation_is_skipped_and_says_how_to_search_it(query: str) -> None:
    assert refine(query).skipped == SKIPPED
    assert "refine=false" in SKIPPED


@pytest.mark.parametrize("query", _items(QUESTIONS))
def test_query_with_a_word_of_substance_is_searched(query: str) -> None:
    assert refine(query).skipped is None


@pytest.mark.parametrize("noun", ["gen-itgc", "redis", "kestrel-7", "蓝鲸网关", "Quillon", "42", "C++", "北港"])
@pytest.mark.parametrize(
    "operation", ["run {}", "重跑{}", "部署 {}", "git push {}", "好的，继续 {}", "restart {} please"]
)
def test_operation_on_a_name_is_searched_with_the_name(operation: str, noun: str) -> None:
    refined = refine(operation.format(noun))
    assert refined.skipped is None
    assert noun in refined.text


@pytest.mark.parametrize(("query", "expected"), POLITE)
def test_politeness_is_dropped(query: str, expected: str) -> None:
    assert refine(query).text == expected


@pytest.mark.parametrize("query", [query for query in UNCHANGED if query != "will you"])
def test_words_that_only_resemble_politeness_stay(query: str) -> None:
    refined = refine(query)
    assert refined.text == query.strip() or refined.text == query
    assert refined.skipped is None


@pytest.mark.parametrize("prompt", ["yes", "OK, go on", "continue", "继续", "好的，继续", "谢谢", "thanks!"])
def test_a_reply_has_no_subject(prompt: str) -> None:
    assert subject(prompt) == ""


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("run the tests", "run the tests"),
        ("帮我提交代码", "提交代码"),
        ("please deploy it", "deploy it"),
        ("stop", "stop"),
        ("where is the kiln?", "where is the kiln?"),
        ("?", "?"),
    ],
)
def test_an_order_is_its_own_subject(prompt: str, expected: str) -> None:
    assert subject(prompt) == expected


def test_long_chain_of_orders_is_searched() -> None:
    assert refine("run the tests and " * 20).skipped is None


@given(st.text(max_size=300))
def test_any_text_keeps_a_part_of_itself(query: str) -> None:
    refined = refine(query)
    assert refined.text in query
    if any(unicodedata.category(char)[0] in "LN" for char in query):
        assert any(unicodedata.category(char)[0] in "LN" for char in refined.text)


@given(
    st.lists(st.sampled_from(_items(ENGLISH_OPERATIONS)), max_size=3),
    st.sampled_from(["zanzibar", "Öresund"]),
)
def test_no_mix_of_operations_hides_a_name(operations: list[str], name: str) -> None:
    refined = refine(" ".join([*operations, name]))
    assert refined.skipped is None
    assert name in refined.text


@pytest.mark.parametrize(
    "unit", ["好的，继续", "please ", " ", "?", "帮我看一下", "thanks, ", "a.", "你能", "\n,", "git commit "]
)
def test_a_megabyte_completes(unit: str) -> None:
    query = unit * (1_000_000 // len(unit))
    assert refine(query).text in query
