"""Words of which one holds at a time: opposites, and things of one kind among which one is chosen.

A line of a table is a group; bars part its sides, spaces or commas the words of one side, which mean the same.
"""

import re

from mnemo.language import late

# Words of two Chinese characters, which are terms as they stand; a word that is a negation itself is left to that.
_OPPOSITES = """
dark|light
tab|space
like love enjoy 喜欢 喜爱 爱吃 爱喝|dislike hate detest 讨厌 反感
prefer|avoid
enable activate 启用 开启 打开 开着|disable deactivate 禁用 停用 关闭 关着
allow permit|forbid prohibit
single|double
public|private
open|closed
true|false
on|off
before 之前|after 之后
upper uppercase|lower lowercase
required mandatory 必填|optional 可选
daily 每天 每日|weekly 每周|monthly 每月|yearly 每年
increase|decrease
深色|浅色
单引|双引
大写|小写
公开|私有
制表|空格
"""
_RIVALS = """
postgresql, postgres|mysql|mariadb|sqlite|mongodb, mongo|oracle|sql server|tidb|cockroachdb
redis|memcached|valkey
kafka|rabbitmq|nats|rocketmq|pulsar
elasticsearch|opensearch|meilisearch|typesense
vim|neovim, nvim|emacs|vs code, vscode, visual studio code|sublime text|zed|cursor|pycharm|intellij, intellij idea
firefox|chrome|safari|edge|brave
npm|pnpm|yarn|bun
pip|uv|poetry|pipenv|conda
react, react.js|vue, vue.js|angular|svelte|solidjs
next.js|nuxt, nuxt.js|remix|astro
django|flask|fastapi
webpack|vite|esbuild|rollup|parcel
jest|vitest|mocha
pytest|unittest
github actions|gitlab ci|jenkins|circleci|travis
github|gitlab|gitee|bitbucket
slack|discord|microsoft teams, teams|mattermost|钉钉, dingtalk|飞书, feishu, lark|企业微信
jira|linear|trello|asana
notion|confluence|obsidian|语雀
nginx|caddy|traefik|haproxy|apache
aws|azure|gcp, google cloud|hetzner|digitalocean|阿里云|腾讯云|华为云
docker|podman
kubernetes, k8s|nomad|docker swarm
terraform|pulumi|opentofu
maven|gradle|bazel
bash|zsh|fish|powershell
"""
_LANGUAGES = "go, golang|rust|python|java|kotlin|typescript|javascript|c++|c#|ruby|php|scala|swift|elixir|zig"
_TONGUES = """
english, 英文, 英语|chinese, 中文, 汉语|german, 德文, 德语|french, 法文, 法语|japanese, 日文, 日语|spanish, 西班牙语
"""

_OF_TOOLS = (
    r"(?:\b(?:us(?:es?|ing)|prefers?|chose|chooses?|with|is|are|(?:runs?|built|hosted|deployed|is|are) on)\s"
    r"|[用选为是:]|偏好|选择)\s?"
)
_OF_LANGUAGES = r"(?:\b(?:written|built|implemented|coded) in\s|\bruns? on\s)\s?"
_OF_TONGUES = r"(?:\b(?:written|writes?|answers?|repl(?:y|ies)|responds?) in\s|[用写为是])\s?"


def _sides(table: str, separator: str | None) -> list[list[list[str]]]:
    return [
        [[word.strip() for word in side.split(separator)] for side in line.split("|")]
        for line in table.strip().splitlines()
    ]


# Each word of a group with its group and its side, which are numbers.
OPPOSITES = {
    word: (group, number)
    for group, sides in enumerate(_sides(_OPPOSITES, None))
    for number, side in enumerate(sides)
    for word in side
}
RIVALS: dict[str, tuple[int, int]] = {
    word: (group, number)
    for group, sides in enumerate(_sides("\n".join((_RIVALS.strip(), _LANGUAGES, _TONGUES)), ","))
    for number, side in enumerate(sides)
    for word in side
}


def are_no_rivals(name: str, other: str) -> bool:
    """Tell whether two normalised names are known to be of two kinds, or of the same thing."""
    ours, theirs = RIVALS.get(name), RIVALS.get(other)
    return ours is not None and theirs is not None and (ours[0] != theirs[0] or ours == theirs)


def _chosen(verbs: str, table: str, behind: str = "") -> re.Pattern[str]:
    names = sorted((word for sides in _sides(table, ",") for side in sides for word in side), key=len, reverse=True)
    return late.pattern(rf"{verbs}(?P<value>{'|'.join(map(re.escape, names))})(?![a-z\d_-]|[.+#][a-z\d+#]){behind}")


# What chooses one of several of a kind, in a text that is normalised.
CHOSEN = (
    _chosen(_OF_TOOLS, _RIVALS),
    _chosen(_OF_LANGUAGES, _LANGUAGES),
    _chosen(r"用\s?", _LANGUAGES, r"(?=\s?(?:编?写|开发|实现))"),
    _chosen(_OF_TONGUES, _TONGUES),
)
# What says which of two goes first, or that one stands in the place of the other.
SET_AGAINST = late.pattern(
    r",? ?\b(?:not|over|instead of|rather than|before|after|above)\b(?: the\b)? ?"
    r"|,?(?:胜过|优于|先于|而不是|而非|不用|别用|不要用)"
)
