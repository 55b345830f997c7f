"""Statements that hold for one value at a time: "the default branch is …", "lives in …", 每周…发版.

Each pattern matches a whole sentence and finds its `value`; what is left of the sentence says whose value it is.
"""

import re

from mnemo.language import late

LONGEST = 120  # characters of a sentence; a longer one states more than a value

_OF_WHAT = r"(?: (?:of|for|on|in) [\w .'/-]{1,40})?"
_ONE_OF_A_KIND = (
    r"(?:[^,;:]{0,40}\b)?(?:(?:default|primary|preferred|favou?rite) [\w -]{2,30}"
    r"|(?:main|official|native|working) (?:branch|language|tongue|database|editor|office|name|account|register)"
    rf"|(?:time ?zone|name|owner|lead|maintainer|manager|capital|licen[cs]e|mother tongue|branch|deadline){_OF_WHAT})"
)
_ONE_OF_A_KIND_CHINESE = (
    r"[^,，;；:：。]{0,20}?(?:(?:默认|首选|最喜欢的|官方|主(?=分支|语言|库|数据库))[^,，;；:：。是为]{1,10}"
    r"|时区|名字|姓名|负责人|组长|经理|维护者|母语|分支|许可证|首都|域名)"
)
# What only qualifies: a branch is main, and protected as well.
_NO_QUALITY = (
    r"(?!\w+(?:ed|able|ible|ful|ous|less|ly|ing)\b)(?!(?:a|an|the|not|in|on|at|of|to|too|very|it|that|this|over|done|new"
    r"|old|good|bad|fine|ugly|nice|slow|fast|big|small|short|long|wrong|right|free|safe|empty|full)\b)"
)
_EVENTS = (
    r"happens?|takes? place|is held|are held|meetings?|deploys?|deployments?|releases?|ships?|stand-?ups?"
    r"|retros?|retrospectives?|plannings?|demos?|syncs?|is due|are due|scheduled|deadlines?"
)
_EVENTS_CHINESE = "发版|上线|发布|部署|开会|例会|周会|站会|评审|演示|复盘|截止|召开|举行|发薪|提交|交$"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_CITY = r"[A-Z][\w.'-]*(?: [A-Z][\w.'-]*){0,2}"

# What of a text in small letters must be there (one of them), and the pattern.
ONE_VALUE: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = tuple(
    (tuple(needed.split("|")), late.pattern(pattern))
    for needed, pattern in (
        (
            " is ",
            rf"(?i:{_ONE_OF_A_KIND}) is (?:now |called |named )?{_NO_QUALITY}"
            r"(?P<value>[\w./+#-]{1,40}(?: [A-Z][\w-]{0,30})?)",
        ),
        (
            "是|为",
            rf"(?i:{_ONE_OF_A_KIND_CHINESE})\s?(?:现在)?[是为]\s?(?P<value>[\w./+#-]{{1,24}})(?<![的了])",
        ),
        (
            "叫",
            r"(?:我|用户)(?:的名字)?叫\s?(?P<value>[\w·]{1,12})",
        ),
        (
            " in ",
            r"[^,;:]{1,60}? (?:lives?|resides?|(?:is|are) (?:based|located|hosted)|(?:is|was) born"
            r"|(?<=office )is|(?<=headquarters )are|(?<=company )is|(?<=warehouse )is) in "
            rf"(?P<value>{_CITY})",
        ),
        (
            "住在|位于|定居在|常驻|坐落于|总部在|托管在|出生在|出生于",
            r"[^,，;；:：。]{1,30}?(?:住在|位于|定居在|常驻|坐落于|总部在|托管在|出生在|出生于)\s?(?P<value>[\w.-]{2,20})"
            r"(?<![区县镇路街楼室省里])",
        ),
        (
            "day",
            rf"(?=.*\b(?i:{_EVENTS})\b)(?:[^,;]{{1,80}} )?(?i:on |every |each )?(?P<value>(?i:{_WEEKDAY}))s?"
            r"(?: (?:morning|afternoon|evening|night|at \d[\d:]*))?",
        ),
        (
            "周|星期|礼拜",
            rf"(?=.*(?:{_EVENTS_CHINESE}))[^,，;；。了过]{{0,30}}?(?:周|星期|礼拜)(?P<value>[一二三四五六日天])[^,，;；。了过一二三四五六]{{0,20}}",
        ),
    )
)
