"""The shapes of names: regular expressions of the entity extraction.

No two repeats in a row can match the same character, and repeats that may fail late are bounded: the time is linear.
Most patterns are ASCII patterns: a Chinese character then bounds a Latin word as a space does.
"""

import re

from mnemo.language import entity_words as words
from mnemo.language import late

URL, EMAIL, HOST, PATH, FILE = "url", "email", "host", "path", "file"
PACKAGE, MENTION, IDENTIFIER, VERSION = "package", "mention", "identifier", "version"
QUOTED, ACRONYM, PRODUCT, NAME = "quoted", "acronym", "product", "name"
KINDS = (URL, EMAIL, HOST, PATH, FILE, PACKAGE, MENTION, IDENTIFIER, VERSION, QUOTED, ACRONYM, PRODUCT, NAME)

_END = r"(?![\w-])"
_PART = r"[\w.@+~-]+"
_EXTENSION = rf"\.(?:{words.FILE_EXTENSIONS})"

# Kind, what a text must contain for the pattern to be worth trying, pattern; the most telling first: what one has
# claimed, no later one gets.
CODE_PATTERNS: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (kind, needed, late.pattern(pattern, re.ASCII))
    for kind, needed, pattern in (
        (URL, "://", r"\b[a-z][a-z0-9+.-]{1,12}://[\w.~:/?#@!$&*+,;=%\[\]-]+"),
        (EMAIL, "@", r"(?<![\w.+-])[\w.+-]{1,64}@(?=[\w-]{1,63}\.)[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}"),
        (PACKAGE, "@", r"(?<![\w@/])@[a-z0-9][\w-]{0,50}/[a-z0-9][\w.-]{0,60}"),
        (PATH, "\\", r"(?<![\w/\\])[A-Za-z]:\\[\w.-]+(?:\\[\w.-]+)*"),
        (PATH, "/", rf"(?<![\w/.:)~<>-])(?:~|\.\.?)?/(?=[\w.-]{{0,60}}[A-Za-z]{{2}}){_PART}(?:/{_PART})*/?"),
        (PATH, "/", rf"(?<![\w/.@-])(?:{words.FIRST_FOLDERS})(?:/{_PART})+/?"),
        (
            PATH,
            "/",
            r"(?<![\w/.@-])[A-Za-z_][\w.-]{0,60}(?:/[\w.@+-]{1,80}){0,8}"
            rf"/[\w@+-]{{1,80}}{_EXTENSION}{_END}",
        ),
        (PATH, "/", r"(?<![\w/.@-])[A-Za-z_][\w.-]{2,60}(?:/[A-Za-z_][\w.-]{1,60}){2,8}/?"),
        (PACKAGE, "=", r"(?<![\w.-])[a-zA-Z][\w.-]{1,50}(?:\[\w+\])?(?=[=~><]=\d)"),
        (PACKAGE, "@", r"(?<![\w.-])[a-zA-Z][\w.-]{1,50}(?=@[\^~]?\d)"),
        (FILE, ".", rf"(?<![\w./@-])\w[\w-]{{0,60}}(?:\.[\w-]{{1,40}}){{0,3}}{_EXTENSION}(?![\w(-]|\.\w)"),
        (FILE, ".", r"(?<![\w./)\]-])\.[a-z][a-z_-]{1,40}(?:\.[a-z]{1,20}){0,2}(?![\w(])"),
        (FILE, "file", rf"\b(?:{words.BARE_FILES})\b"),
        (
            HOST,
            ".",
            r"(?<![\w.-])(?:[A-Za-z0-9-]{1,63}\.){1,5}"
            rf"(?:{words.TOP_LEVEL_DOMAINS})(?::\d{{2,5}})?{_END}",
        ),
        (HOST, ".", r"(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5})?(?![\w-]|\.\w)"),
        (HOST, "localhost:", r"\blocalhost:\d{2,5}\b"),
        (MENTION, "@", r"(?<![\w@.])@[A-Za-z][\w-]{1,38}(?![\w(/]|\.\w)"),
        (IDENTIFIER, "()", r"(?<![\w.])[A-Za-z_]\w{0,60}(?:\.[A-Za-z_]\w{0,60}){0,5}\(\)"),
        (IDENTIFIER, "--", r"(?<![\w-])--[a-z][a-z0-9-]+"),
        (
            IDENTIFIER,
            ".",
            r"(?<![\w.])(?:[A-Za-z_]\w{1,60}\.){1,5}"
            r"(?=\w{0,60}_|\w{0,60}[a-z][A-Z])[A-Za-z_]\w{1,60}",
        ),
        (IDENTIFIER, ".", r"(?<![\w.])[A-Za-z]\w{1,40}(?:\.[A-Za-z]\w{1,40}){2,5}(?![\w(])"),
        (IDENTIFIER, "_", r"(?<![\w$])[A-Za-z0-9]+_\w*[A-Za-z0-9](?!\w)|(?<!\w)_+[a-z]\w*[a-z](?!\w)"),
    )
)

# Quick to search for: without them, other patterns need not be tried.
INNER_DOT = late.pattern(r"\.\w", re.ASCII)
INNER_HYPHEN = late.pattern("-(?<=[A-Za-z0-9]-)[A-Za-z0-9]")
INNER_CAPITAL = late.pattern("[A-Z](?<=[A-Za-z0-9].)")
TWO_CAPITALS = late.pattern("[A-Z][A-Z0-9]")
OPENING_APOSTROPHE = late.pattern(r"'(?<![\w']')[A-Za-z]")
CJK = "㐀-䶿一-鿿豈-﫿"
LETTER = "A-Za-zÀ-ÖØ-öø-ɏ"
CAMEL = late.pattern(r"\b(?:[a-z]+[A-Z]|[A-Z]+[a-z0-9]+[A-Z]|[A-Z]{2,}[a-z]{2})[A-Za-z0-9]*\b", re.ASCII)
QUOTES = late.pattern(
    r"《([^《》\n]{1,40})》|「([^「」\n]{1,40})」|『([^『』\n]{1,40})』|“([^“”\n]{1,60})”|\"([^\"\n]{1,60})\"|`([^`\n]{1,60})`"
    r"|(?<![\w'])'([A-Za-z][^'\n]{1,40})'(?![\w'])"
)
PRODUCT_WORD = late.pattern(
    r"(?<![\w.+#/-])\.?[A-Za-z][A-Za-z0-9]*(?:[.-][A-Za-z0-9]+)*(?:\+\+|\#)?(?![\w+#])", re.ASCII
)
CHINESE_PRODUCT = late.pattern("|".join(words.CHINESE_PRODUCTS.strip().replace("\n", "|").split("|")))
NUMBER_BEHIND = late.pattern(
    r" ?v?(\d+(?:\.(?:\d+|x)){0,3}(?:-?(?:alpha|beta|rc)\.?\d*)?)\b(?!\.\d|[-/:%]\d|%)", re.ASCII
)
DOTTED = late.pattern(r" v?\d+(?:\.\d+){1,3}\b", re.ASCII)
WORD = late.pattern(rf"[{LETTER}][{LETTER}0-9]*(?:[-'’+#][{LETTER}0-9]+)*(?:\+\+|#)?")
ACRONYM_WORD = late.pattern(r"(?<![\w.-])[A-Z][A-Z0-9]{1,9}(?:[-/][A-Z0-9]{1,6})?(?=s?(?![\w-]))", re.ASCII)
HYPHENATED = late.pattern(r"(?<![\w./-])[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]{1,40}){1,8}(?![./-]?\w)", re.ASCII)
INSTALLED = late.pattern(
    r"\b(?:npm|pnpm|yarn|bun|pip3?|uv|pipx|cargo|gem|brew|apt(?:-get)?|poetry|go)"
    r" (?:install|add|i|get) (?:-\w+ |--[\w-]+ ){0,3}([a-z][\w.-]{1,50})",
    re.ASCII,
)
CHINESE_MENTION = late.pattern(rf"(?<![\w@.])@[{CJK}]{{2,4}}(?![{CJK}])|(?<=[{CJK}])@[{CJK}]{{2,4}}(?![{CJK}])")
# Words one of which must be there for the pattern below to be worth trying.
NAMING = ("代号", "名叫", "叫做", "名为", "我叫", "取名", "命名为", "项目名是", "项目叫", "产品叫", "品牌叫")
NAMED = late.pattern(
    rf"(?:代号叫?|{'|'.join(NAMING[1:])})[：:为是]?\s?([{CJK}]{{2,6}}?)"
    rf"(?=[^{CJK}]|$|的|是|在|用|负责|项目|平台|系统|，)"
)
BRACKETS = ("(", "（")
BEFORE_LATIN = late.pattern(rf"([{CJK}]{{2,10}})[（(](?=[A-Z][\w .+-]{{1,30}}[)）])")
SUFFIXES = ("项目", "平台", "网关", "引擎", "框架", "小程序", "中台", "助手", "机器人", "数据库", "管理系统", "系统")
SUFFIXED = late.pattern(rf"([{CJK}]{{2,8}}?)(?:{'|'.join(SUFFIXES)})(?![{CJK}]{{0,1}}化)")
# Where a Chinese name cannot go on to the left: function words and the verbs that take products.
LEFT_CUT = late.pattern(
    "我们的?|他们的?|咱们的?|公司的?|团队的?|使用|采用|部署|上线|负责|维护|开发|接入|迁移到?|基于|关于|通过|正在|需要|已经|打开|调用|安装|登录|升级|叫做?"
    "|这个|那个|这套|整个|一个|每个|某个|各个|新的?|旧的?|老的?|内部的?|[的了在是到把和与及用为给对从由将向跟让被做写看有叫去来也都就还很最之]"
)
MORE_CAPITALS = late.pattern(r"(?: [A-Z][a-z]{2,}\b){1,2}(?![-'’.]\w)", re.ASCII)
BETWEEN = late.pattern(r" (?:(?:of|the|of the|de|da|van|von|du|la|le|and the) )?| & ")
